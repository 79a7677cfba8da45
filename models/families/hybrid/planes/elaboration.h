// A share of a network's planes, and the sizes of everything in it.
#pragma once

#include <algorithm>

#include "models/fabric/bits.h"
#include "models/families/hybrid/planes/pipeline.h"

namespace braid::models::hybrid::planes {

template <class B>
Pipeline<B>::Pipeline(const Parts& parts, Slice& slice, Common<B>& common)
    : r_(slice, parts.bank, parts.store, parts.options),
      blocks_(common.blocks.data()),
      orders_(common.orders.empty() ? nullptr : common.orders.data()),
      first_block_(r_.range().first / B::kRouters),
      last_block_((r_.range().last + B::kRouters - 1) / B::kRouters),
      words_(common.words),
      crossed_(common.crossed),
      left_(common.left),
      injected_(common.injected),
      arriving_(common.arriving),
      returning_(common.returning),
      local_routers_(common.local_routers),
      scatters_(common.scatters),
      credit_delay_(parts.options.credit_delay_cycles),
      rings_(common.rings),
      ring_behind_(common.ring_behind.data()),
      ways_(common.ways) {
  const RouterBank& bank = parts.bank;
  extent_.ports = common.ports;
  extent_.depth_bits = bits_for(parts.options.buffer_depth + 1);
  extent_.local_ports = common.local_ports;
  extent_.several_locals = common.several_locals;
  port_shift_ = bits_for(bank.lane_stride());
  router_shift_ = port_shift_ + bits_for(bank.port_stride());
  learn_links(common.shifts);
  deliveries_.resize(4);
  for (PortIndex p = r_.range().first * bank.port_stride(); p < r_.range().last * bank.port_stride(); ++p) {
    free_voyages_.needed += bank.links[p].target != kNone && bank.links[p].to_node ? 1 : 0;
  }
  const std::size_t vcs_of_block = std::size_t{B::kRouters} * B::kPorts * Shape::kVcs;
  heads_.resize(last_block_);
  for (std::size_t b = first_block_; b < last_block_; ++b) heads_[b].reserve(vcs_of_block + kNamedAtOnce);
  for (WorkList<VcIndex>* names : {&named_, &asked_}) names->reserve(vcs_of_block + kNamedAtOnce);
  if (bank.has_circuits()) taken_.resize(last_block_ - first_block_);
  adaptive_ = slice.routing().max_candidates() > 1;
  if (!adaptive_ && bank.port_stride() * bank.lane_stride() <= kMostArbitrated) vc_arbitration_ = r_.vc_arbitration();
  all_vcs_ = static_cast<VcMask>((1U << bank.vcs()) - 1);
  turn_mask_ = (1U << bits_for(bank.vcs())) - 1;
}

/// A flit crosses the switch in the cycle after its grant; a node takes it when it comes.
template <class B>
void Pipeline<B>::learn_links(const std::vector<Shift>& shifts) {
  for (std::uint32_t ports = extent_.local_ports; ports != 0; ports &= ports - 1) {
    const auto p = static_cast<unsigned>(__builtin_ctz(ports));
    coming_flits_.push_back({&injected_, p, p, kInjectionCycles, 0, nullptr});
    coming_credits_.push_back({&crossed_, p, p, kEjectionCycles + credit_delay_ - 1, 0, local_routers_[p].data()});
  }
  const auto plane = [](const std::vector<Word>& routers) { return routers.empty() ? nullptr : routers.data(); };
  for (const Shift& s : shifts) {
    coming_flits_.push_back({&crossed_, s.from_port, s.to_port, 2 + s.latency_cycles, s.shift, plane(s.to)});
    coming_credits_.push_back(
        {&left_, s.to_port, s.from_port, credit_delay_ + s.latency_cycles - 1, -s.shift, plane(s.from)});
  }
}

/// SA is about half of a cycle, and goes by pairs of ports.
template <class B>
double Pipeline<B>::size() const {
  const double ports = extent_.ports / static_cast<double>(kUsualPorts);
  const int nodes = extent_.several_locals ? 2 : 1;
  return static_cast<double>(words_) * (ports + ports * ports) / 2 * Shape::kVcs / Lanes::kVcs * nodes;
}

}  // namespace braid::models::hybrid::planes
