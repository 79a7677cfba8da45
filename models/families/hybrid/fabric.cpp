#include "models/families/hybrid/fabric.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <tuple>

#include "models/fabric/router_storage.h"
#include "models/fabric/router_timing.h"
#include "models/families/hybrid/deadlock.h"
#include "models/families/hybrid/planned_paths.h"
#include "models/families/hybrid/setup_twin.h"
#include "models/families/hybrid/shared_buffers.h"
#include "models/families/hybrid/signals.h"
#include "routing/base/break_off.h"
#include "routing/topology/link_end.h"

namespace braid::models::hybrid {
namespace {

/// Of `packets`: a flit on a tree is one of each destination that it will come to.
void count(const Flit& flit, Fabric::Census& census, std::uint64_t packets = 1) {
  ++census.flits;
  census.packets += flit.tail() ? packets : 0;
}

/// Of a packet's flit that is in an input VC or will be.
std::uint64_t destinations_of(const PacketForks* forks, VcIndex in_vc, const Flit& flit) {
  return forks == nullptr ? 1 : forks->destinations_behind(in_vc, flit);
}

void count_channel(const Channel& channel, const CircuitForks* forks, const PacketForks* packet_forks,
                   Fabric::Census& census) {
  for (const Channel::Slot& slot : channel.slots()) {
    for (const FlitArrival& a : slot.packets) {
      count(a.flit, census, destinations_of(packet_forks, a.target + a.flit.vc(), a.flit));
    }
    for (const FlitArrival& a : slot.circuits) {
      count(a.flit, census, forks == nullptr ? 1 : forks->leaves(a.target + a.flit.vc()));
    }
    for (const FlitArrival& a : slot.ejections) {
      count(a.flit, census, packet_forks == nullptr ? 1 : packet_forks->destinations(a.flit.packet()));
    }
  }
}

class Family final : public FamilyOf<Fabric> {
 public:
  ShownBuffers shown_buffers() const override { return {true, true}; }
  bool one_way_links() const override { return true; }
  /// A router with a stand-in is a slice of its own; then all are.
  std::size_t slices(const Configuration& c, std::size_t wanted, std::size_t routers) const override {
    return has_stand_ins(c, read_options(c)) ? routers : FabricFamily::slices(c, wanted, routers);
  }
  /// For threads: as planes have routers together, where these are routers for planes.
  Cut cut(const Configuration& c, const routing::Topology& topology, const routing::RoutingAlgorithm& routing,
          std::size_t wanted) const override {
    const Options o = read_options(c);
    const CycleEngineKind& planes = cycle_engine();
    const bool lists = o.engine == EngineChoice::kLists || has_stand_ins(c, o);
    const std::size_t most = lists ? 0 : planes.most_threads(c, o, topology, routing);
    const bool few_routers = topology.router_count() <= planes.routers_together;
    if (most == 0 || (most == 1 && !few_routers && o.engine != EngineChoice::kPlanes)) {
      return {slices(c, wanted, topology.router_count())};
    }
    return {std::min(wanted, most), planes.routers_together};
  }
  bool one_thread(const Configuration& c) const override {
    const Options o = read_options(c);
    return has_stand_ins(c, o) && threaded_stand_ins().count(o.implementation) == 0;
  }
  std::uint64_t fabric_bytes(const Configuration& c, const routing::Topology& topology,
                             const routing::RoutingAlgorithm& routing) const override {
    return RouterBank::bytes(topology, read_options(c), routing.max_candidates());
  }
};

/// docs/router.md: 3 + 5 R + (L - 1), a cycle less a router of heads that bring their route, and one of heads that
/// speculate, where body flits keep up.
std::unique_ptr<RouterTiming> hybrid_timing(const Configuration& configuration) {
  read_node_bandwidth(configuration).refuse_estimates();
  const Options o = read_options(configuration);
  refuse_speedups(o, "estimates know a crossbar that is as fast as the links", ", or tlm.style = \"cycle_accurate\"");
  auto t = std::make_unique<RouterTiming>();
  t->injection.after_head = 2;
  const std::uint32_t head = 5U - (o.lookahead ? 1 : 0) - (o.speculative ? 1 : 0), body = o.buffer_bypass ? 3 : 4;
  t->link.after_head = t->ejection.after_head = std::max(head, body);
  t->flits_interleave = true;
  return t;
}

/// The ports of a crossbar that is faster than the links, and what is behind them, were not fitted.
std::unique_ptr<RouterStorage> hybrid_storage(const Configuration& configuration) {
  const Options o = read_options(configuration);
  auto s = std::make_unique<RouterStorage>();
  s->fitted = speedup_of(o).empty();
  s->vcs = o.vcs;
  s->flits_a_port = o.buffers == Buffers::kShared ? o.vcs * o.reserved_depth + o.shared_depth : o.vcs * o.buffer_depth;
  s->circuit_flits_a_port = o.circuits ? o.circuit_buffer_depth : 0;
  return s;
}

const bool hybrid_registered =
    FabricRegistry::instance().add("hybrid", "wormhole on virtual channels, with circuits for streams", option_list(),
                                   [] { return std::make_unique<Family>(); }) &&
    RouterTimingRegistry::instance().add("hybrid", "docs/router.md", hybrid_timing) &&
    RouterStorageRegistry::instance().add("hybrid", "docs/energy.md", hybrid_storage);

}  // namespace

Fabric::Fabric(const FabricContext& context)
    : context_(context),
      options_(read_options(context.configuration)),
      bank_(context.topology, options_, context.routing.max_candidates()),
      forks_(options_.multicast ? std::make_unique<CircuitForks>(bank_) : nullptr),
      setup_units_(context.topology, bank_, options_.share_reserved_links, forks_.get()) {
  if (context.routing.relies_on_bubble()) {
    throw InputError("routing.bubble = true needs router.architecture = \"virtual_cut_through\"");
  }
  const Slice::Shared shared{bank_,
                             context.store,
                             context.routing,
                             options_,
                             setup_units_,
                             context.slicing.slice_of_router,
                             &context.configuration,
                             context.slicing.one_thread && may_share_mailboxes(options_),
                             true,
                             forks_.get()};
  check_one_way();
  check_multicast();
  if (options_.output_buffer != 0 && options_.output_speedup == 1 && options_.internal_speedup == 1) {
    throw InputError(
        fmt::format("router.output_buffer = {}: a flit waits there where several may come to an output in a cycle; "
                    "expected 0, or router.output_speedup or router.internal_speedup above 1",
                    options_.output_buffer));
  }
  if (has_stand_ins(context.configuration, options_)) {
    refuse_speedups(
        options_, "a crossbar that is faster than the links is of routers that are the model's",
        options_.implementation == kModelled ? ", or no section [stage]" : ", or router.implementation = \"model\"");
  }
  for (const RouterRange& range : context.slicing.ranges) {
    routing::BreakOff::look();
    slices_.push_back(std::make_unique<Slice>(shared, range));
  }
  const auto slice_of = [&](RouterId r) -> Slice& { return *slices_[context.slicing.slice_of_router[r.value]]; };
  bank_.wiring().for_each_neighbours([&](RouterId from, RouterId to) { slice_of(from).connect(slice_of(to)); });
  for (const auto& slice : slices_) slice->build_wires();
  avoid_links();
  check_planned(options_);
  if (options_.circuits) check_searches(options_, context.configuration);
  const auto* reader = dynamic_cast<const routing::ReadsOutputQueues*>(&context.routing);
  if (reader != nullptr && reader->reads_queues()) {
    queues_ = std::make_unique<OutputQueues>(bank_, options_.buffer_depth, reader->reads_all_queues());
    reader->read_queues(*queues_);
  }
  if (routes_by_queues() && options_.lookahead) {
    throw InputError(
        "router.lookahead: routes by queues are chosen when a head is there; expected false, or another "
        "routing.algorithm");
  }
  if (routes_by_queues() && options_.internal_speedup != 1) {
    refuse_speedups(options_, "routes by queues are chosen once a cycle", ", or another routing.algorithm");
  }
  if (has_stand_ins(context.configuration, options_)) seat_stand_ins();
  prepare_planes();
}

void Fabric::prepare_planes() {
  if (options_.engine == EngineChoice::kLists) return;
  if (routes_by_queues()) {
    refused_ = "routes by queues";
    if (options_.engine != EngineChoice::kPlanes) return;
    throw InputError("simulation.engine = \"planes\" cannot run " + refused_ + "; expected \"auto\" or \"lists\"");
  }
  refused_ = slices_fit_planes() ? cycle_engine().refusal(slices_, bank_, options_)
                                 : "routers in several threads, processes, RTL or pins";
  if (refused_.empty()) {
    planes_ = cycle_engine().make(slices_, bank_, context_.store, options_);
  } else if (options_.engine == EngineChoice::kPlanes) {
    throw InputError("simulation.engine = \"planes\" cannot run " + refused_ + "; expected \"auto\" or \"lists\"");
  }
}

bool Fabric::slices_fit_planes() const {
  if (!stand_ins_.empty() || context_.slicing.one_thread) return false;
  const std::vector<RouterRange>& ranges = context_.slicing.ranges;
  return std::all_of(ranges.begin(), ranges.end(),
                     [](const RouterRange& r) { return r.first % cycle_engine().routers_together == 0; });
}

void Fabric::choose_engine(std::uint64_t cycle) {
  bool wanted = in_planes_ || resume_planes_;
  resume_planes_ = false;
  if (use_planes_) {
    wanted = *use_planes_;
  } else if (options_.engine == EngineChoice::kPlanes) {
    wanted = true;
  } else if (choice_.due(cycle)) {
    wanted = choice_.planes(cycle, counters().flit_hops, planes_->break_even());
  }
  wanted = wanted && !watched_;
  if (wanted != in_planes_) wanted ? enter_planes(cycle) : leave_planes();
}

void Fabric::enter_planes(std::uint64_t cycle) {
  planes_->take_over(cycle);
  for (const auto& slice : slices_) slice->interfaces().ask_for_credits(planes_.get());
  in_planes_ = true;
}

void Fabric::leave_planes() {
  if (!in_planes_) return;
  show_registers();
  for (const auto& slice : slices_) slice->interfaces().ask_for_credits(nullptr);
  in_planes_ = false;
}

/// Planes do both halves in the second.
bool Fabric::begin_cycle(std::uint64_t cycle) {
  if (planes_) choose_engine(cycle);
  if (!in_planes_) return true;
  planes_->begin_cycle();
  shown_ = false;
  now_ = cycle + 1;
  ++plane_cycles_;
  return false;
}

/// Both directions of each.
void Fabric::avoid_links() {
  const std::string key = "setup.avoid_links";
  std::istringstream words(options_.avoid_links);
  for (std::string word; words >> word;) {
    const std::size_t dot = word.rfind('.');
    if (dot == std::string::npos) {
      throw InputError(key + ": \"" + word + "\"; expected ROUTER.PORT, with blanks between several");
    }
    const routing::Attachment end =
        routing::link_end(context_.topology, word.substr(0, dot), word.substr(dot + 1), key, key);
    const routing::Port& port = context_.topology.port(end.router, end.port);
    setup_units_.avoid(bank_.port_index(end.router, end.port));
    setup_units_.avoid(bank_.port_index(port.peer_router, port.peer_port));
  }
}

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

void Fabric::seat_stand_ins() {
  refuse_turns();
  const std::vector<std::string>& names = context_.topology.router_names;
  std::vector<std::string> chosen = names;
  const bool staged = options_.implementation == kModelled;
  const std::string& wanted = staged ? options_.stage_routers : options_.rtl_routers;
  if (wanted != "all") {
    std::istringstream words(wanted);
    chosen.assign(std::istream_iterator<std::string>(words), {});
  }
  stand_ins_.resize(slices_.size());
  for (const std::string& name : chosen) {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) {
      throw InputError((staged ? "stage.routers" : "router.rtl_routers") + std::string(": unknown router \"") + name +
                       "\"" + did_you_mean(name, names));
    }
    const RouterId router{static_cast<std::size_t>(found - names.begin())};
    const std::size_t s = context_.slicing.slice_of_router[router.value];
    stand_ins_[s] = StandInRegistry::instance().make(options_.implementation,
                                                     {context_, options_, *slices_[s], setup_units_, bank_, router});
  }
}

void Fabric::show_registers() const {
  if (in_planes_ && !shown_) {
    planes_->show(now_);
    shown_ = true;
  }
  for (const auto& router : stand_ins_) {
    if (router) router->show();
  }
}

void Fabric::compute(std::size_t s, std::uint64_t cycle) {
  if (in_planes_) return;
  if (has_stand_in(s) && stand_ins_[s]->begin(cycle)) return;
  slices_[s]->traverse_switch(cycle);
  slices_[s]->allocate_switch(cycle);
  slices_[s]->allocate_vcs(cycle);
  slices_[s]->speculate();
}

/// In the order of stages that are processes: RC sees credits and grants of this cycle.
void Fabric::commit_with_routes_last(std::size_t s, std::uint64_t cycle) {
  Slice& slice = *slices_[s];
  slice.write_buffers(cycle);
  slice.commit_switch_grants();
  slice.commit_vc_grants();
  slice.commit_speculation();
  slice.share_credits(cycle);
  slice.take_credits(cycle);
  slice.compute_routes(cycle);
  slice.take_control(cycle);
  slice.run_interfaces(cycle);
}

Fabric::Counters Fabric::counters() const {
  if (in_planes_) planes_->count_flits();
  Counters c;
  for (const auto& s : slices_) {
    c.flit_hops += s->switch_traversals();
    c.flits_copied += s->flits_copied();
    c.flits_injected += s->interfaces().flits_injected();
    c.flits_delivered += s->interfaces().flits_delivered();
  }
  return c;
}

Fabric::Census Fabric::census() const {
  show_registers();
  Census census;
  for (VcIndex v = 0; v < bank_.input_vc_count(); ++v) {
    const bool tree = forks_ && bank_.input_vcs[v].count != 0 && bank_.is_circuit_lane(bank_.lane_of(v));
    const std::uint64_t packets = tree ? forks_->leaves(v) : 1;
    for (std::uint32_t i = 0; i < bank_.input_vcs[v].count; ++i) {
      const Flit& flit = bank_.buffered(v, i);
      count(flit, census, tree ? packets : destinations_of(packet_forks_.get(), v, flit));
    }
  }
  for (const auto& router : stand_ins_) {
    if (!router) continue;
    router->for_each_held([&](const Flit& flit) { count(flit, census); });
    router->for_each_gone([&](const Flit& flit) {
      --census.flits;
      census.packets -= flit.tail() ? 1 : 0;
    });
  }
  for (const auto& s : slices_) {
    for (const auto* crossing : {&s->switch_register(), &s->copies()}) {
      for (const Slice::Traversal& t : *crossing) {
        const bool tree = forks_ && bank_.is_circuit_lane(t.flit.vc());
        count(t.flit, census,
              tree ? forks_->leaves_behind(bank_.vc_index(t.out_port, t.flit.vc())) : destinations_behind(t));
      }
    }
    if (s->output_buffers() != nullptr) {
      s->output_buffers()->for_each([&](PortIndex, const Flit& flit) { count(flit, census); });
    }
    for (const auto& channel : s->outgoing()) count_channel(*channel, forks_.get(), packet_forks_.get(), census);
    s->interfaces().for_each_held([&](const Flit& flit) { count(flit, census); });
    census.packets += s->interfaces().packets_queued();
  }
  return census;
}

Fabric::LinkUse Fabric::link_use(RouterId router, PortId port) const {
  if (in_planes_) planes_->count_links();
  const PortIndex p = bank_.port_index(router, port);
  return {bank_.flits_sent[p][0], bank_.flits_sent[p][1]};
}

std::uint32_t Fabric::buffered(RouterId router, PortId port, std::uint32_t vc) const {
  return bank().input_vcs[bank_.vc_index(bank_.port_index(router, port), vc)].count;
}

std::uint32_t Fabric::credits(RouterId router, PortId port, std::uint32_t vc) const {
  return bank().output_vcs[bank_.vc_index(bank_.port_index(router, port), vc)].credits;
}

std::optional<Fabric::Engines> Fabric::engines() const {
  if (options_.engine == EngineChoice::kLists) return std::nullopt;
  return Engines{plane_cycles_, refused_};
}

std::string Fabric::describe_waiting() const {
  show_registers();
  std::string text =
      hybrid::describe_waiting(bank_, context_.store, context_.topology, forks_.get(), packet_forks_.get());
  for (std::size_t s = 0; s < stand_ins_.size(); ++s) {
    if (stand_ins_[s]) text += describe_inside(s);
  }
  return text;
}

/// A router of the user's own is not seen through: what is known is which flits have gone in and not come out.
std::string Fabric::describe_inside(std::size_t s) const {
  std::size_t flits = 0;
  const Packet* oldest = nullptr;
  const auto age = [](const Packet& p) { return std::make_tuple(p.created, p.source, p.sequence); };
  stand_ins_[s]->for_each_held([&](const Flit& flit) {
    const Packet& packet = context_.store[flit.packet()];
    if (flits++ == 0 || age(packet) < age(*oldest)) oldest = &packet;
  });
  if (flits == 0) return {};
  return fmt::format(
      "\n  router {}, which is not the network's, holds {} flits; the oldest packet is {} of node {} to node {} "
      "(created in cycle {})",
      context_.topology.router_names[context_.slicing.ranges[s].first], flits, oldest->sequence, oldest->source.value,
      oldest->destination.value, oldest->created);
}

void Fabric::for_each_front(const std::function<void(PacketSlot)>& visit) const {
  show_registers();
  for (VcIndex v = 0; v < bank_.input_vc_count(); ++v) {
    if (bank_.input_vcs[v].count > 0) visit(bank_.front(v).packet());
  }
  for (const auto& router : stand_ins_) {
    if (router) router->for_each_held([&](const Flit& flit) { visit(flit.packet()); });
  }
}

std::unique_ptr<SignalSource> Fabric::signals(SignalTable& table, const std::vector<RouterId>& routers) const {
  if (options_.internal_speedup != 1) {
    refuse_speedups(options_, "a waveform shows one step of the pipeline a cycle", ", or no waveform");
  }
  show_registers();
  watched_ = true;
  return std::make_unique<FabricSignals>(*this, table, routers);
}

void Fabric::set_up_circuits(CircuitUser& user) {
  user_ = &user;
  if (options_.searches == Searches::kParallel) {
    wanted_ = user.circuits();
    parallel_ = std::make_unique<ParallelSetup>(context_.topology, bank_, setup_units_, user, options_,
                                                read_seed(context_.configuration));
    return;
  }
  wanted_ = apart_at_shared_ports(context_.topology, options_.circuit_lanes, user.circuits());
  setup_requests_ = std::make_unique<SetupRequests>(
      context_.topology, bank_, setup_units_, wanted_,
      [this](RouterId r) -> Slice& { return *slices_[context_.slicing.slice_of_router[r.value]]; }, forks_.get());
  Options orders = options_;
  if (options_.setup_paths != kByRouters) {
    setup_requests_->follow(planned_paths(context_.topology, context_.configuration, options_.setup_paths, wanted_));
    orders.setup_retries = 0;  // what sees all of the network has tried them
  }
  sequencer_ = std::make_unique<SetupSequencer>(*setup_requests_, user, orders, read_seed(context_.configuration));
  if (options_.reroute == Reroute::kNone) return;
  rerouting_ = std::make_unique<Rerouting>(*setup_requests_, *sequencer_, user, options_);
}

models::CircuitChanges& Fabric::change_circuits() {
  if (options_.searches == Searches::kParallel) {
    throw InputError(
        "setup.searches = \"parallel\": a section [change] has the holder of the set-up token search: expected "
        "\"one_at_a_time\"");
  }
  if (options_.multicast) {
    throw InputError(
        "stream.multicast = \"routers\": the branches of a tree do not move, and a section [change] moves circuits: "
        "expected \"none\"");
  }
  if (rerouting_) {
    throw InputError(
        "setup.reroute: the set-up token has one holder, and a section [change] wants it; expected \"none\"");
  }
  if (options_.setup_paths != kByRouters) {
    throw InputError("setup.paths = \"" + options_.setup_paths +
                     "\" installs circuits once, and a section [change] has the routers search: expected \"routers\"");
  }
  if (!stand_ins_.empty()) {
    throw InputError(
        "change: circuits of a program that changes are of routers that are the model's; expected " +
        std::string(options_.implementation == kModelled ? "no section [stage]" : "router.implementation = \"model\""));
  }
  changes_ = std::make_unique<CircuitChanger>(*setup_requests_, *sequencer_, *user_, options_.setup_token_cycles);
  return *changes_;
}

SetupResults Fabric::setup_results() const {
  if (!sequencer_ && !parallel_) return {};
  SetupResults results = parallel_ ? parallel_->results() : sequencer_->results();
  if (results.fell_back_to_packets) results.lanes_that_would_do = lanes_that_would_do(wanted_);
  return results;
}

bool Fabric::circuits_would_stand(const std::vector<CircuitRequest>& requests) const {
  return hybrid::circuits_would_stand(context_.topology, options_, context_.configuration, requests);
}

std::uint32_t Fabric::lanes_that_would_do(const std::vector<CircuitRequest>& requests) const {
  if (forks_) return 0;  // what stands without trees says nothing of them
  Options more = options_;
  more.circuit_lanes = least_lanes(context_.topology, requests);  // still more would not move a link out of the way
  if (more.circuit_lanes <= options_.circuit_lanes || more.circuit_lanes > kMostCircuitLanes) return 0;
  const bool stand = hybrid::circuits_would_stand(context_.topology, more, context_.configuration, requests);
  return stand ? more.circuit_lanes : 0;
}

void Fabric::checkpoint(Checkpoint& c) {
  if (!stand_ins_.empty()) {
    Checkpoint::refuse("router.implementation: the RTL's registers; expected \"model\" and no section [stage]");
  }
  c.restoring() ? leave_planes() : show_registers();
  c(bank_);
  c.each(slices_);
  c.part("engine");
  bool runs_planes = in_planes_ || resume_planes_;
  c(choice_, runs_planes, plane_cycles_);
  c.part("circuits");
  c(setup_units_);
  if (forks_) c(*forks_);
  if (packet_forks_) c(*packet_forks_);
  if (sequencer_) c(*setup_requests_, *sequencer_);
  if (parallel_) c(*parallel_);
  if (rerouting_) c(*rerouting_);
  if (!c.restoring()) return;
  bank_.check_restored(c, forks_.get());
  if (packet_forks_) packet_forks_->check_restored(c);
  if (queues_) queues_->end_cycle();
  if (forks_) forks_->check_restored(c);
  setup_units_.check_restored();
  for (const auto& slice : slices_) slice->check_restored(c);
  if (const SharedBuffers* shared = bank_.shared_buffers()) shared->check_places(slices_);
  resume_planes_ = runs_planes && planes_ != nullptr;
}

Fabric& of(models::Fabric& fabric) { return dynamic_cast<Fabric&>(fabric); }

}  // namespace braid::models::hybrid
