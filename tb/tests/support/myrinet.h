// Networks of Myrinet-like switches for the tests.
#pragma once

#include <string>

#include "models/families/myrinet/fabric.h"
#include "tb/tests/support/bench.h"

namespace braid::test {

/// Myrinet's switches and source routes in an experiment that has its topology; links of 8 cycles.
inline void as_myrinet(models::Experiment& e, const std::string& paths = "random",
                       const std::string& in_transit = "none") {
  e.set("topology.link_latency_cycles", 8);
  e.set("router.architecture", "myrinet");
  e.set("router.vcs", 1);
  e.set("routing.algorithm", "source_routed");
  e.set("routing.paths", paths);
  e.set("routing.in_transit", in_transit);
}

/// Switches in a row, a host at each by a cable of one cycle, links of 8 cycles; nothing is sent by itself.
inline models::Experiment myrinet_row(std::uint32_t switches, const std::string& in_transit = "none") {
  models::Experiment e;
  e.set("topology.width", switches);
  e.set("topology.height", 1);
  as_myrinet(e, "random", in_transit);
  add_traffic(e, 0.0);
  return e;
}

/// An irregular network as the paper's, 4 hosts a switch.
inline models::Experiment irregular_myrinet(std::uint32_t switches, double rate, const std::string& paths,
                                            const std::string& in_transit) {
  models::Experiment e;
  e.set("topology.kind", "irregular");
  e.set("topology.switches", switches);
  as_myrinet(e, paths, in_transit);
  add_traffic(e, rate);
  e.set("traffic.process", "constant");
  e.set("traffic.flits", 512);
  return e;
}

inline const models::myrinet::Fabric& myrinet_of(const Bench& bench) {
  return dynamic_cast<const models::myrinet::Fabric&>(bench.network->fabric());
}

/// The channel that leads to a router's port of that name.
inline const models::myrinet::Channel& into(const Bench& bench, std::size_t router, PortId port) {
  const models::myrinet::Slice& slice = myrinet_of(bench).slice();
  return slice.channels()[slice.channel_into(slice.wiring().port_index(RouterId{router}, port))];
}

}  // namespace braid::test
