// Separable, input first: each waiting head asks for one output VC, then each output VC takes one of those who ask.
#include <optional>

#include "models/vc_allocator.h"
#include "models/with_arbiter.h"

namespace braid::models {
namespace {

template <class Arbiters>
class SeparableVcAllocator final : public VcAllocator {
 public:
  explicit SeparableVcAllocator(const AllocatorOptions& options)
      : bank_(*options.bank),
        base_(bank_.vc_index(options.range.first * bank_.port_stride(), 0)),
        router_vcs_(bank_.port_stride() * bank_.lane_stride()),
        input_arbiters_(options.range.size() * router_vcs_, bank_.vcs()),
        output_arbiters_(options.range.size() * router_vcs_, router_vcs_),
        asked_by_(options.range.size() * router_vcs_, kNone) {
    asked_.reserve(asked_by_.size());
  }

  void allocate(const VcRequests& requests, WorkList<VcGrant>& grants) override {
    for (const VcIndex in_vc : requests.waiting) {
      if (const std::optional<VcIndex> out_vc = choose(in_vc)) ask(in_vc, *out_vc);
    }
    for (const VcIndex out_vc : asked_) {
      VcIndex& winner = asked_by_[out_vc - base_];
      output_arbiters_.use(out_vc - base_, (winner - base_) % router_vcs_);
      input_arbiters_.use(winner - base_, bank_.lane_of(out_vc));
      grants.push({winner, out_vc});
      winner = kNone;
    }
    asked_.clear();
  }

 private:
  /// The output VC that a head asks for: see routing::Candidate for the order among ports; round robin within a port.
  std::optional<VcIndex> choose(VcIndex in_vc) const {
    const routing::Candidate* candidates = bank_.candidates(in_vc);
    const std::size_t count = bank_.input_vcs[in_vc].candidates;
    const routing::Candidate* best = nullptr;
    VcMask best_free = 0;
    std::uint32_t best_credits = 0;
    for (const routing::Candidate* c = candidates; c != candidates + count; ++c) {
      const VcMask free = free_candidate_vcs(bank_, in_vc, *c);
      if (free == 0 || (best != nullptr && c->priority < best->priority)) continue;
      const std::uint32_t credits = count > 1 ? downstream_space(in_vc, *c) : 0;
      if (best == nullptr || c->priority > best->priority || credits > best_credits) {
        best = c;
        best_free = free;
        best_credits = credits;
      }
    }
    if (best == nullptr) return std::nullopt;
    const PortIndex out = bank_.port_index(bank_.router_of(bank_.port_of_vc(in_vc)), best->port);
    return bank_.vc_index(out, input_arbiters_.pick(in_vc - base_, best_free));
  }

  std::uint32_t downstream_space(VcIndex in_vc, const routing::Candidate& candidate) const {
    const PortIndex out = bank_.port_index(bank_.router_of(bank_.port_of_vc(in_vc)), candidate.port);
    std::uint32_t credits = 0;
    for (VcMask vcs = candidate.vcs; vcs != 0; vcs &= vcs - 1) {
      credits += bank_.output_vcs[bank_.vc_index(out, static_cast<unsigned>(__builtin_ctz(vcs)))].credits;
    }
    return credits;
  }

  void ask(VcIndex in_vc, VcIndex out_vc) {
    VcIndex& first = asked_by_[out_vc - base_];
    if (first == kNone) {
      first = in_vc;
      asked_.push(out_vc);
    } else if (output_arbiters_.before(out_vc - base_, (in_vc - base_) % router_vcs_, (first - base_) % router_vcs_)) {
      first = in_vc;
    }
  }

  const RouterBank& bank_;
  VcIndex base_;
  std::uint32_t router_vcs_;       // a power of two
  Arbiters input_arbiters_;        // [input VC], among the VCs of the port it chose
  Arbiters output_arbiters_;       // [output VC], among the router's input VCs
  std::vector<VcIndex> asked_by_;  // [output VC], empty between calls
  WorkList<VcIndex> asked_;
};

const bool registered = VcAllocatorRegistry::instance().add(
    "separable_input_first", "each head asks for one output VC, each output VC takes one head",
    with_arbiter<VcAllocator, SeparableVcAllocator>);

}  // namespace
}  // namespace braid::models
