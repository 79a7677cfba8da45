// Loosely timed: a packet takes what its route takes without traffic, and on each channel what a packet waits there on
// average, by the load observed in the observations before (models/tlm/channel_waits.h). A call adds to the counts of
// its pair of nodes and reads one number; loads and waits are worked out once an observation.
#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "models/tlm/channel_waits.h"
#include "models/tlm/packet_routes.h"
#include "models/tlm/packet_timing.h"

namespace braid::models {
namespace {

struct LooselyTimedOptions {
  std::uint32_t observation_cycles = 16384;
};
const OptionTable<LooselyTimedOptions>& loosely_timed_options() {
  static const OptionTable<LooselyTimedOptions> table = OptionTable<LooselyTimedOptions>("tlm").integer(
      "observation_cycles", &LooselyTimedOptions::observation_cycles, 64, 1000000000,
      "over which loads are observed; the first ones are shorter");
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
        pairs_(nodes_) {}

  std::uint64_t deliver(NodeId from, NodeId to, std::uint32_t flits, std::uint64_t at_cycle) override {
    if (at_cycle >= end_) end_observations(at_cycle);
    auto& row = pairs_[from.value];
    if (row.empty()) row.resize(nodes_);
    Pair& pair = row[to.value];
    if (pair.observation != observation_) begin(pair, from, to);
    ++pair.packets;
    pair.flits += flits;
    pair.flit_squares += std::uint64_t{flits} * flits;
    return at_cycle + pair.head_cycles + flits;
  }

  bool annotates() const override { return true; }

 private:
  /// Two nodes: what went between them in this observation, and what a packet takes but for its flits. Half a line of
  /// the cache.
  struct alignas(32) Pair {
    std::uint32_t observation = 0, packets = 0;
    std::uint64_t flits = 0, flit_squares = 0;
    std::uint32_t head_cycles = 0;
    std::uint32_t idle_cycles = 0;  ///< ... without traffic; 0: not known yet
  };
  struct Heard {  ///< a pair that sent in this observation or in the one before
    Pair* pair;
    const RouteStep *first, *last;  ///< of its route
  };

  const ChannelTiming& timing(std::size_t step, std::size_t steps) const {
    return step == 0 ? routers_.injection : step + 1 == steps ? routers_.ejection : routers_.link;
  }
  std::uint32_t idle_cycles(const PacketRoute& route) const {
    std::uint32_t cycles = route.last_wire;
    for (std::size_t i = 0; i < route.steps.size(); ++i) {
      const ChannelTiming& t = timing(i, route.steps.size());
      cycles += t.after_head + t.before_flits + route.steps[i].extra_wire;
    }
    return cycles - routers_.delivered_early;
  }
  /// A pair that is not among those that were heard. Not inline, so that a call without it saves no registers.
  [[gnu::noinline]] void begin(Pair& pair, NodeId from, NodeId to) {
    const PacketRoute& route = routes_.between(from, to);
    if (pair.idle_cycles == 0) pair.idle_cycles = idle_cycles(route);
    heard_.push_back({&pair, &route.steps.front(), &route.steps.back()});
    renew(heard_.back());
  }
  /// For the present observation.
  void renew(const Heard& heard) {
    double wait = 0.5;  // rounded
    for (const RouteStep* step = heard.first; step <= heard.last; ++step) wait += waits_.at(*step);
    Pair& pair = *heard.pair;
    pair.observation = observation_;
    pair.packets = 0;
    pair.flits = pair.flit_squares = 0;
    pair.head_cycles = pair.idle_cycles + static_cast<std::uint32_t>(wait);
  }

  /// Pairs that sent are expected to send again: they are renewed here, in a row.
  [[gnu::noinline]] void end_observations(std::uint64_t cycle) {
    heard_.erase(
        std::remove_if(heard_.begin(), heard_.end(), [](const Heard& heard) { return heard.pair->packets == 0; }),
        heard_.end());
    for (const Heard& heard : heard_) account(heard);
    const std::uint64_t over = 1 + (cycle - end_) / cycles_;
    for (std::uint64_t i = 0; i < std::min(over, kToForget); ++i) waits_.end_observation(cycles_);
    end_ += (over - 1) * cycles_;
    cycles_ = std::min(2 * cycles_, most_cycles_);
    end_ += cycles_;
    ++observation_;
    for (const Heard& heard : heard_) renew(heard);
  }
  /// What a pair's packets are to a channel: sums of (flits + extra) and of its squares.
  static ChannelWaits::Load load(const Pair& pair, const ChannelTiming& t) {
    const double packets = pair.packets, flits = static_cast<double>(pair.flits);
    const double extra = t.before_flits + t.after_flits;
    return {packets, flits + extra * packets,
            static_cast<double>(pair.flit_squares) + 2 * extra * flits + extra * extra * packets};
  }
  void account(const Heard& heard) {
    const ChannelWaits::Load link = load(*heard.pair, routers_.link);
    waits_.add(heard.first->channel, heard.first->channel, load(*heard.pair, routers_.injection));
    for (const RouteStep* step = heard.first + 1; step < heard.last; ++step) {
      waits_.add(step[-1].channel, step->channel, link);
    }
    waits_.add(heard.last[-1].channel, heard.last->channel, load(*heard.pair, routers_.ejection));
  }

  static constexpr std::uint64_t kFirstCycles = 1024;  ///< each is twice as long as the one before, up to the most
  static constexpr std::uint64_t kToForget = 64;       ///< (7/8)^64 = 0.0002 of a load is left then
  RouterTiming routers_;
  PacketRoutes routes_;
  ChannelWaits waits_;
  std::uint64_t most_cycles_, cycles_, end_;  // of an observation; of the present one
  std::uint32_t observation_ = 1;
  std::size_t nodes_;
  std::vector<std::vector<Pair>> pairs_;  // [from][to], rows on demand, which then stay where they are
  std::vector<Heard> heard_;
};

const bool loosely_timed_registered = PacketTimingRegistry::instance().add(
    "loosely_timed", "what routes take and wait by observed loads; no kernel events", loosely_timed_options().list(),
    [](const PacketTimingContext& c) { return std::make_unique<LooselyTimed>(c); });

}  // namespace
}  // namespace braid::models
