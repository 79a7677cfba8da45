// StreamIt programs on the command line: partition, run, paths, check, and what is said of wrong ones.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>

#include "tb/tests/support/bench.h"
#include "tb/tests/support/program.h"
#include "traffic/streams/stream_graph.h"

namespace braid::test::stream_program_test {
namespace {

const std::string kRadio = source_file("traffic/streams/programs/fm_radio.str");
const std::string kBriefly =
    " --set simulation.batch_cycles=500 --set simulation.measure_cycles=1000 --set simulation.min_warmup_cycles=500"
    " --set simulation.max_warmup_cycles=1500 --set stream.moves=2000 ";

TEST(StreamProgramCommand, RunsOnEachOfTheSixNetworks) {
  for (const char* network : {"pull_x_first", "pull_adaptive", "push_x_first", "push_adaptive", "tentacle", "ideal"}) {
    const auto r = results(kRadio + " --mesh 4x4 --network " + network + kBriefly);
    EXPECT_GT(r.at("stream").at("iterations_per_kilocycle").at("mean").to_number<double>(), 0.0) << network;
    const auto& configuration = r.at("configuration").as_object();
    EXPECT_EQ(configuration.at("topology").at("width").as_int64(), 4);
    EXPECT_EQ(configuration.at("stream").at("partition").as_string(), "dynamic_programming");
    EXPECT_EQ(configuration.at("interface").at("switching").as_string(),
              network == std::string("tentacle") ? "circuit" : "packet");
    EXPECT_EQ(configuration.at("interface").at("transfer").as_string(),
              std::string(network).rfind("pull", 0) == 0 ? "pull" : "push");
  }
}

TEST(StreamProgramCommand, APartitionedGraphRunsAsItsProgramDoes) {
  const std::string graph = temporary_file("radio_9.toml");
  ASSERT_EQ(braid("partition " + kRadio + " --tiles 9 --toml " + graph).status, 0);
  const std::string all = kRadio + " --mesh 3x3 --network push_adaptive" + kBriefly;
  const auto program = results(all), again = results(all + "--set stream.graph=" + graph);
  EXPECT_EQ(program.at("packet_hash"), again.at("packet_hash"));
  EXPECT_TRUE(again.at("configuration").at("stream").as_object().if_contains("partition") == nullptr);
  const traffic::StreamGraph read = traffic::read_stream_graph(graph);
  EXPECT_LE(read.actors.size(), 9U);
  EXPECT_EQ(traffic::to_toml(read), content(graph));
}

/// Source: four pushes of 3 cycles, a field read (2), written (2) and added to (1), 17 of work, 170 at scaling
/// 10: 5.882 steady states a kilocycle. Sink: four firings of 3, 120 cycles. By hand, and the same from its sink's
/// items.
TEST(StreamProgramCommand, SteadyStatesOfTheProgramAreCountedAtItsSinks) {
  const std::string file = temporary_file("two.str");
  std::ofstream(file)
      << "void->void pipeline Two { add Source(); add Sink(); }\n"
         "void->int filter Source { int x; work push 4 { push(0); push(1); push(2); push(3); x = x + 1; } }\n"
         "int->void filter Sink { work pop 1 { pop(); } }\n";
  const std::string run = file + " --mesh 2x1 --set stream.computation_scaling=10 --network ";
  for (const char* network : {"push_x_first", "pull_adaptive", "tentacle", "ideal"}) {
    const auto stream = results(run + network).at("stream").as_object();
    EXPECT_NEAR(stream.at("program_steady_states_per_kilocycle").at("mean").to_number<double>(), 1000.0 / 170, 0.03)
        << network;
    const auto& bound = stream.at("bound").as_object();
    EXPECT_EQ(bound.at("place").as_string(), "actor Source at node 0") << network;
    EXPECT_NEAR(bound.at("iterations_per_kilocycle").to_number<double>(), 1000.0 / 170, 1e-6);
    EXPECT_NEAR(bound.at("reached").to_number<double>(), 1.0, 0.005);
  }
}

/// Copies of the filter that take turns make an iteration of several steady states, and the program as fast as it is.
TEST(StreamProgramCommand, SteadyStatesAreTheSameUnitOnEveryPartition) {
  const std::string file = temporary_file("turns.str");
  std::ofstream(file)
      << "void->void pipeline Turns { add Source(); add Heavy(); add Sink(); }\n"
         "void->int filter Source { work push 1 { push(0); } }\n"
         "int->int filter Heavy { work push 1 pop 1 { int x = pop(); for (int i = 0; i < 100; i++) x += "
         "i * x; push(x); } }\n"
         "int->void filter Sink { work pop 1 { pop(); } }\n";
  double before = 0;
  for (const char* tiles : {"3", "8"}) {
    const auto stream = results(file + " --mesh 4x4 --network ideal --tiles " + tiles).at("stream").as_object();
    const double states = stream.at("steady_states").to_number<double>();
    const double iterations = stream.at("iterations_per_kilocycle").at("mean").to_number<double>();
    const double program = stream.at("program_steady_states_per_kilocycle").at("mean").to_number<double>();
    EXPECT_NEAR(program, iterations * states, 0.01 * program) << tiles;
    EXPECT_EQ(states > 1.0, before > 0) << tiles;
    EXPECT_GE(program, 0.99 * before);
    before = program;
  }
}

/// TDE: 11,520 items an iteration leave by one local port, so that a window of 20,000 cycles holds one or two. It grows
/// until it holds eight, and the items at the sink give the rate whatever iterations its ends cut.
TEST(StreamProgramCommand, TheWindowHoldsEightIterations) {
  const auto r = results(source_file("traffic/streams/programs/tde.str") + " --mesh 4x4 --network ideal");
  EXPECT_GE(r.at("measured_cycles").as_int64(), 70000);
  EXPECT_LE(r.at("measured_cycles").as_int64(), 120000);
  const auto& rate = r.at("stream").at("program_steady_states_per_kilocycle").as_object();
  EXPECT_NEAR(rate.at("mean").to_number<double>(), 1000.0 / 11520, 1e-4);
}

TEST(StreamProgramCommand, PortalsAreWarnedOfOnce) {
  const std::string file = temporary_file("portal.str");
  std::ofstream(file) << "void->void pipeline P { portal<Sink> p; add Source(p); add Sink() to p; }\n"
                         "void->int filter Source(portal<Sink> p) { work push 1 { push(1); p.stop(); } }\n"
                         "int->void filter Sink { work pop 1 { pop(); } handler stop() { println(1); } }\n";
  const auto r = results(file + " --mesh 2x1 --network push_x_first" + kBriefly);
  std::size_t told = 0;
  for (const auto& warning : r.at("warnings").as_array()) told += warning.at("code").as_string() == "untimed" ? 1 : 0;
  EXPECT_EQ(told, 1U);
  EXPECT_EQ(r.at("stream").at("untimed_messages").as_string(), file + ":1:25");
}

/// A complex number is two words: twice the flits an iteration, and once more where a flit has only half a word.
TEST(StreamProgramCommand, ItemsMayHaveFlitsByTheirType) {
  const std::string file = temporary_file("complex.str");
  std::ofstream(file) << "void->void pipeline C { add Source(); add Sink(); }\n"
                         "void->complex filter Source { complex c; work push 5 { push(c); push(c); push(c); push(c); "
                         "push(c); print(1); } }\n"
                         "complex->void filter Sink { work pop 1 { pop(); } }\n";
  const auto push = [&](const std::string& settings) {
    const std::string toml = temporary_file("complex.toml");
    EXPECT_EQ(braid("partition " + file + " --tiles 2 --set stream.fission=false --toml " + toml + settings).status, 0);
    return traffic::read_stream_graph(toml).edges.at(0).push;
  };
  EXPECT_EQ(push(""), 5U);
  EXPECT_EQ(push(" --set stream.item_width=by_type"), 10U);
  EXPECT_EQ(push(" --set stream.item_width=by_type --set stream.flit_bits=64"), 5U);
  EXPECT_EQ(push(" --set stream.item_width=by_type --set stream.flit_bits=16"), 20U);
  EXPECT_EQ(push(" --set stream.item_width=by_type --set stream.flit_bits=48"), 10U);
}

TEST(StreamProgramCommand, PartitionsPathsAndChecksAreShown) {
  const std::string json = temporary_file("radio.json"), dot = temporary_file("radio.dot");
  const Ended made = braid("partition " + kRadio + " --tiles 16 --partition greedy --json " + json + " --dot " + dot);
  EXPECT_EQ(made.status, 0) << made.output;
  EXPECT_NE(made.output.find("(greedy)"), std::string::npos) << made.output;
  EXPECT_NE(made.output.find("least room in queues"), std::string::npos);
  const boost::json::object all = boost::json::parse(content(json)).as_object();
  double items = 0, busiest = 0;
  for (const auto& edge : all.at("edges").as_array()) items += edge.at("items").to_number<double>();
  for (const auto& actor : all.at("actors").as_array()) {
    busiest = std::max(busiest, actor.at("work").to_number<double>() * actor.at("firings").to_number<double>());
  }
  const double states = all.at("steady_states").to_number<double>();
  EXPECT_DOUBLE_EQ(items, all.at("items").to_number<double>() * states);
  EXPECT_DOUBLE_EQ(busiest, all.at("bottleneck_work").to_number<double>() * states);
  EXPECT_EQ(content(dot).rfind("digraph", 0), 0U);
  const Ended paths = braid("paths " + kRadio + " --mesh 4x4" + kBriefly);
  EXPECT_EQ(paths.status, 0) << paths.output;
  EXPECT_NE(paths.output.find("streams on each link under minimal_adaptive"), std::string::npos);
  EXPECT_NE(braid("check " + kRadio + kBriefly).output.find("16 nodes"), std::string::npos);
  EXPECT_NE(braid("check " + kRadio + " --mesh 5x2" + kBriefly).output.find("10 nodes"), std::string::npos);
}

/// FM radio's source has five streams, so its graph as it is has no circuits.
TEST(StreamProgramCommand, ATentacleNetworkFindsARemedyAndSaysWhich) {
  const std::string run = kRadio + " --mesh 4x4" + kBriefly;
  const auto helped = results(run), plain = results(run + "--set stream.remedies=false");
  EXPECT_FALSE(helped.at("setup").at("fell_back_to_packets").as_bool());
  EXPECT_NE(helped.at("stream").at("remedy").at("taken").as_string(), "none needed");
  EXPECT_EQ(helped.at("stream").at("remedy").at("why").as_string(), "");
  EXPECT_TRUE(plain.at("setup").at("fell_back_to_packets").as_bool());
  EXPECT_TRUE(plain.at("stream").as_object().if_contains("remedy") == nullptr);
  const auto packets = results(run + "--set interface.switching=packet");  // takes the key of circuits along
  EXPECT_TRUE(packets.at("stream").as_object().if_contains("remedy") == nullptr);
  const auto threads = results(run + "--threads 2");
  EXPECT_EQ(threads.at("packet_hash"), helped.at("packet_hash"));
}

TEST(StreamProgramCommand, WhatRunsIsWrittenAsAGraphThatRunsTheSame) {
  const std::string toml = temporary_file("as_it_runs.toml"), dot = temporary_file("as_it_runs.dot");
  const std::string all = kRadio + " --mesh 4x4" + kBriefly;
  const Ended paths = braid("paths " + all + "--toml " + toml + " --dot " + dot);
  EXPECT_EQ(paths.status, 0) << paths.output;
  EXPECT_NE(paths.output.find("remedy: at most "), std::string::npos) << paths.output;
  const auto program = results(all), again = results(all + "--set stream.graph=" + toml);
  EXPECT_EQ(again.at("packet_hash"), program.at("packet_hash"));
  EXPECT_EQ(again.at("stream"), program.at("stream")) << "the file says what the search found";
  EXPECT_NE(content(dot).find("\ntile "), std::string::npos) << content(dot);
}

TEST(StreamProgramCommand, ALayoutIsDrawnByRunAndByPathsAlike) {
  const std::string one = temporary_file("run.svg"), two = temporary_file("paths.svg");
  const std::string all = kRadio + " --mesh 4x4" + kBriefly;
  EXPECT_EQ(braid("run " + all + "--quiet --draw " + one).status, 0);
  EXPECT_EQ(braid("paths " + all + "--quiet --draw " + two).status, 0);
  EXPECT_EQ(content(one), content(two));
  EXPECT_NE(content(one).find(" actors, "), std::string::npos);
  const Ended packets = braid("paths " + all + "--network push_x_first --draw -");
  EXPECT_EQ(packets.output.rfind("<?xml", 0), 0U) << packets.output;
  EXPECT_NE(packets.output.find("streams on each link under x_first"), std::string::npos);
  EXPECT_EQ(packets.output.find("class=\"circuit\""), std::string::npos);
}

TEST(StreamProgramCommand, NothingIsDrawnOfWhatIsWrong) {
  const std::string svg = temporary_file("wrong.svg");
  const std::string draw = " --draw " + svg;
  for (const std::string& arguments :
       {"run " + kRadio + " --tiles 1" + draw, "paths " + experiment("fm_radio") + draw + " --toml " + svg,
        "paths " + experiment("fm_radio") + draw + " --dot /nowhere/x.dot"}) {
    const Ended ended = braid(arguments);
    EXPECT_EQ(ended.status, ended.output.find("/nowhere") == std::string::npos ? 2 : ended.status) << arguments;
    EXPECT_NE(ended.status, 0) << arguments;
    EXPECT_FALSE(std::filesystem::exists(svg)) << arguments;
    EXPECT_EQ(std::count(ended.output.begin(), ended.output.end(), '\n'), 1) << ended.output;
  }
}

/// A feedback loop: b waits for an item of its own from c.
std::string loop_graph(const std::string& file, int initial) {
  const std::string actors =
      "name=\"loop\"\n[[actor]]\nname=\"a\"\nwork=1\n[[actor]]\nname=\"b\"\nwork=1\n[[actor]]\nname=\"c\"\nwork=1\n"
      "[[actor]]\nname=\"d\"\nwork=1\n";
  const std::string edges =
      "[[edge]]\nfrom=\"a\"\nto=\"b\"\n[[edge]]\nfrom=\"b\"\nto=\"c\"\n[[edge]]\nfrom=\"b\"\nto=\"d\"\n";
  std::ofstream(file) << actors << edges << "[[edge]]\nfrom=\"c\"\nto=\"b\"\ninitial=" << initial << "\n";
  return file;
}

TEST(StreamProgramCommand, AFeedbackLoopGoesRound) {
  const std::string run = experiment("fm_radio") + kBriefly + "--set interface.switching=packet --set stream.graph=";
  const auto throughput = [&](int initial) {
    const auto r = results(run + loop_graph(temporary_file("loop.toml"), initial));
    return r.at("stream").at("iterations_per_kilocycle").at("mean").to_number<double>();
  };
  const double one = throughput(1), four = throughput(4);  // items on the way share the loop's length
  EXPECT_GT(one, 0.0);
  EXPECT_GT(four, 2.0 * one);
  const Ended none = braid("run " + run + loop_graph(temporary_file("no_loop.toml"), 0));
  EXPECT_EQ(none.status, 2);
  EXPECT_NE(none.output.find("expected `initial` items on it"), std::string::npos) << none.output;
}

TEST(StreamProgramCommand, QueuesThatWouldStopTheProgramAreRefused) {
  const std::string graph = temporary_file("reconvergent.toml");
  std::ofstream(graph)
      << "name=\"r\"\n[[actor]]\nname=\"a\"\nwork=1\n[[actor]]\nname=\"b\"\nwork=1\n[[actor]]\nname=\"c\"\n"
         "work=1\n[[actor]]\nname=\"d\"\nwork=1\n[[edge]]\nfrom=\"a\"\nto=\"b\"\npeek=40\n[[edge]]\nfrom=\"b\"\n"
         "to=\"c\"\npeek=40\n[[edge]]\nfrom=\"c\"\nto=\"d\"\n[[edge]]\nfrom=\"a\"\nto=\"d\"\n";
  const std::string run = "run " + experiment("fm_radio") + kBriefly +
                          "--set interface.stream_queue_items=1 --set stream.graph=" + graph +
                          " --set interface.packet_items=1 --set interface.receive_queue_items=";
  EXPECT_EQ(braid(run + "78").status, 0);  // a has fired 79 times when c fires: one of those items is still at a
  const Ended less = braid(run + "77");
  EXPECT_EQ(less.status, 2);
  EXPECT_NE(less.output.find("expected at least 78 beside interface.stream_queue_items = 1"), std::string::npos)
      << less.output;
}

struct Wrong {
  const char* arguments;  // %: the program
  const char* message;
};

class WrongStreamProgram : public testing::TestWithParam<Wrong> {};

TEST_P(WrongStreamProgram, IsAnsweredWithOneLine) {
  std::string arguments = GetParam().arguments;
  arguments.replace(arguments.find('%'), 1, kRadio);
  const Ended ended = braid(arguments + kBriefly);
  EXPECT_EQ(ended.status, 2);
  EXPECT_NE(ended.output.find(GetParam().message), std::string::npos) << ended.output;
  EXPECT_EQ(std::count(ended.output.begin(), ended.output.end(), '\n'), 1);
}
INSTANTIATE_TEST_SUITE_P(
    Arguments, WrongStreamProgram,
    testing::Values(
        Wrong{"run % --mesh 4", "--mesh 4: expected WIDTHxHEIGHT, such as 4x4"},
        Wrong{"run % --mesh 4x", "--mesh 4x: expected WIDTHxHEIGHT"},
        Wrong{"run % --mesh 0x4", "--mesh 0x4: expected WIDTHxHEIGHT"},
        Wrong{"run % --mesh -1x4", "expected WIDTHxHEIGHT"},
        Wrong{"run % --mesh 99999999999x4", "expected WIDTHxHEIGHT"}, Wrong{"run % --mesh 100000x4", "topology.width"},
        Wrong{"run % --network tentacel", "unknown network \"tentacel\" (did you mean \"tentacle\"?)"},
        Wrong{"run % --tiles 20 --mesh 3x3", "actors, the network only 9 nodes"},
        Wrong{"run % --tiles 1", "the whole program is one actor on 1 tiles"},
        Wrong{"run % --partition greedily", "did you mean \"greedy\"?"}, Wrong{"run nothing_% ", "nothing_"},
        Wrong{"run % --toml x.toml", "--toml: expected braid partition, paths"},
        Wrong{"check % --draw x.svg", "--draw: expected braid run, paths"},
        Wrong{"run % --network push_x_first --set stream.remedies=true", "stream.remedies"},
        Wrong{"run tb/experiments/fm_radio.toml --mesh 4x4 --set experiment.name=%", "--mesh: "},
        Wrong{"partition tb/experiments/fm_radio.toml --set experiment.name=%", "expected a StreamIt program (.str)"},
        Wrong{"partition % --toml same --json same", "expected a file for each"},
        Wrong{"run % --network push_x_first --set interface.stream_queue_items=1", "is too small for edge"}));

}  // namespace
}  // namespace braid::test::stream_program_test
