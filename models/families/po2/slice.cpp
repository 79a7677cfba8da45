#include "models/families/po2/slice.h"

#include <algorithm>

#include "routing/base/random.h"

namespace braid::models::po2 {

using routing::PortKind;

Slice::Slice(const Shared& shared, RouterRange range, std::size_t index)
    : shared_(shared), range_(range), index_(index), candidates_each_(shared.routing.max_candidates() + 1) {
  damage_seed_ = read_seed(shared.configuration);
  damage_bits_ = Random::probability_bits(shared.options.error_rate);
  find_linked();
  awake_.resize(range.size());
  first_source_ = shared.first_local_port.back();
  std::size_t last = 0;
  for_each_node([&](std::size_t first, const auto& attachments) {
    first_source_ = std::min(first_source_, first);
    last = std::max(last, first + attachments.size());
  });
  sources_.resize(last > first_source_ ? last - first_source_ : 0);
  for_each_node([&](std::size_t first, const auto& attachments) {
    for (std::size_t l = 0; l < attachments.size(); ++l) {
      Source& s = source(first + l);
      s.router = attachments[l].router.value;
      s.port = static_cast<std::uint8_t>(attachments[l].port.value);
      router(s.router).ports[s.port].source = static_cast<std::uint32_t>(&s - sources_.data());
    }
  });
}

/// Nodes are the slice's whose first local port is.
template <class Visit>
void Slice::for_each_node(Visit visit) const {
  for (std::uint32_t r = range_.first; r < range_.last; ++r) {
    for (std::size_t p = 0; p < shared_.topology.routers[r].size(); ++p) {
      const routing::Port& port = wiring(r, p);
      if (port.kind != PortKind::kLocal) continue;
      const auto& attachments = shared_.topology.nodes[port.node.value];
      const bool first = attachments.front().router.value == r && attachments.front().port.value == p;
      if (first) visit(shared_.first_local_port[port.node.value], attachments);
    }
  }
}

void Slice::find_linked() {
  linked_.push_back(static_cast<std::uint32_t>(index_));
  for (std::uint32_t r = range_.first; r < range_.last; ++r) {
    for (const routing::Port& port : shared_.topology.routers[r]) {
      if (port.kind != PortKind::kNetwork) continue;
      const std::uint32_t other = shared_.slicing.slice_of_router[port.peer_router.value];
      if (std::find(linked_.begin(), linked_.end(), other) == linked_.end()) linked_.push_back(other);
    }
  }
  wakes_.resize(linked_.size());
  offered_to_.resize(linked_.size());
}

void Slice::build_neighbourhood(const std::vector<std::unique_ptr<Slice>>& slices) {
  for (std::size_t i = 1; i < linked_.size(); ++i) {
    const Slice& other = *slices[linked_[i]];
    const std::size_t here = other.place_of(static_cast<std::uint32_t>(index_));
    neighbours_.push_back({other.wakes_[here], other.offered_to_[here]});
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
      wakes_[place_of(shared_.slicing.slice_of_router[peer])].push_back(peer);
      any_wakes_ = true;
    }
  }
}

/// Neighbours see that the router's crossbar has a port left.
void Slice::wake_if_judged(std::uint32_t r) {
  if (shared_.options.crossbar_in_ports != 0) {
    wake_around(r);
  } else {
    wake(r);
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
  if (router(from.router).ports[from.port].use == Port::Use::kRejected) return std::nullopt;  // is on trial
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
