// The hybrid router's fabric: packets on virtual channels, circuits beside them (models/families/hybrid/slice.h has the
// stages).
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "models/fabric/fabric.h"
#include "models/families/hybrid/circuit_changes.h"
#include "models/families/hybrid/cycle_engine.h"
#include "models/families/hybrid/engine_choice.h"
#include "models/families/hybrid/output_queues.h"
#include "models/families/hybrid/packet_forks.h"
#include "models/families/hybrid/parallel_setup.h"
#include "models/families/hybrid/rerouting.h"
#include "models/families/hybrid/router_bank.h"
#include "models/families/hybrid/setup_sequencer.h"
#include "models/families/hybrid/setup_unit.h"
#include "models/families/hybrid/slice.h"
#include "models/families/hybrid/stand_in.h"

namespace braid::models::hybrid {

class Fabric final : public models::Fabric {
 public:
  explicit Fabric(const FabricContext& context);

  PacketTransport& transport(std::size_t s) override { return slices_[s]->interfaces(); }
  void set_sink(std::size_t s, PacketSink* sink) override { slices_[s]->interfaces().set_sink(sink); }

  bool begin_cycle(std::uint64_t cycle) override;
  void compute(std::size_t s, std::uint64_t cycle) override;
  void commit(std::size_t s, std::uint64_t cycle) override {
    if (in_planes_) return planes_->cycle(s, cycle);
    if (has_stand_in(s)) return stand_ins_[s]->commit(cycle);
    if (routes_by_queues()) return commit_with_routes_last(s, cycle);
    slices_[s]->commit(cycle);
  }
  void end_cycle(std::uint64_t cycle) override {
    if (!module_runs_set_up_) run_set_up(cycle);
    if (queues_) queues_->end_cycle();
  }
  /// The set-up sequencer's part of a cycle, and of circuits that move; when all slices have had theirs.
  void run_set_up(std::uint64_t cycle) {
    if (parallel_) parallel_->step(cycle);
    if (sequencer_ && !sequencer_->done()) sequencer_->step(cycle);
    if (rerouting_ && sequencer_->has_set_up()) rerouting_->step(cycle);
  }

  void count_routers() override;
  Counters counters() const override;
  std::optional<Engines> engines() const override;
  Census census() const override;
  LinkUse link_use(RouterId router, PortId port) const override;
  std::uint32_t shown_vcs() const override { return bank_.vcs(); }
  std::uint32_t circuit_lanes() const override { return bank_.circuit_lanes(); }
  std::uint32_t buffered(RouterId router, PortId port, std::uint32_t vc) const override;
  std::uint32_t credits(RouterId router, PortId port, std::uint32_t vc) const override;
  std::string describe_waiting() const override;
  void for_each_front(const std::function<void(PacketSlot)>& visit) const override;
  std::unique_ptr<SignalSource> signals(SignalTable& table, const std::vector<RouterId>& routers) const override;

  void copy_packets(const std::string& user, std::uint32_t flits) override;
  void set_up_circuits(CircuitUser& user) override;
  models::CircuitChanges& change_circuits() override;
  bool circuits_would_stand(const std::vector<CircuitRequest>& requests) const override;
  std::uint32_t lanes_that_would_do(const std::vector<CircuitRequest>& requests) const override;
  bool setup_done() const override {
    return (!sequencer_ || sequencer_->has_set_up()) && (!parallel_ || parallel_->done());
  }
  SetupResults setup_results() const override;
  Report reroute_report() const override { return rerouting_ ? reroute_figures().of(rerouting_->results()) : Report{}; }
  const RerouteResults& reroute_results() const { return rerouting_->results(); }
  void checkpoint(Checkpoint& c) override;
  bool transfers_under_way() const override {
    return (rerouting_ && rerouting_->message_under_way()) || (changes_ && changes_->message_under_way());
  }

  std::size_t slice_count() const { return slices_.size(); }
  Slice& slice(std::size_t s) {
    leave_planes();
    return *slices_[s];
  }
  const Slice& slice(std::size_t s) const {
    show_registers();
    return *slices_[s];
  }
  /// Can planes run these routers, as far as the experiment leaves it open?
  bool has_planes() const { return planes_ != nullptr; }
  /// Cycles that planes have run.
  std::uint64_t plane_cycles() const { return plane_cycles_; }
  /// From the next cycle on, whatever simulation.engine says: with planes, or with lists.
  void use_planes(bool use) { use_planes_ = use; }
  /// Null where the router is modelled.
  StandIn* stand_in(RouterId router) const {
    return stand_ins_.empty() ? nullptr : stand_ins_[context_.slicing.slice_of_router[router.value]].get();
  }
  /// Brings registers of stand-ins, or of planes, into the bank and the slices, for whoever reads them there.
  void show_registers() const;
  const RouterBank& bank() const {
    show_registers();
    return bank_;
  }
  const SetupUnits& setup_units() const { return setup_units_; }
  /// Null: no circuits are wanted, or set up one after the other.
  ParallelSetup* parallel_setup() const { return parallel_.get(); }
  /// Null: no circuits are wanted, or set up all at once.
  const SetupSequencer* setup_sequencer() const { return sequencer_.get(); }
  /// With the sequencer.
  const SetupRequests& setup_requests() const { return *setup_requests_; }
  SetupRequests& setup_requests() { return *setup_requests_; }
  bool any_set_up() const { return (sequencer_ && !sequencer_->done()) || rerouting_; }
  /// Somebody else calls run_set_up(): a module of its own.
  void leave_set_up_to_module() { module_runs_set_up_ = true; }
  const PacketStore& store() const { return context_.store; }
  /// Null: circuits do not fork.
  const CircuitForks* forks() const { return forks_.get(); }
  /// Null: packets do not fork.
  const PacketForks* packet_forks() const { return packet_forks_.get(); }
  const routing::Topology& topology() const { return context_.topology; }

 private:
  bool routes_by_queues() const { return queues_ != nullptr; }
  void commit_with_routes_last(std::size_t s, std::uint64_t cycle);
  void avoid_links();
  void refuse_turns() const;
  /// What circuits that fork cannot go with.
  void check_one_way() const;
  void check_multicast() const;
  /// What packets that fork cannot go with: why, and what is expected; empty: they can.
  std::string refuses_copies() const;
  std::uint64_t destinations_behind(const Slice::Traversal& traversal) const;
  void seat_stand_ins();
  std::string describe_inside(std::size_t s) const;
  void prepare_planes();
  void choose_engine(std::uint64_t cycle);
  std::uint64_t packet_flit_hops() const;
  void enter_planes(std::uint64_t cycle);
  void leave_planes();
  bool slices_fit_planes() const;
  bool has_stand_in(std::size_t s) const { return !stand_ins_.empty() && stand_ins_[s]; }

  FabricContext context_;
  Options options_;
  RouterBank bank_;
  std::unique_ptr<OutputQueues> queues_;       // null: no route hangs on them
  std::unique_ptr<CircuitForks> forks_;        // null: circuits do not fork
  std::unique_ptr<PacketForks> packet_forks_;  // null: packets do not fork
  SetupUnits setup_units_;
  std::vector<std::unique_ptr<Slice>> slices_;
  std::vector<std::unique_ptr<StandIn>> stand_ins_;  // [slice], null where modelled; empty: all are
  std::vector<CircuitRequest> wanted_;               // circuits
  std::unique_ptr<CycleEngine> planes_;              // null: these routers, or this run, are lists'
  std::string refused_;                              // why, where nobody asked for lists
  std::optional<bool> use_planes_;                   // somebody else has chosen
  mutable bool watched_ = false;  // somebody looks at all registers in every cycle: the slice's are at hand
  bool in_planes_ = false;        // they run the cycles ...
  mutable bool shown_ = false;    // ... and the registers are up to date
  std::uint64_t now_ = 0;         // the cycle behind the last that they have begun
  bool resume_planes_ = false;    // they did when the checkpoint was made
  std::uint64_t plane_cycles_ = 0;
  EngineChooser choice_;
  std::unique_ptr<SetupRequests> setup_requests_;  // with sequencer_
  std::unique_ptr<SetupSequencer> sequencer_;
  std::unique_ptr<ParallelSetup> parallel_;  // in place of both
  bool module_runs_set_up_ = false;
  std::unique_ptr<Rerouting> rerouting_;     // null: circuits stay where they are
  std::unique_ptr<CircuitChanger> changes_;  // null: their user leaves them alone
  CircuitUser* user_ = nullptr;              // with sequencer_
};

/// The hybrid fabric of a network that has one (tests, traces).
Fabric& of(models::Fabric& fabric);

}  // namespace braid::models::hybrid
