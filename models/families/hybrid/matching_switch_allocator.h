// Switch allocators that see all requests of a router at once: a matcher says which input port gets which output port,
// an arbiter of each input port which of its VCs goes there. A matcher is a class with
//
//   explicit Matcher(const AllocatorOptions& options);
//   void match(std::uint32_t router, std::uint64_t cycle, std::uint32_t ports, const PortRequests& requests,
//              PortMatching& matching);
//   void checkpoint(Checkpoint& c);
//
// It is called for routers in which somebody asks; what it decides depends on their own requests and the cycle alone.
#pragma once

#include <algorithm>
#include <array>

#include "models/families/hybrid/with_arbiter.h"
#include "routing/topology/topology.h"

namespace braid::models::hybrid {

/// The matrix of requests of a router, by port numbers.
struct PortRequests {
  std::uint64_t inputs = 0;                                    ///< with a request
  std::array<std::uint64_t, routing::kMaxPorts> outputs = {};  ///< [input] that it asks for; of no others valid
};

/// Who gets what.
class PortMatching {
 public:
  void clear() { inputs_ = outputs_ = 0; }
  void add(unsigned input, unsigned output) {
    inputs_ |= std::uint64_t{1} << input;
    outputs_ |= std::uint64_t{1} << output;
    output_of_[input] = static_cast<std::uint8_t>(output);
  }
  std::uint64_t inputs() const { return inputs_; }    ///< that are matched
  std::uint64_t outputs() const { return outputs_; }  ///< that are matched
  unsigned output_of(unsigned input) const { return output_of_[input]; }

 private:
  std::uint64_t inputs_ = 0, outputs_ = 0;
  std::array<std::uint8_t, routing::kMaxPorts> output_of_ = {};
};

/// Calls visit(i) for the set bits.
template <class Visit>
void for_each_port(std::uint64_t ports, Visit visit) {
  for (; ports != 0; ports &= ports - 1) visit(static_cast<unsigned>(__builtin_ctzll(ports)));
}

template <class Matcher, class Arbiters>
class MatchingSwitchAllocator final : public SwitchAllocator {
 public:
  explicit MatchingSwitchAllocator(const AllocatorOptions& options)
      : first_port_(options.range.first * options.bank->port_stride()),
        first_router_(options.range.first),
        ports_(most_ports(*options.bank)),
        matcher_(options),
        vc_arbiters_(make_arbiters<Arbiters>(options, options.range.size() * options.bank->port_stride(),
                                             options.bank->vcs())) {}

  void allocate(const SwitchRequests& requests, WorkList<VcIndex>& grants) override {
    const BankView bank = requests.bank;
    std::uint32_t router = kNone;
    requests.ports.for_each([&](std::size_t i) {
      const PortIndex in = first_port_ + static_cast<PortIndex>(i);
      const std::uint64_t outputs = outputs_wanted(bank, requests, in);
      if (outputs == 0) return;
      if (bank.router_of(in).value != router) grant(bank, requests, router, grants);
      router = bank.router_of(in).value;
      asked_.inputs |= std::uint64_t{1} << bank.port_of(in);
      asked_.outputs[bank.port_of(in)] = outputs;
    });
    grant(bank, requests, router, grants);
  }
  void checkpoint(Checkpoint& c) override { c(matcher_, vc_arbiters_); }

 private:
  /// Ports of a router, as the largest of the network has them: one past the last that leads somewhere.
  static std::uint32_t most_ports(const RouterBank& bank) {
    std::uint32_t most = 1;
    for (PortIndex p = 0; p < bank.input_port_count(); ++p) {
      if (bank.upstream[p] != kNone || bank.links[p].target != kNone) most = std::max(most, bank.port_of(p) + 1);
    }
    return most;
  }
  static PortIndex output_of(const BankView& bank, PortIndex in, unsigned lane) {
    return bank.port_of_vc(bank.input_vcs[bank.vc_index(in, lane)].out_vc);
  }
  std::uint64_t outputs_wanted(const BankView& bank, const SwitchRequests& requests, PortIndex in) const {
    std::uint64_t outputs = 0;
    for (VcMask lanes = requests.lanes(bank, in, first_port_); lanes != 0; lanes &= lanes - 1) {
      const PortIndex out = output_of(bank, in, static_cast<unsigned>(__builtin_ctz(lanes)));
      outputs |= std::uint64_t{requests.open(bank, out, first_port_)} << bank.port_of(out);
    }
    return outputs;
  }

  /// What has been asked for at a router.
  void grant(const BankView& bank, const SwitchRequests& requests, std::uint32_t router, WorkList<VcIndex>& grants) {
    if (asked_.inputs == 0) return;
    matching_.clear();
    matcher_.match(router - first_router_, requests.cycle, ports_, asked_, matching_);
    for_each_port(matching_.inputs(), [&](unsigned input) {
      const PortIndex in = bank.port_index(RouterId{router}, PortId{input});
      const PortIndex out = bank.port_index(RouterId{router}, PortId{matching_.output_of(input)});
      VcMask fitting = 0;
      for (VcMask lanes = requests.lanes(bank, in, first_port_); lanes != 0; lanes &= lanes - 1) {
        const auto lane = static_cast<unsigned>(__builtin_ctz(lanes));
        fitting |= VcMask{output_of(bank, in, lane) == out} << lane;
      }
      const unsigned lane = vc_arbiters_.pick(in - first_port_, fitting);
      vc_arbiters_.use(in - first_port_, lane);
      grants.push(bank.vc_index(in, lane));
    });
    asked_.inputs = 0;
  }

  PortIndex first_port_;
  std::uint32_t first_router_;
  std::uint32_t ports_;
  Matcher matcher_;
  Arbiters vc_arbiters_;  // [input port], among its VCs
  PortRequests asked_;    // of the router that is walked; empty between calls
  PortMatching matching_;
};

/// The allocators of a matcher, for with_arbiter().
template <class Matcher>
struct Matched {
  template <class Arbiters>
  using Allocator = MatchingSwitchAllocator<Matcher, Arbiters>;
};

/// The allocator of a matcher, with the arbiter of that name.
template <class Matcher>
std::unique_ptr<SwitchAllocator> matching_switch_allocator(const AllocatorOptions& options) {
  return with_arbiter<SwitchAllocator, Matched<Matcher>::template Allocator>(options);
}

}  // namespace braid::models::hybrid
