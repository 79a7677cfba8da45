// iSLIP with one iteration (McKeown 1999): every input requests every output it has a flit for; outputs grant, inputs
// accept, and both pointers move only on an accepted grant. A second arbiter picks the VC of the accepted pair.
#include "models/with_arbiter.h"

namespace braid::models {
namespace {

template <class Arbiters>
class IslipSwitchAllocator final : public SwitchAllocator {
 public:
  explicit IslipSwitchAllocator(const AllocatorOptions& options)
      : range_(options.range),
        grant_arbiters_(range_.size() * options.bank->port_stride(), options.bank->port_stride()),
        accept_arbiters_(range_.size() * options.bank->port_stride(), options.bank->port_stride()),
        vc_arbiters_(range_.size() * options.bank->port_stride(), options.bank->vcs()) {}

  void allocate(const SwitchRequests& requests, WorkList<VcIndex>& grants) override {
    const BankView bank = requests.bank;
    for (const std::uint32_t router : requests.routers) allocate_router(bank, requests, router, grants);
  }

 private:
  void allocate_router(const BankView& bank, const SwitchRequests& requests, std::uint32_t router,
                       WorkList<VcIndex>& grants) {
    const std::uint32_t local = router - range_.first;
    const PortIndex base = router * bank.port_stride();
    const std::size_t arbiter_base = std::size_t{local} * bank.port_stride();
    const std::uint64_t closed = requests.taken_outputs[local] | bank.closed_outputs[router];
    std::uint64_t requested[routing::kMaxPorts];  // [output] by these inputs
    std::uint64_t requested_outputs = 0;
    bank.for_each_requesting_port(router, [&](unsigned port, VcMask vcs) {
      if (((requests.taken_inputs[local] >> port) & 1) != 0) return;
      for (; vcs != 0; vcs &= vcs - 1) {
        const auto lane = static_cast<unsigned>(__builtin_ctz(vcs));
        const unsigned out = bank.out_port(bank.vc_index(base + port, lane));
        const std::uint64_t bit = std::uint64_t{1} << out;
        if ((closed & bit) != 0) continue;
        requested[out] = ((requested_outputs & bit) != 0 ? requested[out] : 0) | (std::uint64_t{1} << port);
        requested_outputs |= bit;
      }
    });
    std::uint64_t granted[routing::kMaxPorts];  // [input] by these outputs
    std::uint64_t granted_inputs = 0;
    for (; requested_outputs != 0; requested_outputs &= requested_outputs - 1) {
      const auto out = static_cast<unsigned>(__builtin_ctzll(requested_outputs));
      const unsigned port = grant_arbiters_.pick(arbiter_base + out, requested[out]);
      const std::uint64_t bit = std::uint64_t{1} << port;
      granted[port] = ((granted_inputs & bit) != 0 ? granted[port] : 0) | (std::uint64_t{1} << out);
      granted_inputs |= bit;
    }
    for (; granted_inputs != 0; granted_inputs &= granted_inputs - 1) {
      const auto port = static_cast<unsigned>(__builtin_ctzll(granted_inputs));
      const unsigned out = accept_arbiters_.pick(arbiter_base + port, granted[port]);
      grant_arbiters_.use(arbiter_base + out, port);
      accept_arbiters_.use(arbiter_base + port, out);
      const unsigned lane = vc_arbiters_.pick(arbiter_base + port, lanes_for(bank, base + port, out));
      vc_arbiters_.use(arbiter_base + port, lane);
      grants.push(bank.vc_index(base + port, lane));
    }
  }

  static std::uint32_t lanes_for(const BankView& bank, PortIndex port, unsigned out) {
    std::uint32_t result = 0;
    for (VcMask lanes = bank.requesting_vcs(port); lanes != 0; lanes &= lanes - 1) {
      const auto lane = static_cast<unsigned>(__builtin_ctz(lanes));
      if (bank.out_port(bank.vc_index(port, lane)) == out) result |= 1U << lane;
    }
    return result;
  }

  RouterRange range_;
  Arbiters grant_arbiters_;   // [output port], among input ports
  Arbiters accept_arbiters_;  // [input port], among output ports
  Arbiters vc_arbiters_;      // [input port], among its VCs
};

const bool registered = SwitchAllocatorRegistry::instance().add(
    "islip", "iSLIP, one iteration: outputs grant, inputs accept", with_arbiter<SwitchAllocator, IslipSwitchAllocator>);

}  // namespace
}  // namespace braid::models
