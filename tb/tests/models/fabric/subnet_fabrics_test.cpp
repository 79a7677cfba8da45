// Several fabrics as one, each of them made of paper: what is asked of all, what of one, and what is added up.
// Networks: subnets_test.cpp; interfaces: subnet_transport_test.cpp.
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "models/fabric/subnets.h"

namespace braid::test::subnet_fabrics_test {
namespace {

using models::Fabric;
using models::PacketSlot;
using models::SignalTable;

struct NoInterfaces final : models::PacketTransport {
  std::size_t ports = 0;  // that it was sent to, last
  void send(std::size_t port, PacketSlot) override { ports = port; }
  std::size_t queued(std::size_t) const override { return 0; }
};

struct OneSignal final : models::SignalSource {
  models::Signal* signal = nullptr;
  void sample(std::uint64_t cycle) override { signal->value = cycle; }
};

/// Answers with numbers of its own, and notes what it is told.
struct Paper final : Fabric {
  std::uint64_t unit;     // of its figures
  std::string* told;      // of all
  NoInterfaces below[2];  // [slice]
  bool first_half = false, moves = false, fixed = false, shows = true;
  std::optional<std::uint64_t> stopped, in_planes;
  std::string waiting;
  std::uint64_t kept = 0;

  Paper(std::uint64_t its_unit, std::string& all) : unit(its_unit), told(&all) {}
  void tell(const std::string& what) const { *told += what + std::to_string(unit) + " "; }

  models::PacketTransport& transport(std::size_t slice) override { return below[slice]; }
  void set_sink(std::size_t slice, models::PacketSink*) override { tell("sink" + std::to_string(slice) + "/"); }
  bool begin_cycle(std::uint64_t cycle) override {
    tell("begin" + std::to_string(cycle) + "/");
    return first_half;
  }
  void compute(std::size_t slice, std::uint64_t cycle) override {
    tell("compute" + std::to_string(slice) + "@" + std::to_string(cycle) + "/");
  }
  void commit(std::size_t slice, std::uint64_t cycle) override {
    tell("commit" + std::to_string(slice) + "@" + std::to_string(cycle) + "/");
  }
  void end_cycle(std::uint64_t cycle) override { tell("end" + std::to_string(cycle) + "/"); }
  Counters counters() const override { return {unit, 2 * unit, 3 * unit, 4 * unit, 5 * unit}; }
  bool transfers_under_way() const override { return moves; }
  Census census() const override { return {6 * unit, 7 * unit}; }
  LinkUse link_use(RouterId router, PortId port) const override {
    return {unit * router.value, unit * port.value, stopped};
  }
  std::uint32_t shown_vcs() const override { return 3; }
  std::uint32_t buffered(RouterId router, PortId, std::uint32_t vc) const override {
    return static_cast<std::uint32_t>(unit * 100 + router.value * 10 + vc);
  }
  std::uint32_t credits(RouterId, PortId port, std::uint32_t vc) const override {
    return static_cast<std::uint32_t>(unit * 100 + port.value * 10 + vc);
  }
  std::uint64_t clock_period_ps() const override { return 1000 * unit; }
  bool fixes_clock() const override { return fixed; }
  std::optional<Engines> engines() const override {
    return in_planes ? std::optional<Engines>(Engines{*in_planes, "because " + std::to_string(unit)}) : std::nullopt;
  }
  void check_room() const override { tell("room/"); }
  std::string describe_waiting() const override { return waiting; }
  void for_each_front(const std::function<void(PacketSlot)>& visit) const override {
    visit(static_cast<PacketSlot>(unit));
  }
  std::unique_ptr<models::SignalSource> signals(SignalTable& table, const std::vector<RouterId>&) const override {
    if (!shows) return nullptr;
    auto source = std::make_unique<OneSignal>();
    source->signal = table.add("router_0", "x", 8);
    return source;
  }
  void checkpoint(Checkpoint& c) override { c(kept); }
};

/// Three of them, of units 1, 10 and 100, in two slices of four ports.
struct Three {
  std::string told;
  std::vector<Paper*> one;
  std::unique_ptr<models::Subnets> all;

  Three() {
    std::vector<std::unique_ptr<Fabric>> fabrics;
    for (const std::uint64_t unit : {1, 10, 100}) {
      auto paper = std::make_unique<Paper>(unit, told);
      one.push_back(paper.get());
      fabrics.push_back(std::move(paper));
    }
    all = std::make_unique<models::Subnets>(std::move(fabrics), 2, 4);
  }
  std::string said() { return std::exchange(told, ""); }
};

TEST(SubnetFabrics, AreAllTold) {
  Three t;
  EXPECT_EQ(t.all->subnets(), 3U);
  EXPECT_EQ(&t.all->subnet(2), t.one[2]);
  t.all->set_sink(1, nullptr);
  EXPECT_EQ(t.said(), "sink1/1 sink1/10 sink1/100 ");
  EXPECT_FALSE(t.all->begin_cycle(7));
  EXPECT_EQ(t.said(), "begin7/1 begin7/10 begin7/100 ");
  t.all->compute(1, 7);
  t.all->commit(0, 7);
  t.all->end_cycle(7);
  EXPECT_EQ(
      t.said(),
      "compute1@7/1 compute1@7/10 compute1@7/100 commit0@7/1 commit0@7/10 commit0@7/100 end7/1 end7/10 end7/100 ");
  t.all->check_room();
  EXPECT_EQ(t.said(), "room/1 room/10 room/100 ");
  for (Paper* one : t.one) {  // a cycle has a first half where one of them has, and the others are told all the same
    one->first_half = true;
    EXPECT_TRUE(t.all->begin_cycle(8));
    EXPECT_EQ(t.said(), "begin8/1 begin8/10 begin8/100 ");
    one->first_half = false;
    EXPECT_FALSE(t.all->transfers_under_way());
    one->moves = true;
    EXPECT_TRUE(t.all->transfers_under_way());
    one->moves = false;
  }
  t.all->transport(1).send(4 + 2, 9);
  EXPECT_EQ(t.one[1]->below[1].ports, 2U);
}

TEST(SubnetFabrics, CountTogether) {
  Three t;
  const Fabric::Counters c = t.all->counters();
  EXPECT_EQ(c.flit_hops, 111U);
  EXPECT_EQ(c.flits_injected, 222U);
  EXPECT_EQ(c.flits_delivered, 333U);
  EXPECT_EQ(c.flits_copied, 444U);
  EXPECT_EQ(c.flits_lost, 555U);
  EXPECT_EQ(t.all->census().packets, 666U);
  EXPECT_EQ(t.all->census().flits, 777U);
  Fabric::LinkUse use = t.all->link_use(RouterId{2}, PortId{3});
  EXPECT_EQ(use.packet_flits, 222U);
  EXPECT_EQ(use.circuit_flits, 333U);
  EXPECT_FALSE(use.stopped_cycles);
  t.one[0]->stopped = 5;
  t.one[2]->stopped = 7;
  EXPECT_EQ(t.all->link_use(RouterId{2}, PortId{3}).stopped_cycles, 12U);
  std::vector<PacketSlot> fronts;
  t.all->for_each_front([&](PacketSlot packet) { fronts.push_back(packet); });
  EXPECT_EQ(fronts, (std::vector<PacketSlot>{1, 10, 100}));
}

/// Virtual channels are shown subnet by subnet.
TEST(SubnetFabrics, ShowTheirBuffersSideBySide) {
  Three t;
  EXPECT_EQ(t.all->shown_vcs(), 9U);
  const std::uint32_t units[] = {100, 1000, 10000};
  for (std::uint32_t vc = 0; vc < 9; ++vc) {
    EXPECT_EQ(t.all->buffered(RouterId{2}, PortId{4}, vc), units[vc / 3] + 20 + vc % 3) << vc;
    EXPECT_EQ(t.all->credits(RouterId{2}, PortId{4}, vc), units[vc / 3] + 40 + vc % 3) << vc;
  }
  EXPECT_EQ(t.all->clock_period_ps(), 1000U);
  EXPECT_FALSE(t.all->fixes_clock());
  t.one[0]->fixed = true;
  EXPECT_TRUE(t.all->fixes_clock());
}

TEST(SubnetFabrics, SayWhoWaitsWhere) {
  Three t;
  EXPECT_EQ(t.all->describe_waiting(), "");
  t.one[1]->waiting = "\nrouter a";
  t.one[2]->waiting = "\nrouter b";
  EXPECT_EQ(t.all->describe_waiting(), "\nsubnet 1:\nrouter a\nsubnet 2:\nrouter b");
}

/// The one that had the fewest cycles in planes, if all know planes.
TEST(SubnetFabrics, HaveTheEngineOfTheSlowest) {
  for (const std::size_t slowest : {0, 1, 2}) {
    Three t;
    for (std::size_t s = 0; s < 3; ++s) t.one[s]->in_planes = s == slowest ? 4 : 9;
    ASSERT_TRUE(t.all->engines());
    EXPECT_EQ(t.all->engines()->cycles_in_planes, 4U);
    EXPECT_EQ(t.all->engines()->lists_because, "because " + std::to_string(t.one[slowest]->unit));
  }
  EXPECT_FALSE(Three().all->engines());
}

TEST(SubnetFabrics, AreInScopesOfTheirOwn) {
  Three t;
  SignalTable table;
  const auto signals = t.all->signals(table, {});
  ASSERT_NE(signals, nullptr);
  ASSERT_EQ(table.signals().size(), 3U);
  signals->sample(42);
  for (std::size_t s = 0; s < 3; ++s) {
    EXPECT_EQ(table.signals()[s].scope, "subnet_" + std::to_string(s) + ".router_0");
    EXPECT_EQ(table.signals()[s].value, 42U);
  }
  EXPECT_EQ(table.add("after", "x", 1)->scope, "after");
  t.one[1]->shows = false;
  EXPECT_EQ(t.all->signals(table, {}), nullptr);
}

TEST(SubnetFabrics, AreAllInCheckpoints) {
  Three saved, restored;
  for (std::size_t s = 0; s < 3; ++s) saved.one[s]->kept = 5 + s;
  Checkpoint saves;
  saved.all->checkpoint(saves);
  Checkpoint restores(saves.bytes());
  restored.all->checkpoint(restores);
  restores.finish();
  for (std::size_t s = 0; s < 3; ++s) EXPECT_EQ(restored.one[s]->kept, 5 + s);
}

}  // namespace
}  // namespace braid::test::subnet_fabrics_test
