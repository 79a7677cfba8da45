#include "models/engine/watchdog.h"

#include <fmt/format.h>

#include <algorithm>

namespace braid::models {

const OptionTable<WatchdogOptions>& watchdog_options() {
  using W = WatchdogOptions;
  static const OptionTable<W> table =
      OptionTable<W>("simulation")
          .integer("watchdog_cycles", &W::watchdog_cycles, 0, kAnyInteger, "without any movement: deadlock; 0: off")
          .integer("max_packet_age_cycles", &W::max_packet_age_cycles, 0, kAnyInteger,
                   "in the network: livelock; 0: off");
  return table;
}

Watchdog::Watchdog(const Network& network, const WatchdogOptions& options)
    : network_(network), limit_(options.watchdog_cycles), max_age_(options.max_packet_age_cycles), step_cycles_(1000) {
  for (const std::uint64_t bound : {limit_, max_age_}) {
    if (bound != 0) step_cycles_ = std::clamp<std::uint64_t>(bound / 4, 1, step_cycles_);
  }
  if (network.subnets() > 1) subnets_.resize(network.subnets());
}

void Watchdog::check() {
  if (max_age_ != 0) check_age();
  const std::string complaint = network_.complaint();
  if (!complaint.empty()) throw DeadlockError(complaint);
  check_subnets();
  const std::uint64_t movements = network_.movements();
  const auto any = [&](Workload::State state) {
    return std::any_of(network_.workloads().begin(), network_.workloads().end(),
                       [&](const auto& workload) { return workload->state() == state; });
  };
  const bool busy = any(Workload::State::kBusy);
  const bool idle = network_.flits_in_network() == 0 && !any(Workload::State::kWaiting);
  const bool moving = movements != movements_ || network_.fabric().transfers_under_way();
  if (moving || idle || busy || !network_.setup_done()) {
    movements_ = movements;
    moved_at_ = network_.now();
  }
  if (limit_ == 0 || network_.now() - moved_at_ < limit_) return;
  if (network_.flits_in_network() > 0) {
    std::string blocked;
    for (const auto& workload : network_.workloads()) {
      const std::string why = workload->blocked();
      if (!why.empty()) blocked += "\n  " + why;
    }
    throw DeadlockError(fmt::format("deadlock: no flit has moved up to cycle {} and {} are in the network{}{}",
                                    network_.now(), network_.flits_in_network(), blocked,
                                    network_.fabric().describe_waiting()));
  }
  throw DeadlockError(
      fmt::format("stalled: the workload waits with no flit in the network up to cycle {}", network_.now()));
}

void Watchdog::check_subnets() {
  for (std::size_t s = 0; s < subnets_.size(); ++s) {
    const Fabric& subnet = network_.fabric().subnet(s);
    const Fabric::Counters c = subnet.counters();
    const std::uint64_t movements = c.flit_hops + c.flits_injected + c.flits_delivered;
    const std::uint64_t flits = c.flits_injected - c.flits_delivered;
    Moved& moved = subnets_[s];
    if (movements != moved.movements || flits == 0 || subnet.transfers_under_way()) moved = {movements, network_.now()};
    if (limit_ == 0 || network_.now() - moved.at < limit_) continue;
    throw DeadlockError(fmt::format("deadlock: no flit of subnet {} has moved up to cycle {} and {} are in it{}", s,
                                    network_.now(), flits, subnet.describe_waiting()));
  }
}

void Watchdog::check_age() const {
  network_.fabric().for_each_front([&](PacketSlot slot) {
    const Packet& packet = network_.store()[slot];
    if (packet.injected == 0 || network_.now() - packet.injected <= max_age_) return;
    throw DeadlockError(
        fmt::format("livelock: packet {} of node {} to node {} has been in {} for {} cycles (limit {}) and passed {} "
                    "routers",
                    packet.sequence, packet.source.value, packet.destination.value,
                    network_.subnets() == 1 ? "the network" : fmt::format("subnet {}", network_.subnet_of(packet)),
                    network_.now() - packet.injected, max_age_, packet.routers));
  });
}

}  // namespace braid::models
