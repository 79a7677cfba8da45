// The arbitration of separable, input-first VA: each waiting head has chosen one output VC, each output VC takes one of
// those who ask. A header, because two engines compile it into their loops (models/families/hybrid/planes).
#pragma once

#include <vector>

#include "models/families/hybrid/arbiter.h"
#include "models/families/hybrid/vc_allocator.h"
#include "models/families/hybrid/with_arbiter.h"

namespace braid::models::hybrid {

/// Calls `choose(in_vc)` for each head: the output VC that it asks for, or kNone; before it `look_ahead(in_vc)` for one
/// to come, so that what it chooses by is near then. `registers`: who has asked for each output VC so far, and whose
/// turn it is there. `asked` has room for the output VCs of all heads, and one; gives the end of those that are asked.
template <class Registers, class Choose, class LookAhead>
[[gnu::always_inline]] inline VcIndex* ask_for_vcs(const BankView& bank, const Registers& registers,
                                                   const WorkList<VcIndex>& waiting, VcIndex* const asked,
                                                   Choose choose, LookAhead look_ahead) {
  const std::uint32_t in_router = bank.port_stride() * bank.lane_stride() - 1;
  VcIndex* asked_end = asked;
  const VcIndex* const end = waiting.end();
  for (const VcIndex* head = waiting.begin(); head != end; ++head) {
    look_ahead(head[kPrefetch]);
    const VcIndex in_vc = *head;
    const VcIndex out_vc = choose(in_vc);
    if (out_vc == kNone) continue;
    auto& best = registers.offer(out_vc);
    *asked_end = out_vc;
    asked_end += best.empty() ? 1 : 0;
    const std::uint32_t place = in_vc & in_router;
    best.improve({registers.rank(out_vc, in_vc, place), place});
  }
  return asked_end;
}

/// Calls `grant(winner, out_vc)` for each output VC that is asked for; then nobody asks any more, and turns have gone
/// on.
template <class Registers, class Grant>
[[gnu::always_inline]] inline void grant_vcs(const BankView& bank, const Registers& registers, const VcIndex* asked,
                                             const VcIndex* asked_end, Grant grant) {
  const std::uint32_t in_router = bank.port_stride() * bank.lane_stride() - 1;
  for (; asked != asked_end; ++asked) {
    const VcIndex out_vc = *asked, place = registers.offer(out_vc).from();
    const VcIndex winner = (out_vc & ~in_router) | place;
    registers.use(winner, out_vc, place, bank.lane_of(out_vc));
    registers.offer(out_vc) = {};
    grant(winner, out_vc);
  }
}

template <class Arbiters>
class SeparableVcArbitration {
 public:
  explicit SeparableVcArbitration(const AllocatorOptions& options)
      : base_(options.bank->vc_index(options.range.first * options.bank->port_stride(), 0)),
        input_arbiters_(make_arbiters<Arbiters>(options, vcs(options), options.bank->vcs())),
        output_arbiters_(make_arbiters<Arbiters>(options, vcs(options), vcs(options) / options.range.size())),
        packets_(options.packets),
        offers_(vcs(options)) {
    asked_.reserve(offers_.size() + 1);
  }

  /// As ask_for_vcs(). Appends the grants.
  template <class Choose, class LookAhead>
  [[gnu::always_inline]] void run(const BankView& bank, const WorkList<VcIndex>& waiting, std::uint64_t cycle,
                                  WorkList<VcGrant>& grants, Choose choose, LookAhead look_ahead) {
    const Registers registers{base_, offers_.data(), &input_arbiters_, &output_arbiters_,
                              AgesFor<Arbiters>(bank, packets_, cycle)};
    const VcIndex* const end = ask_for_vcs(bank, registers, waiting, asked_.begin(), choose, look_ahead);
    VcGrant* grant = grants.end();
    grant_vcs(bank, registers, asked_.begin(), end, [&](VcIndex in_vc, VcIndex out_vc) { *grant++ = {in_vc, out_vc}; });
    grants.resize_to(grant);
  }
  /// Which of the free VCs of its port a head asks for.
  unsigned pick(VcIndex in_vc, VcMask free) const { return input_arbiters_.pick(in_vc - base_, free); }
  void checkpoint(Checkpoint& c) { c(input_arbiters_, output_arbiters_); }
  /// The arbiters of input VCs and of output VCs, for who has their registers elsewhere for a while.
  Arbiters& input_arbiters() { return input_arbiters_; }
  Arbiters& output_arbiters() { return output_arbiters_; }

 private:
  /// A rank with an age takes more than 16 bits.
  using OfferOfVc = std::conditional_t<kByAge<Arbiters>, Offer, ShortOffer>;
  struct Registers {
    VcIndex base;
    OfferOfVc* offers;
    Arbiters *inputs, *outputs;
    AgesFor<Arbiters> ages;
    OfferOfVc& offer(VcIndex out_vc) const { return offers[out_vc - base]; }
    std::uint32_t rank(VcIndex out_vc, VcIndex in_vc, std::uint32_t place) const {
      return rank_of_packet(*outputs, ages, out_vc - base, place, in_vc);
    }
    void use(VcIndex winner, VcIndex out_vc, std::uint32_t place, std::uint32_t lane) const {
      outputs->use(out_vc - base, place);
      inputs->use(winner - base, lane);
    }
  };
  static std::size_t vcs(const AllocatorOptions& options) {
    return options.range.size() * options.bank->port_stride() * options.bank->lane_stride();
  }

  VcIndex base_;
  Arbiters input_arbiters_;        // [input VC], among the VCs of the port it chose
  Arbiters output_arbiters_;       // [output VC], among the router's input VCs
  const PacketStore* packets_;     // for arbiters that go by age
  std::vector<OfferOfVc> offers_;  // [output VC], from a place in its router; empty between calls
  WorkList<VcIndex> asked_;
};

}  // namespace braid::models::hybrid
