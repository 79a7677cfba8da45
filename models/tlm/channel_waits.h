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

  /// Packets that took `channel` after `before` (itself: the first of their route) in the present epoch: how many, the
  /// cycles that they held it, and the sum of the squares of these.
  void add(ChannelIndex before, ChannelIndex channel, double packets, double cycles, double squares) {
    Rate& rate = newest_[channel];
    rate.packets += packets;
    rate.cycles += cycles;
    rate.squares += squares;
    if (merges_) add_feed(before, channel, packets);
  }
  /// The epoch of so many cycles is over. Loads become a moving average: the first eight epochs count alike, then the
  /// newest has a weight of 1/8.
  void end_epoch(std::uint64_t cycles);

  /// Mean cycles that a packet waits to take the step's channel. Of several ways it takes a free one: all must be held.
  double before(const RouteStep& step) const {
    return step.ways == 1 ? waits_[step.channel] : waits_[step.channel] * all_held(step);
  }
  /// ... in the queue behind a channel, for those before it; 0 where there is none.
  double behind(ChannelIndex channel) const { return behind_[channel]; }

 private:
  struct Rate {  ///< of packets, a cycle
    double packets = 0, cycles = 0, squares = 0;
  };
  struct Feed {
    ChannelIndex from;
    double newest, packets;
  };
  double all_held(const RouteStep& step) const;
  void add_feed(ChannelIndex before, ChannelIndex channel, double packets);
  double wait_of(std::size_t channel) const;
  void work_out_queues();

  bool merges_, queues_;
  std::uint64_t epochs_ = 0;
  std::vector<Rate> newest_, rates_;      // [channel]: of this epoch, of those before
  std::vector<std::vector<Feed>> feeds_;  // [channel]
  std::vector<double> waits_, behind_;    // [channel], as of the last epoch
};

}  // namespace braid::models
