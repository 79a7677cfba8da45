// Computations of paths, and placements of in-transit buffers, tell how far they have come and can be broken off.
#include "routing/base/progress.h"

#include <gtest/gtest.h>

#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "tb/tests/support/paths.h"
#include "tb/tests/support/sanitized.h"

namespace braid::test::progress_test {
namespace {

using namespace routing;

struct BrokenOff : std::runtime_error {
  BrokenOff() : std::runtime_error("broken off") {}
};

/// Counts what it is told, and breaks off when told for the last time that it bears.
struct Listener {
  std::size_t told = 0, bears = SIZE_MAX;
  std::set<std::string> counted;
  OnProgress progress() {
    return [this](const char* counts, std::size_t done, std::size_t all) {
      EXPECT_TRUE(all == 0 || done <= all) << done << " of " << all << " " << counts;
      counted.insert(counts);
      if (++told >= bears) throw BrokenOff();
    };
  }
};

/// Runs `work` to its end, then again until it is told for the first, the middle and the last time.
template <class Work>
void expect_broken_off(const std::string& name, std::size_t least, const Work& work) {
  Listener whole;
  work(whole.progress());
  EXPECT_GE(whole.told, least) << name;
  for (const std::size_t bears : {std::size_t{1}, whole.told / 2, whole.told}) {
    Listener listener{0, bears, {}};
    EXPECT_THROW(work(listener.progress()), BrokenOff) << name << ", " << bears << " of " << whole.told;
    EXPECT_EQ(listener.told, bears) << name;
  }
}

TEST(PathProgress, EveryComputationTellsAndIsBrokenOffWheneverItTells) {
  const Topology t = irregular(kBrief ? 16 : 32, 0);
  for (const std::string& name : PathComputationRegistry::instance().names()) {
    const auto computation = PathComputationRegistry::instance().make(name, PathContext{});
    expect_broken_off(name, t.router_count(), [&](const OnProgress& progress) { computation->compute(t, progress); });
  }
}

TEST(PathProgress, EveryPlacementTellsAndIsBrokenOffWheneverItTells) {
  for (const std::string& name : InTransitPlacementRegistry::instance().names()) {
    const Topology t = irregular(name == "fewest" ? 8 : 32, 0);  // proofs take long
    const auto placement = InTransitPlacementRegistry::instance().make(name, PathContext{});
    PathSet paths = computed(t, "random");
    expect_broken_off(name, 32, [&](const OnProgress& progress) { placement->place(t, paths, progress); });
  }
}

/// What is told of one kind, in order: done, of all.
using Told = std::vector<std::pair<std::size_t, std::size_t>>;
template <class Work>
Told told_of(const std::string& kind, const Work& work) {
  Told told;
  work([&](const char* counts, std::size_t done, std::size_t all) {
    if (kind == counts) told.emplace_back(done, all);
  });
  return told;
}

TEST(PathProgress, RoutersAreToldOneAfterTheOther) {
  const Topology t = irregular(16, 0);
  Told once, twice;
  for (std::size_t r = 0; r < 16; ++r) once.emplace_back(r, 16);
  twice = once;
  twice.insert(twice.end(), once.begin(), once.end());
  for (const auto& [name, kind] : std::vector<std::pair<std::string, std::string>>{
           {"random", "destination"}, {"balanced", "destination"}, {"up_down", "source"}, {"dfs", "source"}}) {
    const auto computation = PathComputationRegistry::instance().make(name, PathContext{});
    EXPECT_EQ(told_of(kind, [&](const OnProgress& progress) { computation->compute(t, progress); }), once) << name;
  }
  PathSet paths = computed(t, "random");
  for (const std::string& name : InTransitPlacementRegistry::instance().names()) {
    if (name == "fewest") continue;  // proofs take long
    const auto placement = InTransitPlacementRegistry::instance().make(name, PathContext{});
    EXPECT_EQ(told_of("source", [&](const OnProgress& progress) { placement->place(t, paths, progress); }),
              name == "minimum" ? twice : once)
        << name << ": what paths wait for, and where buffers go";
  }
}

/// What takes longest is told of, not only what leads there.
TEST(PathProgress, CountsWhatIsLong) {
  if (kBrief) GTEST_SKIP() << kLong;
  const Topology t = irregular(32, 0);
  const auto counted = [&](const char* name) {
    Listener listener;
    PathComputationRegistry::instance().make(name, PathContext{})->compute(t, listener.progress());
    return listener.counted;
  };
  EXPECT_EQ(counted("balanced"), (std::set<std::string>{"destination", "path"}));
  EXPECT_EQ(counted("balanced_lp"), (std::set<std::string>{"round", "pair", "move"}));
  EXPECT_EQ(counted("smart"), (std::set<std::string>{"removal", "round", "pair", "move"}));
  EXPECT_EQ(counted("smart_feedback"), (std::set<std::string>{"removal", "round", "pair", "move", "try"}));
}

/// Who listens changes nothing.
TEST(PathProgress, PathsAreTheSameWhoeverListens) {
  const Topology t = irregular(16, 1);
  for (const std::string& name : PathComputationRegistry::instance().names()) {
    Listener listener;
    const PathSet alone = computed(t, name);
    const PathSet heard = PathComputationRegistry::instance().make(name, {})->compute(t, listener.progress());
    for (const RouterId from : routers_with_nodes(t)) {
      for (const RouterId to : routers_with_nodes(t)) EXPECT_EQ(alone.at(from, to).ports, heard.at(from, to).ports);
    }
  }
}

}  // namespace
}  // namespace braid::test::progress_test
