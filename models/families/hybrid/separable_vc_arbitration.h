// The arbitration of separable, input-first VA: each waiting head has chosen one output VC, each output VC takes one of
// those who ask. A header, because two engines compile it into their loops (models/families/hybrid/planes).
#pragma once

#include <vector>

#include "models/families/hybrid/arbiter.h"
#include "models/families/hybrid/vc_allocator.h"
#include "models/families/hybrid/with_arbiter.h"

namespace braid::models::hybrid {

template <class Arbiters>
class SeparableVcArbitration {
 public:
  explicit SeparableVcArbitration(const AllocatorOptions& options)
      : base_(options.bank->vc_index(options.range.first * options.bank->port_stride(), 0)),
        input_arbiters_(make_arbiters<Arbiters>(options, vcs(options), options.bank->vcs())),
        output_arbiters_(make_arbiters<Arbiters>(options, vcs(options), vcs(options) / options.range.size())),
        offers_(vcs(options)) {
    asked_.reserve(offers_.size() + 1);
  }

  /// Calls `choose(in_vc)` for each head: the output VC that it asks for, or kNone; before it `look_ahead(in_vc)` for
  /// one to come, so that what it chooses by is near then. Appends the grants.
  template <class Choose, class LookAhead>
  [[gnu::always_inline]] void run(const BankView& bank, const WorkList<VcIndex>& waiting, WorkList<VcGrant>& grants,
                                  Choose choose, LookAhead look_ahead) {
    const VcIndex base = base_;
    const std::uint32_t in_router = bank.port_stride() * bank.lane_stride() - 1;
    ShortOffer* const offers = offers_.data();
    VcIndex* asked = asked_.begin();
    const VcIndex* const end = waiting.end();
    for (const VcIndex* head = waiting.begin(); head != end; ++head) {
      look_ahead(head[kPrefetch]);
      const VcIndex in_vc = *head;
      const VcIndex out_vc = choose(in_vc);
      if (out_vc == kNone) continue;
      ShortOffer& best = offers[out_vc - base];
      *asked = out_vc;
      asked += best.empty() ? 1 : 0;
      const std::uint32_t place = (in_vc - base) & in_router;
      best.improve({output_arbiters_.rank(out_vc - base, place), place});
    }
    VcGrant* grant = grants.end();
    for (const VcIndex* out = asked_.begin(); out != asked; ++out) {
      const VcIndex out_vc = *out, place = offers[out_vc - base].from();
      const VcIndex winner = base + (((out_vc - base) & ~in_router) | place);
      output_arbiters_.use(out_vc - base, place);
      input_arbiters_.use(winner - base, bank.lane_of(out_vc));
      *grant++ = {winner, out_vc};
      offers[out_vc - base] = ShortOffer{};
    }
    grants.resize_to(grant);
  }
  /// Which of the free VCs of its port a head asks for.
  unsigned pick(VcIndex in_vc, VcMask free) const { return input_arbiters_.pick(in_vc - base_, free); }
  void checkpoint(Checkpoint& c) { c(input_arbiters_, output_arbiters_); }

 private:
  static std::size_t vcs(const AllocatorOptions& options) {
    return options.range.size() * options.bank->port_stride() * options.bank->lane_stride();
  }

  VcIndex base_;
  Arbiters input_arbiters_;         // [input VC], among the VCs of the port it chose
  Arbiters output_arbiters_;        // [output VC], among the router's input VCs
  std::vector<ShortOffer> offers_;  // [output VC], from a place in its router; empty between calls
  WorkList<VcIndex> asked_;
};

}  // namespace braid::models::hybrid
