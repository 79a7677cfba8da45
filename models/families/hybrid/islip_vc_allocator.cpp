// iSLIP with one iteration over single VCs: every waiting head requests every free VC of all its candidates, whatever
// their priority; output VCs grant, heads accept, pointers move on acceptance. This is what BookSim 2 runs.
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
        grant_arbiters_(options.range.size() * router_vcs_, router_vcs_),
        accept_arbiters_(options.range.size() * router_vcs_, router_vcs_),
        grants_(options.range.size() * router_vcs_),
        accepts_(options.range.size() * router_vcs_) {
    requested_.reserve(grants_.size());
    offered_.reserve(accepts_.size());
  }

  void allocate(const VcRequests& requests, WorkList<VcGrant>& grants) override {
    for (const VcIndex in_vc : requests.waiting) request_all(in_vc);
    for (const VcIndex out_vc : requested_) {
      keep_first(accepts_, offered_, accept_arbiters_, grants_[out_vc - base_].from(), out_vc);
      grants_[out_vc - base_] = Offer{};
    }
    requested_.clear();
    for (const VcIndex in_vc : offered_) {
      const VcIndex out_vc = accepts_[in_vc - base_].from();
      grant_arbiters_.use(out_vc - base_, in_router(in_vc));
      accept_arbiters_.use(in_vc - base_, in_router(out_vc));
      grants.push({in_vc, out_vc});
      accepts_[in_vc - base_] = Offer{};
    }
    offered_.clear();
  }

 private:
  std::uint32_t in_router(VcIndex v) const { return (v - base_) & (router_vcs_ - 1); }

  void request_all(VcIndex in_vc) {
    const routing::Candidate* candidates = bank_.candidates(in_vc);
    for (std::size_t i = 0; i < bank_.input_vcs[in_vc].candidates; ++i) {
      const RouterId router = bank_.router_of(bank_.port_of_vc(in_vc));
      const PortIndex out = bank_.port_index(router, candidates[i].port);
      for (VcMask free = free_candidate_vcs(bank_, in_vc, candidates[i]); free != 0; free &= free - 1) {
        const VcIndex out_vc = bank_.vc_index(out, static_cast<unsigned>(__builtin_ctz(free)));
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
  std::uint32_t router_vcs_;    // a power of two
  Arbiters grant_arbiters_;     // [output VC], among the router's input VCs
  Arbiters accept_arbiters_;    // [input VC], among the router's output VCs
  std::vector<Offer> grants_;   // [output VC] to an input VC; empty between calls
  std::vector<Offer> accepts_;  // [input VC] of an output VC; empty between calls
  WorkList<VcIndex> requested_;
  WorkList<VcIndex> offered_;
};

const bool islip_vc_allocator_registered = VcAllocatorRegistry::instance().add(
    "islip", "iSLIP, one iteration, over all free VCs of all candidates", with_arbiter<VcAllocator, IslipVcAllocator>);

}  // namespace
}  // namespace braid::models::hybrid
