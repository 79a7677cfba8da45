// Circuits that move while their streams run (setup.reroute). A round of the set-up token: a stream is stopped at its
// source; behind its last flit a tear-down follows the circuit to the end and releases it; when the destination has
// taken the last flit, the token goes back to the source and a search goes out as at the start. So nothing of a stream
// is under way on the old path when the new one begins, and its items cannot overtake each other.
//
// Either each stream by itself, then the next; or all are stopped one after the other, and searched anew in another
// order when none stands. docs/setup.md draws the cycles.
#pragma once

#include <cstdint>
#include <vector>

#include "models/fabric/circuits.h"
#include "models/families/hybrid/setup_requests.h"
#include "models/families/hybrid/setup_sequencer.h"

namespace braid::models::hybrid {

class Rerouting {
 public:
  /// Throws InputError for what could not go on: see docs/setup.md.
  Rerouting(SetupRequests& requests, SetupSequencer& sequencer, CircuitUser& user, const Options& options);

  /// One cycle; between the clock edges of the slices, after set-up.
  void step(std::uint64_t cycle);
  /// A message of the token's is under way, which no flit can hold up.
  bool message_under_way() const;
  const RerouteResults& results() const { return results_; }
  void checkpoint(Checkpoint& c) {
    c(state_, due_, position_, wait_until_, longest_, now_, end_, open_, old_paths_, results_);
    if (c.restoring()) check_restored(c);
  }

 private:
  enum class State : std::uint8_t { kResting, kPassing, kStopping, kTearingDown, kReturning, kSearching, kAllAnew };
  void check_restored(const Checkpoint& c) const;
  void begin_round(std::uint64_t cycle);
  void take_stream(std::uint64_t cycle);
  void tear_down_if_sent(std::uint64_t cycle);
  void end_tear_down(std::uint64_t cycle);
  void end_search(std::uint64_t cycle);
  void end_all(std::uint64_t cycle);
  void end_round();
  void search(std::uint64_t cycle, bool avoids);
  void go_on(std::uint64_t cycle, std::uint32_t edge, const CircuitResult& circuit);

  SetupRequests& requests_;
  SetupSequencer& sequencer_;
  CircuitUser& user_;
  Options options_;

  State state_ = State::kResting;
  std::uint64_t due_;                                        // when the next round begins
  std::size_t position_ = 0;                                 // in the token's order
  std::uint64_t wait_until_ = 0;                             // kPassing, kReturning: the token is there
  std::uint64_t longest_ = 0;                                // kTearingDown: when it has ended if no flit holds it up
  std::uint64_t now_ = 0;                                    // last step
  SetupRequests::End end_;                                   // of the circuit that is torn down
  std::vector<Move> open_;                                   // [edge] of this round
  std::vector<std::vector<CircuitResult::Step>> old_paths_;  // [edge]
  RerouteResults results_;
};

}  // namespace braid::models::hybrid
