// Who waits for whom among the queues of virtual cut-through routers.
#include <fmt/format.h>

#include "models/fabric/wait_cycle.h"
#include "models/families/virtual_cut_through/fabric.h"

namespace braid::models::virtual_cut_through {
namespace {

/// Input queues.
class WaitGraph final : public Waiters {
 public:
  explicit WaitGraph(const Fabric& fabric) : fabric_(fabric), bank_(fabric.bank()) {}

  std::size_t count() const override { return bank_.input_port_count(); }
  bool waits(std::uint32_t in) const override { return bank_.queues[in].count > 0; }

  /// The queues behind every output that the head may take and that has no room for it.
  std::vector<std::uint32_t> waits_for(std::uint32_t in) const override {
    std::vector<std::uint32_t> others;
    if (!waits(in) || bank_.queues[in].leaving) return others;
    const std::uint32_t first = in - bank_.port_of(in);
    const PortMask head = PortMask{1} << bank_.port_of(in);
    const bool chooses = (bank_.routers[bank_.router_of(in).value].choosing & head) != 0;
    for (std::uint32_t port = 0; port < bank_.port_stride(); ++port) {
      const std::uint32_t out = first + port;
      const bool enters = (bank_.entering[out] & head) != 0;
      const bool wants = chooses ? ((bank_.ways[in] >> port) & 1) != 0 : enters || (bank_.through[out] & head) != 0;
      const bool room = bank_.credits[out] > (enters ? 1 : 0);
      if (wants && !room && !bank_.links[out].to_node) others.push_back(bank_.links[out].target);
    }
    return others;
  }

  std::string describe(std::uint32_t in) const override {
    const RouterId router = bank_.router_of(in);
    const QueuedPacket& packet = bank_.front(in);
    return fmt::format(
        "router {} port {}: packet {} of node {} to node {} ({} packets buffered) needs a packet buffer",
        fabric_.topology().router_names[router.value], fabric_.topology().port(router, PortId{bank_.port_of(in)}).name,
        fabric_.store()[packet.slot].sequence, packet.source.value, packet.destination.value, bank_.queues[in].count);
  }

 private:
  const Fabric& fabric_;
  const Bank& bank_;
};

}  // namespace

std::string Fabric::describe_waiting() const {
  return report_waiting(WaitGraph(*this), "queues", "each needs room in the next one");
}

}  // namespace braid::models::virtual_cut_through
