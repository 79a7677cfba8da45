// Options beside policies. Whoever reads a key of an experiment declares it there: name, range, default, text, bound to
// the field of a plain struct. Readers, the echo in the results, `braid list` and the reference in docs/ walk what is
// declared. Nothing here knows a file format.
//
//   struct DeroutingOptions { std::uint32_t max_deroutes = 1; };
//   const auto options = OptionTable<DeroutingOptions>("routing")
//       .integer("max_deroutes", &DeroutingOptions::max_deroutes, 0, 15, "steps that need not come nearer");
//   ... options.read(configuration).max_deroutes ... options.list() to the registration
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "routing/base/configuration.h"
#include "routing/base/input_error.h"

namespace braid {

struct Option;
using OptionList = std::vector<Option>;

/// Options that exist only where another one has a certain value: those of the policy that it names, say.
struct OptionBranch {
  std::string condition;  ///< for users: `routing.algorithm = "derouting"`
  std::function<bool(const OptionValue&, const Configuration&)> taken;
  std::shared_ptr<const OptionList> options;
};

/// One key, as declared.
struct Option {
  /// What of it may be another one in a run that goes on from a checkpoint.
  enum class Later : std::uint8_t { kNothing, kName, kAll };

  std::string section, name;
  std::string text;      ///< one line, with the unit
  OptionValue initial;   ///< the default
  bool is_file = false;  ///< a name relative to the experiment file
  Later later = Later::kNothing;
  std::function<std::string()>
      expected;  ///< "integer, 1 to 16"; asked late, for registries fill while the program starts
  /// The value in the option's own type (an integer is a number, too). Throws ValueError.
  std::function<OptionValue(const Option&, const OptionValue&)> accept;
  std::function<std::vector<OptionBranch>(const Option&)> branches;  ///< may be empty
  /// Of an axis: what is registered, (name, summary); else empty.
  std::function<std::vector<std::pair<std::string, std::string>>()> policies;

  std::string key() const { return section + "." + name; }
  bool is(const std::string& key) const;
  /// What `configuration` gives, checked, or the default. Throws InputError.
  OptionValue value(const Configuration& configuration) const;
};

/// Visits the options that exist under a configuration, in the order of declaration, each with its value. Throws
/// InputError.
void for_each_option(const OptionList& roots, const Configuration& configuration,
                     const std::function<void(const Option&, const OptionValue&)>& visit);

/// The keys that exist under a configuration, whether their values are good or not.
std::set<std::string> existing_keys(const OptionList& roots, const Configuration& configuration);

/// Visits all options that any configuration could have; `condition` says which ("" always; else what its branch says).
void for_each_declared(const OptionList& roots,
                       const std::function<void(const Option&, const std::string& condition)>& visit);

/// The option of that key under any configuration. Throws InputError with the nearest name if there is none.
Option declared_option(const OptionList& roots, const std::string& key, const SourcePosition& where);

/// `routing.algorithm = "x_first", "y_first" or a section [traffic]`: conditions on one key together.
std::string any_of(const std::vector<std::string>& conditions);

/// Throws InputError at the first key given (in the order of positions) that is unknown, or that exists only under a
/// condition that does not hold: that line names the condition.
void check_given(const OptionList& roots, const Configuration& configuration);

namespace detail {
Option integer_option(std::int64_t least, std::int64_t most);
Option number_option(double least, double most);
Option boolean_option();
Option text_option();
Option list_option();
/// One of `names()`; `axis` is what users call it ("routing algorithm").
Option name_option(const std::string& axis, const std::function<std::vector<std::string>()>& names);
}  // namespace detail

/// The options that fill a struct T; its members' initial values are the defaults.
template <class T>
class OptionTable {
 public:
  explicit OptionTable(std::string section) : section_(std::move(section)) {}

  /// The section of the entries that follow.
  OptionTable& section(const std::string& name) {
    section_ = name;
    return *this;
  }
  template <class Integer, class Base>
  OptionTable& integer(const char* name, Integer Base::* field, std::int64_t least, std::int64_t most,
                       const char* text) {
    return add(name, text, detail::integer_option(least, most), static_cast<std::int64_t>(T{}.*field),
               [field](T& t, const OptionValue& v, const Configuration&) {
                 t.*field = static_cast<Integer>(std::get<std::int64_t>(v));
               });
  }
  OptionTable& number(const char* name, double T::* field, double least, double most, const char* text) {
    return add(name, text, detail::number_option(least, most), T{}.*field,
               [field](T& t, const OptionValue& v, const Configuration&) { t.*field = std::get<double>(v); });
  }
  OptionTable& boolean(const char* name, bool T::* field, const char* text) {
    return add(name, text, detail::boolean_option(), T{}.*field,
               [field](T& t, const OptionValue& v, const Configuration&) { t.*field = std::get<bool>(v); });
  }
  OptionTable& text(const char* name, std::string T::* field, const char* text) {
    return add(name, text, detail::text_option(), T{}.*field,
               [field](T& t, const OptionValue& v, const Configuration&) { t.*field = std::get<std::string>(v); });
  }
  /// A file that the experiment names relative to itself.
  OptionTable& file(const char* name, std::string T::* field, const char* what) {
    text(name, field, what);
    options_.back().expected = [] { return "file name"; };
    options_.back().is_file = true;
    return *this;
  }
  OptionTable& integers(const char* name, std::vector<std::uint32_t> T::* field, const char* text) {
    return add(name, text, detail::list_option(), T{}.*field,
               [field](T& t, const OptionValue& v, const Configuration&) {
                 t.*field = std::get<std::vector<std::uint32_t>>(v);
               });
  }
  /// The last entry does nothing before a run's warm-up has ended: a checkpoint made under another value will do.
  OptionTable& after_warm_up() {
    options_.back().later = Option::Later::kAll;
    return *this;
  }
  /// The last entry names a file that a run writes: a checkpoint made under another name will do, not one without any.
  OptionTable& of_results() {
    options_.back().later = Option::Later::kName;
    return *this;
  }
  /// One of a few names, each with its value.
  template <class Enum>
  OptionTable& choice(const char* name, Enum T::* field, const std::vector<std::pair<std::string, Enum>>& values,
                      const char* text) {
    std::vector<std::string> names;
    std::string initial;
    for (const auto& [word, value] : values) {
      names.push_back(word);
      if (value == T{}.*field) initial = word;
    }
    return add(name, text, detail::name_option(section_ + "." + name, [names] { return names; }), initial,
               [field, values](T& t, const OptionValue& v, const Configuration&) {
                 for (const auto& [word, value] : values) {
                   if (word == std::get<std::string>(v)) t.*field = value;
                 }
               });
  }
  /// A policy by name; its own options exist with it. `none` is a name beside those registered.
  template <class Registry>
  OptionTable& policy(const char* name, std::string T::* field, const char* text, const std::string& none = {}) {
    const auto names = [none] {
      std::vector<std::string> all = Registry::instance().names();
      if (!none.empty()) all.insert(all.begin(), none);
      return all;
    };
    add(name, text, detail::name_option(Registry::axis(), names), T{}.*field,
        [field](T& t, const OptionValue& v, const Configuration&) { t.*field = std::get<std::string>(v); });
    options_.back().policies = [none] {
      std::vector<std::pair<std::string, std::string>> all;
      if (!none.empty()) all.emplace_back(none, "no policy");
      for (const auto& [policy, entry] : Registry::instance().entries()) all.emplace_back(policy, entry.told());
      return all;
    };
    options_.back().branches = [](const Option& option) {
      std::vector<OptionBranch> branches;
      for (const auto& [policy, entry] : Registry::instance().entries()) {
        if (!entry.options->empty()) branches.push_back(branch_of(option, policy, entry.options));
      }
      return branches;
    };
    return *this;
  }
  /// Options that exist only where the last entry is `name`; else their defaults are read.
  OptionTable& with(const std::string& name, const OptionTable& inner) {
    const Option& last = options_.back();
    return grow(
        last.key() + " = \"" + name + "\"",
        [name](const OptionValue& v, const Configuration&) { return v == OptionValue(name); }, inner);
  }
  /// ... where it is true or, as text or number, not "" or 0.
  OptionTable& with_it(const OptionTable& inner) {
    const Option& last = options_.back();
    const bool flag = std::holds_alternative<bool>(last.initial);
    return grow(
        last.key() + (flag ? " = true" : ""), [](const OptionValue& v, const Configuration&) { return is_set(v); },
        inner);
  }
  /// ... where `holds` says so.
  OptionTable& when(const std::string& condition, const std::function<bool(const Configuration&)>& holds,
                    const OptionTable& inner) {
    return grow(condition, [holds](const OptionValue&, const Configuration& c) { return holds(c); }, inner);
  }

  /// Throws InputError, with the position if the configuration knows it.
  T read(const Configuration& configuration) const {
    T result;
    fill(result, configuration);
    return result;
  }
  const OptionList& list() const { return options_; }

 private:
  using Setter = std::function<void(T&, const OptionValue&, const Configuration&)>;
  static OptionBranch branch_of(const Option& option, const std::string& name,
                                const std::shared_ptr<const OptionList>& options) {
    return {option.key() + " = \"" + name + "\"",
            [name](const OptionValue& v, const Configuration&) { return v == OptionValue(name); }, options};
  }
  OptionTable& add(const char* name, const char* text, Option option, OptionValue initial, Setter setter) {
    option.section = section_;
    option.name = name;
    option.text = text;
    option.initial = std::move(initial);
    options_.push_back(std::move(option));
    setters_.push_back(std::move(setter));
    return *this;
  }
  using Taken = std::function<bool(const OptionValue&, const Configuration&)>;
  OptionTable& grow(const std::string& condition, const Taken& taken, const OptionTable& inner) {
    const auto before = options_.back().branches;
    const OptionBranch more{condition, taken, std::make_shared<OptionList>(inner.list())};
    options_.back().branches = [before, more](const Option& option) {
      std::vector<OptionBranch> all = before ? before(option) : std::vector<OptionBranch>{};
      all.push_back(more);
      return all;
    };
    const auto set = setters_.back();
    setters_.back() = [set, taken, inner](T& t, const OptionValue& v, const Configuration& c) {
      set(t, v, c);
      if (taken(v, c)) inner.fill(t, c);
    };
    return *this;
  }
  void fill(T& result, const Configuration& c) const {
    for (std::size_t i = 0; i < options_.size(); ++i) setters_[i](result, options_[i].value(c), c);
  }

  std::string section_;
  OptionList options_;
  std::vector<Setter> setters_;  // [option]
};

}  // namespace braid
