#include "models/workload/outlet.h"

namespace braid::models {

PacketSlot Outlet::make(std::uint64_t cycle, std::uint8_t kind, std::uint8_t traffic_class, NodeId from, NodeId to,
                        std::uint32_t flits) {
  const PacketSlot slot = context_.pool.take();
  Packet& packet = context_.store[slot];
  packet = Packet{};
  packet.created = cycle;
  packet.source = from;
  packet.destination = to;
  packet.sequence = context_.next_sequence[from.value]++;
  packet.draw = static_cast<std::uint8_t>(context_.draws.nth(std::uint64_t{from.value} << 32 | packet.sequence) >> 56);
  packet.length_flits = static_cast<std::uint16_t>(flits);
  packet.workload = workload_;
  packet.kind = kind;
  packet.traffic_class = classes_[traffic_class];
  context_.statistics.created(packet);
  if (context_.log != nullptr) context_.log->open(packet, slot);
  return slot;
}

void Outlet::send(std::uint64_t cycle, std::uint8_t kind, NodeId from, NodeId to, std::uint32_t flits,
                  std::uint32_t tag, std::uint8_t traffic_class) {
  const std::size_t port = next_port(from);  // before the packet takes the node's next number
  const PacketSlot slot = make(cycle, kind, traffic_class, from, to, flits);
  context_.store[slot].tag = tag;
  context_.transport.send(port, slot);
}

void Outlet::send_copies(std::uint64_t cycle, std::uint8_t kind, NodeId from, const std::vector<NodeId>& to,
                         std::uint32_t flits, std::uint32_t tag) {
  const std::size_t port = next_port(from);
  std::vector<PacketSlot> packets;
  for (const NodeId each : to) {
    packets.push_back(make(cycle, kind, 0, from, each, flits));
    context_.store[packets.back()].tag = tag;
  }
  context_.transport.send_copies(port, packets);
}

std::uint32_t Outlet::free_ports(NodeId node) const {
  std::uint32_t free = 0;
  for (std::size_t i = 0; i < context_.ports.count[node.value]; ++i) {
    free += context_.transport.ready(context_.ports.first[node.value] + i) ? 1 : 0;
  }
  return free;
}

}  // namespace braid::models
