#include "tb/braid/plugin.h"

#include <braid_stamp.h>  // made by CMake: scripts/package/braid_stamp.h.in
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "routing/base/registrations.h"
#include "routing/base/shared_library.h"
#include "tb/braid/commands.h"

namespace braid::tb {
namespace {

/// scripts/package/plugin_stamp.cpp leaves the mark in a library.
LibraryKind plugin_kind() {
  return {std::string("braid_plugin_") + "stamp=",  // not whole in this program, which is no plugin
          BRAID_STAMP, "a library of policies (docs/package.md)",
          "is no plugin of Braid: expected a library that links Braid::plugin (docs/package.md)",
          "expected one built against this package"};
}

SourcePosition named(const std::string& file) { return {"--plugin " + file, 0, 0}; }

/// A plugin that ends the program while it registers: its file is said, and nothing else happens.
void tell_of_exit() {
  const Plugin* plugin = Registrations::instance().loading();
  if (plugin == nullptr) return;
  std::fprintf(stderr, "braid: %s\n", InputError(named(plugin->file), "ends the program while it is loaded").what());
  _exit(kBadInput);
}

void load_plugin(const std::string& file) {
  const SourcePosition where = named(file);
  check_library(plugin_kind(), where, file);
  if (is_loaded(file)) throw InputError(where, "expected each library once");
  struct Loading {
    explicit Loading(const std::string& name) { Registrations::instance().begin_plugin(name); }
    ~Loading() { Registrations::instance().end_plugin(); }
  } const loading(file);
  open_library(where, file);
}

}  // namespace

void load_plugins(const std::vector<std::string>& files) {
  static const int told = files.empty() ? 0 : std::atexit(tell_of_exit);
  (void)told;
  for (const std::string& file : files) load_plugin(file);
  Registrations::instance().check();
}

}  // namespace braid::tb
