// JSON that people read, in files that are whole or not there.
#pragma once

#include <boost/json.hpp>
#include <string>

namespace braid::models {

/// Indented by two blanks; numbers that are not finite become null.
std::string pretty(const boost::json::value& value);

/// As OutputFile does; "-" is standard output. Throws InputError where it cannot begin, std::runtime_error where it
/// cannot end.
void write_file(const std::string& file, const std::string& text);

}  // namespace braid::models
