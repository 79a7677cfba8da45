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
      into_(B::kPorts),
      out_of_(B::kPorts),
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
  for (const Shift& s : common.shifts) {
    into_[s.to_port].push_back(&s);
    out_of_[s.from_port].push_back(&s);
  }
  deliveries_.resize(4);
  const std::size_t vcs_of_block = std::size_t{B::kRouters} * B::kPorts * Shape::kVcs;
  heads_.resize(last_block_);
  for (std::size_t b = first_block_; b < last_block_; ++b) heads_[b].reserve(vcs_of_block + kAhead);
  for (WorkList<VcIndex>* names : {&named_, &asked_}) names->reserve(vcs_of_block + kAhead);
  adaptive_ = slice.routing().max_candidates() > 1;
  if (!adaptive_ && bank.port_stride() * bank.lane_stride() <= kMostArbitrated) vc_arbitration_ = r_.vc_arbitration();
  all_vcs_ = static_cast<VcMask>((1U << bank.vcs()) - 1);
  turn_mask_ = (1U << bits_for(bank.vcs())) - 1;
}

/// SA is about half of a cycle, and goes by pairs of ports.
template <class B>
double Pipeline<B>::size() const {
  const double ports = extent_.ports / static_cast<double>(kUsualPorts);
  return static_cast<double>(words_) * (ports + ports * ports) / 2 * Shape::kVcs / Lanes::kVcs;
}

}  // namespace braid::models::hybrid::planes
