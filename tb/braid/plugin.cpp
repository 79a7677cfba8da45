#include "tb/braid/plugin.h"

#include <braid_stamp.h>  // made by CMake: scripts/package/braid_stamp.h.in
#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <utility>

#include "models/observe/output_file.h"
#include "routing/base/input_error.h"
#include "routing/base/registrations.h"
#include "routing/base/shared_library.h"
#include "tb/braid/commands.h"
#include "tb/braid/process.h"

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

bool plugin_may_end_program = false;

/// A plugin that ends the program, while it registers or later: its file is said, and nothing else happens.
void tell_of_exit() {
  const Plugin* loading = Registrations::instance().loading();
  if (loading != nullptr) {
    say(fmt::format("braid: {}\n", InputError(named(loading->file), "ends the program while it is loaded").what()));
    _exit(kBadInput);
  }
  if (!plugin_may_end_program) return;
  models::PendingFile::remove_all();
  say("braid: " + with_plugins("something has ended the program before its end") + "\n");
  _exit(kFailure);
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

std::string with_plugins(std::string line) {
  for (const Plugin& plugin : Registrations::instance().plugins()) {
    line += " (--plugin " + printable(plugin.file) + ")";
  }
  return line;
}

WatchOnExit::WatchOnExit() { plugin_may_end_program = true; }
WatchOnExit::~WatchOnExit() { plugin_may_end_program = false; }

void load_plugins(const std::vector<std::string>& files) {
  static const int told = files.empty() ? 0 : std::atexit(tell_of_exit);
  (void)told;
  for (const std::string& file : files) load_plugin(file);
  Registrations::instance().check();
}

}  // namespace braid::tb
