#include "tb/braid/plugin.h"

#include <braid_stamp.h>  // made by CMake: scripts/package/braid_stamp.h.in

#include "routing/base/registrations.h"
#include "routing/base/shared_library.h"

namespace braid::tb {
namespace {

/// scripts/package/plugin_stamp.cpp leaves the mark in a library.
LibraryKind plugin_kind() {
  return {std::string("braid_plugin_") + "stamp=",  // not whole in this program, which is no plugin
          BRAID_STAMP, "a library of policies (docs/package.md)",
          "is no plugin of Braid: expected a library that links Braid::plugin (docs/package.md)",
          "expected one built against this package"};
}

void load_plugin(const std::string& file) {
  const SourcePosition where{"--plugin " + file, 0, 0};
  check_library(plugin_kind(), where, file);
  if (is_loaded(file)) throw InputError(where, "expected each library once");
  Registrations::instance().begin_plugin(file);
  open_library(where, file);
  Registrations::instance().end_plugin();
}

}  // namespace

void load_plugins(const std::vector<std::string>& files) {
  for (const std::string& file : files) load_plugin(file);
  Registrations::instance().check();
}

}  // namespace braid::tb
