// What never reaches a parser: files that are none, texts made to overflow a stack; and what never reaches a terminal.
#include "routing/base/text_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/time.h>

#include <csignal>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <thread>

#include "routing/base/configuration.h"
#include "routing/base/input_error.h"
#include "tb/tests/support/bench.h"
#include "tb/tests/support/graphs.h"

namespace braid::test::text_file_test {
namespace {

std::string times(std::size_t n, const std::string& text) {
  std::string all;
  for (std::size_t i = 0; i < n; ++i) all += text;
  return all;
}

TEST(ReadText, TakesFilesAndPipesOfAnyBytes) {
  const std::string file = temporary_file("any"), bytes = times(70000, std::string("\0\xff\n", 3));
  std::ofstream(file, std::ios::binary) << bytes;
  EXPECT_EQ(read_text(file, "a text"), bytes);
  std::ofstream(file, std::ios::trunc).close();
  EXPECT_EQ(read_text(file, "a text"), "");
  const std::string pipe = temporary_file("pipe");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  std::thread writer([&] { std::ofstream(pipe) << "a\nb"; });
  EXPECT_EQ(read_text(pipe, "a text"), "a\nb");
  writer.join();
}

TEST(ReadText, RefusesWhatIsNoText) {
  const auto said = [](const std::string& file) { return complaint([&] { (void)read_text(file, "a text"); }); };
  EXPECT_EQ(said("/nowhere/at.all"), "/nowhere/at.all: cannot be read: expected a text");
  EXPECT_EQ(said(""), "cannot be read: expected a text");
  EXPECT_EQ(said("/tmp"), "/tmp: cannot be read, as it is a directory: expected a text");
  for (const std::string device : {"/dev/null", "/dev/zero"}) {
    EXPECT_EQ(said(device), device + ": cannot be read, as it is a device: expected a text");
  }
  const std::string file = temporary_file("large");
  std::ofstream(file).close();
  std::filesystem::resize_file(file, 64U << 20U);  // without blocks on the disk
  EXPECT_EQ(said(file), "");
  std::filesystem::resize_file(file, (64U << 20U) + 1);
  EXPECT_EQ(said(file), file + ": cannot be read, as it is larger than 64 MiB: expected a text");
  std::filesystem::remove(file);
}

/// What a file may be at most is what it has, and a pipe is told by what comes out of it.
TEST(ReadFile, TakesAsManyBytesAsItMay) {
  const std::string file = temporary_file("ten");
  std::ofstream(file) << "0123456789";
  EXPECT_EQ(read_file(file, "ten", {10, ""}), "0123456789");
  EXPECT_EQ(complaint([&] { (void)read_file(file, "ten", {9, ""}); }),
            file + ": cannot be read, as it is larger than 0 MiB: expected ten");
  for (const std::uint64_t most : {10U, 9U}) {
    const std::string pipe = temporary_file("pipe" + std::to_string(most));
    ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
    std::thread writer([&] { std::ofstream(pipe) << "0123456789"; });
    const std::string said = complaint([&] { EXPECT_EQ(read_file(pipe, "ten", {most, ""}).size(), 10U); });
    EXPECT_EQ(said.empty(), most == 10U) << said;
    writer.join();
  }
}

/// A pipe that nobody opens is waited for until a signal comes (again and again here, should one come too early).
TEST(ReadFile, GivesUpAPipeWhenASignalComes) {
  const std::string pipe = temporary_file("lonely");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  struct sigaction ring = {}, before = {};
  ring.sa_handler = [](int) {};
  ring.sa_flags = SA_RESTART;
  ASSERT_EQ(sigaction(SIGALRM, &ring, &before), 0);
  const itimerval soon{{0, 20000}, {0, 20000}}, never{};
  ASSERT_EQ(setitimer(ITIMER_REAL, &soon, nullptr), 0);
  const std::string said = complaint([&] { (void)read_text(pipe, "a text"); });
  ASSERT_EQ(setitimer(ITIMER_REAL, &never, nullptr), 0);
  ASSERT_EQ(sigaction(SIGALRM, &before, nullptr), 0);
  EXPECT_EQ(said, pipe + ": cannot be read, as the wait for it was interrupted: expected a text");
}

/// Of a file that begins otherwise no more is read than shows that; one that ends before it could is read whole.
TEST(ReadFile, GoesOnOnlyWhereItBeginsAsItShould) {
  const std::string file = temporary_file("begins");
  const std::string large = times(300000, "a");
  std::ofstream(file) << large;
  EXPECT_EQ(read_file(file, "a text", {1U << 20U, "aaaa"}), large);
  const std::string other = read_file(file, "a text", {1U << 20U, "aaab"});
  EXPECT_GE(other.size(), 4U);
  EXPECT_LT(other.size(), large.size());
  std::ofstream(file, std::ios::trunc) << "aa";
  EXPECT_EQ(read_file(file, "a text", {1U << 20U, "aaab"}), "aa");
}

TEST(TomlDepth, IsSixteenPartsOfAKey) {
  const auto said = [](const std::string& text) { return complaint([&] { check_toml_depth(text, "e.toml"); }); };
  const std::string deep = "a key of more than 16 parts: expected section.key";
  for (const char* part : {"a.", "'a=' . ", "\"=\\\"\".", "a\t.\t"}) {
    EXPECT_EQ(said(times(15, part) + "a = 1"), "") << part << ", in the first line";
    EXPECT_EQ(said(times(16, part) + "a = 1"), "e.toml:1: " + deep) << part;
    EXPECT_EQ(said("\n" + times(15, part) + "a = 1"), "") << part;
    EXPECT_EQ(said("\n" + times(16, part) + "a = 1"), "e.toml:2: " + deep) << part;
    EXPECT_EQ(said("\n[" + times(200000, part) + "a]"), "e.toml:2: " + deep) << part;
    EXPECT_EQ(said("x = {" + times(16, part) + "a = 1}"), "e.toml:1: " + deep) << part;
  }
}

TEST(TomlDepth, CountsNoDotsOfValuesAndRemarks) {
  const std::string dots = times(100, "a.");
  for (const std::string& text :
       {"# " + dots, "x = \"" + dots + "\"", "x = '" + dots + "' # '" + dots, "x = \"\"\"\n\"" + dots + "\n\"\"\"\"",
        "x = [" + times(100, "0.5, ") + "1.5]", times(100, "a.b = 1.5\n"), "x = \"\\\"" + dots + "\""}) {
    EXPECT_EQ(complaint([&] { check_toml_depth(text, "e.toml"); }), "") << text;
  }
}

/// A quote that is part of a text and stands before its end must not make what follows look like a text.
TEST(TomlDepth, IsNotFooledByQuotesAtTheEndOfAText) {
  const std::string deep = times(16, "a.") + "a = 1";
  for (const std::string& text :
       {"x = [\"\"\"q\"\"\"\", {" + deep + "}, \"\"]", "x = ['''q''''', {" + deep + "}, '']"}) {
    EXPECT_NE(complaint([&] { check_toml_depth(text, "e.toml"); }), "") << text;
  }
}

TEST(Printable, LeavesNamesAndShowsTheRest) {
  for (const char* name : {"a b", "käse", "日本", "\xf0\x9f\x90\x99", "…"}) EXPECT_EQ(printable(name), name);
  EXPECT_EQ(printable("a\x1b[31m\n\x7f"), "a\\x1b[31m\\x0a\\x7f");
  EXPECT_EQ(printable(std::string("\0", 1)), "\\x00");
  EXPECT_EQ(printable("\xc2\x9b"), "\\xc2\\x9b") << "a control character beyond ASCII";
  EXPECT_EQ(printable("\xe4se"), "\\xe4se") << "Latin-1";
  EXPECT_EQ(printable("\xc0\xaf \xed\xa0\x80 \xf4\x90\x80\x80"), "\\xc0\\xaf \\xed\\xa0\\x80 \\xf4\\x90\\x80\\x80");
  EXPECT_EQ(printable("\xe2\x80"), "\\xe2\\x80") << "cut off";
}

TEST(Message, IsOneLineOfWordsThatCanBeRead) {
  const std::string what = InputError({"a\nb.toml", 3, 0}, "key \"" + times(1000000, "k") + "\"\x1b: ü").what();
  EXPECT_EQ(what, "a\\x0ab.toml:3: key \"" + times(59, "k") + "… ü");
  EXPECT_EQ(std::string(InputError("word " + times(80, "w")).what()), "word " + times(80, "w"));
  EXPECT_EQ(one_line("\x1b  " + times(100, "ab ")), "\\x1b " + times(18, "ab ") + "a…");
  EXPECT_EQ(unknown_name("key", times(1000000, "k"), {"k"}), "unknown key \"" + times(60, "k") + "…\"; known: k");
}

TEST(Place, IsThatOfTheFirstKeyNamedOrOfTheValueQuoted) {
  Configuration c;
  EXPECT_EQ(c.place_named_in("traffic.rate = 2").file, "");
  c.set("traffic.rate", 2, SourcePosition{"e.toml", 5, 8});
  c.set("traffic.rate_limit", 3, SourcePosition{"e.toml", 6, 8});
  c.set("routing.algorithm", "west_first", SourcePosition{"--set routing.algorithm=west_first", 0, 0});
  const auto line = [&](const std::string& message) { return c.place_named_in(message).line; };
  EXPECT_EQ(line("traffic.rate = 2: expected 1"), 5U);
  EXPECT_EQ(line("traffic.rate_limit = 3: no packet of traffic.rate = 2"), 6U);
  EXPECT_EQ(line("my_traffic.rate and traffic.rate_limits"), 0U) << "parts of other words";
  EXPECT_EQ(c.place_named_in("routing algorithm \"west_first\" needs a mesh").file.rfind("--set", 0), 0U);
  EXPECT_EQ(c.place_named_in("no escape channel").file, "e.toml");
}

}  // namespace
}  // namespace braid::test::text_file_test
