#include "tb/braid/plugin.h"

#include <braid_stamp.h>  // made by CMake: scripts/package/braid_stamp.h.in
#include <dlfcn.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "routing/base/input_error.h"
#include "routing/base/registrations.h"

namespace braid::tb {
namespace {

InputError plugin_error(const std::string& file, const std::string& what) {
  return InputError("--plugin " + file + ": " + what);
}

std::string contents(const std::string& file) {
  std::error_code ignored;
  std::ifstream stream(file, std::ios::binary);
  if (!stream || std::filesystem::is_directory(file, ignored)) {
    throw plugin_error(file, "cannot be read: expected a library of policies (docs/package.md)");
  }
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// What scripts/package/plugin_stamp.cpp left in the library: the text up to the next zero. Looked for in the file's
/// bytes, as a library made for other headers may do anything once it is loaded.
std::string stamp_of(const std::string& file) {
  const std::string mark = std::string("braid_plugin_") + "stamp=";  // not whole in this program, which is no plugin
  const std::string bytes = contents(file);
  const std::size_t at = bytes.find(mark);
  if (at == std::string::npos) {
    throw plugin_error(file, "is no plugin of Braid: expected a library that links Braid::plugin (docs/package.md)");
  }
  const std::size_t begin = at + mark.size();
  return bytes.substr(begin, std::min(bytes.find('\0', begin) - begin, std::size_t{200}));
}

void check_stamp(const std::string& file) {
  const std::string stamp = stamp_of(file);
  if (stamp != BRAID_STAMP) {
    throw plugin_error(
        file, "was built against " + stamp + ", this is " + BRAID_STAMP + ": expected one built against this package");
  }
}

void load_plugin(const std::string& file) {
  const std::string path = std::filesystem::absolute(file).string();  // without a slash dlopen would look elsewhere
  if (dlopen(path.c_str(), RTLD_NOW | RTLD_NOLOAD) != nullptr) throw plugin_error(file, "expected each library once");
  Registrations::instance().begin_plugin(file);
  const bool loaded = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL) != nullptr;  // for as long as the program runs
  Registrations::instance().end_plugin();
  if (!loaded) throw plugin_error(file, std::string("cannot be loaded: ") + dlerror());
}

}  // namespace

void load_plugins(const std::vector<std::string>& files) {
  for (const std::string& file : files) {
    check_stamp(file);
    load_plugin(file);
  }
  Registrations::instance().check();
}

}  // namespace braid::tb
