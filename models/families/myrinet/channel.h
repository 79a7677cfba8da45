// A channel: one direction of a cable, its sender, and the slack buffer at its far end.
//
// Flits flow one a cycle for long stretches, between which something is decided: a head, a tail, a stop, a go, an empty
// buffer. So nothing is counted flit by flit. A RunningCount knows since when it runs, and every change of it is an
// event (models/families/myrinet/slice.h).
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>

#include "models/fabric/flit.h"
#include "models/fabric/wiring.h"
#include "routing/base/checkpoint.h"

namespace braid::models::myrinet {

/// Grows by one in every cycle while it runs.
class RunningCount {
 public:
  /// At the start of `cycle`, which is not before the last start or stop.
  std::uint64_t at(std::uint64_t cycle) const { return base_ + (running_ ? cycle - since_ : 0); }
  bool running() const { return running_; }
  /// Counts from `cycle` on: seen first at the start of the next.
  void start(std::uint64_t cycle) {
    since_ = cycle;
    running_ = true;
  }
  /// Does not count `cycle` any more.
  void stop(std::uint64_t cycle) {
    base_ = at(cycle);
    running_ = false;
  }
  void add(std::uint64_t count) { base_ += count; }
  void checkpoint(Checkpoint& c) { c(base_, since_, running_); }

 private:
  std::uint64_t base_ = 0, since_ = 0;
  bool running_ = false;
};

/// A packet on a channel or in its slack buffer.
struct Passing {
  PacketSlot slot = 0;
  routing::RouteId route = routing::kNoRoute;
  std::uint16_t hop = 0;     ///< number on its leg of the router that the channel leads to
  bool cut = false;          ///< only the front of a packet: its last flit is an end sign, which is no payload
  std::uint32_t header = 0;  ///< flits of route and marks that it still has when it comes there
  std::uint32_t flits = 0;   ///< with them
  std::uint64_t first = 0;   ///< its first flit's number among those of the channel

  std::uint32_t payload() const { return flits - header - (cut ? 1 : 0); }
  std::uint64_t end() const { return first + flits; }
  /// How many of the channel's flits before number `count` are of its payload.
  std::uint64_t payload_before(std::uint64_t count) const {
    const std::uint64_t begin = first + header;
    if (count <= begin) return 0;
    return std::min<std::uint64_t>(count - begin, payload());
  }
  /// Cuts so many flits off its end; the last one left, be it of the header, gives way to an end sign.
  void shorten(std::uint32_t missing) {
    flits -= missing;
    header = std::min(header, flits - 1);
    cut = true;
  }
  bool only_end_sign() const { return cut && flits == 1; }
};

struct Channel {
  std::uint32_t latency_cycles = 1;
  bool to_node = false;
  bool from_node = false;
  std::uint32_t target = kNone;  ///< Link::target

  // Sender.
  bool open = false;              ///< there is a packet to send:
  Passing sending;                ///< the last one that passes
  bool go = true;                 ///< as the last signal said that came
  bool tail_noted = false;        ///< that its last flit is leaving
  PortIndex source = kNone;       ///< channel from whose buffer its flits come; kNone: the host's memory
  std::uint64_t source_base = 0;  ///< for a host that passes on what comes in: the flit before the first one
  std::uint64_t look_at = 0;      ///< cycle for which a look at it is filed
  RunningCount sent;
  RunningCount stopped;  ///< cycles in which a packet was held by stop

  // Far end.
  std::deque<Passing> passing;  ///< packets of which a flit may be on the link or in the buffer
  RunningCount arrived, left;
  bool stopping = false;              ///< has stopped its sender
  std::uint64_t payload_of_gone = 0;  ///< flits of payload of packets that are not among `passing` any more

  // The link is down (failure.cpp): nothing that is sent comes any more, and no stop does.
  bool dead = false;
  std::uint64_t sent_before = 0;   ///< flits, until it went down
  std::uint64_t payload_lost = 0;  ///< flits of payload that did not come, but for those of the packet that is sent

  void begin(const Passing& packet, PortIndex from) {
    open = true;
    tail_noted = false;
    sending = packet;
    source = from;
    if (!dead) passing.push_back(packet);
  }
  /// Flits of payload that were sent and never come.
  std::uint64_t lost(std::uint64_t cycle) const { return payload_lost + (dead && open ? payload_into_void(cycle) : 0); }
  /// ... of the packet that is sent now or was sent last, since the link is down.
  std::uint64_t payload_into_void(std::uint64_t cycle) const {
    return sending.payload_before(sent.at(cycle)) - sending.payload_before(sent_before);
  }
  /// Does a flit leave in this cycle, of which so many are there to be sent?
  bool sends(std::uint64_t available) const { return open && go && available > 0; }
  /// Has the tail left in an earlier cycle, so that the sender is free?
  bool has_sent_all(std::uint64_t cycle) const { return open && unsent(cycle) == 0; }
  std::uint64_t unsent(std::uint64_t cycle) const { return sending.end() - sent.at(cycle); }
  std::uint64_t occupancy(std::uint64_t cycle) const { return arrived.at(cycle) - left.at(cycle); }
  void checkpoint(Checkpoint& c) {
    c(open, sending, go, tail_noted, source, source_base, look_at, sent, stopped);
    c(passing, arrived, left, stopping, payload_of_gone);
    c(dead, sent_before, payload_lost);
  }
};

}  // namespace braid::models::myrinet
