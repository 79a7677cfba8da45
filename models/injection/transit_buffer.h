// The in-transit buffer of a host, as a unit by itself: a packet whose mark has come is known to be in transit after
// detection, may go on after programming, and leaves when its turn has come (docs/in-transit-buffers.md, "The host
// interface").
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>

#include "models/fabric/flit.h"
#include "routing/base/checkpoint.h"

namespace braid::models {

struct TransitTimes {
  std::uint64_t detect_cycles = 0, program_cycles = 0;
  /// Must as many bytes have come, too, as the times have cycles, or all that the packet has?
  bool counts_bytes = false;
  std::uint64_t delay_cycles() const { return detect_cycles + program_cycles; }
};

/// What a host does with the first packet in its buffer.
enum class TransitState : std::uint8_t { kIdle, kDetecting, kProgramming, kReady, kSending };

struct RestingPacket {
  static constexpr std::uint64_t kNever = UINT64_MAX;

  PacketSlot slot = 0;
  std::uint64_t here = 0;  ///< cycle in which its head came, or in a family that does not tell, its tail
  /// Cycles from which it is known to be in transit, from which it may leave; where bytes are counted, and until that
  /// many are here, the earliest that can be.
  std::uint64_t known = 0, ready = 0;
  std::uint64_t look = kNever;  ///< cycle in which its bytes are counted next
  bool is_known = false;        ///< where bytes are counted: enough were here
  bool tail_is_here = false;
};

struct TransitBuffer {
  std::deque<RestingPacket> resting;  ///< in the order in which they came; the first one may be leaving
  bool leaving = false;

  /// A packet's mark is here at the start of `cycle`.
  RestingPacket& take_in(PacketSlot slot, std::uint64_t cycle, const TransitTimes& times) {
    const std::uint64_t known = cycle + times.detect_cycles;
    const std::uint64_t look = times.counts_bytes ? known - 1 : RestingPacket::kNever;
    resting.push_back({slot, cycle, known, cycle + times.delay_cycles(), look, false, false});
    return resting.back();
  }
  /// Counts bytes of the packets whose turn it is, and puts off what they come too late for. `missing(packet, bytes)`:
  /// how many cycles it takes at least until as many are here, the mark included, or the whole packet is; 0: they are.
  /// `moved(packet)` is called for each.
  template <class Missing, class Moved>
  void look(std::uint64_t cycle, const TransitTimes& times, Missing missing, Moved moved) {
    for (RestingPacket& packet : resting) {
      if (packet.look != cycle) continue;
      const std::uint64_t late = missing(packet, packet.is_known ? times.delay_cycles() : times.detect_cycles);
      if (late > 0) {
        if (!packet.is_known) packet.known += late;
        packet.ready += late;
        packet.look += late;
      } else {
        packet.look = packet.is_known ? RestingPacket::kNever : packet.ready - 1;
        packet.is_known = true;
      }
      moved(packet);
    }
  }
  /// The tail of the packet that came last is here: there is nothing more of it to wait for (a link that goes down may
  /// have cut it short). Is it to be looked at sooner?
  bool tail_came(std::uint64_t cycle, const TransitTimes& times) {
    RestingPacket& packet = resting.back();
    packet.tail_is_here = true;
    if (packet.look == RestingPacket::kNever) return false;
    const std::uint64_t least =
        packet.is_known ? packet.known + times.program_cycles : packet.here + times.detect_cycles;
    const std::uint64_t look = std::max(cycle, least - 1);
    if (look >= packet.look) return false;
    packet.ready -= packet.look - look;
    if (!packet.is_known) packet.known -= packet.look - look;
    packet.look = look;
    return true;
  }
  /// May the first packet begin in the cycle after this one? `cuts_through`: also before its tail is here.
  bool can_leave(std::uint64_t cycle, bool cuts_through) const {
    if (leaving || resting.empty()) return false;
    const RestingPacket& first = resting.front();
    return first.ready <= cycle + 1 && first.look == RestingPacket::kNever && (first.tail_is_here || cuts_through);
  }
  /// The tail of the packet that is leaving has left.
  void left() {
    resting.pop_front();
    leaving = false;
  }
  TransitState state(std::uint64_t cycle) const {
    if (resting.empty()) return TransitState::kIdle;
    if (leaving) return TransitState::kSending;
    if (cycle < resting.front().known) return TransitState::kDetecting;
    return cycle < resting.front().ready ? TransitState::kProgramming : TransitState::kReady;
  }
};

}  // namespace braid::models
