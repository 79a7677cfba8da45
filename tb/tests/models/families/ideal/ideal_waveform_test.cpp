// What a waveform shows of the ideal network, cycle by cycle: what waits at a node's ports, and whose flits leave, come
// and are held.
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "models/families/ideal/fabric.h"
#include "tb/tests/support/bench.h"

namespace braid::test::ideal_waveform_test {
namespace {

using namespace models;

class Nobody final : public PacketSink {
 public:
  bool admit(PacketSlot) override { return true; }
  void deliver(std::uint64_t, PacketSlot) override {}
  void sent(std::uint64_t, PacketSlot) override {}
};

Experiment row_of_three(std::size_t ports, bool queue = false) {
  Experiment e = uniform_mesh(0.0, 3, 1);
  e.set("router.architecture", "ideal");
  e.set("router.queue_at_receiver", queue);
  e.set("topology.local_ports", static_cast<std::int64_t>(ports));
  return e;
}

/// A network whose packets are called a, b, ... as they are sent. A row has a letter or a digit a cycle, '-' where no
/// packet is.
struct Waved {
  explicit Waved(const Experiment& e, std::vector<RouterId> routers = {})
      : bench(e),
        slicing(3, 1),
        network(FabricContext{bench.experiment, bench.topology, *bench.routing, store, slicing}) {
    network.set_sink(0, &sink);
    if (routers.empty()) {
      for (std::size_t r = 0; r < bench.topology.router_count(); ++r) routers.emplace_back(r);
    }
    source = network.signals(table, routers);
  }
  void send(std::size_t from, std::size_t to, std::uint32_t flits, std::size_t port) {
    const PacketSlot slot = pool.take();
    store[slot] = Packet{};
    store[slot].source = NodeId{from};
    store[slot].destination = NodeId{to};
    store[slot].length_flits = static_cast<std::uint16_t>(flits);
    store[slot].sequence = static_cast<std::uint32_t>(letters.size());
    letters[packet_number(from, store[slot].sequence)] = static_cast<char>('a' + static_cast<char>(letters.size()));
    network.send(port, slot);
  }
  void run(std::uint64_t cycles) {
    for (std::uint64_t cycle = 0; cycle < cycles; ++cycle) {
      network.commit(0, cycle);
      source->sample(cycle);
      for (const Signal& s : table.signals()) {
        const bool packet = s.kind == Signal::Kind::kPacket;
        const char digit = static_cast<char>('0' + static_cast<char>(s.value));
        rows[s.scope + "." + s.name] += !packet ? digit : s.value == 0 ? '-' : letters.at(s.value);
      }
    }
  }

  Bench bench;
  PacketStore store;
  PacketStore::Pool pool{store};
  Slicing slicing;
  Nobody sink;
  models::ideal::Fabric network;
  SignalTable table;
  std::unique_ptr<SignalSource> source;
  std::map<std::uint64_t, char> letters;
  std::map<std::string, std::string> rows;
};

/// Nodes with two ports each: 0 and 1, 2 and 3, 4 and 5. Links take turns, a place a cycle: b, d, e and a leave in 0,
/// e, a and b in 1, c and e in 2.
void send_five(Waved& waved) {
  waved.send(0, 1, 2, 0);  // a
  waved.send(0, 2, 2, 1);  // b
  waved.send(0, 1, 1, 1);  // c, over the link that a has
  waved.send(2, 1, 1, 4);  // d
  waved.send(2, 0, 3, 5);  // e
}

TEST(IdealWaveform, ShowsWhatWaitsAndWhoseFlitsGoByEachNode) {
  Waved waved(row_of_three(2));
  send_five(waved);
  waved.run(4);
  const std::map<std::string, std::string> expected{
      {"node_0.queued", "3100"}, {"node_0.sends0", "bac-"}, {"node_0.sends1", "ab--"}, {"node_0.comes", "eee-"},
      {"node_1.queued", "0000"}, {"node_1.sends0", "----"}, {"node_1.sends1", "----"}, {"node_1.comes", "aac-"},
      {"node_2.queued", "1100"}, {"node_2.sends0", "dee-"}, {"node_2.sends1", "e---"}, {"node_2.comes", "bb--"}};
  EXPECT_EQ(waved.rows, expected) << "of two flits that come the last is named; nothing is held anywhere";
}

TEST(IdealWaveform, ShowsNodesOfTheRoutersThatAreChosenAlone) {
  Waved waved(row_of_three(2), {RouterId{std::size_t{1}}});
  send_five(waved);
  waved.run(4);
  const std::map<std::string, std::string> expected{
      {"node_1.queued", "0000"}, {"node_1.sends0", "----"}, {"node_1.sends1", "----"}, {"node_1.comes", "aac-"}};
  EXPECT_EQ(waved.rows, expected);
}

/// Three flits come for node 2, which takes one a cycle: in 1 two are left.
TEST(IdealWaveform, ShowsWhatIsHeldWhereFlitsWaitAtTheReceiver) {
  Waved waved(row_of_three(1, true));
  for (std::size_t from = 0; from < 3; ++from) waved.send(from, 2, 1, from);
  waved.run(5);
  EXPECT_EQ(waved.rows["node_2.held"], "02100");
  EXPECT_EQ(waved.rows["node_0.held"], "00000");
  EXPECT_EQ(waved.rows["node_0.sends0"], "a----");
  EXPECT_EQ(waved.rows["node_1.sends0"], "b----");
  EXPECT_EQ(waved.rows["node_2.sends0"], "c----");
  EXPECT_EQ(waved.rows["node_2.comes"], "a----") << "the link that was first goes last";
}

/// Rows are named by routers: without a topology there are none.
TEST(IdealWaveform, IsNoneWithoutATopology) {
  PacketStore store;
  const models::ideal::Fabric network(store, {1, 1});
  SignalTable table;
  EXPECT_EQ(network.signals(table, {}), nullptr);
  EXPECT_TRUE(table.signals().empty());
}

}  // namespace
}  // namespace braid::test::ideal_waveform_test
