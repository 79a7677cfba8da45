#include "models/families/hybrid/circuit_changes.h"

namespace braid::models::hybrid {

void CircuitChanger::tear_down(std::uint64_t cycle, std::size_t circuit) {
  circuit_ = circuit;
  end_ = requests_.destination(circuit);
  requests_.tear_down(cycle, circuit);
  sequencer_.drop(static_cast<std::uint32_t>(circuit));
  state_ = State::kTearingDown;
}

/// As when circuits move: what has left the last router is the node's so many cycles later (docs/setup.md).
bool CircuitChanger::torn_down(std::uint64_t cycle) {
  if (!requests_.outcome().done || cycle < requests_.outcome().cycle + 2 + end_.link_latency_cycles) return false;
  if (!requests_.all_taken(circuit_, end_)) return false;
  state_ = State::kResting;
  return true;
}

void CircuitChanger::search(std::uint64_t cycle, std::size_t circuit) {
  circuit_ = circuit;
  // Units that forget the searches they have seen take this cycle for it.
  state_ = State::kForgetting;
  if (!requests_.renumber(cycle, 1)) request(cycle);
}

void CircuitChanger::request(std::uint64_t cycle) {
  state_ = State::kSearching;
  no_lane_ = !requests_.search(cycle, circuit_, false);
}

CircuitChanges::Search CircuitChanger::step(std::uint64_t cycle) {
  if (state_ == State::kForgetting) {
    request(cycle);
    return Search::kUnderWay;
  }
  if (!no_lane_ && !requests_.outcome().done) return Search::kUnderWay;
  state_ = State::kResting;
  if (no_lane_ || !requests_.outcome().success) return Search::kFailed;
  found_ = requests_.take_found(circuit_);
  sequencer_.put(static_cast<std::uint32_t>(circuit_), found_);
  const CircuitEnd source = requests_.source(circuit_);
  user_.circuit_found(circuit_, source.local_port, source.lane);
  return Search::kFound;
}

}  // namespace braid::models::hybrid
