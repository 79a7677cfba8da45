// The in-transit buffer of a host, as a unit by itself: a packet whose mark has come is known to be in transit after
// detection, may go on after programming, and leaves when its turn has come (docs/in-transit-buffers.md, "The host
// interface").
#pragma once

#include <cstdint>
#include <deque>

#include "models/fabric/flit.h"
#include "routing/base/checkpoint.h"

namespace braid::models {

struct TransitTimes {
  std::uint64_t detect_cycles = 0, program_cycles = 0;
  std::uint64_t delay_cycles() const { return detect_cycles + program_cycles; }
};

/// What a host does with the first packet in its buffer.
enum class TransitState : std::uint8_t { kIdle, kDetecting, kProgramming, kReady, kSending };

struct RestingPacket {
  PacketSlot slot = 0;
  /// Cycle from which it may leave: so long after its head came, or in a family that does not tell, its tail.
  std::uint64_t ready = 0;
  bool tail_is_here = false;
};

struct TransitBuffer {
  std::deque<RestingPacket> resting;  ///< in the order in which they came; the first one may be leaving
  bool leaving = false;

  /// A packet's mark is here at the start of `cycle`.
  RestingPacket& take_in(PacketSlot slot, std::uint64_t cycle, const TransitTimes& times) {
    resting.push_back({slot, cycle + times.delay_cycles(), false});
    return resting.back();
  }
  /// May the first packet begin in the cycle after this one? `cuts_through`: also before its tail is here.
  bool can_leave(std::uint64_t cycle, bool cuts_through) const {
    if (leaving || resting.empty()) return false;
    return resting.front().ready <= cycle + 1 && (resting.front().tail_is_here || cuts_through);
  }
  /// The tail of the packet that is leaving has left.
  void left() {
    resting.pop_front();
    leaving = false;
  }
  TransitState state(std::uint64_t cycle, const TransitTimes& times) const {
    if (resting.empty()) return TransitState::kIdle;
    if (leaving) return TransitState::kSending;
    if (cycle + times.program_cycles < resting.front().ready) return TransitState::kDetecting;
    return cycle < resting.front().ready ? TransitState::kProgramming : TransitState::kReady;
  }
};

}  // namespace braid::models
