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
        first_port_(range_.first * options.bank->port_stride()),
        vc_arbiters_(range_.size() * options.bank->port_stride(), options.bank->vcs()),
        output_arbiters_(range_.size() * options.bank->port_stride(), options.bank->port_stride()),
        offer_(range_.size() * options.bank->port_stride(), kNone) {
    wanted_.reserve(offer_.size());
  }

  void allocate(const SwitchRequests& requests, WorkList<VcIndex>& grants) override {
    with_numbering(requests.bank, [&](const BankView& bank) __attribute__((always_inline)) {
      VcIndex* const offer = offer_.data();
      for (const std::uint32_t router : requests.routers) {
        const std::uint32_t local = router - range_.first;
        const PortIndex base = local * bank.port_stride();
        const std::uint64_t taken = requests.taken_inputs[local];
        const std::uint64_t closed = requests.taken_outputs[local] | bank.closed_outputs[router];
        bank.for_each_requesting_port(router, [&](unsigned port, VcMask vcs) {
          const VcIndex in_vc = bank.vc_index(first_port_ + base + port, vc_arbiters_.pick(base + port, vcs));
          const unsigned out = bank.out_port(in_vc);
          if ((((taken >> port) | (closed >> out)) & 1) != 0) return;
          VcIndex& first = offer[base + out];
          if (first == kNone) {
            first = in_vc;
            wanted_.push(base + out);
          } else if (output_arbiters_.before(base + out, port, bank.port_of(bank.port_of_vc(first)))) {
            first = in_vc;
          }
        });
      }
      for (const PortIndex out : wanted_) {
        const VcIndex in_vc = offer[out];
        const PortIndex in_port = bank.port_of_vc(in_vc);
        output_arbiters_.use(out, bank.port_of(in_port));
        vc_arbiters_.use(in_port - first_port_, bank.lane_of(in_vc));
        grants.push(in_vc);
        offer[out] = kNone;
      }
      wanted_.clear();
    });
  }

 private:
  RouterRange range_;
  PortIndex first_port_;
  Arbiters vc_arbiters_;        // [input port], among its VCs
  Arbiters output_arbiters_;    // [output port], among input ports
  std::vector<VcIndex> offer_;  // [output port] the best offer, empty between calls
  WorkList<PortIndex> wanted_;  // output ports with an offer
};

const bool registered = SwitchAllocatorRegistry::instance().add(
    "separable_input_first", "each input port offers one VC, each output port takes one offer",
    with_arbiter<SwitchAllocator, SeparableSwitchAllocator>);

}  // namespace

std::vector<std::string> arbiter_names() { return {"matrix", "round_robin"}; }

}  // namespace braid::models
