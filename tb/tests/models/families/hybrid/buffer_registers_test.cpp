// Buffers behind a faster crossbar (output_buffers.h) and counters of buffers that VCs share (shared_buffers.h), by
// hand: what they do with flits, and what their registers are held to when a checkpoint brings them.
#include <gtest/gtest.h>

#include <algorithm>

#include "models/families/hybrid/output_buffers.h"
#include "models/families/hybrid/shared_buffers.h"
#include "tb/tests/support/by_hand.h"
#include "tb/tests/support/complaint.h"
#include "tb/tests/support/continued.h"

namespace braid::test::buffer_registers_test {
namespace {

using models::Flit;
using models::hybrid::Options;
using models::hybrid::OutputBuffers;
using models::hybrid::PortIndex;
using models::hybrid::RouterBank;
using models::hybrid::SharedBuffers;
using models::hybrid::VcIndex;

/// The middle router of a 3x3 mesh: ports 0 to 3 and a local one, 4, of eight numbers.
struct Middle {
  explicit Middle(std::uint32_t limit) : buffers(bank, {4, 5}, limit, 4) {}
  static Configuration mesh() {
    Configuration c;
    c.set("topology.width", 3);
    c.set("topology.height", 3);
    return c;
  }
  PortIndex port(std::size_t p) const { return bank.port_index(RouterId{4}, PortId{p}); }
  void push(std::size_t p, std::uint32_t packet) { buffers.push(port(p), Flit(packet, 0, 1, 0)); }
  using Packets = std::vector<std::pair<PortIndex, std::uint32_t>>;
  Packets sent() {
    Packets all;
    buffers.send([&](PortIndex out, const Flit& flit) { all.emplace_back(out - port(0), flit.packet()); });
    return all;
  }
  Packets there() const {
    Packets all;
    buffers.for_each([&](PortIndex out, const Flit& flit) { all.emplace_back(out - port(0), flit.packet()); });
    return all;
  }
  routing::Topology topology = routing::make_topology(mesh());
  RouterBank bank{topology, Options(), 1};
  OutputBuffers buffers;
};
using Packets = Middle::Packets;

/// Four places an output, of which each is used several times.
TEST(OutputBuffers, SendAFlitOfEachOutputInTheOrderOfTheirComing) {
  Middle m(0);
  EXPECT_TRUE(m.buffers.empty());
  EXPECT_EQ(m.sent(), Packets());
  for (std::uint32_t i = 0; i < 12; ++i) {
    m.push(2, i);
    EXPECT_EQ(m.buffers.waiting(m.port(2)), std::min(i + 1, 4U));
    EXPECT_EQ(m.buffers.waiting(m.port(1)), 0U);
    EXPECT_FALSE(m.buffers.empty());
    if (i >= 3) {
      EXPECT_EQ(m.sent(), (Packets{{2, i - 3}}));
    }
  }
  m.push(4, 100);
  m.push(4, 101);
  m.push(0, 200);
  EXPECT_EQ(m.there(), (Packets{{0, 200}, {2, 9}, {2, 10}, {2, 11}, {4, 100}, {4, 101}}));
  EXPECT_EQ(m.sent(), (Packets{{0, 200}, {2, 9}, {4, 100}}));
  EXPECT_EQ(m.sent(), (Packets{{2, 10}, {4, 101}}));
  EXPECT_EQ(m.sent(), (Packets{{2, 11}}));
  EXPECT_TRUE(m.buffers.empty());
  EXPECT_EQ(m.there(), Packets());
}

TEST(OutputBuffers, AreFullAsTheyWereWhenSomebodyLooked) {
  Middle two(2);
  const auto full = [&] { return two.buffers.full(two.port(3)); };
  two.push(3, 1);
  two.buffers.look();
  EXPECT_FALSE(full()) << "one of two";
  two.push(3, 2);
  EXPECT_FALSE(full()) << "nobody has looked";
  two.buffers.look();
  EXPECT_TRUE(full());
  EXPECT_FALSE(two.buffers.full(two.port(2)));
  two.push(3, 3);
  two.buffers.look();
  EXPECT_TRUE(full()) << "more than two";
  (void)two.sent();
  (void)two.sent();
  EXPECT_TRUE(full()) << "nobody has looked";
  two.buffers.look();
  EXPECT_FALSE(full());
  Middle any(0);
  for (std::uint32_t i = 0; i < 4; ++i) any.push(3, i);
  any.buffers.look();
  EXPECT_FALSE(any.buffers.full(any.port(3))) << "no limit";
}

struct Outputs {
  struct Queue {
    std::uint32_t first = 0, count = 0;
  };
  std::vector<Queue> queues = std::vector<Queue>(8);
  std::vector<Flit> flits = std::vector<Flit>(8 * 4);  // [output, place]
  void checkpoint(Checkpoint& c) {
    c.part("output buffers");
    c.each(queues);
    c.array(flits.data(), flits.size());
  }
};

TEST(RestoredOutputBuffers, HoldFlitsOfOutputsThatLeadOn) {
  Middle m(0);
  m.push(2, 7);
  ByHand<OutputBuffers, Outputs> hand(m.buffers);
  hand.packets = 100;
  hand.also = [&](const Checkpoint& c) { m.buffers.check_restored(c, m.bank); };
  EXPECT_EQ(hand.own().queues[2].count, 1U);
  EXPECT_EQ(hand.own().flits[2 * 4].packet(), 7U);
  EXPECT_EQ(hand.refusal([](Outputs& o) { o.queues[2].count = 4; }), "");
  EXPECT_EQ(hand.refusal([](Outputs& o) { o.queues[2].count = 5; }), here("number of flits in an output buffer", 5, 5));
  EXPECT_EQ(hand.refusal([](Outputs& o) { o.queues[0].first = 3; }), "");
  EXPECT_EQ(hand.refusal([](Outputs& o) { o.queues[0].first = 4; }), here("place in an output buffer", 4, 4));
  EXPECT_EQ(hand.refusal([](Outputs& o) { o.flits[2 * 4] = Flit(99, 0, 1, 3); }), "");
  EXPECT_EQ(hand.refusal([](Outputs& o) { o.flits[2 * 4] = Flit(100, 0, 1, 3); }), here("packet", 100, 100));
  EXPECT_EQ(hand.refusal([](Outputs& o) { o.flits[2 * 4] = Flit(99, 0, 1, 4); }), here("lane", 4, 4));
  EXPECT_EQ(hand.refusal([](Outputs& o) { o.queues[4].count = 1; }), "") << "to the node";
  EXPECT_EQ(hand.refusal([](Outputs& o) { o.queues[5].count = 1; }), no_such_state("a flit that waits for no link"));
  EXPECT_EQ(hand.put([](Outputs& o) {
    o.queues[2] = {3, 2};
    o.flits[2 * 4 + 3] = Flit(5, 0, 1, 0);
    o.flits[2 * 4] = Flit(6, 0, 1, 0);
  }),
            "");
  EXPECT_EQ(m.there(), (Packets{{2, 5}, {2, 6}})) << "from the last place to the first";
  EXPECT_EQ(hand.put([](Outputs& o) { o.queues[2].count = 0; }), "");
  EXPECT_TRUE(m.buffers.empty()) << "who waits is read from the counts";
}

struct Counters {
  std::vector<std::uint8_t> used, pool;  // [output VC], [output port]
  void checkpoint(Checkpoint& c) { c(used, pool); }
};

/// Two VCs with two places each and five for both: seven credits where nothing is used.
TEST(RestoredSharedBuffers, AddUp) {
  Options o;
  o.vcs = 2;
  o.buffers = models::hybrid::Buffers::kShared;
  o.reserved_depth = 2;
  o.shared_depth = 5;
  o.buffer_depth = 7;
  const RouterBank bank(routing::make_topology(Middle::mesh()), o, 1);
  SharedBuffers& buffers = *bank.shared_buffers();
  ByHand<SharedBuffers, Counters> hand(buffers);
  hand.also = [&](const Checkpoint& c) { buffers.check_restored(c); };
  const std::string pools = no_such_state("a pool of flit places that does not add up"),
                    credits = no_such_state("credits that are not what buffers have left"),
                    other = no_such_state("shared buffers of another network");
  for (const PortIndex port : {PortIndex{0}, bank.injection_port(8)}) {  // the last: of the last node
    const VcIndex a = bank.vc_index(port, 0), b = bank.vc_index(port, 1);
    const auto says = [&](std::uint8_t used, std::uint8_t pool, std::uint16_t of_a, std::uint16_t of_b) {
      bank.output_vcs[a].credits = of_a;
      bank.output_vcs[b].credits = of_b;
      const std::string said = hand.put([&](Counters& c) {
        c.used[a] = used;
        c.pool[port] = pool;
      });
      bank.output_vcs[a].credits = bank.output_vcs[b].credits = 7;
      return said;
    };
    EXPECT_EQ(says(0, 5, 7, 7), "");
    EXPECT_EQ(says(0, 4, 6, 6), pools) << "a place of the pool that nobody uses";
    EXPECT_EQ(says(1, 5, 6, 7), "") << "one of its own";
    EXPECT_EQ(says(1, 5, 7, 7), credits);
    EXPECT_EQ(says(1, 5, 6, 6), credits) << "which is not the other's";
    EXPECT_EQ(says(2, 5, 5, 7), "");
    EXPECT_EQ(says(3, 4, 4, 6), "") << "one of the pool, which the other lacks, too";
    EXPECT_EQ(says(3, 5, 5, 7), pools);
    EXPECT_EQ(says(3, 4, 4, 7), credits);
    EXPECT_EQ(says(7, 0, 0, 2), "") << "all of the pool";
    EXPECT_EQ(says(8, 0, 0, 2), pools);
  }
  EXPECT_EQ(hand.put([](Counters&) {}), "");
  EXPECT_EQ(hand.refusal([](Counters& c) { c.used.pop_back(); }), other);
  EXPECT_EQ(hand.refusal([](Counters& c) { c.used.push_back(0); }), other);
  EXPECT_EQ(hand.refusal([](Counters& c) { c.pool.pop_back(); }), other);
  EXPECT_EQ(hand.refusal([](Counters& c) { c.pool.push_back(5); }), other);
}

/// What is counted adds up, and no flit is there.
TEST(RestoredSharedBuffers, CountFlitsAndCreditsThatAreSomewhere) {
  models::Experiment e = uniform_mesh(0.4, 4, 4);
  e.set("router.buffers", "shared");
  e.set("router.reserved_depth", 1);
  e.set("router.shared_depth", 9);
  Bench bench(e), other(e);
  bench.run(300);
  restore(*other.network, saved(*bench.network));
  const RouterBank& bank = models::hybrid::of(bench.network->fabric()).bank();
  VcIndex v = 0;  // with room behind, of a link between routers
  while (bank.links[bank.port_of_vc(v)].target == models::kNone || bank.links[bank.port_of_vc(v)].to_node ||
         bank.output_vcs[v].credits == 0) {
    ++v;
  }
  bank.shared_buffers()->send(v, [](VcIndex) {});
  --bank.output_vcs[v].credits;
  const std::string said = complaint<CheckpointError>([&] { restore(*other.network, saved(*bench.network)); });
  EXPECT_EQ(said, no_such_state("flit places in use that nothing is in"));
}

/// ... but flits that have come to a node that takes fewer: they keep their places, and are no more on a link.
TEST(RestoredSharedBuffers, CountFlitsThatWaitAtTheirNodeAsTheyAre) {
  for (const bool bounded : {false, true}) {
    models::Experiment e = uniform_mesh(0.1, 4, 4);
    e.set("router.buffers", "shared");
    e.set("router.reserved_depth", 1);
    e.set("router.shared_depth", 9);
    if (bounded) e.set("interface.packet_ejection_flits", 1);
    Bench bench(e), other(e);
    bench.run(100);
    restore(*other.network, saved(*bench.network));
    const RouterBank& bank = models::hybrid::of(bench.network->fabric()).bank();
    for (const bool to_node : {false, true}) {
      PortIndex port = 0;  // none of whose VCs has a place in use
      while (bank.links[port].target == models::kNone || bank.links[port].to_node != to_node ||
             bank.shared_buffers()->used_of_port(port) != 0) {
        ++port;
        ASSERT_LT(port, bank.router_port_count());
      }
      const VcIndex v = bank.vc_index(port, 0);
      bank.shared_buffers()->send(v, [](VcIndex) {});  // into the VC's own place
      --bank.output_vcs[v].credits;
      EXPECT_EQ(complaint<CheckpointError>([&] { restore(*other.network, saved(*bench.network)); }),
                bounded && to_node ? "" : no_such_state("flit places in use that nothing is in"))
          << bounded << to_node;
      bank.shared_buffers()->take_credit(v, [](VcIndex) {});
      ++bank.output_vcs[v].credits;
    }
  }
}

}  // namespace
}  // namespace braid::test::buffer_registers_test
