// Set-up of all circuits at once (setup.searches = "parallel"; paper: tentacle-routing, section 2.2). Each source
// requests the searches of its streams in the first cycle. Streams have ages: at a link an older search rips up what a
// younger one has there, a younger one waits for an older one, so there is neither deadlock nor livelock. A tree over
// the routers tells all sources how far searches have come; by it they agree that an order has failed, or stands.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "models/fabric/circuits.h"
#include "models/families/hybrid/options.h"
#include "models/families/hybrid/search_units.h"
#include "routing/base/random.h"

namespace braid::models::hybrid {

class ParallelSetup final : private SearchSources {
 public:
  ParallelSetup(const routing::Topology& topology, RouterBank& bank, SetupUnits& around, CircuitUser& user,
                const Options& options, std::uint64_t seed);

  /// One cycle of units and sources; between the clock edges of the slices.
  void step(std::uint64_t cycle);
  bool done() const { return phase_ == Phase::kDone; }
  /// So far: of a set-up under way the circuits that stand as their sources know.
  SetupResults results() const;
  /// From what routers know in a cycle until every source knows it: up the tree and down again.
  std::uint64_t agreement_cycles() const { return agreement_cycles_; }
  const SearchUnits& units() const { return units_; }
  /// A stream has so many attempts in an order; then the order has failed.
  void limit_attempts(std::uint32_t most) { most_attempts_ = most; }

  void checkpoint(Checkpoint& c) {
    c(random_, phase_, order_, order_began_, finished_, agreed_at_, results_);
    c.each(sources_);
    c(units_);
    if (c.restoring()) check_restored(c);
  }

 private:
  enum class Phase : std::uint8_t { kToBegin, kSearching, kTearingDown, kDone };
  enum class State : std::uint8_t { kIdle, kSearching, kCameBack, kFound };
  struct Source {
    State state = State::kIdle;
    std::uint32_t attempt = 0;
    std::uint32_t finished = 0;     ///< streams that it knew, when this attempt began, to have finished
    VcIndex lane = kNone;           ///< of its node's injection links; none: all are taken by older ones
    std::uint64_t found_cycle = 0;  ///< kFound
  };

  void found(std::uint64_t cycle, std::uint32_t stream) override;
  void came_back(std::uint64_t cycle, std::uint32_t stream) override;
  void ripped_up(std::uint64_t cycle, std::uint32_t stream) override;
  void begin_order(std::uint64_t cycle);
  void begin_attempt(std::uint64_t cycle, std::uint32_t stream);
  void fail(std::uint64_t cycle, std::uint32_t stream);
  void go_on_searching(std::uint64_t cycle);
  void begin_tear_down(std::uint64_t cycle);
  void go_on_tearing_down(std::uint64_t cycle);
  void end_set_up(std::uint64_t cycle, bool success);
  void gather(std::uint64_t cycle);
  std::uint32_t known_finished(std::uint64_t cycle) const;
  std::uint32_t count_finished() const;
  void choose_lanes();
  void expect_searching() const;
  std::vector<std::uint32_t> ages() const;
  void check_restored(const Checkpoint& c) const;

  const routing::Topology& topology_;
  RouterBank& bank_;
  CircuitUser& user_;
  std::vector<CircuitRequest> circuits_;
  std::uint32_t retries_;
  Random random_;
  std::uint64_t agreement_cycles_ = 0;
  std::uint32_t most_attempts_ = 65535;  // a number of 16 bits, 0: none

  SearchUnits units_;
  Phase phase_ = Phase::kToBegin;
  std::vector<std::uint32_t> order_;  // streams, oldest first
  std::vector<Source> sources_;       // [stream]
  std::uint64_t order_began_ = 0;
  /// On its way through the tree: of the oldest streams so many had finished from this cycle on.
  struct Finished {
    std::uint64_t cycle = 0;
    std::uint64_t streams = 0;
  };
  std::deque<Finished> finished_;
  std::uint64_t agreed_at_ = ~std::uint64_t{0};  // all sources know that the order has failed, or is torn down
  SetupResults results_;
};

/// Would it find a circuit for each? It itself, on routers of its own.
bool parallel_setup_would_stand(const routing::Topology& topology, const Options& options, std::uint64_t seed,
                                const std::vector<CircuitRequest>& requests);

/// Of setup.searches beside what has no units for it. Throws InputError.
void check_searches(const Options& options, const Configuration& configuration);

}  // namespace braid::models::hybrid
