// What a run's events cost in energy, and its routers in area. Counts are those of links, taken before and after the
// measured cycles: a run is as fast as without.
#pragma once

#include <cstdint>
#include <vector>

#include "models/engine/network.h"
#include "models/experiment/energy_model.h"
#include "models/experiment/experiment.h"
#include "routing/base/figures.h"
#include "routing/topology/topology.h"

namespace braid::models {

struct EnergyOptions {
  TechnologyNode node = TechnologyNode::k45nm;
  std::uint32_t flit_bits = 64;
  double link_mm = 1.0;
  double clock_ghz = 1.0;
  std::uint32_t packet_flits = 16;  ///< for which a buffer of whole packets has room
};
/// In section [energy], which is there where the routers' family knows its buffers.
const OptionTable<EnergyOptions>& energy_options();
std::vector<OptionBranch> energy_branches();

/// Flits through a router's switch.
struct SwitchedFlits {
  std::uint64_t of_packets = 0, of_circuits = 0;
  std::uint64_t to_links = 0;  ///< of both, those that went on over a link between routers; the others were delivered
};
/// [router] since cycle 0; subnet by subnet, where there are several, as router_builds().
std::vector<SwitchedFlits> switched_flits(const Network& network);

/// The routers as they are built; empty where their family does not say.
std::vector<RouterBuild> router_builds(const Configuration& configuration, const routing::Topology& topology);

/// Of the cycles between two counts.
Report energy_report(const Configuration& configuration, const routing::Topology& topology,
                     const std::vector<SwitchedFlits>& before, const std::vector<SwitchedFlits>& after,
                     std::uint64_t cycles);
Report area_report(const Configuration& configuration, const routing::Topology& topology);
const FigureList& energy_figures();
const FigureList& area_figures();
/// Where both exist: `router.architecture = "hybrid", "po2"`.
std::string energy_condition();

}  // namespace braid::models
