// The waveform of one packet, signal by signal, against the cycles that docs/router.md draws.
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <optional>

#include "tb/tests/support/bench.h"
#include "tb/tests/support/program.h"

namespace braid::test::wave_test {
namespace {

/// A VCD file: each signal's changes, by the cycle that "network.cycle" shows.
class Waveform {
 public:
  explicit Waveform(const std::string& file) {
    std::ifstream in(file);
    std::map<std::string, std::string> name_of;  // [code]
    std::vector<std::string> scopes;
    std::map<std::string, std::uint64_t> changed;  // at this time
    for (std::string line; std::getline(in, line);) {
      std::istringstream words(line);
      std::string word, type, bits, code, name;
      words >> word;
      if (word == "$scope") {
        words >> type >> name;
        scopes.push_back(name);
      } else if (word == "$upscope") {
        scopes.pop_back();
      } else if (word == "$var") {
        words >> type >> bits >> code >> name;
        std::string full;
        for (std::size_t s = 1; s < scopes.size(); ++s) full += scopes[s] + ".";  // [0] is SystemC
        name_of[code] = full + name;
        changes_[full + name];
      } else if (word[0] == '#' || word.empty()) {
        take(changed);
      } else if (word[0] == 'b' && words >> code && name_of.count(code) != 0) {
        changed[name_of[code]] = std::stoull(word.substr(1), nullptr, 2);
      } else if ((word[0] == '0' || word[0] == '1') && name_of.count(word.substr(1)) != 0) {
        changed[name_of[word.substr(1)]] = word[0] == '1' ? 1 : 0;
      }
    }
    take(changed);
  }

  bool has(const std::string& signal) const { return changes_.count(signal) != 0; }
  /// The first cycle in which the signal is `value`.
  std::optional<std::uint64_t> first(const std::string& signal, std::uint64_t value) const {
    for (const auto& [cycle, now] : changes_.at(signal)) {
      if (now == value) return cycle;
    }
    return std::nullopt;
  }
  std::uint64_t at(const std::string& signal, std::uint64_t cycle) const {
    std::uint64_t value = 0;
    for (const auto& [when, now] : changes_.at(signal)) {
      if (when <= cycle) value = now;
    }
    return value;
  }
  std::uint64_t first_cycle() const { return first_cycle_; }
  std::uint64_t last_cycle() const { return cycle_; }

 private:
  void take(std::map<std::string, std::uint64_t>& changed) {
    const auto cycle = changed.find("network.cycle");
    if (cycle != changed.end()) cycle_ = cycle->second;
    if (cycle != changed.end() && first_cycle_ == 0) first_cycle_ = cycle_;
    for (const auto& [signal, value] : changed) changes_[signal].emplace_back(cycle_, value);
    changed.clear();
  }
  std::map<std::string, std::vector<std::pair<std::uint64_t, std::uint64_t>>> changes_;  // cycle, value
  std::uint64_t cycle_ = 0, first_cycle_ = 0;
};

/// Node 1 of a 2x1 mesh sends 1-flit packets to node 0, created in cycles 1, 3, 5, ...; the run is traced.
Waveform traced(const std::string& name, const std::string& settings) {
  const std::string stem = temporary_file(name);
  std::ofstream(stem + ".txt") << "1 0\n";
  std::ofstream(stem + ".toml") << "[topology]\nwidth = 2\nheight = 1\n[traffic]\npattern = \"permutation\"\nfile = \""
                                << stem << ".txt\"\nprocess = \"on_off\"\non_cycles = 1\noff_cycles = 1\n"
                                << "rate_flits_per_node_cycle = 0.5\nflits = 1\n";
  const Ended ended =
      braid("run " + stem + ".toml --quiet --set simulation.measure_cycles=1000 --trace " + stem + ".vcd " + settings);
  EXPECT_EQ(ended.status, 0) << ended.output;
  return Waveform(stem + ".vcd");
}

/// The first packet, q = 1: LT into router (1,0) in cycle 3, ST there in 7, LT to (0,0) in 8, ST there in 12. A row
/// shows registers after the clock edge that ends its cycle, so each is seen a cycle before.
TEST(Waveform, ShowsThePacketOnEachLinkAndSwitchInItsCycle) {
  const Waveform wave = traced("steps", "--set trace.to_cycle=40");
  EXPECT_EQ(wave.first("router_1_0.local0.link_valid", 1), 2U);
  EXPECT_EQ(wave.first("router_1_0.west.st_valid", 1), 6U);
  EXPECT_EQ(wave.first("router_0_0.east.link_valid", 1), 7U);
  EXPECT_EQ(wave.first("router_0_0.local0.st_valid", 1), 11U);
  EXPECT_EQ(wave.at("router_0_0.east.link_source", 7), 1U);
  EXPECT_EQ(wave.at("router_0_0.east.link_sequence", 7), 0U);
  for (std::uint64_t packet = 0; packet < 10; ++packet) {  // onto the injection link, every second cycle
    EXPECT_EQ(wave.at("router_1_0.local0.link_valid", 2 + 2 * packet), 1U);
    EXPECT_EQ(wave.at("router_1_0.local0.link_valid", 3 + 2 * packet), 0U);
    EXPECT_EQ(wave.at("router_1_0.local0.link_sequence", 2 + 2 * packet), packet);
  }
  EXPECT_EQ(wave.first("router_1_0.west.link_valid", 1), std::nullopt) << "nothing goes the other way";
  EXPECT_EQ(wave.first("router_0_0.local0.link_valid", 1), std::nullopt);
  EXPECT_EQ(wave.last_cycle(), 40U);
}

TEST(Waveform, HasOnlyTheCyclesAndRoutersThatAreAskedFor) {
  const Waveform wave =
      traced("part", "--set trace.from_cycle=20 --set trace.to_cycle=30 --set 'trace.routers=\"0,0\"'");
  EXPECT_EQ(wave.first_cycle(), 20U);
  EXPECT_EQ(wave.last_cycle(), 30U);
  EXPECT_TRUE(wave.has("router_0_0.east.link_valid"));
  EXPECT_FALSE(wave.has("router_1_0.west.link_valid"));
}

}  // namespace
}  // namespace braid::test::wave_test
