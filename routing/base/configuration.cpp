#include "routing/base/configuration.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <iomanip>
#include <sstream>

namespace braid {
namespace {

/// Where the word stands in the text and is not part of a longer one; npos: nowhere.
std::size_t find_word(const std::string& text, const std::string& word) {
  const auto part = [&](std::size_t i) { return i < text.size() && (std::isalnum(text[i]) != 0 || text[i] == '_'); };
  std::size_t at = text.find(word);
  while (at != std::string::npos && ((at > 0 && part(at - 1)) || part(at + word.size()))) at = text.find(word, at + 1);
  return at;
}

/// What the text says of a section: its name with a key behind it.
std::vector<std::string> keys_in(const std::string& text, const std::string& section) {
  std::vector<std::string> keys;
  for (std::size_t at = text.find(section + "."); at != std::string::npos; at = text.find(section + ".", at + 1)) {
    std::size_t end = at + section.size() + 1;
    while (end < text.size() && (std::isalnum(text[end]) != 0 || text[end] == '_')) ++end;
    keys.push_back(text.substr(at, end - at));
  }
  return keys;
}

}  // namespace

std::string to_digits(double value) {
  std::string digits;
  for (int precision = 6; precision <= 17; ++precision) {
    std::ostringstream text;
    text << std::setprecision(precision) << value;
    digits = text.str();
    if (std::strtod(digits.c_str(), nullptr) == value) break;
  }
  return digits;
}

std::string to_text(const OptionValue& value) {
  if (const auto* flag = std::get_if<bool>(&value)) return *flag ? "true" : "false";
  if (const auto* integer = std::get_if<std::int64_t>(&value)) return std::to_string(*integer);
  if (const auto* real = std::get_if<double>(&value)) {
    const std::string digits = to_digits(*real);
    return digits.find_first_of(".en") == std::string::npos ? digits + ".0" : digits;
  }
  if (const auto* text = std::get_if<std::string>(&value)) return "\"" + *text + "\"";
  std::string items;
  for (const std::uint32_t item : std::get<std::vector<std::uint32_t>>(value)) {
    items += (items.empty() ? "" : ", ") + std::to_string(item);
  }
  return "[" + items + "]";
}

bool is_set(const OptionValue& value) {
  return value != OptionValue(false) && value != OptionValue(std::int64_t{0}) && value != OptionValue(std::string());
}

Configuration::Configuration() = default;
Configuration::Configuration(const Configuration& other) = default;
Configuration::Configuration(Configuration&& other) noexcept = default;
Configuration& Configuration::operator=(const Configuration& other) = default;
Configuration& Configuration::operator=(Configuration&& other) noexcept = default;
Configuration::~Configuration() = default;

void Configuration::set_value(const std::string& key, OptionValue value, const SourcePosition& where) {
  given_[key] = {std::move(value), where};
  sections_.emplace(key.substr(0, key.find('.')), SourcePosition{});
}

void Configuration::close(const std::string& section) {
  sections_.erase(section);
  for (auto it = given_.begin(); it != given_.end();) {
    it = it->first.compare(0, section.size() + 1, section + ".") == 0 ? given_.erase(it) : std::next(it);
  }
}

std::size_t Configuration::times(const std::string& section) const {
  if (!has_section(section)) return 0;
  return 1 + static_cast<std::size_t>(std::count_if(repeated_.begin(), repeated_.end(),
                                                    [&](const Repeated& r) { return r.section == section; }));
}

std::size_t Configuration::repeat(const std::string& section, const SourcePosition& where) {
  repeated_.push_back({section, where, {}});
  return times(section) - 1;
}

Configuration::Repeated& Configuration::repeated(const std::string& section, std::size_t i) {
  for (Repeated& r : repeated_) {
    if (r.section == section && --i == 0) return r;
  }
  throw std::logic_error("no such section [[" + section + "]]");
}

Configuration Configuration::only(const std::string& section, std::size_t i) const {
  Configuration one = *this;
  if (i > 0) {
    const Repeated chosen = one.repeated(section, i);
    one.close(section);
    one.sections_[section] = chosen.where;
    one.given_.insert(chosen.given.begin(), chosen.given.end());
  }
  const auto others = std::remove_if(one.repeated_.begin(), one.repeated_.end(),
                                     [&](const Repeated& r) { return r.section == section; });
  one.repeated_.erase(others, one.repeated_.end());
  return one;
}

void Configuration::take(const std::string& section, std::size_t i, const Configuration& from) {
  const auto of_section = [&](const std::string& key) {
    return key.compare(0, section.size() + 1, section + ".") == 0;
  };
  std::map<std::string, Given> keys;
  for (const auto& [key, given] : from.given_) {
    if (of_section(key)) keys.emplace(key, given);
  }
  if (i > 0) {
    repeated(section, i).given = std::move(keys);
    return;
  }
  for (auto it = given_.begin(); it != given_.end();) it = of_section(it->first) ? given_.erase(it) : std::next(it);
  given_.insert(keys.begin(), keys.end());
}

const Configuration::Given* Configuration::find(const std::string& key) const {
  const auto found = given_.find(key);
  return found == given_.end() ? nullptr : &found->second;
}

SourcePosition Configuration::place_named_in(const std::string& message) const {
  SourcePosition place;
  std::size_t first = std::string::npos;
  const auto look_for = [&](const std::string& word, const SourcePosition& where) {
    const std::size_t at = find_word(message, word);
    if (at >= first) return;
    first = at;
    place = where;
  };
  for (const auto& [key, value] : given_) look_for(key, value.where);
  if (first != std::string::npos) return place;
  for (const auto& [key, value] : given_) {
    if (std::holds_alternative<std::string>(value.value)) look_for(to_text(value.value), value.where);
  }
  if (first != std::string::npos) return place;
  for (const auto& [section, where] : sections_) {
    if (where.line == 0) continue;
    look_for("[" + section + "]", where);
    for (const std::string& key : keys_in(message, section)) look_for(key, where);
  }
  if (first != std::string::npos) return place;
  for (const auto& [key, value] : given_) {
    if (value.where.line != 0) return {value.where.file, 0, 0};
  }
  return {};
}

}  // namespace braid
