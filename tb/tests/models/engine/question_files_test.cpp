// The save files of the questions, of rows that are set by hand: which groups are folded, on which cycles they open,
// when markers are too many, and which watched packet nobody has seen (docs/waveforms.md).
#include "models/engine/question_files.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "models/engine/waveform.h"
#include "routing/base/break_off.h"
#include "routing/base/input_error.h"
#include "tb/tests/support/bench.h"
#include "tb/tests/support/program.h"

namespace braid::test::question_files_test {
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
  Signal* row(const std::string& scope, const std::string& name) { return table.add(scope, name, 4)->answers(kAsked); }
  Signal* phase(const std::string& name) {
    Signal* signal = row("phases", name);
    signal->kind = Signal::Kind::kPhase;
    return signal;
  }
  /// After the last row.
  void begin(std::uint64_t period_ps = 1000) {
    files = std::make_unique<QuestionFiles>(stem + ".vcd", period_ps, table);
  }
  void note(std::uint64_t at) const { files->note(at); }
  std::vector<std::string> lines(const std::string& question = "asked") const {
    files->write(*cycle);
    std::istringstream in(content(stem + "." + question + ".gtkw"));
    std::vector<std::string> all;
    for (std::string line; std::getline(in, line);) all.push_back(line);
    return all;
  }
};

std::size_t count(const std::vector<std::string>& lines, const std::string& begin) {
  return static_cast<std::size_t>(
      std::count_if(lines.begin(), lines.end(), [&](const std::string& line) { return line.rfind(begin, 0) == 0; }));
}
std::string first_with(const std::vector<std::string>& lines, const std::string& begin) {
  const auto found =
      std::find_if(lines.begin(), lines.end(), [&](const auto& line) { return line.rfind(begin, 0) == 0; });
  return found == lines.end() ? "" : *found;
}

/// GTKWave's flags: c00200 begins a group that is folded, 800200 one that is not. 40 rows stand before the first
/// folded one.
TEST(QuestionFiles, FoldGroupsThatBeginBehindFortyRows) {
  for (const std::size_t rows_of_first : {1, 2}) {
    Rows rows("folded");
    std::vector<Signal*> all;
    for (std::size_t i = 0; i < rows_of_first; ++i) all.push_back(rows.row("s0", "x" + std::to_string(i)));
    for (std::size_t group = 1; group < 43; ++group) all.push_back(rows.row("s" + std::to_string(group), "x"));
    rows.begin();
    rows.note(1);
    for (Signal* signal : all) signal->value = 1;
    rows.note(2);
    const std::vector<std::string> lines = rows.lines();
    EXPECT_EQ(count(lines, "@800200"), 41 - rows_of_first);
    EXPECT_EQ(count(lines, "@c00200"), 43 - (41 - rows_of_first));
    EXPECT_EQ(count(lines, "+{"), 1 + 42 + rows_of_first);
  }
}

/// Of three rows that have a question: when they are declared, when their files are claimed, and when it is asked for.
TEST(QuestionFiles, LookWhetherTheyAreBrokenOffAtEachSignal) {
  Rows rows("broken");
  for (int i = 0; i < 3; ++i) rows.row("s", "x" + std::to_string(i));
  std::size_t looks = 0;
  const routing::BreakOff counts([&](const char*, std::size_t, std::size_t) { ++looks; });
  rows.begin();
  EXPECT_EQ(looks, 4U + 4U + 3U) << "the cycle's has no question";
}

/// Rows that never change are left out, unless none does; the first value is no change.
TEST(QuestionFiles, ShowRowsThatChange) {
  for (const bool changes : {true, false}) {
    Rows rows("moving");
    Signal* const still = rows.row("a", "still");
    Signal* const moving = rows.row("a", "moving");
    still->value = 3;
    moving->value = 3;
    rows.begin();
    rows.note(1);
    if (changes) moving->value = 4;
    rows.note(2);
    const std::vector<std::string> lines = rows.lines();
    EXPECT_EQ(count(lines, "+{a still"), changes ? 0U : 1U);
    EXPECT_EQ(count(lines, "+{a moving"), 1U);
    EXPECT_EQ(count(lines, "+{network cycle"), 1U);
  }
}

/// Cycles 100 to 1000. A phase from 200 to 240 is 40 long: a twentieth of it and one more on both sides. One that goes
/// on lasts to the end; one that begins at once has nothing before it.
TEST(QuestionFiles, OpenOnTheCyclesOfTheirPhases) {
  struct Case {
    std::uint64_t begins, ends;
    std::uint64_t first, last;
  };
  for (const Case& c : {Case{200, 240, 197, 243}, Case{200, 2000, 159, 1000}, Case{101, 141, 100, 144},
                        Case{960, 999, 958, 1000}, Case{5000, 5001, 100, 1000}}) {
    for (const std::uint64_t period_ps : {1000, 500}) {
      Rows rows("phases");
      Signal* const phase = rows.phase("one");
      rows.begin(period_ps);
      for (std::uint64_t cycle = 100; cycle <= 1000; ++cycle) {
        phase->value = c.begins <= cycle && cycle < c.ends ? 2 : 0;
        rows.note(cycle);
      }
      const std::uint64_t unit = period_ps == 500 ? 500 : 1;  // in picoseconds where a cycle is no whole nanosecond
      const std::vector<std::string> lines = rows.lines();
      EXPECT_EQ(first_with(lines, "[timestart]"), "[timestart] " + std::to_string(c.first * unit)) << c.begins;
      models::ValueNames names(rows.stem + "2.vcd");
      models::SaveFile expected(rows.stem + "2.vcd", names);  // the same window, and the markers of its changes
      expected.open_on(c.first * unit, c.last * unit);
      if (c.begins < 1000) expected.mark(c.begins * unit, "2");
      if (c.ends < 1000) expected.mark(c.ends * unit, "0");
      expected.close();
      std::istringstream in(content(rows.stem + "2.gtkw"));
      std::vector<std::string> opened;
      for (std::string line; std::getline(in, line);) opened.push_back(line);
      EXPECT_EQ(first_with(lines, "*"), first_with(opened, "*")) << c.begins << " " << period_ps;
      EXPECT_EQ(count(lines, "[markername]"), count(opened, "[markername]"));
    }
  }
}

/// 26 changes have a marker each, with the name of the new value; of more the first and the last one have.
TEST(QuestionFiles, MarkTheEndsWhereThereAreTooManyChanges) {
  static const models::SignalValues names{"phase_names", {"rests", "works"}};
  for (const std::uint64_t changes : {26, 27}) {
    Rows rows("marked");
    Signal* const phase = rows.phase("one");
    phase->values = &names;
    rows.begin();
    for (std::uint64_t cycle = 0; cycle <= changes; ++cycle) {
      phase->value = cycle % 2;
      rows.note(cycle);
    }
    const std::vector<std::string> lines = rows.lines();
    EXPECT_EQ(count(lines, "[markername]"), changes == 26 ? 26U : 2U);
    EXPECT_EQ(first_with(lines, "[markername] A"),
              changes == 26 ? "[markername] Aworks" : "[markername] Aasked begins");
    EXPECT_EQ(first_with(lines, "[markername] B"), changes == 26 ? "[markername] Brests" : "[markername] Basked ends");
  }
}

/// A watched packet is seen where its own row changes or a row of packets shows it, but not where another waits for it.
TEST(QuestionFiles, KnowTheWatchedPacketThatNobodySaw) {
  Rows rows("unseen");
  std::vector<Signal*> places;
  for (const std::uint32_t sequence : {5, 6}) {
    Signal* const place = rows.table.add_shown("watch", "packet_" + std::to_string(sequence), 32);
    place->answers(models::kWherePacket)->kind = Signal::Kind::kPhase;
    place->follows = packet_number(3, sequence);
    places.push_back(place);
  }
  Signal* const head = rows.table.add_packet("router_1_0.east", "packet");
  Signal* const holder = rows.table.add_packet("router_1_0.east", "held_by");
  rows.begin();
  rows.note(10);
  EXPECT_EQ(rows.files->unseen_packet(), packet_number(3, 5));
  holder->value = packet_number(3, 5);
  rows.note(11);
  EXPECT_EQ(rows.files->unseen_packet(), packet_number(3, 5));
  head->value = packet_number(3, 7);
  rows.note(12);
  EXPECT_EQ(rows.files->unseen_packet(), packet_number(3, 5));
  head->value = packet_number(3, 5);
  rows.note(13);
  EXPECT_EQ(rows.files->unseen_packet(), packet_number(3, 6));
  places[1]->value = 4;
  rows.note(14);
  EXPECT_EQ(rows.files->unseen_packet(), 0U);
  const std::vector<std::string> lines = rows.lines("packet");
  EXPECT_EQ(count(lines, "+{1_0 east packet}"), 1U);
  EXPECT_EQ(count(lines, "+{1_0 east held_by}"), 0U);
  EXPECT_EQ(count(lines, "-packet 3.5"), 2U) << "a group begins and ends";
  EXPECT_EQ(count(lines, "-router 1_0"), 2U);
}

/// By the cycles stalled, most first: routers, and in each its ports; only the first router is open.
TEST(QuestionFiles, ListStallsByTheirCycles) {
  static const models::SignalValues reasons{"reasons", {"-", "moves", "waits", "lost"}, 2};
  Rows rows("stalls");
  struct Stall {
    const char* scope;
    std::vector<int> values;
  };
  const std::vector<Stall> stalls{{"router_a.north.vc0", {2, 1, 0, 0}},
                                  {"router_a.north.vc1", {0, 1, 1, 0}},
                                  {"router_b.east.vc0", {2, 0, 0, 1}},
                                  {"router_b.west.vc0", {2, 3, 2, 1}},
                                  {"router_c.east.vc0", {1, 0, 1, 1}}};
  std::vector<Signal*> signals;
  for (const Stall& stall : stalls) signals.push_back(rows.table.add_stall(stall.scope, reasons));
  rows.begin();
  for (std::size_t cycle = 0; cycle < 4; ++cycle) {
    for (std::size_t i = 0; i < stalls.size(); ++i) {
      signals[i]->value = static_cast<std::uint64_t>(stalls[i].values[cycle]);
    }
    rows.note(cycle);
  }
  std::vector<std::string> told;
  std::string flag;
  for (const std::string& line : rows.lines("stalls")) {
    if (line[0] == '@') flag = line.substr(1, 3);
    const bool begins = flag == "800" || flag == "c00";
    if (line[0] == '-' && (begins || flag == "200")) told.push_back((flag == "c00" ? "folded " : "") + line.substr(1));
    if (line.rfind("+{", 0) == 0) told.push_back(line.substr(0, line.find('}') + 1));
  }
  EXPECT_EQ(told, (std::vector<std::string>{"+{network cycle}", "router b: 4 stalled", "west: 3 stalled",
                                            "2 waits, 1 lost", "+{b west vc0 stall}", "east: 1 stalled", "1 waits",
                                            "+{b east vc0 stall}", "folded router a: 1 stalled",
                                            "folded north: 1 stalled", "1 waits", "+{a north vc0 stall}"}));
}

TEST(QuestionFiles, SayThatNothingStalled) {
  static const models::SignalValues reasons{"reasons", {"-", "moves", "waits"}, 2};
  Rows rows("calm");
  rows.table.add_stall("router_a.north.vc0", reasons)->value = 1;
  rows.begin();
  rows.note(0);
  const std::vector<std::string> lines = rows.lines("stalls");
  EXPECT_EQ(count(lines, "-no packet was held up in these cycles"), 1U);
  EXPECT_EQ(count(lines, "+{"), 1U);
}

/// Cycles 5 to 9 of a packet that is never made: that is no complaint before the last of them.
TEST(Waveform, ComplainsOfAPacketThatItNeverSawOnceItsCyclesAreOver) {
  models::Experiment e = uniform_mesh(0.0, 2, 1);
  e.set("watch.what", "packet=0.0");
  for (const bool is_made : {false, true}) {
    Bench bench(e);
    models::WaveformOptions options;
    options.file = temporary_file("window.vcd");
    options.from_cycle = 5;
    options.to_cycle = 9;
    models::Waveform wave(*bench.network, options);
    EXPECT_NO_THROW(wave.check());
    std::string complaint;
    for (std::uint64_t cycle = 0; cycle < 12; ++cycle) {
      if (cycle == 4 && is_made) bench.network->send_packet(NodeId{0}, NodeId{1}, 4);
      bench.run(1);
      wave.sample(cycle);
      try {
        wave.check();
      } catch (const InputError& error) {
        if (complaint.empty()) complaint = std::to_string(cycle) + ": " + error.what();
      }
    }
    EXPECT_EQ(complaint, is_made ? ""
                                 : "9: watch.what: packet=0.0 is not under way in the waveform's cycles, 5 to 9 "
                                   "(trace.from_cycle, trace.to_cycle)");
  }
}

}  // namespace
}  // namespace braid::test::question_files_test
