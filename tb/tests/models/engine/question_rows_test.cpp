// Which rows stand in the save files of the questions, in which groups and beside which others; and which files are
// claimed for them. (On which cycles they open, and what is folded: question_files_test.cpp.) Then the save file of a
// run that the watchdog ended, which opens on what waits.
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "models/engine/question_files.h"
#include "models/engine/waveform.h"
#include "routing/base/run_files.h"
#include "tb/tests/support/bench.h"
#include "tb/tests/support/complaint.h"
#include "tb/tests/support/program.h"

namespace braid::test::question_rows_test {
namespace {

using models::packet_number;
using models::Question;
using models::QuestionFiles;
using models::Signal;
using models::SignalTable;

const Question kAsked{"asked", "what is asked here"}, kOther{"other", "what is asked, too"};
const models::SignalValues kReasons{"reasons", {"-", "moves", "waits"}, 2};

/// What a save file shows, in order: "+{ROW}", "( TITLE" and ")" of groups, "folded ( TITLE", "# COMMENT".
std::vector<std::string> shown(const std::string& file) {
  std::vector<std::string> all;
  std::istringstream in(content(file));
  std::string flag;
  for (std::string line; std::getline(in, line);) {
    if (line[0] == '@') flag = line.substr(1);
    if (line.rfind("+{", 0) == 0) all.push_back(line.substr(0, line.find('}') + 1));
    if (line[0] != '-') continue;
    const std::string title = line.substr(1);
    if (flag == "800200") all.push_back("( " + title);
    if (flag == "c00200") all.push_back("folded ( " + title);
    if (flag == "200") all.push_back("# " + title);
    if (flag[0] == '1') all.emplace_back(")");
  }
  return all;
}
using Lines = std::vector<std::string>;

struct Asked {
  std::string stem;
  SignalTable table;
  Signal* cycle;
  std::unique_ptr<QuestionFiles> files;

  explicit Asked(const std::string& name)
      : stem(temporary_file(name)), cycle(table.add_shown("network", "cycle", 32)) {}
  Signal* row(const std::string& scope, const std::string& name = "x") {
    return table.add(scope, name, 4)->answers(kAsked);
  }
  /// After the last row.
  void begin() { files = std::make_unique<QuestionFiles>(stem + ".vcd", 1000, table); }
  Lines lines(const std::string& question) const {
    files->write(*cycle);
    return shown(stem + "." + question + ".gtkw");
  }
};

/// A group for each router in the order in which the packet came there, one more where it comes back; beside a row that
/// asks why it stalls the stalls of the same scope, beside one of another question what else answers that, beside one
/// of none nothing. A row that shows it again is not there twice, and what other packets did is not there at all.
TEST(QuestionRows, OfAPacketAreThoseOnWhichItShowed) {
  Asked rows("seen");
  Signal* const place = rows.table.add_shown("watch", "packet_3_5", 32);
  place->answers(models::kWherePacket)->kind = Signal::Kind::kPhase;
  place->follows = packet_number(3, 5);
  Signal* const one_west = rows.table.add_packet("router_1_0.west", "packet")->answers(models::kWhyStalled);
  rows.table.add_stall("router_1_0.west", kReasons);
  rows.table.add("router_1_0.west", "credits", 4)->answers(models::kWhyStalled);
  rows.table.add_stall("router_1_0.east", kReasons);
  Signal* const two_west = rows.table.add_packet("router_2_0.west", "packet")->answers(kAsked);
  rows.row("router_2_0.west", "asks");
  rows.row("router_2_0.east", "asks");
  Signal* const two_east = rows.table.add_packet("router_2_0.east", "packet");
  Signal* const one_local = rows.table.add_packet("router_1_0.local0", "packet");
  rows.begin();
  std::uint64_t cycle = 9;
  const auto shows = [&](Signal* row, std::uint32_t sequence) {
    row->value = packet_number(3, sequence);
    rows.files->note(cycle++);
    row->value = 0;
  };
  shows(two_east, 6);
  for (Signal* row : {one_west, two_west, two_east, one_local, one_west}) shows(row, 5);
  EXPECT_EQ(rows.files->unseen_packet(), 0U);
  EXPECT_EQ(rows.lines("packet"),
            (Lines{"+{network cycle}", "( packet 3.5", "+{watch packet_3_5}", "( router 1_0", "+{1_0 west packet}",
                   "+{1_0 west stall}", ")", "( router 2_0", "+{2_0 west packet}", "+{2_0 west asks}",
                   "+{2_0 east packet}", ")", "( router 1_0", "+{1_0 local0 packet}", ")", ")"}));
}

/// Routers that stalled for as long as each other, and ports, keep their order; under a row of stalls stands what else
/// of its scope answers the question.
TEST(QuestionRows, OfStallsKeepTheirOrderWhereTheyAreAlike) {
  Asked rows("alike");
  const std::vector<std::string> stalls{"router_a.north.vc0", "router_b.east.vc0", "router_b.east.vc1",
                                        "router_c.north.vc0", "router_c.south.vc0"};
  std::vector<Signal*> signals;
  for (const std::string& scope : stalls) signals.push_back(rows.table.add_stall(scope, kReasons));
  rows.table.add("router_a.north.vc0", "credits", 4)->answers(models::kWhyStalled);
  rows.table.add("router_a.north.vc1", "credits", 4)->answers(models::kWhyStalled);
  rows.row("router_a.north.vc0", "asks");
  rows.begin();
  for (Signal* signal : signals) signal->value = 2;
  rows.files->note(0);
  EXPECT_EQ(rows.lines("stalls"), (Lines{"+{network cycle}",
                                         "( router b: 2 stalled",
                                         "( east: 2 stalled",
                                         "# 1 waits",
                                         "+{b east vc0 stall}",
                                         "# 1 waits",
                                         "+{b east vc1 stall}",
                                         ")",
                                         ")",
                                         "folded ( router c: 2 stalled",
                                         "folded ( north: 1 stalled",
                                         "# 1 waits",
                                         "+{c north vc0 stall}",
                                         ")",
                                         "folded ( south: 1 stalled",
                                         "# 1 waits",
                                         "+{c south vc0 stall}",
                                         ")",
                                         ")",
                                         "folded ( router a: 1 stalled",
                                         "folded ( north: 1 stalled",
                                         "# 1 waits",
                                         "+{a north vc0 stall}",
                                         "+{a north vc0 credits}",
                                         ")",
                                         ")"}));
}

/// Groups as deep as scopes, each ended before the next one of its depth begins.
TEST(QuestionRows, AreInGroupsAsDeepAsTheirScopes) {
  Asked rows("nested");
  for (const char* scope : {"router_a.east.vc0", "router_a.east", "router_a.west", "top", "router_a.west"}) {
    rows.row(scope);
  }
  rows.begin();
  rows.files->note(5);
  EXPECT_EQ(rows.lines("asked"), (Lines{"+{network cycle}",
                                        "( router a",
                                        "( east",
                                        "( vc0",
                                        "+{a east vc0 x}",
                                        ")",
                                        "+{a east x}",
                                        ")",
                                        "( west",
                                        "+{a west x}",
                                        ")",
                                        ")",
                                        "( top",
                                        "+{top x}",
                                        ")",
                                        "( router a",
                                        "( west",
                                        "+{a west x}",
                                        ")",
                                        ")"}));
}

/// A row may help with two questions, and is then in both of their files.
TEST(QuestionRows, AreInTheFileOfEachQuestionThatTheyHelpWith) {
  Asked rows("both");
  rows.row("s", "first");
  rows.row("s", "both")->answers(kOther);
  rows.table.add("s", "second", 4)->answers(kOther);
  rows.table.add("s", "neither", 4);
  rows.begin();
  rows.files->note(1);
  EXPECT_EQ(rows.lines("asked"), (Lines{"+{network cycle}", "( s", "+{s first}", "+{s both}", ")"}));
  EXPECT_EQ(rows.lines("other"), (Lines{"+{network cycle}", "( s", "+{s both}", "+{s second}", ")"}));
}

/// Of rows one of which changes those that do, and phases whether or not anything came of them.
TEST(QuestionRows, OfPhasesAreThereWhetherOrNotTheyBegan) {
  Asked rows("phase");
  rows.row("s", "phase")->kind = Signal::Kind::kPhase;
  rows.row("s", "still");
  Signal* const moving = rows.row("s", "moving");
  rows.begin();
  rows.files->note(1);
  moving->value = 1;
  rows.files->note(2);
  EXPECT_EQ(rows.lines("asked"), (Lines{"+{network cycle}", "( s", "+{s phase}", "+{s moving}", ")"}));
}

/// A save file for the first look, one a question, and the names of values: none may be a file that the run reads.
TEST(QuestionRows, ClaimTheFilesThatTheyMayNeed) {
  RunFiles mine;
  const RunFiles::Scope scope(mine);
  Asked rows("claimed");
  rows.row("s")->values = &kReasons;
  rows.begin();
  for (const char* ending : {".gtkw", ".asked.gtkw", ".reasons.txt"}) {
    const std::string refused = complaint([&] { RunFiles::read(rows.stem + ending); });
    EXPECT_NE(refused.find("trace.file"), std::string::npos) << ending << refused;
  }
  for (const char* ending : {".other.gtkw", ".stalls.gtkw", ".txt"}) {
    EXPECT_EQ(complaint([&] { RunFiles::read(rows.stem + ending); }), "") << ending;
  }
}

// ---------------------------------------------------------------- after a deadlock

/// The rows but the first, which is the cycle, of two routers' waveform that ends with these lines of the watchdog's.
Lines rows_of(const Lines& waiting, bool subnets = false) {
  models::Experiment e = uniform_mesh(0.0, 2, 1);
  if (subnets) {
    e.open("network");
    e.set("network.subnets", 2).set("traffic.subnets", std::vector<std::uint32_t>{0, 1});
  }
  Bench bench(e);
  models::WaveformOptions options;
  const std::string stem = temporary_file("waiting");
  options.file = stem + ".vcd";
  models::Waveform wave(*bench.network, options);
  bench.run(1);
  wave.sample(0);
  wave.close(waiting);
  Lines rows = shown(stem + ".gtkw");
  EXPECT_EQ(rows.at(0), "+{network cycle}");
  rows.erase(rows.begin());
  return rows;
}

std::size_t within(const Lines& rows, const std::string& label) {
  std::size_t count = 0;
  for (const std::string& row : rows) count += row.find(label) != std::string::npos ? 1 : 0;
  return count;
}

/// 46 rows a port (waveform_test.cpp) of the port that is named, and of all ports of a router that is named alone; a
/// line that names neither adds nothing. A router in several subnets is named in all.
TEST(WaveformOfADeadlock, OpensOnWhatWaits) {
  const Lines port = rows_of({"router 1,0 port west vc 0: packet 3 needs a credit"});
  EXPECT_EQ(port.size(), 46U);
  EXPECT_EQ(within(port, "+{1_0 west "), 46U);
  EXPECT_EQ(rows_of({"router 1,0 port west: full"}), port) << "the port's name ends with the colon";
  const Lines two =
      rows_of({"router 1,0 port west vc 0: a", "cycle of 8", "router 0,0 waits", "router 7,7 port up: b"});
  EXPECT_EQ(two.size(), 3U * 46U);
  EXPECT_EQ(within(two, "+{0_0 east "), 46U);
  EXPECT_EQ(within(two, "+{0_0 local0 "), 46U);
  EXPECT_EQ(within(two, "+{1_0 west "), 46U);
  const Lines subnets = rows_of({"router 0,0 port east vc 1: c"}, true);
  EXPECT_EQ(subnets.size(), 2U * 46U);
  EXPECT_EQ(within(subnets, "router_0_0 east "), 2U * 46U);
}

/// Where none of the lines names a router it opens on what a first look is for.
TEST(WaveformOfADeadlock, OpensOnAFirstLookWhereNoRouterIsNamed) {
  const Lines usual = rows_of({});
  EXPECT_GT(within(usual, " link_valid}"), 0U);
  EXPECT_EQ(within(usual, " link_flit}"), 0U);
  EXPECT_EQ(rows_of({"no cycle among channels; these wait:"}), usual);
}

}  // namespace
}  // namespace braid::test::question_rows_test
