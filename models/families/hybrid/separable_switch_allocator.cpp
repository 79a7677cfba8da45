// Separable, input first: each input port offers one of its VCs, then each output port takes one of the offers.
// A VC that offers itself to a busy output loses the cycle: that is the price of the two separate steps.
#include "models/families/hybrid/with_arbiter.h"

namespace braid::models::hybrid {
namespace {

template <class Arbiters>
class SeparableSwitchAllocator final : public SwitchAllocator {
 public:
  explicit SeparableSwitchAllocator(const AllocatorOptions& options)
      : first_port_(options.range.first * options.bank->port_stride()),
        ports_(options.range.size() * options.bank->port_stride()),
        vc_arbiters_(make_arbiters<Arbiters>(options, ports_, options.bank->vcs())),
        output_arbiters_(make_arbiters<Arbiters>(options, ports_, options.bank->port_stride())),
        packets_(options.packets),
        offers_(ports_) {
    wanted_.reserve(ports_ + 1);  // one more than can be: every request stores there, and only the first one counts
  }

  void allocate(const SwitchRequests& requests, WorkList<VcIndex>& grants) override {
    if (requests.bank.has_circuits()) return allocate<true>(requests, grants);
    allocate<false>(requests, grants);
  }
  std::optional<RoundRobinPointers> round_robin() override {
    if constexpr (std::is_same_v<Arbiters, RoundRobinArbiters>) {
      return RoundRobinPointers{vc_arbiters_.pointers(), output_arbiters_.pointers()};
    }
    return std::nullopt;
  }
  std::optional<MatrixRanks> matrix() override {
    if constexpr (std::is_same_v<Arbiters, MatrixArbiters>) {
      return MatrixRanks{vc_arbiters_.ranks(), output_arbiters_.ranks()};
    }
    return std::nullopt;
  }
  void checkpoint(Checkpoint& c) override { c(vc_arbiters_, output_arbiters_); }

 private:
  /// Two functions: what circuits need costs packet routers nothing, not even registers.
  template <bool kCircuits>
  [[gnu::noinline]] void allocate(const SwitchRequests& requests, WorkList<VcIndex>& grants) {
    with_numbering(requests.bank, [&](const BankView& bank) __attribute__((always_inline)) {
      offer<kCircuits>(bank, requests);
      take(bank, grants);
    });
  }

  template <bool kCircuits>
  [[gnu::always_inline]] void offer(const BankView& bank, const SwitchRequests& requests) {
    const PortIndex first = first_port_;
    const AgesFor<Arbiters> ages(bank, packets_, requests.cycle);
    Offer* const offers = offers_.data();
    PortIndex* wanted = wanted_.begin();
    requests.ports.for_each([&](std::size_t i) __attribute__((always_inline)) {
      const PortIndex port = first + static_cast<PortIndex>(i);
      const VcMask lanes = kCircuits ? requests.lanes(bank, port, first) : bank.switch_requests[port];
      if (kCircuits && lanes == 0) return;
      const VcIndex first_vc = bank.vc_index(port, 0);
      const VcIndex in_vc = first_vc | pick_lane(vc_arbiters_, ages, i, lanes, first_vc);
      const PortIndex out = bank.port_of_vc(bank.input_vcs[in_vc].out_vc);
      if (kCircuits && !requests.open(bank, out, first)) return;
      Offer& best = offers[out - first];
      *wanted = out - first;
      wanted += best.empty() ? 1 : 0;
      best.improve({rank_of_packet(output_arbiters_, ages, out - first, bank.port_of(port), in_vc), in_vc});
    });
    wanted_.resize_to(wanted);
  }

  [[gnu::always_inline]] void take(const BankView& bank, WorkList<VcIndex>& grants) {
    const PortIndex first = first_port_;
    Offer* const offers = offers_.data();
    VcIndex* grant = grants.end();
    for (const PortIndex out : wanted_) {
      const VcIndex in_vc = offers[out].from();
      const PortIndex in_port = bank.port_of_vc(in_vc);
      output_arbiters_.use(out, bank.port_of(in_port));
      vc_arbiters_.use(in_port - first, bank.lane_of(in_vc));
      *grant++ = in_vc;
      offers[out] = Offer{};
    }
    grants.resize_to(grant);
  }

  PortIndex first_port_;
  std::size_t ports_;
  Arbiters vc_arbiters_;        // [input port], among its VCs
  Arbiters output_arbiters_;    // [output port], among input ports
  const PacketStore* packets_;  // for arbiters that go by age
  std::vector<Offer> offers_;   // [output port], empty between calls
  WorkList<PortIndex> wanted_;  // output ports with an offer
};

const bool separable_switch_allocator_registered = SwitchAllocatorRegistry::instance().add(
    "separable_input_first", "each input port offers one VC, each output port takes one offer",
    with_arbiter_or_age<SwitchAllocator, SeparableSwitchAllocator>);

}  // namespace

}  // namespace braid::models::hybrid
