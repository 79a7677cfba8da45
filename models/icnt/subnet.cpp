#include "models/icnt/subnet.h"

#include <algorithm>

namespace braid::models::icnt {

namespace {

std::vector<std::uint32_t> channels(const std::vector<std::uint32_t>& ports, unsigned shift) {
  std::vector<std::uint32_t> first;
  for (const std::uint32_t port : ports) first.push_back(port << shift);
  return first;
}

}  // namespace

Subnet::Subnet(const Configuration& configuration, const Wiring& wiring)
    : configuration_(configuration),
      wires_(configuration.credit_delay, wiring.longest),
      injection_(configuration, packets_, wires_, channels(wiring.injects_at, configuration.channel_shift())),
      ejection_(configuration, packets_, wires_, channels(wiring.ejects_at, configuration.channel_shift())),
      routers_(configuration, wiring, packets_, wires_) {}

void Subnet::push(unsigned from, unsigned to, void* payload, unsigned flits, unsigned range) {
  const PacketId id = packets_.take();
  Packet& packet = packets_[id];
  packet.payload = payload;
  packet.pushed = wires_.now();
  packet.destination = to;
  packet.flits = flits;
  packet.range = static_cast<std::uint16_t>(range);
  injection_.push(from, id);
  flits_pushed_ += flits;
  totals_.flits_pushed += flits;
  ++totals_.pushed;
}

void* Subnet::pop(unsigned node) {
  const PacketId id = ejection_.pop(node);
  void* const payload = packets_[id].payload;
  packets_.give_back(id);
  --to_pop_;
  return payload;
}

/// In intersim2's order: nodes read their wires, routers read theirs, nodes inject, routers compute and write.
void Subnet::transfer() {
  ejection_.take_flits();
  ejection_.transfer([this](PacketId id) {
    const std::uint64_t latency = wires_.now() + 1 - packets_[id].pushed;
    ++to_pop_;
    ++totals_.complete;
    totals_.latency_sum += latency;
    totals_.latency_greatest = std::max(totals_.latency_greatest, latency);
  });
  injection_.take_credits();
  routers_.take();
  injection_.inject();
  routers_.send_queued();
  for (steps_due_ += configuration_.internal_speedup; steps_due_ >= 1; steps_due_ -= 1) routers_.step();
  wires_.advance();
}

Totals Subnet::totals() const {
  Totals all = totals_;
  all.cycles = wires_.now() - began_;
  return all;
}

void Subnet::init() {
  totals_ = Totals();
  began_ = wires_.now();
}

}  // namespace braid::models::icnt
