// One router in the middle of a 3x3 mesh, whose registers a test sets by hand to see what an allocator makes of them.
#pragma once

#include <array>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "models/families/hybrid/switch_allocator.h"
#include "models/families/hybrid/vc_allocator.h"
#include "tb/tests/support/bench.h"

namespace braid::test::one_router {

using namespace models;
using namespace models::hybrid;

constexpr std::uint32_t kLocal = 4;  // ports 0 to 3: east, west, north, south

/// The registers of a 3x3 mesh; only router 4, in the middle, is used.
struct Router {
  routing::Topology topology;
  models::hybrid::Options options;
  std::unique_ptr<RouterBank> bank;
  WakeSet ports;
  RouterRange range{4, 5};

  explicit Router(std::uint32_t vcs = 2, bool circuits = false, std::uint32_t circuit_lanes = 1) {
    Configuration mesh;
    mesh.set("topology.width", 3);
    mesh.set("topology.height", 3);
    topology = routing::make_topology(mesh);
    options.vcs = vcs;
    options.circuits = circuits;
    options.circuit_lanes = circuit_lanes;
    bank = std::make_unique<RouterBank>(topology, options, 4);
    ports.resize(bank->port_stride());
  }
  PortIndex port(std::uint32_t p) const { return bank->port_index(RouterId{4}, PortId{p}); }
  VcIndex vc(std::uint32_t p, std::uint32_t lane) const { return bank->vc_index(port(p), lane); }
  AllocatorOptions allocator(const char* arbiter, std::uint32_t iterations = 1) const {
    return {bank.get(), range, arbiter, iterations};
  }

  /// The switch requests of a cycle: input port, lane, output port each.
  void request(const std::vector<std::array<std::uint32_t, 3>>& requests) {
    for (std::uint32_t p = 0; p < bank->port_stride(); ++p) {
      bank->switch_requests[port(p)] = 0;
      ports.erase(p);
    }
    for (const auto& [in, lane, out] : requests) {
      bank->input_vcs[vc(in, lane)].state = VcState::kActive;
      bank->input_vcs[vc(in, lane)].count = 1;
      bank->input_vcs[vc(in, lane)].out_vc = vc(out, lane);
      bank->switch_requests[port(in)] |= 1U << lane;
      ports.insert(in);
    }
  }
  /// A head that waits, with the candidates that routing gave it.
  void wait(VcIndex head, const std::vector<routing::Candidate>& candidates) {
    bank->input_vcs[head].state = VcState::kWaitsForVc;
    bank->ways[head] = static_cast<std::uint8_t>(candidates.size());
    std::copy(candidates.begin(), candidates.end(), bank->candidates(head));
  }
};

/// SA's grants of a cycle as "PORT.LANE ", by input port.
inline std::string granted(SwitchAllocator& allocator, const Router& router, const bool* taken = nullptr,
                           const bool* taken_inputs = nullptr, std::uint64_t cycle = 0) {
  WorkList<VcIndex> grants;
  grants.reserve(router.bank->port_stride());
  allocator.allocate({*router.bank, router.ports, taken_inputs, taken, nullptr, cycle}, grants);
  std::set<std::string> names;
  for (const VcIndex v : grants) {
    names.insert(std::to_string(router.bank->port_of(router.bank->port_of_vc(v))) + "." +
                 std::to_string(router.bank->lane_of(v)) + " ");
  }
  std::string text;
  for (const std::string& name : names) text += name;
  return text;
}

}  // namespace braid::test::one_router
