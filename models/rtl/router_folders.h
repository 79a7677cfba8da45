// Where routers in RTL are looked for: folders with manifests (router_manifest.h). In this order: the one folder that
// the experiment names (router.rtl_folder, `--rtl`), and only that; else those of the environment variable
// BRAID_RTL_PATH, with colons between; those that the program adds; `rtl` beside the program, and `../lib/braid/rtl`.
#pragma once

#include <string>
#include <vector>

#include "models/rtl/router_manifest.h"
#include "routing/base/options.h"

namespace braid::models::hybrid {

struct RtlOptions {
  std::string folder;
};
const OptionTable<RtlOptions>& rtl_options();

/// From now on a folder of this program's; it need not be there. The file scripts/package/rtl_folder.cpp does so.
bool add_rtl_folder(const std::string& folder);

/// All routers of all folders, in the order of the search. Throws InputError for a folder that the experiment or the
/// environment names and that is not there, and for a manifest that is damaged.
std::vector<RouterManifest> known_routers(const Configuration& configuration);

/// The first of them that fits the routers of an experiment. Throws InputError: what hw/ has no parameter for
/// (router_shape()), or that none fits, and which there are. `flit_width`: at least.
RouterManifest fitting_router(const Options& options, const Configuration& configuration,
                              const routing::Topology& topology, std::uint32_t flit_width = 64);

/// The libraries of single stages, in the folders `stages` of those folders.
std::vector<RouterManifest> known_stages(const Configuration& configuration);
/// The first of them that fits the routers of an experiment. Throws InputError. `stage`: whose seat it is for.
RouterManifest fitting_stages(const std::string& stage, const Options& options, const Configuration& configuration,
                              const routing::Topology& topology);

}  // namespace braid::models::hybrid
