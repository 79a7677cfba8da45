#include "models/experiment/json_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <system_error>

#include "models/observe/output_file.h"

namespace braid::models {
namespace {

bool is_flat(const boost::json::array& array) {
  return std::all_of(array.begin(), array.end(), [](const auto& v) { return !v.is_structured(); });
}

void print(std::string& text, const boost::json::value& value, int indent) {
  const std::string inner(static_cast<std::size_t>(indent) + 2, ' '), outer(static_cast<std::size_t>(indent), ' ');
  if (value.is_object() && !value.as_object().empty()) {
    const char* separator = "{\n";
    for (const auto& [key, member] : value.as_object()) {
      text += separator + inner + boost::json::serialize(boost::json::string(key)) + ": ";
      print(text, member, indent + 2);
      separator = ",\n";
    }
    text += "\n" + outer + "}";
  } else if (value.is_array() && !value.as_array().empty()) {
    const bool flat = is_flat(value.as_array());
    const char* separator = "[";
    for (const auto& member : value.as_array()) {
      text += separator + (flat ? std::string() : "\n" + inner);
      print(text, member, indent + 2);
      separator = flat ? ", " : ",";
    }
    text += flat ? "]" : "\n" + outer + "]";
  } else if (value.is_double()) {
    text += std::isfinite(value.as_double()) ? fmt::format("{:.10g}", value.as_double()) : "null";
  } else {
    text += boost::json::serialize(value);
  }
}

}  // namespace

std::string pretty(const boost::json::value& value) {
  std::string text;
  print(text, value, 0);
  return text + "\n";
}

void write_file(const std::string& file, const std::string& text) {
  if (file == "-") {
    errno = 0;
    if (std::fputs(text.c_str(), stdout) < 0 || std::fflush(stdout) != 0) {
      throw std::system_error(errno, std::generic_category(), "standard output");
    }
    return;
  }
  OutputFile output(file);
  output.out() << text;
  output.finish();
}

}  // namespace braid::models
