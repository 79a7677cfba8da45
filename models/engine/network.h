// One network under test: the fabric of routers, injection points and endpoints of an experiment, cut into slices. A
// schedule (models/engine/engine.h) calls the halves of a cycle; cycle() does it all for whoever needs no SystemC.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "models/fabric/fabric.h"
#include "models/fabric/packet_log.h"
#include "models/fabric/packet_store.h"
#include "models/fabric/packet_watch.h"
#include "models/injection/in_transit.h"
#include "models/injection/injection_point.h"
#include "models/injection/reconfiguration.h"
#include "models/workload/arrivals.h"
#include "models/workload/endpoints.h"
#include "models/workload/statistics.h"
#include "models/workload/workload.h"
#include "routing/algorithm/routing_algorithm.h"
#include "routing/topology/topology.h"

namespace braid::models {

/// Counts over the whole run, warm-up included. Always: created = delivered + in flight, and lost where a link fails.
struct Conservation {
  std::uint64_t packets_created = 0;
  std::uint64_t packets_delivered = 0;
  std::uint64_t packets_in_flight = 0;  ///< counted by walking queues, buffers and links, not by subtraction
  std::uint64_t flits_injected = 0;
  std::uint64_t flits_delivered = 0;
  std::uint64_t flits_in_flight = 0;                                ///< counted by walking buffers and links
  std::optional<std::uint64_t> packets_lost = {}, flits_lost = {};  ///< only where a link goes down
  std::optional<std::uint64_t> flits_copied = {};                   ///< only where circuits fork
  bool holds() const {
    return packets_created == packets_delivered + packets_in_flight + packets_lost.value_or(0) &&
           flits_injected + flits_copied.value_or(0) == flits_delivered + flits_in_flight + flits_lost.value_or(0);
  }
};
/// What they mean.
const FigureTable<Conservation>& conservation_figures();

class Network {
 public:
  /// Cuts the routers into `slices` runs of equal length (1: static schedule; more: threads; one per router: process
  /// per stage). Throws InputError for what cannot work. `topology` and `routing` outlive the network.
  Network(const Configuration& configuration, const routing::Topology& topology,
          const routing::RoutingAlgorithm& routing, std::size_t slices, const routing::OnProgress& progress = {});
  ~Network();

  std::size_t slice_count() const { return endpoints_.size(); }
  Fabric& fabric() { return *fabric_; }
  const Fabric& fabric() const { return *fabric_; }
  /// How many networks side by side it is, each a whole copy of the topology (models/fabric/subnets.h).
  std::size_t subnets() const { return subnets_; }
  /// In which of them a packet travels.
  std::size_t subnet_of(const Packet& packet) const { return packet.sequence % subnets(); }
  /// Of each class of traffic the subnets that carry it.
  const ClassSubnets& class_subnets() const { return class_subnets_; }
  std::uint64_t now() const { return now_; }

  /// Before the halves of the present cycle, by one thread. Whoever leaves it out has all cycles in two halves.
  void begin_cycle() { has_first_half_ = fabric_->begin_cycle(now_); }
  /// Else compute() does nothing in the present cycle.
  bool has_first_half() const { return has_first_half_; }
  /// First half of the present cycle for one slice. Slices may do this in any order or at once.
  void compute(std::size_t s) { fabric_->compute(s, now_); }
  /// Second half. After every slice has computed.
  void commit(std::size_t s) {
    fabric_->commit(s, now_);
    run_nodes(s);
  }
  /// The end of it: what is behind the interfaces of a slice's nodes.
  void run_nodes(std::size_t s);
  /// Of all slices. Slices with nothing to do cost nothing.
  void run_all_nodes();
  /// Null: no fairness policy.
  InjectionGate* gate() { return gate_.get(); }
  /// Its line is a module (models/stages): end_cycle() leaves it alone.
  void leave_gate_to_modules() { modules_run_gate_ = true; }
  /// [slice]; none: the network is not source-routed.
  std::vector<InTransit*> in_transit() const;
  /// Its hosts are modules: run_nodes() leaves in-transit buffers alone.
  void leave_in_transit_to_modules() { stepped_in_transit_.clear(); }
  /// Lines beside the network that workloads use.
  std::vector<BroadcastLine*> event_lines() const;
  /// Packets that wait at a node's injection point (0 if there is none).
  std::size_t waiting(NodeId node) const;
  /// What is not on any router: the set-up token, a SAT line, the end of a batch. After every slice has committed.
  void end_cycle();
  void cycle() {
    begin_cycle();
    for (std::size_t s = 0; s < slice_count(); ++s) compute(s);
    for (std::size_t s = 0; s < slice_count(); ++s) commit(s);
    end_cycle();
  }

  /// Throws InputError where packets could wait for one another for ever, unless routing.allow_deadlock says that they
  /// may.
  void check_deadlock_free(const routing::OnProgress& progress = {}) const;
  /// Throws InputError if memory has no room for the routing tables that a run may make on its way.
  void check_room() const {
    routing_.check_room();
    fabric_->check_room();
  }

  bool setup_done() const { return fabric_->setup_done(); }
  SetupResults setup_results() const { return fabric_->setup_results(); }
  const std::vector<std::unique_ptr<Workload>>& workloads() const { return workloads_; }
  /// The workload of that kind; null if there is none.
  template <class W>
  W* workload() const {
    for (const auto& workload : workloads_) {
      if (auto* found = dynamic_cast<W*>(workload.get())) return found;
    }
    return nullptr;
  }

  MeasurementWindow& window() { return window_; }
  Statistics::Interval take_interval();
  std::uint64_t measured_packets_under_way() const;
  Statistics merged_statistics() const;
  /// The names of the classes of traffic.
  const std::vector<std::string>& traffic_classes() const { return traffic_classes_; }
  /// Flits that have crossed a router's switch.
  std::uint64_t flit_hops() const { return fabric_->counters().flit_hops; }
  /// The oldest packet of each class of traffic that has been made and is neither delivered nor lost.
  struct Oldest {
    std::uint64_t age_cycles = 0;
    NodeId source;
  };
  std::vector<std::optional<Oldest>> oldest_packets() const;
  /// Grows whenever any flit moves.
  std::uint64_t movements() const;
  std::uint64_t flits_in_network() const;
  /// Counted by walking every queue, buffer, register and link.
  Conservation conservation() const;
  void stop_sources();
  /// A packet of the user's own, of no workload, created in the cycle that has just ended.
  void send_packet(NodeId from, NodeId to, std::uint32_t flits, std::uint32_t tag = kNoTag,
                   std::uint8_t traffic_class = 0);
  /// Local ports of a node by which a packet sent now would leave in the next cycle.
  std::uint32_t free_ports(NodeId node) const;
  /// What has come to nodes that somebody asked about.
  Arrivals& arrivals() { return arrivals_; }
  std::uint64_t packets_created() const;
  /// Created, neither delivered nor lost; by subtraction.
  std::uint64_t packets_under_way() const;
  /// Does a workload make packets that nobody outside the network has asked for?
  bool sends_by_itself() const;

  /// Of simulated time: the family's, unless a user has chosen one.
  std::uint64_t clock_period_ps() const { return clock_period_ps_; }
  /// Before there is an engine. Throws InputError where the family's own delays are in nanoseconds, or for less than 2.
  void set_clock_period_ps(std::uint64_t period_ps);

  /// What the fairness policy or an in-transit buffer finds wrong; empty: nothing.
  std::string complaint() const;
  /// Opens the window in which packets are measured; an earlier one's figures are forgotten.
  void begin_window(std::uint64_t batch_cycles);
  /// The fairness policy; null if there is none.
  const InjectionGate* gate() const { return gate_.get(); }
  /// What the chosen policies report of themselves.
  struct PolicyReports {
    Report fabric, routing, scheduler, gate, in_transit, failure, reroutes;
  };
  PolicyReports policy_reports() const;
  /// Declares every signal of the network's; those of routers for the named ones.
  std::vector<std::unique_ptr<SignalSource>> signals(SignalTable& table, const std::vector<RouterId>& routers) const;
  const PacketStore& store() const { return store_; }
  /// Null if packets are neither logged nor watched.
  const PacketLog* packet_log() const { return packet_log_.get(); }
  PacketLog* packet_log() { return packet_log_.get(); }
  /// What is watched; null: nothing.
  const PacketWatch* watch() const { return watch_.get(); }
  /// What the packet log calls a packet's kind.
  std::string kind_of(const Packet& packet) const;
  const routing::Topology& topology() const { return topology_; }
  const Configuration& configuration() const { return configuration_; }

  /// All that it holds between two cycles. Restored only before there is an engine, into a network of the same
  /// configuration, cut the same way; after a CheckpointError it is of no use.
  void checkpoint(Checkpoint& c);

 private:
  void check_restored(const Checkpoint& c) const;
  std::unique_ptr<Fabric> make_fabric(const routing::OnProgress& progress);
  PacketTransport& injection_below(std::size_t slice, PacketTransport& interfaces, const std::vector<NodeId>& nodes);
  void prepare_failure();
  void find_stream_paths(const routing::OnProgress& progress);
  void build_endpoints();
  void record_packets();
  std::size_t slice_of(NodeId node) const { return slicing_.slice_of_router[topology_.router_of(node).value]; }

  Configuration configuration_;
  const routing::Topology& topology_;
  const routing::RoutingAlgorithm& routing_;
  PacketStore store_;
  std::unique_ptr<FabricFamily> family_;
  Slicing slicing_;
  LocalPortMap local_ports_;
  std::vector<std::unique_ptr<routing::RoutingAlgorithm>> routing_of_subnets_;  // of others than the first, or none
  std::unique_ptr<Fabric> fabric_;
  std::size_t subnets_;
  std::uint64_t clock_period_ps_;
  std::unique_ptr<Reconfiguration> reconfiguration_;    // null: no link goes down
  std::vector<std::unique_ptr<InTransit>> in_transit_;  // [slice], or none
  std::unique_ptr<InjectionGate> gate_;
  std::vector<std::unique_ptr<InjectionPoint>> injection_points_;  // [slice * subnets + subnet], or none
  std::vector<std::unique_ptr<PacketStore::Pool>> pools_;
  std::vector<std::uint32_t> next_sequence_;
  MeasurementWindow window_;
  std::vector<std::unique_ptr<Workload>> workloads_;
  std::vector<Workload*> between_cycles_;  // those that act there
  std::vector<std::string> traffic_classes_;
  ClassSubnets class_subnets_;
  std::vector<std::unique_ptr<Statistics>> statistics_;  // [slice]; one, if one thread runs all slices
  std::unique_ptr<PacketWatch> watch_;
  std::unique_ptr<PacketLog> packet_log_;
  Arrivals arrivals_;
  std::vector<std::unique_ptr<Endpoints>> endpoints_;
  std::vector<InTransit*> stepped_in_transit_;  // [slice] by run_nodes(), or none
  bool modules_run_gate_ = false;
  bool has_first_half_ = true;
  std::uint64_t now_ = 0;
};

}  // namespace braid::models
