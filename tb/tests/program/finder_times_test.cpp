// Processor time of finders of circuits, by a clock that an eighth of a second passes on whenever somebody looks.
#include <gtest/gtest.h>

#include <ctime>
#include <set>
#include <string>
#include <vector>

#include "tb/braid/find_circuits.h"
#include "tb/tests/support/bench.h"

namespace {
clock_t finder_times_time = 0;
}

/// In place of the C library's, for this whole program (style_comparison_test.cpp asks it, too).
extern "C" clock_t clock() noexcept { return finder_times_time += CLOCKS_PER_SEC / 8; }

namespace braid::test::finder_times_test {
namespace {

/// Streams of a row of four routers: one over two links.
std::vector<tb::FinderAnswer> asked(const std::string& finder) {
  models::Experiment e = uniform_mesh(0.1, 4, 1);
  e.open("stream");
  e.set("stream.graph", source_file("traffic/graphs/fm_radio_4x4.toml"));
  e.set("disjoint.finder", finder);
  const routing::Topology topology = routing::make_topology(e);
  const routing::Channels channels(topology);
  return tb::ask_finders(e, topology, channels, {{RouterId{0}, RouterId{2}}}, {});
}

/// From one look before it begins to one when it has ended.
TEST(FinderTimes, AreOfEachByItself) {
  const auto answers = asked("all");
  EXPECT_GE(answers.size(), 4U);
  std::set<std::string> names;
  for (const tb::FinderAnswer& a : answers) {
    EXPECT_EQ(a.cpu_seconds, 0.125) << a.finder;
    EXPECT_TRUE(names.insert(a.finder).second) << a.finder;
    EXPECT_EQ(a.found.answer, routing::DisjointAnswer::kFound) << a.finder;
    EXPECT_EQ(a.links(), 2U) << a.finder;
  }
}

/// One that is named is asked, and no other.
TEST(FinderTimes, AreOfTheOneThatIsNamed) {
  for (const std::string name : {"exact", "sequential"}) {
    const auto answers = asked(name);
    ASSERT_EQ(answers.size(), 1U) << name;
    EXPECT_EQ(answers[0].finder, name);
    EXPECT_EQ(answers[0].cpu_seconds, 0.125);
  }
}

}  // namespace
}  // namespace braid::test::finder_times_test
