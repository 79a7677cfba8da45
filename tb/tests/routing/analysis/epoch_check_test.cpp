// Source routes of several epochs: each by itself has no cycle, or the run is refused with the epoch's.
#include <gtest/gtest.h>

#include <string>

#include "routing/analysis/channel_dependency.h"
#include "routing/paths/route_table.h"
#include "tb/tests/support/complaint.h"
#include "tb/tests/support/paths.h"

namespace braid::test::epoch_check_test {
namespace {

using namespace routing;

/// Knows its paths and nothing else.
class Listed final : public RoutingAlgorithm {
 public:
  explicit Listed(const RouteTable& table) : RoutingAlgorithm(1), table_(table) {}
  const RouteTable* routes() const override { return &table_; }
  std::size_t max_candidates() const override { return 1; }
  void route(const RouteQuery&, CandidateList& out) const override { out.clear(); }

 private:
  const RouteTable& table_;
};

std::string refusal(const Topology& t, const RouteTable& table) {
  const Listed algorithm(table);
  return complaint([&] { check_deadlock_free(t, algorithm, 1); });
}

PathSet with_buffers(const Topology& ring) {
  PathSet paths = clockwise(ring);
  place(ring, "every_switch", paths);
  return paths;
}

TEST(EpochCheck, LooksAtEveryEpoch) {
  const Topology ring = ring_of(4);
  RouteTable table(ring, with_buffers(ring));
  EXPECT_EQ(refusal(ring, table), "");
  table.add_epoch(with_buffers(ring));
  EXPECT_EQ(refusal(ring, table), "");
  table.add_epoch(clockwise(ring));
  const std::string head = "the paths after the failure can deadlock on a graph (expected another routing.in_transit, ";
  EXPECT_EQ(refusal(ring, table).substr(0, head.size()), head);
}

TEST(EpochCheck, NamesThoseOfTheStartOtherwise) {
  const Topology ring = ring_of(4);
  RouteTable table(ring, clockwise(ring));
  const std::string head = "these paths can deadlock on a graph (expected another routing.in_transit, ";
  EXPECT_EQ(refusal(ring, table).substr(0, head.size()), head);
  table.add_epoch(with_buffers(ring));
  EXPECT_EQ(refusal(ring, table).substr(0, head.size()), head);
}

TEST(EpochCheck, SaysWhatIsWrongWithAPath) {
  const Topology ring = ring_of(4);
  RouteTable table(ring, with_buffers(ring));
  PathSet later = with_buffers(ring);
  later.at(RouterId{0}, RouterId{1}) = Path{};
  table.add_epoch(later);
  EXPECT_EQ(refusal(ring, table), "source routing on a graph: path from r0 to r1 is missing");
}

}  // namespace
}  // namespace braid::test::epoch_check_test
