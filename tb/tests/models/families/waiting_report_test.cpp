// What the watchdog's report says of each family's packets that wait where nobody waits in a circle: line by line.
#include <gtest/gtest.h>

#include <string>

#include "tb/tests/support/cut_through.h"
#include "tb/tests/support/myrinet.h"
#include "tb/tests/support/po2_row.h"

namespace braid::test::waiting_report_test {
namespace {

using models::Experiment;

/// A row of three, queues of one packet. Node 1's long packet has the port east of router 1 and the queue behind it.
/// Node 0's first packet waits for both in router 1, the second for the first one's queue.
TEST(WaitingReport, NamesQueuesOfCutThroughRouters) {
  Experiment e = vct_grid("mesh", 0.0);
  e.set("topology.width", 3);
  e.set("topology.height", 1);
  e.set("router.queue_packets", 1);
  Bench bench(e);
  EXPECT_EQ(bench.network->fabric().describe_waiting(), "\nno cycle among queues; these wait:");
  bench.run(1);
  bench.network->send_packet(NodeId{1}, NodeId{2}, 100);
  bench.run(5);
  for (int i = 0; i < 2; ++i) bench.network->send_packet(NodeId{0}, NodeId{2}, 4);
  bench.run(30);
  EXPECT_EQ(bench.network->fabric().describe_waiting(),
            "\nno cycle among queues; these wait:"
            "\n  router 0,0 port local0: packet 1 of node 0 to node 2 (1 packets buffered) needs a packet buffer"
            "\n  router 1,0 port west: packet 0 of node 0 to node 2 (1 packets buffered) needs a packet buffer"
            "\n  router 1,0 port local0: packet 0 of node 1 to node 2 (1 packets buffered) needs a packet buffer"
            "\n  router 2,0 port west: packet 0 of node 1 to node 2 (1 packets buffered) needs a packet buffer");
}

/// The same in Myrinet-like switches: node 0's packet fills the slack buffer at switch 1, up to the 71 flits that meet
/// there when its sender has been stopped. What is under way has the ports that it holds.
TEST(WaitingReport, NamesSlackBuffers) {
  Bench bench(myrinet_row(3));
  bench.run(10);
  bench.network->send_packet(NodeId{1}, NodeId{2}, 512);
  bench.network->send_packet(NodeId{0}, NodeId{2}, 400);
  bench.run(150);
  const std::string text = bench.network->fabric().describe_waiting();
  const std::string begin =
      "\nno cycle among slack buffers; these wait:"
      "\n  router 1,0 port west: packet 0 of node 0 to node 2 (71 flits buffered) asks for output east"
      "\n  router 2,0 port west: packet 0 of node 1 to node 2 (";
  EXPECT_EQ(text.substr(0, begin.size()), begin);
  EXPECT_NE(text.find(" flits buffered) holds output local0\n  router 0,0 port local0: packet 0 of node 0 to node 2 ("),
            std::string::npos)
      << text;
  EXPECT_NE(text.find(" flits buffered) holds output east\n  router 1,0 port local0: packet 0 of node 1 to node 2 ("),
            std::string::npos)
      << text;
  const std::string end = " flits buffered) holds output east";
  EXPECT_EQ(text.substr(text.size() - end.size()), end);
}

/// Pools of one buffer: node 0's packet has its header in by 5, and router 1's buffer is node 1's until 11.
TEST(WaitingReport, NamesPools) {
  Experiment e = small_po2(3, 1);
  e.set("po2.buffers", 1);
  Bench bench(e);
  bench.network->send_packet(NodeId{1}, NodeId{2}, 4);
  bench.network->send_packet(NodeId{0}, NodeId{1}, 4);
  bench.run(5);
  EXPECT_EQ(bench.network->fabric().describe_waiting(),
            "\nno cycle among routers; these wait:"
            "\n  router 0,0 (1 of 1 buffers taken): packet 0 of node 0 to node 1 waits since cycle 5 for a buffer of "
            "router 1,0"
            "\n  router 1,0 (1 of 1 buffers taken): packet 0 of node 1 to node 2 waits since cycle 5 for a buffer of "
            "router 2,0");
  bench.run(4);
  EXPECT_EQ(bench.network->fabric().describe_waiting(),
            "\nno cycle among routers; these wait:"
            "\n  router 0,0 (1 of 1 buffers taken): packet 0 of node 0 to node 1 waits since cycle 5 for a buffer of "
            "router 1,0");
  bench.run(20);
  EXPECT_EQ(bench.network->fabric().describe_waiting(), "\nno cycle among routers; these wait:");
}

}  // namespace
}  // namespace braid::test::waiting_report_test
