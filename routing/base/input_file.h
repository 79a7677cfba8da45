// Files that the user names, whatever they hold.
#pragma once

#include <string>

namespace braid {

/// The whole text of a file. `expected` says what it should hold ("a GraphML file"). Throws InputError if it cannot be
/// read, or is a directory or a device: these have no text, or no end.
std::string read_input_file(const std::string& file, const std::string& expected);

}  // namespace braid
