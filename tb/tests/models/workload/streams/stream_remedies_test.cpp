// stream.remedies: circuits for programs that have none as they are.
#include "models/workload/streams/stream_remedies.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <string>
#include <vector>

#include "routing/base/input_error.h"
#include "tb/tests/support/bench.h"

namespace braid::test::stream_remedies_test {
namespace {

/// A source that deals out to so many sinks.
std::string star(std::uint32_t sinks) {
  const std::string file = temporary_file("star_" + std::to_string(sinks) + ".toml");
  std::ofstream graph(file);
  graph << "name = \"star\"\n[[actor]]\nname = \"source\"\nwork = 1\n";
  for (std::uint32_t s = 0; s < sinks; ++s) {
    graph << "[[actor]]\nname = \"s" << s << "\"\nwork = 1\n[[edge]]\nfrom = \"source\"\nto = \"s" << s << "\"\n";
  }
  return file;
}

models::Experiment on_circuits(const std::string& graph, std::uint32_t width, std::uint32_t height, bool remedies) {
  models::Experiment e;
  e.set("topology.width", width);
  e.set("topology.height", height);
  e.set("topology.local_ports", 4);
  e.open("stream");
  e.set("stream.graph", graph);
  e.set("stream.moves", 3000);
  e.set("interface.switching", "circuit");
  e.set("interface.stream_queue_items", 0);
  if (remedies) e.set("stream.remedies", true);
  return e;
}

struct Outcome {
  bool circuits = false;
  std::vector<NodeId> place;
  std::optional<traffic::StreamRemedy> remedy;
};

Outcome outcome(const models::Experiment& e) {
  Bench bench(e);
  while (!bench.network->setup_done()) bench.run(1);
  Outcome all{!bench.network->setup_results().fell_back_to_packets, {}, {}};
  for (const auto& actor : program_of(bench).actors()) all.place.push_back(actor.node);
  all.remedy = bench.network->workload<models::StreamWorkload>()->remedy();
  return all;
}

TEST(Remedies, AreNotLookedForUnlessAskedFor) {
  const Outcome plain = outcome(on_circuits(star(6), 4, 4, false));
  EXPECT_FALSE(plain.circuits);
  EXPECT_FALSE(plain.remedy);
}

TEST(Remedies, GiveASourceOfSixStreamsASplitter) {
  const Outcome helped = outcome(on_circuits(star(6), 4, 4, true));
  EXPECT_TRUE(helped.circuits);
  ASSERT_TRUE(helped.remedy);
  EXPECT_EQ(helped.remedy->taken.rfind("at most 4 streams an actor", 0), 0U) << helped.remedy->taken;
  EXPECT_EQ(helped.remedy->degree, 4U);
  EXPECT_EQ(helped.remedy->tiles, 0U);
  EXPECT_EQ(helped.remedy->why, "");
  EXPECT_EQ(helped.place.size(), 8U) << "a splitter more";
  const Outcome again = outcome(on_circuits(star(6), 4, 4, true));
  EXPECT_EQ(again.place, helped.place);
  EXPECT_EQ(again.remedy->tried, helped.remedy->tried);
}

/// Three layouts a graph; the first graph, the program as it is, has a source of too many streams and is not tried.
TEST(Remedies, SayHowFarTheSearchIs) {
  const Bench made(on_circuits(star(6), 4, 4, true));
  std::vector<std::size_t> steps;
  std::size_t most = 0;
  const models::Network again(made.experiment, made.topology, *made.routing, 1,
                              [&](const char* what, std::size_t done, std::size_t all) {
                                if (std::string(what) == "remedy") steps.push_back(done), most = all;
                              });
  ASSERT_FALSE(steps.empty());
  EXPECT_EQ(steps.front(), 3U);
  EXPECT_TRUE(std::is_sorted(steps.begin(), steps.end()));
  EXPECT_LT(steps.back(), most);
  EXPECT_EQ(most % 3, 0U);
}

/// Six items of a source leave by two links of its tile at least, three by the fuller one; a splitter works longer.
TEST(Remedies, LeaveAProgramOnPacketsThatIsFasterThere) {
  models::Experiment e = on_circuits(star(6), 4, 4, true);
  const Outcome circuits = outcome(e);
  e.set("stream.or_packets", true);
  Bench bench(e);
  bench.run(2000);
  EXPECT_FALSE(bench.network->setup_results().attempted);
  EXPECT_EQ(program_of(bench).switching(), models::Switching::kPacket);
  EXPECT_EQ(program_of(bench).actors().size(), 7U);
  const auto& remedy = bench.network->workload<models::StreamWorkload>()->remedy();
  ASSERT_TRUE(remedy && remedy->packets_least_cycles);
  EXPECT_EQ(remedy->taken, "packets");
  EXPECT_EQ(remedy->why, "");
  EXPECT_EQ(remedy->least_cycles, *remedy->packets_least_cycles);
  EXPECT_LT(remedy->least_cycles, circuits.remedy->least_cycles);
}

/// In a row of three tiles: 5 items of a and 4 of b for c go over one link, so 9 cycles on packets; circuits would take
/// 5 and have no paths. Of one stream circuits are as fast as packets, and taken.
TEST(Remedies, PredictPacketsByTheirMostLoadedLink) {
  const auto row = [](std::uint32_t of_b) {
    const std::string file = temporary_file("row_" + std::to_string(of_b) + ".toml");
    std::ofstream graph(file);
    graph << "name = \"row\"\n";
    for (const char* a : {"a", "b", "c"}) {
      graph << "[[actor]]\nname = \"" << a << "\"\nwork = 1\ntile = " << a[0] - 'a' << "\n";
    }
    graph << "[[edge]]\nfrom = \"a\"\nto = \"c\"\npush = 5\npop = 5\n";
    graph << "[[edge]]\nfrom = \"b\"\nto = \"" << (of_b == 0 ? 'a' : 'c') << "\"\npush = 4\npop = 4\n";
    return file;
  };
  models::Experiment e = on_circuits(row(4), 3, 1, true);
  e.set("stream.or_packets", true);
  const Outcome shared = outcome(e);
  EXPECT_EQ(shared.remedy->taken, "packets");
  EXPECT_EQ(shared.remedy->packets_least_cycles, 9.0);
  EXPECT_EQ(shared.remedy->least_cycles_asked, 5.0);
  models::Experiment apart = on_circuits(row(0), 3, 1, true);
  apart.set("stream.or_packets", true);
  const Outcome free = outcome(apart);
  EXPECT_EQ(free.remedy->taken, "none needed");
  EXPECT_EQ(free.remedy->packets_least_cycles, 5.0);
  EXPECT_EQ(free.remedy->least_cycles, 5.0);
}

/// A pipeline whose actors stand in a row of tiles as 0, 4, 1, 5, 2, 6, 3, 7: two of its streams meet on a link.
/// Another layout, on which circuits stand, has one a link; what packets would take is said of the layout that was
/// asked for.
TEST(Remedies, PredictPacketsOnTheLayoutThatWasAskedFor) {
  const std::string file = temporary_file("pipeline.toml");
  {
    std::ofstream graph(file);
    graph << "name = \"pipeline\"\n";
    for (const int a : {0, 4, 1, 5, 2, 6, 3, 7}) graph << "[[actor]]\nname = \"a" << a << "\"\nwork = 1\n";
    for (int a = 0; a < 7; ++a) graph << "[[edge]]\nfrom = \"a" << a << "\"\nto = \"a" << a + 1 << "\"\n";
  }
  const auto taken = [&](bool remedies) {
    models::Experiment e = on_circuits(file, 8, 1, remedies);
    e.set("stream.distance_weight", 0.0);  // every layout is as good as that in order
    e.set("stream.disjoint_weight", 0.0);
    if (remedies) e.set("stream.or_packets", true);
    return outcome(e);
  };
  const Outcome plain = taken(false), helped = taken(true);
  for (std::size_t a = 0; a < 8; ++a) ASSERT_EQ(plain.place[a], NodeId{a});
  ASSERT_TRUE(helped.remedy);
  EXPECT_EQ(helped.remedy->layout, 1U);
  EXPECT_EQ(helped.remedy->least_cycles, 1.0);
  EXPECT_EQ(helped.remedy->packets_least_cycles, 2.0);
}

/// A source sends two streams of so many items, in 1000 cycles of work. On packets they leave by two ports, and each
/// link has one: 1000 cycles. Circuits leave one flit a cycle of the node: 1004 are as fast as that, 1006 are not.
TEST(Remedies, TakeCircuitsThatAreAsFastAsPacketsButForAFewThousandths) {
  const auto taken = [](std::uint32_t items) {
    const std::string file = temporary_file("two_of_" + std::to_string(items) + ".toml");
    std::ofstream graph(file);
    graph << "name = \"two\"\n[[actor]]\nname = \"a\"\nwork = 1000\ntile = 1\n";
    for (const int tile : {0, 2}) {
      graph << "[[actor]]\nname = \"b" << tile << "\"\nwork = 1\ntile = " << tile
            << "\n[[edge]]\nfrom = \"a\"\nto = \"b" << tile << "\"\npush = " << items << "\npop = " << items << "\n";
    }
    graph.close();
    models::Experiment e = on_circuits(file, 3, 1, true);
    e.set("topology.local_ports", 2);
    e.set("stream.or_packets", true).set("interface.circuit_injection_flits", 1);
    const Outcome all = outcome(e);
    EXPECT_EQ(all.remedy->packets_least_cycles, 1000.0);
    EXPECT_EQ(all.remedy->least_cycles_asked, 2.0 * items);
    EXPECT_EQ(all.remedy->why, "") << "nothing stood in the way";
    return all.remedy->taken;
  };
  EXPECT_EQ(taken(502), "none needed");
  EXPECT_EQ(taken(503), "packets");
}

TEST(Remedies, LeaveAloneWhatStands) {
  const Outcome plain = outcome(on_circuits(star(3), 4, 4, false)), asked = outcome(on_circuits(star(3), 4, 4, true));
  EXPECT_TRUE(plain.circuits);
  EXPECT_TRUE(asked.circuits);
  EXPECT_EQ(asked.place, plain.place);
  EXPECT_EQ(asked.remedy->taken, "none needed");
  EXPECT_EQ(asked.remedy->tried, 1U);
}

/// Three streams, two links, no tile for a splitter, and no relays: packets, on the layout of the program as it is.
TEST(Remedies, SayInOneLineWhatIsInTheWay) {
  models::Experiment e = on_circuits(star(3), 2, 2, true);
  e.set("stream.relays", false);
  const Outcome none = outcome(e), plain = outcome(on_circuits(star(3), 2, 2, false));
  EXPECT_FALSE(none.circuits);
  EXPECT_EQ(none.place, plain.place);
  EXPECT_EQ(none.remedy->taken, "none that helps");
  EXPECT_EQ(none.remedy->why, "3 streams leave actor source, no tile has more than 2 links");
  EXPECT_EQ(none.remedy->tried, 0U);
  EXPECT_TRUE(outcome(on_circuits(star(3), 2, 2, true)).circuits) << "a sink passes a stream on";
}

/// Three streams of x and a pipeline, which stand in a row of tiles in the order of the file as long as no distance and
/// no path counts. Nothing helps x, so the program stays there, although a layout for paths would have moved it.
TEST(Remedies, LeaveAProgramThatNothingHelpsWhereItIs) {
  const std::string file = temporary_file("crowd_in_a_row.toml");
  {
    std::ofstream graph(file);
    graph << "name = \"crowd\"\n";
    for (const char* a : {"a0", "x", "a4", "a1", "a5", "a3", "a2", "a6"}) {
      graph << "[[actor]]\nname = \"" << a << "\"\nwork = 1\n";
    }
    for (int a = 0; a < 6; ++a) graph << "[[edge]]\nfrom = \"a" << a << "\"\nto = \"a" << a + 1 << "\"\n";
    for (const char* a : {"a0", "a3", "a5"}) graph << "[[edge]]\nfrom = \"x\"\nto = \"" << a << "\"\n";
  }
  const auto taken = [&](bool remedies, double weight) {
    models::Experiment e = on_circuits(file, 8, 1, remedies);
    e.set("stream.distance_weight", weight);
    e.set("stream.disjoint_weight", 20 * weight);
    if (remedies) e.set("stream.relays", false);
    return outcome(e);
  };
  const Outcome none = taken(true, 0.0), plain = taken(false, 0.0);
  for (std::size_t a = 0; a < 8; ++a) EXPECT_EQ(none.place[a], NodeId{a});
  EXPECT_EQ(none.place, plain.place);
  EXPECT_NE(none.place, taken(false, 1.0).place) << "there are layouts with shorter ways";
  ASSERT_TRUE(none.remedy);
  EXPECT_EQ(none.remedy->taken, "none that helps");
  EXPECT_EQ(none.remedy->layout, 0U);
}

/// A plan that keeps streams on packets. Whoever does not ask for remedies has the graph on circuits, and none is told.
TEST(Remedies, OfAPlanAreTakenOnlyWhereTheyAreAskedFor) {
  const std::string file = temporary_file("planned.toml");
  std::ofstream(file) << "name = \"planned\"\n[plan]\ntaken = \"packets\"\nwhy = \"\"\npackets = true\n"
                         "degree = 0\ntiles = 0\nlayout = 0\ntried = 3\nleast_cycles = 2\n"
                         "least_cycles_as_asked = 3\npackets_least_cycles = 2\n"
                         "[[actor]]\nname = \"a\"\nwork = 1\ntile = 0\n"
                         "[[actor]]\nname = \"b\"\nwork = 1\ntile = 1\n"
                         "[[edge]]\nfrom = \"a\"\nto = \"b\"\n";
  Bench plain(on_circuits(file, 2, 1, false));
  plain.run(100);
  EXPECT_TRUE(plain.network->setup_results().attempted);
  EXPECT_EQ(program_of(plain).switching(), models::Switching::kCircuit);
  EXPECT_FALSE(plain.network->workload<models::StreamWorkload>()->remedy());
  models::Experiment e = on_circuits(file, 2, 1, true);
  EXPECT_THROW(Bench{e}, InputError) << "stream.or_packets is false";
  e.set("stream.or_packets", true);
  Bench asked(e);
  asked.run(100);
  EXPECT_FALSE(asked.network->setup_results().attempted);
  EXPECT_EQ(program_of(asked).switching(), models::Switching::kPacket);
  const auto& remedy = asked.network->workload<models::StreamWorkload>()->remedy();
  ASSERT_TRUE(remedy);
  EXPECT_EQ(remedy->tried, 3U) << "as the plan says";
}

/// A pipeline whose ends the user has set next to each other in a bad order: only another layout helps, or none.
TEST(Remedies, TryOtherLayoutsOnlyWhereLayoutsAreAnnealed) {
  models::Experiment e = on_circuits(source_file("traffic/streams/programs/bitonic_sort.str"), 6, 6, true);
  e.set("stream.disjoint_weight", 0.0);
  e.set("stream.distance_weight", 0.0);
  const Outcome layout = outcome(e);
  EXPECT_TRUE(layout.circuits);
  EXPECT_GT(layout.remedy->layout + layout.remedy->degree, 0U);
  models::Experiment in_order = on_circuits(star(6), 4, 4, true);
  in_order.set("stream.anneal", false);
  const Outcome placed = outcome(in_order);
  EXPECT_EQ(placed.remedy->layout, 0U);
}

/// Not after a search, which would take hours here.
TEST(Remedies, RefuseAProgramThatIsWrongOnAnyLayoutAtOnce) {
  models::Experiment e = on_circuits(star(6), 4, 4, true);
  e.set("stream.moves", 1000000000);
  e.set("interface.stream_queue_items", 1);
  e.set("interface.receive_queue_items", 1);
  try {
    Bench bench(e);
    FAIL() << "was accepted";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("interface.receive_queue_items = 1 is too small for edge source -> s0"),
              std::string::npos)
        << error.what();
  }
  models::Experiment crowd = on_circuits(star(9), 3, 3, true);
  EXPECT_THROW(Bench{crowd}, InputError);
}

}  // namespace
}  // namespace braid::test::stream_remedies_test
