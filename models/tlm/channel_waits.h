// How long packets wait for channels, by the loads that were observed: the mathematics of the loosely timed style.
//
// A channel is a queue with one server. With random arrivals (M/G/1; Pollaczek and Khinchine) a packet waits
//
//   W = n E[s^2] / (2 (1 - load)),   load = n E[s]
//
// n packets a cycle that hold it for s cycles. Where flits of several packets are in turn on a link that is all. Where
// packets move as a whole, those that come over one channel come one after the other and do not meet again: of a share
// p of the packets, those that come from the same channel, nobody waits for each other, so W counts 1 - sum p^2 times.
// Where they stand in one queue an input, one also waits for those before it that wait for outputs: a queue whose
// service is the packet's flits and that wait, less what W would be without it, for the channel before has spread them
// already.
#pragma once

#include <cstdint>
#include <vector>

#include "models/fabric/router_timing.h"
#include "models/tlm/packet_routes.h"

namespace braid::models {

class ChannelWaits {
 public:
  ChannelWaits(std::size_t channels, const RouterTiming& routers);

  /// Packets that take a channel: how many, the cycles that they hold it, and the sum of the squares of these.
  struct Load {
    double packets = 0, cycles = 0, squares = 0;
  };
  /// A load on `channel` that came from `before` (itself: the first of its route), in the present observation.
  void add(ChannelIndex before, ChannelIndex channel, const Load& load) {
    Load& sum = newest_[channel];
    sum.packets += load.packets;
    sum.cycles += load.cycles;
    sum.squares += load.squares;
    if (merges_) add_feed(before, channel, load.packets);
  }
  /// The observation of so many cycles is over. Loads become a moving average: the first eight count alike, then the
  /// newest has a weight of 1/8.
  void end_observation(std::uint64_t cycles);

  /// Mean cycles that a packet waits to take the step's channel, and in the queue behind it for those before it. Of
  /// several ways it takes a free one: all must be held.
  double at(const RouteStep& step) const {
    if (step.ways == 1) return all_[step.channel];
    return waits_[step.channel] * all_held(step) + behind_[step.channel];
  }

 private:
  struct Feed {
    ChannelIndex from;
    double newest, packets;
  };
  double all_held(const RouteStep& step) const;
  void add_feed(ChannelIndex before, ChannelIndex channel, double packets);
  double wait_of(std::size_t channel) const;
  void work_out_queues();

  bool merges_, queues_;
  std::uint64_t observations_ = 0;
  std::vector<Load> newest_, rates_;          // [channel]: of this observation; of those before, a cycle
  std::vector<std::vector<Feed>> feeds_;      // [channel]
  std::vector<double> waits_, behind_, all_;  // [channel], as of the last observation; the sum of the two
};

}  // namespace braid::models
