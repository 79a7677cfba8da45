#include "models/families/hybrid/deadlock.h"

#include <fmt/format.h>

#include "models/fabric/wait_cycle.h"

namespace braid::models::hybrid {
namespace {

/// Input VCs.
class WaitGraph final : public Waiters {
 public:
  WaitGraph(const RouterBank& bank, const PacketStore& store, const routing::Topology& topology,
            const CircuitForks* forks, const PacketForks* packet_forks)
      : bank_(bank), store_(store), topology_(topology), forks_(forks), packet_forks_(packet_forks) {}

  std::size_t count() const override { return bank_.input_vc_count(); }
  bool waits(VcIndex v) const override { return bank_.input_vcs[v].count > 0; }

  /// Owners of the output VCs it may take, or the full buffer downstream.
  std::vector<VcIndex> waits_for(VcIndex v) const override {
    const InputVc& vc = bank_.input_vcs[v];
    std::vector<VcIndex> others;
    if (!waits(v)) return others;
    const auto full = [&](VcIndex out_vc) {
      if (bank_.output_vcs[out_vc].credits != 0) return;
      const Link& link = bank_.links[bank_.port_of_vc(out_vc)];
      if (!link.to_node) others.push_back(bank_.vc_index(link.target, bank_.lane_of(out_vc)));
    };
    if (vc.state == VcState::kActive) {
      full(vc.out_vc);
      if (forks_ != nullptr) forks_->for_each_further(v, full);
    }
    if (vc.state == VcState::kForked) add_branches(v, others);
    if (vc.state != VcState::kWaitsForVc) return others;
    const RouterId router = bank_.router_of(bank_.port_of_vc(v));
    for (std::size_t c = 0; c < bank_.ways[v]; ++c) {
      const routing::Candidate& candidate = bank_.candidates(v)[c];
      add_owners(v, bank_.port_index(router, candidate.port), candidate.vcs, others);
    }
    return others;
  }

  std::string describe(VcIndex v) const override {
    const PortIndex port = bank_.port_of_vc(v);
    const RouterId router = bank_.router_of(port);
    const InputVc& vc = bank_.input_vcs[v];
    const Packet& packet = store_[bank_.front(v).packet()];
    const char* need = vc.state == VcState::kActive   ? "a credit"
                       : vc.state == VcState::kForked ? "output VCs with room, one each way"
                                                      : "an output VC";
    return fmt::format(
        "router {} port {} {}: packet {} of node {} to node {} ({} flits buffered, created in cycle {}) needs {}",
        topology_.router_names[router.value], topology_.port(router, PortId{bank_.port_of(port)}).name,
        bank_.is_circuit_lane(bank_.lane_of(v)) ? circuit_name(v) : fmt::format("vc {}", bank_.lane_of(v)),
        packet.sequence, packet.source.value, packet.destination.value, vc.count, packet.created, need);
  }

 private:
  void add_owners(VcIndex v, PortIndex out, VcMask vcs, std::vector<VcIndex>& others) const {
    for (; vcs != 0; vcs &= vcs - 1) {
      const auto lane = static_cast<std::uint32_t>(__builtin_ctz(vcs));
      const VcIndex owner = bank_.output_vcs[bank_.vc_index(out, lane)].owner;
      if (owner != kNone && owner != v) others.push_back(owner);
    }
  }
  /// Of a packet that forks: the same of each branch, which has all flits that are here or lacks room for its next.
  void add_branches(VcIndex v, std::vector<VcIndex>& others) const {
    const PacketForks::Fork& fork = packet_forks_->fork(v);
    for (const PacketForks::Branch& b : fork.branches) {
      if (b.out_vc == kNone) {
        add_owners(v, b.out_port, b.vcs, others);
      } else if (b.sent < fork.flits && bank_.output_vcs[b.out_vc].credits < packet_forks_->credits_needed(fork, b)) {
        const Link& link = bank_.links[b.out_port];
        if (!link.to_node) others.push_back(bank_.vc_index(link.target, bank_.lane_of(b.out_vc)));
      }
    }
  }
  std::string circuit_name(VcIndex v) const {
    return bank_.circuit_lanes() == 1 ? std::string("circuit") : fmt::format("circuit {}", bank_.circuit_of(v));
  }

  const RouterBank& bank_;
  const PacketStore& store_;
  const routing::Topology& topology_;
  const CircuitForks* forks_;        // null: circuits do not fork
  const PacketForks* packet_forks_;  // null: packets do not fork
};

}  // namespace

std::string describe_waiting(const RouterBank& bank, const PacketStore& store, const routing::Topology& topology,
                             const CircuitForks* forks, const PacketForks* packet_forks) {
  return report_waiting(WaitGraph(bank, store, topology, forks, packet_forks), "channels",
                        "each needs what the next one holds");
}

}  // namespace braid::models::hybrid
