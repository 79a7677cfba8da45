// The stages of a cycle in planes, in the order of Slice::commit().
#pragma once

#include "models/families/hybrid/planes/circuits.h"
#include "models/families/hybrid/planes/interfaces.h"
#include "models/families/hybrid/planes/link_traversal.h"
#include "models/families/hybrid/planes/names.h"
#include "models/families/hybrid/planes/route_computation.h"
#include "models/families/hybrid/planes/vc_allocation.h"

namespace braid::models::hybrid::planes {

template <class B>
void Pipeline<B>::run_cycle(std::uint64_t cycle) {
  if (beside_circuits()) run_circuits(cycle);
  for (std::size_t b = first_block_; b < last_block_; ++b) run_routers(b, cycle);
  if (extent_.several_locals) sort_deliveries(cycle);
  for (const Delivery& delivery : deliveries(cycle)) deliver(cycle, delivery.voyage);
  deliveries(cycle).clear();
  if (beside_circuits()) r_.interfaces.drain(cycle);
  take_sends();
  if (beside_circuits()) inject_on_circuits(cycle);
  for (std::size_t b = first_block_; b < last_block_; ++b) inject(b, cycle);
  now_ = cycle + 1;
  if (now_ - counted_to_ > kCountedAtOnce) {
    for (std::size_t b = first_block_; b < last_block_; ++b) count_sent(b);
    counted_to_ += kCountedAtOnce;
    if (++unflushed_ >= (1U << kSentBits) / kCountedAtOnce - 2) flush_counters();
  }
}

template <class B>
void Pipeline<B>::run_routers(std::size_t b, std::uint64_t cycle) {
  B& block = blocks_[b];
  const std::size_t word = b * Shape::kWords;
  const int ports = ports_of<B>(extent_);
  SwitchGrants<B> grants;
  activate_granted(block, ports);
  allocate_switch(block, extent_, orders_ == nullptr ? nullptr : &orders_[b], taken(b), grants);
  allocate_output_vcs(b);
  for (int p = 0; p < ports; ++p) {
    crossed_.put(cycle, p, word, grants.out[p]);
    left_.put(cycle, p, word, grants.in[p]);
  }
  deliver_tails(b, cycle, grants);
  write_all_buffers(b, cycle, grants);
  take_all_credits(b, cycle, grants);
  for (int p = 0; p < ports; ++p) block.out.free[p] |= grants.freed[p];  // for VA in the next cycle
  count_delivered(b, cycle);
  // What writes single words of planes comes last: a vector that is read too soon after one of its words waits for it.
  commit_vc_grants(block);
  heads_[b].clear();
  name_vcs(b, block.in.fresh, 0, ports, heads_[b]);
  route_heads(b, cycle);
  if (scatters_) scatter(b, cycle, grants.in);
}

/// BW.
template <class B>
void Pipeline<B>::write_all_buffers(std::size_t b, std::uint64_t cycle, const SwitchGrants<B>& grants) {
  B& block = blocks_[b];
  Vcs arrived[B::kPorts];
  take_coming(coming_flits_, arriving_, b, cycle, arrived);
  write_buffers(block, extent_, arrived, grants, usual_length_);
}

template <class B>
void Pipeline<B>::take_all_credits(std::size_t b, std::uint64_t cycle, const SwitchGrants<B>& grants) {
  B& block = blocks_[b];
  Vcs back[B::kPorts];
  take_coming(coming_credits_, returning_, b, cycle, back);
  take_credits(block, extent_, back, grants.out);
}

/// Flits that reach a node in this cycle.
template <class B>
void Pipeline<B>::count_delivered(std::size_t b, std::uint64_t cycle) {
  const std::size_t word = b * Shape::kWords;
  for (std::uint32_t ports = extent_.local_ports; ports != 0; ports &= ports - 1) {
    const int o = __builtin_ctz(ports);
    const One come = Shape::any(crossed_.at(cycle - kEjectionCycles, o, word));
    r_.flits_delivered += ones<Shape>(come & loaded<One>(&local_routers_[o][word]));
  }
}

/// Flits over the links, of the next cycles that are not counted yet: four planes are added up, and their sum to the
/// counter.
template <class B>
void Pipeline<B>::count_sent(std::size_t b) {
  const std::size_t word = b * Shape::kWords;
  const int ports = ports_of<B>(extent_);
  for (int o = 0; o < ports; ++o) {
    One sent[kCountedAtOnce];
    for (unsigned i = 0; i < kCountedAtOnce; ++i) {
      sent[i] = counted_to_ + i + 1 < now_ ? Shape::any(crossed_.at(counted_to_ + i, o, word)) : One{};
    }
    add_four(blocks_[b].out.sent[o], kSentBits, sent);
    for (const One& plane : sent) r_.flit_hops += ones<Shape>(plane);
  }
}

}  // namespace braid::models::hybrid::planes
