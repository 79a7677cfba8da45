// What is in the checkpoint of every workload: its part has a name, by which another one's is refused; and who has been
// told to send nothing more goes on sending nothing where a run continues.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "tb/tests/support/complaint.h"
#include "tb/tests/support/continued.h"

namespace braid::test::workload_checkpoints_test {
namespace {

using models::Experiment;

Experiment broadcasting(const std::string& operation, const std::string& medium = "network") {
  Experiment e = uniform_mesh(0.0, 4, 4);
  e.close("traffic");
  e.open("broadcast");
  e.set("broadcast.scheme", "spanning_tree");
  if (medium == "line") {
    e.set("broadcast.medium", medium);
  } else {
    e.set("broadcast.operation", operation);
  }
  return e;
}

TEST(WorkloadCheckpoints, BeginWithTheNameOfTheirPart) {
  Checkpoint others;
  others.part("others");
  const std::vector<std::pair<Experiment, std::string>> all{
      {uniform_mesh(0.1, 4, 4), "synthetic sources"},     {stream_mesh("fm_radio_4x4.toml", 4, 4), "stream program"},
      {broadcasting("broadcast"), "broadcasts"},          {broadcasting("all_reduce"), "all-reduces"},
      {broadcasting("shoot_down"), "consistency events"}, {broadcasting("ownership"), "consistency events"},
      {broadcasting("", "line"), "broadcasts by line"}};
  for (const auto& [experiment, name] : all) {
    const Bench bench(experiment);
    models::Workload& workload = *bench.network->workloads().front();
    EXPECT_EQ(complaint<CheckpointError>([&] { restore(workload, others.bytes()); }),
              "\"others\", where \"" + name + "\" was expected");
    EXPECT_EQ(complaint<CheckpointError>([&] { restore(workload, saved(workload)); }), "") << name;
  }
}

/// Stopped, saved and gone on with in another network, and beside it in the same one: what is under way comes to its
/// end, and nothing more begins.
TEST(WorkloadCheckpoints, OfSourcesThatWereStoppedStayStopped) {
  for (const Experiment& e : {uniform_mesh(0.2, 4, 4), broadcasting("broadcast"), broadcasting("all_reduce"),
                              broadcasting("shoot_down"), broadcasting("ownership"), broadcasting("", "line")}) {
    Bench bench(e), other(e);
    bench.run(10);
    bench.network->begin_window(1000);
    bench.run(50);
    bench.network->stop_sources();
    restore(*other.network, saved(*bench.network));
    bench.run(3000);
    const std::uint64_t created = bench.network->conservation().packets_created;
    bench.run(500);
    other.run(3500);
    EXPECT_EQ(bench.network->conservation().packets_created, created);
    EXPECT_EQ(bench.network->conservation().packets_in_flight, 0U);
    EXPECT_EQ(told(*other.network), told(*bench.network));
  }
}

}  // namespace
}  // namespace braid::test::workload_checkpoints_test
