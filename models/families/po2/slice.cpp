#include "models/families/po2/slice.h"

#include <algorithm>

namespace braid::models::po2 {

using routing::PortKind;

Slice::Slice(const Shared& shared, RouterRange range, std::size_t index, std::size_t slices)
    : shared_(shared),
      range_(range),
      index_(index),
      candidates_each_(shared.routing.max_candidates() + 1),
      wakes_(slices),
      offered_to_(slices) {
  awake_.resize(range.size());
  first_source_ = shared.first_local_port.back();
  std::size_t last = 0;
  for (std::size_t n = 0; n < shared.topology.node_count(); ++n) {
    const auto& attachments = shared.topology.nodes[n];
    if (!mine(attachments.front().router.value)) continue;
    first_source_ = std::min(first_source_, shared.first_local_port[n]);
    last = std::max(last, shared.first_local_port[n] + attachments.size());
  }
  sources_.resize(last > first_source_ ? last - first_source_ : 0);
  for (std::size_t n = 0; n < shared.topology.node_count(); ++n) {
    const auto& attachments = shared.topology.nodes[n];
    if (!mine(attachments.front().router.value)) continue;
    for (std::size_t l = 0; l < attachments.size(); ++l) {
      Source& s = source(shared.first_local_port[n] + l);
      s.router = attachments[l].router.value;
      s.port = static_cast<std::uint8_t>(attachments[l].port.value);
      router(s.router).ports[s.port].source = static_cast<std::uint32_t>(&s - sources_.data());
    }
  }
}

void Slice::build_neighbourhood(const std::vector<std::unique_ptr<Slice>>& slices) {
  for (std::uint32_t r = range_.first; r < range_.last; ++r) {
    for (const routing::Port& port : shared_.topology.routers[r]) {
      if (port.kind != PortKind::kNetwork) continue;
      const Slice* other = slices[shared_.slicing.slice_of_router[port.peer_router.value]].get();
      const bool known = std::find(neighbours_.begin(), neighbours_.end(), other) != neighbours_.end();
      if (other != this && !known) neighbours_.push_back(other);
    }
  }
}

routing::Candidate* Slice::candidates(std::uint32_t r, std::size_t buffer) const {
  return &shared_.candidates[(r * shared_.options.buffers + buffer) * candidates_each_];
}

void Slice::wake_around(std::uint32_t r) {
  wake(r);
  for (const routing::Port& port : shared_.topology.routers[r]) {
    if (port.kind != PortKind::kNetwork) continue;
    const std::uint32_t peer = port.peer_router.value;
    if (mine(peer)) {
      wake(peer);
    } else {
      wakes_[shared_.slicing.slice_of_router[peer]].push_back(peer);
      any_wakes_ = true;
    }
  }
}

// ---------------------------------------------------------------- the nodes' side

void Slice::send(std::size_t local_port, PacketSlot packet) {
  Source& from = source(local_port);
  if (from.packets.empty()) {
    Port& port = router(from.router).ports[from.port];
    port.count_to(next_cycle_);
    ++port.wanted;
    if (!from.recalled) from.since = next_cycle_;
  }
  from.recalled = false;
  from.packets.push(packet);
  wake(from.router);
}

std::optional<Slice::Head> Slice::head(std::uint32_t r, std::size_t p) const {
  if (wiring(r, p).kind != PortKind::kLocal) return std::nullopt;
  const Source& from = sources_[shared_.routers[r].ports[p].source];
  const bool asks = !from.packets.empty() && !from.injecting;
  return asks ? std::optional(Head{from.packets.front(), from.since}) : std::nullopt;
}

void Slice::set_head(std::uint32_t r, std::size_t p, const std::optional<Head>& head) {
  Source& from = source_of(r, p);
  Port& port = router(r).ports[p];
  if (!from.packets.empty()) --port.wanted;
  while (!from.packets.empty()) from.packets.pop();
  if (!head) return;
  from.packets.push(head->packet);
  from.since = head->since;
  ++port.wanted;
}

std::optional<PacketSlot> Slice::recall(std::size_t local_port) {
  Source& from = source(local_port);
  if (from.packets.empty() || from.injecting) return std::nullopt;
  const PacketSlot packet = from.packets.front();
  from.packets.pop();
  if (from.packets.empty()) {
    Port& port = router(from.router).ports[from.port];
    port.count_to(next_cycle_);
    --port.wanted;
    from.recalled = true;
  }
  return packet;
}

std::uint64_t Slice::packets_queued() const {
  std::uint64_t packets = 0;
  for (const Source& s : sources_) packets += s.packets.size() - (s.injecting ? 1 : 0);
  return packets;
}

}  // namespace braid::models::po2
