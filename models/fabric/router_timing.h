// How long a packet takes through a family's routers when nobody is in its way, and what it holds meanwhile: what
// estimates that move no flits need to know of a family (models/tlm/styles/packet_timing.h). Each family states its
// own, beside its registration; tests hold it to the routers, cycle by cycle.
#pragma once

#include <cstdint>
#include <optional>

#include "routing/base/registry.h"

namespace braid::models {

/// A channel that a packet takes: an injection link, a link between routers or an ejection link. Cycles.
struct ChannelTiming {
  std::uint32_t after_head =
      0;  ///< from the head's cycle on the channel before, or creation, to the request for this one
  std::uint32_t before_flits = 0;  ///< the channel is held before the first flit
  std::uint32_t after_flits = 0;   ///< ... and after the last one
};

/// What a channel of a route is.
enum class ChannelKind : std::uint8_t {
  kInjection,
  kReinjection,  ///< an injection link again, out of an in-transit buffer
  kLink,
  kEjection,
};

/// Of wormhole routers with stop and go: how far a packet that waits holds the channels behind it.
struct SlackBuffers {
  std::uint32_t stop_flits = 0;  ///< with so many a buffer stops its sender
  std::uint32_t go_flits = 0;    ///< with so few it lets it go on
};

struct RouterTiming {
  static const char* axis() { return "router architecture with a timing"; }
  ChannelTiming injection, link, ejection;
  std::uint32_t delivered_early =
      0;                          ///< cycles by which delivery comes before the end of the tail's on the ejection link
  bool half_duplex = false;       ///< both directions of a link, and of a node's port, are one channel
  bool flits_interleave = false;  ///< a link carries flits of several packets in turn; else a packet as a whole
  bool one_queue_an_input = false;  ///< of whole packets: those behind wait for the first
  bool link_latency = true;         ///< a link's latency beyond one cycle counts
  bool node_link_latency = false;   ///< ... and that of a node's links, too
  bool first_free_way = false;      ///< of several ways the first that is free is taken, in routing's order; else any
  /// No routers: a packet takes its source's channel and its destination's ...
  bool direct = false;
  bool both_ends_at_once = false;     ///< ... each flit in the same cycle; else it waits at the destination
  std::optional<SlackBuffers> slack;  ///< packets are spread over the channels that they hold; else they move whole
  bool route_in_header = false;       ///< a flit for each router and each in-transit buffer that is still to come
  std::uint64_t cut_through_ps = 0;   ///< hosts send on while a packet still comes in, and a cycle's ps; 0: they do not
  ChannelTiming reinjection;          ///< of the host interface, where hosts do

  const ChannelTiming& of(ChannelKind kind) const {
    return kind == ChannelKind::kLink        ? link
           : kind == ChannelKind::kEjection  ? ejection
           : kind == ChannelKind::kInjection ? injection
                                             : reinjection;
  }
};
/// By the names of `router.architecture`; a family without one has none.
using RouterTimingRegistry = Registry<RouterTiming, Configuration>;

}  // namespace braid::models
