// Approximately timed: each packet reserves the channels of its route, one after the other, in the moment it is made.
// No flits, no events: a few words a channel (docs/tlm-styles.md says what that leaves out).
#include <memory>
#include <vector>

#include "models/tlm/styles/channel_calendars.h"
#include "models/tlm/styles/packet_routes.h"
#include "models/tlm/styles/packet_timing.h"
#include "models/tlm/styles/passage.h"
#include "models/tlm/styles/wormhole_channels.h"

namespace braid::models {
namespace {

/// Routers whose links carry flits of several packets in turn. A flit needs, in the same cycle, the link that it goes
/// out by and its input's way into the crossbar.
class InterleavedFlits {
 public:
  InterleavedFlits(std::size_t channels, const RouterTiming& routers)
      : held_back_(routers.both_ends_at_once), links_(channels), inputs_(channels) {}

  Passage inject(const RouteStep& step, std::uint64_t cycle, const ChannelTiming& timing, std::uint32_t flits) {
    const std::uint64_t asks = cycle + timing.after_head;
    if (held_back_) return {step.channel, asks, asks + flits - 1, 0};  // until its destination has a cycle, too
    FlitCalendar& link = links_[step.channel];
    const auto taken = FlitCalendar::take(link, link, asks, flits, 0);
    return {step.channel, taken.head, taken.tail, 0};
  }
  std::uint64_t start(const Passage& p, const RouteStep& step, const ChannelTiming& timing) {
    return FlitCalendar::first_free(links_[step.channel], inputs_[p.channel],
                                    p.head + timing.after_head + step.extra_wire);
  }
  void arrived(Passage&) {}
  void go_on(Passage& p, const RouteStep& step, const ChannelTiming& timing, std::uint32_t flits, std::uint64_t) {
    const std::uint64_t wait = timing.after_head + step.extra_wire;
    const auto taken =
        FlitCalendar::take(links_[step.channel], inputs_[p.channel], p.head + wait, flits, p.tail + wait);
    p = {step.channel, taken.head, taken.tail, 0};
  }

 private:
  bool held_back_;
  std::vector<FlitCalendar> links_;   // [channel]
  std::vector<FlitCalendar> inputs_;  // [channel]: the crossbar's input behind it
};

/// Routers that move packets as a whole.
class WholePackets {
 public:
  WholePackets(std::size_t channels, const RouterTiming& routers)
      : one_queue_(routers.one_queue_an_input), links_(channels) {}

  Passage inject(const RouteStep& step, std::uint64_t cycle, const ChannelTiming& timing, std::uint32_t flits) {
    links_[step.channel].forget(cycle);
    const std::uint64_t arrival = cycle + timing.after_head;
    return take(step.channel, arrival, arrival, timing, flits, 0);
  }
  std::uint64_t start(const Passage& p, const RouteStep& step, const ChannelTiming& timing) {
    return links_[step.channel].start(p.head + timing.after_head + step.extra_wire);
  }
  void go_on(Passage& p, const RouteStep& step, const ChannelTiming& timing, std::uint32_t flits, std::uint64_t now) {
    const std::uint64_t arrival = p.head + timing.after_head + step.extra_wire;
    links_[step.channel].forget(now);
    if (!one_queue_) {
      p = take(step.channel, arrival, arrival, timing, flits, p.moved);
      return;
    }
    PacketCalendar& queue = links_[p.channel];
    const std::size_t place = place_;
    p = take(step.channel, arrival, std::max(arrival, queue.queue_free(place)), timing, flits, p.moved);
    queue.leave_queue(place, p.head + flits);
  }
  void arrived(Passage&) { waits_.end_packet(); }

 private:
  /// By one that comes in `arrival` and asks for the channel in `asks`.
  Passage take(ChannelIndex channel, std::uint64_t arrival, std::uint64_t asks, const ChannelTiming& timing,
               std::uint32_t flits, std::uint64_t moved) {
    PacketCalendar& link = links_[channel];
    const PacketCalendar::Turn turn = link.turn(asks);
    moved += link.take(turn, asks, timing.before_flits + flits + timing.after_flits, waits_,
                       waits_.add(turn.start - arrival));
    place_ = turn.place;
    const std::uint64_t head = turn.start + timing.before_flits;
    return {channel, head, head + flits - 1, moved};
  }

  bool one_queue_;
  std::vector<PacketCalendar> links_;  // [channel], and the queue behind it
  std::size_t place_ = 0;              // in the calendar of the channel that was taken last
  WaitLog waits_;
};

template <class Channels>
class ApproximatelyTimed final : public PacketTiming {
 public:
  explicit ApproximatelyTimed(const PacketTimingContext& context)
      : routers_(context.routers),
        routes_(context.topology, context.routing, routers_),
        channels_(routes_.channel_count(), routers_) {}

  std::uint64_t deliver(NodeId from, NodeId to, std::uint32_t flits, std::uint64_t at_cycle, std::uint64_t) override {
    const PacketRoute& route = routes_.between(from, to);
    Passage p = channels_.inject(route.steps.front(), at_cycle, routers_.injection, flits);
    if (route.adaptive) {
      choose_way(p, from, to, flits, at_cycle);
    } else {
      for (std::size_t i = 1; i < route.steps.size(); ++i) {
        channels_.go_on(p, route.steps[i], routers_.of(route.steps[i].kind), flits, at_cycle);
      }
    }
    channels_.arrived(p);
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
            const std::uint64_t start = channels_.start(p, {ways[i], ChannelKind::kLink, 1, 0, 0}, routers_.link);
            if (start < first) best = i;
            first = std::min(first, start);
          }
          return best;
        },
        [&](const RouteStep& step) { channels_.go_on(p, step, routers_.of(step.kind), flits, at_cycle); });
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
                                           if (c.routers.slack)
                                             return std::make_unique<ApproximatelyTimed<WormholeChannels>>(c);
                                           return std::make_unique<ApproximatelyTimed<WholePackets>>(c);
                                         });

}  // namespace
}  // namespace braid::models
