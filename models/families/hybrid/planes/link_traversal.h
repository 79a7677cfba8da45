// ST and the links: what has been sent earlier and comes now, flits, tails and credits.
#pragma once

#include "models/families/hybrid/planes/pipeline.h"

namespace braid::models::hybrid::planes {

/// What is on its way to a node is there after ST and its link.
template <class B>
void Pipeline<B>::deliver_tails(std::size_t b, std::uint64_t cycle, const SwitchGrants<B>& grants) {
  const std::size_t word = b * Shape::kWords;
  for (std::uint32_t ports = extent_.local_ports; ports != 0; ports &= ports - 1) {
    const int o = __builtin_ctz(ports);
    const Vcs tails = grants.freed[o] & Shape::all(loaded<One>(&local_routers_[o][word]));
    if (!Shape::some(tails)) continue;
    std::vector<Delivery>& packets = deliveries(cycle + kEjectionCycles);
    for (const VcIndex out_vc : named(b, &tails, o, 1)) {
      const std::uint32_t order = extent_.several_locals ? place_in_lists(grants, r_.bank.port_of_vc(out_vc)) : 0;
      const VoyageId voyage = rings_.route_next(planes::ejection_ring(r_.bank, out_vc));
      __builtin_prefetch(&r_.store[voyages()[voyage].packet]);  // nobody has asked for it since it left its source
      packets.push_back({order, voyage});
    }
  }
}

/// Lists have the grants of a cycle in the order in which input ports made the first offer to each output port.
template <class B>
std::uint32_t Pipeline<B>::place_in_lists(const SwitchGrants<B>& grants, PortIndex out) const {
  const RouterId router = r_.bank.router_of(out);
  const unsigned place = place_of(router.value);
  std::uint32_t first = 0;
  const unsigned port = r_.bank.port_of(out);
  while (!is_set_of_port<Shape>(grants.offers[port / B::kTogether][first], port, place)) ++first;
  return r_.bank.port_index(router, PortId{first});
}

/// What the links bring in this cycle: flits to input ports, or credits back to output ports. `scattered`: what has
/// been put to its far end one by one.
template <class B>
void Pipeline<B>::take_coming(const std::vector<Coming<B>>& coming, History<B>& scattered, std::size_t b,
                              std::uint64_t cycle, Vcs (&come)[B::kPorts]) {
  const std::size_t word = b * Shape::kWords;
  const int ports = ports_of<B>(extent_);
  for (int p = 0; p < ports; ++p) come[p] = Vcs{};
  for (const Coming<B>& link : coming) {
    const Word* const sent = link.sent->planes(cycle - link.cycles_ago, link.from_port, word);
    Vcs all = Shape::shifted(sent, link.sent->stride(), link.shift);
    if (link.ends != nullptr) all &= Shape::all(loaded<One>(link.ends + word));
    come[link.to_port] |= all;
  }
  if (!scatters_) return;
  for (int p = 0; p < ports; ++p) {
    come[p] |= scattered.at(cycle, p, word);
    scattered.put(cycle, p, word, Vcs{});
  }
}

/// Where links are no shifts: each flit by itself to the far end, and its credit back.
template <class B>
void Pipeline<B>::scatter(std::size_t b, std::uint64_t cycle, const Vcs* granted) {
  const BankView& bank = r_.bank;
  for (const VcIndex in_vc : named(b, granted, 0, ports_of<B>(extent_)))
    scatter_one(cycle, in_vc, bank.port_of_vc(out_vc_of(in_vc)), lane_of(out_vc_of(in_vc)));
}

template <class B>
void Pipeline<B>::scatter_one(std::uint64_t cycle, VcIndex in_vc, PortIndex out, unsigned out_vc) {
  const BankView& bank = r_.bank;
  const Link& link = bank.links[out];
  if (!link.to_node) {
    arriving_.set(cycle + 2 + link.latency_cycles, bank.port_of(link.target), out_vc,
                  bank.router_of(link.target).value);
  }
  const PortIndex feeder = bank.upstream[bank.port_of_vc(in_vc)];
  if (bank.is_injection_port(feeder)) return;
  returning_.set(cycle + credit_delay_ + bank.links[feeder].latency_cycles - 1, bank.port_of(feeder), lane_of(in_vc),
                 bank.router_of(feeder).value);
}

}  // namespace braid::models::hybrid::planes
