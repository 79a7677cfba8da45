// The bar on a terminal, picture by picture: what it says, what is left by it, when it begins anew, when it goes.
#include "tb/braid/progress_bar.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <string>
#include <thread>

#include "tb/tests/support/bench.h"

namespace braid::test::progress_bar_test {
namespace {

using models::Progress;
using tb::ProgressBar;

/// A terminal in the place of standard error.
class Terminal {
 public:
  Terminal() : master_(posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK)), before_(dup(STDERR_FILENO)) {
    grantpt(master_);
    unlockpt(master_);
    const int slave = open(ptsname(master_), O_RDWR | O_NOCTTY);
    dup2(slave, STDERR_FILENO);
    close(slave);
  }
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;
  ~Terminal() {
    dup2(before_, STDERR_FILENO);
    close(master_);
  }
  /// What was said since the last time.
  std::string said() const {
    std::string all;
    std::array<char, 4096> buffer;
    for (ssize_t n; (n = read(master_, buffer.data(), buffer.size())) > 0;) {
      all.append(buffer.data(), static_cast<std::size_t>(n));
    }
    return all;
  }

 private:
  int master_, before_;
};

void wait(int milliseconds) { std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds)); }

const std::string kGone = "\r\x1b[K";

/// Without the time that is left, which a busy machine makes longer.
std::string timeless(const std::string& said) {
  const std::string end = " s left \x1b[K";
  const std::size_t time = said.rfind("  ", said.size() - std::min(said.size(), end.size()));
  EXPECT_EQ(said.substr(said.size() - std::min(said.size(), end.size())), end);
  return said.substr(0, time);
}

/// Thirty-two signs, of which as many as are whole are done; a phase in eight columns, more if it is longer.
TEST(ProgressBar, IsDoneByThirtySecondParts) {
  const Terminal terminal;
  ProgressBar bar(false);
  bar.show({0, 64, "measure"});
  EXPECT_EQ(timeless(terminal.said()), "\rmeasure  [" + std::string(32, '.') + "]   0 %  cycle 0");
  bar.show({1, 64, "measure"});
  EXPECT_EQ(timeless(terminal.said()), "\rmeasure  [" + std::string(32, '.') + "]   2 %  cycle 1");
  bar.show({2, 64, "measure"});
  EXPECT_EQ(timeless(terminal.said()), "\rmeasure  [#" + std::string(31, '.') + "]   3 %  cycle 2");
  bar.show({63, 64, "warming up", "layout"});
  EXPECT_EQ(timeless(terminal.said()), "\rwarming up [" + std::string(31, '#') + ".]  98 %  layout 63");
  bar.show({64, 64, "drain"});
  EXPECT_EQ(timeless(terminal.said()), "\rdrain    [" + std::string(32, '#') + "] 100 %  cycle 64");
  bar.show({96, 64, "drain"});
  EXPECT_EQ(timeless(terminal.said()), "\rdrain    [" + std::string(32, '#') + "] 100 %  cycle 96") << "and no more";
}

/// What is computed before the first cycle, for nobody knows how long: its count, as soon as there is one.
TEST(ProgressBar, OfWhatNobodyKnowsTheEndOfIsACount) {
  const Terminal terminal;
  ProgressBar bar(false);
  bar.show({0, 0, "network"});
  EXPECT_EQ(terminal.said(), "\rnetwork \x1b[K");
  bar.show({1, 0, "routes", "destination"});
  EXPECT_EQ(terminal.said(), "\rroutes: destination 1 \x1b[K");
  bar.clear();
  EXPECT_EQ(terminal.said(), kGone);
  bar.clear();
  EXPECT_EQ(terminal.said(), "") << "it is gone already";
}

std::string left(const std::string& said) {
  const std::size_t end = said.find(" s left"), begin = said.rfind(' ', end - 1) + 1;
  return end == std::string::npos ? said : said.substr(begin, end - begin);
}

/// A twentieth is done in a tenth of a second or a little more: nineteen times as long is left.
TEST(ProgressBar, SaysWhatIsLeftBySinceWhenItBegan) {
  const Terminal terminal;
  ProgressBar bar(false);
  bar.show({0, 2000, "measure"});
  EXPECT_EQ(left(terminal.said()), "0") << "of nothing done nobody knows";
  wait(110);
  bar.show({100, 2000, "measure"});
  const std::string two = left(terminal.said());
  EXPECT_GE(std::stoi(two), 2) << two;
  bar.show({100, 2000, "drain"});
  EXPECT_GE(std::stoi(left(terminal.said())), 2) << "another phase of the same cycles goes on";
  // What counts something else, or begins to count anew, begins now.
  bar.show({100, 2000, "circuits", "layout"});
  EXPECT_EQ(left(terminal.said()), "0");
  wait(110);
  bar.show({100, 2000, "circuits", "layout"});
  EXPECT_GE(std::stoi(left(terminal.said())), 2);
  bar.show({99, 2000, "circuits", "layout"});
  EXPECT_EQ(left(terminal.said()), "0");
  wait(110);
  bar.clear();
  (void)terminal.said();
  bar.show({100, 2000, "circuits", "layout"});
  EXPECT_EQ(left(terminal.said()), "0") << "what is shown behind a clear begins anew";
}

TEST(ProgressBar, GoesWithItsEnd) {
  const Terminal terminal;
  {
    ProgressBar bar(false);
    bar.show({1, 2, "measure"});
    (void)terminal.said();
  }
  EXPECT_EQ(terminal.said(), kGone);
  {
    const ProgressBar bar(false);
  }
  EXPECT_EQ(terminal.said(), "") << "nothing was drawn";
}

TEST(ProgressBar, IsNotThereForTheQuietAndForFiles) {
  {
    const Terminal terminal;
    ProgressBar bar(true);
    bar.show({1, 2, "measure"});
    bar.show({1, 0, "routes"});
    bar.clear();
    EXPECT_EQ(terminal.said(), "");
  }
  const std::string file = temporary_file("errors.txt");
  const int before = dup(STDERR_FILENO), out = open(file.c_str(), O_RDWR | O_CREAT | O_TRUNC, 0600);
  dup2(out, STDERR_FILENO);
  {
    ProgressBar bar(false);
    bar.show({1, 2, "measure"});
  }
  dup2(before, STDERR_FILENO);
  EXPECT_EQ(lseek(out, 0, SEEK_END), 0);
  close(out);
}

/// Whoever watches goes on; an interrupt ends the program there, without a bar.
TEST(ProgressBar, WatchesUntilAnInterrupt) {
  const Terminal terminal;
  ProgressBar bar(false);
  const auto watch = bar.watcher();
  EXPECT_TRUE(watch({1, 2, "measure"}));
  EXPECT_NE(terminal.said().find("measure  ["), std::string::npos);
  const pid_t child = fork();
  if (child == 0) {
    const tb::InterruptFlag flag(tb::InterruptFlag::kAll);
    std::raise(SIGINT);
    (void)watch({2, 2, "measure"});
    _exit(9);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 130);
  const std::string said = terminal.said(), end = kGone + "braid: interrupted; nothing was written\r\n";
  ASSERT_GT(said.size(), end.size());
  EXPECT_EQ(said.substr(said.size() - end.size()), end) << "the terminal adds the return";
}

}  // namespace
}  // namespace braid::test::progress_bar_test
