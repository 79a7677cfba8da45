// Options beside policies. Whoever reads a key of an experiment declares it there: name, range, default, text, bound to
// the field of a plain struct. Readers, the echo in the results, `braid list` and the reference in docs/ walk what is
// declared. Nothing here knows a file format.
//
//   struct DeroutingOptions { std::uint32_t max_deroutes = 1; };
//   const auto options = OptionTable<DeroutingOptions>("routing")
//       .integer("max_deroutes", &DeroutingOptions::max_deroutes, 0, 15, "steps that need not come nearer");
//   ... options.read(configuration).max_deroutes ... options.list() to the registration
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <set>
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

/// The branches of an option. Asked late, for registries fill while the program starts; made once, and again after
/// plugins have registered more.
class Branches {
 public:
  using Make = std::function<std::vector<OptionBranch>(const Option&)>;

  Branches();
  template <class Function, class = std::enable_if_t<std::is_invocable_v<const Function&, const Option&>>>
  Branches(Function make) : make_(std::move(make)) {}  // NOLINT(google-explicit-constructor): as a function is assigned
  Branches(const Branches& other);                     // makes its own, for the copy's option may get another name
  Branches(Branches&& other) noexcept;
  Branches& operator=(Branches other) noexcept;
  ~Branches();

  explicit operator bool() const { return bool(make_); }
  /// Of the option that has them. Valid until something registers.
  const std::vector<OptionBranch>& operator()(const Option& option) const;

 private:
  Make make_;
  mutable std::vector<OptionBranch> made_;
  mutable std::uint64_t made_after_ = 0;  // registrations
};

/// One key, as declared.
struct Option {
  /// What of it may be another one in a run that goes on from a checkpoint.
  enum class Later : std::uint8_t { kNothing, kName, kAll };

  Option();  // what compilers would write in every file that has one is in one file
  Option(const Option& other);
  Option(Option&& other) noexcept;
  Option& operator=(const Option& other);
  Option& operator=(Option&& other) noexcept;
  ~Option();

  std::string section, name;
  std::string text;      ///< one line, with the unit
  OptionValue initial;   ///< the default
  bool is_file = false;  ///< a name relative to the experiment file
  Later later = Later::kNothing;
  std::function<std::string()>
      expected;  ///< "integer, 1 to 16"; asked late, for registries fill while the program starts
  /// The value in the option's own type (an integer is a number, too). Throws ValueError.
  std::function<OptionValue(const Option&, const OptionValue&)> accept;
  Branches branches;  ///< may be empty
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

/// The policies of one axis by name (routing/base/registry.h).
class Policies;

namespace detail {

/// What OptionTable does whatever its T is, compiled once: a field is at so many bytes from the begin of a T.
class OptionFields {
 public:
  /// Puts a value of the type that the option has into a field.
  using Store = void (*)(void* field, const OptionValue& value);
  struct Place {
    std::size_t offset;
    Store store;
  };
  using Taken = std::function<bool(const OptionValue&, const Configuration&)>;

  explicit OptionFields(std::string section);
  OptionFields(const OptionFields& other);
  OptionFields(OptionFields&& other) noexcept;
  ~OptionFields();
  void section(const std::string& name) { section_ = name; }
  void integer(const char* name, std::int64_t initial, std::int64_t least, std::int64_t most, const char* text,
               Place place);
  void number(const char* name, double initial, double least, double most, const char* text, std::size_t offset);
  void boolean(const char* name, bool initial, const char* text, std::size_t offset);
  void text(const char* name, const std::string& initial, const char* text, std::size_t offset);
  void file(const char* name, const std::string& initial, const char* what, std::size_t offset);
  void integers(const char* name, const std::vector<std::uint32_t>& initial, const char* text, std::size_t offset);
  void later(Option::Later what);
  /// Stored is a word's number.
  void choice(const char* name, std::int64_t initial, std::vector<std::pair<std::string, std::int64_t>> words,
              const char* text, Place place);
  /// `policies` outlives the table.
  void policy(const char* name, const std::string& initial, const Policies& policies, const std::string& none,
              const char* text, std::size_t offset);
  void with(const std::string& name, const OptionFields& inner);
  void with_it(const OptionFields& inner);
  void when(const std::string& condition, const std::function<bool(const Configuration&)>& holds,
            const OptionFields& inner);
  /// `result` is the T whose fields these are.
  void fill(void* result, const Configuration& configuration) const;
  const OptionList& list() const { return options_; }

 private:
  struct Setter {
    Place place;
    std::vector<std::pair<std::string, std::int64_t>> words;  ///< of a choice
    std::vector<std::pair<Taken, std::shared_ptr<const OptionFields>>> inner;
  };
  void add(const char* name, const char* text, Option option, OptionValue initial, Place place);
  void grow(const std::string& condition, const Taken& taken, const OptionFields& inner);

  std::string section_;
  OptionList options_;
  std::vector<Setter> setters_;  // [option]
};

template <class Integer>
void store_integer(void* field, const OptionValue& value) {
  *static_cast<Integer*>(field) = static_cast<Integer>(std::get<std::int64_t>(value));
}

}  // namespace detail

/// The options that fill a struct T; its members' initial values are the defaults.
template <class T>
class OptionTable {
 public:
  explicit OptionTable(std::string section) : fields_(std::move(section)) {}

  /// The section of the entries that follow.
  OptionTable& section(const std::string& name) {
    fields_.section(name);
    return *this;
  }
  template <class Integer, class Base>
  OptionTable& integer(const char* name, Integer Base::* field, std::int64_t least, std::int64_t most,
                       const char* text) {
    fields_.integer(name, static_cast<std::int64_t>(initial_.*field), least, most, text,
                    {offset(field), &detail::store_integer<Integer>});
    return *this;
  }
  OptionTable& number(const char* name, double T::* field, double least, double most, const char* text) {
    fields_.number(name, initial_.*field, least, most, text, offset(field));
    return *this;
  }
  OptionTable& boolean(const char* name, bool T::* field, const char* text) {
    fields_.boolean(name, initial_.*field, text, offset(field));
    return *this;
  }
  OptionTable& text(const char* name, std::string T::* field, const char* text) {
    fields_.text(name, initial_.*field, text, offset(field));
    return *this;
  }
  /// A file that the experiment names relative to itself.
  OptionTable& file(const char* name, std::string T::* field, const char* what) {
    fields_.file(name, initial_.*field, what, offset(field));
    return *this;
  }
  OptionTable& integers(const char* name, std::vector<std::uint32_t> T::* field, const char* text) {
    fields_.integers(name, initial_.*field, text, offset(field));
    return *this;
  }
  /// The last entry does nothing before a run's warm-up has ended: a checkpoint made under another value will do.
  OptionTable& after_warm_up() {
    fields_.later(Option::Later::kAll);
    return *this;
  }
  /// The last entry names a file that a run writes: a checkpoint made under another name will do, not one without any.
  OptionTable& of_results() {
    fields_.later(Option::Later::kName);
    return *this;
  }
  /// One of a few names, each with its value.
  template <class Enum>
  OptionTable& choice(const char* name, Enum T::* field, std::initializer_list<std::pair<const char*, Enum>> values,
                      const char* text) {
    std::vector<std::pair<std::string, std::int64_t>> words;
    for (const auto& [word, value] : values) words.emplace_back(word, static_cast<std::int64_t>(value));
    fields_.choice(name, static_cast<std::int64_t>(initial_.*field), std::move(words), text,
                   {offset(field), &detail::store_integer<Enum>});
    return *this;
  }
  /// A policy by name; its own options exist with it. `none` is a name beside those registered.
  template <class Registry>
  OptionTable& policy(const char* name, std::string T::* field, const char* text, const std::string& none = {}) {
    return policy(Registry::instance(), name, field, text, none);
  }
  /// The same of a registry that is known at run time only.
  OptionTable& policy(const Policies& policies, const char* name, std::string T::* field, const char* text,
                      const std::string& none = {}) {
    fields_.policy(name, initial_.*field, policies, none, text, offset(field));
    return *this;
  }
  /// Options that exist only where the last entry is `name`; else their defaults are read.
  OptionTable& with(const std::string& name, const OptionTable& inner) {
    fields_.with(name, inner.fields_);
    return *this;
  }
  /// ... where it is true or, as text or number, not "" or 0.
  OptionTable& with_it(const OptionTable& inner) {
    fields_.with_it(inner.fields_);
    return *this;
  }
  /// ... where `holds` says so.
  OptionTable& when(const std::string& condition, const std::function<bool(const Configuration&)>& holds,
                    const OptionTable& inner) {
    fields_.when(condition, holds, inner.fields_);
    return *this;
  }

  /// Throws InputError, with the position if the configuration knows it.
  T read(const Configuration& configuration) const {
    T result;
    fields_.fill(&result, configuration);
    return result;
  }
  const OptionList& list() const { return fields_.list(); }

 private:
  template <class Field>
  std::size_t offset(Field field) const {
    return static_cast<std::size_t>(reinterpret_cast<const char*>(&(initial_.*field)) -
                                    reinterpret_cast<const char*>(&initial_));
  }

  T initial_{};
  detail::OptionFields fields_;
};

}  // namespace braid
