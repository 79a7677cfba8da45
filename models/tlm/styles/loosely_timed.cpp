// Loosely timed: a packet takes what its route takes without traffic, and on each channel what a packet waits there on
// average, by the load observed in the observations before (models/tlm/styles/channel_waits.h). A call adds to the
// counts of its pair of nodes and reads one number; loads and waits are worked out once an observation.
#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "models/tlm/styles/channel_waits.h"
#include "models/tlm/styles/packet_routes.h"
#include "models/tlm/styles/packet_timing.h"
#include "routing/base/random.h"

namespace braid::models {
namespace {

struct LooselyTimedOptions {
  std::uint32_t observation_cycles = 16384;
};
const OptionTable<LooselyTimedOptions>& loosely_timed_options() {
  static const OptionTable<LooselyTimedOptions> table = OptionTable<LooselyTimedOptions>("tlm").integer(
      "observation_cycles", &LooselyTimedOptions::observation_cycles, 64, 1000000000,
      "over which loads are observed; the first ones are shorter, up to 16 times as long where packets are few");
  return table;
}

class LooselyTimed final : public PacketTiming {
 public:
  explicit LooselyTimed(const PacketTimingContext& context)
      : routers_(context.routers),
        routes_(context.topology, context.routing, routers_),
        waits_(routes_.channel_count(), routers_),
        most_cycles_(loosely_timed_options().read(context.configuration).observation_cycles),
        cycles_(std::min(kFirstCycles, most_cycles_)),
        end_(cycles_),
        nodes_(context.topology.node_count()),
        pairs_(nodes_),
        ways_(nodes_) {}

  /// Observations end by simulated time. So calls of one time, however far their callers are ahead of it, find the same
  /// loads, and each observation has the same calls in whatever order processes run.
  std::uint64_t deliver(NodeId from, NodeId to, std::uint32_t flits, std::uint64_t at_cycle,
                        std::uint64_t now_cycle) override {
    if (now_cycle >= end_) end_observation(now_cycle);
    auto& row = pairs_[from.value];
    if (row.empty()) row.resize(nodes_);
    Pair& pair = row[to.value];
    if (pair.observation != observation_) begin(pair, from, to);
    ++pair.packets;
    pair.flits += flits;
    pair.flit_squares += std::uint64_t{flits} * flits;
    return at_cycle + (pair.head_parts + lot(at_cycle)) / kParts + flits;
  }

  bool annotates() const override { return true; }

 private:
  static constexpr std::uint32_t kParts = 64;  ///< of a cycle
  /// 0 to kParts - 1, each as often, by the cycle and not by how often one has asked: parts of a cycle are rounded by
  /// it, so that their mean is right.
  static std::uint32_t lot(std::uint64_t cycle) {
    return static_cast<std::uint32_t>((cycle * 0x9e3779b97f4a7c15) >> 58);
  }
  static constexpr double kMostWait = 1e7;  ///< cycles; so that 32 bits hold its parts
  /// Two nodes: what went between them in this observation, and what a packet takes but for its flits. Half a line of
  /// the cache.
  struct alignas(32) Pair {
    std::uint32_t observation = 0, packets = 0;
    std::uint64_t flits = 0, flit_squares = 0;
    std::uint32_t head_parts = 0;  ///< ... in parts of a cycle
  };
  struct Way {
    PacketRoute route;                     ///< without steps: not followed yet
    std::uint32_t idle_cycles = 0;         ///< what a packet takes but for its flits, without traffic
    std::uint32_t follow_observation = 1;  ///< in which its route is followed again if there are several
  };
  struct Heard {  ///< a pair that sent in this observation or in the one before
    Pair* pair;
    Way* way;
    NodeId from, to;
  };

  std::uint32_t idle_cycles(const PacketRoute& route) const {
    std::uint32_t cycles = route.last_wire;
    for (const RouteStep& step : route.steps) {
      const ChannelTiming& t = routers_.of(step.kind);
      cycles += t.after_head + t.before_flits + step.extra_wire;
    }
    return cycles - routers_.delivered_early;
  }
  /// A pair that is not among those that were heard. Not inline, so that a call without it saves no registers.
  [[gnu::noinline]] void begin(Pair& pair, NodeId from, NodeId to) {
    auto& row = ways_[from.value];
    if (row.empty()) row.resize(nodes_);
    heard_.push_back({&pair, &row[to.value], from, to});
    renew(heard_.back());
  }
  /// For the present observation.
  void renew(const Heard& heard) {
    Way& way = *heard.way;
    if (way.route.steps.empty() || (way.route.adaptive && observation_ >= way.follow_observation)) follow(heard);
    double wait = 0;
    for (const RouteStep& step : way.route.steps) wait += waits_.at(step);
    Pair& pair = *heard.pair;
    pair.observation = observation_;
    pair.packets = 0;
    pair.flits = pair.flit_squares = 0;
    pair.head_parts = static_cast<std::uint32_t>(std::lround(kParts * (way.idle_cycles + std::min(wait, kMostWait))));
  }

  /// Of several ways one by lot, each as often as packets would take it at the loads observed; and again after as many
  /// observations as there have been, for these loads change with it.
  void follow(const Heard& heard) {
    Way& way = *heard.way;
    const std::uint64_t pair = std::uint64_t{heard.from.value} * nodes_ + heard.to.value;
    std::uint64_t turn = mix64(pair * kMostObservations + observation_);
    way.route = routes_.follow(heard.from, heard.to, [&](const std::vector<ChannelIndex>& ways) {
      turn = mix64(turn + 1);
      return routers_.first_free_way ? first_free(ways, turn) : turn % ways.size();
    });
    way.idle_cycles = idle_cycles(way.route);
    way.follow_observation = observation_ + std::min(observation_, kMostObservations);
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

  /// Too few packets to be worth the work, or to tell a load: the observation goes on.
  bool goes_on(std::uint64_t cycle) const {
    if (cycles_ != most_cycles_ || cycle >= begin_ + kMostTimes * cycles_) return false;
    std::uint64_t packets = 0, pairs = 0;
    for (const Heard& heard : heard_) {
      packets += heard.pair->packets;
      pairs += heard.pair->packets > 0 ? 1 : 0;
    }
    return packets < kPacketsAPair * pairs;
  }
  [[gnu::noinline]] void end_observation(std::uint64_t cycle) {
    if (goes_on(cycle)) {
      end_ = cycle + cycles_;
      return;
    }
    take_loads(cycle);
  }
  /// Pairs that sent are expected to send again: they are renewed here, in a row.
  void take_loads(std::uint64_t cycle) {
    heard_.erase(
        std::remove_if(heard_.begin(), heard_.end(), [](const Heard& heard) { return heard.pair->packets == 0; }),
        heard_.end());
    std::sort(heard_.begin(), heard_.end(), [](const Heard& a, const Heard& b) {
      return std::make_pair(a.from, a.to) < std::make_pair(b.from, b.to);  // not in the order in which they spoke
    });
    for (const Heard& heard : heard_) account(*heard.pair, heard.way->route);
    waits_.end_observation(cycle - begin_);
    begin_ = cycle;
    cycles_ = std::min(2 * cycles_, most_cycles_);
    end_ = begin_ + cycles_;
    ++observation_;
    for (const Heard& heard : heard_) renew(heard);
  }
  void account(const Pair& pair, const PacketRoute& route) {
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

  static constexpr std::uint64_t kFirstCycles = 1024;  ///< each is twice as long as the one before, up to the most
  static constexpr std::uint64_t kMostTimes = 16, kPacketsAPair = 16;
  static constexpr std::uint32_t kMostObservations = 16;  ///< for which a route stands
  RouterTiming routers_;
  PacketRoutes routes_;
  ChannelWaits waits_;
  std::uint64_t most_cycles_, cycles_;  // of an observation; of the present one, at least
  std::uint64_t begin_ = 0, end_;       // of the present one
  std::uint32_t observation_ = 1;
  std::size_t nodes_;
  std::vector<std::vector<Pair>> pairs_;  // [from][to], rows on demand, which then stay where they are
  std::vector<std::vector<Way>> ways_;    // likewise
  std::vector<Heard> heard_;
};

const bool loosely_timed_registered = PacketTimingRegistry::instance().add(
    "loosely_timed", "what routes take and wait by observed loads; no kernel events", loosely_timed_options().list(),
    [](const PacketTimingContext& c) { return std::make_unique<LooselyTimed>(c); });

}  // namespace
}  // namespace braid::models
