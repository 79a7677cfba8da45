#include "models/families/ideal/fabric.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace braid::models::ideal {

namespace {

class Family final : public FamilyOf<Fabric> {
 public:
  std::size_t slices(const Configuration&, std::size_t, std::size_t) const override { return 1; }
};

const bool ideal_registered = FabricRegistry::instance().add(
    "ideal", "every pair of nodes joined by a one-cycle link of its own; node bandwidth kept",
    [] { return std::make_unique<Family>(); });

}  // namespace

Fabric::Fabric(PacketStore& store, const std::vector<std::size_t>& ports)
    : store_(store), ports_(ports), queued_by_port_(std::accumulate(ports.begin(), ports.end(), std::size_t{0})) {}

std::uint32_t Fabric::link_between(NodeId from, NodeId to) {
  const std::uint64_t pair = (std::uint64_t{from.value} << 32) | to.value;
  const auto [found, is_new] = link_of_pair_.try_emplace(pair, static_cast<std::uint32_t>(links_.size()));
  if (is_new) links_.push_back({from, to, {}, {}, 0});
  return found->second;
}

void Fabric::send(std::size_t local_port, PacketSlot packet) {
  const std::uint32_t index = link_between(store_[packet].source, store_[packet].destination);
  Link& link = links_[index];
  if (link.packets.empty()) active_.push_back(index);
  link.packets.push(packet);
  link.ports.push_back(local_port);
  ++queued_by_port_[local_port];
}

void Fabric::commit(std::size_t, std::uint64_t cycle) {
  std::vector<Crossing> arriving;
  std::swap(arriving, on_links_);
  for (const Crossing& crossing : arriving) {
    ++flits_delivered_;
    if (crossing.tail) sink_->deliver(cycle, crossing.packet);
  }
  send_left_ = ports_;
  receive_left_ = ports_;
  // active_ is in order of activation, which is deterministic; the turn moves on by one link a cycle.
  if (!active_.empty()) std::rotate(active_.begin(), active_.begin() + 1, active_.end());
  for (const std::uint32_t index : active_) {
    Link& link = links_[index];
    if (send_left_[link.from.value] == 0 || receive_left_[link.to.value] == 0) continue;
    --send_left_[link.from.value];
    --receive_left_[link.to.value];
    send_flit(cycle, link);
  }
  active_.erase(std::remove_if(active_.begin(), active_.end(),
                               [&](std::uint32_t index) { return links_[index].packets.empty(); }),
                active_.end());
}

void Fabric::send_flit(std::uint64_t cycle, Link& link) {
  const PacketSlot slot = link.packets.front();
  Packet& packet = store_[slot];
  if (packet.injected == 0) packet.injected = cycle;
  const bool tail = ++link.next_flit == packet.length_flits;
  on_links_.push_back({slot, tail});
  ++flits_injected_;
  if (!tail) return;
  sink_->sent(cycle, slot);
  link.packets.pop();
  --queued_by_port_[link.ports.front()];
  link.ports.erase(link.ports.begin());
  link.next_flit = 0;
}

Fabric::Census Fabric::census() const {
  Census census;
  for (const Link& link : links_) census.packets += link.packets.size();
  census.packets += static_cast<std::uint64_t>(
      std::count_if(on_links_.begin(), on_links_.end(), [](const Crossing& c) { return c.tail; }));
  census.flits = on_links_.size();
  return census;
}

std::string Fabric::describe_waiting() const {
  std::string text;
  for (const std::uint32_t index : active_) {
    text += fmt::format("\n  link of node {} to node {}: {} packets", links_[index].from.value, links_[index].to.value,
                        links_[index].packets.size());
  }
  return text;
}

void Fabric::for_each_front(const std::function<void(PacketSlot)>& visit) const {
  for (const std::uint32_t index : active_) visit(links_[index].packets.front());
}

}  // namespace braid::models::ideal
