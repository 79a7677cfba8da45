// Who waits for whom among PO2 routers.
#include <fmt/format.h>

#include <algorithm>

#include "models/fabric/wait_cycle.h"
#include "models/families/po2/fabric.h"

namespace braid::models::po2 {
namespace {

constexpr std::size_t kMostLines = 24;

/// The oldest packet that waits in a router, and where it wants to go first; none: nothing waits.
struct Wait {
  std::size_t router;
  std::uint8_t buffer;
  std::size_t next;  // router
};

std::vector<Wait> waits(const Fabric& fabric) {
  std::vector<Wait> all;
  for (std::size_t r = 0; r < fabric.routers().size(); ++r) {
    for (const std::uint8_t b : fabric.routers()[r].waiting) {
      const routing::Port& port = fabric.topology().port(RouterId{r}, fabric.candidates(r, b)[0].port);
      if (port.kind != routing::PortKind::kNetwork) continue;
      all.push_back({r, b, port.peer_router.value});
      break;
    }
  }
  return all;
}

std::string describe(const Fabric& fabric, const Wait& w) {
  const Router& router = fabric.routers()[w.router];
  const Buffer& buffer = router.buffers[w.buffer];
  const Packet& packet = fabric.store()[buffer.packet];
  const Router& next = fabric.routers()[w.next];
  const bool same = buffer.message != kNoMessage && next.holds_waiting(buffer.message);
  return fmt::format(
      "\n  router {} ({} of {} buffers taken): packet {} of node {} to node {} waits since cycle {} for {} router {}",
      fabric.topology().router_names[w.router], router.held(), router.buffers.size(), packet.sequence,
      packet.source.value, packet.destination.value, buffer.since,
      same ? "the packet of its message in" : "a buffer of", fabric.topology().router_names[w.next]);
}

}  // namespace

std::string describe_po2_waiting(const Fabric& fabric) {
  std::vector<Wait> shown = waits(fabric);
  std::vector<const Wait*> of_router(fabric.routers().size(), nullptr);
  for (const Wait& w : shown) of_router[w.router] = &w;
  const std::vector<std::uint32_t> cycle = find_wait_cycle(of_router.size(), [&](std::uint32_t r) {
    std::vector<std::uint32_t> next;
    if (of_router[r] != nullptr) next.push_back(static_cast<std::uint32_t>(of_router[r]->next));
    return next;
  });
  std::string text;
  if (!cycle.empty()) {
    std::vector<Wait> chosen;
    for (const std::uint32_t r : cycle) chosen.push_back(*of_router[r]);
    shown = std::move(chosen);
    text = fmt::format("\ncycle of {} waiting routers, each needs what the next one holds:", cycle.size());
  } else {
    text = "\nno cycle among routers; these wait:";
  }
  for (std::size_t i = 0; i < std::min(shown.size(), kMostLines); ++i) text += describe(fabric, shown[i]);
  if (shown.size() > kMostLines) text += fmt::format("\n  … and {} more", shown.size() - kMostLines);
  return text;
}

}  // namespace braid::models::po2
