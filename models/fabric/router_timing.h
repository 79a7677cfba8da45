// How long a packet takes through a family's routers when nobody is in its way, and what it holds meanwhile: what
// estimates that move no flits need to know of a family (models/tlm/packet_timing.h). Each family states its own,
// beside its registration; tests hold it to the routers, cycle by cycle.
#pragma once

#include <cstdint>

#include "routing/base/registry.h"

namespace braid::models {

/// A channel that a packet takes: an injection link, a link between routers or an ejection link. Cycles.
struct ChannelTiming {
  std::uint32_t after_head =
      0;  ///< from the head's cycle on the channel before, or creation, to the request for this one
  std::uint32_t before_flits = 0;  ///< the channel is held before the first flit
  std::uint32_t after_flits = 0;   ///< ... and after the last one
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
  bool first_free_way = false;      ///< of several ways the first that is free is taken, in routing's order; else any
};
/// By the names of `router.architecture`; a family without one has none.
using RouterTimingRegistry = Registry<RouterTiming, Configuration>;

}  // namespace braid::models
