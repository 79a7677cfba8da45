// Waveforms, cycle by cycle: a packet on the hybrid routers as docs/router.md draws it, the first and the last cycle,
// and what stands at the head of the files. Both formats are read as VCD text.
#include "models/engine/waveform.h"

#include <fstapi.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "models/engine/engine.h"
#include "tb/tests/support/bench.h"

namespace braid::test::waveform_test {
namespace {

std::string text_of(const std::string& file) {
  std::ifstream in(file);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

struct Waveform {
  std::string header;                                                     // up to $enddefinitions
  std::map<std::string, std::map<std::uint64_t, std::uint64_t>> changes;  // [scope.name][time]
  std::map<std::string, unsigned> bits;

  std::uint64_t at(const std::string& signal, std::uint64_t time) const {
    const auto found = changes.find(signal);
    if (found == changes.end()) {
      ADD_FAILURE() << "no signal " << signal;
      return 0;
    }
    const auto later = found->second.upper_bound(time);
    return later == found->second.begin() ? 0 : std::prev(later)->second;
  }
  /// Times of all changes but of the values at the start.
  std::map<std::uint64_t, std::uint64_t> of(const std::string& signal) const {
    auto all = changes.at(signal);
    if (!all.empty() && all.begin()->second == 0) all.erase(all.begin());
    return all;
  }
};

Waveform parse(const std::string& text) {
  Waveform wave;
  std::map<std::string, std::string> name_of;  // by the file's code
  std::string scope;
  std::uint64_t time = 0;
  wave.header = text.substr(0, text.find("$enddefinitions"));
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    std::string word, type, name, code;
    words >> word >> type >> name >> code;
    if (word == "$scope" && name != "SystemC") scope += name + ".";
    if (word == "$upscope" && !scope.empty())
      scope.erase(scope.size() < 2 ? 0 : scope.rfind('.', scope.size() - 2) + 1);
    if (word == "$var") {
      const auto bits = static_cast<unsigned>(std::stoul(name));
      words >> name;
      if (const std::size_t range = name.find('['); range != std::string::npos) name.erase(range);
      name_of[code] = scope + name;
      wave.bits[scope + name] = bits;
      wave.changes[scope + name];
    }
    if (word.empty() || word[0] == '$') continue;
    if (word[0] == '#') time = std::stoull(word.substr(1));
    if ((word[0] == '0' || word[0] == '1') && name_of.count(word.substr(1)) > 0) {
      wave.changes[name_of[word.substr(1)]][time] = static_cast<std::uint64_t>(word[0] - '0');
    }
    if (word[0] == 'b' && word.find('x') == std::string::npos && name_of.count(type) > 0) {
      wave.changes[name_of[type]][time] = std::stoull(word.substr(1), nullptr, 2);
    }
  }
  return wave;
}

Waveform read(const std::string& file) {
  if (file.substr(file.size() - 4) == ".vcd") return parse(text_of(file));
  void* reader = fstReaderOpen(file.c_str());
  if (reader == nullptr) {
    ADD_FAILURE() << file << " is no FST file";
    return {};
  }
  EXPECT_EQ(fstReaderGetTimescale(reader), -9);
  std::FILE* out = std::fopen((file + ".text").c_str(), "w");
  fstReaderProcessHier(reader, out);
  fstReaderSetFacProcessMaskAll(reader);
  fstReaderIterBlocks(reader, nullptr, nullptr, out);
  fstReaderClose(reader);
  std::fclose(out);
  return parse(text_of(file + ".text"));
}

/// Two routers; a packet of two flits from node 0 to node 1 is made in cycle 9; forty cycles run.
struct Traced {
  std::string stem = temporary_file("traced");
  std::string file;
  models::WaveformOptions options;

  explicit Traced(const std::string& ending) : file(stem + ending) {
    options.file = file;
    options.to_cycle = 100;
  }
  Waveform run() const {
    Bench bench(uniform_mesh(0.0, 2, 1));
    const auto engine = models::make_static_engine(*bench.network);
    models::Waveform trace(*bench.network, options);
    engine->on_cycle([&](std::uint64_t cycle) { trace.sample(cycle); });
    engine->run(10);
    bench.network->send_packet(NodeId{0}, NodeId{1}, 2);
    engine->run(30);
    trace.close();
    EXPECT_EQ(bench.delivered(), 1U);
    return read(file);
  }
};

class WaveformOf : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Formats, WaveformOf, testing::Values(".vcd", ".fst"),
                         [](const auto& c) { return std::string(c.param).substr(1); });

/// Cycles from creation on: head on the injection link in 2, BW in 3, VA in 4, SA in 5, ST in 6, on the link in 7; the
/// body follows one behind, from SA on. A register is shown after the edge that ends a cycle: what is on a link or in
/// ST in a cycle stands at the time of the cycle before.
TEST_P(WaveformOf, APacketShowsItAsTheRouterIsDrawn) {
  const Waveform wave = Traced(GetParam()).run();
  constexpr std::uint64_t kMade = 9;
  const struct {
    const char* wire;
    const char* flit;
    std::uint64_t head;  // cycle after creation
  } wires[] = {{"router_0_0.local0.link_valid", "router_0_0.local0.link_flit", 2},
               {"router_0_0.east.st_valid", "router_0_0.east.st_flit", 6},
               {"router_1_0.west.link_valid", "router_1_0.west.link_flit", 7},
               {"router_1_0.local0.st_valid", "router_1_0.local0.st_flit", 11}};
  for (const auto& w : wires) {
    for (std::uint64_t time = 0; time < 40; ++time) {
      const std::uint64_t cycle = time + 1 - kMade;
      EXPECT_EQ(wave.at(w.wire, time), cycle == w.head || cycle == w.head + 1 ? 1U : 0U) << w.wire << " at " << time;
    }
    EXPECT_EQ(wave.at(w.flit, kMade - 1 + w.head), 0U) << w.flit;
    EXPECT_EQ(wave.at(w.flit, kMade + w.head), 1U) << w.flit;
  }
  EXPECT_TRUE(wave.of("router_0_0.east.link_valid").empty()) << "nothing comes back";
  EXPECT_TRUE(wave.of("router_0_0.local0.link_circuit").empty());
  EXPECT_EQ(wave.at("router_1_0.west.link_sequence", 30), 0U);
  EXPECT_EQ(wave.at("router_1_0.west.link_source", 30), 0U);
}

/// The injection VC: BW of the head in cycle 3 (with RC: it waits for a VC), VA in 4, the body's BW in 4, SA of head
/// and body in 5 and 6; the tail leaves it idle.
TEST_P(WaveformOf, APacketShowsItsVcsStateAndFlits) {
  const Waveform wave = Traced(GetParam()).run();
  const std::string vc = "router_0_0.local0.vc0.";
  const std::uint64_t states[] = {0, 0, 0, 2, 3, 3, 0, 0}, counts[] = {0, 0, 0, 1, 2, 1, 0, 0};
  for (std::uint64_t cycle = 0; cycle < 8; ++cycle) {
    EXPECT_EQ(wave.at(vc + "state", 9 + cycle), states[cycle]) << "cycle " << cycle;
    EXPECT_EQ(wave.at(vc + "count", 9 + cycle), counts[cycle]) << "cycle " << cycle;
  }
}

/// Credits of the link from router to router, all VCs together: taken with SA in cycles 5 and 6; the flits leave the
/// buffer downstream with ST in 11 and 12, and two cycles later the credits count.
TEST_P(WaveformOf, APacketShowsItsCredits) {
  const Waveform wave = Traced(GetParam()).run();
  const auto credits = [&](std::uint64_t cycle) {
    std::uint64_t sum = 0;
    for (const char* vc : {"vc0", "vc1", "vc2", "vc3"}) {
      sum += wave.at(std::string("router_0_0.east.") + vc + ".credits", 9 + cycle - 1);  // as it counts in a cycle
    }
    return sum;
  };
  EXPECT_EQ(credits(5), 32U);
  EXPECT_EQ(credits(6), 31U);
  for (std::uint64_t cycle = 7; cycle < 13; ++cycle) EXPECT_EQ(credits(cycle), 30U) << "cycle " << cycle;
  EXPECT_EQ(credits(13), 31U);
  EXPECT_EQ(credits(14), 32U);
}

TEST_P(WaveformOf, AWindowHasItsFirstAndLastCycleAndNoOther) {
  Traced traced(GetParam());
  traced.options.from_cycle = 12;
  traced.options.to_cycle = 17;
  const Waveform wave = traced.run();
  std::map<std::uint64_t, std::uint64_t> expected;
  for (std::uint64_t cycle = 12; cycle <= 17; ++cycle) expected[cycle] = cycle;
  EXPECT_EQ(wave.of("network.cycle"), expected);
  for (const auto& [signal, changes] : wave.changes) {
    EXPECT_FALSE(changes.empty()) << signal << " has no value, not even 0";
    for (const auto& [time, value] : changes) {
      EXPECT_TRUE((time >= 12 && time <= 17) || (time == 0 && value == 0))
          << signal << " = " << value << " at " << time;
    }
  }
  EXPECT_EQ(wave.at("router_0_0.local0.link_valid", 17), 0U);
  EXPECT_EQ(wave.at("router_1_0.west.link_valid", 15), 1U);
}

TEST_P(WaveformOf, AnEmptyWindowHasSignalsWithoutValues) {
  Traced traced(GetParam());
  traced.options.from_cycle = 18;
  traced.options.to_cycle = 17;
  const Waveform wave = traced.run();
  ASSERT_EQ(wave.changes.count("network.cycle"), 1U);
  for (const auto& [signal, changes] : wave.changes) {
    for (const auto& [time, value] : changes) EXPECT_EQ(value, 0U) << signal << " at " << time;
  }
}

/// 14 signals of a connected port and VC by VC eight: 14 + 4 x 8 = 46 for each of the two routers' two ports (east or
/// west, and local), and the cycle.
TEST_P(WaveformOf, ARouterDeclaresItsPortsAndVcs) {
  const Traced traced(GetParam());
  const Waveform wave = traced.run();
  EXPECT_EQ(wave.bits.size(), 2U * 2U * 46U + 1U);
  EXPECT_EQ(wave.bits.count("router_0_0.west.link_valid"), 0U) << "not connected";
  EXPECT_EQ(wave.bits.at("network.cycle"), 32U);
  EXPECT_EQ(wave.bits.at("router_0_0.east.link_valid"), 1U);
  EXPECT_EQ(wave.bits.at("router_0_0.east.link_flit"), 16U);
  EXPECT_EQ(wave.bits.at("router_1_0.local0.vc3.credits"), 7U);
  EXPECT_NE(wave.header.find(GetParam() == std::string(".vcd") ? "1 ns" : "1ns"), std::string::npos) << wave.header;
  EXPECT_TRUE(std::filesystem::exists(traced.file)) << "stays when the trace has gone";
  const std::string save = text_of(traced.stem + ".gtkw");
  EXPECT_EQ(
      save.rfind("[dumpfile] \"" + traced.file + "\"\n[savefile] \"" + traced.stem + ".gtkw\"\n[timestart] 0\n", 0), 0U)
      << save.substr(0, 200);
  const std::string root = std::string(GetParam()) == ".vcd" ? "SystemC." : "";
  EXPECT_NE(save.find("@24\n+{network cycle} " + root + "network.cycle[31:0]\n"), std::string::npos);
  EXPECT_NE(save.find("\n+{1_0 west link_valid} " + root + "router_1_0.west.link_valid\n"), std::string::npos);
  EXPECT_EQ(save.find("link_flit"), std::string::npos) << "not worth a first look";
  EXPECT_NE(save.find("@2022\n^1 " + traced.stem + ".state.txt\n+{0_0 east vc0 state} " + root +
                      "router_0_0.east.vc0.state[1:0]\n"),
            std::string::npos);
  EXPECT_EQ(text_of(traced.stem + ".state.txt"), "0 idle\n1 needs_route\n2 waits_for_vc\n3 active\n");
  EXPECT_EQ(text_of(traced.stem + ".control.txt"), "0 -\n1 PROBE\n2 BACKTRACK\n3 ACKNOWLEDGE\n4 TEAR_DOWN\n");
}

TEST_P(WaveformOf, NamedRoutersShowsNoOther) {
  Traced traced(GetParam());
  traced.options.routers = " 1,0 ";
  const Waveform wave = traced.run();
  EXPECT_EQ(wave.bits.size(), 2U * 46U + 1U);
  EXPECT_EQ(wave.bits.count("router_0_0.east.link_valid"), 0U);
  EXPECT_EQ(wave.at("router_1_0.west.link_valid", 15), 1U);
}

TEST(Waveform, ThatIsNotClosedLeavesNoFile) {
  const Traced traced(".fst");
  Bench bench(uniform_mesh(0.0, 2, 1));
  {
    models::Waveform trace(*bench.network, traced.options);
    bench.run(1);
    trace.sample(0);
    EXPECT_FALSE(std::filesystem::exists(traced.file)) << "not before it is whole";
  }
  EXPECT_FALSE(std::filesystem::exists(traced.file));
  EXPECT_FALSE(std::filesystem::exists(traced.stem + ".gtkw"));
}

TEST(Waveform, RefusesUnknownRoutersAndFiles) {
  Bench bench(uniform_mesh(0.0, 2, 1));
  const auto refusal = [&](const std::string& file, const std::string& routers) -> std::string {
    models::WaveformOptions options;
    options.file = file;
    options.routers = routers;
    try {
      models::Waveform trace(*bench.network, options);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(refusal(temporary_file("a.fst"), "all"), "");
  EXPECT_NE(refusal(temporary_file("b.fst"), "0,0 7,0").find("trace.routers: unknown router \"7,0\""),
            std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(temporary_file("b.fst")));
  EXPECT_EQ(refusal(temporary_file("c.fst"), " "),
            "trace.routers names no router: expected \"all\" or names with blanks between");
  EXPECT_NE(refusal(temporary_file("d.wave"), "all").find("a waveform is a .vcd or an .fst file"), std::string::npos);
  EXPECT_NE(refusal("/nowhere/e.fst", "all").find("cannot be written"), std::string::npos);
}

}  // namespace
}  // namespace braid::test::waveform_test
