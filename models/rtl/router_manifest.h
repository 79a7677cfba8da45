// What stands beside the library of a router in RTL: which routers it can take the place of, and how it is built.
// CMake's braid_rtl_router() writes it (docs/rtl.md), whether or not the library is built.
#pragma once

#include <string>
#include <vector>

#include "models/rtl/router_site.h"

namespace braid::models::hybrid {

struct RouterManifest {
  std::string name;     ///< of the router: "mesh_packet"
  std::string file;     ///< the manifest's own
  std::string library;  ///< path of the library
  std::string build;    ///< the command that builds it
  RouterShape shape;
  bool any_routing = false;  ///< it routes in a way of its own; `shape` says nothing of it
  bool any_arbiter = false;  ///< ... and arbitrates so: no router of hw/, but one without circuits

  /// Can it be a router of this shape? All parameters alike, flits at least as wide.
  bool fits(const RouterShape& wanted) const;
  /// "mesh_packet (5 ports, 4 VCs of 8 flits, …)"
  std::string describe() const;
};

/// Throws InputError with the place: not well-formed JSON, a field that is missing or not as it should be.
RouterManifest read_manifest(const std::string& file);
/// Those of a folder (NAME.json), in order of their names. Throws InputError; the folder must be there.
std::vector<RouterManifest> manifests_in(const std::string& folder);

/// "5 ports, 4 VCs of 8 flits, no circuits, x_first, round_robin"
std::string describe(const RouterShape& shape);

}  // namespace braid::models::hybrid
