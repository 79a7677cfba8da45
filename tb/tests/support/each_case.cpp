// main() of a test program whose cases each run in a process of their own, for SystemC cannot elaborate twice in one.
// They are forked, as many at once as there are cores: under a sanitizer a program starts slowly. Says what failed, and
// at the end "N passed, N failed".
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

#include "tb/tests/support/sanitized.h"

namespace {

using braid::test::kBrief;

constexpr unsigned kTimeoutSeconds = 300;  // as CTest's

struct Case {
  std::string name;
  std::FILE* output = nullptr;  // what it prints
};

std::vector<std::string> names_of_cases() {
  std::vector<std::string> names;
  const testing::UnitTest& all = *testing::UnitTest::GetInstance();
  for (int s = 0; s < all.total_test_suite_count(); ++s) {
    const testing::TestSuite& suite = *all.GetTestSuite(s);
    for (int t = 0; t < suite.total_test_count(); ++t) {
      names.push_back(std::string(suite.name()) + "." + suite.GetTestInfo(t)->name());
    }
  }
  return names;
}

pid_t start(const Case& started) {
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child != 0) return child;
  dup2(fileno(started.output), STDOUT_FILENO);
  dup2(fileno(started.output), STDERR_FILENO);
  std::signal(SIGHUP, SIG_DFL);  // ignored under nohup
  alarm(kTimeoutSeconds);
  testing::GTEST_FLAG(filter) = started.name;
  const int failed = RUN_ALL_TESTS();
  if (!kBrief) std::exit(failed);
  // The search for leaks and the globals' destructors are a quarter of a case's time: the nightly has them.
  std::fflush(nullptr);
  _exit(failed);
}

void print(const Case& failed, int status) {
  std::printf("---- %s: %s %d\n", failed.name.c_str(), WIFSIGNALED(status) ? "signal" : "exit status",
              WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
  std::fseek(failed.output, 0, SEEK_SET);
  for (int c = std::fgetc(failed.output); c != EOF; c = std::fgetc(failed.output)) std::putchar(c);
}

std::size_t cores() {
  cpu_set_t set;
  return sched_getaffinity(0, sizeof(set), &set) == 0 ? static_cast<std::size_t>(std::max(1, CPU_COUNT(&set))) : 1;
}

}  // namespace

int main(int argc, char* argv[]) {
  testing::InitGoogleTest(&argc, argv);
  if (testing::GTEST_FLAG(filter) != "*" || testing::GTEST_FLAG(list_tests)) return RUN_ALL_TESTS();
  // Static, for a leak checker that runs at a child's end: SystemC's threads have stacks of their own, and it may not
  // find the one that these would be on.
  static const std::vector<std::string> names = names_of_cases();
  static std::map<pid_t, Case> running;
  std::size_t next = 0, failed = 0;
  while (next < names.size() || !running.empty()) {
    if (next < names.size() && running.size() < cores()) {
      static Case started;
      started = {names[next++], std::tmpfile()};
      if (started.output == nullptr) return std::perror("tmpfile"), 1;
      const pid_t child = start(started);
      if (child < 0) return std::perror("fork"), 1;
      running.emplace(child, started);
      continue;
    }
    int status = 0;
    const auto ended = running.find(wait(&status));
    if (ended == running.end()) continue;  // not one of the cases
    if (status != 0) {
      ++failed;
      print(ended->second, status);
    }
    std::fclose(ended->second.output);
    running.erase(ended);
  }
  std::printf("%zu passed, %zu failed\n", names.size() - failed, failed);
  return failed == 0 ? 0 : 1;
}
