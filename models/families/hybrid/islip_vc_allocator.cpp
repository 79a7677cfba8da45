// iSLIP over single VCs: every waiting head requests every free VC of all its candidates, whatever their priority and
// the credits behind them (an escape VC is asked for like any other); output VCs grant, heads accept. Heads that an
// iteration leaves without a VC ask again in the next one; pointers move on acceptance in the first. With one iteration
// this is what BookSim 2 runs.
#include "models/families/hybrid/vc_allocator.h"
#include "models/families/hybrid/with_arbiter.h"

namespace braid::models::hybrid {
namespace {

template <class Arbiters>
class IslipVcAllocator final : public VcAllocator {
 public:
  explicit IslipVcAllocator(const AllocatorOptions& options)
      : bank_(*options.bank),
        base_(bank_.vc_index(options.range.first * bank_.port_stride(), 0)),
        router_vcs_(bank_.port_stride() * bank_.lane_stride()),
        grant_arbiters_(make_arbiters<Arbiters>(options, options.range.size() * router_vcs_, router_vcs_)),
        accept_arbiters_(make_arbiters<Arbiters>(options, options.range.size() * router_vcs_, router_vcs_)),
        iterations_(options.islip_iterations),
        grants_(options.range.size() * router_vcs_),
        accepts_(options.range.size() * router_vcs_),
        matched_inputs_(std::make_unique<bool[]>(options.range.size() * router_vcs_)),
        matched_outputs_(std::make_unique<bool[]>(options.range.size() * router_vcs_)) {
    requested_.reserve(grants_.size());
    offered_.reserve(accepts_.size());
  }

  void allocate(const VcRequests& requests, WorkList<VcGrant>& grants) override {
    const std::size_t first = grants.size();
    for (std::uint32_t i = 0; i < iterations_; ++i) {
      const std::size_t before = grants.size();
      iterate(requests, grants, i == 0);
      if (grants.size() == before) break;  // the next one would ask the same
    }
    for (std::size_t g = first; g < grants.size(); ++g) {
      matched_inputs_[grants[g].in_vc - base_] = matched_outputs_[grants[g].out_vc - base_] = false;
    }
  }
  void checkpoint(Checkpoint& c) override { c(grant_arbiters_, accept_arbiters_); }

 private:
  void iterate(const VcRequests& requests, WorkList<VcGrant>& grants, bool move_pointers) {
    for (const VcIndex in_vc : requests.waiting) {
      if (!matched_inputs_[in_vc - base_]) request_all(in_vc);
    }
    for (const VcIndex out_vc : requested_) {
      keep_first(accepts_, offered_, accept_arbiters_, grants_[out_vc - base_].from(), out_vc);
      grants_[out_vc - base_] = Offer{};
    }
    requested_.clear();
    for (const VcIndex in_vc : offered_) {
      const VcIndex out_vc = accepts_[in_vc - base_].from();
      if (move_pointers) {
        grant_arbiters_.use(out_vc - base_, in_router(in_vc));
        accept_arbiters_.use(in_vc - base_, in_router(out_vc));
      }
      grants.push({in_vc, out_vc});
      matched_inputs_[in_vc - base_] = matched_outputs_[out_vc - base_] = true;
      accepts_[in_vc - base_] = Offer{};
    }
    offered_.clear();
  }

  std::uint32_t in_router(VcIndex v) const { return (v - base_) & (router_vcs_ - 1); }

  void request_all(VcIndex in_vc) {
    const routing::Candidate* candidates = bank_.candidates(in_vc);
    const std::size_t ways = bank_.ways[in_vc];
    for (std::size_t i = 0; i < ways; ++i) {
      const RouterId router = bank_.router_of(bank_.port_of_vc(in_vc));
      const PortIndex out = bank_.port_index(router, candidates[i].port);
      for (VcMask free = free_candidate_vcs(bank_, in_vc, candidates[i]); free != 0; free &= free - 1) {
        const VcIndex out_vc = bank_.vc_index(out, static_cast<unsigned>(__builtin_ctz(free)));
        if (matched_outputs_[out_vc - base_]) continue;
        keep_first(grants_, requested_, grant_arbiters_, out_vc, in_vc);
      }
    }
  }

  /// The better of an arbiter's offers is kept; `touched` lists arbiters with their first.
  void keep_first(std::vector<Offer>& offers, WorkList<VcIndex>& touched, const Arbiters& arbiters, VcIndex arbiter,
                  VcIndex requester) {
    Offer& best = offers[arbiter - base_];
    if (best.empty()) touched.push(arbiter);
    best.improve({arbiters.rank(arbiter - base_, in_router(requester)), requester});
  }

  const RouterBank& bank_;
  VcIndex base_;
  std::uint32_t router_vcs_;  // a power of two
  Arbiters grant_arbiters_;   // [output VC], among the router's input VCs
  Arbiters accept_arbiters_;  // [input VC], among the router's output VCs
  std::uint32_t iterations_;
  // Empty or false between calls:
  std::vector<Offer> grants_;                // [output VC] to an input VC
  std::vector<Offer> accepts_;               // [input VC] of an output VC
  std::unique_ptr<bool[]> matched_inputs_;   // [input VC] in this cycle
  std::unique_ptr<bool[]> matched_outputs_;  // [output VC]
  WorkList<VcIndex> requested_;
  WorkList<VcIndex> offered_;
};

const bool islip_vc_allocator_registered = VcAllocatorRegistry::instance().add(
    "islip", "iSLIP over all free VCs of all candidates; ignores credits and priorities", islip_options(),
    with_arbiter<VcAllocator, IslipVcAllocator>);

}  // namespace
}  // namespace braid::models::hybrid
