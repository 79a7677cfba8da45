// What a PO2 slice counts of a packet that begins to leave its buffer, by a link or to the node, and what is left of it
// in its router's registers. The packet is put there by hand.
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "models/families/po2/slice.h"
#include "tb/tests/support/po2_row.h"

namespace braid::test::po2_leaving_test {
namespace {

using models::po2::Buffer;
using models::po2::Offer;
using models::po2::Port;

/// A packet of 4 flits in buffer 5 of router 0, which waits for the link to router 1 or for the node since cycle 30.
struct Waits {
  Bench bench{small_po2(2, 1)};
  models::po2::Slice& slice = models::po2::of(bench.network->fabric()).slice(0);
  models::po2::Router& router = slice.router(0);
  std::size_t link = port_of(routing::PortKind::kNetwork), local = port_of(routing::PortKind::kLocal);
  Buffer& buffer = router.buffers[5];
  Offer offer;

  explicit Waits(bool ejects) {
    bench.network->send_packet(NodeId{1}, NodeId{0}, 4);
    buffer.packet = slice.head(1, port_of(routing::PortKind::kLocal, 1))->packet;
    buffer.state = Buffer::State::kWaiting;
    buffer.since = 30;
    buffer.candidates = 1;
    slice.candidates(0, 5)[0].port = PortId{ejects ? local : link};
    router.ports[ejects ? local : link].wanted = 3;
    router.waiting = {2, 5, 9};
    offer.packet = buffer.packet;
    offer.buffer = 5;
  }
  std::size_t port_of(routing::PortKind kind, std::size_t r = 0) const {
    std::size_t p = 0;
    while (bench.topology.port(RouterId{r}, PortId{p}).kind != kind) ++p;
    return p;
  }
};

TEST(Po2Leaving, TakesThePortAndCountsItsFlits) {
  for (const bool ejects : {false, true}) {
    Waits w(ejects);
    const std::size_t p = ejects ? w.local : w.link;
    w.slice.begin_leaving(0, p, w.offer, 40);
    EXPECT_EQ(w.buffer.state, Buffer::State::kLeaving);
    EXPECT_EQ(w.router.waiting, (std::vector<std::uint8_t>{2, 9}));
    const Port& port = w.router.ports[p];
    EXPECT_EQ(port.use, Port::Use::kSending);
    EXPECT_EQ(port.buffer, 5U);
    EXPECT_TRUE(port.sent_last);
    EXPECT_EQ(port.wanted, 2U) << "a packet fewer";
    EXPECT_EQ(port.waiting_cycles, 40U) << "counted before it is taken";
    EXPECT_EQ(port.flits_sent, 4U);
    EXPECT_EQ((w.router.idle >> p) & 1, 0U);
    EXPECT_EQ(w.slice.counters().flit_hops, 4U) << "over the router's switch, wherever it goes";
    EXPECT_EQ(w.slice.counters().retransmissions + w.slice.counters().rejections, 0U);
  }
}

/// A deroute is a link that costs one of the numbers that routing counts deroutes by.
TEST(Po2Leaving, CountsADerouteOverALinkWithAHigherNumber) {
  for (const bool ejects : {false, true}) {
    for (const auto& [before, after] : {std::pair(0, 0), std::pair(0, 1), std::pair(1, 1), std::pair(2, 1)}) {
      Waits w(ejects);
      w.buffer.vc = static_cast<std::uint8_t>(before);
      w.offer.vc = static_cast<std::uint8_t>(after);
      w.slice.begin_leaving(0, ejects ? w.local : w.link, w.offer, 40);
      EXPECT_EQ(w.slice.counters().deroutes, !ejects && after > before ? 1U : 0U) << before << " " << after;
    }
  }
}

/// An escape is counted once, where the packet leaves its routes.
TEST(Po2Leaving, CountsAnEscapeWhereItBegins) {
  for (const models::po2::PoolClass before : {0, 1, 2}) {
    for (const models::po2::PoolClass after : {0, 1, 2}) {
      Waits w(false);
      w.buffer.pool_class = before;
      w.offer.pool_class = after;
      w.slice.begin_leaving(0, w.link, w.offer, 40);
      EXPECT_EQ(w.slice.counters().escapes, before == 0 && after != 0 ? 1U : 0U) << int{before} << " " << int{after};
    }
  }
}

}  // namespace
}  // namespace braid::test::po2_leaving_test
