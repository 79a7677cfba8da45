// One network under test: registers, stages, interfaces and endpoints of an experiment, cut into slices. A schedule
// (models/schedule.h) calls the halves of a cycle; cycle() does it all for whoever needs no SystemC.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "models/endpoints.h"
#include "models/experiment.h"
#include "models/ideal_network.h"
#include "models/packet_store.h"
#include "models/results.h"
#include "models/router_bank.h"
#include "models/setup_sequencer.h"
#include "models/setup_unit.h"
#include "models/slice.h"
#include "models/statistics.h"
#include "models/stream_program.h"
#include "routing/routing_algorithm.h"
#include "routing/topology.h"

namespace braid::models {

class Network {
 public:
  /// Cuts the routers into `slices` runs of equal length (1: static schedule; more: threads; one per router: process
  /// per stage). Throws InputError for what cannot work. `topology` and `routing` outlive the network.
  Network(const Experiment& experiment, const routing::Topology& topology, const routing::RoutingAlgorithm& routing,
          std::size_t slices);

  std::size_t slice_count() const { return slices_.size(); }
  Slice& slice(std::size_t s) { return *slices_[s]; }
  const Slice& slice(std::size_t s) const { return *slices_[s]; }
  std::uint64_t now() const { return now_; }

  /// First half of the present cycle for one slice. Slices may do this in any order or at once.
  void compute(std::size_t s);
  /// Second half. After every slice has computed.
  void commit(std::size_t s);
  /// What is not on any router: the set-up token. After every slice has committed; ends the cycle.
  void end_cycle();
  void cycle() {
    for (std::size_t s = 0; s < slices_.size(); ++s) compute(s);
    for (std::size_t s = 0; s < slices_.size(); ++s) commit(s);
    end_cycle();
  }

  bool setup_done() const { return !sequencer_ || sequencer_->done(); }
  SetupResults setup_results() const { return sequencer_ ? sequencer_->results() : SetupResults{}; }
  StreamProgram* program() { return program_.get(); }
  const StreamProgram* program() const { return program_.get(); }

  MeasurementWindow& window() { return window_; }
  Statistics::Interval take_interval();
  std::uint64_t measured_packets_under_way() const;
  Statistics merged_statistics() const;
  /// Flits that have crossed a router's switch.
  std::uint64_t flit_hops() const;
  /// Grows whenever any flit moves.
  std::uint64_t movements() const { return flit_hops() + flits_injected() + flits_delivered(); }
  std::uint64_t flits_in_network() const { return flits_injected() - flits_delivered(); }
  /// Counted by walking every queue, buffer, register and link.
  Conservation conservation() const;
  void stop_sources();
  /// A packet of the user's own, created in the cycle that has just ended. Needs a [traffic] section (its rate may be
  /// 0).
  void send_packet(NodeId from, NodeId to, std::uint32_t flits);

  RouterBank& bank() { return bank_; }
  const RouterBank& bank() const { return bank_; }
  const PacketStore& store() const { return store_; }
  const SetupUnits& setup_units() const { return setup_units_; }
  const routing::Topology& topology() const { return topology_; }
  const Experiment& experiment() const { return experiment_; }

 private:
  void build_endpoints(const std::vector<std::vector<NodeId>>& nodes_of_slice);
  void build_program();
  std::uint64_t flits_injected() const;
  std::uint64_t flits_delivered() const;

  Experiment experiment_;
  const routing::Topology& topology_;
  PacketStore store_;
  RouterBank bank_;
  SetupUnits setup_units_;
  std::vector<std::uint32_t> slice_of_router_;
  std::vector<std::unique_ptr<Slice>> slices_;
  std::vector<std::unique_ptr<PacketStore::Pool>> pools_;
  std::unique_ptr<IdealNetwork> ideal_;
  LocalPortMap local_ports_;
  std::optional<SyntheticPolicies> synthetic_;
  std::unique_ptr<StreamProgram> program_;
  std::vector<std::uint32_t> next_sequence_;
  MeasurementWindow window_;
  std::vector<std::unique_ptr<Statistics>> statistics_;
  std::vector<std::unique_ptr<Endpoints>> endpoints_;
  std::unique_ptr<SetupSequencer> sequencer_;
  std::uint64_t now_ = 0;
};

/// Throws InputError where values are out of range or exclude each other. Called by Network.
void check_experiment(const Experiment& experiment);

}  // namespace braid::models
