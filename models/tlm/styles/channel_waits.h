// How long packets wait for channels, by the loads that were observed: the mathematics of the loosely timed style.
//
// A channel is a queue with one server. With random arrivals (M/G/1; Pollaczek and Khinchine) a packet waits
//
//   W = R + Q = R / (1 - load),   R = n E[s^2] / 2,   Q = n W E[s],   load = n E[s]
//
// n packets a cycle that hold it for s cycles: for what is left of the one that holds it, and for those that wait.
// Where flits of several packets are in turn on a link that is all. Where packets move as a whole:
//
// - Those that come over one channel come one after the other and do not meet again: of a share p of the packets, those
//   that come from the same channel, nobody waits for each other, so R counts 1 - sum p^2 times.
// - On half-duplex channels there are also those that go the other way round, from this channel to the one that others
//   come from. Two that meet on the first do not meet on the second: of all meetings a share is left, opposite_share().
// - A packet with k ways waits when all are held, and for the first that is free: of k cycles left to go, evenly
//   spread, the least is 2 / (k + 1) of their mean, and k channels work off what waits. With the same load on each,
//
//   W_k = load^(k - 1) (2 R / (k + 1) + Q),   Q = E[s] sum n_k W_k
//
// - Where packets stand in one queue an input, one also waits for those before it that wait for outputs: a queue whose
//   service is the packet's flits and that wait, less what W would be without it, for the channel before has spread
//   them already.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "models/fabric/router_timing.h"
#include "models/tlm/styles/packet_routes.h"

namespace braid::models {

class ChannelWaits {
 public:
  ChannelWaits(std::size_t channels, const RouterTiming& routers);

  /// Packets that went over channels in the present observation: how many, the cycles that they held one, and the sum
  /// of the squares of these.
  struct Held {
    double packets, cycles, squares;
  };
  /// They took the step's channel after `before` (itself: the first of their route), on which they had been for
  /// `head_cycles` when they asked.
  void add(ChannelIndex before, const RouteStep& step, const Held& held, double head_cycles) {
    Rate& rate = newest_[step.channel];
    rate.packets += held.packets;
    rate.cycles[ways_of(step) - 1] += held.cycles;
    rate.squares += held.squares;
    if (merges_) add_feed(before, step.channel, held.packets, head_cycles);
  }
  /// The observation of so many cycles is over. Loads become a moving average: all cycles count alike until the newest
  /// observation is an eighth of them, then it has that weight.
  void end_observation(std::uint64_t cycles);

  /// Mean cycles that a packet waits to take the step's channel, or another of its ways, and in the queue behind it for
  /// those before it.
  double at(const RouteStep& step) const { return all_[step.channel][ways_of(step) - 1]; }
  /// Share of the cycles in which a channel is held.
  double load(ChannelIndex channel) const { return rates_[channel].load(); }

 private:
  static constexpr std::size_t kMostWays = 4;  ///< more count as so many
  struct Rate {                                ///< of packets, a cycle
    double packets = 0, squares = 0;
    std::array<double, kMostWays> cycles{};  // of packets with one way, two ...
    double load() const;
  };
  struct Feed {
    ChannelIndex from;
    double newest, packets, head_cycles;
  };
  static std::size_t ways_of(const RouteStep& step) { return step.ways < kMostWays ? step.ways : kMostWays; }
  void add_feed(ChannelIndex before, ChannelIndex channel, double packets, double head_cycles);
  const Feed* feed(ChannelIndex from, ChannelIndex to) const;
  double meeting_share(ChannelIndex channel) const;
  double opposite_share(const Feed& there, const Feed& back, ChannelIndex channel) const;
  void work_out(ChannelIndex channel);
  void work_out_queues();

  bool merges_, queues_;
  double observed_ = 0;                   // cycles
  std::vector<Rate> newest_, rates_;      // [channel]: of this observation, of those before
  std::vector<std::vector<Feed>> feeds_;  // [channel]
  std::vector<double> behind_;            // [channel], as of the last observation
  using ByWays = std::array<double, kMostWays>;
  std::vector<ByWays> waits_, all_;  // [channel][ways - 1], likewise; all_: with what is behind
};

}  // namespace braid::models
