// Subnets: networks side by side. What defines them is that each runs as if the others were not there, so the packets
// of a class on a subnet of its own are held, packet by packet and cycle by cycle, to those of the class alone.
#include "models/fabric/subnets.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "models/engine/watchdog.h"
#include "models/experiment/energy.h"
#include "models/experiment/experiment_reader.h"
#include "models/experiment/simulation.h"
#include "models/fabric/packet_log.h"
#include "tb/tests/support/continued.h"
#include "tb/tests/support/loads.h"
#include "tb/tests/support/sanitized.h"

namespace braid::test::subnets_test {
namespace {

using models::Experiment;

struct Network {
  const char* name;
  std::string keys;           ///< sections before those of traffic
  std::string of_class = {};  ///< keys of both classes
  double rate = 0.2;          ///< of each
};

std::vector<Network> networks() {
  const std::string mesh = "[topology]\nwidth = 4\nheight = 4\n";
  return {
      {"mesh", mesh},
      {"mesh_of_two_local_ports", mesh + "local_ports = 2\n", "", 0.5},
      {"adaptive_mesh", mesh + "[routing]\nalgorithm = \"minimal_adaptive\"\n", "", 0.3},
      {"mesh_by_a_random_allocator", mesh + "[router]\nswitch_allocator = \"pim\"\n", "", 0.3},
      {"mesh_by_two_orders", mesh + "[routing]\nalgorithm = \"adaptive_xy_yx\"\n", "", 0.3},
      {"tree_by_two_choices",
       "[topology]\nkind = \"k_ary_n_tree\"\narity = 4\nlevels = 2\n[routing]\nalgorithm = "
       "\"tree_two_choices\"\n",
       "", 0.3},
      {"torus_whose_packets_draw",
       "[topology]\nkind = \"cube\"\nsizes = [4, 4]\nwrap = true\n[routing]\nalgorithm = "
       "\"valiant\"\n"},
      {"dragonfly_by_queues", "[topology]\nkind = \"dragonfly\"\n[routing]\nalgorithm = \"ugal\"\n",
       "pattern = \"next_group\"\n", 0.15},
      {"dragonfly_by_all_queues", "[topology]\nkind = \"dragonfly\"\n[routing]\nalgorithm = \"ugal_g\"\n",
       "pattern = \"next_group\"\n", 0.15},
      {"cut_through", mesh + "[router]\narchitecture = \"virtual_cut_through\"\nvcs = 1\n"},
      {"shared_buffers",
       "[topology]\nkind = \"hexagonal\"\n[router]\narchitecture = \"po2\"\n[routing]\nalgorithm = "
       "\"derouting\"\n",
       "", 0.1},
      {"ideal", mesh + "[router]\narchitecture = \"ideal\"\n"},
      {"queues_by_class", mesh + "[interface]\nscheduler = \"classes\"\n", "", 0.4},
      {"short_source_queues", mesh + "[interface]\nsource_queue_packets = 2\n", "process = \"saturated\"\n"},
      {"messages", mesh + "[message]\npacket_flits = 3\n[interface]\nscheduler = \"round_robin\"\n",
       "length = \"uniform\"\nmin_flits = 1\nmax_flits = 4\n"},
  };
}

std::string class_of(const std::string& name, const Network& n, double rate, const std::string& more) {
  return "[[traffic]]\nname = \"" + name + "\"\nrate_flits_per_node_cycle = " + std::to_string(rate) + "\n" +
         n.of_class + more;
}

/// A packet's life: cycles, ends, routers on its way; its number in its subnet.
using Life = std::tuple<std::uint32_t, std::uint32_t, std::uint64_t, std::uint64_t, std::uint64_t, std::uint64_t,
                        std::uint32_t, std::uint16_t, std::uint16_t>;

/// Of a class by its number.
std::vector<Life> lives(const Bench& bench, std::uint8_t traffic_class) {
  std::vector<Life> all;
  const auto subnets = static_cast<std::uint32_t>(bench.network->subnets());
  bench.network->packet_log()->each(
      bench.network->store(), [&](const models::PacketRecord& record, const models::Packet& p) {
        if (p.traffic_class != traffic_class) return;
        all.emplace_back(p.source.value, p.sequence / subnets, p.created, record.left_queue.value_or(0), p.injected,
                         record.delivered.value_or(0), p.destination.value, p.length_flits, p.routers);
      });
  std::sort(all.begin(), all.end());
  return all;
}

Experiment logged(const std::string& text) {
  return models::parse_experiment(text + "[log]\nfile = \"packets.csv\"\n", "e.toml");
}

class SideBySide : public testing::TestWithParam<Network> {};

/// Each alone on one network, the other silent, and both beside each other. Then packets' numbers are those of their
/// subnet, so draws and local ports are the same, too.
TEST_P(SideBySide, EachClassRunsAsIfItWereAlone) {
  const Network& n = GetParam();
  const std::uint64_t cycles = briefly(2500);
  const std::string silent = "senders = [0]\nprocess = \"bernoulli\"\nstart_cycle = 1000000\n";
  const auto text = [&](bool a, bool b, bool apart) {
    return n.keys + (apart ? "[network]\nsubnets = 2\n" : "") +
           class_of("a", n, a ? n.rate : 0.0, apart ? "subnets = [1]\n" : "") +
           class_of("b", n, b ? n.rate : 0.0, apart ? "subnets = [0]\n" : "");
  };
  const auto said = [&](bool a, bool b, bool apart) {
    std::string all = text(a, b, apart);
    if (n.of_class.find("saturated") == std::string::npos || (a && b)) return all;
    const std::string name = a ? "name = \"b\"\n" : "name = \"a\"\n";  // a saturated source has no rate to be 0
    const std::size_t at = all.find(name) + name.size();
    const std::size_t process = all.find("process = \"saturated\"\n", at);
    all.erase(process, std::string("process = \"saturated\"\n").size());
    return all.insert(at, silent);
  };
  Bench both(logged(said(true, true, true))), a(logged(said(true, false, false))), b(logged(said(false, true, false)));
  for (Bench* bench : {&both, &a, &b}) bench->run(cycles);
  EXPECT_GT(a.delivered(), briefly(200));
  EXPECT_GT(b.delivered(), briefly(200));
  EXPECT_EQ(both.delivered(), a.delivered() + b.delivered());
  EXPECT_TRUE(both.network->conservation().holds());
  EXPECT_TRUE(lives(both, 1) == lives(a, 1));
  EXPECT_TRUE(lives(both, 2) == lives(b, 2));
}
INSTANTIATE_TEST_SUITE_P(Subnets, SideBySide, testing::ValuesIn(networks()),
                         [](const auto& n) { return n.param.name; });

const std::string kMesh = "[topology]\nwidth = 4\nheight = 4\n[network]\nsubnets = 2\n";
std::string two_classes(const std::string& rate, const std::string& more = "") {
  return kMesh + "[[traffic]]\nname = \"a\"\nrate_flits_per_node_cycle = " + rate + "\n" +
         "[[traffic]]\nname = \"b\"\nsubnets = [1]\nrate_flits_per_node_cycle = " + rate + "\n" + more;
}

/// The pipeline's closed form, in each subnet: 3 cycles, 5 a router, and the flits behind the head. Both packets leave
/// one node in one cycle, for it has an interface in each.
TEST(Subnets, HaveTheLatencyOfOneNetworkAndInterfacesOfTheirOwn) {
  for (const std::uint32_t flits : {1U, 4U}) {
    Bench bench(logged(two_classes("0.0")));
    bench.run(20);
    for (const std::uint8_t c : {1, 2}) bench.network->send_packet(NodeId{1}, NodeId{15}, flits, models::kNoTag, c);
    const std::uint64_t links = 2 + 3, latency = 3 + 5 * (links + 1) + flits - 1;
    bench.run(latency - 1);
    EXPECT_EQ(bench.delivered(), 0U) << "at cycle N - 1";
    bench.run(1);
    EXPECT_EQ(bench.delivered(), 2U);
    EXPECT_EQ(std::get<5>(lives(bench, 1).at(0)), std::get<5>(lives(bench, 2).at(0)));
    const auto& fabric = bench.network->fabric();
    for (std::size_t s = 0; s < 2; ++s) EXPECT_EQ(fabric.subnet(s).counters().flits_delivered, flits) << s;
    EXPECT_EQ(fabric.link_use(RouterId{1}, routing::kEast).packet_flits, 2 * flits) << "of both";
  }
}

/// Packets by subnet: numbers tell.
std::array<std::size_t, 2> by_subnet(const Bench& bench, std::uint8_t traffic_class) {
  std::array<std::size_t, 2> counts{};
  bench.network->packet_log()->each(bench.network->store(), [&](const models::PacketRecord&, const models::Packet& p) {
    if (p.traffic_class == traffic_class) ++counts[bench.network->subnet_of(p)];
  });
  return counts;
}

TEST(Subnets, CarryTheRequestsOfAClassAndItsRepliesApart) {
  Bench bench(logged(kMesh + "[[traffic]]\nname = \"reads\"\nrequest_reply = true\nreply_flits = 5\nreply_subnets = "
                             "[1]\nrate_flits_per_node_cycle = 0.1\n"));
  bench.run(3000);
  const auto requests = by_subnet(bench, 1), replies = by_subnet(bench, 2);
  EXPECT_GT(requests[0], 1000U);
  EXPECT_EQ(requests[1], 0U);
  EXPECT_EQ(replies[0], 0U);
  EXPECT_GT(replies[1], 1000U);
  const auto& fabric = bench.network->fabric();
  EXPECT_GT(fabric.subnet(1).counters().flits_delivered, fabric.subnet(0).counters().flits_delivered);
}

/// Replies that name no subnet go by that of their requests.
TEST(Subnets, CarryRepliesWithTheirRequests) {
  Bench bench(logged(kMesh + "[[traffic]]\nname = \"reads\"\nrequest_reply = true\nsubnets = [1]\n[[traffic]]\nname = "
                             "\"others\"\nrate_flits_per_node_cycle = 0.01\n"));
  bench.run(1000);
  EXPECT_EQ(by_subnet(bench, 2)[0], 0U);
  EXPECT_GT(by_subnet(bench, 2)[1], 300U);
}

/// A class without a name, too. Half and half within 4 standard deviations of a fair coin, and by no rule of turns.
TEST(Subnets, ShareAClassByChance) {
  Bench bench(logged(kMesh + "[traffic]\nsubnets = [0, 1]\nrate_flits_per_node_cycle = 0.3\n"));
  bench.run(4000);
  const auto counts = by_subnet(bench, 0);
  const auto all = static_cast<double>(counts[0] + counts[1]);
  EXPECT_GT(all, 4000.0);
  EXPECT_NEAR(static_cast<double>(counts[0]), all / 2, 4 * std::sqrt(all) / 2);
  std::vector<std::pair<std::uint64_t, std::size_t>> of_node_0;
  bench.network->packet_log()->each(bench.network->store(), [&](const models::PacketRecord&, const models::Packet& p) {
    if (p.source.value == 0) of_node_0.emplace_back(p.created, p.sequence % 2);
  });
  std::size_t turns = 0;
  for (std::size_t i = 1; i < of_node_0.size(); ++i) turns += of_node_0[i].second != of_node_0[i - 1].second ? 1 : 0;
  const auto pairs = static_cast<double>(of_node_0.size() - 1);
  EXPECT_NEAR(static_cast<double>(turns), pairs / 2, 4 * std::sqrt(pairs) / 2);
}

TEST(Subnets, GiveTheSameHashHoweverTheyAreCut) {
  for (const char* more : {"", "[interface]\nscheduler = \"classes\"\n"}) {
    const std::string text = two_classes("0.3", "request_reply = true\nreply_subnets = [0, 1]\n") + more;
    Bench whole(models::parse_experiment(text, "e.toml"));
    whole.run(2000);
    EXPECT_GT(whole.delivered(), 1000U);
    for (const std::size_t slices : {2U, 5U, 16U}) {
      Bench cut(models::parse_experiment(text, "e.toml"), slices);
      cut.run(2000);
      EXPECT_EQ(cut.network->merged_statistics().packet_hash(), whole.network->merged_statistics().packet_hash());
      EXPECT_TRUE(cut.network->conservation().holds());
    }
  }
}

TEST(Subnets, AreSavedAndRestored) {
  const std::string replies = "request_reply = true\nreply_subnets = [0, 1]\n";
  expect_continues(models::parse_experiment(two_classes("0.3", replies), "e.toml"), 700, 400);
  expect_continues(
      models::parse_experiment(two_classes("0.2", replies + "[interface]\nscheduler = \"classes\"\n"), "e.toml"), 333,
      300, 3);
}

std::string complaint(models::Watchdog& watchdog) {
  try {
    watchdog.check();
  } catch (const models::DeadlockError& error) {
    return error.what();
  }
  return {};
}

/// Everybody in a ring with one VC sends eight flits two routers on by subnet 1, which stands still for good, while
/// short packets go round in subnet 0.
TEST(Subnets, StandStillOneByOne) {
  Experiment e = logged("[topology]\nkind = \"graph\"\nfile = \"" + source_file("tb/experiments/ring.graphml") +
                        "\"\n[router]\nvcs = 1\nbuffer_depth = 2\n[routing]\nalgorithm = \"table\"\ntable_file = \"" +
                        source_file("tb/experiments/ring_clockwise.txt") +
                        "\"\n[network]\nsubnets = 2\n[[traffic]]\nname = \"a\"\nflits = 1\nsenders = [0]\n"
                        "rate_flits_per_node_cycle = 0.1\n[[traffic]]\nname = \"b\"\nsubnets = [1]\nsenders = [0]\n"
                        "rate_flits_per_node_cycle = 0.0\n");
  Bench ring(e);
  models::WatchdogOptions limits;
  limits.watchdog_cycles = 100;
  models::Watchdog watchdog(*ring.network, limits);
  ring.run(10);
  for (std::size_t n = 0; n < 4; ++n) {
    ring.network->send_packet(NodeId{n}, NodeId{(n + 2) % 4}, 8, models::kNoTag, 2);
  }
  const auto& stuck = ring.network->fabric().subnet(1);
  std::uint64_t moved = 0, moved_at = 0;
  for (;;) {
    ring.run(1);
    const auto c = stuck.counters();
    const std::uint64_t now = c.flit_hops + c.flits_injected + c.flits_delivered;
    if (now != moved) moved_at = ring.network->now();
    moved = now;
    if (ring.network->now() == moved_at + 100) break;
    ASSERT_EQ(complaint(watchdog), "") << "in cycle " << ring.network->now();
    ASSERT_LT(ring.network->now(), 400U) << "no deadlock";
  }
  const std::string text = complaint(watchdog);
  EXPECT_NE(text.find("deadlock: no flit of subnet 1 has moved up to cycle"), std::string::npos) << text;
  EXPECT_NE(text.find("and 16 are in it\ncycle of 8 waiting channels"), std::string::npos) << text;
  EXPECT_GT(ring.delivered(), 2U) << "of subnet 0";
  EXPECT_NE(ring.network->fabric().describe_waiting().find("\nsubnet 1:\ncycle of 8"), std::string::npos);
}

TEST(Subnets, HaveFiguresOfTheirOwn) {
  const std::string text = kMesh +
                           "[results]\nlink_flows = true\n[simulation]\nmeasure_cycles = 4000\nbatch_cycles = "
                           "500\n[[traffic]]\nname = \"a\"\nflits "
                           "= 4\nrate_flits_per_node_cycle = 0.3\n[[traffic]]\nname = \"b\"\nsubnets = [1]\nflits = "
                           "1\nlength = \"fixed\"\nrate_flits_per_node_cycle = 0.1\n";
  models::Simulation simulation(models::parse_experiment(text, "e.toml"));
  const models::Results r = simulation.run();
  ASSERT_TRUE(r.subnets.has_value());
  ASSERT_EQ(r.subnets->size(), 2U);
  const std::size_t links = simulation.topology().link_count();
  ASSERT_EQ(r.links.size(), 2 * links);
  for (std::size_t s = 0; s < 2; ++s) {
    const models::SubnetResult& one = (*r.subnets)[s];
    EXPECT_EQ(one.classes, std::vector<std::string>{s == 0 ? "a" : "b"});
    EXPECT_NEAR(one.accepted, r.classes[s].accepted_flits_per_node_cycle.mean, 1e-3);
    EXPECT_NEAR(one.injected, one.accepted, 2e-3);
    double most = 0.0, sum = 0.0;
    for (std::size_t i = s * links; i < (s + 1) * links; ++i) {
      EXPECT_EQ(r.links[i].subnet, s);
      for (const auto& flow : *r.links[i].flows) EXPECT_EQ(flow.traffic_class, one.classes.front());
      EXPECT_FALSE(r.links[i].flows->empty());
      most = std::max(most, r.links[i].packet_flits_per_cycle);
      sum += r.links[i].packet_flits_per_cycle;
    }
    EXPECT_DOUBLE_EQ(one.busiest_link_load, most);
    EXPECT_DOUBLE_EQ(one.mean_link_load, sum / static_cast<double>(links));
  }
  EXPECT_GT((*r.subnets)[0].mean_link_load, 2.5 * (*r.subnets)[1].mean_link_load) << "three times the load";
}

/// Twice the routers: area, clock and leakage are twice those of the class alone; an event costs what it costs there.
TEST(Subnets, TakeAreaAndPowerEach) {
  struct Found {
    Report energy, area;
  };
  const auto run = [](bool apart) {
    const std::string text = "[topology]\nwidth = 4\nheight = 4\n" +
                             std::string(apart ? "[network]\nsubnets = 2\n" : "") +
                             "[[traffic]]\nname = \"a\"\n[[traffic]]\nname = \"b\"\n" +
                             (apart ? "subnets = [1]\n" : "rate_flits_per_node_cycle = 0.0\n");
    Bench bench(models::parse_experiment(text, "e.toml"));
    bench.run(500);
    const auto before = models::switched_flits(*bench.network);
    bench.run(4000);
    const auto after = models::switched_flits(*bench.network);
    return Found{models::energy_report(bench.experiment, bench.topology, before, after, 4000),
                 models::area_report(bench.experiment, bench.topology)};
  };
  const Found one = run(false), two = run(true);
  for (const char* part : {"um2", "buffers_um2", "crossbars_um2", "allocators_um2"}) {
    EXPECT_DOUBLE_EQ(two.area.get<double>(part), 2.0 * one.area.get<double>(part)) << part;
  }
  const double flit = one.energy.get<double>("pj_per_flit"), power = one.energy.get<double>("power_mw");
  EXPECT_NEAR(two.energy.get<double>("pj_per_flit"), flit, 0.02 * flit);
  EXPECT_NEAR(two.energy.get<double>("power_mw"), 2.0 * power, 0.05 * power);
}

std::string refusal(const std::string& text) {
  try {
    const models::Simulation simulation(models::parse_experiment(text, "e.toml"));
  } catch (const InputError& e) {
    return e.what();
  }
  return "nothing";
}

TEST(Subnets, AreRefusedWhereTheyCannotBe) {
  const auto expect = [](const std::string& text, const std::string& says) {
    EXPECT_NE(refusal(text).find(says), std::string::npos) << text << refusal(text);
  };
  const std::string one = kMesh + "[traffic]\n", both = one + "subnets = [0, 1]\n";
  EXPECT_EQ(refusal(both), "nothing");
  expect(one, "network.subnets = 2: no class of traffic goes by subnet 1; expected a class whose");
  expect(one + "subnets = [2]\n", "e.toml:7:11: traffic.subnets: subnet 2: expected 0 to 1 (network.subnets = 2)");
  expect(one + "subnets = [1, 1]\n", "traffic.subnets: subnet 1 stands there twice");
  expect("[traffic]\nsubnets = [0]\n", "traffic.subnets belongs to a section [network]");
  expect(both + "request_reply = true\nreply_subnets = [1]\n", "traffic.reply_subnets: only replies of a class with a");
  expect(both + "name = \"a\"\nreply_subnets = [1]\n", "traffic.reply_subnets: only replies of a class with a name");
  expect(both + "[message]\npacket_flits = 2\n", "traffic.subnets: packets of a message leave one after the other");
  expect(both + "[interface]\nfairness = \"sat\"\n", "expected interface.fairness = \"none\"");
  expect(both + "[simulation]\nschedule = \"process_per_stage\"\n", "expected simulation.schedule = \"static\"");
  expect(both + "[router]\nimplementation = \"rtl\"\n", "expected router.implementation = \"model\"");
  EXPECT_EQ(refusal(both + "[router]\nimplementation = \"model\"\n"), "nothing") << "it may be said";
  expect(both + "[stage]\n", "network.subnets = 2: routers in RTL or behind pins are of one network");
  expect(both + "[failure]\n", "network.subnets = 2: a link that goes down is of one network; expected no section");
  expect(both + "[routing]\nalgorithm = \"source_routed\"\n", "hosts choose paths in one network");
  expect(both + "[router]\narchitecture = \"myrinet\"\n[routing]\nalgorithm = \"source_routed\"\n",
         "hosts choose paths in one network");
  expect(both + "[broadcast]\n", "expected no section [broadcast]");
  expect(both + "[stream]\n", "expected no section [stream]");
  expect("[network]\nsubnets = 9\n[traffic]\n", "1 to 8");
}

/// One subnet is the network as it was, to the packet.
TEST(Subnets, OfOneChangeNothing) {
  const std::string mesh = "[topology]\nwidth = 4\nheight = 4\n",
                    traffic = "[traffic]\nrate_flits_per_node_cycle = 0.3\n";
  Bench with(models::parse_experiment(mesh + "[network]\nsubnets = 1\n" + traffic, "e.toml"));
  Bench without(models::parse_experiment(mesh + traffic, "e.toml"));
  for (Bench* bench : {&with, &without}) bench->run(1000);
  EXPECT_GT(with.delivered(), 500U);
  EXPECT_EQ(with.network->merged_statistics().packet_hash(), without.network->merged_statistics().packet_hash());
}

}  // namespace
}  // namespace braid::test::subnets_test
