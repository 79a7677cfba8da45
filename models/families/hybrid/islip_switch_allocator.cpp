// iSLIP (McKeown 1999): every input requests every output it has a flit for; outputs grant, inputs accept. What an
// iteration leaves unmatched asks again in the next one; both pointers move only on a grant accepted in the first, or
// somebody could wait for ever. A second arbiter picks the VC of the accepted pair.
#include "models/families/hybrid/with_arbiter.h"

namespace braid::models::hybrid {
namespace {

template <class Arbiters>
class IslipSwitchAllocator final : public SwitchAllocator {
 public:
  explicit IslipSwitchAllocator(const AllocatorOptions& options)
      : first_port_(options.range.first * options.bank->port_stride()),
        ports_(options.range.size() * options.bank->port_stride()),
        grant_arbiters_(make_arbiters<Arbiters>(options, ports_, options.bank->port_stride())),
        accept_arbiters_(make_arbiters<Arbiters>(options, ports_, options.bank->port_stride())),
        vc_arbiters_(make_arbiters<Arbiters>(options, ports_, options.bank->vcs())),
        iterations_(options.islip_iterations),
        grants_(ports_),
        accepts_(ports_),
        matched_inputs_(std::make_unique<bool[]>(ports_)),
        matched_outputs_(std::make_unique<bool[]>(ports_)) {
    requested_.reserve(ports_);
    offered_.reserve(ports_);
  }

  void allocate(const SwitchRequests& requests, WorkList<VcIndex>& grants) override {
    const BankView bank = requests.bank;
    const std::size_t first = grants.size();
    for (std::uint32_t i = 0; i < iterations_; ++i) {
      const std::size_t before = grants.size();
      iterate(bank, requests, grants, i == 0);
      if (grants.size() == before) break;  // the next one would ask the same
    }
    for (std::size_t g = first; g < grants.size(); ++g) {
      const PortIndex in = bank.port_of_vc(grants[g]);
      matched_inputs_[in - first_port_] = false;
      matched_outputs_[out_port(bank, in, bank.lane_of(grants[g])) - first_port_] = false;
    }
  }
  void checkpoint(Checkpoint& c) override { c(grant_arbiters_, accept_arbiters_, vc_arbiters_); }

 private:
  void iterate(const BankView& bank, const SwitchRequests& requests, WorkList<VcIndex>& grants, bool move_pointers) {
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
      if (move_pointers) {
        grant_arbiters_.use(out, bank.port_of(in));
        accept_arbiters_.use(in, bank.port_of(out));
      }
      const unsigned lane = vc_arbiters_.pick(in, lanes_for(bank, first_port_ + in, first_port_ + out));
      vc_arbiters_.use(in, lane);
      grants.push(bank.vc_index(first_port_ + in, lane));
      matched_inputs_[in] = matched_outputs_[out] = true;
      accepts_[in] = Offer{};
    }
    offered_.clear();
  }

  void request(const BankView& bank, const SwitchRequests& requests, PortIndex in) {
    if (matched_inputs_[in]) return;
    const PortIndex port = first_port_ + in;
    for (VcMask lanes = requests.lanes(bank, port, first_port_); lanes != 0; lanes &= lanes - 1) {
      const PortIndex out = out_port(bank, port, static_cast<unsigned>(__builtin_ctz(lanes)));
      if (matched_outputs_[out - first_port_] || !requests.open(bank, out, first_port_)) continue;
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
    const VcMask packets = (VcMask{1} << bank.vcs()) - 1;
    for (VcMask lanes = bank.switch_requests[port] & packets; lanes != 0; lanes &= lanes - 1) {
      const auto lane = static_cast<unsigned>(__builtin_ctz(lanes));
      if (out_port(bank, port, lane) == out) result |= 1U << lane;
    }
    return result;
  }

  PortIndex first_port_;
  std::size_t ports_;
  Arbiters grant_arbiters_;   // [output port], among input ports
  Arbiters accept_arbiters_;  // [input port], among output ports
  Arbiters vc_arbiters_;      // [input port], among its VCs
  std::uint32_t iterations_;
  // Empty or false between calls:
  std::vector<Offer> grants_;                // [output port] to an input port
  std::vector<Offer> accepts_;               // [input port] of an output port
  std::unique_ptr<bool[]> matched_inputs_;   // [input port] in this cycle
  std::unique_ptr<bool[]> matched_outputs_;  // [output port]
  WorkList<PortIndex> requested_, offered_;
};

const bool islip_switch_allocator_registered =
    SwitchAllocatorRegistry::instance().add("islip", "iSLIP: outputs grant, inputs accept", islip_options(),
                                            with_arbiter<SwitchAllocator, IslipSwitchAllocator>);

}  // namespace
}  // namespace braid::models::hybrid
