#include "models/rtl/router_library.h"

#include <braid_stamp.h>  // made by CMake: scripts/package/braid_stamp.h.in
#include <dlfcn.h>

#include <filesystem>
#include <map>
#include <utility>

#include "models/rtl/stage_wires.h"
#include "routing/base/shared_library.h"

namespace braid::models::hybrid {
namespace {

using RouterFunction = WiredRouter* (*)(bool assertions);
using StageFunction = WiredStage* (*)(const char* stage);

/// scripts/package/router_stamp.cpp leaves the mark in a library.
LibraryKind router_kind(const RouterManifest& manifest) {
  return {std::string("braid_router_") + "stamp=",  // not whole in the program, which is no router
          BRAID_STAMP, "the library of a router (docs/rtl.md)",
          "is no router in RTL for Braid: expected a library made by braid_rtl_router() (docs/rtl.md)",
          "build it again: " + manifest.build};
}

/// A function of the manifest's library. `what`: the key of the option, and what is to be built.
void* load_function(const RouterManifest& manifest, const char* what, const char* name) {
  std::error_code ignored;
  if (!std::filesystem::exists(manifest.library, ignored)) {
    throw InputError(std::string(what) + " " + manifest.name + " fits and is not built; build it: " + manifest.build);
  }
  const SourcePosition where{manifest.library, 0, 0};
  check_library(router_kind(manifest), where, manifest.library);
  void* const function = dlsym(open_library(where, manifest.library), name);
  if (function == nullptr)
    throw InputError(where, std::string("has no function ") + name + "; expected one (docs/rtl.md)");
  return function;
}

/// Each library's function once: a network has many routers of one.
template <class Function>
Function loaded_function(const RouterManifest& manifest, const char* what, const char* name) {
  static std::map<std::string, Function> loaded;  // [library]
  const auto found = loaded.find(manifest.library);
  if (found != loaded.end()) return found->second;
  return loaded[manifest.library] = reinterpret_cast<Function>(load_function(manifest, what, name));
}

RouterMaker router_maker = load_router;
StageMaker stage_maker = load_stage;

}  // namespace

std::unique_ptr<WiredRouter> load_router(const RouterManifest& manifest, bool assertions) {
  const auto make =
      loaded_function<RouterFunction>(manifest, "router.implementation: the Verilated router", "braid_make_router");
  return std::unique_ptr<WiredRouter>(make(assertions));
}

RouterMaker set_router_maker(RouterMaker maker) { return std::exchange(router_maker, maker); }

std::unique_ptr<WiredRouter> make_router(const RouterManifest& manifest, bool assertions) {
  return router_maker(manifest, assertions);
}

std::unique_ptr<WiredStage> load_stage(const RouterManifest& manifest, const std::string& stage) {
  const std::string what = "stage." + stage + ": the library of Verilated stages";
  const auto make = loaded_function<StageFunction>(manifest, what.c_str(), "braid_make_stage");
  return std::unique_ptr<WiredStage>(make(stage.c_str()));
}

StageMaker set_stage_maker(StageMaker maker) { return std::exchange(stage_maker, maker); }

std::unique_ptr<WiredStage> make_stage(const RouterManifest& manifest, const std::string& stage) {
  return stage_maker(manifest, stage);
}

}  // namespace braid::models::hybrid
