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
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
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
  Report();  // what a compiler writes by itself it would write in every file that has a report
  Report(const Report& other);
  Report(Report&& other) noexcept;
  Report& operator=(const Report& other);
  Report& operator=(Report&& other) noexcept;
  ~Report();

  std::vector<Reported> figures;

  bool empty() const;
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

/// The policies of one axis (routing/base/registry.h).
class Policies;

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

/// The value of one figure, if the T has it. How a FigureValue is made of each type is compiled once.
class FigureSlot {
 public:
  /// What a member or function gives: of a FigureValue's types, any integer, or an optional one.
  template <class V>
  void put(const V& given) {
    if constexpr (IsOptional<V>::value) {
      if (given) put(*given);
    } else if constexpr (std::is_integral_v<V> && !std::is_same_v<V, bool>) {
      set(static_cast<std::uint64_t>(given));
    } else {
      set(given);
    }
  }
  void set(bool given);
  void set(std::uint64_t given);
  void set(double given);
  void set(const std::string& given);
  void set(const Estimate& given);
  void set(const RawCount& given);
  void set(const std::vector<std::string>& given);
  void set(const std::vector<std::uint64_t>& given);
  void set(const std::vector<double>& given);
  void set(Report given);
  void set(std::vector<Report> given);
  void set(const void*) = delete;  // nor a text that is no std::string: it would be a bool
  /// The figure of that name, if the report has it.
  void pick(const Report& report, const std::string& name);
  /// The report, unless it is empty.
  void put_if_any(const Report& report);

  std::optional<FigureValue> value;
};

/// How a figure is taken from a T: what FigureTable's user gave, without its type. A std::function in its place costs
/// the compiler several times as much for each figure.
class FigureFields;
struct FigureGetter {
  using Take = void (*)(const FigureGetter& self, const void* of, FigureSlot& slot);
  template <class Get>
  FigureGetter(Take how, Get what, std::shared_ptr<const FigureFields> fields = nullptr)
      : take(how), part(std::move(fields)) {
    static_assert(std::is_trivially_copyable_v<Get> && sizeof(Get) <= sizeof(get),
                  "a member, or a closure with no more than two references");
    new (get) Get(what);
  }
  template <class Get>
  const Get& as() const {
    return *std::launder(reinterpret_cast<const Get*>(get));
  }

  Take take;
  std::shared_ptr<const FigureFields> part;  ///< of a Report, or of several: theirs
  std::string name = {};                     ///< of a figure that another report has: its name there
  alignas(void*) unsigned char get[2 * sizeof(void*)];
};

/// What FigureTable does whatever its T is.
class FigureFields {
 public:
  FigureFields();
  FigureFields(const FigureFields& other);
  FigureFields(FigureFields&& other) noexcept;
  ~FigureFields();
  std::shared_ptr<const FigureFields> shared() const;
  /// `kind` puts a value of the figure's type.
  void add(std::string_view name, std::string_view unit, std::string_view meaning, void (*kind)(FigureSlot&),
           bool optional, FigureGetter getter);
  /// Of what others register.
  void policy(std::string_view name, std::string_view unit, std::string_view meaning, const std::string& key,
              const Policies& policies, FigureGetter getter);
  void reported(std::string_view name, std::string_view unit, std::string_view meaning, const FigureList& parts,
                const std::string& condition, FigureGetter getter);
  void among(const FigureList& figures, const std::string& condition, const FigureGetter& getter);
  void only_in_json();
  void of_delivered();
  void exists_with(const std::string& condition);
  Report of(const void* one) const;
  const FigureList& list() const { return list_; }

 private:
  void append(Figure figure, FigureGetter getter);

  FigureList list_;
  std::vector<FigureGetter> getters_;  // [figure]
};

template <class V>
void put_kind(FigureSlot& slot) {
  slot.put(V{});
}
}  // namespace detail

/// The figures of a T.
template <class T>
class FigureTable {
 public:
  /// A bool, integer, number, text, Estimate, RawCount, or list of integers or numbers: `get` is a member of T, or
  /// takes a T. An optional one for a figure that some do not have.
  template <class Get>
  FigureTable& add(std::string_view name, std::string_view unit, std::string_view meaning, Get get) {
    using V = std::decay_t<std::invoke_result_t<Get, const T&>>;
    using Optional = detail::IsOptional<V>;
    fields_.add(name, unit, meaning, &detail::put_kind<typename Optional::Inner>, Optional::value,
                {&take_value<Get>, get});
    return *this;
  }
  /// The figures of a part U: `get` gives a U, or an optional U for a part that some runs do not have.
  template <class U, class Get>
  FigureTable& part(std::string_view name, std::string_view unit, std::string_view meaning, Get get,
                    const FigureTable<U>& table) {
    using V = std::decay_t<std::invoke_result_t<Get, const T&>>;
    fields_.add(name, unit, meaning, &detail::put_kind<Report>, !std::is_same_v<V, U>,
                {&take_part<U, Get>, get, table.shared()});
    return *this;
  }
  /// Of each of several: `get` gives a list of U, or an optional list.
  template <class U, class Get>
  FigureTable& parts(std::string_view name, std::string_view unit, std::string_view meaning, Get get,
                     const FigureTable<U>& table) {
    using V = std::decay_t<std::invoke_result_t<Get, const T&>>;
    fields_.add(name, unit, meaning, &detail::put_kind<std::vector<Report>>, detail::IsOptional<V>::value,
                {&take_parts<U, Get>, get, table.shared()});
    return *this;
  }
  /// What policies of a registry report, each its own: `get` gives a Report, empty if the policy has none.
  template <class Registry, class Get>
  FigureTable& policy(std::string_view name, std::string_view unit, std::string_view meaning, const std::string& key,
                      Get get) {
    fields_.policy(name, unit, meaning, key, Registry::instance(), {&take_report<Get>, get});
    return *this;
  }
  /// What a part reports that only some runs have: `get` gives its Report, empty where `condition` does not hold.
  template <class Get>
  FigureTable& reported(std::string_view name, std::string_view unit, std::string_view meaning, const FigureList& parts,
                        const std::string& condition, Get get) {
    fields_.reported(name, unit, meaning, parts, condition, {&take_report<Get>, get});
    return *this;
  }
  /// Figures of another list, among those of T: `get` gives the Report that has them, or some.
  template <class Get>
  FigureTable& among(const FigureList& figures, const std::string& condition, Get get) {
    fields_.among(figures, condition, {&take_named<Get>, get});
    return *this;
  }
  /// The last one is too long for the printed table.
  FigureTable& only_in_json() {
    fields_.only_in_json();
    return *this;
  }
  /// The last one is of packets that arrived: where the network is saturated, of its best.
  FigureTable& of_delivered() {
    fields_.of_delivered();
    return *this;
  }
  /// The last one, an optional one, exists where this holds: `results.flows = true`.
  FigureTable& exists_with(const std::string& condition) {
    fields_.exists_with(condition);
    return *this;
  }

  Report of(const T& t) const { return fields_.of(&t); }
  const FigureList& list() const { return fields_.list(); }
  /// For a table of which this is a part.
  std::shared_ptr<const detail::FigureFields> shared() const { return fields_.shared(); }

 private:
  template <class Get>
  static decltype(auto) given(const detail::FigureGetter& self, const void* of) {
    return std::invoke(self.as<Get>(), *static_cast<const T*>(of));
  }
  template <class Get>
  static void take_value(const detail::FigureGetter& self, const void* of, detail::FigureSlot& slot) {
    slot.put(given<Get>(self, of));
  }
  template <class U, class Get>
  static void take_part(const detail::FigureGetter& self, const void* of, detail::FigureSlot& slot) {
    const auto& part = given<Get>(self, of);
    if constexpr (std::is_same_v<std::decay_t<decltype(part)>, U>) {
      slot.set(self.part->of(&part));
    } else {
      if (part) slot.set(self.part->of(&*part));
    }
  }
  template <class U, class Get>
  static void take_parts(const detail::FigureGetter& self, const void* of, detail::FigureSlot& slot) {
    const auto& several = given<Get>(self, of);
    const auto put = [&](const auto& all) {
      std::vector<Report> reports;
      for (const U& u : all) reports.push_back(self.part->of(&u));
      slot.set(std::move(reports));
    };
    if constexpr (detail::IsOptional<std::decay_t<decltype(several)>>::value) {
      if (several) put(*several);
    } else {
      put(several);
    }
  }
  template <class Get>
  static void take_report(const detail::FigureGetter& self, const void* of, detail::FigureSlot& slot) {
    slot.put_if_any(given<Get>(self, of));
  }
  template <class Get>
  static void take_named(const detail::FigureGetter& self, const void* of, detail::FigureSlot& slot) {
    slot.pick(given<Get>(self, of), self.name);
  }

  detail::FigureFields fields_;
};

}  // namespace braid
