// The braid program as a process of its own.
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <array>
#include <boost/json.hpp>
#include <csignal>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <string>

#include "tb/tests/support/places.h"
#include "tb/tests/support/sanitized.h"

namespace braid::test {

/// Where the case is linked with sanitizers, the one that has them, too.
inline const std::string kProgram = kBrief ? kSanitizedProgram : kReleasedProgram;

/// The file of an experiment that comes with Braid.
inline std::string experiment(const std::string& name) {
  return std::string(kSourceFolder) + "/tb/experiments/" + name + ".toml";
}

struct Ended {
  int status = 0;
  std::string output;  // both streams, unless the arguments send one elsewhere
};

/// `before`: goes in front of the program's name (taskset, an environment variable).
inline Ended braid(const std::string& arguments, const std::string& before = "") {
  const std::string command = "{ " + before + kProgram + " " + arguments + " ; } 2>&1";
  std::FILE* pipe = popen(command.c_str(), "r");  // NOLINT(bugprone-command-processor)
  Ended ended;
  std::array<char, 4096> buffer;
  while (const std::size_t n = std::fread(buffer.data(), 1, buffer.size(), pipe)) ended.output.append(buffer.data(), n);
  const int status = pclose(pipe);
  ended.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return ended;
}

/// Shell: interrupts `$pid` and exits with its status. It may take `seconds` of a processor from here on (then the
/// kernel ends it, status 152 or 137), and a minute on the wall, which others share.
inline std::string interrupted_within(int seconds) {
  return "used=$(awk '{ print int(($14 + $15) / '$(getconf CLK_TCK)') }' /proc/$pid/stat); "
         "prlimit --pid $pid --cpu=$((used + " +
         std::to_string(seconds + 1) +
         ")); kill -INT $pid; { sleep 60; kill -KILL $pid; } >/dev/null 2>&1 & guard=$!; "
         "wait $pid; status=$?; kill $guard; exit $status";
}

/// What the run gives as JSON.
inline boost::json::object results(const std::string& arguments) {
  const Ended ended = braid("run " + arguments + " --quiet --json - 2>/dev/null");  // where warnings go, too
  EXPECT_EQ(ended.status, 0) << ended.output;
  return boost::json::parse(ended.output).as_object();
}

inline std::string content(const std::string& file) {
  std::ifstream in(file);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

}  // namespace braid::test
