#include "routing/base/configuration.h"

#include <cstdlib>
#include <iomanip>
#include <sstream>

namespace braid {

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

void Configuration::set_value(const std::string& key, OptionValue value, const SourcePosition& where) {
  given_[key] = {std::move(value), where};
  sections_.insert(key.substr(0, key.find('.')));
}

void Configuration::close(const std::string& section) {
  sections_.erase(section);
  for (auto it = given_.begin(); it != given_.end();) {
    it = it->first.compare(0, section.size() + 1, section + ".") == 0 ? given_.erase(it) : std::next(it);
  }
}

const Configuration::Given* Configuration::find(const std::string& key) const {
  const auto found = given_.find(key);
  return found == given_.end() ? nullptr : &found->second;
}

}  // namespace braid
