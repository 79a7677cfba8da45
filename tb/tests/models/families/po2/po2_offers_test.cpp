// Which of the packets that are offered to a PO2 router come in, told from offers that are written by hand: by age,
// then by port; one of each message; as many as there are buffers and ways in (docs/po2.md).
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <tuple>
#include <utility>

#include "models/families/po2/slice.h"
#include "tb/tests/support/po2_row.h"

namespace braid::test::po2_offers_test {
namespace {

using models::po2::Offer;
using models::po2::Router;

constexpr std::uint64_t kCycle = 50;

/// Router 1 in a row of three, which its neighbours and its own node offer packets.
struct Row {
  Bench bench;
  models::po2::Slice& slice = models::po2::of(bench.network->fabric()).slice(0);
  std::size_t from_0 = to(1, 0), from_2 = to(1, 2), local = 0;

  explicit Row(const models::Experiment& e) : bench(e) {
    while (port(1, local).kind != routing::PortKind::kLocal) ++local;
  }
  const routing::Port& port(std::size_t r, std::size_t p) const { return bench.topology.port(RouterId{r}, PortId{p}); }
  /// The port by which a router leads to another one.
  std::size_t to(std::size_t r, std::size_t other) const {
    std::size_t p = 0;
    while (port(r, p).kind != routing::PortKind::kNetwork || port(r, p).peer_router != RouterId{other}) ++p;
    return p;
  }
  Router& router() { return slice.router(1); }
  Offer& of_0() { return slice.router(0).offers[to(0, 1)]; }
  Offer& of_2() { return slice.router(2).offers[to(2, 1)]; }
  Offer& of_node() { return router().offers[local]; }
  /// All three offer, since these cycles, packets of no message.
  void offer(std::uint64_t since_0, std::uint64_t since_2, std::uint64_t since_node) {
    of_0() = of_2() = of_node() = Offer{};
    of_0().since = since_0;
    of_2().since = since_2;
    of_node().since = since_node;
    of_0().cycle = of_2().cycle = of_node().cycle = kCycle;
    of_node().inject = true;
  }
  std::string names(std::uint64_t ports) const {
    return std::string((ports >> from_0 & 1) != 0 ? "0" : "") + ((ports >> from_2 & 1) != 0 ? "2" : "") +
           ((ports >> local & 1) != 0 ? "n" : "");
  }
  /// Whose packets get a buffer: of router 0, of router 2, of the node.
  std::string granted() const { return names(slice.granted_ports(1, kCycle)); }
  std::string rejected() const { return names(slice.rejected_ports(1, kCycle, slice.granted_ports(1, kCycle))); }
};
models::Experiment with(const char* key, std::int64_t value) {
  models::Experiment e = small_po2(3, 1);
  e.set("po2.buffers", 3);
  e.set(key, value);
  return e;
}

TEST(Po2Offers, AreGrantedByAgeAsFarAsBuffersGo) {
  Row row(with("po2.buffers", 2));
  for (const auto& [since_0, since_2, since_node, granted] :
       {std::tuple(5, 3, 4, "2n"), std::tuple(3, 5, 4, "0n"), std::tuple(3, 4, 5, "02"), std::tuple(4, 3, 5, "02")}) {
    row.offer(since_0, since_2, since_node);
    EXPECT_EQ(row.granted(), granted);
  }
  row.offer(5, 3, 4);
  for (const auto& [used, granted] : {std::pair(0, "2n"), std::pair(1, "2"), std::pair(2, "")}) {
    row.router().use_when_offered = {static_cast<std::uint8_t>(used), 0, 0};
    EXPECT_EQ(row.granted(), granted);
  }
}

TEST(Po2Offers, OfOneAgeAreGrantedByPort) {
  Row row(with("po2.buffers", 1));
  row.offer(4, 4, 4);
  const std::size_t first = std::min({row.from_0, row.from_2, row.local});
  EXPECT_EQ(row.slice.granted_ports(1, kCycle), std::uint64_t{1} << first);
}

TEST(Po2Offers, OfOtherCyclesAreNone) {
  Row row(with("po2.buffers", 3));
  row.offer(1, 2, 3);
  EXPECT_EQ(row.granted(), "02n");
  for (Offer* offer : {&row.of_0(), &row.of_2(), &row.of_node()}) {
    for (const std::uint64_t other : {kCycle - 1, kCycle + 1, Offer::kNever}) {
      offer->cycle = other;
      EXPECT_EQ(row.granted().size(), 2U);
    }
    offer->cycle = kCycle;
  }
  row.of_node().inject = false;
  EXPECT_EQ(row.granted(), "02") << "what goes out to the node does not come in";
}

TEST(Po2Offers, ThatAreRefusedLeaveTheirPlaceToOthers) {
  Row row(with("po2.buffers", 1));
  row.offer(1, 2, 3);
  EXPECT_EQ(row.granted(), "0");
  row.of_0().refused = true;
  EXPECT_EQ(row.granted(), "2");
  row.of_2().refused = true;
  EXPECT_EQ(row.granted(), "n");
}

/// As many at once as the crossbar into the pool has ports; 0: one from every port.
TEST(Po2Offers, AreGrantedAsFarAsWaysInGo) {
  for (const std::uint32_t most : {0U, 1U, 2U, 3U, 4U}) {
    Row row(with("po2.crossbar_in_ports", most));
    row.offer(1, 2, 3);
    for (std::uint8_t coming = 0; coming <= std::max(most, 1U); ++coming) {
      row.router().coming_when_offered = coming;
      const std::size_t left = most == 0 ? 3 : most - std::min<std::uint32_t>(coming, most);
      EXPECT_EQ(row.granted(), std::string("02n").substr(0, std::min<std::size_t>(left, 3))) << most << " " << coming;
    }
  }
}

/// The oldest of a message that gets a buffer keeps the others of it out, where routers reject them.
TEST(Po2Offers, OfAMessageAreGrantedOneAtATime) {
  for (const bool rejects : {true, false}) {
    models::Experiment e = small_po2(3, 1);
    e.set("po2.buffers", 3);
    e.set("po2.reject_same_message", rejects);
    Row row(e);
    row.offer(1, 2, 3);
    EXPECT_EQ(row.granted(), "02n") << "packets of no message have nothing in common";
    row.of_0().message = row.of_node().message = 7;
    EXPECT_EQ(row.granted(), rejects ? "02" : "02n");
    row.of_2().message = 7;
    EXPECT_EQ(row.granted(), rejects ? "0" : "02n");
    row.of_0().refused = true;
    EXPECT_EQ(row.granted(), rejects ? "2" : "2n") << "one that gets no buffer keeps nobody out";
    row.of_node().message = 8;
    EXPECT_EQ(row.granted(), "2n");
    row.of_node().message = 7;
    row.of_node().pool_class = 1;
    EXPECT_EQ(row.granted(), "2n") << "an escape does not wait for its message";
  }
}

/// Both ends of a link ask for it: the one that sent last waits. Before the first transfer the lower router begins.
TEST(Po2Offers, OfTwoEndsOfALinkAlternate) {
  struct Case {
    bool own_sent_last, theirs_sent_last;
    const char *from_0, *from_2;  // does what the neighbour offers come in?
  };
  for (const Case& c : {Case{false, false, "0", ""}, Case{true, false, "0", "2"}, Case{false, true, "", ""}}) {
    for (const std::size_t neighbour : {0U, 2U}) {
      Row row(with("po2.buffers", 3));
      Offer& theirs = neighbour == 0 ? row.of_0() : row.of_2();
      const std::size_t p = neighbour == 0 ? row.from_0 : row.from_2;
      Offer& own = row.router().offers[p];
      theirs.cycle = own.cycle = kCycle;
      theirs.sent_last = c.theirs_sent_last;
      own.sent_last = c.own_sent_last;
      EXPECT_EQ(row.granted(), neighbour == 0 ? c.from_0 : c.from_2);
      const Offer* in = row.slice.offer_into(1, p, kCycle);
      EXPECT_EQ(in, row.granted().empty() ? nullptr : &theirs);
      own.cycle = kCycle - 1;
      EXPECT_EQ(row.slice.offer_into(1, p, kCycle), &theirs) << "only one end asks";
      theirs.cycle = kCycle - 1;
      EXPECT_EQ(row.slice.offer_into(1, p, kCycle), nullptr);
    }
  }
}

/// Who cannot see the pool sends in vain: over links, from nodes too, or nobody.
TEST(Po2Offers, AreInVainWhereTheSenderDoesNotSeeThePool) {
  for (const auto& [rejection, one_buffer, none] :
       {std::tuple("seen", "", ""), std::tuple("tried_on_links", "0", "02"), std::tuple("tried", "0n", "02n")}) {
    models::Experiment e = small_po2(3, 1);
    e.set("po2.rejection", rejection);
    e.set("po2.buffers", 1);
    Row row(e);
    row.offer(2, 1, 3);
    EXPECT_EQ(row.granted(), "2");
    EXPECT_EQ(row.rejected(), one_buffer) << rejection;
    row.router().use_when_offered = {1, 0, 0};
    EXPECT_EQ(row.rejected(), none) << rejection;
    row.of_0().cycle = kCycle - 1;
    EXPECT_EQ(row.rejected().find('0'), std::string::npos) << "who offers nothing";
  }
}

}  // namespace
}  // namespace braid::test::po2_offers_test
