// JSON that people read, in files that are whole or not there.
#pragma once

#include <boost/json.hpp>
#include <string>

namespace braid::models {

/// Indented by two blanks; numbers that are not finite become null.
std::string pretty(const boost::json::value& value);

/// Writes to a temporary file beside `file` and renames it; "-" is standard output. Throws std::runtime_error.
void write_file(const std::string& file, const std::string& text);

}  // namespace braid::models
