// Traces as files: what both forms hold, and what is refused where.
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <functional>
#include <sstream>
#include <string>
#include <vector>

#include "routing/base/input_error.h"
#include "traffic/replay/ordered_trace.h"

namespace braid::test::traces_test {
namespace {

using namespace traffic;

std::string written(const std::string& name, const std::string& bytes) {
  const std::string file = testing::TempDir() + std::to_string(getpid()) + "_" + name;
  std::ofstream(file, std::ios::binary) << bytes;
  return file;
}

const std::string kHead = "braid-trace 1\nnodes 4\nclass packets\nclass other replies\n";

/// What is said of a file, without its name; "" if nothing is.
std::string refusal_of(const std::string& file, bool by_time, std::uint64_t window) {
  try {
    OrderedTrace trace({file, 4, window, by_time});
    OrderedTrace::Next next;
    while (trace.next(next)) {
    }
  } catch (const InputError& e) {
    return std::string(e.what()).substr(file.size() + 1);
  }
  return "";
}
std::string refusal(const std::string& records, bool by_time = false, std::uint64_t window = 8) {
  return refusal_of(written("bad.trace", kHead + records), by_time, window);
}

std::vector<TraceRecord> some_records() {
  std::vector<TraceRecord> all(4);
  all[0] = {0, 0, 0, 1, 4, 0, {}, 0};
  all[1] = {7, 300, 3, 2, 65535, 1, {}, 0};
  all[2] = {8, {}, 1, 0, 1, 0, {0}, 0};
  all[3] = {1'000'000'000'000, 1'000'000'000, 2, 3, 2, 1, {0, 7, 8}, 129};
  return all;
}
const TraceHeader kHeader{4, {"packets", "other replies"}};

using Writer = std::function<std::unique_ptr<TraceWriter>(std::ostream&, const TraceHeader&)>;
std::string bytes_of(const Writer& make, const std::vector<TraceRecord>& records) {
  std::ostringstream out;
  const auto writer = make(out, kHeader);
  for (const TraceRecord& r : records) writer->add(r);
  writer->end();
  return out.str();
}

void expect_same(const std::string& file) {
  const auto reader = open_trace(file);
  EXPECT_EQ(reader->header().nodes, 4U);
  EXPECT_EQ(reader->header().classes, kHeader.classes);
  TraceRecord r;
  for (const TraceRecord& expected : some_records()) {
    ASSERT_TRUE(reader->next(r));
    EXPECT_EQ(r.id, expected.id);
    EXPECT_EQ(r.cycle, expected.cycle);
    EXPECT_EQ(r.source, expected.source);
    EXPECT_EQ(r.destination, expected.destination);
    EXPECT_EQ(r.flits, expected.flits);
    EXPECT_EQ(r.traffic_class, expected.traffic_class);
    EXPECT_EQ(r.after, expected.after);
    EXPECT_EQ(r.delay, expected.delay);
  }
  EXPECT_FALSE(reader->next(r));
}

TEST(Traces, HoldTheSameInBothForms) {
  expect_same(written("same.trace", bytes_of(text_trace_writer, some_records())));
  expect_same(written("same.btrace", bytes_of(binary_trace_writer, some_records())));
}

TEST(Traces, OfTextAreAsDocumented) {
  EXPECT_EQ(bytes_of(text_trace_writer, some_records()),
            kHead +
                "# id cycle source destination flits class [after ids [delay cycles]]\n"
                "0 0 0 1 4 0\n7 300 3 2 65535 1\n8 - 1 0 1 0 after 0\n"
                "1000000000000 1000000000 2 3 2 1 after 0,7,8 delay 129\nend 4\n");
}

TEST(Traces, OfBytesAreAsDocumented) {
  std::vector<TraceRecord> records(2);
  records[0] = {5, 300, 3, 2, 4, 1, {}, 0};
  records[1] = {6, 301, 2, 3, 1, 0, {5}, 7};
  const std::string expected(
      "BRAIDTRC\1\4\2\7packets\15other replies"
      "\6\1\254\2\3\2\4\1"
      "\1\3\1\2\3\1\0\1\1\7"
      "\0\2",
      8 + 3 + 8 + 14 + 8 + 10 + 2);
  EXPECT_EQ(bytes_of(binary_trace_writer, records), expected);
}

/// Whatever is cut off is missed: no shorter file is a trace.
TEST(Traces, ThatBreakOffAreRefused) {
  for (const auto& [name, make] :
       {std::pair<const char*, Writer>{"cut.trace", text_trace_writer}, {"cut.btrace", binary_trace_writer}}) {
    const std::string whole = bytes_of(make, some_records());
    EXPECT_EQ(refusal_of(written(name, whole), false, 8), "");
    for (std::size_t size = 0; size < whole.size(); ++size) {
      EXPECT_NE(refusal_of(written(name, whole.substr(0, size)), false, 8), "") << name << " of " << size << " bytes";
    }
    EXPECT_NE(refusal_of(written(name, whole + "x"), false, 8), "") << name;
  }
}

TEST(Traces, AreRefusedAtTheLine) {
  const auto line = [](const std::string& text) { return refusal(text); };
  EXPECT_EQ(line("0 5 0 1 0 0\n"), "5: \"0\": expected a number of flits, 1 to 65535");
  EXPECT_EQ(line("\n0 5 0 4 1 0\n"), "6: \"4\": expected a destination node, 0 to 3");
  EXPECT_EQ(line("0 5 -1 1 1 0\n"), "5: \"-1\": expected a source node, 0 to 3");
  EXPECT_EQ(line("0 5 0 1 1 2\n"), "5: \"2\": expected the number of a class, 0 to 1");
  EXPECT_EQ(line("0 5 0 1 1\n"), "5: the line ends: expected the number of a class, 0 to 1");
  EXPECT_EQ(line("0 5 0 1 1 0 before 3\n"), "5: \"before\": expected \"after\" or the end of the line");
  EXPECT_EQ(line("0 5 0 1 1 0\n"),
            "6: the file breaks off here: expected a packet, or \"end\" and the number of packets");
  EXPECT_EQ(line("0 5 0 1 1 0\nend 2\n"), "6: end 2, but 1 packets stand before it");
  EXPECT_EQ(line("0 5 0 1 1 0\nend 1\n1 5 0 1 1 0\n"), "7: expected nothing behind \"end\" and the number of packets");
  const std::string nothing(1, '\0');  // a byte as any other, not the end of the file
  EXPECT_EQ(line("0 5 0 1 1 0\nend 1\n" + nothing + "\n"),
            "7: expected nothing behind \"end\" and the number of packets");
  EXPECT_NE(line(nothing + "0 5 0 1 1 0\nend 1\n").find(": expected an id, 0 to "), std::string::npos);
}

TEST(Traces, AreInOrder) {
  const std::string two = "3 5 0 1 1 0\n4 6 1 2 1 0\n";
  EXPECT_EQ(refusal(two + "end 2\n"), "");
  EXPECT_EQ(refusal(two + "4 7 0 1 1 0\n"), "7: id 4 stands twice");
  EXPECT_EQ(refusal(two + "3 7 0 1 1 0\n"), "7: id 3 after id 4: expected ids that grow");
  EXPECT_EQ(refusal(two + "5 5 0 1 1 0\n"), "7: cycle 5 after cycle 6: expected cycles that never fall");
  EXPECT_EQ(refusal(two + "5 - 0 1 1 0\n"), "7: packet 5 has neither a cycle nor packets that it comes after");
  EXPECT_EQ(refusal(two + "5 - 2 1 1 0 after 4\n", true),
            "7: packet 5 has no cycle: expected one, or replay.by = \"dependency\"");
}

TEST(Traces, ComeAfterPacketsBeforeThem) {
  const std::string two = "3 5 0 1 1 0\n5 6 1 2 1 0\n";
  EXPECT_EQ(refusal(two + "6 - 1 2 1 0 after 3\n7 - 2 0 1 0 after 5,6 delay 2\nend 4\n"), "");
  EXPECT_EQ(refusal(two + "6 7 2 0 1 0 after 6\n"), "7: packet 6 comes after itself");
  EXPECT_EQ(
      refusal(two + "6 7 2 0 1 0 after 7\n7 8 0 2 1 0 after 6\n"),
      "7: packet 6 comes after packet 7, which does not stand before it: expected a smaller id, so that none wait "
      "for one another in a circle");
  EXPECT_EQ(refusal(two + "6 7 2 0 1 0 after 4\n"), "7: packet 6 comes after packet 4, which is not in the file");
  EXPECT_EQ(refusal(two + "6 7 2 0 1 0 after 2\n"), "7: packet 6 comes after packet 2, which is not in the file");
  EXPECT_EQ(refusal(two + "6 7 3 0 1 0 after 5\n"),
            "7: packet 6 is sent by node 3 after packets that arrive at others, which it knows a cycle later at the "
            "soonest: expected delay 1 or more");
  EXPECT_EQ(refusal(two + "6 7 3 0 1 0 after 5 delay 1\nend 3\n"), "");
}

TEST(Traces, ReachBackAsFarAsTheWindow) {
  const std::string three = "3 5 0 1 1 0\n5 6 1 2 1 0\n6 6 1 2 1 0\n";
  const std::string fourth = "8 - 1 2 1 0 after 3\nend 4\n";
  EXPECT_EQ(refusal(three + fourth, false, 3), "");
  EXPECT_EQ(
      refusal(three + fourth, false, 2),
      "8: packet 8 comes after packet 3, which is not among the 2 before it: expected a larger replay.window, or a "
      "packet of the file");
}

TEST(Traces, OfBytesAreRefusedAtThePacket) {
  const std::string head("BRAIDTRC\1\4\1\1p", 13);
  const auto said = [&](const std::string& bytes) { return refusal_of(written("bad.btrace", head + bytes), false, 8); };
  EXPECT_EQ(said(std::string("\0\0", 2)), "");
  EXPECT_EQ(said(std::string("\1\1\5\0\1\0\0", 7)), " packet 1, at byte 13: 0: expected a number of flits, 1 to 65535");
  EXPECT_EQ(said(std::string("\1\1\5\0\1\1\0\1\1\0\4\1\1\0", 14)),
            " packet 2, at byte 20: 4: expected a source node, 0 to 3");
  EXPECT_EQ(said(std::string("\1\1\5\0\1\1\0\1\2\1\0\1\0\1\0\0", 16)),
            " packet 2, at byte 20: packet 1 comes after itself");
  EXPECT_EQ(said(std::string("\1\1\5\0\1", 5)),
            " packet 1, at byte 13: the file breaks off: expected a number of flits");
  EXPECT_EQ(said(std::string("\1\1\5\0\1\1\0\0\2", 9)),
            " packet 2, at byte 20: the end says 2 packets, but 1 stand before it");
  EXPECT_EQ(said(std::string("\0\1", 2)), " packet 1, at byte 13: the end says 1 packets, but 0 stand before it");
  EXPECT_EQ(said(std::string(12, '\377')),
            " packet 1, at byte 13: a number of more than 9 bytes: expected the step to the packet's id, or 0");
}

/// Beyond the first block that is read.
TEST(Traces, OfBytesAreRefusedAtThePacketHoweverFar) {
  std::vector<TraceRecord> many(20000);
  for (std::size_t i = 0; i < many.size(); ++i) many[i] = {i, 0, 0, 1, 1, 0, {}, 0};
  std::string bytes = bytes_of(binary_trace_writer, many);
  const std::string head = bytes_of(binary_trace_writer, {});
  const std::size_t begin = head.size() - 2, packet = 7;  // without the end
  ASSERT_EQ(bytes.size(), head.size() + 20000 * packet + 2) << "the number of packets takes three bytes";
  bytes[begin + 15000 * packet + 3] = 4;
  EXPECT_EQ(refusal_of(written("far.btrace", bytes), false, 8),
            " packet 15001, at byte " + std::to_string(begin + 15000 * packet) + ": 4: expected a source node, 0 to 3");
}

TEST(Traces, HaveClassesOfDifferentNames) {
  const auto of_classes = [](const std::string& lines) {
    return refusal_of(written("classes.trace", "braid-trace 1\nnodes 4\n" + lines + "end 0\n"), false, 8);
  };
  EXPECT_EQ(of_classes("class a\nclass  b c \n"), "");
  EXPECT_EQ(of_classes("class a\nclass b\nclass a\n"), "5: class \"a\" is named twice");
  EXPECT_EQ(of_classes("class a,b\n"),
            "3: class \"a,b\": expected letters, digits, _, -, . and blanks, at most 60 of them");
  EXPECT_EQ(of_classes("class\n"), "3: class \"\": expected letters, digits, _, -, . and blanks, at most 60 of them");
  EXPECT_EQ(of_classes(""), "3: expected \"class\" and the name of a class of traffic");
}

TEST(Traces, OfMoreNodesThanTheNetworkAreRefused) {
  const std::string file = written("large.trace", "braid-trace 1\nnodes 5\nclass a\nend 0\n");
  EXPECT_NE(refusal_of(file, false, 8).find("the trace is of 5 nodes: expected at most the network's 4"),
            std::string::npos);
  EXPECT_NE(refusal_of(written("none.trace", "id,cycle\n"), false, 8).find("is no trace"), std::string::npos);
  EXPECT_NE(refusal_of(testing::TempDir(), false, 8).find("expected a regular file"), std::string::npos);
}

}  // namespace
}  // namespace braid::test::traces_test
