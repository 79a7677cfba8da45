#include "models/rtl/router_library.h"

#include <braid_stamp.h>  // made by CMake: scripts/package/braid_stamp.h.in
#include <dlfcn.h>

#include <filesystem>
#include <map>
#include <utility>

#include "routing/base/shared_library.h"

namespace braid::models::hybrid {
namespace {

using Function = WiredRouter* (*)(bool assertions);

/// scripts/package/router_stamp.cpp leaves the mark in a library.
LibraryKind router_kind(const RouterManifest& manifest) {
  return {std::string("braid_router_") + "stamp=",  // not whole in the program, which is no router
          BRAID_STAMP, "the library of a router (docs/rtl.md)",
          "is no router in RTL for Braid: expected a library made by braid_rtl_router() (docs/rtl.md)",
          "build it again: " + manifest.build};
}

Function load_function(const RouterManifest& manifest) {
  std::error_code ignored;
  if (!std::filesystem::exists(manifest.library, ignored)) {
    throw InputError("router.implementation: the Verilated router " + manifest.name +
                     " fits and is not built; build it: " + manifest.build);
  }
  const SourcePosition where{manifest.library, 0, 0};
  check_library(router_kind(manifest), where, manifest.library);
  void* const function = dlsym(open_library(where, manifest.library), "braid_make_router");
  if (function == nullptr) throw InputError(where, "has no function braid_make_router; expected one (docs/rtl.md)");
  return reinterpret_cast<Function>(function);
}

RouterMaker router_maker = load_router;

}  // namespace

std::unique_ptr<WiredRouter> load_router(const RouterManifest& manifest, bool assertions) {
  static std::map<std::string, Function> loaded;  // [library]: a network has many routers of one
  const auto found = loaded.find(manifest.library);
  const Function make =
      found != loaded.end() ? found->second : loaded.emplace(manifest.library, load_function(manifest)).first->second;
  return std::unique_ptr<WiredRouter>(make(assertions));
}

RouterMaker set_router_maker(RouterMaker maker) { return std::exchange(router_maker, maker); }

std::unique_ptr<WiredRouter> make_router(const RouterManifest& manifest, bool assertions) {
  return router_maker(manifest, assertions);
}

}  // namespace braid::models::hybrid
