// main() of a test program whose cases each run in a process of their own, for SystemC cannot elaborate twice in one.
// They are forked, as many at once as there are cores: starting the program takes longer than most cases, with
// sanitizers most of all. Says what failed, and at the end "N passed, N failed". With a filter of GoogleTest's, as
// CTest gives one, the cases run here. --output-junit FILE: JUnit XML as well. --cut-short FILE: writes the names of
// the cases that did less for sanitizers (sanitized.h), a line each; --only FILE: runs those of such a file.
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "tb/tests/support/sanitized.h"

namespace {

using braid::test::kBrief;
using Clock = std::chrono::steady_clock;

constexpr unsigned kTimeoutSeconds = 300;  // as CTest's
constexpr int kPassedCutShort = 77;        // exit status of a case's process

struct Case {
  std::string suite, name;
  std::FILE* output = nullptr;  // what it prints, while it runs
  Clock::time_point begin = Clock::now();
  double seconds = 0.0;
  int status = 0;  // as wait() has it, of one that passed 0
  bool cut_short = false;
  std::string said;  // what it printed, if it failed

  std::string full_name() const { return suite + "." + name; }
};

/// Lines of a file; ends the program where it cannot be read.
std::set<std::string> lines_of(const std::string& file) {
  std::ifstream in(file);
  if (!in) {
    std::printf("--only %s: cannot be read\n0 passed, 1 failed\n", file.c_str());
    std::exit(2);
  }
  std::set<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.insert(line);
  return lines;
}

std::vector<Case> all_cases() {
  std::vector<Case> cases;
  const testing::UnitTest& all = *testing::UnitTest::GetInstance();
  for (int s = 0; s < all.total_test_suite_count(); ++s) {
    const testing::TestSuite& suite = *all.GetTestSuite(s);
    for (int t = 0; t < suite.total_test_count(); ++t) {
      cases.emplace_back();
      cases.back().suite = suite.name();
      cases.back().name = suite.GetTestInfo(t)->name();
    }
  }
  return cases;
}

void keep_only(std::vector<Case>& cases, const std::set<std::string>& names) {
  const auto is_other = [&](const Case& one) { return names.count(one.full_name()) == 0; };
  cases.erase(std::remove_if(cases.begin(), cases.end(), is_other), cases.end());
}

pid_t start(Case& started) {
  started.output = std::tmpfile();
  if (started.output == nullptr) return -1;
  started.begin = Clock::now();
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child != 0) return child;
  dup2(fileno(started.output), STDOUT_FILENO);
  dup2(fileno(started.output), STDERR_FILENO);
  std::signal(SIGHUP, SIG_DFL);  // ignored under nohup
  alarm(kTimeoutSeconds);
  testing::GTEST_FLAG(filter) = started.full_name();
  braid::test::cut_short = false;  // by a constant that all cases share
  int failed = RUN_ALL_TESTS();
  if (failed == 0 && braid::test::cut_short) failed = kPassedCutShort;
  if (!kBrief) std::exit(failed);
  // The search for leaks and the globals' destructors are a quarter of a case's time: the nightly has them.
  std::fflush(nullptr);
  _exit(failed);
}

void end(Case& ended, int status) {
  ended.seconds = std::chrono::duration<double>(Clock::now() - ended.begin).count();
  ended.cut_short = WIFEXITED(status) && WEXITSTATUS(status) == kPassedCutShort;
  ended.status = ended.cut_short ? 0 : status;
  if (ended.status != 0) {
    std::fseek(ended.output, 0, SEEK_SET);
    for (int c = std::fgetc(ended.output); c != EOF; c = std::fgetc(ended.output)) {
      ended.said += static_cast<char>(c);
    }
    std::printf("---- %s.%s: %s %d\n%s", ended.suite.c_str(), ended.name.c_str(),
                WIFSIGNALED(status) ? "signal" : "exit status",
                WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status), ended.said.c_str());
  }
  std::fclose(ended.output);
}

std::size_t cores() {
  cpu_set_t set;
  return sched_getaffinity(0, sizeof(set), &set) == 0 ? static_cast<std::size_t>(std::max(1, CPU_COUNT(&set))) : 1;
}

/// False if a case could not be started.
bool run_all(std::vector<Case>& cases) {
  // Static, for a leak checker that runs at a child's end: SystemC's threads have stacks of their own, and it may not
  // find the one that this would be on.
  static std::map<pid_t, Case*> running;
  std::size_t next = 0;
  while (next < cases.size() || !running.empty()) {
    if (next < cases.size() && running.size() < cores()) {
      Case& started = cases[next++];
      const pid_t child = start(started);
      if (child < 0) return std::perror(started.name.c_str()), false;
      running.emplace(child, &started);
      continue;
    }
    int status = 0;
    const auto ended = running.find(wait(&status));
    if (ended == running.end()) continue;  // not one of the cases
    end(*ended->second, status);
    running.erase(ended);
  }
  return true;
}

/// What XML may hold between tags.
std::string text_of_xml(const std::string& text) {
  std::string result;
  for (const char c : text) {
    const bool is_control = static_cast<unsigned char>(c) < ' ' && c != '\n' && c != '\t';
    result += c == '<'              ? "&lt;"
              : c == '&'            ? "&amp;"
              : c == '>'            ? "&gt;"
              : is_control || c < 0 ? "?"
                                    : std::string(1, c);
  }
  return result;
}

void write_junit(const std::string& file, const std::vector<Case>& cases, std::size_t failed) {
  std::ofstream out(file);
  out << "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n<testsuite name=\"" << file << "\" tests=\""
      << cases.size() << "\" failures=\"" << failed << "\" errors=\"0\">\n";
  for (const Case& one : cases) {
    out << "<testcase classname=\"" << one.suite << "\" name=\"" << one.name << "\" time=\"" << one.seconds << "\">";
    if (one.status != 0) out << "<failure message=\"failed\">" << text_of_xml(one.said) << "</failure>";
    out << "</testcase>\n";
  }
  out << "</testsuite>\n</testsuites>\n";
}

void write_cut_short(const std::string& file, const std::vector<Case>& cases) {
  std::ofstream out(file);
  for (const Case& one : cases) {
    if (one.cut_short) out << one.full_name() << "\n";
  }
}

}  // namespace

int main(int argc, char* argv[]) {
  testing::InitGoogleTest(&argc, argv);
  if (testing::GTEST_FLAG(filter) != "*" || testing::GTEST_FLAG(list_tests)) return RUN_ALL_TESTS();
  std::map<std::string, std::string> files;  // by option
  for (int i = 1; i + 1 < argc; i += 2) files[argv[i]] = argv[i + 1];
  static std::vector<Case> cases = all_cases();
  if (files.count("--only") != 0) keep_only(cases, lines_of(files["--only"]));
  if (!run_all(cases)) return 1;
  const auto failed = static_cast<std::size_t>(
      std::count_if(cases.begin(), cases.end(), [](const Case& one) { return one.status != 0; }));
  if (files.count("--output-junit") != 0) write_junit(files["--output-junit"], cases, failed);
  if (files.count("--cut-short") != 0) write_cut_short(files["--cut-short"], cases);
  std::printf("%zu passed, %zu failed\n", cases.size() - failed, failed);
  return failed == 0 ? 0 : 1;
}
