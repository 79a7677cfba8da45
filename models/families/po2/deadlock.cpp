// Who waits for whom among PO2 routers.
#include <fmt/format.h>

#include "models/fabric/wait_cycle.h"
#include "models/families/po2/fabric.h"

namespace braid::models::po2 {
namespace {

/// Routers, each for its oldest packet that waits to go on.
class WaitGraph final : public Waiters {
 public:
  explicit WaitGraph(const Fabric& fabric) : fabric_(fabric), waits_(fabric.routers().size()) {
    for (std::size_t r = 0; r < waits_.size(); ++r) waits_[r] = oldest(r);
  }

  std::size_t count() const override { return waits_.size(); }
  bool waits(std::uint32_t r) const override { return waits_[r].has_value(); }

  std::vector<std::uint32_t> waits_for(std::uint32_t r) const override {
    if (!waits(r)) return {};
    return {waits_[r]->next.value};
  }

  std::string describe(std::uint32_t r) const override {
    const Router& router = fabric_.routers()[r];
    const Buffer& buffer = router.buffers[waits_[r]->buffer];
    const Packet& packet = fabric_.store()[buffer.packet];
    const RouterId to = waits_[r]->next;
    const Router& next = fabric_.routers()[to.value];
    const bool same = buffer.message != kNoMessage && next.holds_waiting(buffer.message);
    return fmt::format(
        "router {} ({} of {} buffers taken): packet {} of node {} to node {} waits since cycle {} for {} router {}",
        fabric_.topology().router_names[r], router.held(), router.buffers.size(), packet.sequence, packet.source.value,
        packet.destination.value, buffer.since, same ? "the packet of its message in" : "a buffer of",
        fabric_.topology().router_names[to.value]);
  }

 private:
  struct Wait {
    std::uint8_t buffer;
    RouterId next;  // where its packet wants to go first
  };

  std::optional<Wait> oldest(std::size_t r) const {
    for (const std::uint8_t b : fabric_.routers()[r].waiting) {
      const routing::Port& port = fabric_.topology().port(RouterId{r}, fabric_.candidates(r, b)[0].port);
      if (port.kind == routing::PortKind::kNetwork) return Wait{b, port.peer_router};
    }
    return std::nullopt;
  }

  const Fabric& fabric_;
  std::vector<std::optional<Wait>> waits_;  // [router]
};

}  // namespace

std::string Fabric::describe_waiting() const {
  return report_waiting(WaitGraph(*this), "routers", "each needs what the next one holds");
}

}  // namespace braid::models::po2
