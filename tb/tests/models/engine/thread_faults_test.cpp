// Threads for slices where something goes wrong, and where they have nothing to do for long; and the cores that they
// may have.
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <fstream>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>

#include "models/engine/schedule.h"
#include "models/engine/slice_threads.h"
#include "tb/tests/support/bench.h"
#include "tb/tests/support/complaint.h"
#include "tb/tests/support/sanitized.h"

namespace braid::test::thread_faults_test {
namespace {

/// As another algorithm, but it throws at routers from a number on, in the second half of a cycle, whose RC that is.
class Throwing final : public routing::RoutingAlgorithm {
 public:
  Throwing(const routing::RoutingAlgorithm& other, std::uint32_t vcs) : RoutingAlgorithm(vcs), other_(other) {}
  void route(const routing::RouteQuery& query, routing::CandidateList& out) const override {
    if (query.router.value >= throws_from) {
      ++thrown;
      throw std::runtime_error("router " + std::to_string(query.router.value));
    }
    other_.route(query, out);
  }
  std::size_t max_candidates() const override { return other_.max_candidates(); }
  std::uint32_t throws_from = ~0U;
  mutable std::atomic<int> thrown{0};

 private:
  const routing::RoutingAlgorithm& other_;
};

/// Four routers in a row, a slice each; every node sends to the next but one, at once.
struct Row {
  Bench bench{uniform_mesh(0.0, 4, 1)};
  Throwing routing{*bench.routing, 4};
  std::unique_ptr<models::Network> network =
      std::make_unique<models::Network>(bench.experiment, bench.topology, routing, 4);
  Row() {
    for (std::uint32_t n = 0; n < 4; ++n) network->send_packet(NodeId{n}, NodeId{(n + 2) % 4}, 1);
  }
  std::string run(models::SliceThreads& threads, int cycles) const {
    return complaint<std::runtime_error>([&] {
      for (int i = 0; i < cycles; ++i) {
        network->begin_cycle();
        threads.cycle();
        network->end_cycle();
      }
    });
  }
};

/// Heads are at their first routers in one cycle: of all that throw there the first slice's is heard, whichever thread
/// was quicker, and all others have ended the cycle, too.
TEST(SliceThreads, ThrowWhatTheFirstSliceHasThrown) {
  for (const std::uint32_t first : {0U, 1U, 3U}) {
    for (const std::size_t parties : {1U, 2U, 4U}) {
      Row row;
      row.routing.throws_from = first;
      models::SliceThreads threads(*row.network, parties);
      EXPECT_EQ(row.run(threads, 20), "router " + std::to_string(first)) << parties;
      EXPECT_EQ(row.routing.thrown, static_cast<int>(4 - first)) << "each router's head";
    }
  }
}

TEST(SliceThreads, ThrowNothingWhereNothingWasThrown) {
  Row row;
  models::SliceThreads threads(*row.network, 4);
  EXPECT_EQ(row.run(threads, 60), "");
  EXPECT_EQ(row.network->conservation().packets_delivered, 4U);
}

/// So long that they sleep: they are woken for the next cycle, and for the last time when there are no more.
TEST(SliceThreads, AreWokenWhereTheyHaveFallenAsleep) {
  alarm(20);  // who is not woken sleeps for ever
  const auto pause = [] { std::this_thread::sleep_for(std::chrono::milliseconds(60)); };
  Row row;
  {
    models::SliceThreads threads(*row.network, 4);
    pause();
    EXPECT_EQ(row.run(threads, 5), "");
    pause();
    EXPECT_EQ(row.run(threads, 55), "");
    pause();
  }
  alarm(0);
  EXPECT_EQ(row.network->conservation().packets_delivered, 4U);
}

/// Bytes of addresses that the process has.
std::uint64_t addresses() {
  std::uint64_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  return pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

/// No addresses are left for another stack: the caller does it all.
TEST(SliceThreads, ThatCannotBeHadAreDoneWithout) {
  if (kSanitized) GTEST_SKIP() << "AddressSanitizer takes terabytes of addresses";
  Row row;
  struct rlimit usual = {};
  getrlimit(RLIMIT_AS, &usual);
  const struct rlimit small = {addresses() + (std::uint64_t{2} << 20), usual.rlim_max};
  setrlimit(RLIMIT_AS, &small);
  std::string said;
  {
    models::SliceThreads threads(*row.network, 4);
    said = row.run(threads, 60);
  }
  setrlimit(RLIMIT_AS, &usual);
  EXPECT_EQ(said, "");
  EXPECT_EQ(row.network->conservation().packets_delivered, 4U);
}

/// As many as the process may run on.
TEST(Cores, AreThoseOfTheProcess) {
  cpu_set_t all;
  ASSERT_EQ(sched_getaffinity(0, sizeof all, &all), 0);
  EXPECT_EQ(models::usable_cores(), static_cast<std::size_t>(CPU_COUNT(&all)));
}

/// Unless somebody says otherwise: the static schedule, on one thread.
TEST(Schedule, IsStaticOnOneThread) {
  const models::ScheduleOptions usual;
  EXPECT_EQ(usual.schedule, models::Schedule::kStatic);
  EXPECT_EQ(usual.threads, 1U);
  for (const std::uint32_t threads : {1U, 256U}) {
    models::Experiment e = uniform_mesh(0.0, 2, 1);
    e.set("simulation.threads", threads);
    EXPECT_EQ(models::schedule_options().read(e).threads, threads);
  }
  for (const std::uint32_t threads : {0U, 257U}) {
    models::Experiment e = uniform_mesh(0.0, 2, 1);
    EXPECT_NE(complaint([&] {
                e.set("simulation.threads", threads);
                (void)models::schedule_options().read(e);
              }),
              "")
        << threads;
  }
}

}  // namespace
}  // namespace braid::test::thread_faults_test
