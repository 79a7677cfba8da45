// The SAT line on every router family and topology that go together, over both carriers: every wire of the line and
// every station shows the signal in the waveform.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "models/experiment/simulation.h"
#include "tb/tests/support/bench.h"
#include "tb/tests/support/trees.h"

namespace braid::test::sat_pairing_test {
namespace {

using models::Experiment;

struct Pairing {
  const char* name;
  Experiment experiment;
};

/// The topology in place of the experiment's; a graph file and a hexagonal mesh are routed by up*/down* table.
Experiment on(Experiment e, const char* kind) {
  e.close("topology");
  const std::string name = kind;
  e.set("topology.kind", name);
  const bool grid = name == "mesh" || name == "torus";
  if (grid) e.set("topology.width", 4).set("topology.height", 4);
  if (name == "hexagonal") e.set("topology.edge", 3);
  if (name == "k_ary_n_tree") e.set("topology.arity", 4).set("topology.levels", 2);
  if (name == "graph") e.set("topology.file", source_file("tb/experiments/ring.graphml"));
  e.set("routing.algorithm", grid ? "x_first" : name == "k_ary_n_tree" ? "tree_adaptive" : "table");
  if (name == "torus" && e.get<std::string>("router.architecture") == "virtual_cut_through") {
    e.set("routing.bubble", true);
  }
  return e;
}

Experiment po2(const char* kind) {
  Experiment e = on(uniform_mesh(0.3), kind);
  e.set("router.architecture", "po2");
  e.set("routing.algorithm", "best_paths");
  e.set("routing.allow_deadlock", true);
  return e;
}

std::vector<Pairing> pairings() {
  const Experiment hybrid = uniform_mesh(0.3), cut_through = vct_tree(2, 0.3);
  return {{"hybrid_mesh", on(hybrid, "mesh")},
          {"hybrid_torus", on(hybrid, "torus")},
          {"hybrid_tree", on(hybrid, "k_ary_n_tree")},
          {"hybrid_graph", on(hybrid, "graph")},
          {"hybrid_hexagonal", on(hybrid, "hexagonal")},
          {"cut_through_mesh", on(cut_through, "mesh")},
          {"cut_through_torus", on(cut_through, "torus")},
          {"cut_through_tree", on(cut_through, "k_ary_n_tree")},
          {"cut_through_graph", on(cut_through, "graph")},
          {"cut_through_hexagonal", on(cut_through, "hexagonal")},
          {"po2_mesh", po2("mesh")},
          {"po2_hexagonal", po2("hexagonal")}};
}

/// Names of a VCD's one-bit signals: all, and those that are ever high.
struct Signals {
  std::set<std::string> all, high;
};

Signals read_vcd(const std::string& file) {
  Signals signals;
  std::map<std::string, std::string> name_of;  // by the file's code
  std::string scope, line;
  std::ifstream in(file);
  while (std::getline(in, line)) {
    std::istringstream words(line);
    std::string word, type, name, code;
    words >> word >> type >> name >> code;
    if (word == "$scope") scope += name + ".";
    if (word == "$upscope") scope.erase(scope.rfind('.', scope.size() - 2) + 1);
    if (word == "$var" && name == "1") {
      words >> name;
      signals.all.insert(name_of[code] = scope + name);
    }
    if (word.size() > 1 && word[0] == '1' && name_of.count(word.substr(1)) > 0) {
      signals.high.insert(name_of[word.substr(1)]);
    }
  }
  return signals;
}

std::size_t count(const std::set<std::string>& names, const std::string& part) {
  return static_cast<std::size_t>(std::count_if(
      names.begin(), names.end(), [&](const std::string& name) { return name.find(part) != std::string::npos; }));
}

class EveryPairing : public testing::TestWithParam<std::tuple<Pairing, const char*>> {};

TEST_P(EveryPairing, ShowsTheSignalOnEveryWireAndAtEveryStation) {
  Experiment e = std::get<0>(GetParam()).experiment;
  e.set("interface.fairness", "sat");
  e.set("sat.carrier", std::get<1>(GetParam()));
  e.set("sat.l", 2);
  e.set("sat.k", 2);
  e.set("simulation.batch_cycles", 500);
  e.set("simulation.min_warmup_cycles", 500);
  e.set("simulation.max_warmup_cycles", 500);
  e.set("simulation.measure_cycles", 2000);
  e.set("trace.file", temporary_file("sat_pairing.vcd"));
  models::Simulation simulation(e);
  const models::Results r = simulation.run();
  EXPECT_TRUE(r.conservation.holds());
  EXPECT_GT(r.conservation.packets_delivered, 100U);
  EXPECT_GT(r.fairness.get<std::uint64_t>("interval_cycles.count"), simulation.topology().node_count());
  EXPECT_GE(r.fairness.get<double>("interval_cycles.min"),
            static_cast<double>(r.fairness.get<std::uint64_t>("unheld_interval_cycles")));

  const Signals signals = read_vcd(e.get<std::string>("trace.file"));
  const std::size_t wires = count(signals.all, "sat.line.");
  EXPECT_GE(wires, simulation.topology().router_count());
  EXPECT_EQ(count(signals.high, "sat.line."), wires);
  EXPECT_EQ(count(signals.all, ".holds"), simulation.topology().node_count());
  EXPECT_EQ(count(signals.high, ".holds"), simulation.topology().node_count());
  std::filesystem::remove(e.get<std::string>("trace.file"));
}
INSTANTIATE_TEST_SUITE_P(Sat, EveryPairing,
                         testing::Combine(testing::ValuesIn(pairings()), testing::Values("ring", "spanning_tree")),
                         [](const auto& c) {
                           return std::string(std::get<0>(c.param).name) + "_over_" + std::get<1>(c.param);
                         });

}  // namespace
}  // namespace braid::test::sat_pairing_test
