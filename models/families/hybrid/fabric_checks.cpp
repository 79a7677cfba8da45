// What a network of hybrid routers refuses, and why.
#include <fmt/format.h>

#include "models/families/hybrid/fabric.h"

namespace braid::models::hybrid {

/// Circuits, pins and nodes with turns of their own know a node by one router.
void Fabric::check_one_way() const {
  const routing::Topology& topology = context_.topology;
  if (options_.circuits) topology.refuse_one_way("a circuit");
  if (has_stand_ins(context_.configuration, options_)) {
    topology.refuse_one_way(options_.implementation == kModelled
                                ? "a section [stage]"
                                : "router.implementation = \"" + options_.implementation + "\"");
  }
  const NodeBandwidth bandwidth = read_node_bandwidth(context_.configuration);
  if (bandwidth.bounded() || bandwidth.ejection_queue_items != 0) {
    topology.refuse_one_way("a bound of what nodes take or send (interface.packet_*_flits)");
  }
}

void Fabric::check_multicast() const {
  if (!options_.multicast) return;
  const auto refuse = [](const std::string& why, const std::string& expected) {
    throw InputError("stream.multicast = \"routers\": " + why + "; expected " + expected);
  };
  if (options_.implementation != kModelled) {
    refuse("a row of the RTL's circuit table names one output", "router.implementation = \"model\"");
  }
  if (has_stand_ins(context_.configuration, options_)) {
    refuse("routers whose stages are modules keep one output a circuit", "no section [stage]");
  }
  if (context_.slicing.ranges.size() != 1) {
    refuse("circuits fork where one thread runs all routers by the static schedule",
           "simulation.schedule = \"static\" and simulation.threads = 1");
  }
  if (options_.circuit_burst_flits != 0) {
    refuse("a flit that forks would have to wait for the turns of all its ports", "router.circuit_burst_flits = 0");
  }
  if (options_.reroute != Reroute::kNone) refuse("the branches of a tree do not move", "setup.reroute = \"none\"");
  if (options_.setup_paths != kByRouters) {
    refuse("finders of paths know no trees", "setup.paths = \"" + std::string(kByRouters) + "\"");
  }
  if (options_.searches == Searches::kParallel) {
    refuse("branches are searched one after the other", "setup.searches = \"one_at_a_time\"");
  }
  if (options_.speculative) {
    refuse("a head that speculates sees one output of a circuit", "router.speculative = false");
  }
}

/// Only the model's stages know whose turn it is, and only its set-up units follow a path or search at once.
void Fabric::refuse_turns() const {
  const std::string beside = options_.implementation == kModelled
                                 ? "a section [stage]"
                                 : "router.implementation = \"" + options_.implementation + "\"";
  if (options_.speculative) {
    throw InputError(
        "router.speculative: heads that ask for the switch before they have a VC are of routers that are the model's; "
        "expected false beside " +
        beside);
  }
  if (options_.lookahead) {
    throw InputError(
        "router.lookahead: heads that bring their route are of routers that are the model's; expected false beside " +
        beside);
  }
  if (options_.buffers == Buffers::kShared) {
    throw InputError(
        "router.buffers = \"shared\": counters of a pool are of routers that are the model's; expected \"private\" "
        "beside " +
        beside);
  }
  if (options_.circuits && options_.searches == Searches::kParallel) {
    throw InputError(
        "setup.searches = \"parallel\": units with several searches are of routers that are the model's; expected "
        "\"one_at_a_time\"");
  }
  if (options_.circuits && options_.setup_paths != kByRouters) {
    throw InputError("setup.paths = \"" + options_.setup_paths +
                     "\": probes that carry their path are of routers that are the model's; expected \"routers\"");
  }
  if (!options_.circuits || options_.circuit_burst_flits == 0) return;
  throw InputError(fmt::format(
      "router.circuit_burst_flits = {}: packets' turns are of routers that are the model's; expected 0 beside {}",
      options_.circuit_burst_flits, beside));
}

}  // namespace braid::models::hybrid
