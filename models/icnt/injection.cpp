#include "models/icnt/injection.h"

#include <utility>

namespace braid::models::icnt {

Injection::Injection(const Configuration& configuration, PacketPool& packets, Wires& wires,
                     std::vector<std::uint32_t> channels)
    : configuration_(configuration),
      packets_(packets),
      wires_(wires),
      channels_(std::move(channels)),
      nodes_(channels_.size()),
      shift_(configuration.channel_shift()),
      credits_(channels_.size() << shift_, configuration.vc_buffer),
      active_(channels_.size()) {
  for (Node& node : nodes_) node.free = VcRange{0, configuration.vcs - 1}.mask();
}

void Injection::push(unsigned node, PacketId packet) {
  Node& at = nodes_[node];
  packets_.append(at.queue, packet);
  const std::uint32_t flits = packets_[packet].flits;
  at.flits += flits;
  if (at.queue.count > 1) return;
  at.left = flits;
  active_.insert(node);
}

void Injection::take_credits() {
  auto& credits = wires_.credits_at_nodes();
  for (const std::uint32_t channel : credits) {
    const unsigned node = channel >> shift_;
    const unsigned vc = channel & ((1U << shift_) - 1);
    Node& at = nodes_[node];
    ++credits_[channel];
    // The tail's channel is free once all its flits have left the router's buffer.
    if (configuration_.wait_for_tail_credit && credits_[channel] == configuration_.vc_buffer &&
        at.vc != static_cast<int>(vc))
      at.free |= std::uint64_t{1} << vc;
    if (at.queue.count != 0) active_.insert(node);
  }
  credits.clear();
}

void Injection::inject() {
  active_.each([this](std::size_t node) { send(static_cast<unsigned>(node)); });
}

/// The first usable channel after the one used last; where that one is not among those of this kind, the first of them
/// and no other.
bool Injection::choose_channel(unsigned node) {
  Node& at = nodes_[node];
  const VcRange range = configuration_.ranges[packets_[at.queue.first].range];
  const int begin = static_cast<int>(range.begin);
  const int count = static_cast<int>(range.end) - begin + 1;
  const bool inside = at.last_vc >= begin && at.last_vc <= static_cast<int>(range.end);
  for (int i = 1; i <= count; ++i) {
    const int vc = inside ? begin + (at.last_vc - begin + i) % count : begin;
    if ((at.free >> vc & 1) == 0 || credits_[(node << shift_) + static_cast<unsigned>(vc)] == 0) continue;
    at.vc = at.last_vc = vc;
    at.free &= ~(std::uint64_t{1} << vc);
    return true;
  }
  return false;
}

void Injection::send(unsigned node) {
  Node& at = nodes_[node];
  if (at.vc < 0 && !choose_channel(node)) {
    active_.erase(node);  // until a credit comes
    return;
  }
  std::uint32_t& credits = credits_[(node << shift_) + static_cast<unsigned>(at.vc)];
  if (credits == 0) {
    active_.erase(node);
    return;
  }
  --credits;
  --at.flits;
  wires_.flit_to_router({channels_[node] + static_cast<unsigned>(at.vc), at.queue.first});
  if (--at.left != 0) return;
  if (!configuration_.wait_for_tail_credit) at.free |= std::uint64_t{1} << at.vc;
  at.vc = -1;
  packets_.drop_first(at.queue);
  if (at.queue.count == 0) {
    active_.erase(node);
  } else {
    at.left = packets_[at.queue.first].flits;
  }
}

}  // namespace braid::models::icnt
