// A network's checkpoint: its parts in order, and what must hold of packets that are restored.
#include "models/engine/network.h"

namespace braid::models {

void Network::checkpoint(Checkpoint& c) {
  c.part("network");
  c.set_network(topology_.node_count(), topology_.router_count());
  if (slice_count() > 1) {  // an engine may have borders of its own (FabricFamily::cut())
    for (const RouterRange& range : slicing_.ranges) {
      std::uint32_t last = range.last;
      c(last);
      c.expect(last == range.last, "a network that is cut at other routers");
    }
  }
  fabric_->count_routers();  // of packets that there are: what is restored has its own
  c(now_, window_);          // cycles are what counts: the clock's period is the user's
  c.each(next_sequence_);
  const std::uint64_t slots = store_.slots();
  for (const auto& pool : pools_) {
    if (!c.restoring()) pool->fill(slots);
  }
  c.each(pools_);
  std::vector<const PacketStore::Pool*> pools;
  for (const auto& pool : pools_) pools.push_back(pool.get());
  store_.checkpoint(c, pools);
  if (c.restoring()) c.set_packets(store_.slots());
  c.part("packet log");
  if (packet_log_) packet_log_->checkpoint(c, store_);
  c.part("statistics");
  c.each(statistics_);
  c(arrivals_);
  c.part("routers");
  fabric_->checkpoint(c);
  c.part("injection points");
  c(reconfiguration_);
  c.each(in_transit_);
  c(gate_);
  c.each(injection_points_);
  c.part("workloads");
  c.each(workloads_);
  if (c.restoring()) check_restored(c);
}

/// What packets say of themselves. (Those of free slots are nobody's, and as they were made.)
void Network::check_restored(const Checkpoint& c) const {
  c.expect(!window_.open || (window_.batch_cycles > 0 && window_.first_cycle <= now_),
           "a measurement that does not begin");
  for (PacketSlot slot = 0; slot < store_.slots(); ++slot) {
    const Packet& packet = store_[slot];
    c.index(packet.traffic_class, traffic_classes_.size(), "class of traffic");
    c.expect(packet.length_flits > 0, "a packet without flits");
    c.expect(packet.created <= now_ && packet.injected <= now_ + 1, "a packet of a cycle to come");
    if (packet.workload == kNoWorkload) continue;
    c.index(packet.workload, workloads_.size(), "workload");
    c.index(packet.kind, workloads_[packet.workload]->kinds().size(), "kind of packet");
    c.expect(workloads_[packet.workload]->knows(packet), "a packet that its workload has not made");
    const bool routed = routing_.routes() != nullptr && packet.route != routing::kNoRoute;
    c.expect(!routed || routing_.routes()->leads(packet.route, packet.source, packet.destination),
             "a packet off its route");
  }
  c.expect(conservation().holds(), "packets or flits that do not add up");
}

}  // namespace braid::models
