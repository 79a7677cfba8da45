// Checkpoints of networks whose parts contradict each other, where that shows in some packets or slices alone: events
// of another slice's routers, routes of packets that are in one place only.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "tb/tests/support/cut_through.h"
#include "tb/tests/support/myrinet.h"
#include "tb/tests/support/restored.h"

namespace braid::test::slices_restored_test {
namespace {

using models::PortIndex;
using models::virtual_cut_through::Slice;
using Kind = Slice::EventKind;

/// Two routers, a slice each, whose nodes send to each other: tails leave their sources in 4, and the routers' ports
/// are free from 6 on.
struct TwoSlices : Restored {
  TwoSlices() : Restored(pair(), 2) {
    bench.run(1);
    for (const std::size_t n : {0U, 1U}) bench.network->send_packet(NodeId{n}, NodeId{1 - n}, 4);
  }
  static models::Experiment pair() {
    models::Experiment e = vct_grid("mesh", 0.0);
    e.set("topology.width", 2).set("topology.height", 1);
    return e;
  }
  /// What is said where one event is another one.
  std::string said(const std::string& is, const std::string& becomes) {
    std::string bytes = saved(*bench.network);
    EXPECT_EQ(said_to(*other.network, bytes), "");
    const std::size_t at = bytes.find(is);
    EXPECT_NE(at, std::string::npos);
    if (at != std::string::npos) bytes.replace(at, is.size(), becomes);
    return said_to(*other.network, bytes);
  }
};

TEST(CutThroughRestoredEvent, IsOfARouterOrNodeOfItsSlice) {
  TwoSlices t;
  const auto& b = bank(t.bench);
  const std::string refused = no_such_state("an event of another router");
  t.bench.run(1);
  const auto injected = [&](std::size_t node) { return event(5, Kind::kInjected, 0, b.injection_port(node), 0); };
  EXPECT_EQ(t.said(injected(0), injected(1)), refused);
  EXPECT_EQ(t.said(injected(1), injected(0)), refused);
  t.bench.run(1);
  const PortIndex east = b.port_index(RouterId{0}, routing::kEast), west = b.port_index(RouterId{1}, routing::kWest),
                  local_0 = b.port_index(RouterId{0}, PortId{4}), local_1 = b.port_index(RouterId{1}, PortId{4});
  EXPECT_EQ(t.said(event(6, Kind::kTransferred, 0, east, local_0), event(6, Kind::kTransferred, 0, west, local_1)),
            refused);
  EXPECT_EQ(t.said(event(6, Kind::kTransferred, 0, west, local_1), event(6, Kind::kTransferred, 0, east, local_0)),
            refused);
  const auto credited = [&](std::size_t node) { return event(6, Kind::kCredited, 4, b.injection_port(node), 0); };
  EXPECT_EQ(t.said(credited(0), credited(1)), refused);
  EXPECT_EQ(t.said(credited(1), credited(0)), refused);
}

/// Three packets of one host: the first is on its way alone, the second is being sent, the third waits. Each names its
/// route, and so does where it stands.
TEST(MyrinetRestoredPacket, HasARouteWhereverItIs) {
  Restored r(myrinet_row(2));
  r.bench.run(10);
  for (int i = 0; i < 3; ++i) r.bench.network->send_packet(NodeId{0}, NodeId{1}, 32);
  r.bench.run(50);
  const models::myrinet::Slice& slice = myrinet_of(r.bench).slice();
  ASSERT_EQ(slice.queued(0), 2U);
  auto& store = const_cast<models::PacketStore&>(myrinet_of(r.bench).store());
  const std::uint64_t routes = r.bench.routing->routes()->size();
  std::size_t packets = 0;
  for (models::PacketSlot slot = 0; slot < 3; ++slot) {
    const routing::RouteId route = store[slot].route;
    for (const routing::RouteId bad : {static_cast<routing::RouteId>(routes), routing::kNoRoute}) {
      EXPECT_EQ(r.said_after([&] { store[slot].route = bad; }), here("route of a packet", bad, routes)) << slot;
    }
    EXPECT_EQ(r.said_after([&] { store[slot].route = static_cast<routing::RouteId>(routes - 1); }), "") << slot;
    store[slot].route = route;
    ++packets;
  }
  EXPECT_EQ(packets, 3U);
}

}  // namespace
}  // namespace braid::test::slices_restored_test
