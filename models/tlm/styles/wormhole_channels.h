// The reservations of packets that hold several channels at once: wormhole routers with stop and go.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "models/tlm/styles/channel_calendars.h"
#include "models/tlm/styles/packet_routes.h"
#include "models/tlm/styles/passage.h"

namespace braid::models {

/// A packet's head takes channel after channel. How long it holds them is known when it has all of them: a tail leaves
/// its sender late where a packet that waits further on fills the slack buffer between. While a packet is under way its
/// stages are kept here; arrived() makes the reservations.
///
/// Packet of 100 flits, slack buffers that stop at 56 and go on at 40, links of 8 cycles; it waits for channel 2:
///
///     channel 1   first flit 0    header, 56 and 2 x 8 - 1 more: 71 last   stopped   flits again 173   tail 200
///     channel 2   asks 8          stop 64, there 72         grant 110, first flit 134   go 165, there 173   tail 232
///
/// Between the two tails are the flits that stand in the buffer when flits come and leave again: 40 less the 8 that
/// leave while the go is under way and the 8 that leave until a flit comes; and the link: 40 - 8 = 32 cycles.
class WormholeChannels {
 public:
  WormholeChannels(std::size_t channels, const RouterTiming& routers)
      : slack_(*routers.slack), links_(channels), inputs_(channels) {}

  Passage inject(const RouteStep& step, std::uint64_t cycle, const ChannelTiming& timing, std::uint32_t flits) {
    stages_.clear();
    return take(step, cycle + timing.after_head, cycle + timing.after_head, timing, flits, cycle);
  }
  std::uint64_t start(const Passage& p, const RouteStep& step, const ChannelTiming& timing) {
    return links_[step.channel].start(p.head + timing.after_head + step.extra_wire);
  }
  void go_on(Passage& p, const RouteStep& step, const ChannelTiming& timing, std::uint32_t flits, std::uint64_t now) {
    const std::uint64_t arrival = p.head + timing.after_head + step.extra_wire;
    std::uint64_t front = arrival;
    if (step.kind != ChannelKind::kReinjection) {
      inputs_[p.channel].forget(now);
      front = inputs_[p.channel].start(arrival);
    }
    p = take(step, arrival, front, timing, flits, now);
  }
  /// Its head has all channels.
  void arrived(Passage& p) {
    set_tails();
    ChannelIndex from = 0;
    p.moved = 0;
    for (const Stage& s : stages_) {
      const WaitLog::Entry entry = waits_.add(s.begin - s.arrival);
      PacketCalendar& link = links_[s.channel];
      p.moved += link.take({link.turn(s.front).place, s.begin}, s.front, s.tail + 1 - s.begin, waits_, entry);
      if (s.wire > 0) inputs_[from].take(s.arrival, s.front, s.tail + 1 - s.front);
      from = s.channel;
    }
    waits_.end_packet();
    p.tail = stages_.back().tail;
  }

 private:
  struct Stage {
    ChannelIndex channel;
    std::uint32_t wire;  ///< latency of the channel before; 0: there is none that this one could stop
    std::uint64_t arrival, front, begin, head, flits, tail;
  };
  /// Takes in mind only, by one that comes in `arrival` and is at the front of its input in `front`.
  Passage take(const RouteStep& step, std::uint64_t arrival, std::uint64_t front, const ChannelTiming& timing,
               std::uint32_t flits, std::uint64_t now) {
    links_[step.channel].forget(now);
    const bool from_host = step.kind == ChannelKind::kInjection || step.kind == ChannelKind::kReinjection;
    const std::uint64_t begin = links_[step.channel].start(front), head = begin + timing.before_flits;
    const std::uint64_t all = std::uint64_t{flits} + step.header;
    stages_.push_back({step.channel, from_host ? 0u : 1u + step.extra_wire, arrival, front, begin, head, all, 0});
    return {step.channel, head, head + all - 1, 0};
  }
  /// A tail leaves a channel a link's latency behind the one before, or later; and where its packet waits too long for
  /// the next channel, not before the next buffer has room.
  void set_tails() {
    std::uint64_t least = 0;
    for (Stage& s : stages_) {
      s.tail = std::max(s.head + s.flits - 1, least + s.wire);
      least = s.tail;
    }
    for (std::size_t i = stages_.size() - 1; i > 0; --i) {
      const Stage& next = stages_[i];
      Stage& s = stages_[i - 1];
      if (next.wire == 0 || s.flits <= slack_.stop_flits + 2 * next.wire) continue;  // all of it fits the buffer
      const std::uint64_t stands = next.head - (s.head + next.wire);
      const std::uint64_t stopped = next.tail - (next.head + next.flits - 1);
      if (stands + stopped < slack_.stop_flits) continue;
      const std::uint64_t behind = slack_.go_flits > next.wire ? slack_.go_flits - next.wire : next.wire;
      s.tail = std::max(s.tail, next.tail - std::min(next.tail, std::max<std::uint64_t>(behind, next.wire)));
    }
  }

  SlackBuffers slack_;
  std::vector<PacketCalendar> links_;   // [channel]
  std::vector<PacketCalendar> inputs_;  // [channel]: the slack buffer behind it
  std::vector<Stage> stages_;
  WaitLog waits_;
};

}  // namespace braid::models
