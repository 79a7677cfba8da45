#include "models/families/hybrid/node_turns.h"

#include "models/families/hybrid/network_interface.h"
#include "models/families/hybrid/slice.h"

namespace braid::models::hybrid {

NodeTurns::NodeTurns(const NodeBandwidth& bandwidth, const Wiring& wiring, std::size_t first, std::size_t last,
                     std::uint32_t vcs, std::size_t buffer_depth)
    : bandwidth_(bandwidth),
      queues_(asks_for_room() ? vcs : 1),
      held_(holds_packets() ? (last - first) * queues_ : 0),
      queue_turns_(holds_packets() ? last - first : 0) {
  for (std::size_t i = first; i < last; ++i) {
    if (i == first || wiring.local_ports[i].node != wiring.local_ports[i - 1].node) {
      nodes_.push_back({i - first, 0, {}, {}, {}, {}});
    }
    ++nodes_.back().ports;
  }
  for (auto& flits : held_) flits.set_capacity(vcs / queues_ * buffer_depth);
}

void NodeTurns::checkpoint(Checkpoint& c) {
  c.each(nodes_);
  c.each(queue_turns_);
  held_flits_ = 0;
  for (boost::circular_buffer<Flit>& held : held_) {
    std::vector<Flit> flits(held.begin(), held.end());
    c(flits);
    c.index(flits.size(), held.capacity() + 1, "number of held flits");
    held.assign(held.capacity(), flits.begin(), flits.end());
    held_flits_ += flits.size();
  }
}

void NodeTurns::check_restored(const Checkpoint& c) const {
  for (const Node& node : nodes_) {
    for (const Turn& turn : {node.packets_out, node.packets_in, node.circuits_out, node.circuits_in}) {
      c.index(turn.next, node.ports, "local port");
    }
  }
  for (const Turn& turn : queue_turns_) c.index(turn.next, queues_, "queue of a local port");
  for_each_held([&](const Flit& flit) { c.packet(flit.packet()); });
}

// ---------------------------------------------------------------- what the interfaces do with it

/// Ports where packets go before circuits (router.circuit_burst_flits), then circuits, then other packets: as every
/// port by itself (inject_in_turn()), as long as the node may send.
void NetworkInterfaces::inject_bounded(std::uint64_t cycle) {
  WorkList<FlitArrival>& link = slice_.injection_links(cycle);
  const std::uint32_t burst = bank_.has_circuits() ? slice_.options().circuit_burst_flits : 0;
  for (NodeTurns::Node& node : turns_->nodes()) {
    link_taken_.assign(node.ports, false);
    std::size_t packets = served(turns_->bandwidth().packet_injection, node.ports);
    std::size_t circuits = served(turns_->bandwidth().circuit_injection, node.ports);
    const auto packet = [&](std::uint32_t p) {
      LocalPort& of = ports_[node.first + p];
      if (link_taken_[p] || !busy_.contains(node.first + p)) return false;
      if (!inject_packet_flit(cycle, first_ + node.first + p, link)) return false;
      of.burst.packet_flit();
      link_taken_[p] = true;
      return true;
    };
    const auto packet_due = [&](std::uint32_t p) {
      return burst != 0 && ports_[node.first + p].burst.reached(burst) && packet(p);
    };
    const auto circuit = [&](std::uint32_t p) {
      if (link_taken_[p] || ports_[node.first + p].sending == 0) return false;
      if (!inject_circuit_flit(cycle, first_ + node.first + p)) return false;
      ports_[node.first + p].burst.circuit_flit(burst);
      link_taken_[p] = true;
      return true;
    };
    node.packets_out.serve(node.ports, packets, packet_due);
    node.circuits_out.serve(node.ports, circuits, circuit);
    node.packets_out.serve(node.ports, packets, packet);
    for (std::size_t i = node.first; i < node.first + node.ports; ++i) {
      if (ports_[i].packets.empty() && ports_[i].sending == 0) busy_.erase(i);
    }
  }
}

void NetworkInterfaces::drain_bounded(std::uint64_t cycle) {
  for (NodeTurns::Node& node : turns_->nodes()) {
    std::size_t packets = served(turns_->bandwidth().packet_ejection, node.ports);
    std::size_t circuits = served(turns_->bandwidth().circuit_ejection, node.ports);
    if (turns_->holds_packets()) {
      node.packets_in.serve(node.ports, packets,
                            [&](std::uint32_t p) { return take_packet_flit(cycle, node.first + p); });
    }
    node.circuits_in.serve(node.ports, circuits, [&](std::uint32_t p) { return take_in_turn(cycle, node.first + p); });
  }
}

/// Is there one? At most one a port: what has room goes, of the queue whose turn it is first.
bool NetworkInterfaces::take_packet_flit(std::uint64_t cycle, std::size_t i) {
  std::size_t flits = 1;
  turns_->queue_turn(i).serve(turns_->queues(), flits,
                              [&](std::uint32_t queue) { return take_held_flit(cycle, i, queue); });
  return flits == 0;
}

bool NetworkInterfaces::take_held_flit(std::uint64_t cycle, std::size_t i, std::uint32_t queue) {
  const boost::circular_buffer<Flit>& held = turns_->held(i, queue);
  if (held.empty()) return false;
  if (turns_->asks_for_room() && held.front().head() && !sink_->admit(held.front().packet())) return false;
  const Flit flit = turns_->take(i, queue);
  slice_.ejection_credits(cycle).push(ports_[i].first_vc + flit.vc());
  ++flits_delivered_;
  if (flit.tail()) sink_->deliver(cycle, flit.packet());
  return true;
}

}  // namespace braid::models::hybrid
