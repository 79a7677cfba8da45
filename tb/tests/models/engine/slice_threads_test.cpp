// Threads for slices: one that has every core, one that has a single one, and what a slice throws.
#include "models/engine/slice_threads.h"

#include <gtest/gtest.h>
#include <sched.h>
#include <unistd.h>

#include <string>
#include <vector>

#include "models/engine/cycle_runner.h"
#include "models/engine/schedule.h"
#include "tb/tests/support/bench.h"
#include "tb/tests/support/saved.h"

namespace braid::test::slice_threads_test {
namespace {

/// While it lives, this thread and those that it makes have one core, and the process ends if it waits for ever.
class OneCore {
 public:
  OneCore() {
    sched_getaffinity(0, sizeof usual_, &usual_);
    int first = 0;
    while (!CPU_ISSET(first, &usual_)) ++first;
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(first, &one);
    sched_setaffinity(0, sizeof one, &one);
    alarm(60);
  }
  ~OneCore() {
    alarm(0);
    sched_setaffinity(0, sizeof usual_, &usual_);
  }
  OneCore(const OneCore&) = delete;
  OneCore& operator=(const OneCore&) = delete;

 private:
  cpu_set_t usual_;
};

std::uint64_t hash_of(const Bench& bench) { return bench.network->merged_statistics().packet_hash(); }

/// There is no thread but the caller's, which has all slices to do.
TEST(SliceThreads, OnOneCoreDoAllSlicesInOneThread) {
  Bench plain(uniform_mesh(0.3, 4, 4)), threaded(uniform_mesh(0.3, 4, 4), 3);
  plain.run(300);
  {
    const OneCore one;
    EXPECT_EQ(models::usable_cores(), 1U);
    models::SliceThreads threads(*threaded.network, 3);
    for (int i = 0; i < 300; ++i) {
      threaded.network->begin_cycle();
      threads.cycle();
      threaded.network->end_cycle();
    }
  }
  EXPECT_EQ(threaded.network->now(), 300U);
  EXPECT_EQ(hash_of(threaded), hash_of(plain));
  EXPECT_GT(plain.delivered(), 100U);
}

/// Whether threads are asked for, and whether there is more than one slice for them.
TEST(SliceThreads, AreThereWhereBothThreadsAndSlicesAre) {
  for (const int threads : {1, 2}) {
    for (const std::size_t slices : {1, 2}) {
      models::Experiment e = uniform_mesh(0.1, 4, 4);
      e.set("simulation.threads", threads);
      e.set("simulation.engine", std::string("lists"));
      Bench bench(e, slices);
      EXPECT_EQ(models::threads_of(*bench.network) != nullptr, threads == 2 && bench.network->slice_count() == 2)
          << threads << " threads, " << slices << " slices";
    }
  }
}

/// One thread that runs all slices keeps one account of figures, and a slice one mailbox for whatever it is sent, as a
/// checkpoint shows; where there may be more threads each slice has its own.
TEST(Slices, ShareWhatTheyKeepWhereOneThreadRunsThem) {
  const auto bytes = [](const char* schedule, std::size_t slices, int threads = 1) {
    models::Experiment e = uniform_mesh(0.0, 3, 2);
    e.set("simulation.schedule", schedule).set("simulation.threads", threads);
    e.set("simulation.engine", std::string("lists"));
    Bench bench(e, slices);
    EXPECT_EQ(bench.network->slice_count(), slices);
    return saved(*bench.network).size();
  };
  EXPECT_LT(bytes("process_per_stage", 6), bytes("static", 6));
  EXPECT_EQ(bytes("static", 2, 2), bytes("static", 2));
}

/// Without SystemC: so many cycles, each of which is shown when it has ended.
TEST(LoopRunner, RunsTheCyclesAskedForAndShowsEach) {
  for (const int threads : {1, 2}) {
    models::Experiment e = uniform_mesh(0.3, 4, 4);
    e.set("simulation.threads", threads);
    e.set("simulation.engine", std::string("lists"));
    Bench bench(e, static_cast<std::size_t>(threads)), plain(uniform_mesh(0.3, 4, 4));
    const auto runner = models::make_loop_runner(*bench.network);
    runner->run(200);
    EXPECT_EQ(bench.network->now(), 200U);
    std::vector<std::uint64_t> seen;
    runner->on_cycle([&](std::uint64_t cycle) { seen.push_back(cycle); });
    runner->run(3);
    EXPECT_EQ(seen, (std::vector<std::uint64_t>{200, 201, 202}));
    plain.run(203);
    EXPECT_EQ(hash_of(bench), hash_of(plain)) << threads;
  }
}

}  // namespace
}  // namespace braid::test::slice_threads_test
