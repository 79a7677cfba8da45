// Traces at their edges: files that end with their first bytes, numbers of just so many bits, records behind others of
// another shape, packets outside a window.
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <functional>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "routing/base/run_files.h"
#include "tb/tests/support/complaint.h"
#include "traffic/replay/ordered_trace.h"
#include "traffic/replay/trace.h"

namespace braid::test::trace_edges_test {
namespace {

using namespace traffic;

std::string written(const std::string& name, const std::string& bytes) {
  const std::string file = testing::TempDir() + std::to_string(getpid()) + "_edges_" + name;
  std::ofstream(file, std::ios::binary) << bytes;
  return file;
}

/// What is said of a file, without its name.
std::string said(const std::string& bytes, std::uint64_t window = 8) {
  const std::string file = written("said", bytes);
  const std::string what = complaint([&] {
    OrderedTrace trace({file, 4, window, false});
    OrderedTrace::Next next;
    while (trace.next(next)) {
    }
  });
  return what.empty() ? what : what.substr(file.size() + 1);
}

const std::string kHead = "braid-trace 1\nnodes 4\nclass a\n";

TEST(TraceEdges, AFileThatEndsWithItsFirstBytesIsATraceThatBrokeOff) {
  const std::string none = "1:1: is no trace: expected \"braid-trace 1\" or \"BRAIDTRC\" at its beginning";
  EXPECT_EQ(said(""), none);
  EXPECT_EQ(said("BRAIDTR"), none);
  EXPECT_EQ(said("BRAIDTRC"), " header: the file breaks off: expected the form's version");
  EXPECT_EQ(said("braid-trac"), none);
  EXPECT_EQ(said("braid-tracE 1\n"), none);
  EXPECT_EQ(said("braid-trace"), "1: this is version \"\" of the form: expected \"braid-trace 1\"");
  EXPECT_EQ(said("braid-trace 1"), "1: the file breaks off in this line");
  EXPECT_EQ(said("braid-trace 1\n"), "2: expected \"nodes\" and their number");
  EXPECT_EQ(said("braid-trace 1\nnodes 4\n"),
            "3: the file breaks off here: expected a packet, or \"end\" and the number of packets");
  EXPECT_EQ(said(std::string("BRAIDTRC\0", 9)), " header: this is version 0 of the form: expected 1");
}

/// A number of exactly seven, fourteen, ... bits takes no byte more than it must, and one more does.
TEST(TraceEdges, NumbersTakeAsManyBytesAsTheyMust) {
  const auto size = [](std::uint32_t flits) {
    std::ostringstream out;
    const auto writer = binary_trace_writer(out, {4, {"a"}});
    TraceRecord record;
    record.cycle = 0;
    record.flits = flits;
    writer->add(record);
    writer->end();
    const auto reader = open_trace(written("bits", out.str()));
    TraceRecord again;
    EXPECT_TRUE(reader->next(again));
    EXPECT_EQ(again.flits, flits);
    EXPECT_FALSE(reader->next(again));
    return out.str().size();
  };
  const std::size_t one = size(1);
  EXPECT_EQ(size(127), one);
  EXPECT_EQ(size(128), one + 1);
  EXPECT_EQ(size(129), one + 1);
  EXPECT_EQ(size(16383), one + 1);
  EXPECT_EQ(size(16384), one + 2);
}

std::vector<TraceRecord> of_all_shapes() {
  std::vector<TraceRecord> all(5);
  all[0] = {0, 4, 0, 1, 1, 0, {}, 0};
  all[1] = {1, 5, 1, 2, 1, 0, {0}, 1};
  all[2] = {2, 6, 1, 3, 1, 0, {}, 0};
  all[3] = {3, {}, 1, 2, 1, 0, {0}, 128};
  all[4] = {4, {}, 3, 2, 1, 0, {2}, 0};
  return all;
}

/// Nothing of one packet is left in the next, whatever that has not: no packet before it, no delay, no cycle.
TEST(TraceEdges, RecordsKeepNothingOfTheOneBefore) {
  for (const bool binary : {false, true}) {
    std::ostringstream out;
    const auto writer = binary ? binary_trace_writer(out, {4, {"a"}}) : text_trace_writer(out, {4, {"a"}});
    for (const TraceRecord& r : of_all_shapes()) writer->add(r);
    writer->end();
    const auto reader = open_trace(written("shapes", out.str()));
    TraceRecord r;
    for (const TraceRecord& expected : of_all_shapes()) {
      ASSERT_TRUE(reader->next(r));
      EXPECT_EQ(r.cycle, expected.cycle) << r.id;
      EXPECT_EQ(r.after, expected.after) << r.id;
      EXPECT_EQ(r.delay, expected.delay) << r.id;
    }
    EXPECT_FALSE(reader->next(r));
  }
}

/// A delay without packets before it says nothing and is not written; one of a cycle is.
TEST(TraceEdges, LinesSayADelayWhereThereIsOne) {
  std::ostringstream out;
  const auto writer = text_trace_writer(out, {4, {"a"}});
  writer->add({0, 4, 0, 1, 1, 0, {}, 7});
  writer->add({1, 4, 0, 1, 1, 0, {0}, 1});
  writer->add({2, 4, 1, 0, 1, 0, {0, 1}, 0});
  writer->end();
  EXPECT_EQ(out.str(), kHead + "# id cycle source destination flits class [after ids [delay cycles]]\n" +
                           "0 4 0 1 1 0\n1 4 0 1 1 0 after 0 delay 1\n2 4 1 0 1 0 after 0,1\nend 3\n");
}

/// Of ids 3, 5, 9 and 11 the last two are in a window of two: 7 is none of the file's wherever that begins, 4 may be
/// one before it.
TEST(TraceEdges, IdsBetweenThoseOfTheWindowAreNotInTheFile) {
  const std::string four = kHead + "3 5 0 1 1 0\n5 6 1 2 1 0\n9 6 1 2 1 0\n11 6 1 2 1 0\n";
  const auto after = [&](const std::string& id, std::uint64_t window) {
    return said(four + "12 - 2 1 1 0 after " + id + "\nend 5\n", window);
  };
  EXPECT_EQ(after("9", 2), "");
  EXPECT_EQ(after("11", 2), "");
  EXPECT_EQ(after("10", 2), "8: packet 12 comes after packet 10, which is not in the file");
  EXPECT_EQ(after("10", 1),
            "8: packet 12 comes after packet 10, which is not among the 1 before it: expected a larger replay.window, "
            "or a packet of the file");
  EXPECT_EQ(after("11", 1), "");
  EXPECT_EQ(after("7", 4), "8: packet 12 comes after packet 7, which is not in the file");
  EXPECT_EQ(after("7", 3), "8: packet 12 comes after packet 7, which is not in the file");
  EXPECT_EQ(
      after("4", 3),
      "8: packet 12 comes after packet 4, which is not among the 3 before it: expected a larger replay.window, or "
      "a packet of the file");
  EXPECT_EQ(after("2", 4), "8: packet 12 comes after packet 2, which is not in the file");
}

/// Any of a window, however many have passed through it.
TEST(TraceEdges, EveryPacketOfAWindowIsFound) {
  for (const std::uint64_t window : {1U, 2U, 3U, 5U, 8U}) {
    std::string lines = kHead;
    for (std::uint64_t p = 0; p < 40; ++p) {
      lines += std::to_string(3 * p) + " 7 1 1 1 0";
      const std::uint64_t back = 1 + p * 7 % window;
      if (back <= p) lines += " after " + std::to_string(3 * (p - back));
      lines += '\n';
    }
    const std::string file = written("window", lines + "end 40\n");
    OrderedTrace trace({file, 4, window, false});
    OrderedTrace::Next next;
    for (std::uint64_t p = 0; p < 40; ++p) {
      ASSERT_TRUE(trace.next(next));
      EXPECT_EQ(trace.packets(), p + 1);
      const std::uint64_t back = 1 + p * 7 % window;
      EXPECT_EQ(next.after, back <= p ? std::vector<std::uint64_t>{p - back} : std::vector<std::uint64_t>{}) << p;
      EXPECT_TRUE(next.local);
    }
    EXPECT_FALSE(trace.next(next));
    EXPECT_EQ(trace.packets(), 40U);
    EXPECT_EQ(trace.header().classes, std::vector<std::string>{"a"});
  }
}

/// Local only if all arrive there, whichever of them does not.
TEST(TraceEdges, OneThatArrivesElsewhereIsEnough) {
  const std::string three = kHead + "0 1 0 2 1 0\n1 1 0 3 1 0\n2 1 0 2 1 0\n";
  const std::string at_others =
      "7: packet 3 is sent by node 2 after packets that arrive at others, which it knows a cycle later at the soonest: "
      "expected delay 1 or more";
  EXPECT_EQ(said(three + "3 1 2 0 1 0 after 0,2\nend 4\n"), "");
  EXPECT_EQ(said(three + "3 1 2 0 1 0 after 1,2\nend 4\n"), at_others);
  EXPECT_EQ(said(three + "3 1 2 0 1 0 after 0,1\nend 4\n"), at_others);
  EXPECT_EQ(said(three + "3 1 2 0 1 0 after 0,1 delay 1\nend 4\n"), "");
}

/// What is no file, none that can be read, or none by its name, whose places are not known.
TEST(TraceEdges, FilesThatAreNoneAreNamed) {
  const std::string none = testing::TempDir() + "no_such.trace", folder = testing::TempDir();
  EXPECT_EQ(complaint([&] { (void)open_trace(none); }), none + ": cannot be read: expected a trace (docs/traces.md)");
  EXPECT_EQ(complaint([&] { (void)open_trace(folder); }),
            folder + ": cannot be read twice, as a trace is: expected a regular file");
  EXPECT_EQ(complaint([] { (void)is_binary_trace("a.txt"); }),
            "a.txt: a trace is a .trace file (text) or a .btrace file (binary)");
}

/// A trace is a file that a run reads: it cannot be written by it.
TEST(TraceEdges, IsAFileOfTheRun) {
  const std::string file = written("own.trace", kHead + "end 0\n");
  RunFiles files;
  const RunFiles::Scope scope(files);
  (void)open_trace(file);
  EXPECT_NE(complaint([&] { RunFiles::write(file, "--json"); }), "");
}

}  // namespace
}  // namespace braid::test::trace_edges_test
