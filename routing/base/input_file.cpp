#include "routing/base/input_file.h"

#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>

#include "routing/base/input_error.h"

namespace braid {

std::string read_input_file(const std::string& file, const std::string& expected) {
  std::error_code unknown;
  const std::filesystem::file_status status = std::filesystem::status(file, unknown);
  const SourcePosition where{file, 0, 0};
  if (std::filesystem::is_directory(status)) throw InputError(where, "is a directory: expected " + expected);
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) {
    throw InputError(where, "is a device or a pipe: expected " + expected);
  }
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  if (in && std::filesystem::file_size(file, unknown) > 0) text << in.rdbuf();
  if (!in) throw InputError(where, "cannot be read: expected " + expected);
  return text.str();
}

}  // namespace braid
