// Classes of traffic over all workloads: one of a name, numbered as they come, whoever has it; the first is that of
// packets of no workload.
#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "models/workload/endpoints.h"
#include "models/workload/workload.h"

namespace braid::test::traffic_classes_test {
namespace {

using models::ClassSubnets;
using models::TrafficClasses;
using Numbers = std::vector<std::uint8_t>;
using Names = std::vector<std::string>;

/// Names its classes, and the subnets that carry them, and does nothing.
class Named final : public models::Workload {
 public:
  explicit Named(Names names, std::optional<ClassSubnets> subnets = std::nullopt)
      : names_(std::move(names)), subnets_(std::move(subnets)) {}
  std::vector<std::string> classes() const override { return names_; }
  std::vector<std::string> kinds() const override { return {}; }
  std::optional<ClassSubnets> class_subnets() const override { return subnets_; }
  void open(std::size_t, const std::vector<NodeId>&, models::Outlet&) override {}
  void generate(std::size_t, std::uint64_t) override {}
  void deliver(std::size_t, std::uint64_t, const models::Packet&) override {}

 private:
  Names names_;
  std::optional<ClassSubnets> subnets_;
};

TEST(ClassesOfAll, AreOneOfANetworkWithoutWorkloads) {
  const TrafficClasses none({});
  EXPECT_EQ(none.names, Names{"packets"});
  EXPECT_TRUE(none.of_workload.empty() && none.subnets_of_workload.empty());
  EXPECT_EQ(none.subnets, (ClassSubnets{{0}}));
  EXPECT_EQ(none.all(), Numbers{0});
}

/// Two workloads that both send "replies" send them in one class; a workload that names no subnets is carried by the
/// first.
TEST(ClassesOfAll, AreOneOfAName) {
  std::vector<std::unique_ptr<models::Workload>> workloads;
  workloads.push_back(std::make_unique<Named>(Names{"replies", "packets"}));
  workloads.push_back(std::make_unique<Named>(Names{}));
  workloads.push_back(std::make_unique<Named>(Names{"loads", "replies", "stores"}, ClassSubnets{{3}, {1}, {0, 2}}));
  const TrafficClasses all(workloads);
  EXPECT_EQ(all.names, (Names{"packets", "replies", "loads", "stores"}));
  ASSERT_EQ(all.of_workload.size(), 3U);
  EXPECT_EQ(all.of_workload[0], (Numbers{1, 0}));
  EXPECT_EQ(all.of_workload[1], Numbers{});
  EXPECT_EQ(all.of_workload[2], (Numbers{2, 1, 3}));
  EXPECT_EQ(all.all(), (Numbers{0, 1, 2, 3}));
  ASSERT_EQ(all.subnets_of_workload.size(), 3U);
  EXPECT_EQ(all.subnets_of_workload[0], (ClassSubnets{{0}, {0}}));
  EXPECT_TRUE(all.subnets_of_workload[1].empty());
  EXPECT_EQ(all.subnets_of_workload[2], (ClassSubnets{{3}, {1}, {0, 2}}));
  EXPECT_EQ(all.subnets, (ClassSubnets{{0}, {1}, {3}, {0, 2}}));
}

}  // namespace
}  // namespace braid::test::traffic_classes_test
