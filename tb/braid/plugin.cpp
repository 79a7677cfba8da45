#include "tb/braid/plugin.h"

#include <braid_stamp.h>  // made by CMake: scripts/package/braid_stamp.h.in
#include <dlfcn.h>
#include <link.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "routing/base/input_error.h"
#include "routing/base/registrations.h"
#include "tb/braid/commands.h"

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

/// The loader maps a library's segments without a look at the file's size; beyond its end lies a bus error.
bool whole(const std::string& bytes) {
  ElfW(Ehdr) head{};
  if (bytes.size() < sizeof head) return false;
  std::memcpy(&head, bytes.data(), sizeof head);
  for (std::size_t i = 0; i < head.e_phnum; ++i) {
    const std::size_t at = head.e_phoff + i * sizeof(ElfW(Phdr));
    ElfW(Phdr) segment{};
    if (bytes.size() < at + sizeof segment) return false;
    std::memcpy(&segment, bytes.data() + at, sizeof segment);
    if (segment.p_type == PT_LOAD && bytes.size() < segment.p_offset + segment.p_filesz) return false;
  }
  return true;
}

/// What scripts/package/plugin_stamp.cpp left in the library: the text up to the next zero. Looked for in the file's
/// bytes, as a library made for other headers may do anything once it is loaded.
std::string stamp_of(const std::string& file, const std::string& bytes) {
  const std::string mark = std::string("braid_plugin_") + "stamp=";  // not whole in this program, which is no plugin
  const std::size_t at = bytes.find(mark);
  if (at == std::string::npos) {
    throw plugin_error(file, "is no plugin of Braid: expected a library that links Braid::plugin (docs/package.md)");
  }
  const std::size_t begin = at + mark.size();
  return bytes.substr(begin, std::min(bytes.find('\0', begin) - begin, std::size_t{200}));
}

void check_file(const std::string& file) {
  const std::string bytes = contents(file);
  const std::string stamp = stamp_of(file, bytes);
  if (stamp != BRAID_STAMP) {
    throw plugin_error(
        file, "was built against " + stamp + ", this is " + BRAID_STAMP + ": expected one built against this package");
  }
  if (!whole(bytes)) throw plugin_error(file, "ends too early: expected a whole library");
}

/// A plugin that ends the program while it registers: its file is said, and nothing else happens.
void tell_of_exit() {
  const Plugin* plugin = Registrations::instance().loading();
  if (plugin == nullptr) return;
  std::fprintf(stderr, "braid: %s\n", plugin_error(plugin->file, "ends the program while it registers").what());
  _exit(kBadInput);
}

/// Its initialisers run, which register its policies.
bool opened(const std::string& file, const std::string& path) {
  void* (*volatile const open)(const char*, int) = dlopen;  // declared as if nothing were thrown through it
  struct Loading {
    explicit Loading(const std::string& name) { Registrations::instance().begin_plugin(name); }
    ~Loading() { Registrations::instance().end_plugin(); }
  } const loading(file);
  try {
    return open(path.c_str(), RTLD_NOW | RTLD_LOCAL) != nullptr;  // for as long as the program runs
  } catch (const std::exception& e) {
    throw plugin_error(file, std::string("throws while it registers: ") + one_line(e.what(), kLongestSentence));
  } catch (...) {
    throw plugin_error(file, "throws what is no std::exception while it registers");
  }
}

void load_plugin(const std::string& file) {
  const std::string path = std::filesystem::absolute(file).string();  // without a slash dlopen would look elsewhere
  if (dlopen(path.c_str(), RTLD_NOW | RTLD_NOLOAD) != nullptr) throw plugin_error(file, "expected each library once");
  if (!opened(file, path)) throw plugin_error(file, std::string("cannot be loaded: ") + dlerror());
}

}  // namespace

void load_plugins(const std::vector<std::string>& files) {
  static const int told = files.empty() ? 0 : std::atexit(tell_of_exit);
  (void)told;
  for (const std::string& file : files) {
    check_file(file);
    load_plugin(file);
  }
  Registrations::instance().check();
}

}  // namespace braid::tb
