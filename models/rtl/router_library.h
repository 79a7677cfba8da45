// Routers in RTL as libraries that are loaded while the program runs: those of hw/points.json and users' own, by the
// same door. A library is made by CMake's braid_rtl_router() (docs/rtl.md) and has one function:
//
//   extern "C" BRAID_ROUTER_EXPORT braid::models::hybrid::WiredRouter* braid_make_router(bool assertions) {
//     return new MyRouter;
//   }
#pragma once

#include <memory>

#include "models/rtl/router_manifest.h"
#include "models/rtl/wires.h"

#define BRAID_ROUTER_EXPORT __attribute__((visibility("default")))

namespace braid::models::hybrid {

/// A router of the manifest's library, with its assertions (which take time) or without. A PinRouter (pin_router.h)
/// where it shows its registers. Throws InputError: the library is not built (and the command that builds it), is none,
/// is made for other headers, is damaged.
std::unique_ptr<WiredRouter> load_router(const RouterManifest& manifest, bool assertions);

/// For tests: who makes routers in place of load_router(). Returns the one before.
using RouterMaker = std::unique_ptr<WiredRouter> (*)(const RouterManifest& manifest, bool assertions);
RouterMaker set_router_maker(RouterMaker maker);
/// By load_router(), or by whom the test has set.
std::unique_ptr<WiredRouter> make_router(const RouterManifest& manifest, bool assertions);

}  // namespace braid::models::hybrid
