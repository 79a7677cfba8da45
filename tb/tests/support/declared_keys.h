// Every key that an experiment can have, and experiments in which it exists: worked out from what users are told (the
// column "exists with" of docs/configuration.md), not from the functions that decide it.
#pragma once

#include <algorithm>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "models/experiment/experiment.h"

namespace braid::test {

/// An option where it is declared. A key may be declared under several conditions, with other ranges.
struct Declared {
  Option option;
  std::string condition;
};

inline const std::vector<Declared>& declared() {
  static const std::vector<Declared> all = [] {
    std::vector<Declared> list;
    for_each_declared(models::experiment_options(),
                      [&](const Option& option, const std::string& condition) { list.push_back({option, condition}); });
    return list;
  }();
  return all;
}

inline const std::vector<Declared>& declared(const std::string& key) {
  static const std::map<std::string, std::vector<Declared>> all = [] {
    std::map<std::string, std::vector<Declared>> by_key;
    for (const Declared& d : declared()) by_key[d.option.key()].push_back(d);
    return by_key;
  }();
  static const std::vector<Declared> none;
  const auto found = all.find(key);
  return found != all.end() ? found->second : none;
}

inline std::string section_of(const std::string& key) { return key.substr(0, key.find('.')); }
inline std::string name_of(const std::string& key) { return key.substr(key.find('.') + 1); }

/// Values of one key as TOML writes them: good ones, the ends of the range among them, and wrong ones.
struct Values {
  std::vector<std::string> good, bad;
};

inline std::string toml_number(double value) {
  std::ostringstream text;
  text.precision(17);
  text << value;
  const std::string digits = text.str();
  return digits.find_first_of(".e") == std::string::npos ? digits + ".0" : digits;
}

inline Values integers_of(const std::string& range) {  // "integer, 1 to 16", "integer, at least 0"
  std::istringstream words(range);
  std::string word;
  long long low = 0, high = 0;
  if (range.find("at least") != std::string::npos) {
    words >> word >> word >> word >> low;
    return {{std::to_string(low), std::to_string(low + 5), "9223372036854775807"},
            {std::to_string(low - 1), "-5", "9223372036854775808", "2.0", "\"2\"", "true", "[2]"}};
  }
  words >> word >> low >> word >> high;
  return {{std::to_string(low), std::to_string(low + 1), std::to_string(high - 1), std::to_string(high)},
          {std::to_string(low - 1), std::to_string(high + 1), "2.0", "\"2\"", "true", "[2]"}};
}

inline Values numbers_of(const std::string& range) {  // "number, 0 to 1", "number, at least 0"
  std::istringstream words(range);
  std::string word;
  double low = 0, high = 0;
  if (range.find("at least") != std::string::npos) {
    words >> word >> word >> word >> low;
    return {{toml_number(low), toml_number(low + 1000.25)},
            {toml_number(low - 0.001), "nan", "inf", "\"2\"", "true", "[2.0]"}};
  }
  words >> word >> low >> word >> high;
  return {{toml_number(low), toml_number((low + high) / 4), toml_number(high)},
          {toml_number(low - 0.001), toml_number(high + 0.001), "nan", "inf", "\"2\"", "true", "[2.0]"}};
}

/// From the option's own description.
inline Values values_of(const Option& option) {
  const std::string expected = option.expected();
  if (expected.rfind("integer, ", 0) == 0) return integers_of(expected);
  if (expected.rfind("number, ", 0) == 0) return numbers_of(expected);
  if (expected == "true or false") return {{"true", "false"}, {"1", "0", "\"true\"", "1.0", "[true]"}};
  if (expected.rfind("one of: ", 0) == 0) {
    Values v{{}, {"\"nonesuch\"", "\"\"", "1", "true", "[\"x\"]"}};
    std::istringstream words(expected.substr(8));
    for (std::string name; std::getline(words >> std::ws, name, ',');) v.good.push_back("\"" + name + "\"");
    return v;
  }
  if (expected == "text") return {{"\"else where\""}, {"5", "true", "1.5", "[\"a\"]"}};
  if (expected == "file name") return {{"\"else where.str\"", "\"else where\""}, {"5", "true", "1.5", "[\"a\"]"}};
  if (expected == "list of integers, at least 0") {
    return {{"[3, 1]", "[4294967295]"}, {"3", "\"3\"", "[-1]", "[4294967296]", "[1.0]", "[1, \"a\"]", "true"}};
  }
  return {};
}

/// What an experiment file gives.
struct Sheet {
  std::set<std::string> sections;             ///< that stand there without a key
  std::map<std::string, std::string> values;  ///< by key

  bool has_section(const std::string& section) const {
    const auto key = values.lower_bound(section + ".");
    return sections.count(section) != 0 || (key != values.end() && section_of(key->first) == section);
  }
  std::string value(const std::string& key) const {
    const auto found = values.find(key);
    return found != values.end() ? found->second : to_text(declared(key).front().option.initial);
  }
  /// `first`, if it is given, stands in line 2, its value behind `NAME = `.
  std::string toml(const std::string& first = {}) const {
    std::map<std::string, std::string> lines;  // [section]
    for (const std::string& section : sections) lines[section];
    const auto line = [&](const std::string& key) { return name_of(key) + " = " + values.at(key) + "\n"; };
    if (!first.empty()) lines[section_of(first)] = line(first);
    for (const auto& [key, value] : values) lines[section_of(key)] += key == first ? "" : line(key);
    std::string text = first.empty() ? "" : "[" + section_of(first) + "]\n" + lines[section_of(first)];
    for (const auto& [section, keys] : lines) {
      if (first.empty() || section != section_of(first)) text.append("[").append(section).append("]\n").append(keys);
    }
    return text;
  }
};

/// `a section [traffic]`; `routing.algorithm = "table"`; `trace.file`: not off; `interface.fairness != "none"`: the
/// same; `traffic.patterns with "local"`: one of the words of its value; `stream.graph ending in ".str"`.
struct Condition {
  std::string section, key, value;
  bool is_word = false, is_end = false;

  explicit Condition(const std::string& text) {
    if (text.rfind("a section [", 0) == 0) {
      section = text.substr(11, text.size() - 12);
      return;
    }
    const std::size_t equals = text.find(" = "), with = text.find(" with ");
    key = text.substr(0, text.find(' '));
    is_word = with != std::string::npos;
    if (equals != std::string::npos) value = text.substr(equals + 3);
    if (is_word) value = text.substr(with + 6);
    const std::size_t ending = text.find(" ending in ");
    is_end = ending != std::string::npos;
    if (is_end) value = "\"else where" + text.substr(ending + 12);
  }
};

inline bool exists(const std::string& key, const Sheet& sheet);

/// Both in quotes.
inline bool has_word(const std::string& text, const std::string& word) {
  return (" " + text.substr(1, text.size() - 2) + " ").find(" " + word.substr(1, word.size() - 2) + " ") !=
         std::string::npos;
}

/// The same behind the last dot.
inline bool ends_alike(const std::string& text, const std::string& end) {
  const std::size_t dot = text.rfind('.');
  return dot != std::string::npos && text.substr(dot) == end.substr(end.rfind('.'));
}

inline bool holds(const std::string& condition, const Sheet& sheet) {
  static const std::set<std::string> off{"0", "false", "[]", "\"\"", "\"none\""};
  if (condition.empty()) return true;
  const Condition c(condition);
  if (!c.section.empty()) return sheet.has_section(c.section);
  if (!exists(c.key, sheet)) return false;
  if (c.is_word) return has_word(sheet.value(c.key), c.value);
  if (c.is_end) return ends_alike(sheet.value(c.key), c.value);
  return c.value.empty() ? off.count(sheet.value(c.key)) == 0 : sheet.value(c.key) == c.value;
}

inline bool exists(const std::string& key, const Sheet& sheet) {
  const std::vector<Declared>& all = declared(key);
  return std::any_of(all.begin(), all.end(), [&](const Declared& d) { return holds(d.condition, sheet); });
}

/// Does what the condition says, and first what the key in it needs.
inline void fulfil(const std::string& condition, Sheet& sheet) {
  if (condition.empty()) return;
  const Condition c(condition);
  if (!c.section.empty()) {
    sheet.sections.insert(c.section);
    if (c.section == "change") sheet.sections.insert("stream");  // it is of a stream program
    return;
  }
  const Declared& needed = declared(c.key).front();
  fulfil(needed.condition, sheet);
  sheet.values[c.key] = c.value.empty() ? values_of(needed.option).good.back() : c.value;
}

/// An experiment under the condition, with little else: something must be sent.
inline Sheet sheet_for(const std::string& condition) {
  Sheet sheet;
  fulfil(condition, sheet);
  if (!sheet.has_section("stream")) sheet.sections.insert("traffic");
  return sheet;
}

}  // namespace braid::test
