// Loosely timed: a packet takes what its route takes without traffic, and on each channel what a packet waits there on
// average, by the load observed in the epochs before. A call adds to the counts of its pair of nodes and reads one
// number; loads and waits are worked out once an epoch.
//
// A channel's wait is that of a queue with random arrivals and one server (M/G/1, Pollaczek and Khinchine): packets a
// cycle times the mean square of the cycles that each holds it, over 2 (1 - load). Where k ways are offered, a packet
// waits only if the others are busy, too: times load^(k - 1). Routers with one queue an input: below, Queues.
#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "models/tlm/packet_routes.h"
#include "models/tlm/packet_timing.h"

namespace braid::models {
namespace {

struct LooselyTimedOptions {
  std::uint32_t epoch_cycles = 4096;
};
const OptionTable<LooselyTimedOptions>& loosely_timed_options() {
  static const OptionTable<LooselyTimedOptions> table = OptionTable<LooselyTimedOptions>("tlm").integer(
      "epoch_cycles", &LooselyTimedOptions::epoch_cycles, 64, 1000000000, "over which loads are observed");
  return table;
}

constexpr double kMostLoad = 0.98;        ///< the formula's pole is at 1; what a network bears ends before
constexpr double kLeastWeight = 1.0 / 8;  ///< of the newest epoch in the moving average; the first ones count alike

/// What passed a channel, a cycle.
struct ChannelLoad {
  double packets = 0, held = 0, held_squares = 0;  ///< cycles that packets hold it, and their squares

  void add(double n, double cycles, double squares) {
    packets += n;
    held += cycles;
    held_squares += squares;
  }
  void move_towards(const ChannelLoad& newest, double weight) {
    packets += weight * (newest.packets - packets);
    held += weight * (newest.held - held);
    held_squares += weight * (newest.held_squares - held_squares);
  }
  double load() const { return std::min(held, kMostLoad); }
  double wait() const { return held_squares / (2.0 * (1.0 - load())); }
};

class LooselyTimed final : public PacketTiming {
 public:
  explicit LooselyTimed(const PacketTimingContext& context)
      : routers_(context.routers),
        routes_(context.topology, context.routing, routers_),
        epoch_cycles_(loosely_timed_options().read(context.configuration).epoch_cycles),
        epoch_end_(epoch_cycles_),
        pairs_(context.topology.node_count()),
        nodes_(context.topology.node_count()),
        newest_(routes_.channel_count()),
        loads_(routes_.channel_count()) {}

  std::uint64_t deliver(NodeId from, NodeId to, std::uint32_t flits, std::uint64_t at_cycle) override {
    if (at_cycle >= epoch_end_) end_epochs(at_cycle);
    auto& row = pairs_[from.value];
    if (row.empty()) row.resize(nodes_);
    Pair& pair = row[to.value];
    if (pair.epoch != epoch_) refresh(pair, from, to);
    ++pair.packets;
    pair.flits += flits;
    pair.flit_squares += std::uint64_t{flits} * flits;
    return at_cycle + pair.head_cycles + flits;
  }

 private:
  /// Two nodes: what went between them in this epoch, and what a packet takes but for its flits.
  struct Pair {
    std::uint32_t epoch = 0, packets = 0;
    std::uint32_t head_cycles = 0;
    std::uint64_t flits = 0, flit_squares = 0;
  };

  const ChannelTiming& timing(std::size_t step, std::size_t steps) const {
    return step == 0 ? routers_.injection : step + 1 == steps ? routers_.ejection : routers_.link;
  }
  void refresh(Pair& pair, NodeId from, NodeId to) {
    const PacketRoute& route = routes_.between(from, to);
    double cycles = route.last_wire;
    for (std::size_t i = 0; i < route.steps.size(); ++i) {
      const RouteStep& step = route.steps[i];
      const ChannelTiming& t = timing(i, route.steps.size());
      const ChannelLoad& load = loads_[step.channel];
      cycles += t.after_head + t.before_flits + step.extra_wire;
      cycles += load.wait() * std::pow(load.load(), step.ways - 1);
    }
    pair = Pair{};
    pair.epoch = epoch_;
    pair.head_cycles = static_cast<std::uint32_t>(std::lround(cycles)) - routers_.delivered_early;
    touched_.emplace_back(from, to);
  }

  void end_epochs(std::uint64_t cycle) {
    for (const auto& [from, to] : touched_) account(pairs_[from.value][to.value], routes_.between(from, to));
    touched_.clear();
    const std::uint64_t epochs = 1 + (cycle - epoch_end_) / epoch_cycles_;
    for (std::uint64_t e = 0; e < std::min<std::uint64_t>(epochs, kEpochsToForget); ++e) {
      ++seen_;
      const double weight = std::max(1.0 / static_cast<double>(seen_), kLeastWeight);
      for (std::size_t c = 0; c < loads_.size(); ++c) loads_[c].move_towards(newest_[c], weight);
      std::fill(newest_.begin(), newest_.end(), ChannelLoad{});
    }
    epoch_end_ += epochs * epoch_cycles_;
    ++epoch_;
  }
  void account(const Pair& pair, const PacketRoute& route) {
    const double share = 1.0 / static_cast<double>(epoch_cycles_);
    const double packets = pair.packets * share, flits = static_cast<double>(pair.flits) * share;
    const double squares = static_cast<double>(pair.flit_squares) * share;
    for (std::size_t i = 0; i < route.steps.size(); ++i) {
      const ChannelTiming& t = timing(i, route.steps.size());
      const double extra = t.before_flits + t.after_flits;  // (flits + extra)^2, summed
      newest_[route.steps[i].channel].add(packets, flits + extra * packets,
                                          squares + 2 * extra * flits + extra * extra * packets);
    }
  }

  static constexpr std::uint64_t kEpochsToForget = 64;  ///< (7/8)^64 = 0.0002 of a load is left then
  RouterTiming routers_;
  PacketRoutes routes_;
  std::uint64_t epoch_cycles_, epoch_end_;
  std::uint32_t epoch_ = 1;
  std::uint64_t seen_ = 0;
  std::vector<std::vector<Pair>> pairs_;  // [from][to], rows on demand
  std::size_t nodes_;
  std::vector<std::pair<NodeId, NodeId>> touched_;  // in this epoch
  std::vector<ChannelLoad> newest_, loads_;         // [channel]: of this epoch, of those before
};

const bool loosely_timed_registered = PacketTimingRegistry::instance().add(
    "loosely_timed", "what routes take and wait by observed loads; no kernel events", loosely_timed_options().list(),
    [](const PacketTimingContext& c) { return std::make_unique<LooselyTimed>(c); });

}  // namespace
}  // namespace braid::models
