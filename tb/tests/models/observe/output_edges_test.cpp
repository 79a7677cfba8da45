// Output files where errors have unusual numbers, where a file has the number of standard input, and where one of a
// name is given up beside another one.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <thread>

#include "models/observe/output_file.h"
#include "routing/base/input_error.h"
#include "routing/base/run_files.h"
#include "tb/tests/support/bench.h"
#include "tb/tests/support/complaint.h"
#include "tb/tests/support/program.h"

namespace braid::test::output_edges_test {
namespace {

namespace fs = std::filesystem;
using models::OutputFile;
using models::PendingFile;

fs::path folder(const std::string& name) {
  const fs::path place = temporary_file(name);
  fs::remove_all(place);
  fs::create_directories(place);
  return place;
}

/// Standard input is closed while it lives, so that the next file gets its number.
class NoInput {
 public:
  NoInput() : input_(dup(STDIN_FILENO)) { close(STDIN_FILENO); }
  ~NoInput() {
    if (input_ < 0) return;
    dup2(input_, STDIN_FILENO);
    close(input_);
  }
  NoInput(const NoInput&) = delete;
  NoInput& operator=(const NoInput&) = delete;

 private:
  int input_;
};

/// EPERM is number 1.
TEST(OutputReasons, AreThoseOfAnyNumber) {
  const std::string file = folder("reasons") / "f";
  PendingFile pending(file);
  EXPECT_EQ(complaint<std::runtime_error>([&] { pending.finish(EPERM); }),
            file + ": cannot be written: Operation not permitted");
}

/// A stream that has failed by itself, without an error of the system's.
TEST(OutputReasons, AreAnErrorOfInputAndOutputWhereNobodyKnows) {
  const std::string file = folder("unknown") / "f";
  OutputFile output(file);
  output.out().setstate(std::ios::badbit);
  errno = 0;
  EXPECT_EQ(output.error(), EIO);
  OutputFile other(file);
  other.out().setstate(std::ios::badbit);
  errno = EPERM;
  EXPECT_EQ(other.error(), EPERM);
}

/// It is whole when it takes its name, not when its object has gone.
TEST(OutputFile, IsWholeWhenItIsFinished) {
  const std::string file = folder("whole") / "f";
  OutputFile output(file);
  output.out() << "all of it";
  output.finish();
  EXPECT_EQ(content(file), "all of it");
}

TEST(OutputFile, MayHaveTheNumberOfStandardInput) {
  const std::string file = folder("nought") / "f";
  const NoInput none;
  OutputFile output(file);
  EXPECT_NE(fcntl(STDIN_FILENO, F_GETFD), -1) << "it has";
  output.out() << "text";
  output.finish();
  EXPECT_EQ(content(file), "text");
}

/// It waits for a slow reader there, too.
TEST(OutputFile, ThroughAFifoMayHaveTheNumberOfStandardInput) {
  const std::string file = folder("slow_nought") / "pipe", text(300000, 'x');
  ASSERT_EQ(mkfifo(file.c_str(), 0600), 0);
  std::string read, why;
  {
    const NoInput none;
    const int taken = open("/dev/null", O_RDONLY);  // number 0, until the reader has opened its end
    std::thread reader([&] {
      std::ifstream in(file);
      std::this_thread::sleep_for(std::chrono::milliseconds(30));
      read.assign(std::istreambuf_iterator<char>(in), {});
    });
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    close(taken);
    why = complaint<std::exception>([&] {
      OutputFile output(file);
      output.out() << text;
      output.finish();
    });
    reader.join();
  }
  EXPECT_EQ(why, "");
  EXPECT_TRUE(read == text) << read.size() << " bytes";
}

/// Two files of one name have the same place while they are written. The one that is finished has nothing there.
TEST(PendingFile, ThatIsFinishedLeavesAnotherOfItsNameAlone) {
  const fs::path place = folder("twins");
  const std::string file = place / "f";
  auto first = std::make_unique<PendingFile>(file);
  std::ofstream(first->name()) << "first";
  first->finish(0);
  PendingFile second(file);
  std::ofstream(second.name()) << "second";
  first.reset();
  EXPECT_EQ(complaint<std::runtime_error>([&] { second.finish(0); }), "");
  EXPECT_EQ(content(file), "second");
}

/// A FIFO is the user's, whatever becomes of what was to be written through it.
TEST(PendingFile, ThatIsAFifoStays) {
  const fs::path place = folder("fifo");
  const std::string file = place / "pipe";
  ASSERT_EQ(mkfifo(file.c_str(), 0600), 0);
  {
    const PendingFile given_up(file);
    EXPECT_TRUE(given_up.through());
  }
  EXPECT_TRUE(fs::is_fifo(file));
  {
    const PendingFile interrupted(file);
    PendingFile::remove_all();
  }
  EXPECT_TRUE(fs::is_fifo(file));
  PendingFile failed(file);
  EXPECT_EQ(complaint<std::runtime_error>([&] { failed.finish(EIO); }),
            file + ": cannot be written: Input/output error");
  EXPECT_TRUE(fs::is_fifo(file));
  PendingFile finished(file);
  EXPECT_EQ(complaint<std::runtime_error>([&] { finished.finish(0); }), "");
  EXPECT_TRUE(fs::is_fifo(file));
}

/// Whoever opens it says so, too, not only whoever asks before.
TEST(OutputFile, IsRefusedWhereItCannotBeOrIsRead) {
  const fs::path place = folder("refused_too");
  const auto said = [](const std::string& file) { return complaint([&] { const OutputFile output(file); }); };
  EXPECT_EQ(said(place), place.string() + ": cannot be written: is a directory");
  EXPECT_EQ(said(""), "\"\": expected the name of a file");
  RunFiles files;
  const RunFiles::Scope scope(files);
  std::ofstream(place / "read") << "text";
  RunFiles::read(place / "read");
  EXPECT_NE(said(place / "read"), "");
  EXPECT_EQ(content(place / "read"), "text");
  EXPECT_EQ(said(place / "other"), "");
}

TEST(WrittenThrough, AreDevicesAndFifosAndLinksToThem) {
  const fs::path place = folder("through");
  ASSERT_EQ(mkfifo((place / "pipe").c_str(), 0600), 0);
  std::ofstream(place / "file") << "text";
  fs::create_symlink("/dev/null", place / "link");
  EXPECT_TRUE(models::is_written_through("/dev/null"));
  EXPECT_TRUE(models::is_written_through(place / "pipe"));
  EXPECT_TRUE(models::is_written_through(place / "link"));
  EXPECT_FALSE(models::is_written_through(place / "file"));
  EXPECT_FALSE(models::is_written_through(place / "none"));
}

}  // namespace
}  // namespace braid::test::output_edges_test
