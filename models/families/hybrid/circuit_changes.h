// Circuits that their user changes while the program runs (models/fabric/circuits.h): the same tear-downs and searches
// that move circuits (rerouting.h), one at a time, when the user asks for them.
#pragma once

#include <cstdint>

#include "models/fabric/circuits.h"
#include "models/families/hybrid/setup_requests.h"
#include "models/families/hybrid/setup_sequencer.h"

namespace braid::models::hybrid {

class CircuitChanger final : public CircuitChanges {
 public:
  CircuitChanger(SetupRequests& requests, SetupSequencer& sequencer, CircuitUser& user, std::uint64_t token_cycles)
      : requests_(requests), sequencer_(sequencer), user_(user), token_cycles_(token_cycles) {}

  std::uint64_t token_cycles() const override { return token_cycles_; }
  bool all_sent(std::size_t circuit) const override { return requests_.all_sent(circuit); }
  void tear_down(std::uint64_t cycle, std::size_t circuit) override;
  bool torn_down(std::uint64_t cycle) override;
  void change_ends(std::size_t circuit, const CircuitRequest& request) override { requests_.change(circuit, request); }
  void search(std::uint64_t cycle, std::size_t circuit) override;
  Search step(std::uint64_t cycle) override;
  const CircuitResult& found() const override { return found_; }
  /// A message of the token's, which no flit holds up: receivers take whatever comes.
  bool message_under_way() const { return state_ != State::kResting; }

 private:
  enum class State : std::uint8_t { kResting, kTearingDown, kForgetting, kSearching };
  void request(std::uint64_t cycle);

  SetupRequests& requests_;
  SetupSequencer& sequencer_;
  CircuitUser& user_;
  std::uint64_t token_cycles_;
  State state_ = State::kResting;
  std::size_t circuit_ = 0;  // of the last tear-down or search
  SetupRequests::End end_;   // of the circuit that is torn down
  bool no_lane_ = false;     // the search has found none free at its source
  CircuitResult found_;
};

}  // namespace braid::models::hybrid
