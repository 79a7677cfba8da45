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
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "models/event_lines/broadcast_unit.h"
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
  std::uint64_t requested() const { return requested_; }
  /// One cycle. A unit hands the event to its node in the cycle in which it receives the first message of a broadcast;
  /// `stops` says when the node has handled it (in the same cycle, at the earliest). Null: at once. Modules that run
  /// the line have the same in parts (models/stages/lines), and then this does nothing.
  void step(std::uint64_t cycle, Stops* stops);

  // The parts of a cycle. First the wires: what has come to their ends.
  void bring(std::uint64_t cycle);
  /// Then the units, in any order. One that has nothing to do does nothing.
  void visit(std::uint32_t position, std::uint64_t cycle, Stops* stops);
  /// Has it anything to do in this cycle?
  bool awake(std::uint32_t position) const { return units_[position].awake; }
  /// A pulse on a wire, from whatever drives it.
  void drive(std::uint32_t wire, std::uint64_t cycle);
  void leave_to_modules() { in_modules_ = true; }
  /// Called in every cycle when the root's unit has had its part.
  void on_root(std::function<void(std::uint64_t cycle)> told) { on_root_ = std::move(told); }

  std::uint64_t begun() const { return units_[0].unit.begun(); }
  std::uint64_t completed() const { return units_[0].unit.finished(); }
  /// Broadcast that the unit of a position has not finished first, and whether its node has handled that one.
  struct Progress {
    std::uint64_t finished = 0, handled = 0;
  };
  Progress progress(std::uint32_t position) const {
    return {units_[position].unit.finished(), units_[position].unit.handled()};
  }
  std::size_t size() const { return units_.size(); }
  const BroadcastUnit& unit(std::uint32_t position) const { return units_[position].unit; }
  NodeId node(std::uint32_t position) const { return nodes_[position]; }
  const std::vector<BroadcastWire>& wires() const { return wires_; }
  bool turn_round() const { return turn_round_; }
  std::uint64_t most_under_way() const { return most_under_way_; }
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
  /// A unit, and whether it is visited in the cycle to come.
  struct Seat {
    BroadcastUnit unit;
    bool awake = false;
    void checkpoint(Checkpoint& c) { unit.checkpoint(c, awake); }
  };
  void check_restored(const Checkpoint& c) const;
  void connect(const std::vector<traffic::BroadcastPart>& parts, const traffic::WireCycles& wire);
  void wake(std::uint32_t position);

  std::vector<NodeId> nodes_;
  bool turn_round_;
  std::uint64_t most_under_way_;
  std::uint64_t requested_ = 0;
  std::vector<BroadcastWire> wires_;
  std::vector<Seat> units_;                      // [position]
  std::vector<std::uint32_t> awake_;             // units to visit in the cycle to come: those that were not idle
  std::vector<std::vector<std::uint32_t>> due_;  // [cycle modulo] wires at whose end a pulse is then
  std::vector<std::uint32_t> visited_, driven_;  // units and wires, in this cycle
  bool in_modules_ = false;
  std::function<void(std::uint64_t)> on_root_;
};

}  // namespace braid::models
