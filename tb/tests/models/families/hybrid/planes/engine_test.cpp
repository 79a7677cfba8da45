// The bit-plane engine against the stages over lists: two networks of one experiment, one with each, compared register
// by register in every cycle; and engines that change in mid-run.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <tuple>

#include "models/families/hybrid/engine_choice.h"
#include "models/families/hybrid/fabric.h"
#include "tb/tests/support/continued.h"
#include "tb/tests/support/drawn.h"
#include "tb/tests/support/sanitized.h"

namespace braid::test::planes_test {
namespace {

using models::Experiment;
using models::Flit;
using models::kNone;
using models::hybrid::RouterBank;
using models::hybrid::Slice;

/// A flit by what it is, whatever slot its packet has: source, number there, place in the packet, VC.
using Name = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t>;

/// The same experiment where either engine may run.
Experiment with_either(Experiment e) {
  e.set("simulation.engine", std::string("auto"));
  return e;
}

/// One of the two networks.
struct Side {
  Bench bench;
  models::hybrid::Fabric& fabric = models::hybrid::of(bench.network->fabric());

  Side(const Experiment& e, bool planes) : bench(with_either(e)) { fabric.use_planes(planes); }
  const Slice& slice() const { return std::as_const(fabric).slice(0); }
  Name name(const Flit& flit) const {
    const models::Packet& packet = bench.network->store()[flit.packet()];
    return {packet.source.value, packet.sequence, flit.sequence(), flit.vc()};
  }
  /// What a channel's slot holds, in an order of its own.
  std::vector<std::tuple<std::uint32_t, Name>> arrivals(
      const models::WorkList<models::hybrid::FlitArrival>& list) const {
    std::vector<std::tuple<std::uint32_t, Name>> all;
    for (const auto& a : list) all.emplace_back(a.target, name(a.flit));
    std::sort(all.begin(), all.end());
    return all;
  }
};

template <class T>
std::vector<T> sorted(const models::WorkList<T>& list) {
  std::vector<T> all(list.begin(), list.end());
  std::sort(all.begin(), all.end());
  return all;
}

/// The first register that differs, by its stage and place; empty: none does.
class Difference {
 public:
  Difference(const Side& lists, const Side& planes)
      : lists_(lists), planes_(planes), a_(lists.slice()), b_(planes.slice()) {}
  std::string first() {
    const RouterBank& bank = a_.bank();
    const auto each_port = [&](auto look_at) {
      for (models::PortIndex p = 0; p < bank.wiring().links.size(); ++p) {
        if (bank.wiring().links[p].target != kNone) look_at(p);
      }
    };
    each_port([&](models::PortIndex p) {
      if (!bank.is_injection_port(p)) input_port(p);
    });
    each_port([&](models::PortIndex p) { output_port(p); });
    on_the_way();
    return text_;
  }

 private:
  template <class T>
  void same(const char* stage, const std::string& what, models::PortIndex port, const T& a, const T& b) {
    if (a == b || !text_.empty()) return;
    const RouterBank& bank = a_.bank();
    text_ =
        bank.is_injection_port(port)
            ? fmt::format("{}: {} of injection link {}", stage, what, bank.local_port_of_injection(port))
            : fmt::format("{}: {} of router {} port {}", stage, what, bank.router_of(port).value, bank.port_of(port));
    if constexpr (std::is_arithmetic_v<T>) text_ += fmt::format(": {} with lists, {} with planes", a, b);
  }
  void input_port(models::PortIndex p) {
    const RouterBank& x = a_.bank();
    const RouterBank& y = b_.bank();
    for (std::uint32_t lane = 0; lane < x.vcs(); ++lane) {
      const auto v = x.vc_index(p, lane);
      const auto& vc = x.input_vcs[v];
      const auto& other = y.input_vcs[v];
      const std::string of = fmt::format(" of VC {}", lane);
      same("BW", "flits" + of, p, unsigned{vc.count}, unsigned{other.count});
      same("RC", "state" + of, p, static_cast<unsigned>(vc.state), static_cast<unsigned>(other.state));
      same("VA", "output VC" + of, p, vc.out_vc, other.out_vc);
      for (std::uint32_t i = 0; i < std::min(vc.count, other.count); ++i) {
        same("BW", "a flit" + of, p, lists_.name(x.buffered(v, i)), planes_.name(y.buffered(v, i)));
      }
    }
    same("SA", "requests", p, x.switch_requests[p], y.switch_requests[p]);
  }
  void output_port(models::PortIndex p) {
    const RouterBank& x = a_.bank();
    const RouterBank& y = b_.bank();
    for (std::uint32_t lane = 0; lane < x.vcs(); ++lane) {
      const auto v = x.vc_index(p, lane);
      same("credits", fmt::format("credits of VC {}", lane), p, unsigned{x.output_vcs[v].credits},
           unsigned{y.output_vcs[v].credits});
      same("VA", fmt::format("owner of VC {}", lane), p, x.output_vcs[v].owner, y.output_vcs[v].owner);
    }
    same("VA", "free VCs", p, x.free_vcs[p], y.free_vcs[p]);
    if (!x.is_injection_port(p)) same("ST", "flits sent", p, x.flits_sent[p][0], y.flits_sent[p][0]);
  }
  void on_the_way() {
    same("VA", "heads that wait", 0, a_.heads().size(), b_.heads().size());
    std::vector<std::tuple<std::uint32_t, std::uint32_t, Name>> x, y;
    for (const auto& t : a_.switch_register()) x.emplace_back(t.in_vc, t.out_port, lists_.name(t.flit));
    for (const auto& t : b_.switch_register()) y.emplace_back(t.in_vc, t.out_port, planes_.name(t.flit));
    std::sort(x.begin(), x.end());
    std::sort(y.begin(), y.end());
    same("ST", "flits", 0, x, y);
    for (std::uint64_t cycle = 0; cycle < a_.outgoing().front()->slots().size(); ++cycle) {
      const auto& slot = a_.outgoing().front()->at(cycle);
      const auto& other = b_.outgoing().front()->at(cycle);
      same("links", "flits", 0, lists_.arrivals(slot.packets), planes_.arrivals(other.packets));
      same("links", "flits to nodes", 0, lists_.arrivals(slot.ejections), planes_.arrivals(other.ejections));
      same("credits", "credits on links", 0, sorted(slot.credits), sorted(other.credits));
    }
    same("interfaces", "flits injected", 0, a_.interfaces().flits_injected(), b_.interfaces().flits_injected());
    same("interfaces", "flits delivered", 0, a_.interfaces().flits_delivered(), b_.interfaces().flits_delivered());
  }

  const Side& lists_;
  const Side& planes_;
  const Slice& a_;
  const Slice& b_;
  std::string text_;
};

void expect_same_figures(const Side& lists, const Side& planes) {
  ASSERT_EQ(told(*lists.bench.network), told(*planes.bench.network));
  ASSERT_EQ(lists.bench.network->merged_statistics().packet_hash(),
            planes.bench.network->merged_statistics().packet_hash());
}

void expect_same_registers(const Experiment& e, std::uint64_t cycles) {
  Side lists(e, false), planes(e, true);
  ASSERT_TRUE(planes.fabric.has_planes());
  for (std::uint64_t cycle = 0; cycle < cycles; ++cycle) {
    lists.bench.network->cycle();
    planes.bench.network->cycle();
    ASSERT_EQ(Difference(lists, planes).first(), "") << "cycle " << cycle;
  }
  expect_same_figures(lists, planes);
  EXPECT_GT(planes.bench.delivered(), 0U);
}

TEST(Planes, HaveTheRegistersOfListsInEveryCycle) { expect_same_registers(uniform_mesh(0.3), 600); }

TEST(Planes, HaveTheRegistersOfListsBeyondSaturation) { expect_same_registers(uniform_mesh(0.8), 600); }

TEST(Planes, WithBlocksOf256Routers) { expect_same_registers(uniform_mesh(0.2, 17, 16), 200); }

TEST(Planes, WithTheVectorsThatEveryProcessorHas) {
  ASSERT_EQ(setenv("BRAID_VECTORS", "plain", 1), 0);
  expect_same_registers(uniform_mesh(0.5), 300);
  ASSERT_EQ(unsetenv("BRAID_VECTORS"), 0);
}

TEST(Planes, OfRoutersWithMorePortsAndVcs) {
  Experiment e = uniform_mesh(0.3, 5, 4);
  e.set("router.vcs", 7);
  e.set("topology.local_ports", 2);
  expect_same_registers(e, 300);
}

/// Packets that turn back at a router, and phases of VCs.
TEST(Planes, OfPacketsThatGoByAnIntermediateRouter) {
  Experiment e;
  e.set("topology.kind", "cube");
  e.set("topology.sizes", std::vector<std::uint32_t>{4, 3, 3});
  e.set("topology.wrap", true);
  e.set("routing.algorithm", "valiant");
  add_traffic(e, 0.4);
  expect_same_registers(e, 400);
}

/// Each packet keeps to the half of the VCs of the order that it drew.
TEST(Planes, OfPacketsThatDrawXOrYFirst) {
  Experiment e = uniform_mesh(0.5, 5, 5);
  e.set("routing.algorithm", "xy_yx");
  expect_same_registers(e, 400);
}

/// Links of different latencies on one grid, and links that are missing on it.
TEST(Planes, OfChainsOfChiplets) {
  for (const std::vector<std::uint32_t>& rows : {std::vector<std::uint32_t>{}, {0, 2}}) {
    Experiment e;
    e.set("topology.kind", "chiplet_chain");
    e.set("topology.chiplets", 3);
    e.set("topology.joined_rows", rows);
    e.set("topology.joint_latency_cycles", 6);
    e.set("routing.algorithm", rows.empty() ? "x_first" : "chiplet_order");
    add_traffic(e, 0.2);
    expect_same_registers(e, 400);
  }
}

/// Written by either engine, read by the other.
TEST(Planes, ShareCheckpointsWithLists) {
  const Experiment e = uniform_mesh(0.4, 6, 6);
  for (const bool planes : {false, true}) {
    Side whole(e, planes), before(e, planes), after(e, !planes);
    whole.bench.run(900);
    before.bench.run(400);
    after.bench.run(77);
    restore(*after.bench.network, saved(*before.bench.network));
    after.bench.run(500);
    EXPECT_EQ(Difference(whole, after).first(), "");
    EXPECT_EQ(whole.bench.network->merged_statistics().packet_hash(),
              after.bench.network->merged_statistics().packet_hash());
  }
}

/// Which engine a chooser takes for each of the cycles that follow, in which so many flits cross switches.
class Choice {
 public:
  bool planes() const { return planes_; }
  unsigned changes() const { return changes_; }
  void run(unsigned cycles, unsigned flits_a_cycle, double break_even = 10) {
    for (; cycles != 0; --cycles, ++cycle_, flits_ += flits_a_cycle) {
      if (!chooser_.due(cycle_)) continue;
      const bool planes = chooser_.planes(cycle_, flits_, break_even);
      changes_ += planes != planes_ ? 1 : 0;
      planes_ = planes;
    }
  }

 private:
  models::hybrid::EngineChooser chooser_;
  bool planes_ = false;
  unsigned changes_ = 0;
  std::uint64_t cycle_ = 0, flits_ = 0;
};

/// Little moves, then much, then little again.
TEST(Planes, AreChosenWhereMuchMoves) {
  Choice choice;
  choice.run(10000, 9);
  EXPECT_FALSE(choice.planes());
  choice.run(128, 25);
  EXPECT_TRUE(choice.planes());
  choice.run(10000, 11);
  EXPECT_TRUE(choice.planes());
  choice.run(256, 1);
  EXPECT_FALSE(choice.planes());
  EXPECT_EQ(choice.changes(), 2U);
}

/// What moves goes up and down about where both cost as much: each change waits for twice as much as the one before.
TEST(Planes, AreNotChangedForEver) {
  Choice choice;
  for (int turn = 0; turn < 100; ++turn) {
    choice.run(500, 15);
    choice.run(500, 5);
  }
  EXPECT_GT(choice.changes(), 0U);
  EXPECT_LE(choice.changes(), 3U);
}

TEST(Planes, RunWhereMuchMoves) {
  const auto planes_of = [](double load, std::uint64_t cycles) {
    Bench bench(with_either(uniform_mesh(load)));
    bench.run(cycles);
    return models::hybrid::of(bench.network->fabric()).plane_cycles();
  };
  EXPECT_EQ(planes_of(0.01, 2000), 0U);
  EXPECT_GT(planes_of(0.3, 2000), 1800U);
  EXPECT_LT(planes_of(0.3, 2000), 2000U);
}

/// What planes cannot run is refused where they are asked for, and else said.
TEST(Planes, SayWhatTheyCannotRun) {
  Experiment e = uniform_mesh(0.1, 4, 4);
  e.set("router.buffer_bypass", true);
  Bench bench(with_either(e));
  const auto engines = bench.network->fabric().engines();
  ASSERT_TRUE(engines.has_value());
  EXPECT_EQ(engines->lists_because, "router.buffer_bypass = true");
  e.set("simulation.engine", std::string("planes"));
  EXPECT_THROW(Bench refused(e), InputError);
  Experiment by_queues = uniform_mesh(0.1, 4, 4);
  by_queues.set("topology.kind", "dragonfly");
  by_queues.set("routing.algorithm", "ugal");
  EXPECT_EQ(Bench(with_either(by_queues)).network->fabric().engines()->lists_because, "routes by queues");
  by_queues.set("simulation.engine", std::string("planes"));
  EXPECT_THROW(Bench refused(by_queues), InputError);
  Experiment few_ports = uniform_mesh(0.1, 4, 4);
  few_ports.set("interface.packet_ejection_flits", 1);
  EXPECT_EQ(Bench(with_either(few_ports)).network->fabric().engines()->lists_because,
            "nodes that leave flits at their ports (interface.packet_*_flits, interface.ejection_queue_items)");
  e.set("simulation.engine", std::string("lists"));
  EXPECT_FALSE(Bench(e).network->fabric().engines().has_value());
}

std::uint64_t networks() {
  const char* given = std::getenv("BRAID_PLANES");  // nightly: more
  return given == nullptr ? (kBrief ? 3 : 60) : std::stoull(given);
}

/// Engines that change at cycles drawn at random, against lists alone.
TEST(Planes, MayChangeWithListsAtAnyCycle) {
  std::uint64_t run = 0, number = 0;
  for (; run < networks(); ++number) {
    DrawnExperiment one("hybrid", number);
    const Experiment e = one.experiment();
    Side lists(e, false), both(e, true);
    if (!both.fabric.has_planes()) continue;
    ++run;
    SCOPED_TRACE("network " + std::to_string(number) + ":" + one.text());
    count_from_start(lists.bench);
    count_from_start(both.bench);
    bool planes = true;
    for (std::uint64_t cycle = 0, change = one.below(400); cycle < 1500; ++cycle) {
      if (cycle == change) {
        both.fabric.use_planes(planes = !planes);
        change += 1 + one.below(400);
      }
      lists.bench.network->cycle();
      both.bench.network->cycle();
      ASSERT_EQ(lists.bench.network->movements(), both.bench.network->movements()) << "cycle " << cycle;
    }
    expect_same_figures(lists, both);
    if (HasFailure()) return;
  }
  EXPECT_LT(number, 20 * networks()) << "hardly any network can be run in planes";
}

}  // namespace
}  // namespace braid::test::planes_test
