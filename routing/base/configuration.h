// What an experiment gives: values by "section.key", whoever declares the keys (routing/base/options.h).
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "routing/base/input_error.h"

namespace braid {

using OptionValue = std::variant<bool, std::int64_t, double, std::string, std::vector<std::uint32_t>>;

constexpr std::int64_t kAnyInteger = std::numeric_limits<std::int64_t>::max();
constexpr double kAnyNumber = std::numeric_limits<double>::infinity();

/// What is wrong with a value, for users; whoever knows where it stands makes an InputError of it.
class ValueError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Is the value not false, 0 or ""?
bool is_set(const OptionValue& value);

/// As few digits as read back as the same number.
std::string to_digits(double value);
/// As TOML writes it.
std::string to_text(const OptionValue& value);

/// What an experiment gives: values by "section.key", and where they stand. Holds anything; whoever reads a value
/// checks it against its option.
class Configuration {
 public:
  struct Given {
    OptionValue value;
    SourcePosition where;
  };

  Configuration();  // what a compiler writes by itself it would write in every file that has one
  Configuration(const Configuration& other);
  Configuration(Configuration&& other) noexcept;
  Configuration& operator=(const Configuration& other);
  Configuration& operator=(Configuration&& other) noexcept;
  ~Configuration();

  /// Any integer, floating-point number, bool, text or list of node numbers. Later values replace earlier ones. Throws
  /// ValueError at 2^63 and more.
  template <class T>
  void set(const std::string& key, const T& value, const SourcePosition& where = {}) {
    set_value(key, value_of(value), where);
  }
  void set(const std::string& key, const char* value, const SourcePosition& where = {}) {  // not one for each length
    set_value(key, std::string(value), where);
  }
  void unset(const std::string& key) { given_.erase(key); }
  /// Makes an optional section exist though no key of it is given.
  void open(const std::string& section, const SourcePosition& where = {}) { sections_[section] = where; }
  /// Takes a section away, with its keys.
  void close(const std::string& section);
  /// Where it begins, if somebody has said so.
  SourcePosition section_position(const std::string& section) const {
    const auto found = sections_.find(section);
    return found == sections_.end() ? SourcePosition{} : found->second;
  }
  bool has_section(const std::string& section) const { return sections_.count(section) != 0; }

  // A section that stands several times, as TOML's [[section]]. The first is the section itself, which is all that
  // whoever knows of no others reads.
  /// How often it stands.
  std::size_t times(const std::string& section) const;
  /// One more; its number.
  std::size_t repeat(const std::string& section, const SourcePosition& where = {});
  /// With the i-th in the section's place, and no other.
  Configuration only(const std::string& section, std::size_t i) const;
  /// The keys of the section, as another configuration has them, become those of the i-th.
  void take(const std::string& section, std::size_t i, const Configuration& from);

  /// Null if it is not given.
  const Given* find(const std::string& key) const;
  const std::map<std::string, Given>& given() const { return given_; }
  /// Where the first key stands that a message names and that is given; else the text value that it quotes; else the
  /// section of a key that it names; else the file of any key that has one. For complaints of whoever knows no places.
  SourcePosition place_named_in(const std::string& message) const;

 protected:
  template <class T>
  static OptionValue value_of(const T& value) {
    if constexpr (std::is_same_v<T, bool> || std::is_same_v<T, OptionValue>) {
      return value;
    } else if constexpr (std::is_integral_v<T>) {
      if constexpr (std::is_unsigned_v<T> && sizeof(T) == sizeof(std::int64_t)) {
        if (value > static_cast<T>(kAnyInteger)) throw ValueError(std::to_string(value) + ": expected less than 2^63");
      }
      return static_cast<std::int64_t>(value);
    } else if constexpr (std::is_floating_point_v<T>) {
      return static_cast<double>(value);
    } else if constexpr (std::is_convertible_v<T, std::string>) {
      return std::string(value);
    } else {
      return std::vector<std::uint32_t>(value);
    }
  }

 private:
  void set_value(const std::string& key, OptionValue value, const SourcePosition& where);

  struct Repeated {
    std::string section;
    SourcePosition where;
    std::map<std::string, Given> given;
  };
  Repeated& repeated(const std::string& section, std::size_t i);

  std::map<std::string, Given> given_;
  std::map<std::string, SourcePosition> sections_;
  std::vector<Repeated> repeated_;  // those after the first, in order
};

}  // namespace braid
