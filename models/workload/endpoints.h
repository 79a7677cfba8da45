// The nodes of a slice as the network's users: passes cycles and arrivals on to the workloads, and counts.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "models/fabric/packet_transport.h"
#include "models/workload/arrivals.h"
#include "models/workload/outlet.h"
#include "models/workload/workload.h"

namespace braid::models {

/// Classes of traffic over all workloads: one of a name. The first is that of packets that no workload has made.
struct TrafficClasses {
  explicit TrafficClasses(const std::vector<std::unique_ptr<Workload>>& workloads);
  std::vector<std::string> names{"packets"};
  std::vector<std::vector<std::uint8_t>> of_workload;  ///< [workload][its own number]
  ClassSubnets subnets{{0}};                           ///< [class] that carry it, where there are several
  std::vector<ClassSubnets> subnets_of_workload;       ///< [workload][its own number]
  /// Each class by its number: of packets that no workload has made.
  std::vector<std::uint8_t> all() const;
};

class Endpoints final : public PacketSink {
 public:
  Endpoints(const OutletContext& context, const std::vector<std::unique_ptr<Workload>>& workloads,
            const TrafficClasses& classes, std::size_t slice, const std::vector<NodeId>& nodes, Arrivals& arrivals);

  /// One cycle: the workloads make packets.
  void generate(std::uint64_t cycle) {
    for (Workload* workload : workloads_) workload->generate(slice_, cycle);
  }
  /// Puts a packet of the user's own into the source queue of `from`, a node of this slice.
  void send(std::uint64_t cycle, NodeId from, NodeId to, std::uint32_t flits, std::uint32_t tag,
            std::uint8_t traffic_class);
  std::uint32_t free_ports(NodeId node) const { return own_.free_ports(node); }

  bool admit(PacketSlot slot) override;
  void deliver(std::uint64_t cycle, PacketSlot packet) override;
  void sent(std::uint64_t cycle, PacketSlot packet) override;
  void lost(std::uint64_t cycle, PacketSlot packet) override;

 private:
  OutletContext context_;
  std::size_t slice_;
  std::vector<Workload*> workloads_;  // [Packet::workload]
  std::vector<std::unique_ptr<Outlet>> outlets_;
  Outlet own_;
  Arrivals& arrivals_;
};

}  // namespace braid::models
