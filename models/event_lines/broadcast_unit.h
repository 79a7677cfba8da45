// One forwarding unit of a broadcast's line (models/event_lines/broadcast_line.h): what it has begun, handled and
// finished, and the messages that it has still to drive. The wires between units are not its own.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "models/event_lines/stops.h"
#include "routing/base/checkpoint.h"

namespace braid::models {

/// A wire from one unit to another, and the pulses that have come out of it.
struct BroadcastWire {
  std::uint32_t to = 0;                                       ///< position
  std::uint32_t cycles = 0;                                   ///< without those of the units
  std::uint64_t arrived = 0, received = 0;                    ///< pulses
  std::uint64_t driven_last = kNever, arrived_last = kNever;  ///< cycles, for whoever looks; no part of a checkpoint
  void checkpoint(Checkpoint& c) { c(arrived, received); }

  static constexpr std::uint64_t kNever = ~std::uint64_t{0};
};

class BroadcastUnit {
 public:
  /// What it did last.
  enum class State : std::uint8_t { kIdle, kHolds, kReceives, kDrives };
  /// What it is told in a cycle.
  struct Cycle {
    std::uint64_t cycle;
    std::vector<BroadcastWire>& wires;
    std::uint64_t requested;  ///< broadcasts that the root is to have begun; for others nothing
    Stops* stops;             ///< when its node has handled an event; null: at once
    NodeId node;
  };

  /// `most_under_way`: broadcasts that the root begins before the first of them is complete.
  BroadcastUnit(bool is_root, bool turn_round, std::uint64_t most_under_way)
      : is_root_(is_root), turn_round_(turn_round), most_under_way_(most_under_way) {}

  void add_in(std::uint32_t wire) { in_.push_back(wire); }
  void add_at_once(std::uint32_t wire) { at_once_.push_back(wire); }
  void add_when_done(std::uint32_t wire) { when_done_.push_back(wire); }

  /// One cycle: appends to `driven` the wires on which it drives a pulse.
  void step(const Cycle& now, std::vector<std::uint32_t>& driven);

  const std::vector<std::uint32_t>& in() const { return in_; }
  const std::vector<std::uint32_t>& at_once() const { return at_once_; }
  const std::vector<std::uint32_t>& when_done() const { return when_done_; }
  // Broadcasts, each counted in turn.
  std::uint64_t begun() const { return begun_; }
  std::uint64_t handled() const { return handled_; }
  std::uint64_t finished() const { return finished_; }
  State state() const { return state_; }

  void checkpoint(Checkpoint& c, bool& awake) { c(to_drive_, next_in_, begun_, handled_, finished_, state_, awake); }
  void check_restored(const Checkpoint& c, std::size_t wires) const;

 private:
  void take_turn(const Cycle& now, std::vector<std::uint32_t>& driven);
  void do_all(const Cycle& now, std::vector<std::uint32_t>& driven);
  bool receive(const Cycle& now);
  bool begin(const Cycle& now);
  void begin_one(const Cycle& now);
  void handle(const Cycle& now);
  void drive(std::vector<std::uint32_t>& driven);

  const bool is_root_, turn_round_;
  const std::uint64_t most_under_way_;
  std::vector<std::uint32_t> in_, at_once_, when_done_;  // wires
  std::deque<std::uint32_t> to_drive_;
  std::size_t next_in_ = 0;  // whose turn it is among `in_`
  std::uint64_t begun_ = 0, handled_ = 0, finished_ = 0;
  State state_ = State::kIdle;
};

}  // namespace braid::models
