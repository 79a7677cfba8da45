// Separable, input first: each waiting head asks for one output VC, then each output VC takes one of those who ask.
#include "models/families/hybrid/separable_vc_arbitration.h"

namespace braid::models::hybrid {
namespace {

template <class Arbiters>
class SeparableVcAllocator final : public VcAllocator {
 public:
  explicit SeparableVcAllocator(const AllocatorOptions& options) : arbitration_(options) {}

  void allocate(const VcRequests& requests, WorkList<VcGrant>& grants) override {
    with_numbering(requests.bank, [&](const BankView& bank) __attribute__((always_inline)) {
      const auto ask = [&](VcIndex in_vc) __attribute__((always_inline)) { return choose(bank, in_vc); };
      const auto look_ahead = [&](VcIndex in_vc) { __builtin_prefetch(bank.candidates(in_vc)); };
      arbitration_.run(bank, requests.waiting, requests.cycle, grants, ask, look_ahead);
    });
  }
  SeparableVcArbitration<RoundRobinArbiters>* round_robin() override {
    if constexpr (std::is_same_v<Arbiters, RoundRobinArbiters>) return &arbitration_;
    return nullptr;
  }
  void checkpoint(Checkpoint& c) override { c(arbitration_); }

 private:
  /// The output VC that a head asks for, or kNone: see routing::Candidate for the order among ports; round robin within
  /// a port.
  [[gnu::always_inline]] VcIndex choose(const BankView& bank, VcIndex in_vc) const {
    const PortIndex router = bank.port_of_vc(in_vc) & ~(bank.port_stride() - 1);
    const routing::Candidate* best = bank.candidates(in_vc);
    VcMask free = best->vcs & bank.free_vcs[router | best->port.value];
    const std::size_t count = bank.max_candidates() == 1 ? 1 : bank.ways[in_vc];
    if (count > 1) free = choose_candidate(bank, router, bank.last_ports[in_vc], best, best + count);
    if (free == 0) return kNone;
    return bank.vc_index(router | best->port.value, arbitration_.pick(in_vc, free));
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

  SeparableVcArbitration<Arbiters> arbitration_;
};

const bool separable_vc_allocator_registered = VcAllocatorRegistry::instance().add(
    "separable_input_first", "each head asks for one output VC, each output VC takes one head",
    with_arbiter_or_age<VcAllocator, SeparableVcAllocator>);

}  // namespace
}  // namespace braid::models::hybrid
