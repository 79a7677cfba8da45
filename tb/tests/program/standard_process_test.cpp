// What the program asks of its process, piece by piece: which signals end it and how, streams that are closed, whoever
// started it, texts that a pipe takes in parts. Where the process ends it is a child of the case.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <string>
#include <thread>

#include "models/observe/output_file.h"
#include "routing/base/run_files.h"
#include "tb/braid/process.h"
#include "tb/tests/support/bench.h"

namespace braid::test::standard_process_test {
namespace {

using tb::InterruptFlag;
using Handler = void (*)(int);

constexpr std::array kInterrupts{SIGINT, SIGTERM, SIGHUP};

struct sigaction action_of(int signal) {
  struct sigaction action = {};
  sigaction(signal, nullptr, &action);
  return action;
}
Handler handler_of(int signal) { return action_of(signal).sa_handler; }

int mine_calls = 0;
extern "C" void mine(int) { ++mine_calls; }

struct Ended {
  int status = 0;  ///< of the process, or 1000 and the number of the signal that ended it
  std::string errors;
};

std::string all_of(int descriptor) {
  std::string text;
  std::array<char, 4096> buffer;
  while (true) {
    const ssize_t n = read(descriptor, buffer.data(), buffer.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return text;
    text.append(buffer.data(), static_cast<std::size_t>(n));
  }
}

/// What becomes of a process that does this, and what it says to standard error.
Ended elsewhere(const std::function<void()>& does) {
  std::array<int, 2> pipes{};
  EXPECT_EQ(pipe(pipes.data()), 0);
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    dup2(pipes[1], STDERR_FILENO);
    close(pipes[0]);
    close(pipes[1]);
    does();
    _exit(0);
  }
  close(pipes[1]);
  Ended ended;
  ended.errors = all_of(pipes[0]);
  close(pipes[0]);
  int status = 0;
  waitpid(child, &status, 0);
  ended.status = WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
  return ended;
}

// ---------------------------------------------------------------- interrupts

TEST(InterruptFlag, CatchesThreeSignals) {
  for (const int signal : kInterrupts) {
    const InterruptFlag flag(InterruptFlag::kAll);
    EXPECT_FALSE(InterruptFlag::raised()) << signal << ": what an earlier one has caught is forgotten";
    std::raise(signal);
    EXPECT_TRUE(InterruptFlag::raised()) << signal;
  }
}

/// A read or a wait that is under way goes on.
TEST(InterruptFlag, RestartsCallsOfTheSystem) {
  const InterruptFlag flag(InterruptFlag::kAll);
  for (const int signal : kInterrupts) EXPECT_NE(action_of(signal).sa_flags & SA_RESTART, 0) << signal;
}

TEST(InterruptFlag, OfTheFirstAloneLeavesTheSecondToTheSystem) {
  const InterruptFlag flag(InterruptFlag::kFirst);
  for (const int signal : kInterrupts) {
    EXPECT_NE(handler_of(signal), SIG_DFL) << signal;
    std::raise(signal);
    EXPECT_EQ(handler_of(signal), SIG_DFL) << signal;
  }
}

TEST(InterruptFlag, OfAllCatchesTheSecondToo) {
  const InterruptFlag flag(InterruptFlag::kAll);
  for (int times = 0; times < 3; ++times) {
    for (const int signal : kInterrupts) std::raise(signal);
  }
  EXPECT_TRUE(InterruptFlag::raised());
}

/// Whatever was caught meanwhile.
TEST(InterruptFlag, PutsBackWhatWasThere) {
  for (const int signal : kInterrupts) std::signal(signal, mine);
  for (const bool raised : {false, true}) {
    {
      const InterruptFlag flag(InterruptFlag::kAll);
      for (const int signal : kInterrupts) EXPECT_NE(handler_of(signal), mine) << signal;
      if (raised) std::raise(SIGTERM);
    }
    for (const int signal : kInterrupts) EXPECT_EQ(handler_of(signal), mine) << signal << raised;
  }
  EXPECT_EQ(mine_calls, 0);
}

/// An inner one has caught the first: of the outer one, which catches no other, nothing is left. One that is ignored
/// stays ignored.
TEST(InterruptFlag, CaughtByAnInnerOneWasTheOuterOnesFirst) {
  std::signal(SIGHUP, SIG_IGN);
  const InterruptFlag outer(InterruptFlag::kFirst);
  const Handler caught = handler_of(SIGINT);
  {
    const InterruptFlag inner(InterruptFlag::kAll);
  }
  EXPECT_EQ(handler_of(SIGINT), caught) << "nothing was raised";
  {
    const InterruptFlag inner(InterruptFlag::kAll);
    EXPECT_FALSE(InterruptFlag::raised());
    std::raise(SIGINT);
  }
  EXPECT_TRUE(InterruptFlag::raised()) << "as long as the outermost lives";
  {
    const InterruptFlag inner(InterruptFlag::kAll);
  }
  EXPECT_TRUE(InterruptFlag::raised()) << "an inner one that begins forgets nothing";
  EXPECT_EQ(handler_of(SIGINT), SIG_DFL);
  EXPECT_EQ(handler_of(SIGTERM), SIG_DFL);
  EXPECT_EQ(handler_of(SIGHUP), SIG_IGN);
}

/// nohup has it ignored; nobody else asks for that, and of other signals it is no reason.
TEST(InterruptFlag, LeavesAHangUpThatIsIgnored) {
  std::signal(SIGHUP, SIG_IGN);
  std::signal(SIGINT, SIG_IGN);
  const InterruptFlag flag(InterruptFlag::kAll);
  std::raise(SIGHUP);
  EXPECT_FALSE(InterruptFlag::raised());
  std::raise(SIGINT);
  EXPECT_TRUE(InterruptFlag::raised());
}

/// There and then, with a line and the status; nothing is left of a file that is not finished.
TEST(InterruptFlag, OfNoneEndsTheProgram) {
  const std::string file = temporary_file("pending.txt"), folder = testing::TempDir();
  for (const int signal : kInterrupts) {
    const Ended ended = elsewhere([&] {
      const InterruptFlag flag(InterruptFlag::kNone);
      models::OutputFile output(file);
      output.out() << "half" << std::flush;
      std::raise(signal);
    });
    EXPECT_EQ(ended.status, 130) << signal;
    EXPECT_EQ(ended.errors, "braid: interrupted\n") << signal;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      EXPECT_EQ(entry.path().string().rfind(file, 0), std::string::npos) << entry.path();
    }
  }
}

TEST(EndInterrupted, SaysWhatIsWrittenAndLeavesNothingElse) {
  const std::string file = temporary_file("told.txt"), half = temporary_file("half.txt");
  const Ended nothing = elsewhere([] { tb::end_interrupted(); });
  EXPECT_EQ(nothing.status, 130);
  EXPECT_EQ(nothing.errors, "braid: interrupted; nothing was written\n");
  const Ended two = elsewhere([&] {
    RunFiles files;
    const RunFiles::Scope scope(files);
    dup2(STDERR_FILENO, STDOUT_FILENO);
    std::printf("a table, ");  // is in a buffer
    models::OutputFile output(half);
    output.out() << "half" << std::flush;
    RunFiles::note_written(file);
    RunFiles::note_written("r.json");
    tb::end_interrupted();
  });
  EXPECT_EQ(two.status, 130);
  EXPECT_EQ(two.errors, "a table, braid: interrupted; written before: " + file + ", r.json\n");
  for (const auto& entry : std::filesystem::directory_iterator(testing::TempDir())) {
    EXPECT_EQ(entry.path().string().rfind(half, 0), std::string::npos) << entry.path();
  }
}

/// As shells expect of a program whose output nobody reads, whoever has had the signal ignored.
TEST(EndUnread, EndsBySigpipe) {
  EXPECT_EQ(elsewhere([] {
              tb::prepare_process();
              tb::end_unread();
            }).status,
            1000 + SIGPIPE);
}

// ---------------------------------------------------------------- what is said

/// A pipe that holds 4096 bytes takes the text in parts; signals end its waits, in the midst of a part and before the
/// first byte of one. All of it comes, once and in order.
TEST(Say, SaysAllOfATextThatAPipeTakesInParts) {
  std::string text;
  for (int i = 0; i < 6000; ++i) text += std::to_string(i) + " ";
  std::array<int, 2> pipes{};
  ASSERT_EQ(pipe(pipes.data()), 0);
  ASSERT_EQ(fcntl(pipes[1], F_SETPIPE_SZ, 4096), 4096);
  struct sigaction action = {};
  action.sa_handler = mine;  // without SA_RESTART
  sigaction(SIGALRM, &action, nullptr);
  const int before = dup(STDERR_FILENO);
  std::string got;
  std::thread reader([&] {
    sigset_t alarms;
    sigemptyset(&alarms);
    sigaddset(&alarms, SIGALRM);
    pthread_sigmask(SIG_BLOCK, &alarms, nullptr);
    std::this_thread::sleep_for(std::chrono::milliseconds(60));
    got = all_of(pipes[0]);
  });
  dup2(pipes[1], STDERR_FILENO);
  close(pipes[1]);
  const itimerval often{{0, 10000}, {0, 10000}}, never{};
  setitimer(ITIMER_REAL, &often, nullptr);
  tb::say(text);
  setitimer(ITIMER_REAL, &never, nullptr);
  dup2(before, STDERR_FILENO);
  reader.join();
  EXPECT_GT(mine_calls, 2);
  EXPECT_EQ(got.size(), text.size());
  EXPECT_EQ(got, text);
}

/// What cannot be written is given up, at once.
TEST(Say, GivesUpWhereNobodyReads) {
  const Ended ended = elsewhere([] {
    tb::prepare_process();
    std::array<int, 2> pipes{};
    (void)!pipe(pipes.data());
    close(pipes[0]);
    dup2(pipes[1], STDERR_FILENO);
    alarm(20);  // ends it where it does not
    tb::say("nobody reads this");
  });
  EXPECT_EQ(ended.status, 0);
}

// ---------------------------------------------------------------- streams

/// A closed stream gets a descriptor, in its own direction unusable; an open one stays what it is.
TEST(PrepareProcess, ClosesNoGapInFrontOfFiles) {
  const Ended ended = elsewhere([] {
    close(STDIN_FILENO);
    close(STDOUT_FILENO);
    const int other = fcntl(STDERR_FILENO, F_GETFL);
    tb::prepare_process();
    const bool good = (fcntl(STDIN_FILENO, F_GETFL) & O_ACCMODE) == O_WRONLY &&
                      (fcntl(STDOUT_FILENO, F_GETFL) & O_ACCMODE) == O_RDONLY &&
                      fcntl(STDERR_FILENO, F_GETFL) == other && open("/dev/null", O_RDONLY) > STDERR_FILENO;
    _exit(good ? 7 : 8);
  });
  EXPECT_EQ(ended.status, 7);
  const Ended errors = elsewhere([] {
    close(STDERR_FILENO);
    tb::prepare_process();
    _exit((fcntl(STDERR_FILENO, F_GETFL) & O_ACCMODE) == O_RDONLY ? 7 : 8);
  });
  EXPECT_EQ(errors.status, 7);
}

/// Nothing is opened in place of streams that are there: the next file has the number that it would have had.
TEST(PrepareProcess, LeavesOpenStreamsAlone) {
  const Ended ended = elsewhere([] {
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO}) {
      if (fcntl(stream, F_GETFD) < 0) (void)!open("/dev/null", O_RDWR);
    }
    const int next = open("/dev/null", O_RDONLY);
    close(next);
    tb::prepare_process();
    _exit(open("/dev/null", O_RDONLY) == next ? 7 : 8);
  });
  EXPECT_EQ(ended.status, 7);
}

TEST(PrepareProcess, IgnoresWhatWouldEndAWrite) {
  for (const int signal : {SIGXFSZ, SIGPIPE}) EXPECT_EQ(handler_of(signal), SIG_DFL) << signal;
  tb::prepare_process();
  for (const int signal : {SIGXFSZ, SIGPIPE}) EXPECT_EQ(handler_of(signal), SIG_IGN) << signal;
}

// ---------------------------------------------------------------- whoever started it

/// The signal that this process is to get when its starter ends; 0: none.
int promised() {
  int signal = 0;
  prctl(PR_GET_PDEATHSIG, &signal);
  return signal;
}

/// Started by that one: its status, with the signal that it is promised.
int started_by(const char* number) {
  return elsewhere([&] {
           setenv("BRAID_STARTED_BY", number, 1);
           tb::end_with_starter();
           _exit(promised());
         })
      .status;
}

TEST(EndWithStarter, IsForOneThatHasANumber) {
  unsetenv("BRAID_STARTED_BY");
  EXPECT_EQ(elsewhere([] {
              tb::end_with_starter();
              _exit(promised());
            }).status,
            0);
  for (const char* none : {"", "0", "-1", "mine"}) EXPECT_EQ(started_by(none), 0) << none;
  EXPECT_EQ(started_by(std::to_string(getpid()).c_str()), SIGTERM);
}

/// A process that lives, though it is not the parent: it may have started whoever has started this one. Its name may
/// look as if it had ended.
TEST(EndWithStarter, GoesOnWhileTheStarterLives) {
  for (const char* name : {"plain", "a) Z (b", "Z", ") X"}) {
    std::array<int, 2> ready{};
    ASSERT_EQ(pipe(ready.data()), 0);
    const pid_t other = fork();
    if (other == 0) {
      prctl(PR_SET_NAME, name);
      (void)!write(ready[1], "r", 1);
      pause();
      _exit(0);
    }
    char byte = 0;
    ASSERT_EQ(read(ready[0], &byte, 1), 1);
    EXPECT_EQ(started_by(std::to_string(other).c_str()), SIGTERM) << name << ": promised, not sent";
    kill(other, SIGKILL);
    waitpid(other, nullptr, 0);
    close(ready[0]);
    close(ready[1]);
  }
}

/// It has ended before this one could ask to be told; nobody may have waited for it yet.
TEST(EndWithStarter, EndsWhereTheStarterHasEnded) {
  const pid_t other = fork();
  if (other == 0) {
    prctl(PR_SET_NAME, "a) S (b");
    _exit(0);
  }
  siginfo_t ended{};
  ASSERT_EQ(waitid(P_PID, static_cast<id_t>(other), &ended, WEXITED | WNOWAIT), 0);
  EXPECT_EQ(started_by(std::to_string(other).c_str()), 1000 + SIGTERM) << "nobody has waited for it";
  waitpid(other, nullptr, 0);
  EXPECT_EQ(started_by(std::to_string(other).c_str()), 1000 + SIGTERM) << "it is gone";
}

}  // namespace
}  // namespace braid::test::standard_process_test
