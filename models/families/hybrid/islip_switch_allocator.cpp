// iSLIP with one iteration (McKeown 1999): every input requests every output it has a flit for; outputs grant, inputs
// accept, and both pointers move only on an accepted grant. A second arbiter picks the VC of the accepted pair.
#include "models/families/hybrid/with_arbiter.h"

namespace braid::models::hybrid {
namespace {

template <class Arbiters>
class IslipSwitchAllocator final : public SwitchAllocator {
 public:
  explicit IslipSwitchAllocator(const AllocatorOptions& options)
      : first_port_(options.range.first * options.bank->port_stride()),
        ports_(options.range.size() * options.bank->port_stride()),
        grant_arbiters_(ports_, options.bank->port_stride()),
        accept_arbiters_(ports_, options.bank->port_stride()),
        vc_arbiters_(ports_, options.bank->vcs()),
        grants_(ports_),
        accepts_(ports_) {
    requested_.reserve(ports_);
    offered_.reserve(ports_);
  }

  void allocate(const SwitchRequests& requests, WorkList<VcIndex>& grants) override {
    const BankView bank = requests.bank;
    requests.ports.for_each([&](std::size_t in) { request(bank, requests, static_cast<PortIndex>(in)); });
    for (const PortIndex out : requested_) {
      const PortIndex in = grants_[out].from();
      if (accepts_[in].empty()) offered_.push(in);
      accepts_[in].improve({accept_arbiters_.rank(in, bank.port_of(out)), out});
      grants_[out] = Offer{};
    }
    requested_.clear();
    for (const PortIndex in : offered_) {
      const PortIndex out = accepts_[in].from();
      grant_arbiters_.use(out, bank.port_of(in));
      accept_arbiters_.use(in, bank.port_of(out));
      const unsigned lane = vc_arbiters_.pick(in, lanes_for(bank, first_port_ + in, first_port_ + out));
      vc_arbiters_.use(in, lane);
      grants.push(bank.vc_index(first_port_ + in, lane));
      accepts_[in] = Offer{};
    }
    offered_.clear();
  }

 private:
  void request(const BankView& bank, const SwitchRequests& requests, PortIndex in) {
    const PortIndex port = first_port_ + in;
    for (VcMask lanes = SwitchRequests::lanes(bank, port); lanes != 0; lanes &= lanes - 1) {
      const PortIndex out = out_port(bank, port, static_cast<unsigned>(__builtin_ctz(lanes)));
      if (!requests.open(bank, out, first_port_)) continue;
      Offer& best = grants_[out - first_port_];
      if (best.empty()) requested_.push(out - first_port_);
      best.improve({grant_arbiters_.rank(out - first_port_, bank.port_of(port)), in});
    }
  }

  static PortIndex out_port(const BankView& bank, PortIndex port, unsigned lane) {
    return bank.port_of_vc(bank.input_vcs[bank.vc_index(port, lane)].out_vc);
  }
  static VcMask lanes_for(const BankView& bank, PortIndex port, PortIndex out) {
    VcMask result = 0;
    for (VcMask lanes = bank.switch_requests[port]; lanes != 0; lanes &= lanes - 1) {
      const auto lane = static_cast<unsigned>(__builtin_ctz(lanes));
      if (out_port(bank, port, lane) == out) result |= 1U << lane;
    }
    return result;
  }

  PortIndex first_port_;
  std::size_t ports_;
  Arbiters grant_arbiters_;     // [output port], among input ports
  Arbiters accept_arbiters_;    // [input port], among output ports
  Arbiters vc_arbiters_;        // [input port], among its VCs
  std::vector<Offer> grants_;   // [output port] to an input port; empty between calls
  std::vector<Offer> accepts_;  // [input port] of an output port; empty between calls
  WorkList<PortIndex> requested_, offered_;
};

const bool islip_switch_allocator_registered = SwitchAllocatorRegistry::instance().add(
    "islip", "iSLIP, one iteration: outputs grant, inputs accept", with_arbiter<SwitchAllocator, IslipSwitchAllocator>);

}  // namespace
}  // namespace braid::models::hybrid
