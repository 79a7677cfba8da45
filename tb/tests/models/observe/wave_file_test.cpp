// Waveform files by themselves, of signals without a network: the text of a VCD, and the save files that open GTKWave
// on it.
#include "models/observe/wave_file.h"

#include <fstapi.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <set>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

#include "models/observe/save_file.h"
#include "models/observe/signals.h"
#include "routing/base/break_off.h"
#include "routing/base/input_error.h"
#include "tb/tests/support/bench.h"
#include "tb/tests/support/complaint.h"
#include "tb/tests/support/program.h"

namespace braid::test::wave_file_test {
namespace {

using namespace models;

std::string vcd_head(const char* unit) {
  return std::string("$version\n Braid ") + BRAID_VERSION + "\n$end\n$timescale\n 1 " + unit +
         "\n$end\n$scope module SystemC $end\n";
}

/// Values as they were declared stand at time 0, later ones where they change, and the end is that of the last cycle.
TEST(VcdFile, HasTheValuesWhereTheyChange) {
  for (const auto& [period_ps, unit, a_cycle] : {std::tuple(2000, "ns", 2), std::tuple(500, "ps", 500)}) {
    const std::string name = temporary_file("small.vcd");
    SignalTable table;
    Signal* const one = table.add("r.p", "one", 1);
    Signal* const three = table.add("r.q", "three", 3);
    three->value = 2;
    const auto file = open_wave_file(name, static_cast<std::uint64_t>(period_ps));
    file->declare(table.signals());
    one->value = 1;
    file->write(5);
    file->write(6);
    three->value = 7;
    file->write(7);
    file->check();
    file->finish();
    const auto at = [step = a_cycle](int cycle) { return "#" + std::to_string(cycle * step) + "\n"; };
    EXPECT_EQ(content(name), vcd_head(unit) +
                                 "$scope module r $end\n$scope module p $end\n$var wire 1 ! one $end\n$upscope $end\n"
                                 "$scope module q $end\n$var wire 3 \" three [2:0] $end\n$upscope $end\n$upscope $end\n"
                                 "$upscope $end\n$enddefinitions $end\n$dumpvars\n0!\nb10 \"\n$end\n" +
                                 at(5) + "1!\n" + at(7) + "b111 \"\n" + at(8));
  }
}

/// Without a cycle that was written, those that the signals were declared with, and no end.
TEST(VcdFile, OfNoCycleHasTheValuesOfTheDeclaration) {
  const std::string name = temporary_file("none.vcd");
  SignalTable table;
  Signal* const three = table.add("r.q", "three", 3);
  three->value = 2;
  const auto file = open_wave_file(name, 1000);
  file->declare(table.signals());
  three->value = 5;
  file->finish();
  const std::string text = content(name), end = "$dumpvars\nb10 !\n$end\n";
  ASSERT_GT(text.size(), end.size());
  EXPECT_EQ(text.substr(text.size() - end.size()), end);
}

/// From cycle 0 on there is no change before it.
TEST(VcdFile, BeginsWithTheValuesOfCycle0) {
  const std::string name = temporary_file("zero.vcd");
  SignalTable table;
  Signal* const one = table.add("r", "one", 1);
  const auto file = open_wave_file(name, 1000);
  file->declare(table.signals());
  one->value = 1;
  file->write(0);
  one->value = 0;
  file->write(1);
  file->finish();
  EXPECT_EQ(content(name), vcd_head("ns") +
                               "$scope module r $end\n$var wire 1 ! one $end\n$upscope $end\n$upscope $end\n"
                               "$enddefinitions $end\n$dumpvars\n1!\n$end\n#1\n0!\n#2\n");
}

/// 94 printable characters: so many signals have a code of one, 94 times as many of two, and no code comes twice.
TEST(VcdFile, GivesEachSignalACodeOfItsOwn) {
  constexpr std::size_t kOne = 94, kTwo = 94 * 94, kSignals = kOne + kTwo + 3;
  const std::string name = temporary_file("codes.vcd");
  SignalTable table;
  for (std::size_t i = 0; i < kSignals; ++i) table.add("r", "s", 1);
  const auto file = open_wave_file(name, 1000);
  file->declare(table.signals());
  file->finish();
  std::istringstream in(content(name));
  std::set<std::string> codes;
  std::size_t lengths[4] = {};
  for (std::string line, word, type, bits, code; std::getline(in, line);) {
    std::istringstream words(line);
    if (!(words >> word >> type >> bits >> code) || word != "$var") continue;
    EXPECT_TRUE(codes.insert(code).second) << code;
    ASSERT_LT(code.size(), 4U);
    ++lengths[code.size()];
    for (const char c : code) EXPECT_TRUE('!' <= c && c <= '~') << code;
  }
  EXPECT_EQ(codes.size(), kSignals);
  EXPECT_EQ(lengths[1], kOne);
  EXPECT_EQ(lengths[2], kTwo);
  EXPECT_EQ(lengths[3], 3U);
}

/// The same in GTKWave's own format, whose time is ten to so many seconds.
TEST(FstFile, HasTheUnitAndTheCyclesOfItsWaveform) {
  for (const auto& [period_ps, exponent, a_cycle] : {std::tuple(2000, -9, 2U), std::tuple(500, -12, 500U)}) {
    const std::string name = temporary_file("small.fst");
    SignalTable table;
    Signal* const one = table.add("r.p", "one", 1);
    table.add("r", "three", 3);
    const auto file = open_wave_file(name, static_cast<std::uint64_t>(period_ps));
    file->declare(table.signals());
    for (const std::uint64_t cycle : {5, 6, 9}) {
      one->value = cycle % 2;
      file->write(cycle);
    }
    file->check();
    file->finish();
    void* const reader = fstReaderOpen(name.c_str());
    ASSERT_NE(reader, nullptr);
    EXPECT_EQ(fstReaderGetTimescale(reader), exponent);
    EXPECT_EQ(fstReaderGetStartTime(reader), 5 * a_cycle);
    EXPECT_EQ(fstReaderGetEndTime(reader), 9 * a_cycle);
    EXPECT_EQ(fstReaderGetVarCount(reader), 2U);
    EXPECT_EQ(fstReaderGetScopeCount(reader), 2U);
    fstReaderClose(reader);
  }
}

TEST(WaveFile, IsRefusedByItsNameAndWhereItCannotGo) {
  const auto refusal = [](const std::string& file) -> std::string { return complaint([&] { check_wave_file(file); }); };
  for (const char* name : {".vcd", ".fst", "vcd", "t.vcd.gz", "t.VCD"}) {
    EXPECT_EQ(refusal(name), std::string(name) + ": a waveform is a .vcd or an .fst file");
  }
  const std::filesystem::path place = temporary_file("waves");
  std::filesystem::remove_all(place);
  std::filesystem::create_directories(place);
  for (const char* ending : {".vcd", ".fst"}) {
    std::filesystem::create_symlink("/dev/null", place / (std::string("null") + ending));
    EXPECT_EQ(refusal(place / (std::string("t") + ending)), "");
  }
  EXPECT_EQ(refusal(place / "null.vcd"), "");
  EXPECT_EQ(refusal(place / "null.fst"),
            (place / "null.fst").string() + ": an .fst file cannot go to a device or a pipe: expected a regular file");
}

std::vector<std::string> lines_of(const std::string& file) {
  std::istringstream in(content(file));
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

/// As GTKWave reads it: flags of its traces in hexadecimal, a decimal number 24, a hexadecimal one 22, with names 2022,
/// groups 800200 to 1000200, folded c00200 to 1401200; a window of 990 pixels, in steps of 200.
TEST(SaveFile, HasItsRowsItsTimesAndItsGroups) {
  const std::string wave = std::filesystem::absolute(temporary_file("opened.vcd")).lexically_normal().string();
  const std::string stem = wave.substr(0, wave.size() - 4);
  const SignalValues states{"states", {"idle", "busy"}};
  SignalTable table;
  const Signal* const stop = table.add("router_1_0.east", "stop", 1);
  const Signal* const state = table.add_named("node_3", "state", 5, states);
  ValueNames names(wave);
  SaveFile save(wave, names, "why");
  EXPECT_EQ(save.name(), stem + ".why.gtkw");
  save.open_on(100, 1100);
  save.mark(150, "a b");
  save.mark(1000, "end");
  save.begin_group("first");
  save.show(*stop);
  save.show_hex(*state);
  save.begin_group("second", false);
  save.show(*state);
  save.comment("hello");
  save.close();
  std::string times = "*-7.658356 150 150 1000";  // log2(1000 * 200 / 990)
  for (int i = 0; i < 24; ++i) times += " -1";
  const std::string row = "+{node_3 state} SystemC.node_3.state[4:0]";
  EXPECT_EQ(lines_of(stem + ".why.gtkw"), (std::vector<std::string>{"[dumpfile] \"" + wave + "\"",
                                                                    "[savefile] \"" + stem + ".why.gtkw\"",
                                                                    "[timestart] 100",
                                                                    "[size] 1400 800",
                                                                    "[pos] 0 0",
                                                                    times,
                                                                    "[markername] Aa b",
                                                                    "[markername] Bend",
                                                                    "[sst_expanded] 0",
                                                                    "[signals_width] 330",
                                                                    "@800200",
                                                                    "-first",
                                                                    "@24",
                                                                    "+{1_0 east stop} SystemC.router_1_0.east.stop",
                                                                    "@22",
                                                                    row,
                                                                    "@c00200",
                                                                    "-second",
                                                                    "@2022",
                                                                    "^1 " + stem + ".states.txt",
                                                                    row,
                                                                    "@200",
                                                                    "-hello",
                                                                    "@1401200",
                                                                    "-second",
                                                                    "@1000200",
                                                                    "-first"}));
  EXPECT_EQ(content(stem + ".states.txt"), "00 idle\n01 busy\n") << "hexadecimal, with all digits of five bits";
}

/// A letter each; without a range of times there are none, and an FST has no scope of SystemC's.
TEST(SaveFile, HasTwentySixMarkersAtMost) {
  const std::string wave = std::filesystem::absolute(temporary_file("marks.fst")).lexically_normal().string();
  const std::string stem = wave.substr(0, wave.size() - 4);
  SignalTable table;
  const Signal* const stop = table.add("r", "stop", 1);
  ValueNames names(wave);
  SaveFile many(wave, names, "many"), none(wave, names);
  many.open_on(0, 99);
  for (std::uint64_t i = 0; i < 27; ++i) many.mark(3 * i, "m" + std::to_string(i));
  many.close();
  const std::vector<std::string> lines = lines_of(stem + ".many.gtkw");
  ASSERT_EQ(lines.size(), 6U + 26U + 2U);
  EXPECT_EQ(lines[6], "[markername] Am0");
  EXPECT_EQ(lines[31], "[markername] Zm25");
  EXPECT_EQ(lines[5].substr(lines[5].size() - 9), " 69 72 75");
  none.show(*stop);
  none.close();
  EXPECT_EQ(lines_of(stem + ".gtkw"),
            (std::vector<std::string>{"[dumpfile] \"" + wave + "\"", "[savefile] \"" + stem + ".gtkw\"",
                                      "[timestart] 0", "[size] 1400 800", "[pos] 0 0", "[sst_expanded] 0",
                                      "[signals_width] 330", "@24", "+{r stop} r.stop"}));
}

/// Of one name in two widths the second file says how many digits it has; each file is written once. What stalls has a
/// colour, from the first reason on, six of them in turn.
TEST(ValueNames, AreWrittenOnceForEachWidth) {
  const std::string wave = std::filesystem::absolute(temporary_file("names.vcd")).lexically_normal().string();
  const std::string stem = wave.substr(0, wave.size() - 4);
  const SignalValues reasons{"reasons", {"-", "moves", "a", "b", "c", "d", "e", "f", "g"}, 2};
  SignalTable table;
  const Signal* const four = table.add_named("s", "four", 4, reasons);
  const Signal* const three = table.add_named("s", "three", 3, reasons);
  const Signal* const five = table.add_named("s", "five", 5, reasons);
  const Signal* const plain = table.add("s", "plain", 5);
  const Signal* const packet = table.add_packet("s", "packet");
  const SignalValues stalls{"stalls", reasons.values, 2};
  const Signal* const stall = table.add_stall("s", stalls);
  ValueNames names(wave);
  names.claim(table.signals());
  names.add_packet(packet_number(4, 1));
  names.add_packet(packet_number(0, 2));
  EXPECT_EQ(names.file_of(*plain), "");
  EXPECT_EQ(names.file_of(*four), stem + ".reasons.txt");
  EXPECT_EQ(names.file_of(*three), stem + ".reasons.txt") << "of as many digits";
  EXPECT_EQ(names.file_of(*five), stem + ".reasons.2.txt");
  EXPECT_EQ(names.file_of(*five), stem + ".reasons.2.txt");
  EXPECT_EQ(names.file_of(*packet), stem + ".packets.txt");
  EXPECT_EQ(names.file_of(*stall), stem + ".stalls.txt");
  EXPECT_EQ(content(stem + ".reasons.txt"), "0 -\n1 moves\n2 a\n3 b\n4 c\n5 d\n6 e\n7 f\n8 g\n");
  EXPECT_EQ(lines_of(stem + ".reasons.2.txt")[8], "08 g");
  EXPECT_EQ(content(stem + ".packets.txt"), "0000000000000 -\n0000100000002 0.2\n0000500000001 4.1\n");
  EXPECT_EQ(content(stem + ".stalls.txt"),
            "0 -\n1 moves\n2 ?red?a\n3 ?orange?b\n4 ?purple?c\n5 ?brown?d\n6 ?blue?e\n7 ?dim gray?f\n8 ?red?g\n");
}

/// Millions of signals are looked at several times: at each of them whoever waits can break off.
TEST(WaveFile, LooksWhetherItIsBrokenOffAtEachSignal) {
  const std::string name = temporary_file("broken.vcd");
  SignalTable table;
  for (int i = 0; i < 5; ++i) table.add("s", "x", 1);
  std::size_t looks = 0;
  const routing::BreakOff counts([&](const char*, std::size_t, std::size_t) { ++looks; });
  open_wave_file(name, 1000)->declare(table.signals());
  EXPECT_EQ(looks, 5U);
  ValueNames(name).claim(table.signals());
  EXPECT_EQ(looks, 5U + 5U);
}

}  // namespace
}  // namespace braid::test::wave_file_test
