// Separable, input first: each waiting head asks for one output VC, then each output VC takes one of those who ask.
#include "models/families/hybrid/vc_allocator.h"
#include "models/families/hybrid/with_arbiter.h"

namespace braid::models::hybrid {
namespace {

template <class Arbiters>
class SeparableVcAllocator final : public VcAllocator {
 public:
  explicit SeparableVcAllocator(const AllocatorOptions& options)
      : base_(options.bank->vc_index(options.range.first * options.bank->port_stride(), 0)),
        input_arbiters_(make_arbiters<Arbiters>(options, vcs(options), options.bank->vcs())),
        output_arbiters_(make_arbiters<Arbiters>(options, vcs(options), vcs(options) / options.range.size())),
        offers_(vcs(options)) {
    asked_.reserve(offers_.size() + 1);
  }

  void allocate(const VcRequests& requests, WorkList<VcGrant>& grants) override {
    with_numbering(requests.bank, [&](const BankView& bank) __attribute__((always_inline)) {
      const VcIndex base = base_;
      const std::uint32_t in_router = bank.port_stride() * bank.lane_stride() - 1;
      Offer* const offers = offers_.data();
      VcIndex* asked = asked_.begin();
      const VcIndex* const end = requests.waiting.end();
      for (const VcIndex* waiting = requests.waiting.begin(); waiting != end; ++waiting) {
        __builtin_prefetch(bank.candidates(waiting[kPrefetch]));
        const VcIndex in_vc = *waiting;
        const VcIndex out_vc = choose(bank, in_vc);
        if (out_vc == kNone) continue;
        Offer& best = offers[out_vc - base];
        *asked = out_vc;
        asked += best.empty() ? 1 : 0;
        best.improve({output_arbiters_.rank(out_vc - base, (in_vc - base) & in_router), in_vc});
      }
      VcGrant* grant = grants.end();
      for (const VcIndex* out = asked_.begin(); out != asked; ++out) {
        const VcIndex out_vc = *out, winner = offers[out_vc - base].from();
        output_arbiters_.use(out_vc - base, (winner - base) & in_router);
        input_arbiters_.use(winner - base, bank.lane_of(out_vc));
        *grant++ = {winner, out_vc};
        offers[out_vc - base] = Offer{};
      }
      grants.resize_to(grant);
    });
  }
  void checkpoint(Checkpoint& c) override { c(input_arbiters_, output_arbiters_); }

 private:
  static std::size_t vcs(const AllocatorOptions& options) {
    return options.range.size() * options.bank->port_stride() * options.bank->lane_stride();
  }

  /// The output VC that a head asks for, or kNone: see routing::Candidate for the order among ports; round robin within
  /// a port.
  [[gnu::always_inline]] VcIndex choose(const BankView& bank, VcIndex in_vc) const {
    const PortIndex router = bank.port_of_vc(in_vc) & ~(bank.port_stride() - 1);
    const routing::Candidate* best = bank.candidates(in_vc);
    VcMask free = best->vcs & bank.free_vcs[router | best->port.value];
    const std::size_t count = bank.max_candidates() == 1 ? 1 : bank.input_vcs[in_vc].candidates;
    if (count > 1) free = choose_candidate(bank, router, bank.last_ports[in_vc], best, best + count);
    if (free == 0) return kNone;
    return bank.vc_index(router | best->port.value, input_arbiters_.pick(in_vc - base_, free));
  }

  /// Moves `best` to the candidate to ask and gives its free VCs; 0 if no candidate has any. Ties go round: first come
  /// the ports after `last_port`.
  static VcMask choose_candidate(const BankView& bank, PortIndex router, std::uint32_t last_port,
                                 const routing::Candidate*& best, const routing::Candidate* end) {
    VcMask best_free = 0;
    std::uint32_t best_credits = 0, best_turn = 0;
    for (const routing::Candidate* c = best; c != end; ++c) {
      const VcMask free = c->vcs & bank.free_vcs[router | c->port.value];
      if (free == 0 || (best_free != 0 && c->priority < best->priority)) continue;
      const std::uint32_t credits = downstream_space(bank, router | c->port.value, c->vcs);
      const std::uint32_t turn = (c->port.value - last_port - 1) & (bank.port_stride() - 1);
      if (best_free == 0 || c->priority > best->priority || credits > best_credits ||
          (credits == best_credits && turn < best_turn)) {
        best = c;
        best_free = free;
        best_credits = credits;
        best_turn = turn;
      }
    }
    return best_free;
  }

  static std::uint32_t downstream_space(const BankView& bank, PortIndex out, VcMask vcs) {
    std::uint32_t credits = 0;
    for (; vcs != 0; vcs &= vcs - 1) {
      credits += bank.output_vcs[bank.vc_index(out, static_cast<unsigned>(__builtin_ctz(vcs)))].credits;
    }
    return credits;
  }

  VcIndex base_;
  Arbiters input_arbiters_;    // [input VC], among the VCs of the port it chose
  Arbiters output_arbiters_;   // [output VC], among the router's input VCs
  std::vector<Offer> offers_;  // [output VC], empty between calls
  WorkList<VcIndex> asked_;
};

const bool separable_vc_allocator_registered = VcAllocatorRegistry::instance().add(
    "separable_input_first", "each head asks for one output VC, each output VC takes one head",
    with_arbiter<VcAllocator, SeparableVcAllocator>);

}  // namespace
}  // namespace braid::models::hybrid
