// Sizes of everything in planes, from the bank's.
#pragma once

#include <algorithm>

#include "models/fabric/bits.h"
#include "models/families/hybrid/planes/pipeline.h"

namespace braid::models::hybrid::planes {

template <class B>
Pipeline<B>::Pipeline(Slice& slice, RouterBank& bank, PacketStore& store, const Options& options)
    : r_(slice, bank, store, options), credit_delay_(options.credit_delay_cycles) {
  extent_.ports = used_ports(bank);
  port_shift_ = bits_for(bank.lane_stride());
  router_shift_ = port_shift_ + bits_for(bank.port_stride());
  extent_.depth_bits = bits_for(options.buffer_depth + 1);
  blocks_.resize((bank.router_count() + B::kRouters - 1) / B::kRouters);
  words_ = blocks_.size() * Shape::kWords;
  if (Registers::ranks(slice)) orders_.resize(blocks_.size());
  local_routers_.assign(B::kPorts, std::vector<Word>(words_));
  for (const LocalPort& local : bank.wiring().local_ports) {
    const std::uint32_t router = bank.router_of(local.router_port).value, port = bank.port_of(local.router_port);
    local_routers_[port][router / kWordBits] |= bit_of(router % kWordBits);
    extent_.local_ports |= 1U << port;
    extent_.several_locals =
        extent_.several_locals || (&local != bank.wiring().local_ports.data() && (&local)[-1].node == local.node);
  }
  find_links();
  const std::uint32_t latency = bank.wiring().max_link_latency_cycles;
  const unsigned cycles =
      1U << bits_for(std::max(std::max(latency, kEjectionCycles) + credit_delay_ + 3, kCountedAtOnce + 2));
  std::size_t margin = 0;
  for (const Shift& s : shifts_) margin = std::max<std::size_t>(margin, std::abs(s.shift) / kWordBits + 2);
  if (scatters_ || Shape::kWords == 1) margin = 0;
  for (History<B>* history : {&crossed_, &left_, &injected_}) history->resize(cycles, words_, margin);
  if (scatters_) {
    for (History<B>* history : {&arriving_, &returning_}) history->resize(cycles, words_, 0);
  }
  deliveries_.resize(4);
  const std::size_t vcs = bank.input_vc_count();
  rings_.resize(2 * vcs);
  ring_behind_.assign(bank.router_port_count(), 0);
  for (PortIndex p = 0; p < bank.router_port_count(); ++p) {
    const Link& link = bank.links[p];
    if (link.target == kNone) continue;
    ring_behind_[p] = link.to_node ? ejection_ring(p, 0) : bank.vc_index(link.target, 0);
  }
  const std::size_t vcs_of_block = std::size_t{B::kRouters} * B::kPorts * Shape::kVcs;
  heads_.resize(blocks_.size());
  for (WorkList<VcIndex>& heads : heads_) heads.reserve(vcs_of_block + kAhead);
  for (WorkList<VcIndex>* names : {&named_, &asked_}) names->reserve(vcs_of_block + kAhead);
  adaptive_ = slice.routing().max_candidates() > 1;
  if (!adaptive_ && bank.port_stride() * bank.lane_stride() <= kMostArbitrated) vc_arbitration_ = r_.vc_arbitration();
  all_vcs_ = static_cast<VcMask>((1U << bank.vcs()) - 1);
  turn_mask_ = (1U << bits_for(bank.vcs())) - 1;
  ways_.learn(slice.routing(), bank, r_.local_port_count());
}

/// SA is about half of a cycle, and goes by pairs of ports.
template <class B>
double Pipeline<B>::size() const {
  const double ports = extent_.ports / static_cast<double>(kUsualPorts);
  return static_cast<double>(words_) * (ports + ports * ports) / 2 * Shape::kVcs / Lanes::kVcs;
}

/// Shifts, unless there are so many that flits one by one cost less.
template <class B>
void Pipeline<B>::find_links() {
  shifts_ = shifts_of(r_.bank, words_, extent_.local_ports);
  scatters_ = shifts_.size() > 4U * extent_.ports;
  into_.resize(B::kPorts);
  out_of_.resize(B::kPorts);
  if (scatters_) shifts_.clear();
  for (const Shift& s : shifts_) {
    into_[s.to_port].push_back(&s);
    out_of_[s.from_port].push_back(&s);
  }
}

}  // namespace braid::models::hybrid::planes
