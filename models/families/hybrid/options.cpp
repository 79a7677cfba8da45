#include "models/families/hybrid/options.h"

#include <fmt/format.h>

#include "models/fabric/node_bandwidth.h"
#include "models/families/hybrid/packet_turns.h"
#include "models/families/hybrid/stand_in.h"
#include "models/families/hybrid/switch_allocator.h"
#include "models/families/hybrid/vc_allocator.h"
#include "routing/algorithm/routing_algorithm.h"
#include "routing/paths/disjoint/disjoint_finder.h"

namespace braid::models::hybrid {

bool has_stream_circuits(const Configuration& c) {
  const Configuration::Given* switching = c.find("interface.switching");
  return c.has_section("stream") && switching != nullptr && switching->value == OptionValue(std::string("circuit"));
}

/// Those of stream writes; a network has one kind or the other.
bool has_listed_circuits(const Configuration& c) {
  const Configuration::Given* pairs = c.find("tlm.circuits");
  return !has_stream_circuits(c) && pairs != nullptr && pairs->value != OptionValue(std::vector<std::uint32_t>());
}

namespace {

/// Stream writes it; who has no stream has no copies.
bool has_forks(const Configuration& c) {
  const Configuration::Given* multicast = c.find("stream.multicast");
  return has_stream_circuits(c) && multicast != nullptr && multicast->value == OptionValue(std::string("routers"));
}

const OptionTable<Options>& reroute_table() {
  static const OptionTable<Options> table =
      OptionTable<Options>("setup")
          .integer("reroute_at_cycle", &Options::reroute_at_cycle, 1, kAnyInteger / 2,
                   "at whose end the first round begins, or when all circuits stand if that is later")
          .integer("reroute_every_cycles", &Options::reroute_every_cycles, 0, kAnyInteger / 2,
                   "from the begin of a round to that of the next, or to its own end if that is later; 0: one round")
          .text("avoid_links", &Options::avoid_links,
                "links that new paths leave free, both directions: ROUTER.PORT with blanks between");
  return table;
}

const OptionTable<Options>& circuit_table() {
  static const OptionTable<Options> table =
      OptionTable<Options>("router")
          .integer("circuit_buffer_depth", &Options::circuit_buffer_depth, 1, 64,
                   "flits a port for the circuit that comes in there; 5 keep a circuit at one flit a cycle")
          .integer("circuit_lanes", &Options::circuit_lanes, 1, kMostCircuitLanes,
                   "circuits that may start, and that may end, at one local port: they share its links")
          .integer(
              "circuit_burst_flits", &Options::circuit_burst_flits, 0, kLongestBurst,
              "circuits' flits that pass a port since a packet's last one, before a packet's flit that waits there "
              "goes first: packets have one in so many and one; 0: any number, circuits always go first")
          .boolean("share_reserved_links", &Options::share_reserved_links,
                   "packets may use idle cycles of a link that a circuit holds")
          .section("setup")
          .policy<routing::DisjointRegistry>(
              "paths", &Options::setup_paths,
              "who finds the circuits' paths: \"routers\", their set-up units by search, or a program that sees the "
              "whole network, whose paths are installed",
              kByRouters)
          .choice<Searches>("searches", &Options::searches,
                            {{"one_at_a_time", Searches::kOneAtATime}, {"parallel", Searches::kParallel}},
                            "streams search one after the other, by a token, or all at once: an older search rips up "
                            "what a younger one holds, a younger one waits")
          .integer("retries", &Options::setup_retries, 0, 1000000, "further orders tried after a stream found no path")
          .integer("token_cycles", &Options::setup_token_cycles, 1, 1000000,
                   "for the set-up token to move on by one stream");
  return table;
}

/// Of stream programs, which can stop a stream.
const OptionTable<Options>& moving_table() {
  static const OptionTable<Options> table =
      OptionTable<Options>("setup")
          .choice<Reroute>("reroute", &Options::reroute,
                           {{"none", Reroute::kNone}, {"each", Reroute::kEach}, {"all", Reroute::kAll}},
                           "circuits that get new paths while the program runs: one after the other, or all together")
          .with("each", reroute_table())
          .with("all", reroute_table());
  return table;
}

const OptionTable<Options>& private_table() {
  static const OptionTable<Options> table =
      OptionTable<Options>("router").integer("buffer_depth", &Options::buffer_depth, 1, kMostDepth, "flits a VC");
  return table;
}

const OptionTable<Options>& shared_table() {
  static const OptionTable<Options> table =
      OptionTable<Options>("router")
          .integer("reserved_depth", &Options::reserved_depth, 1, 64, "flits a VC that no other VC may use")
          .integer("shared_depth", &Options::shared_depth, 1, kMostCountedIn7Bits - 1,
                   "further flits a port, for whichever of its VCs needs them");
  return table;
}

const OptionTable<Options>& router_table() {
  static const OptionTable<Options> table =
      OptionTable<Options>("router")
          .policy<StandInRegistry>("implementation", &Options::implementation,
                                   "what the routers are: the model, the Verilated RTL in its place, both compared, or "
                                   "pins for the user's own")
          .choice<Buffers>("buffers", &Options::buffers, {{"private", Buffers::kPrivate}, {"shared", Buffers::kShared}},
                           "the VCs of an input port have buffers of their own, or share a pool")
          .with("private", private_table())
          .with("shared", shared_table())
          .boolean(
              "buffer_bypass", &Options::buffer_bypass,
              "a body flit that comes to an empty buffer may be granted the switch in the cycle of its buffer write")
          .boolean(
              "lookahead", &Options::lookahead,
              "the route is found a router ahead: a head asks for a VC in the cycle of its buffer write, or of its "
              "packet's turn: four cycles a hop where five were")
          .boolean(
              "speculative", &Options::speculative,
              "a head asks for the switch in the cycle in which it asks for a VC: four cycles a hop where five were")
          .integer("input_speedup", &Options::input_speedup, 1, kMostSpeedup,
                   "ports of the crossbar for an input port: VC v uses number v mod so many, so that as many flits of "
                   "it may cross in a cycle")
          .integer("output_speedup", &Options::output_speedup, 1, kMostSpeedup,
                   "... for an output port: input port i uses number i mod so many; flits that come at once wait in an "
                   "output buffer, from which the link takes one a cycle")
          .number("internal_speedup", &Options::internal_speedup, 1, kMostSpeedup,
                  "RC, VA, SA and ST are done so many times a cycle, with the same output buffer; 1.5: once and twice "
                  "in turn")
          .integer("output_buffer", &Options::output_buffer, 0, 4096,
                   "with the last two: flits that wait for an output's link with which SA grants nothing to it; 0: any "
                   "number, which credits bound")
          .integer("credit_delay_cycles", &Options::credit_delay_cycles, 2, 64,
                   "from ST of the flit that leaves a buffer until its credit counts upstream")
          .policy<VcAllocatorRegistry>("vc_allocator", &Options::vc_allocator, "VA")
          .policy<SwitchAllocatorRegistry>("switch_allocator", &Options::switch_allocator, "SA")
          .policy<ArbiterRegistry>("arbiter", &Options::arbiter, "what both allocators are made of")
          .when("interface.switching = \"circuit\"", has_stream_circuits, circuit_table())
          .when("interface.switching = \"circuit\"", has_stream_circuits, moving_table())
          .when("tlm.circuits", has_listed_circuits, circuit_table())
          .section("simulation")
          .choice<EngineChoice>(
              "engine", &Options::engine,
              {{"auto", EngineChoice::kAuto}, {"lists", EngineChoice::kLists}, {"planes", EngineChoice::kPlanes}},
              "same results; planes are fast where much moves, lists where little does; auto changes between them")
          .after_warm_up();
  return table;
}

/// Beside those of the routers.
OptionList with_nodes(OptionList all) {
  static const OptionTable<NodeBandwidth> nodes =
      OptionTable<NodeBandwidth>(packet_bandwidth_options())
          .when("interface.switching = \"circuit\"", has_stream_circuits, circuit_bandwidth_options())
          .when("tlm.circuits", has_listed_circuits, circuit_bandwidth_options())
          .when(
              "a section [stream]", [](const Configuration& c) { return c.has_section("stream"); },
              ejection_queue_options());
  all.insert(all.end(), nodes.list().begin(), nodes.list().end());
  return all;
}

const OptionTable<Options>& stand_in_table() {
  static const OptionTable<Options> table = OptionTable<Options>("router").text(
      "rtl_routers", &Options::rtl_routers, "which routers: \"all\", or names with blanks between");
  return table;
}

const OptionTable<Options>& stage_table() {
  static const OptionTable<Options> table = OptionTable<Options>("stage").text(
      "routers", &Options::stage_routers, "where what is chosen here sits: \"all\", or names with blanks between");
  return table;
}

const OptionTable<Options>& islip_table() {
  static const OptionTable<Options> table = OptionTable<Options>("router").integer(
      "islip_iterations", &Options::islip_iterations, 1, 16,
      "of iSLIP in a cycle: each matches among those that the ones before left over");
  return table;
}

}  // namespace

const OptionList& islip_options() { return islip_table().list(); }
const OptionList& option_list() {
  static const OptionList all = with_nodes(router_table().list());
  return all;
}
const OptionList& stand_in_options() { return stand_in_table().list(); }
const OptionList& stage_routers_option() { return stage_table().list(); }
bool has_circuits(const Configuration& configuration) {
  return has_stream_circuits(configuration) || has_listed_circuits(configuration);
}

namespace {

void take_shared_depth(Options& options) {
  if (options.buffers == Buffers::kPrivate) return;
  options.buffer_depth = options.reserved_depth + options.shared_depth;
  if (options.buffer_depth <= kMostCountedIn7Bits) return;
  throw InputError(
      fmt::format("router.shared_depth = {}: a VC may hold that and router.reserved_depth = {}; expected at most {}",
                  options.shared_depth, options.reserved_depth, kMostCountedIn7Bits - options.reserved_depth));
}

}  // namespace

Options read_options(const Configuration& configuration) {
  Options options = router_table().read(configuration);
  take_shared_depth(options);
  options.vcs = routing::routing_options().read(configuration).vcs;
  options.circuits = has_circuits(configuration);
  options.multicast = has_forks(configuration);
  options.rtl_routers = stand_in_table().read(configuration).rtl_routers;
  options.stage_routers = stage_table().read(configuration).stage_routers;
  options.islip_iterations = islip_table().read(configuration).islip_iterations;
  if (options.speculative && options.circuits && options.circuit_burst_flits != 0) {
    throw InputError(fmt::format(
        "router.speculative: packets' turns beside circuits (router.circuit_burst_flits = {}) count no heads that "
        "speculate; expected false, or 0",
        options.circuit_burst_flits));
  }
  if (options.speculative) {
    refuse_speedups(options, "a head that speculates asks for a port of the switch", ", or router.speculative = false");
  }
  if (options.buffers == Buffers::kShared) {
    refuse_speedups(options, "one flit a cycle leaves a port whose VCs share buffers",
                    ", or router.buffers = \"private\"");
  }
  if (options.circuits) refuse_speedups(options, "circuits hold whole ports of the switch", ", or no circuits");
  return options;
}

std::string speedup_of(const Options& o) {
  if (o.internal_speedup != 1) return fmt::format("router.internal_speedup = {}", o.internal_speedup);
  if (o.input_speedup != 1) return fmt::format("router.input_speedup = {}", o.input_speedup);
  return o.output_speedup != 1 ? fmt::format("router.output_speedup = {}", o.output_speedup) : std::string();
}

void refuse_speedups(const Options& options, const std::string& why, const std::string& expected) {
  const std::string speedup = speedup_of(options);
  if (!speedup.empty()) throw InputError(speedup + ": " + why + "; expected 1" + expected);
}

}  // namespace braid::models::hybrid
