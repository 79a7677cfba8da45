// What comes from a checkpoint into PO2 routers, register by register: each that names something that is not there, or
// that another register contradicts, is refused for what it is, and the last value that is allowed is taken.
#include "tb/tests/support/po2_restored.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "tb/tests/support/po2_row.h"

namespace braid::test::po2_restored_test {
namespace {

using models::Experiment;
using models::po2::Port;
using State = models::po2::Buffer::State;
using Change = std::function<void(const Po2Place&)>;

constexpr auto kPorts = Po2Restored::kPorts, kBuffers = Po2Restored::kBuffers, kLocal = Po2Restored::kLocal;

bool is_free(const Po2Place& p) { return p.is(State::kFree); }
bool waits(const Po2Place& p) { return p.is(State::kWaiting); }

/// Numbers in registers of a buffer that is free are looked at, too: nobody reads them before they are written anew.
TEST(Po2RestoredBuffer, NamesWhatThereIs) {
  Po2Restored r;
  const auto most = static_cast<std::uint8_t>(r.most_ways());
  const std::string ways = std::to_string(most + 1);
  struct Case {
    Change allowed, not_allowed;
    std::string said;
  };
  const Case cases[] = {
      {[](auto& p) { p.buffer().pool_class = 2; }, [](auto& p) { p.buffer().pool_class = 3; },
       "class of packets 3, here are 3"},
      {[](auto& p) { p.buffer().escape_class = 2; }, [](auto& p) { p.buffer().escape_class = 3; },
       "class of packets 3, here are 3"},
      {[](auto& p) { p.buffer().in_port = PortId{kPorts - 1}; }, [](auto& p) { p.buffer().in_port = PortId{kPorts}; },
       "port 7, here are 7"},
      {[=](auto& p) { p.buffer().candidates = most; },
       [=](auto& p) { p.buffer().candidates = static_cast<std::uint8_t>(most + 1); },
       "number of ways " + ways + ", here are " + ways},
      {[](auto& p) { p.buffer().vc = 15; }, [](auto& p) { p.buffer().vc = 16; }, "VC 16, here are 16"},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(r.said_of(is_free, c.allowed), "") << "one less than " << c.said;
    EXPECT_EQ(r.said_of(is_free, c.not_allowed), c.said);
  }
  EXPECT_EQ(r.said_of(is_free, [](auto& p) { p.buffer().state = static_cast<State>(4); }),
            "state of a buffer 4, here are 4");
}

/// Of the last buffer of the last router as of the first one of the first.
TEST(Po2RestoredBuffer, IsLookedAtWhereverItIs) {
  Po2Restored r;
  const std::size_t last = r.bench.topology.router_count() - 1;
  for (const std::size_t router : {std::size_t{0}, last}) {
    for (const std::size_t buffer : {std::size_t{0}, kBuffers - 1}) {
      const auto wanted = [=](const Po2Place& p) { return p.r == router && p.b == buffer; };
      EXPECT_EQ(r.said_of(wanted, [](auto& p) { p.buffer().vc = 16; }), "VC 16, here are 16") << router << buffer;
    }
  }
}

TEST(Po2RestoredBuffer, HoldsAPacketThatIsThere) {
  Po2Restored r;
  for (const State state : {State::kArriving, State::kWaiting, State::kLeaving}) {
    const std::string said =
        r.said_of([=](auto& p) { return p.is(state); }, [](auto& p) { p.buffer().packet = 0x7fffffff; });
    EXPECT_EQ(said.rfind("packet 2147483647, here are ", 0), 0U) << said;
  }
  EXPECT_EQ(r.said_of(is_free, [](auto& p) { p.buffer().packet = 0x7fffffff; }), "") << "or none";
}

TEST(Po2RestoredBuffer, IsRejectedOnlyWhileItsPacketWaits) {
  Po2Restored r;
  const auto tries = [](auto& p) { p.buffer().trying = true; };
  for (const State state : {State::kArriving, State::kLeaving}) {
    EXPECT_EQ(r.said_of([=](auto& p) { return p.is(state); }, tries),
              no_such_state("a packet that is rejected and does not wait"));
  }
  EXPECT_EQ(r.said_of(waits, tries), "");
}

TEST(Po2RestoredWays, LeadSomewhere) {
  Po2Restored r;
  EXPECT_EQ(r.said_of(waits, [](auto& p) { p.buffer().candidates = 0; }), no_such_state("a packet without a way on"));
  EXPECT_EQ(r.said_of(waits, [](auto& p) { p.ways[p.buffer().candidates - 1].port = PortId{kPorts}; }),
            "port 7, here are 7");
  EXPECT_EQ(r.said_of(waits, [](auto& p) { p.ways[p.buffer().candidates - 1].vcs = 0; }),
            no_such_state("a way that leads nowhere"));
}

/// A router in a mesh's corner has ports without links.
TEST(Po2RestoredWays, LeadOverALink) {
  Experiment e = small_po2(3, 3);
  e.set("traffic.rate_flits_per_node_cycle", 0.5);
  Po2Restored r(e);
  const auto unconnected = [&](const Po2Place& p) {
    std::size_t port = 0;
    while (port < p.router.ports.size() && r.port(p.r, port).kind != routing::PortKind::kUnconnected) ++port;
    return port;
  };
  const auto wanted = [&](auto& p) { return waits(p) && unconnected(p) < p.router.ports.size(); };
  EXPECT_EQ(r.said_of(wanted, [&](auto& p) { p.ways[0].port = PortId{unconnected(p)}; }),
            no_such_state("a way that leads nowhere"));
}

/// A port too many, one too few, one for another.
TEST(Po2RestoredWays, AreThePortsThatThePacketWants) {
  Po2Restored r;
  for (const std::uint64_t wants : {std::uint64_t{1}, std::uint64_t{1} << kLocal, (std::uint64_t{1} << kPorts) - 1}) {
    EXPECT_EQ(r.said_of(waits, [=](auto& p) { p.buffer().wants ^= wants; }),
              no_such_state("a packet that wants ports that it has no way by"));
  }
}

/// The last way is the escape. Nobody escapes to a node, for packets that have arrived have no patience to lose.
TEST(Po2RestoredWays, DoNotEscapeToANode) {
  Po2Restored r;
  const auto escapes = [](auto& p) { p.buffer().escaping = true; };
  const auto last = [](const Po2Place& p) { return p.ways[p.buffer().candidates - 1].port.value; };
  EXPECT_EQ(r.said_of([&](auto& p) { return waits(p) && last(p) == kLocal; }, escapes),
            no_such_state("an escape to a node"));
  EXPECT_EQ(r.said_of([&](auto& p) { return waits(p) && last(p) != kLocal; }, escapes), "");
}

TEST(Po2RestoredQueue, HasEachPacketThatWaitsOnce) {
  Po2Restored r;
  const std::string twice = no_such_state("a packet that waits twice, or not at all");
  EXPECT_EQ(r.said_of(waits, [](auto& p) { p.router.waiting.push_back(kBuffers); }), "buffer 20, here are 20");
  EXPECT_EQ(r.said_of(waits, [](auto& p) { p.router.waiting.push_back(p.router.waiting.front()); }), twice);
  EXPECT_EQ(r.said_of(waits, [](auto& p) { p.router.waiting.pop_back(); }),
            no_such_state("a pool that does not add up"));
  for (const State state : {State::kFree, State::kArriving, State::kLeaving}) {
    const auto wait = [](auto& p) { p.router.waiting.push_back(static_cast<std::uint8_t>(p.b)); };
    EXPECT_EQ(r.said_of([=](auto& p) { return p.is(state); }, wait), twice);
  }
}

/// Port 0 leads to another router.
TEST(Po2RestoredPort, HasAUseAndABufferOfItsRouter) {
  Po2Restored r;
  const auto idle = [](const Po2Place& p) { return p.router.ports[0].use == Port::Use::kIdle; };
  EXPECT_EQ(r.said_of(idle, [](auto& p) { p.router.ports[0].use = static_cast<Port::Use>(4); }),
            "use of a port 4, here are 4");
  EXPECT_EQ(r.said_of(idle, [](auto& p) { p.router.ports[kLocal].buffer = kBuffers; }), "buffer 20, here are 20");
  EXPECT_EQ(r.said_of(idle, [](auto& p) { p.router.ports[0].buffer = kBuffers - 1; }), "");
  EXPECT_EQ(r.said_of(idle, [](auto& p) { p.router.ports[0].use = Port::Use::kReceiving; }),
            no_such_state("a pool that does not add up"))
      << "it is among the idle ones";
}

/// Each class by itself.
TEST(Po2RestoredPool, AddsUpInEachOfItsSums) {
  Po2Restored r;
  const Change changes[] = {
      [](auto& p) { ++p.router.use[0]; },  [](auto& p) { ++p.router.use[1]; },
      [](auto& p) { ++p.router.use[2]; },  [](auto& p) { p.router.free ^= std::uint64_t{1} << (kBuffers - 1); },
      [](auto& p) { p.router.idle ^= 1; }, [](auto& p) { p.router.idle ^= std::uint64_t{1} << kLocal; }};
  for (const Change& change : changes)
    EXPECT_EQ(r.said_of(waits, change), no_such_state("a pool that does not add up"));
  for (std::size_t c = 0; c < 3; ++c) {
    EXPECT_EQ(r.said_of(waits, [=](auto& p) { p.router.use_when_offered[c] = kBuffers; }), "") << c;
    EXPECT_EQ(r.said_of(waits, [=](auto& p) { p.router.use_when_offered[c] = kBuffers + 1; }),
              "number of buffers 21, here are 21");
  }
}

/// A node's interface keeps as many messages at hand as it may: two of node 0's are there after its second packet.
TEST(Po2RestoredSource, HasNoMoreMessagesAtHandThanItMay) {
  Experiment e = small_po2(2, 1);
  e.set("message.packet_flits", 4);
  e.set("po2.cached_messages", 2);
  Bench two(e);
  for (int i = 0; i < 2; ++i) send_message(two, NodeId{0}, NodeId{1}, 1);
  two.run(12);
  Bench also_two(e);
  EXPECT_EQ(said_to(*also_two.network, saved(*two.network)), "");
  e.set("po2.cached_messages", 1);
  Bench one(e);
  EXPECT_EQ(said_to(*one.network, saved(*two.network)), no_such_state("a cache of too many messages"));
}

}  // namespace
}  // namespace braid::test::po2_restored_test
