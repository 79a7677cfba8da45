// Loosely timed: a packet takes what its route takes without traffic, and on each channel what a packet waits there on
// average, by the load observed in the epochs before (models/tlm/channel_waits.h). A call adds to the counts of its
// pair of nodes and reads one number; loads and waits are worked out once an epoch.
#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "models/tlm/channel_waits.h"
#include "models/tlm/packet_routes.h"
#include "models/tlm/packet_timing.h"
#include "routing/base/random.h"

namespace braid::models {
namespace {

struct LooselyTimedOptions {
  std::uint32_t epoch_cycles = 16384;
};
const OptionTable<LooselyTimedOptions>& loosely_timed_options() {
  static const OptionTable<LooselyTimedOptions> table = OptionTable<LooselyTimedOptions>("tlm").integer(
      "epoch_cycles", &LooselyTimedOptions::epoch_cycles, 64, 1000000000,
      "over which loads are observed; the first ones are shorter, up to 16 times as long where packets are few");
  return table;
}

class LooselyTimed final : public PacketTiming {
 public:
  explicit LooselyTimed(const PacketTimingContext& context)
      : routers_(context.routers),
        routes_(context.topology, context.routing, routers_),
        waits_(routes_.channel_count(), routers_),
        most_epoch_cycles_(loosely_timed_options().read(context.configuration).epoch_cycles),
        epoch_cycles_(std::min(kFirstEpochCycles, most_epoch_cycles_)),
        epoch_end_(epoch_cycles_),
        nodes_(context.topology.node_count()),
        pairs_(nodes_) {}

  std::uint64_t deliver(NodeId from, NodeId to, std::uint32_t flits, std::uint64_t at_cycle) override {
    if (at_cycle >= epoch_end_) end_epochs(at_cycle);
    auto& row = pairs_[from.value];
    if (row.empty()) row.resize(nodes_);
    Pair& pair = row[to.value];
    if (pair.epoch != epoch_) refresh(pair, from, to);
    ++packets_;
    ++pair.packets;
    pair.flits += flits;
    pair.flit_squares += std::uint64_t{flits} * flits;
    pair.due += pair.head_parts;
    const std::uint32_t head = pair.due / kParts;
    pair.due = 0;
    return at_cycle + head + flits;
  }

  bool annotates() const override { return true; }

 private:
  static constexpr std::uint32_t kParts = 64;  ///< of a cycle
  static constexpr double kMostWait = 1e7;     ///< cycles; so that 32 bits hold its parts
  /// Two nodes: what went between them in this epoch, and what a packet takes but for its flits.
  struct Pair {
    std::uint32_t epoch = 0, packets = 0;
    std::uint64_t flits = 0, flit_squares = 0;
    std::uint32_t head_parts = 0;    ///< ... in parts of a cycle
    std::uint32_t due = kParts / 2;  ///< parts that packets were told too little: so their mean has no rounding
    std::uint32_t idle_cycles = 0;   ///< ... without traffic
    std::uint32_t follow_epoch = 1;  ///< in which its route is followed, again if there are several
    PacketRoute route;
  };

  std::uint32_t idle_cycles(const PacketRoute& route) const {
    std::uint32_t cycles = route.last_wire;
    for (const RouteStep& step : route.steps) {
      const ChannelTiming& t = routers_.of(step.kind);
      cycles += t.after_head + t.before_flits + step.extra_wire;
    }
    return cycles - routers_.delivered_early;
  }
  void refresh(Pair& pair, NodeId from, NodeId to) {
    if (pair.route.steps.empty() || (pair.route.adaptive && epoch_ >= pair.follow_epoch)) follow(pair, from, to);
    double wait = 0;
    for (const RouteStep& step : pair.route.steps) wait += waits_.before(step) + waits_.behind(step.channel);
    pair.epoch = epoch_;
    pair.packets = 0;
    pair.flits = pair.flit_squares = 0;
    pair.head_parts = static_cast<std::uint32_t>(std::lround(kParts * (pair.idle_cycles + std::min(wait, kMostWait))));
    touched_.push_back(&pair);
  }

  /// Of several ways one by lot, each as often as packets would take it at the loads observed; and again after as many
  /// epochs as there have been, for these loads change with it.
  void follow(Pair& pair, NodeId from, NodeId to) {
    std::uint64_t turn = mix64((std::uint64_t{from.value} * nodes_ + to.value) * kMostEpochs + epoch_);
    pair.route = routes_.follow(from, to, [&](const std::vector<ChannelIndex>& ways) {
      turn = mix64(turn + 1);
      return routers_.first_free_way ? first_free(ways, turn) : turn % ways.size();
    });
    pair.idle_cycles = idle_cycles(pair.route);
    pair.follow_epoch = epoch_ + std::min(epoch_, kMostEpochs);
  }
  /// The first way that is free, when each is held as often as was observed; of held ones any.
  std::size_t first_free(const std::vector<ChannelIndex>& ways, std::uint64_t lot) const {
    double left = static_cast<double>(lot >> 11) * 0x1p-53;
    for (std::size_t i = 0; i < ways.size(); ++i) {
      const double load = std::min(waits_.load(ways[i]), 1.0);
      if (left >= load) return i;
      left /= load;
    }
    return lot % ways.size();
  }

  /// Too few packets to be worth the work, or to tell a load: the epoch goes on.
  bool goes_on(std::uint64_t cycle) const {
    return epoch_cycles_ == most_epoch_cycles_ && cycle < epoch_end_ + epoch_cycles_ && times_ < kMostTimes &&
           packets_ < kPacketsAPair * touched_.size();
  }
  void end_epochs(std::uint64_t cycle) {
    if (goes_on(cycle)) {
      ++times_;
      epoch_end_ += epoch_cycles_;
      return;
    }
    for (const Pair* pair : touched_) account(*pair);
    touched_.clear();
    waits_.end_epoch(times_ * epoch_cycles_);
    packets_ = 0;
    times_ = 1;
    const std::uint64_t epochs = 1 + (cycle - epoch_end_) / epoch_cycles_;
    for (std::uint64_t e = 1; e < std::min(epochs, kEpochsToForget); ++e) waits_.end_epoch(epoch_cycles_);
    epoch_end_ += (epochs - 1) * epoch_cycles_;
    epoch_cycles_ = std::min(2 * epoch_cycles_, most_epoch_cycles_);
    epoch_end_ += epoch_cycles_;
    ++epoch_;
  }
  void account(const Pair& pair) {
    const PacketRoute& route = pair.route;
    const double packets = pair.packets, flits = static_cast<double>(pair.flits);
    const auto squares = static_cast<double>(pair.flit_squares);
    ChannelIndex before = route.steps.front().channel;
    std::uint32_t held_before = 0;  // before the head
    for (const RouteStep& step : route.steps) {
      const ChannelTiming& t = routers_.of(step.kind);
      const double extra = t.before_flits + t.after_flits + step.header;  // sums of (flits + extra) and of its squares
      waits_.add(before, step,
                 {packets, flits + extra * packets, squares + 2 * extra * flits + extra * extra * packets},
                 held_before + t.after_head + step.extra_wire);
      before = step.channel;
      held_before = t.before_flits;
    }
  }

  static constexpr std::uint64_t kFirstEpochCycles = 1024;  ///< each is twice as long as the one before, up to the most
  static constexpr std::uint64_t kMostTimes = 16, kPacketsAPair = 16;
  static constexpr std::uint32_t kMostEpochs = 16;      ///< for which a route stands
  static constexpr std::uint64_t kEpochsToForget = 64;  ///< (7/8)^64 = 0.0002 of a load is left then
  RouterTiming routers_;
  PacketRoutes routes_;
  ChannelWaits waits_;
  std::uint64_t most_epoch_cycles_, epoch_cycles_, epoch_end_;
  std::uint64_t times_ = 1;    // epoch_cycles_ that this epoch has
  std::uint64_t packets_ = 0;  // in this epoch
  std::uint32_t epoch_ = 1;
  std::size_t nodes_;
  std::vector<std::vector<Pair>> pairs_;  // [from][to], rows on demand, which then stay where they are
  std::vector<const Pair*> touched_;      // in this epoch
};

const bool loosely_timed_registered = PacketTimingRegistry::instance().add(
    "loosely_timed", "what routes take and wait by observed loads; no kernel events", loosely_timed_options().list(),
    [](const PacketTimingContext& c) { return std::make_unique<LooselyTimed>(c); });

}  // namespace
}  // namespace braid::models
