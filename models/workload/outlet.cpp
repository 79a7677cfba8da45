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
  std::uint32_t in_its_network = 0;  // the packet's number among those of its source
  if (context_.subnets == 1) {
    packet.sequence = in_its_network = context_.next_sequence[from.value]++;
  } else {
    packet.sequence = take_in_subnets(from, traffic_class);
    in_its_network = packet.sequence / context_.subnets;
  }
  packet.draw = static_cast<std::uint8_t>(context_.draws.nth(std::uint64_t{from.value} << 32 | in_its_network) >> 56);
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
  const PacketSlot slot = make(cycle, kind, traffic_class, from, to, flits);
  context_.store[slot].tag = tag;
  context_.transport.send(port_of(context_.store[slot]), slot);
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

/// Of several subnets, those of the first that carries the first class.
std::uint32_t Outlet::free_ports(NodeId node) const {
  const std::size_t before = context_.subnets == 1 ? 0 : subnets_.front().front() * context_.ports_of_subnet;
  std::uint32_t free = 0;
  for (std::size_t i = 0; i < context_.ports.count[node.value]; ++i) {
    free += context_.transport.ready(context_.ports.first[node.value] + i + before) ? 1 : 0;
  }
  return free;
}

std::size_t Outlet::port_in_subnet(NodeId node, std::uint32_t sequence) const {
  const std::size_t subnet = sequence % context_.subnets, in_subnet = sequence / context_.subnets;
  return context_.ports.first[node.value] + in_subnet % context_.ports.count[node.value] +
         subnet * context_.ports_of_subnet;
}

/// By chance, of how many packets the node has made: no order of nodes or slices can change it.
std::uint32_t Outlet::next_subnet(NodeId node, std::uint8_t traffic_class) const {
  const std::vector<std::uint32_t>& some = subnets_[traffic_class];
  if (some.size() == 1) return some.front();
  std::uint32_t made = 0;
  for (std::uint32_t s = 0; s < context_.subnets; ++s) {
    made += context_.next_sequence[std::size_t{node.value} * context_.subnets + s];
  }
  const std::uint64_t drawn = context_.subnet_draws.nth(std::uint64_t{node.value} << 32 | made) >> 32;
  return some[drawn * some.size() >> 32];
}

std::uint32_t Outlet::next_in_subnets(NodeId node, std::uint8_t traffic_class) const {
  const std::uint32_t subnet = next_subnet(node, traffic_class);
  return context_.next_sequence[std::size_t{node.value} * context_.subnets + subnet] * context_.subnets + subnet;
}

std::uint32_t Outlet::take_in_subnets(NodeId node, std::uint8_t traffic_class) {
  const std::uint32_t sequence = next_in_subnets(node, traffic_class);
  ++context_.next_sequence[std::size_t{node.value} * context_.subnets + sequence % context_.subnets];
  return sequence;
}

}  // namespace braid::models
