#include "models/families/hybrid/crossbar_ports.h"

#include <fmt/format.h>

#include <algorithm>

#include "routing/topology/topology.h"

namespace braid::models::hybrid {
namespace {

/// Ports of a router that lead somewhere: one past the last, of the largest router.
std::uint32_t used_ports(const RouterBank& bank) {
  std::uint32_t most = 1;
  for (PortIndex p = 0; p < bank.input_port_count(); ++p) {
    if (bank.upstream[p] != kNone || bank.links[p].target != kNone) most = std::max(most, bank.port_of(p) + 1);
  }
  return most;
}

/// Routers whose ports lead back to themselves: only their number matters.
routing::Topology crossbars(std::size_t routers, std::size_t ports) {
  routing::Topology t;
  t.name = "crossbars";
  t.routers.resize(routers);
  for (std::size_t r = 0; r < routers; ++r) {
    for (std::size_t p = 0; p < ports; ++p) {
      t.routers[r].push_back({routing::PortKind::kNetwork, RouterId{r}, PortId{p}, {}, 1, {}});
    }
  }
  return t;
}

/// What the registers of requests are made for: buffers of a flit, which tells how old it is.
Options crossbar_options(const Options& router) {
  Options options;
  options.vcs = router.vcs;
  options.buffer_depth = 1;
  return options;
}

/// Sets of ports are one word in these; the other two of Braid's go by numbers.
bool ports_are_a_word(const std::string& allocator) {
  return allocator != "separable_input_first" && allocator != "islip";
}

std::size_t crossbar_ports(const AllocatorOptions& made_for, const Options& router) {
  const std::size_t ports =
      std::size_t{used_ports(*made_for.bank)} * std::max(router.input_speedup, router.output_speedup);
  if (ports > routing::kMaxPorts && ports_are_a_word(router.switch_allocator)) {
    throw InputError(fmt::format(
        "router.switch_allocator = \"{}\": a crossbar of {} ports by router.{}_speedup = {}; expected at most {} "
        "ports, or \"islip\" or \"separable_input_first\"",
        router.switch_allocator, ports, router.input_speedup > router.output_speedup ? "input" : "output",
        std::max(router.input_speedup, router.output_speedup), routing::kMaxPorts));
  }
  return ports;
}

}  // namespace

CrossbarPorts::CrossbarPorts(const AllocatorOptions& made_for, const Options& router, const OutputBuffers* outputs)
    : inputs_(router.input_speedup),
      outputs_(router.output_speedup),
      first_port_(made_for.range.first * made_for.bank->port_stride()),
      tells_age_(made_for.packets != nullptr),
      buffers_(outputs),
      crossbar_(crossbars(made_for.range.size(), crossbar_ports(made_for, router)), crossbar_options(router), 1) {
  AllocatorOptions inner = made_for;
  inner.bank = &crossbar_;
  inner.range = {0, static_cast<std::uint32_t>(made_for.range.size())};
  allocator_ = SwitchAllocatorRegistry::instance().make(router.switch_allocator, inner);
  const std::size_t ports = crossbar_.router_port_count();
  asking_.resize(ports);
  granted_.reserve(ports);
}

/// A flit that passes its buffer by (router.buffer_bypass) is not in it yet; the one that stood there last is of the
/// same packet.
void CrossbarPorts::request(const BankView& bank, VcIndex in_vc) {
  const InputVc& vc = bank.input_vcs[in_vc];
  const PortIndex in = bank.port_of_vc(in_vc), out = bank.port_of_vc(vc.out_vc);
  const RouterId router{bank.router_of(in - first_port_)};
  const std::uint32_t lane = bank.lane_of(in_vc), from = bank.port_of(in);
  const PortIndex asks = crossbar_.port_index(router, PortId{from * inputs_ + lane % inputs_});
  const PortIndex asked = crossbar_.port_index(router, PortId{bank.port_of(out) * outputs_ + from % outputs_});
  const VcIndex asks_vc = crossbar_.vc_index(asks, lane);
  crossbar_.switch_requests[asks] |= VcMask{1} << lane;
  crossbar_.input_vcs[asks_vc].out_vc = crossbar_.vc_index(asked, bank.lane_of(vc.out_vc));
  asking_.insert(asks);
  if (!tells_age_) return;
  crossbar_.input_vcs[asks_vc].count = 1;
  *crossbar_.buffer(asks_vc) = bank.buffer(in_vc)[(vc.first - (vc.count == 0 ? 1U : 0U)) & bank.depth_mask()];
}

void CrossbarPorts::allocate(const SwitchRequests& requests, WorkList<VcIndex>& grants) {
  const BankView bank = requests.bank;
  requests.ports.for_each([&](std::size_t i) {
    const PortIndex in = first_port_ + static_cast<PortIndex>(i);
    for (VcMask lanes = requests.lanes(bank, in, first_port_); lanes != 0; lanes &= lanes - 1) {
      const VcIndex in_vc = bank.vc_index(in, static_cast<std::uint32_t>(__builtin_ctz(lanes)));
      const bool full = buffers_ != nullptr && buffers_->full(bank.port_of_vc(bank.input_vcs[in_vc].out_vc));
      if (!full) request(bank, in_vc);
    }
  });
  if (asking_.empty()) return;
  allocator_->allocate({crossbar_, asking_, nullptr, nullptr, nullptr, requests.cycle}, granted_);
  for (const VcIndex v : granted_) {
    const PortIndex asked = crossbar_.port_of_vc(v);
    const RouterId router = crossbar_.router_of(asked);
    const PortIndex in = first_port_ + bank.port_index(router, PortId{crossbar_.port_of(asked) / inputs_});
    grants.push(bank.vc_index(in, crossbar_.lane_of(v)));
  }
  granted_.clear();
  asking_.for_each([&](std::size_t i) {
    crossbar_.switch_requests[i] = 0;
    asking_.erase(i);
  });
}

std::unique_ptr<SwitchAllocator> make_switch_allocator(const AllocatorOptions& made_for, const Options& router,
                                                       const OutputBuffers* outputs) {
  const bool plain = router.input_speedup == 1 && router.output_speedup == 1 && outputs == nullptr;
  if (plain) return SwitchAllocatorRegistry::instance().make(router.switch_allocator, made_for);
  return std::make_unique<CrossbarPorts>(made_for, router, outputs);
}

}  // namespace braid::models::hybrid
