// Figures beside what counts them. Whoever counts something declares it there: name, unit, meaning, bound to a member
// or a function of a plain type. Results, printed table, the schema and the reference in docs/ walk what is declared.
// Nothing here knows a file format.
//
//   const auto figures = FigureTable<Lane>().add("merges", "", "packets that came in from the side", &Lane::merges);
//   ... figures.of(lane) is a Report ... figures.list() to the registration
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace braid {

/// Of a figure that nothing was sampled for: `null` in JSON, `-` in the printed table.
constexpr double kNoSample = std::numeric_limits<double>::quiet_NaN();

/// A sampled mean with the half-width of its 95 % confidence interval (batch means, Student's t). The half-width takes
/// two samples.
struct Estimate {
  double mean = kNoSample;
  double half_width_95 = kNoSample;
};

/// Events since cycle 0, all in all at so many counters (ports, say). A run reports how much it grew while measuring,
/// per cycle and counter.
struct RawCount {
  std::uint64_t events = 0;
  std::uint64_t counters = 1;
  double mean() const { return static_cast<double>(events) / static_cast<double>(counters == 0 ? 1 : counters); }
};

struct Reported;
/// Figures of one run, in the order of their declaration.
class Report {
 public:
  std::vector<Reported> figures;

  bool empty() const { return figures.empty(); }
  /// By name, or by names with dots between for parts of parts. Throws std::out_of_range. T: a type of FigureValue.
  template <class T>
  const T& get(const std::string& name) const;

 private:
  const Reported& find(const std::string& name) const;
};
using FigureValue = std::variant<bool, std::uint64_t, double, std::string, Estimate, RawCount, std::vector<std::string>,
                                 std::vector<std::uint64_t>, std::vector<double>, Report, std::vector<Report>>;

struct Figure;
using FigureList = std::vector<std::shared_ptr<const Figure>>;

/// One figure, as declared.
struct Figure {
  std::string name;                          ///< ends with the unit, where it has one: "packet_latency_cycles"
  std::string unit;                          ///< "flits/node/cycle"; empty: a count, or a share
  std::string meaning;                       ///< one line
  FigureValue kind;                          ///< of the type that its values have
  bool optional = false;                     ///< some runs do not have it
  bool only_in_json = false;                 ///< too long for the table that is printed
  bool of_delivered = false;                 ///< of packets that arrived: a saturated network's best
  std::vector<std::string> conditions = {};  ///< it exists with any of: `router.architecture = "po2"`
  std::function<FigureList()> parts = {};    ///< of a Report, or of each of several; asked late, as registries fill
};

struct Reported {
  std::shared_ptr<const Figure> declared;
  FigureValue value;
};

template <class T>
const T& Report::get(const std::string& name) const {
  return std::get<T>(find(name).value);
}

/// How much each RawCount grew, in place of it; everything else as it is in `after`.
Report rates(const Report& before, const Report& after, std::uint64_t cycles);
/// The figures of several of a kind as those of one: counts are added up. Throws std::logic_error for what is neither
/// std::uint64_t nor RawCount.
Report added_up(const std::vector<Report>& all);

namespace detail {
/// Appends figures that exist where `condition` holds; those that are there already exist with it, too.
void add_conditional(FigureList& all, const FigureList& figures, const std::string& condition);
template <class V>
struct IsOptional : std::false_type {
  using Inner = V;
};
template <class V>
struct IsOptional<std::optional<V>> : std::true_type {
  using Inner = V;
};
/// What a member or function gives, as a FigureValue.
template <class V>
FigureValue figure_value(V&& value) {
  using Plain = std::decay_t<V>;
  if constexpr (std::is_same_v<Plain, bool> || !std::is_integral_v<Plain>) {
    return FigureValue(std::forward<V>(value));
  } else {
    return FigureValue(static_cast<std::uint64_t>(value));
  }
}
}  // namespace detail

/// The figures of a T.
template <class T>
class FigureTable {
 public:
  /// A bool, integer, number, text, Estimate, RawCount, or list of integers or numbers: `get` is a member of T, or
  /// takes a T. An optional one for a figure that some do not have.
  template <class Get>
  FigureTable& add(const std::string& name, const std::string& unit, const std::string& meaning, Get get) {
    using V = std::decay_t<std::invoke_result_t<Get, const T&>>;
    Figure figure{name, unit, meaning, detail::figure_value(typename detail::IsOptional<V>::Inner{})};
    figure.optional = detail::IsOptional<V>::value;
    return append(figure, [get](const T& t) -> std::optional<FigureValue> {
      if constexpr (detail::IsOptional<V>::value) {
        const V value = std::invoke(get, t);
        return value ? std::optional(detail::figure_value(*value)) : std::nullopt;
      } else {
        return detail::figure_value(V(std::invoke(get, t)));
      }
    });
  }
  /// The figures of a part U: `get` gives a U, or an optional U for a part that some runs do not have.
  template <class U, class Get>
  FigureTable& part(const std::string& name, const std::string& unit, const std::string& meaning, Get get,
                    const FigureTable<U>& table) {
    Figure figure{name, unit, meaning, Report{}};
    using V = std::decay_t<std::invoke_result_t<Get, const T&>>;
    figure.optional = !std::is_same_v<V, U>;
    figure.parts = [list = table.list()] { return list; };
    return append(figure, [get, table](const T& t) -> std::optional<FigureValue> {
      if constexpr (std::is_same_v<V, U>) {
        return table.of(std::invoke(get, t));
      } else {
        const auto& part = std::invoke(get, t);
        if (!part) return std::nullopt;
        return table.of(*part);
      }
    });
  }
  /// Of each of several: `get` gives a list of U, or an optional list.
  template <class U, class Get>
  FigureTable& parts(const std::string& name, const std::string& unit, const std::string& meaning, Get get,
                     const FigureTable<U>& table) {
    using V = std::decay_t<std::invoke_result_t<Get, const T&>>;
    Figure figure{name, unit, meaning, std::vector<Report>{}};
    figure.optional = detail::IsOptional<V>::value;
    figure.parts = [list = table.list()] { return list; };
    return append(figure, [get, table](const T& t) -> std::optional<FigureValue> {
      const auto reports = [&table](const auto& several) {
        std::vector<Report> all;
        for (const U& u : several) all.push_back(table.of(u));
        return all;
      };
      const auto& several = std::invoke(get, t);
      if constexpr (detail::IsOptional<V>::value) {
        return several ? std::optional<FigureValue>(reports(*several)) : std::nullopt;
      } else {
        return reports(several);
      }
    });
  }
  /// What policies of a registry report, each its own: `get` gives a Report, empty if the policy has none.
  template <class Registry, class Get>
  FigureTable& policy(const std::string& name, const std::string& unit, const std::string& meaning,
                      const std::string& key, Get get) {
    Figure figure{name, unit, meaning, Report{}};
    figure.optional = true;
    figure.parts = [key] {
      FigureList all;
      for (const auto& [policy, entry] : Registry::instance().entries()) {
        detail::add_conditional(all, entry.figures, key + " = \"" + policy + "\"");
      }
      return all;
    };
    return append(figure, [get](const T& t) -> std::optional<FigureValue> {
      const Report& report = std::invoke(get, t);
      if (report.empty()) return std::nullopt;
      return report;
    });
  }
  /// What a part reports that only some runs have: `get` gives its Report, empty where `condition` does not hold.
  template <class Get>
  FigureTable& reported(const std::string& name, const std::string& unit, const std::string& meaning,
                        const FigureList& parts, const std::string& condition, Get get) {
    Figure figure{name, unit, meaning, Report{}};
    figure.optional = true;
    figure.conditions = {condition};
    figure.parts = [parts] { return parts; };
    return append(figure, [get](const T& t) -> std::optional<FigureValue> {
      const Report& report = std::invoke(get, t);
      if (report.empty()) return std::nullopt;
      return report;
    });
  }
  /// Figures of another list, among those of T: `get` gives the Report that has them, or some.
  template <class Get>
  FigureTable& among(const FigureList& figures, const std::string& condition, Get get) {
    FigureList own;
    detail::add_conditional(own, figures, condition);
    for (const auto& figure : own) {
      append(*figure, [get, name = figure->name](const T& t) -> std::optional<FigureValue> {
        const Report& report = std::invoke(get, t);
        for (const Reported& reported : report.figures) {
          if (reported.declared->name == name) return reported.value;
        }
        return std::nullopt;
      });
    }
    return *this;
  }
  /// The last one is too long for the printed table.
  FigureTable& only_in_json() {
    return change_last([](Figure& figure) { figure.only_in_json = true; });
  }
  /// The last one is of packets that arrived: where the network is saturated, of its best.
  FigureTable& of_delivered() {
    return change_last([](Figure& figure) { figure.of_delivered = true; });
  }
  /// The last one, an optional one, exists where this holds: `results.flows = true`.
  FigureTable& exists_with(const std::string& condition) {
    return change_last([&](Figure& figure) { figure.conditions = {condition}; });
  }

  Report of(const T& t) const {
    Report report;
    for (std::size_t i = 0; i < list_.size(); ++i) {
      if (std::optional<FigureValue> value = getters_[i](t)) report.figures.push_back({list_[i], std::move(*value)});
    }
    return report;
  }
  const FigureList& list() const { return list_; }

 private:
  using Getter = std::function<std::optional<FigureValue>(const T&)>;
  template <class Change>
  FigureTable& change_last(Change change) {
    Figure figure = *list_.back();
    change(figure);
    list_.back() = std::make_shared<Figure>(std::move(figure));
    return *this;
  }
  FigureTable& append(const Figure& figure, Getter getter) {
    list_.push_back(std::make_shared<Figure>(figure));
    getters_.push_back(std::move(getter));
    return *this;
  }

  FigureList list_;
  std::vector<Getter> getters_;  // [figure]
};

}  // namespace braid
