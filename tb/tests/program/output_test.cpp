// What the program prints: the table of a run, lists, maps of link loads; when it ends with which status.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <regex>
#include <set>

#include "models/event_lines/event_line.h"
#include "models/experiment/experiment.h"
#include "models/families/hybrid/switch_allocator.h"
#include "models/families/hybrid/vc_allocator.h"
#include "models/families/po2/pool_policy.h"
#include "models/injection/injection_point.h"
#include "tb/tests/support/bench.h"
#include "tb/tests/support/program.h"

namespace braid::test::output_test {
namespace {

std::string written(const std::string& name, const std::string& text) {
  const std::string file = temporary_file(name);
  std::ofstream(file) << text;
  return file;
}

/// 2x1 mesh, node 1 sends a flit to node 0 in every second cycle exactly: bursts and pauses of one cycle.
std::string every_second_cycle() {
  const std::string pairs = written("pairs.txt", "1 0\n");
  return written(
      "two.toml",
      "[experiment]\nname = \"two\"\n[topology]\nwidth = 2\nheight = 1\n[traffic]\npattern = \"permutation\"\n"
      "file = \"" +
          pairs +
          "\"\nprocess = \"on_off\"\non_cycles = 1\noff_cycles = 1\n"
          "rate_flits_per_node_cycle = 0.5\nflits = 1\n[simulation]\nmeasure_cycles = 2000\n"
          "max_warmup_cycles = 3000\nwarmup_tolerance = 1.0\n");
}
/// 4x4 mesh at half load, 4-flit packets.
std::string loaded() {
  return written("loaded.toml",
                 "[topology]\nwidth = 4\nheight = 4\n[traffic]\nrate_flits_per_node_cycle = 0.5\n[simulation]\n"
                 "measure_cycles = 4000\nmax_warmup_cycles = 3000\nwarmup_tolerance = 1.0\n");
}

/// 1000 flits in 2000 cycles from one of two nodes: a quarter of a flit a node and cycle, one link, one node that sends
/// at 1/2 (Jain's index of one is 1); 3 + 5 * 2 cycles at least, two of them in the queue (docs/router.md).
TEST(Table, HasTheClosedFormsOfASteadyStream) {
  const Ended ended = braid("run " + every_second_cycle());
  ASSERT_EQ(ended.status, 0) << ended.output;
  for (const char* line :
       {"two\n", "\n  warmup_cycles                        3000 cycles\n",
        "\n  measured_cycles                      2000 cycles\n", "\n  steady                               yes\n",
        "\n  offered_flits_per_node_cycle         0.25 flits/node/cycle\n",
        "\n  accepted_flits_per_node_cycle        0.25 ± 0 flits/node/cycle\n",
        "\n  packet_latency_distribution_cycles   count 1000, min 13, mean ",
        "\n  queue_latency_mean_cycles            2 cycles\n", "\n  hops_mean_links                      1 links\n",
        "\n  injection_spread_flits_per_cycle     nodes 1, min 0.5, mean 0.5, max 0.5,\n  ",
        "\n                                       jain_index 1 flits/cycle\n",
        "\n  1,0 west -> 0,0  0.5000  1 flow of 1 node to 1: 1 -> 0 100 %\n"}) {
    EXPECT_NE(ended.output.find(line), std::string::npos) << line << "\nin\n" << ended.output;
  }
  EXPECT_EQ(ended.output.find("saturated:"), std::string::npos);
  EXPECT_EQ(ended.output.find("not steady"), std::string::npos);
}

using Figures = std::vector<std::pair<std::string, boost::json::value>>;

/// Every number, flag and text of the JSON that is not in a list, and every estimate, with its name.
void collect(const boost::json::object& part, Figures& figures) {
  for (const auto& [name, value] : part) {
    if (value.is_object() && !value.as_object().contains("half_width_95")) {
      collect(value.as_object(), figures);
    } else if (!value.is_array() && name != "name") {
      figures.emplace_back(name, value);
    }
  }
}

/// Six digits that round to the same.
bool same(const std::string& text, const boost::json::value& value) {
  const double number = value.to_number<double>();
  return std::fabs(std::stod(text) - number) <= 6e-6 * std::fabs(number);
}

/// Does a line say the value beside the name?
bool says(const std::string& table, const std::string& name, const boost::json::value& value) {
  if (value.is_string())
    return std::regex_search(table, std::regex(name + " +" + value.as_string().c_str() + "( cycles)?\n"));
  if (value.is_null()) return std::regex_search(table, std::regex("\\b" + name + " +-"));
  if (value.is_bool()) return std::regex_search(table, std::regex(name + " +" + (value.as_bool() ? "yes" : "no")));
  const std::regex beside("\\b" + name + " +([-0-9.e+]+)( ± ([-0-9.e+]+))?");
  for (std::sregex_iterator found(table.begin(), table.end(), beside), end; found != end; ++found) {
    const std::string number = (*found)[1], width = (*found)[3];
    if (value.is_number() && width.empty() && same(number, value)) return true;
    if (value.is_number() || width.empty()) continue;
    const double difference = std::stod(width) - value.at("half_width_95").to_number<double>();
    if (same(number, value.at("mean")) && std::fabs(difference) < 6e-3 * std::stod(width)) return true;
  }
  return false;
}

/// The table's numbers are those of the same run's JSON, each beside its name.
TEST(Table, SaysWhatTheJsonSays) {
  const std::string file = temporary_file("table.json");
  const std::string text = braid("run " + loaded() + " --json " + file).output;
  boost::json::object all = boost::json::parse(content(file)).as_object();
  for (const char* head : {"program", "version", "schema", "configuration", "seed", "engines"}) all.erase(head);
  Figures figures;
  collect(all, figures);
  collect(all.at("classes").at(0).as_object(), figures);
  EXPECT_GT(figures.size(), 35U);
  for (const auto& [name, value] : figures) {
    EXPECT_TRUE(says(text, name, value)) << name << " " << value << "\nin\n" << text;
  }
  EXPECT_NE(text.find("\npackets\n"), std::string::npos) << text;
  EXPECT_EQ(text.find("links\n  router"), std::string::npos) << "a row a link is too long for the table";
}

/// Steadiness takes two batches that differ little from the one before: the third is the first that can be the second.
TEST(Table, SaysNotSteadyAfterTwoBatchesNotAfterThree) {
  const std::string line = "\nnot steady: the warm-up limit came before latency and throughput settled\n";
  const Ended two = braid("run " + every_second_cycle() + " --set simulation.max_warmup_cycles=2000");
  const Ended three = braid("run " + every_second_cycle() + " --set simulation.max_warmup_cycles=3000");
  EXPECT_NE(two.output.find(line), std::string::npos) << two.output;
  EXPECT_EQ(three.output.find(line), std::string::npos) << three.output;
}

/// A packet made in the last measured cycle needs 13 more: without time to drain it is still under way.
TEST(Table, SaysSaturatedIfMeasuredPacketsAreLeftAtTheDrainLimit) {
  const std::string line = "\nsaturated: packets born while measuring were still under way at the drain limit\n";
  const Ended none = braid("run " + every_second_cycle() + " --set simulation.max_drain_cycles=0");
  const Ended enough = braid("run " + every_second_cycle() + " --set simulation.max_drain_cycles=20");
  EXPECT_NE(none.output.find(line), std::string::npos) << none.output;
  EXPECT_EQ(enough.output.find(line), std::string::npos) << enough.output;
}

TEST(Run, QuietPrintsNothingAndADashOnlyTheJson) {
  const std::string file = temporary_file("quiet.json");
  const Ended quiet = braid("run " + every_second_cycle() + " --quiet --json " + file);
  EXPECT_EQ(quiet.output, "");
  const Ended dash = braid("run " + every_second_cycle() + " --json -");
  boost::json::object in_file = boost::json::parse(content(file)).as_object();
  boost::json::object on_screen = boost::json::parse(dash.output).as_object();
  in_file.erase("wall_seconds");
  on_screen.erase("wall_seconds");
  EXPECT_EQ(on_screen, in_file);
}

/// A line on standard error in place of the table's, and a status of its own where it is asked for.
TEST(Strict, EndsWithFourForAGraveWarningAlone) {
  const std::string steady = "run " + every_second_cycle();
  EXPECT_EQ(braid(steady + " --strict --quiet").status, 0);
  const std::string unsteady = steady + " --set simulation.max_warmup_cycles=2000";
  EXPECT_EQ(braid(unsteady).status, 0);
  const Ended quiet = braid(unsteady + " --strict --quiet");
  EXPECT_EQ(quiet.status, 4);
  EXPECT_EQ(quiet.output, "braid: not steady: the warm-up limit came before latency and throughput settled\n");
  EXPECT_EQ(braid(steady + " --strict --set simulation.max_drain_cycles=0").status, 4) << "saturated";
}

/// 1: a file that cannot be written; 2: a key's value; 3: a deadlock; 0: none of them.
TEST(Status, TellsWhatEndedTheRun) {
  const std::string two = every_second_cycle();
  const Ended failed = braid("run " + two + " --quiet --json /dev/full");
  EXPECT_EQ(failed.status, 1);
  EXPECT_EQ(failed.output, "braid: /dev/full: cannot be written: No space left on device\n");
  const Ended bad = braid("run " + two + " --set traffic.flits=0");
  EXPECT_EQ(bad.status, 2);
  EXPECT_EQ(bad.output, "braid: --set traffic.flits=0: traffic.flits = 0: expected integer, 1 to 65535\n");
  EXPECT_EQ(braid("run " + source_file("tb/experiments/deadlock.toml")).status, 3);
  EXPECT_EQ(braid("run " + two + " --quiet").status, 0);
}

TEST(Status, WithoutACommandIsBadInputAndHelpIsNot) {
  const Ended nothing = braid(""), help = braid("--help");
  EXPECT_EQ(nothing.status, 2);
  EXPECT_EQ(help.status, 0);
  EXPECT_EQ(help.output.rfind("NAME\n    braid - ", 0), 0U);
  EXPECT_EQ(nothing.output, help.output);
}

TEST(Status, ErrorsGoToStandardErrorAlone) {
  EXPECT_EQ(braid("run /nowhere.toml 2>/dev/null").output, "");
  EXPECT_EQ(braid("run /nowhere.toml 2>&1 >/dev/null").output,
            "braid: /nowhere.toml: cannot be read: expected an experiment\n");
}

/// Links count each direction: 2 (7 * 8 + 7 * 8) of an 8x8 mesh.
TEST(Check, NamesTheNetworkAndRunsNothing) {
  const std::string file = source_file("tb/experiments/mesh_uniform.toml");
  EXPECT_EQ(braid("check " + file).output, file + ": good (mesh 8x8, 64 nodes, 224 links)\n");
  EXPECT_EQ(braid("check " + file + " --set topology.width=3 --set topology.height=2").output,
            file + ": good (mesh 3x2, 6 nodes, 14 links)\n");
}

std::set<std::string> listed(const std::string& axis) {
  std::istringstream lines(braid("list " + axis).output);
  std::string line, name;
  std::getline(lines, line);
  EXPECT_EQ(line, axis);
  std::set<std::string> names;
  while (std::getline(lines, line)) {
    EXPECT_EQ(line.substr(0, 2), "  ");
    std::istringstream words(line);
    std::string summary;
    words >> name >> summary;
    EXPECT_FALSE(summary.empty()) << line;
    names.insert(name);
  }
  return names;
}
template <class RegistryType>
std::set<std::string> registered() {
  const std::vector<std::string> names = RegistryType::instance().names();
  EXPECT_FALSE(names.empty());
  return {names.begin(), names.end()};
}

TEST(List, NamesEveryRegisteredPolicyOfEachAxisAndNoOther) {
  EXPECT_EQ(listed("topology.kind"), registered<routing::TopologyRegistry>());
  EXPECT_EQ(listed("routing.algorithm"), registered<routing::RoutingRegistry>());
  EXPECT_EQ(listed("traffic.pattern"), registered<traffic::PatternRegistry>());
  EXPECT_EQ(listed("traffic.process"), registered<traffic::InjectionRegistry>());
  EXPECT_EQ(listed("traffic.length"), registered<traffic::LengthRegistry>());
  EXPECT_EQ(listed("router.architecture"), registered<models::FabricRegistry>());
  EXPECT_EQ(listed("interface.scheduler"), registered<models::InjectionSchedulerRegistry>());
  std::set<std::string> gates = registered<models::InjectionGateRegistry>();
  gates.insert("none");
  EXPECT_EQ(listed("interface.fairness"), gates);
  EXPECT_EQ(listed("po2.avoidance"), registered<models::po2::PoolPolicyRegistry>());
  EXPECT_EQ(listed("sat.carrier"), registered<models::EventLineRegistry>());
  EXPECT_EQ(listed("router.implementation"), registered<models::hybrid::StandInRegistry>());
  EXPECT_EQ(listed("router.vc_allocator"), registered<models::hybrid::VcAllocatorRegistry>());
  EXPECT_EQ(listed("router.switch_allocator"), registered<models::hybrid::SwitchAllocatorRegistry>());
  EXPECT_EQ(listed("router.arbiter"), registered<models::hybrid::ArbiterRegistry>());
  std::set<std::string> keys;
  for_each_declared(models::experiment_options(),
                    [&](const Option& option, const std::string&) { keys.insert(option.key()); });
  EXPECT_EQ(listed("keys"), keys);
}

TEST(List, WithoutAnAxisHasAllButTheKeys) {
  const std::string all = braid("list").output;
  for_each_declared(models::experiment_options(), [&](const Option& option, const std::string&) {
    const bool is_axis = static_cast<bool>(option.policies);
    EXPECT_EQ(("\n" + all).find("\n" + option.key() + "\n") != std::string::npos, is_axis) << option.key();
  });
  EXPECT_EQ(all.find("\nkeys\n"), std::string::npos);
  EXPECT_EQ(braid("list traffic.patern")
                .output.rfind("braid: unknown axis \"traffic.patern\" (did you mean \"traffic.pattern\"?); known: ", 0),
            0U);
}

/// Transpose on 3x3, X first, by hand: (1,0) and (2,0) go west and up column 0, (2,1) up column 1; their mirrors (0,1),
/// (0,2) and (1,2) east and down. Two streams share (1,0)->west, (0,0)->north, (1,2)->east and (2,2)->south.
TEST(Paths, MapOfATransposeOn3x3) {
  const std::string file =
      written("transpose.toml", "[topology]\nwidth = 3\nheight = 3\n[traffic]\npattern = \"transpose\"\n");
  const std::string json = temporary_file("transpose.json");
  EXPECT_EQ(std::regex_replace(braid("paths " + file + " --json " + json).output, std::regex(" +\n"), "\n"),
            "\nflits/cycle if every node sends one, under x_first (most on a link: 2)\n"
            "(0,2)-- 1>0< ---(1,2)-- 2>0< ---(2,2)\n"
            " 1^0v            1^0v            0^2v\n"
            "(0,1)-- 1>0< ---(1,1)-- 0>1< ---(2,1)\n"
            " 2^0v            0^1v            0^1v\n"
            "(0,0)-- 0>2< ---(1,0)-- 0>1< ---(2,0)\n");
  std::map<std::string, double> loads;
  const boost::json::object all = boost::json::parse(content(json)).as_object();
  for (const boost::json::value& l : all.at("packet_loads").as_array()) {
    const auto text = [&](const char* key) { return std::string(l.at(key).as_string()); };
    loads[text("router") + " " + text("port") + " " + text("to")] = l.at("load").to_number<double>();
  }
  EXPECT_EQ(loads.size(), 24U);  // 2 * (2 * 3 + 3 * 2) directed links
  double sum = 0.0;
  for (const auto& [link, load] : loads) sum += load;
  EXPECT_EQ(sum, 16.0);  // 2 + 4 + 2 links, there and back
  EXPECT_EQ(loads.at("1,0 west 0,0"), 2.0);
  EXPECT_EQ(loads.at("2,2 south 2,1"), 2.0);
  EXPECT_EQ(loads.at("2,0 west 1,0"), 1.0);
  EXPECT_EQ(loads.at("0,0 east 1,0"), 0.0);
  EXPECT_EQ(all.at("topology"), "mesh 3x3");
}

/// Three in a row, each sends a third to each: over a link go the thirds of those on one side to those on the other.
TEST(Paths, CountsDestinationsWhereThereAreFew) {
  const std::string file = written("row.toml", "[topology]\nwidth = 3\nheight = 1\n[traffic]\n");
  const auto row = braid("paths " + file + " --json -");
  const boost::json::object all = boost::json::parse(row.output).as_object();
  EXPECT_FALSE(all.at("packet_loads_sampled").as_bool());
  for (const boost::json::value& l : all.at("packet_loads").as_array()) {
    EXPECT_NEAR(l.at("load").to_number<double>(), 2.0 / 3.0, 1e-9);
  }
  EXPECT_EQ(braid("paths " + file).output.find("sampled"), std::string::npos);
}

/// 513 nodes: the corner sends 56 of 57 packets to columns beyond its own, as 511 draws have it about.
TEST(Paths, SamplesDestinationsOfLargeNetworksAndSaysSo) {
  const std::string file = written("large.toml", "[topology]\nwidth = 57\nheight = 9\n[traffic]\n");
  EXPECT_NE(braid("paths " + file).output.find("by sampled destinations"), std::string::npos);
  const boost::json::object all = boost::json::parse(braid("paths " + file + " --json -").output).as_object();
  EXPECT_TRUE(all.at("packet_loads_sampled").as_bool());
  EXPECT_NEAR(all.at("packet_loads").at(0).at("load").to_number<double>(), 56.0 / 57.0, 0.03);
}

/// A graph has no map: its links by the names in the file, those that carry something. Clockwise from a to d.
TEST(Paths, NamesTheLinksOfAGraph) {
  const std::string file =
      written("links.toml", "[topology]\nkind = \"graph\"\nfile = \"" + source_file("tb/experiments/ring.graphml") +
                                "\"\n[routing]\nalgorithm = \"table\"\ntable_file = \"" +
                                source_file("tb/experiments/ring_clockwise.txt") +
                                "\"\nallow_deadlock = true\n[traffic]\npattern = \"permutation\"\nfile = \"" +
                                written("a_to_d.txt", "0 3\n") + "\"\n");
  EXPECT_EQ(std::regex_replace(braid("paths " + file).output, std::regex(" +"), " "),
            "\nflits/cycle if every node sends one, under table (most on a link: 1)\n"
            " a -> b ab 1\n b -> c bc 1\n c -> d cd 1\n");
}

}  // namespace
}  // namespace braid::test::output_test
