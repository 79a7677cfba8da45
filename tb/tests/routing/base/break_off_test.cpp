// Who is asked, deep in a computation that nobody passes a listener to, whether it should go on.
#include "routing/base/break_off.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "routing/algorithm/rows_on_demand.h"
#include "tb/tests/support/graphs.h"

namespace braid::test::break_off_test {
namespace {

using namespace routing;

/// Notes each question.
OnProgress noted(std::vector<std::string>& all, const std::string& who) {
  return [&all, who](const char* counts, std::size_t done, std::size_t of) {
    all.push_back(who + " " + counts + " " + std::to_string(done) + " " + std::to_string(of));
  };
}
using Asked = std::vector<std::string>;

TEST(BreakOff, AsksTheInnermostAndThenTheOuterOneAgain) {
  Asked asked;
  BreakOff::look();
  EXPECT_EQ(asked, Asked{});
  {
    const BreakOff outer(noted(asked, "outer"));
    BreakOff::look();
    {
      const BreakOff inner(noted(asked, "inner"));
      BreakOff::look();
    }
    BreakOff::look();
    std::thread([] { BreakOff::look(); }).join();  // asks nobody: it is another thread's
  }
  BreakOff::look();
  EXPECT_EQ(asked, (Asked{"outer step 0 0", "inner step 0 0", "outer step 0 0"}));
}

/// A look at a whole network, and a row that is made; one that is there costs no question.
TEST(BreakOff, IsAskedByWhatLooksAtAWholeNetwork) {
  const Topology ring = ring_of(4);
  const RowsOnDemand<std::uint8_t> rows(ring, 4);
  Asked asked;
  std::size_t made = 0;
  const auto row = [&](std::size_t i) {
    return rows.row(i, [&] {
      ++made;
      return std::vector<std::uint8_t>{7, 8, 9, static_cast<std::uint8_t>(i)};
    });
  };
  const BreakOff asking(noted(asked, "it"));
  (void)ring.distances_to(RouterId{2});
  EXPECT_EQ(asked.size(), 1U);
  EXPECT_EQ(row(1)[3], 1U);
  EXPECT_EQ(asked.size(), 2U);
  EXPECT_EQ(row(1)[0], 7U);
  EXPECT_EQ(row(1)[3], 1U);
  EXPECT_EQ(asked.size(), 2U);
  EXPECT_EQ(row(3)[3], 3U);
  EXPECT_EQ(asked.size(), 3U);
  EXPECT_EQ(made, 2U) << "once each";
}

TEST(BreakOff, MayThrow) {
  const Topology ring = ring_of(4);
  const BreakOff asking([](const char*, std::size_t, std::size_t) { throw std::runtime_error("enough"); });
  EXPECT_THROW((void)ring.distances_to(RouterId{0}), std::runtime_error);
  const RowsOnDemand<std::uint8_t> rows(ring, 1);
  EXPECT_THROW((void)rows.row(0, [] { return std::vector<std::uint8_t>{1}; }), std::runtime_error);
}

}  // namespace
}  // namespace braid::test::break_off_test
