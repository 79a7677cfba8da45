// Acknowledged broadcast in hardware (paper: diamond-rings, as an event line beside the data network): a forwarding
// unit in each node's interface that needs no processor, and wires of its own between the units.
//
// A wire brings its messages in order, so a message is a pulse and needs no number: a unit counts the pulses of each of
// its wires. Broadcast b is complete at a unit when every wire has brought b + 1 of them. Cycle by cycle
// (docs/diamond-rings.md):
//
//   a unit that takes turns does one thing a cycle: it drives one wire, else it receives from one wire, else the root
//   begins the next broadcast and drives its first wire. A pulse driven in cycle s over a wire of w cycles can be
//   received in cycle s + 1 + w.
//   a unit without turn-round receives from all wires and drives all wires at once, combinationally: a pulse driven in
//   cycle s is received in s + w.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "models/event_lines/stops.h"
#include "models/observe/signals.h"
#include "routing/base/checkpoint.h"
#include "traffic/broadcast/broadcast_scheme.h"
#include "traffic/broadcast/one_wave.h"

namespace braid::models {

struct BroadcastLineContext {
  const std::vector<traffic::BroadcastPart>& parts;  ///< [position]
  std::vector<NodeId> nodes;                         ///< [position]
  traffic::WireCycles wire;                          ///< where units have no turn-round 0 counts as 1
  bool turn_round = true;
  std::uint32_t most_under_way = 1;  ///< broadcasts; a unit's counters hold as many pulses of a wire
};

class BroadcastLine {
 public:
  explicit BroadcastLine(const BroadcastLineContext& context);

  /// The root is to begin so many more.
  void request(std::uint64_t broadcasts) { requested_ += broadcasts; }
  /// One cycle. A unit hands the event to its node in the cycle in which it receives the first message of a broadcast;
  /// `stops` says when the node has handled it (in the same cycle, at the earliest). Null: at once.
  void step(std::uint64_t cycle, Stops* stops);

  std::uint64_t begun() const { return units_[0].begun; }
  std::uint64_t completed() const { return units_[0].finished; }
  /// Broadcast that the unit of a position has not finished first, and whether its node has handled that one.
  struct Progress {
    std::uint64_t finished = 0, handled = 0;
  };
  Progress progress(std::uint32_t position) const { return {units_[position].finished, units_[position].handled}; }
  /// Declares the units' registers, under `scope`.
  std::unique_ptr<SignalSource> signals(SignalTable& table, const std::string& scope) const;
  void checkpoint(Checkpoint& c) {
    c(requested_);
    c.each(wires_);
    c.each(units_);
    c(awake_);
    c.each(due_);
    if (c.restoring()) check_restored(c);
  }

 private:
  class Signals;
  /// What a unit did last.
  enum class State : std::uint8_t { kIdle, kHolds, kReceives, kDrives };
  struct Wire {
    std::uint32_t to = 0;                     // position
    std::uint32_t cycles = 0;                 // without those of the units
    std::uint64_t arrived = 0, received = 0;  // pulses
    void checkpoint(Checkpoint& c) { c(arrived, received); }
  };
  struct Unit {
    std::vector<std::uint32_t> in, at_once, when_done;  // wires
    std::deque<std::uint32_t> to_drive;
    std::size_t next_in = 0;                             // whose turn it is among `in`
    std::uint64_t begun = 0, handled = 0, finished = 0;  // broadcasts, each counted in turn
    State state = State::kIdle;
    bool awake = false;
    void checkpoint(Checkpoint& c) { c(to_drive, next_in, begun, handled, finished, state, awake); }
  };
  void check_restored(const Checkpoint& c) const;
  void connect(const std::vector<traffic::BroadcastPart>& parts, const traffic::WireCycles& wire);
  void wake(std::uint32_t position);
  void take_turn(std::uint32_t position, std::uint64_t cycle, Stops* stops);
  void do_all(std::uint32_t position, std::uint64_t cycle, Stops* stops);
  bool receive(std::uint32_t position, std::uint64_t cycle, Stops* stops);
  bool begin(std::uint64_t cycle, Stops* stops);
  void begin_at(std::uint32_t position, std::uint64_t cycle, Stops* stops);
  void handle(std::uint32_t position, std::uint64_t cycle, Stops* stops);
  void drive(Unit& unit, std::uint64_t cycle);

  std::vector<NodeId> nodes_;
  bool turn_round_;
  std::uint64_t most_under_way_;
  std::uint64_t requested_ = 0;
  std::vector<Wire> wires_;
  std::vector<Unit> units_;                      // [position]
  std::vector<std::uint32_t> awake_;             // units to visit in the cycle to come: those that were not idle
  std::vector<std::vector<std::uint32_t>> due_;  // [cycle modulo] wires at whose end a pulse is then
};

}  // namespace braid::models
