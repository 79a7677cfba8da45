#include "models/stages/hybrid/outgoing_wires.h"

namespace braid::models::stages::hybrid {

using models::hybrid::FlitArrival;
using models::hybrid::VcIndex;

/// Where packets' flits are filed, those for a node with circuits' (Slice::build_wires).
OutgoingWires::Slot& OutgoingWires::packets(unsigned p, std::uint64_t cycle) const {
  const Link& link = bank_.links[index(p)];
  auto& channel = link.to_node ? slice_.channel_for(router_) : channel_to(link.target);
  return channel.at(cycle + 1 + link.latency_cycles);
}

/// Of circuits that go on to a router.
OutgoingWires::Slot& OutgoingWires::circuits(unsigned p, std::uint64_t cycle) const { return packets(p, cycle - 1); }

OutgoingWires::Slot& OutgoingWires::credits(unsigned p, std::uint64_t cycle) const {
  const PortIndex feeder = bank_.upstream[index(p)];
  auto& channel = bank_.is_injection_port(feeder) ? slice_.channel_for(router_) : channel_to(feeder);
  return channel.at(cycle + slice_.options().credit_delay_cycles + bank_.links[feeder].latency_cycles - 2);
}

void OutgoingWires::for_each_flit(std::uint64_t cycle, const OnFlit& visit) const {
  for (unsigned p = 0; p < bank_.port_stride(); ++p) {
    if (!wired(p)) continue;
    const Link& link = bank_.links[index(p)];
    const auto look = [&](const auto& list, std::uint32_t target) {
      for (const FlitArrival& a : list) {
        if (a.target == target) visit(p, a.flit);
      }
    };
    if (link.to_node) {
      look(packets(p, cycle).ejections, link.target);
    } else {
      look(packets(p, cycle).packets, bank_.vc_index(link.target, 0));
      look(circuits(p, cycle).circuits, bank_.vc_index(link.target, 0));
    }
  }
}

void OutgoingWires::for_each_credit(std::uint64_t cycle, const OnCredit& visit) const {
  for (unsigned p = 0; p < bank_.port_stride(); ++p) {
    if (!wired(p)) continue;
    for (const VcIndex credit : credits(p, cycle).credits) {
      if (bank_.port_of_vc(credit) == bank_.upstream[index(p)]) visit(p, bank_.lane_of(credit));
    }
  }
}

void OutgoingWires::clear(std::uint64_t cycle) const {
  for (unsigned p = 0; p < bank_.port_stride(); ++p) {
    if (!wired(p)) continue;
    if (bank_.links[index(p)].to_node) {
      packets(p, cycle).ejections.clear();
    } else {
      packets(p, cycle).packets.clear();
      circuits(p, cycle).circuits.clear();
    }
    credits(p, cycle).credits.clear();
  }
}

}  // namespace braid::models::stages::hybrid
