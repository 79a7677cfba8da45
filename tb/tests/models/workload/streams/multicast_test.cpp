// stream.multicast = "routers": a program whose copies leave their node once. What arrives is what arrives without it;
// what it cannot go with is refused, and so is a program that would wait for ever.
#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "tb/tests/support/bench.h"
#include "tb/tests/support/continued.h"
#include "tb/tests/support/refusal.h"

namespace braid::test::multicast_test {
namespace {

/// A source in the middle of a 3x3 mesh duplicates its items to three workers in corners; the sink takes from all.
std::string split_join(const std::string& group = "group = 0\n", int source = 4, int sink = 1) {
  const std::string file = temporary_file((group.empty() ? "apart" : "copies") + std::to_string(source) + ".toml");
  std::ofstream out(file);
  out << "name = \"split_join\"\n[[actor]]\nname = \"source\"\nwork = 4\ntile = " << source << "\n";
  const int corners[] = {source == 0 ? 8 : 0, 2, 6};
  for (const int tile : corners) out << "[[actor]]\nname = \"w" << tile << "\"\nwork = 4\ntile = " << tile << "\n";
  out << "[[actor]]\nname = \"sink\"\nwork = 4\ntile = " << sink << "\n";
  for (const int tile : corners) {
    out << "[[edge]]\nfrom = \"source\"\nto = \"w" << tile << "\"\npush = 2\npop = 2\n" << group;
    out << "[[edge]]\nfrom = \"w" << tile << "\"\nto = \"sink\"\n";
  }
  return file;
}

models::Experiment program(const std::string& graph, const char* multicast) {
  models::Experiment e;
  e.set("topology.width", 3);
  e.set("topology.height", 3);
  e.set("topology.local_ports", 4);
  e.open("stream");
  e.set("stream.graph", graph);
  e.set("interface.switching", "circuit");
  e.set("stream.multicast", multicast);
  return e;
}

std::size_t trees(const Bench& bench) {
  std::size_t all = 0;
  for (const auto& edge : program_of(bench).edges()) all += edge.branches.empty() ? 0 : 1;
  return all;
}

/// The source's node sends each item once, in place of three times, and the same items arrive.
TEST(Multicast, SendsItemsOnceAndDeliversAll) {
  Bench with(program(split_join(), "routers")), without(program(split_join(), "none"));
  with.run(4000);
  without.run(4000);
  ASSERT_EQ(trees(with), 1U);
  EXPECT_EQ(trees(without), 0U);
  EXPECT_TRUE(with.network->conservation().holds());
  EXPECT_TRUE(with.network->conservation().flits_copied);
  EXPECT_FALSE(without.network->conservation().flits_copied);
  const auto& a = program_of(with).edges();
  const auto& b = program_of(without).edges();
  for (std::size_t e = 0; e < a.size(); ++e) {
    EXPECT_GT(a[e].delivered_items, 500U);
    EXPECT_NEAR(static_cast<double>(a[e].delivered_items), static_cast<double>(b[e].delivered_items), 40.0) << e;
  }
  const auto c = with.network->conservation(), d = without.network->conservation();
  // In a firing of the source six items of its own and three of the workers'; with trees two and three.
  EXPECT_NEAR(static_cast<double>(c.flits_injected) / static_cast<double>(d.flits_injected), 5.0 / 9.0, 0.02);
  EXPECT_EQ(c.flits_injected + *c.flits_copied, c.flits_delivered + c.flits_in_flight);
}

TEST(Multicast, LeavesStreamsOfDifferentItemsApart) {
  Bench bench(program(split_join(""), "routers"));
  bench.run(1000);
  EXPECT_EQ(trees(bench), 0U);
  Bench plain(program(split_join(""), "none"));
  plain.run(1000);
  EXPECT_EQ(bench.network->merged_statistics().packet_hash(), plain.network->merged_statistics().packet_hash());
}

/// Saved at any cycle of set-up and run, and gone on with by a network that has run already.
TEST(Multicast, GoesOnFromACheckpoint) {
  models::Experiment e = program(split_join(), "routers");
  e.set("interface.receive_queue_items", 16);
  for (const std::uint64_t cut : {3U, 17U, 40U, 333U}) {
    Bench before(e), after(e), whole(e);
    before.run(cut);
    after.run(77);
    restore(*after.network, saved(*before.network));
    after.run(1200 - cut);
    whole.run(1200);
    EXPECT_EQ(trees(after), 1U);
    EXPECT_GT(after.delivered(), 300U);
    EXPECT_EQ(after.network->merged_statistics().packet_hash(), whole.network->merged_statistics().packet_hash());
    EXPECT_TRUE(after.network->conservation().holds());
    EXPECT_EQ(saved(*after.network), saved(*whole.network)) << "cut at " << cut;
  }
}

TEST(Multicast, FallsBackToPacketsWithoutTrees) {
  models::Experiment e = program(split_join("group = 0\n", 0, 5), "routers");
  e.set("topology.local_ports", 1);  // the sink's node takes one circuit; before that fails the tree of node 0 stands
  e.set("setup.retries", 0);
  Bench bench(e);
  bench.run(60);
  EXPECT_TRUE(program_of(bench).edges()[2].tree || program_of(bench).edges()[4].tree);
  bench.run(4000);
  EXPECT_TRUE(bench.network->setup_results().fell_back_to_packets);
  EXPECT_EQ(trees(bench), 0U);
  for (const auto& edge : program_of(bench).edges()) EXPECT_GT(edge.delivered_items, 200U);
  EXPECT_TRUE(bench.network->conservation().holds());
}

TEST(Multicast, IsRefusedInALineThatNamesTheKey) {
  const auto with = [](const char* key, const auto& value) {
    models::Experiment e = program(split_join(), "routers");
    e.set(key, value);
    return refusal(e);
  };
  const std::string key = "stream.multicast = \"routers\": ";
  EXPECT_EQ(with("router.circuit_burst_flits", 4U), key +
                                                        "a flit that forks would have to wait for the turns of all its "
                                                        "ports; expected router.circuit_burst_flits = 0");
  EXPECT_EQ(with("setup.reroute", "each"),
            key + "the branches of a tree do not move; expected setup.reroute = \"none\"");
  EXPECT_EQ(with("setup.searches", "parallel"),
            key + "branches are searched one after the other; expected setup.searches = \"one_at_a_time\"");
  EXPECT_EQ(with("router.speculative", true),
            key + "a head that speculates sees one output of a circuit; expected router.speculative = false");
  EXPECT_EQ(with("setup.paths", "exact"), key + "finders of paths know no trees; expected setup.paths = \"routers\"");
  EXPECT_EQ(with("router.circuit_burst_flits", 0U), "");
  try {
    Bench bench(program(split_join(), "routers"), 3);
    ADD_FAILURE() << "three slices are taken";
  } catch (const InputError& error) {
    EXPECT_EQ(std::string(error.what()),
              key +
                  "circuits fork where one thread runs all routers by the static schedule; expected "
                  "simulation.schedule = \"static\" and simulation.threads = 1");
  }
}

/// The sink takes an item of the source and one that has come by way of b and c, which see four items before they send
/// one. With queues of four items, copies apart go on: those for the sink wait at the source. Together they may not.
TEST(Multicast, RefusesAProgramThatWouldWaitForEver) {
  const std::string file = temporary_file("late.toml");
  std::ofstream out(file);
  out << "name = \"late\"\n";
  for (const char* actor : {"source", "b", "c", "sink"}) out << "[[actor]]\nname = \"" << actor << "\"\nwork = 1\n";
  out << "[[edge]]\nfrom = \"source\"\nto = \"b\"\npeek = 4\ngroup = 0\n"
         "[[edge]]\nfrom = \"source\"\nto = \"sink\"\ngroup = 0\n"
         "[[edge]]\nfrom = \"b\"\nto = \"c\"\npeek = 4\n[[edge]]\nfrom = \"c\"\nto = \"sink\"\n";
  out.close();
  const auto with = [&](const char* multicast, std::uint32_t room) {
    models::Experiment e = program(file, multicast);
    e.set("interface.receive_queue_items", room);
    e.set("interface.packet_items", 1);
    return e;
  };
  EXPECT_EQ(refusal(with("none", 4)), "");
  const std::string said = refusal(with("routers", 4));
  EXPECT_NE(said.find("expected at least 7 beside interface.stream_queue_items = 64, where copies of an item leave "
                      "together (stream.multicast = \"routers\")"),
            std::string::npos)
      << said;
  EXPECT_NE(refusal(with("routers", 6)), "");
  Bench bench(with("routers", 7));
  bench.run(3000);
  EXPECT_EQ(trees(bench), 1U);
  EXPECT_GT(program_of(bench).edges()[3].delivered_items, 100U) << "it goes on";
}

}  // namespace
}  // namespace braid::test::multicast_test
