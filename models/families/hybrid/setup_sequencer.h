// The token of tentacle routing (section 2.3): streams are set up one after the other, node by node. A search that ends
// without a path ends the order: all circuits are torn down and another order is tried, a configured number of times;
// then every stream falls back to packet routing.
#pragma once

#include <cstdint>
#include <vector>

#include "models/fabric/circuits.h"
#include "models/families/hybrid/setup_requests.h"
#include "routing/base/random.h"

namespace braid::models::hybrid {

class SetupSequencer {
 public:
  SetupSequencer(CircuitSearch& requests, CircuitUser& user, const Options& options, std::uint64_t seed);

  /// One cycle; between the clock edges of the slices.
  void step(std::uint64_t cycle);

  /// No search, no tear-down is under way, and none will be.
  bool done() const { return state_ == State::kDone; }
  /// The first set-up has ended.
  bool has_set_up() const { return anew_ || done(); }
  const SetupResults& results() const { return results_; }
  /// Streams node by node, as the token first passes them.
  const std::vector<std::uint32_t>& token_order() const { return token_order_; }

  /// What it does, for whoever looks (a waveform).
  struct View {
    enum class Phase : std::uint8_t { kDone, kPassesToken, kSearches, kTearsDown };
    Phase phase = Phase::kDone;
    std::uint32_t order = 0;     ///< tried as number so many, from 1
    std::uint32_t stream = 0;    ///< whose circuit is searched or comes next: its request's place
    std::uint32_t standing = 0;  ///< circuits
  };
  View view() const;

  // Where circuits move while the program runs:
  /// Every circuit anew: none may stand. Orders at random, as many as set-up tries, whose searches avoid the links of
  /// setup.avoid_links; if all fail the order of the circuits that stood before, with what it avoided. That one finds
  /// the same paths again: a search has no choice but by what is free.
  void search_anew(std::uint64_t cycle);
  /// The one stream's circuit is this one now.
  void replace(std::uint32_t edge, const CircuitResult& circuit) { results_.circuits[place(edge)] = circuit; }
  /// ... as it stands.
  const CircuitResult& standing(std::uint32_t edge) const { return results_.circuits[place(edge)]; }

  // Where a program changes while it runs:
  /// The stream's circuit stands no longer.
  void drop(std::uint32_t edge);
  /// It stands again, or it is a new stream's.
  void put(std::uint32_t edge, const CircuitResult& circuit);

  void checkpoint(Checkpoint& c) {
    c(random_, state_, order_, position_, standing_, wait_until_, avoids_, stood_, anew_, orders_tried_anew_, results_);
    if (c.restoring()) check_restored(c);
  }

 private:
  enum class State : std::uint8_t { kPassToken, kSearching, kTearingDown, kDone };
  void check_restored(const Checkpoint& c) const;
  void pass_token(std::uint64_t cycle);
  void start_search(std::uint64_t cycle);
  void end_search(std::uint64_t cycle);
  void start_tear_down(std::uint64_t cycle);
  void give_up_order(std::uint64_t cycle);
  void end_order(std::uint64_t cycle, bool success);
  void end_set_up(std::uint64_t cycle, bool success);
  void try_next_order(std::uint64_t cycle);
  void shuffle_order();
  std::size_t place(std::uint32_t edge) const;  // in order_

  CircuitSearch& requests_;
  CircuitUser& user_;
  Options options_;
  Random random_;

  State state_ = State::kPassToken;
  std::vector<std::uint32_t> token_order_;  // edges
  std::vector<std::uint32_t> order_;        // edges
  std::size_t position_ = 0;                // in order_
  std::size_t standing_ = 0;                // circuits of order_, from the front, that stand
  std::uint64_t wait_until_ = 0;
  bool avoids_ = false;
  /// The last order that stood, with what its searches avoided.
  struct Stood {
    std::vector<std::uint32_t> order;
    bool avoids = false;
  };
  Stood stood_;
  bool anew_ = false;                    // search_anew() has been called
  std::uint32_t orders_tried_anew_ = 0;  // since
  SetupResults results_;
};

}  // namespace braid::models::hybrid
