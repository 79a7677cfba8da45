// Separable, input first: each input port offers one of its VCs, then each output port takes one of the offers.
// A VC that offers itself to a busy output loses the cycle: that is the price of the two separate steps.
#include "models/with_arbiter.h"

namespace braid::models {
namespace {

template <class Arbiters>
class SeparableSwitchAllocator final : public SwitchAllocator {
 public:
  explicit SeparableSwitchAllocator(const AllocatorOptions& options)
      : range_(options.range),
        vc_arbiters_(range_.size() * options.bank->port_stride(), options.bank->vcs()),
        output_arbiters_(range_.size() * options.bank->port_stride(), options.bank->port_stride()) {}

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
    std::uint64_t wanted = 0;  // output ports with an offer
    std::uint64_t offers[routing::kMaxPorts];
    std::uint32_t offered_lane[routing::kMaxPorts];
    bank.for_each_requesting_port(router, [&](unsigned port, VcMask vcs) {
      if (((requests.taken_inputs[local] >> port) & 1) != 0) return;
      const unsigned lane = vc_arbiters_.pick(arbiter_base + port, vcs);
      const unsigned out = bank.input_vcs[bank.vc_index(base + port, lane)].out_port;
      const std::uint64_t bit = std::uint64_t{1} << out;
      if ((closed & bit) != 0) return;
      offers[out] = ((wanted & bit) != 0 ? offers[out] : 0) | (std::uint64_t{1} << port);
      wanted |= bit;
      offered_lane[port] = lane;
    });
    for (; wanted != 0; wanted &= wanted - 1) {
      const auto out = static_cast<unsigned>(__builtin_ctzll(wanted));
      const unsigned port = output_arbiters_.pick(arbiter_base + out, offers[out]);
      output_arbiters_.use(arbiter_base + out, port);
      vc_arbiters_.use(arbiter_base + port, offered_lane[port]);
      grants.push(bank.vc_index(base + port, offered_lane[port]));
    }
  }

  RouterRange range_;
  Arbiters vc_arbiters_;      // [input port], among its VCs
  Arbiters output_arbiters_;  // [output port], among input ports
};

const bool registered = SwitchAllocatorRegistry::instance().add(
    "separable_input_first", "each input port offers one VC, each output port takes one offer",
    with_arbiter<SwitchAllocator, SeparableSwitchAllocator>);

}  // namespace

std::vector<std::string> arbiter_names() { return {"matrix", "round_robin"}; }

}  // namespace braid::models
