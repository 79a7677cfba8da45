#include "models/families/hybrid/fabric.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "models/families/hybrid/planned_paths.h"
#include "models/families/hybrid/shared_buffers.h"
#include "models/families/hybrid/signals.h"
#include "routing/base/break_off.h"
#include "routing/topology/link_end.h"

namespace braid::models::hybrid {

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

/// Circuits' flits are lists' in either engine.
std::uint64_t Fabric::packet_flit_hops() const {
  std::uint64_t hops = counters().flit_hops;
  if (!bank_.has_circuits()) return hops;
  for (PortIndex p = 0; p < bank_.router_port_count(); ++p) hops -= bank_.flits_sent[p][1];
  return hops;
}

void Fabric::choose_engine(std::uint64_t cycle) {
  bool wanted = in_planes_ || resume_planes_;
  resume_planes_ = false;
  if (use_planes_) {
    wanted = *use_planes_;
  } else if (options_.engine == EngineChoice::kPlanes) {
    wanted = true;
  } else if (choice_.due(cycle)) {
    wanted = choice_.planes(cycle, packet_flit_hops(), planes_->break_even());
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

std::unique_ptr<SignalSource> Fabric::signals(SignalTable& table, const std::vector<RouterId>& routers) const {
  if (options_.internal_speedup != 1) {
    refuse_speedups(options_, "a waveform shows one step of the pipeline a cycle", ", or no waveform");
  }
  show_registers();
  watched_ = true;
  return std::make_unique<FabricSignals>(*this, table, routers);
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
