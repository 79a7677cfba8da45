// Traces: the bounds of every number in either form, every branch of their readers, and what a reader makes of order.
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "routing/base/input_error.h"
#include "traffic/replay/ordered_trace.h"

namespace braid::test::trace_bounds_test {
namespace {

using namespace traffic;

std::string written(const std::string& name, const std::string& bytes) {
  const std::string file = testing::TempDir() + std::to_string(getpid()) + "_bounds_" + name;
  std::ofstream(file, std::ios::binary) << bytes;
  return file;
}

/// What is said of a file for four nodes, without its name; "" if nothing is.
std::string said_of(const std::string& file) {
  try {
    OrderedTrace trace({file, 4, 8, false});
    OrderedTrace::Next next;
    while (trace.next(next)) {
    }
  } catch (const InputError& e) {
    return std::string(e.what()).substr(file.size() + 1);
  }
  return "";
}
std::string of_text(const std::string& text) { return said_of(written("a.trace", text)); }
std::string of_lines(const std::string& records) {
  return of_text("braid-trace 1\nnodes 4\nclass a\nclass b\n" + records);
}
std::string of_bytes(const std::string& bytes) { return said_of(written("a.btrace", "BRAIDTRC" + bytes)); }
/// Behind a header of 13 bytes: version 1, four nodes, one class "p".
std::string of_packets(const std::string& bytes) { return of_bytes("\1\4\1\1p" + bytes); }

/// Seven bits a byte, the lowest first.
std::string coded(std::uint64_t value) {
  std::string all;
  for (; value > 127; value /= 128) all += static_cast<char>(128 + value % 128);
  return all + static_cast<char>(value);
}
std::string bytes(std::initializer_list<std::uint64_t> values) {
  std::string all;
  for (const std::uint64_t v : values) all += coded(v);
  return all;
}

constexpr std::uint64_t kLargest = 1'000'000'000'000'000'000;
const std::string kMost = "1000000000000000000", kMore = "1000000000000000001";

TEST(TraceBounds, OfLinesAreThoseOfTheDocumentation) {
  const std::string to_most = ", 0 to " + kMost;
  EXPECT_EQ(of_lines(kMost + " " + kMost + " 3 3 65535 1\nend 1\n"), "");
  EXPECT_EQ(of_lines("0 0 0 0 1 0\nend 1\n"), "");
  const std::vector<std::pair<std::string, std::string>> wrong{
      {kMore + " 0 0 0 1 0", "\"" + kMore + "\": expected an id" + to_most},
      {"-1 0 0 0 1 0", "\"-1\": expected an id" + to_most},
      {"1x 0 0 0 1 0", "\"1x\": expected an id" + to_most},
      {"0 " + kMore + " 0 0 1 0", "\"" + kMore + "\": expected a cycle, or -" + to_most},
      {"0", "the line ends: expected a cycle, or -" + to_most},
      {"0 0 4 0 1 0", "\"4\": expected a source node, 0 to 3"},
      {"0 0 0 4 1 0", "\"4\": expected a destination node, 0 to 3"},
      {"0 0 0 0 0 0", "\"0\": expected a number of flits, 1 to 65535"},
      {"0 0 0 0 65536 0", "\"65536\": expected a number of flits, 1 to 65535"},
      {"0 0 0 0 1 2", "\"2\": expected the number of a class, 0 to 1"},
      {"0 0 0 0 1 0 after", "the line ends: expected ids with commas between" + to_most},
      {"0 0 0 0 1 0 after " + kMore, "\"" + kMore + "\": expected ids with commas between" + to_most},
      {"0 0 0 0 1 0 after 1,", "the line ends: expected ids with commas between" + to_most},
      {"0 0 0 0 1 0 after 1,,2", "the line ends: expected ids with commas between" + to_most},
      {"0 0 0 0 1 0 after 1 wait", "\"wait\": expected \"delay\" or the end of the line"},
      {"0 0 0 0 1 0 after 1 delay", "the line ends: expected a number of cycles" + to_most},
      {"0 0 0 0 1 0 after 1 delay " + kMore, "\"" + kMore + "\": expected a number of cycles" + to_most},
      {"0 0 0 0 1 0 after 1 delay 2 x", "\"x\": expected \"delay\" or the end of the line"},
      {"0 0 0 0 1 0 delay 2", "\"delay\": expected \"after\" or the end of the line"},
      {"end", "the line ends: expected the number of packets" + to_most},
      {"end 0 x", "expected nothing behind \"end\" and the number of packets"}};
  for (const auto& [line, said] : wrong) EXPECT_EQ(of_lines(line + "\n"), "5: " + said) << line;
  EXPECT_EQ(of_lines("0 0 0 0 1 0\n1 0 0 0 1 0 after 0 delay " + kMost + "\nend 2\n"), "");
}

TEST(TraceBounds, OfTheHeadOfLinesAreThoseOfTheDocumentation) {
  EXPECT_EQ(of_text("braid-trace 1\nnodes 1\nclass a\nend 0\n"), "");
  EXPECT_NE(of_text("braid-trace 2\nnodes 1\nclass a\nend 0\n").find("expected \"braid-trace 1\""), std::string::npos);
  EXPECT_EQ(of_text("braid-trace 1\nnode 1\n"), "2: expected \"nodes\" and their number");
  EXPECT_EQ(of_text("braid-trace 1\nnodes 0\n"), "2: \"0\": expected a number of nodes, 1 to 16777216");
  EXPECT_EQ(of_text("braid-trace 1\nnodes 16777217\n"), "2: \"16777217\": expected a number of nodes, 1 to 16777216");
  EXPECT_NE(of_text("braid-trace 1\nnodes 16777216\nclass a\nend 0\n").find("the trace is of 16777216 nodes"),
            std::string::npos);
  EXPECT_EQ(of_text("braid-trace 1\nnodes 4 x\n"), "2: \"x\": expected the end of the line");
  const auto classes = [](int count) {
    std::string all;
    for (int c = 0; c < count; ++c) all += "class c" + std::to_string(c) + "\n";
    return of_text("braid-trace 1\nnodes 4\n" + all + "end 0\n");
  };
  EXPECT_EQ(classes(64), "");
  EXPECT_EQ(classes(65), "67: more than 64 classes of traffic");
  EXPECT_EQ(of_text("braid-trace 1\nnodes 4\nclass " + std::string(60, 'a') + "\nend 0\n"), "");
  EXPECT_NE(of_text("braid-trace 1\nnodes 4\nclass " + std::string(61, 'a') + "\nend 0\n").find("at most 60 of them"),
            std::string::npos);
  EXPECT_EQ(of_text("braid-trace 1\nnodes 4\nclass azAZ09_-. x\nend 0\n"), "");
}

/// Blanks of any kind, comments, and lines of either system; as long as a packet after 4096 others.
TEST(TraceBounds, LinesMayHaveBlanksAndComments) {
  EXPECT_EQ(of_lines("\t0  0 0\t0 1 0 # first\r\n\n# none\n  \t\r\n1 0 0 0 1 0\r\nend 2 # all\n\n# behind\n"), "");
  const std::string comment(131072, '#');
  EXPECT_EQ(of_lines(comment + "\nend 0\n"), "");
  EXPECT_EQ(of_lines(comment + "#\nend 0\n"), "5: a line of more than 131072 bytes: expected a packet");
  const auto after = [](std::size_t count) {
    std::string ids = "0";
    for (std::size_t i = 1; i < count; ++i) ids += ",0";
    return of_lines("0 0 0 0 1 0\n1 0 0 0 1 0 after " + ids + "\nend 2\n");
  };
  EXPECT_EQ(after(4096), "");
  EXPECT_EQ(after(4097), "6: a packet after more than 4096 others");
  std::string many;  // a block of the file is 65536 bytes
  for (int i = 0; i < 10000; ++i) many += std::to_string(i) + " 0 0 1 1 0\n";
  EXPECT_EQ(of_lines(many + "end 10000\n"), "");
  EXPECT_EQ(of_lines(many + "9999 0 0 1 1 0\n"), "10005: id 9999 stands twice");
}

TEST(TraceBounds, OfBytesAreThoseOfTheDocumentation) {
  const std::string here = " packet 1, at byte 13: ", to_most = " to " + kMost;
  EXPECT_EQ(of_packets(bytes({kLargest, 1, kLargest, 3, 3, 65535, 0, 0, 1})), "");
  EXPECT_EQ(of_packets(bytes({1, 1, 0, 0, 0, 1, 0, 0, 1})), "");
  const std::vector<std::pair<std::string, std::string>> wrong{
      {bytes({kLargest + 1}), kMore + ": expected the step to the packet's id, or 0, 0" + to_most},
      {bytes({1, 0}), "0: expected what the packet has, 1 to 3"},
      {bytes({1, 4}), "4: expected what the packet has, 1 to 3"},
      {bytes({1, 1, kLargest + 1}), kMore + ": expected the step to the cycle, 0" + to_most},
      {bytes({1, 1, 0, 4}), "4: expected a source node, 0 to 3"},
      {bytes({1, 1, 0, 0, 4}), "4: expected a destination node, 0 to 3"},
      {bytes({1, 1, 0, 0, 0, 0}), "0: expected a number of flits, 1 to 65535"},
      {bytes({1, 1, 0, 0, 0, 65536}), "65536: expected a number of flits, 1 to 65535"},
      {bytes({1, 1, 0, 0, 0, 1, 1}), "1: expected a class, 0 to 0"},
      {bytes({1, 3, 0, 0, 0, 1, 0, 0}), "0: expected the number of packets before it, 1 to 4096"},
      {bytes({1, 3, 0, 0, 0, 1, 0, 4097}), "4097: expected the number of packets before it, 1 to 4096"},
      {bytes({1, 3, 0, 0, 0, 1, 0, 1, kLargest + 1}), kMore + ": expected how far back its id is, 0" + to_most},
      {bytes({1, 3, 0, 0, 0, 1, 0, 1, 1}), "after a packet whose id would be less than 0"},
      {bytes({1, 3, 0, 0, 0, 1, 0, 1, 0, kLargest + 1}), kMore + ": expected a delay, 0" + to_most},
      {bytes({0, 0, 0}), "expected nothing behind the end"},
      {bytes({0, kLargest + 1}), kMore + ": expected the number of packets, 0" + to_most}};
  for (const auto& [packet, said] : wrong) EXPECT_EQ(of_packets(packet), here + said) << said;
  const std::string first = bytes({1, 1, 0, 0, 0, 1, 0}), there = " packet 2, at byte 20: ";
  EXPECT_EQ(of_packets(first + bytes({1, 2, 0, 0, 1, 0, 1, 1, kLargest, 0, 2})), "") << "without a cycle";
  EXPECT_EQ(of_packets(first + bytes({kLargest})), there + "the packet's id is beyond " + kMost);
  EXPECT_EQ(of_packets(bytes({1, 1, 1, 0, 0, 1, 0}) + bytes({1, 1, kLargest})),
            there + "the packet's cycle is beyond " + kMost);
}

TEST(TraceBounds, OfTheHeadOfBytesAreThoseOfTheDocumentation) {
  const auto classes = [](std::uint64_t count) {
    std::string all = bytes({1, 4, count});
    for (std::uint64_t c = 0; c < count; ++c) all += bytes({1}) + static_cast<char>('0' + c);
    return of_bytes(all + bytes({0, 0}));
  };
  EXPECT_EQ(of_bytes(bytes({2})), " header: this is version 2 of the form: expected 1");
  EXPECT_EQ(of_bytes(bytes({1, 0})), " header: 0: expected the number of nodes, 1 to 16777216");
  EXPECT_EQ(of_bytes(bytes({1, 16777217})), " header: 16777217: expected the number of nodes, 1 to 16777216");
  EXPECT_EQ(of_bytes(bytes({1, 4, 0})), " header: 0: expected the number of classes, 1 to 64");
  EXPECT_EQ(of_bytes(bytes({1, 4, 65})), " header: 65: expected the number of classes, 1 to 64");
  EXPECT_EQ(classes(10), "");
  EXPECT_EQ(of_bytes(bytes({1, 4, 1, 0})), " header: 0: expected the length of a class's name, 1 to 60");
  EXPECT_EQ(of_bytes(bytes({1, 4, 1, 61})), " header: 61: expected the length of a class's name, 1 to 60");
  EXPECT_EQ(of_bytes(bytes({1, 4, 1, 60}) + std::string(60, 'a') + bytes({0, 0})), "");
  EXPECT_EQ(of_bytes(bytes({1, 4, 1, 3}) + "ab"), " header: the file breaks off in a class's name");
  EXPECT_EQ(of_bytes(bytes({1, 4, 2, 1}) + "a" + bytes({1}) + "a"), " header: class \"a\" is named twice");
  EXPECT_EQ(of_bytes(bytes({1, 4, 1, 1}) + "," + bytes({0, 0})).substr(0, 19), " header: class \",\":");
}

/// Nine bytes hold any number; a tenth is one too many.
TEST(TraceBounds, NumbersHaveNineBytesAtMost) {
  const std::string rest = bytes({1, 0, 0, 0, 1, 0, 0, 1});
  EXPECT_EQ(of_packets("\201" + std::string(7, '\200') + std::string(1, '\0') + rest), "") << "1 in nine bytes";
  EXPECT_EQ(of_packets("\201" + std::string(8, '\200') + std::string(1, '\0') + rest),
            " packet 1, at byte 13: a number of more than 9 bytes: expected the step to the packet's id, or 0");
}

/// All that a packet waits for by its place in the file; `local` if all of it arrives where the packet is sent.
TEST(TraceBounds, PacketsAreNumberedAsTheyStand) {
  const std::string file = written("order.trace",
                                   "braid-trace 1\nnodes 4\nclass a\n3 5 0 1 1 0\n5 6 2 1 1 0\n9 - 1 2 1 0 after 3,5\n"
                                   "12 9 0 2 1 0 after 5,9 delay 4\n20 9 3 0 1 0\nend 5\n");
  OrderedTrace trace({file, 4, 8, false});
  OrderedTrace::Next next;
  const std::vector<std::vector<std::uint64_t>> after{{}, {}, {0, 1}, {1, 2}, {}};
  const bool local[] = {true, true, true, false, true};
  for (std::size_t p = 0; p < 5; ++p) {
    ASSERT_TRUE(trace.next(next));
    EXPECT_EQ(next.position, p);
    EXPECT_EQ(next.after, after[p]) << p;
    EXPECT_EQ(next.local, local[p]) << p;
  }
  EXPECT_FALSE(trace.next(next));
}

TEST(TraceBounds, AllBytesAreReadAndCounted) {
  const TraceHeader header{4, {"a"}};
  for (const bool binary : {false, true}) {
    std::ostringstream out;
    const auto writer = binary ? binary_trace_writer(out, header) : text_trace_writer(out, header);
    for (std::uint64_t i = 0; i < 20000; ++i) writer->add({i, i, 0, 1, 1, 0, {}, 0});
    writer->end();
    const auto reader = open_trace(written("counted", out.str()));
    EXPECT_GT(reader->bytes_read(), 8U) << "the head";
    EXPECT_LT(reader->bytes_read(), 200U) << "and the first line";
    TraceRecord r;
    std::size_t count = 0;
    while (reader->next(r)) ++count;
    EXPECT_EQ(count, 20000U);
    EXPECT_EQ(reader->bytes_read(), out.str().size()) << binary;
  }
}

TEST(TraceBounds, FormsAreToldByTheNameOfTheFile) {
  EXPECT_FALSE(is_binary_trace("a.trace"));
  EXPECT_TRUE(is_binary_trace("a.btrace"));
  EXPECT_TRUE(is_binary_trace("b.trace.btrace"));
  for (const char* wrong : {"a.txt", "trace", ".trace", ".btrace", "a.trace2", ""}) {
    EXPECT_THROW((void)is_binary_trace(wrong), InputError) << wrong;
  }
}

}  // namespace
}  // namespace braid::test::trace_bounds_test
