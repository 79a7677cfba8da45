// Approximately timed: each packet reserves the channels of its route, one after the other, in the moment it is made.
// No flits, no events: a few words a channel (docs/tlm-styles.md says what that leaves out).
#include <memory>
#include <vector>

#include "models/tlm/channel_calendars.h"
#include "models/tlm/packet_routes.h"
#include "models/tlm/packet_timing.h"

namespace braid::models {
namespace {

/// Where a packet is: the channel that it took last, and the cycles of its head and tail there.
struct Passage {
  ChannelIndex channel = 0;
  std::uint64_t head = 0, tail = 0;
  std::uint64_t moved = 0;  ///< by how much it has moved others back
};

/// Routers whose links carry flits of several packets in turn. A flit needs, in the same cycle, the link that it goes
/// out by and its input's way into the crossbar.
class InterleavedFlits {
 public:
  InterleavedFlits(std::size_t channels, const RouterTiming&) : links_(channels), inputs_(channels) {}

  Passage inject(ChannelIndex channel, std::uint64_t cycle, const ChannelTiming& timing, std::uint32_t flits) {
    FlitCalendar& link = links_[channel];
    const auto taken = FlitCalendar::take(link, link, cycle + timing.after_head, flits, 0);
    return {channel, taken.head, taken.tail, 0};
  }
  std::uint64_t start(const Passage& p, const RouteStep& step, const ChannelTiming& timing) {
    return FlitCalendar::first_free(links_[step.channel], inputs_[p.channel],
                                    p.head + timing.after_head + step.extra_wire);
  }
  void arrived() {}
  void go_on(Passage& p, const RouteStep& step, const ChannelTiming& timing, std::uint32_t flits, std::uint64_t) {
    const std::uint64_t wait = timing.after_head + step.extra_wire;
    const auto taken =
        FlitCalendar::take(links_[step.channel], inputs_[p.channel], p.head + wait, flits, p.tail + wait);
    p = {step.channel, taken.head, taken.tail, 0};
  }

 private:
  std::vector<FlitCalendar> links_;   // [channel]
  std::vector<FlitCalendar> inputs_;  // [channel]: the crossbar's input behind it
};

/// Routers that move packets as a whole.
class WholePackets {
 public:
  WholePackets(std::size_t channels, const RouterTiming& routers)
      : one_queue_(routers.one_queue_an_input), links_(channels), inputs_(channels) {}

  Passage inject(ChannelIndex channel, std::uint64_t cycle, const ChannelTiming& timing, std::uint32_t flits) {
    links_[channel].forget(cycle);
    const std::uint64_t arrival = cycle + timing.after_head;
    return take(channel, arrival, arrival, timing, flits, 0);
  }
  std::uint64_t start(const Passage& p, const RouteStep& step, const ChannelTiming& timing) {
    return links_[step.channel].start(p.head + timing.after_head + step.extra_wire);
  }
  void arrived() { waits_.end_packet(); }
  void go_on(Passage& p, const RouteStep& step, const ChannelTiming& timing, std::uint32_t flits, std::uint64_t now) {
    const ChannelIndex from = p.channel;
    const std::uint64_t arrival = p.head + timing.after_head + step.extra_wire;
    links_[step.channel].forget(now);
    if (!one_queue_) {
      p = take(step.channel, arrival, arrival, timing, flits, p.moved);
      return;
    }
    inputs_[from].forget(now);
    p = take(step.channel, arrival, inputs_[from].start(arrival), timing, flits, p.moved);
    inputs_[from].take(arrival, p.head, flits);
  }

 private:
  /// By one that comes in `arrival` and asks for the channel in `asks`.
  Passage take(ChannelIndex channel, std::uint64_t arrival, std::uint64_t asks, const ChannelTiming& timing,
               std::uint32_t flits, std::uint64_t moved) {
    const std::uint64_t begin = links_[channel].start(asks);
    moved += links_[channel].take(asks, begin, timing.before_flits + flits + timing.after_flits, waits_,
                                  waits_.add(begin - arrival));
    const std::uint64_t head = begin + timing.before_flits;
    return {channel, head, head + flits - 1, moved};
  }

  bool one_queue_;
  std::vector<PacketCalendar> links_;   // [channel]
  std::vector<PacketCalendar> inputs_;  // [channel]: the queue behind it
  WaitLog waits_;
};

template <class Channels>
class ApproximatelyTimed final : public PacketTiming {
 public:
  explicit ApproximatelyTimed(const PacketTimingContext& context)
      : routers_(context.routers),
        routes_(context.topology, context.routing, routers_),
        channels_(routes_.channel_count(), routers_) {}

  std::uint64_t deliver(NodeId from, NodeId to, std::uint32_t flits, std::uint64_t at_cycle) override {
    const PacketRoute& route = routes_.between(from, to);
    Passage p = channels_.inject(routes_.injection(from), at_cycle, routers_.injection, flits);
    if (route.adaptive) {
      choose_way(p, from, to, flits, at_cycle);
    } else {
      const std::size_t last = route.steps.size() - 1;
      for (std::size_t i = 1; i < last; ++i) channels_.go_on(p, route.steps[i], routers_.link, flits, at_cycle);
      channels_.go_on(p, route.steps[last], routers_.ejection, flits, at_cycle);
    }
    channels_.arrived();
    return p.tail + 1 + p.moved + route.last_wire - routers_.delivered_early;
  }

 private:
  /// At each router the channel that is free first; of equals the first that routing offers.
  void choose_way(Passage& p, NodeId from, NodeId to, std::uint32_t flits, std::uint64_t at_cycle) {
    routes_.walk(
        from, to,
        [&](const std::vector<ChannelIndex>& ways) {
          std::size_t best = 0;
          std::uint64_t first = ~std::uint64_t{0};
          for (std::size_t i = 0; ways.size() > 1 && i < ways.size(); ++i) {
            const std::uint64_t start = channels_.start(p, {ways[i], 1, 0}, routers_.link);
            if (start < first) best = i;
            first = std::min(first, start);
          }
          return best;
        },
        [&](const RouteStep& step, bool ejects) {
          channels_.go_on(p, step, ejects ? routers_.ejection : routers_.link, flits, at_cycle);
        });
  }

  RouterTiming routers_;
  PacketRoutes routes_;
  Channels channels_;
};

const bool approximately_timed_registered =
    PacketTimingRegistry::instance().add("approximately_timed", "each packet reserves the links of its route; no flits",
                                         [](const PacketTimingContext& c) -> std::unique_ptr<PacketTiming> {
                                           if (c.routers.flits_interleave)
                                             return std::make_unique<ApproximatelyTimed<InterleavedFlits>>(c);
                                           return std::make_unique<ApproximatelyTimed<WholePackets>>(c);
                                         });

}  // namespace
}  // namespace braid::models
