// The order of what save files of questions have of several phases and several watched packets, and which packets are
// named in them.
#include <gtest/gtest.h>

#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "models/engine/question_files.h"
#include "tb/tests/support/bench.h"
#include "tb/tests/support/program.h"

namespace braid::test::question_order_test {
namespace {

using models::packet_number;
using models::Question;
using models::QuestionFiles;
using models::Signal;
using models::SignalTable;

const Question kAsked{"asked", "what is asked here"};

struct Rows {
  std::string stem;
  SignalTable table;
  Signal* cycle;
  std::unique_ptr<QuestionFiles> files;

  explicit Rows(const std::string& name) : stem(temporary_file(name)), cycle(table.add_shown("network", "cycle", 32)) {}
  void begin() { files = std::make_unique<QuestionFiles>(stem + ".vcd", 1000, table); }
  Signal* watched(std::uint32_t sequence) {
    Signal* const place = table.add_shown("watch", "packet_3_" + std::to_string(sequence), 32);
    place->answers(models::kWherePacket)->kind = Signal::Kind::kPhase;
    place->follows = packet_number(3, sequence);
    return place;
  }
  std::vector<std::string> lines(const std::string& question) const {
    files->write(*cycle);
    std::istringstream in(content(stem + "." + question + ".gtkw"));
    std::vector<std::string> all;
    for (std::string line; std::getline(in, line);) all.push_back(line);
    return all;
  }
};

/// Rows and groups, "(" TITLE and ")".
std::vector<std::string> shown(const std::vector<std::string>& lines) {
  std::vector<std::string> all;
  std::string flag;
  for (const std::string& line : lines) {
    if (line[0] == '@') flag = line.substr(1);
    if (line.rfind("+{", 0) == 0) all.push_back(line.substr(0, line.find('}') + 1));
    if (line[0] == '-') all.push_back(flag[0] == '1' ? ") " + line.substr(1) : "( " + line.substr(1));
  }
  return all;
}

/// Two of three phases, the row of the later one before that of the first; the third never goes on. From 230 to 300 is
/// 70: a twentieth, rounded down, and one more on both sides. The second goes on for ever: to the end.
TEST(QuestionOrder, OfSeveralPhasesIsThatOfTheirCycles) {
  for (const bool goes_on : {false, true}) {
    Rows rows("phases");
    std::vector<Signal*> phases;
    for (const char* name : {"late", "early", "never"}) {
      phases.push_back(rows.table.add("phases", name, 4)->answers(kAsked));
      phases.back()->kind = Signal::Kind::kPhase;
    }
    rows.begin();
    for (std::uint64_t cycle = 100; cycle <= 1000; ++cycle) {
      phases[0]->value = cycle >= 250 && (goes_on || cycle < 300) ? 7 : 0;
      phases[1]->value = cycle >= 230 && cycle < 240 ? 1 : 0;
      rows.files->note(cycle);
    }
    std::vector<std::string> marks;
    std::string first, times;
    for (const std::string& line : rows.lines("asked")) {
      if (line.rfind("[timestart] ", 0) == 0) first = line.substr(12);
      if (line[0] == '*') times = line.substr(line.find(' ') + 1);
      if (line.rfind("[markername] ", 0) == 0) marks.push_back(line.substr(13));
    }
    EXPECT_EQ(first, goes_on ? std::to_string(230 - 770 / 20 - 1) : std::to_string(230 - 4));
    EXPECT_EQ(marks, goes_on ? (std::vector<std::string>{"A1", "B0", "C7"})
                             : (std::vector<std::string>{"A1", "B0", "C7", "D0"}));
    EXPECT_EQ(times.rfind(goes_on ? "230 230 240 250 -1" : "230 230 240 250 300 -1", 0), 0U) << times;
  }
}

/// One that showed on two routers, one that showed nowhere but in its own row, one on a router again.
TEST(QuestionOrder, OfSeveralPacketsIsThatOfTheirRows) {
  Rows rows("packets");
  for (const std::uint32_t sequence : {5, 6, 7}) rows.watched(sequence);
  Signal* const a = rows.table.add_packet("router_a.east", "packet");
  Signal* const b = rows.table.add_packet("router_b.west", "packet");
  rows.begin();
  std::uint64_t cycle = 0;
  for (const auto& [row, sequence] : {std::pair(b, 7U), std::pair(a, 5U), std::pair(b, 5U)}) {
    row->value = packet_number(3, sequence);
    rows.files->note(cycle++);
    row->value = 0;
  }
  EXPECT_EQ(shown(rows.lines("packet")),
            (std::vector<std::string>{"+{network cycle}", "( packet 3.5", "+{watch packet_3_5}", "( router a",
                                      "+{a east packet}", ") router a", "( router b", "+{b west packet}", ") router b",
                                      ") packet 3.5", "( packet 3.6", "+{watch packet_3_6}", ") packet 3.6",
                                      "( packet 3.7", "+{watch packet_3_7}", "( router b", "+{b west packet}",
                                      ") router b", ") packet 3.7"}));
}

/// All that any row of packets has shown, whoever waits there, each once, and none where there is no packet.
TEST(QuestionOrder, OfNamesIsThatOfPacketsNumbers) {
  Rows rows("named");
  rows.watched(5);
  Signal* const packet = rows.table.add_packet("router_a.east", "packet");
  Signal* const holder = rows.table.add_packet("router_a.east", "held_by");
  rows.begin();
  std::uint64_t cycle = 0;
  const auto note = [&](std::uint64_t in_row, std::uint64_t in_holder) {
    packet->value = in_row;
    holder->value = in_holder;
    rows.files->note(cycle++);
  };
  note(packet_number(4, 1), 0);
  note(packet_number(3, 5), packet_number(0, 9));
  note(0, 0);
  note(packet_number(3, 5), 0);
  rows.files->write(*rows.cycle);
  EXPECT_EQ(content(rows.stem + ".packets.txt"),
            "0000000000000 -\n0000100000009 0.9\n0000400000005 3.5\n0000500000001 4.1\n");
}

/// Rows that change twice and come back are rows that change; one that has the same value from the begin on is none.
TEST(QuestionOrder, OfRowsHasThoseThatCameBack) {
  Rows rows("back");
  Signal* const back = rows.table.add("s", "back", 4)->answers(kAsked);
  Signal* const still = rows.table.add("s", "still", 4)->answers(kAsked);
  rows.begin();
  still->value = 2;
  for (const std::uint64_t value : {3, 4, 4, 3, 3}) {
    back->value = value;
    rows.files->note(value);
  }
  EXPECT_EQ(shown(rows.lines("asked")), (std::vector<std::string>{"+{network cycle}", "( s", "+{s back}", ") s"}));
}

/// Stalls have no phases and no markers: their file opens on all cycles that there are.
TEST(QuestionOrder, OfStallsOpensOnAllCycles) {
  static const models::SignalValues reasons{"reasons", {"-", "moves", "waits"}, 2};
  Rows rows("stalls");
  rows.table.add_stall("router_a.north.vc0", reasons);
  rows.begin();
  for (const std::uint64_t cycle : {100, 101, 350}) rows.files->note(cycle);
  std::string first, times;
  for (const std::string& line : rows.lines("stalls")) {
    if (line.rfind("[timestart] ", 0) == 0) first = line.substr(12);
    if (line[0] == '*') times = line;
  }
  EXPECT_EQ(first, "100");
  std::string expected = "*-5.658356 100";  // log2(250 * 200 / 990)
  for (int i = 0; i < 26; ++i) expected += " -1";
  EXPECT_EQ(times, expected);
}

/// Where no cycle was in the waveform there is none to open on.
TEST(QuestionOrder, OfNoCycleOpensAtTheBegin) {
  Rows rows("none");
  rows.table.add("s", "x", 4)->answers(kAsked);
  rows.begin();
  const std::vector<std::string> lines = rows.lines("asked");
  ASSERT_GT(lines.size(), 5U);
  EXPECT_EQ(lines[2], "[timestart] 0");
  for (const std::string& line : lines) EXPECT_NE(line[0], '*') << line;
}

}  // namespace
}  // namespace braid::test::question_order_test
