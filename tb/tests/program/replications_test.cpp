// braid run --seeds N on a machine of so many cores: as many runs at once as it has, and no more.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "tb/tests/support/bench.h"
#include "tb/tests/support/program.h"

namespace braid::test::replications_test {
namespace {

/// The cores that this process may use.
std::vector<int> cores() {
  cpu_set_t set;
  sched_getaffinity(0, sizeof set, &set);
  std::vector<int> all;
  for (int core = 0; core < CPU_SETSIZE; ++core) {
    if (CPU_ISSET(core, &set)) all.push_back(core);
  }
  return all;
}

/// Runs of six seeds on the first `count` cores: the most that were there at once, whenever somebody looked.
std::size_t most_at_once(std::size_t count) {
  const std::string short_run = " --set topology.width=3 --set topology.height=3 --set simulation.measure_cycles=3000";
  const std::string command =
      "exec " + kProgram + " run " + experiment("mesh_uniform") + short_run + " --seeds 6 --quiet";
  const std::vector<int> all = cores();
  const pid_t child = fork();
  if (child == 0) {
    cpu_set_t set;
    CPU_ZERO(&set);
    for (std::size_t i = 0; i < count; ++i) CPU_SET(all[i], &set);
    sched_setaffinity(0, sizeof set, &set);
    execl("/bin/sh", "sh", "-c", command.c_str(), nullptr);
    _exit(9);
  }
  const std::string children = "/proc/" + std::to_string(child) + "/task/" + std::to_string(child) + "/children";
  std::size_t most = 0;
  int status = 0;
  while (waitpid(child, &status, WNOHANG) == 0) {
    std::ifstream in(children);
    std::size_t there = 0;
    for (std::string one; in >> one;) ++there;
    most = std::max(most, there);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
  return most;
}

TEST(Replications, AreAsManyAtOnceAsThereAreCores) {
  EXPECT_EQ(most_at_once(1), 1U);
  if (cores().size() > 1) {
    EXPECT_EQ(most_at_once(2), 2U);
  }
}

/// Of ten short windows with next to no load one has a packet, and so all figures of its class: a value of each, and no
/// interval. Ten values have one.
TEST(Replications, OfAFigureThatOneSeedHasHaveNoInterval) {
  const std::string file = temporary_file("seldom.toml");
  std::ofstream(file) << "[experiment]\nseed = 3\n[topology]\nwidth = 2\nheight = 1\n[traffic]\n"
                         "rate_flits_per_node_cycle = 0.002\n[simulation]\nbatch_cycles = 100\n"
                         "min_warmup_cycles = 0\nmax_warmup_cycles = 100\nmeasure_cycles = 200\n";
  const Ended ended = braid("run " + file + " --seeds 10 --json - --quiet 2>/dev/null");
  ASSERT_EQ(ended.status, 0) << ended.output;
  const boost::json::object all = boost::json::parse(ended.output).as_object();
  std::size_t once = 0, always = 0;
  for (const auto& [path, figure] : all.at("figures").as_object()) {
    const std::size_t values = figure.at("values").as_array().size();
    EXPECT_EQ(figure.at("half_width_95").is_null(), values == 1) << path << ": " << figure;
    once += values == 1 ? 1 : 0;
    always += values == 10 ? 1 : 0;
  }
  EXPECT_GT(once, 20U);
  EXPECT_GT(always, 10U);
}

}  // namespace
}  // namespace braid::test::replications_test
