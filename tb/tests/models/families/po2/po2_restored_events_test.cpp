// Events that come from a checkpoint into PO2 routers: what is on its way has one that ends it, of its own router, and
// an escape that is to come is added once.
#include <gtest/gtest.h>

#include <cstring>
#include <set>
#include <string>
#include <vector>

#include "tb/tests/support/po2_restored.h"

namespace braid::test::po2_restored_events_test {
namespace {

using models::Experiment;
using models::po2::Port;
using State = models::po2::Buffer::State;

constexpr auto kPorts = Po2Restored::kPorts, kBuffers = Po2Restored::kBuffers, kLocal = Po2Restored::kLocal;

/// A packet whose header is on its way in is routed when it is there; one that leaves is over when it has left.
TEST(Po2RestoredTransfer, EndsWithItsPacketInThatState) {
  Po2Restored r;
  EXPECT_EQ(
      r.said_of([](auto& p) { return p.is(State::kArriving); }, [](auto& p) { p.buffer().state = State::kLeaving; }),
      no_such_state("a packet that is routed twice"));
  for (const bool ejects : {false, true}) {
    const auto leaves = [=](const Po2Place& p) {
      const Port& node = p.router.ports[kLocal];
      return p.is(State::kLeaving) && (node.use == Port::Use::kSending && node.buffer == p.b) == ejects;
    };
    EXPECT_EQ(r.said_of(leaves, [](auto& p) { p.buffer().state = State::kArriving; }),
              no_such_state("a packet that leaves twice"))
        << ejects;
  }
}

/// Every second packet is damaged on its link: it is never routed, and its sender sends it again.
TEST(Po2RestoredTransfer, OfADamagedPacketEndsLikewise) {
  Experiment e = busy_po2();
  e.set("po2.error_rate", 0.5);
  Po2Restored r(e);
  std::set<std::string> said;
  for (int looks = 0; looks < 200 && said.size() < 2; ++looks, r.bench.run(7)) {
    const auto arrives = [](const Po2Place& p) { return p.is(State::kArriving) && p.buffer().in_port.value != kLocal; };
    said.insert(r.said_of(arrives, [](auto& p) { p.buffer().state = State::kLeaving; }));
  }
  EXPECT_EQ(said, (std::set{no_such_state("a damaged packet that is routed"),
                            no_such_state("a packet that is routed twice")}));
  for (int looks = 0; looks < 5; ++looks, r.bench.run(20)) {
    EXPECT_EQ(
        r.said_of([](auto& p) { return p.is(State::kLeaving); }, [](auto& p) { p.buffer().state = State::kArriving; }),
        no_such_state("a packet that leaves twice"));
  }
}

/// The node whose packet goes in has it, and is sending it.
TEST(Po2RestoredTransfer, FromANodeIsOfAPacketOfTheNode) {
  Po2Restored r;
  const auto injects = [](const Po2Place& p) { return p.router.ports[kLocal].use == Port::Use::kReceiving; };
  const auto number = [](const Po2Place& p) { return static_cast<std::uint32_t>(p.r); };
  models::po2::Slice& slice = r.fabric().slice(0);
  EXPECT_EQ(r.said_of(injects, [&](auto& p) { slice.set_head(number(p), kLocal, std::nullopt); }),
            no_such_state("a node that sends nothing"));
  const std::uint64_t now = r.bench.network->now();
  EXPECT_EQ(r.said_of(injects, [&](auto& p) { slice.end_injection(number(p), kLocal, now); }),
            no_such_state("an injection that is not under way"));
}

// ---------------------------------------------------------------- patience

/// Nobody's patience ends.
Experiment with_escape() {
  Experiment e = busy_po2();
  e.set("po2.avoidance", "up_down_escape");
  e.set("po2.escape_patience_cycles", 100000);
  return e;
}

bool may_escape(const Po2Place& p) { return p.is(State::kWaiting) && p.ways[0].port.value != kLocal; }

TEST(Po2RestoredPatience, AddsAnEscapeOnce) {
  Po2Restored r(with_escape());
  const std::string twice = no_such_state("an escape that comes twice");
  EXPECT_EQ(r.said_of(may_escape, [](auto& p) { p.buffer().escaping = true; }), twice);
  const auto another = [](auto& p) {  // that waits since another cycle: the escape was for one that has left
    p.buffer().escaping = true;
    ++p.buffer().since;
  };
  EXPECT_EQ(r.said_of(may_escape, another), "");
  // There is room for one way more.
  for (const std::size_t room : {0U, 1U}) {
    const auto fill = [&](auto& p) {
      auto& ways = p.buffer().candidates;
      for (; ways + room < r.most_ways(); ++ways) p.ways[ways] = p.ways[0];
    };
    EXPECT_EQ(r.said_of(may_escape, fill), room == 0 ? twice : "");
  }
}

TEST(Po2RestoredPatience, IsThereOnlyWhereThereIsAnEscape) {
  Po2Restored r(with_escape());
  Bench without(busy_po2());
  EXPECT_EQ(said_to(*without.network, saved(*r.bench.network)), no_such_state("patience where there is no escape"));
}

// ---------------------------------------------------------------- events, as bytes

template <class T>
T at(const std::string& bytes, std::size_t offset) {
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

/// Of an event's members, as they are saved.
constexpr std::size_t kRouter = 8, kKind = 12, kPort = 13, kBuffer = 14, kSince = 15, kLength = 23;
constexpr char kKinds = 10;

std::string with(const std::string& bytes, std::size_t offset, char value) {
  std::string changed = bytes;
  changed[offset] = value;
  return changed;
}

/// Where some events of the next cycles are, of these routers: what looks like one, and of whose kind nothing but the
/// kind is said. None of those of patience, which may be several.
std::vector<std::size_t> events(Po2Restored& r, const std::string& bytes, std::size_t wanted, std::uint32_t first,
                                std::uint32_t last) {
  std::vector<std::size_t> found;
  const std::uint64_t now = r.bench.network->now();
  for (std::size_t i = 0; i + kLength <= bytes.size() && found.size() < wanted; ++i) {
    const auto due = at<std::uint64_t>(bytes, i);
    if (due <= now || due > now + 300 || at<std::uint64_t>(bytes, i + kSince) != 0) continue;
    const auto router = at<std::uint32_t>(bytes, i + kRouter);
    if (router < first || router > last) continue;
    if (bytes[i + kKind] < 0 || bytes[i + kKind] == 1 || bytes[i + kKind] >= kKinds) continue;
    if (said_to(*r.other.network, with(bytes, i + kKind, kKinds)) == "kind of event 10, here are 10")
      found.push_back(i);
  }
  return found;
}

TEST(Po2RestoredEvent, NamesWhatThereIs) {
  Po2Restored r;
  const std::string bytes = saved(*r.bench.network);
  const std::vector<std::size_t> found = events(r, bytes, 2, 0, 18);
  ASSERT_EQ(found.size(), 2U);
  for (const std::size_t i : found) {
    EXPECT_EQ(said_to(*r.other.network, with(bytes, i + kPort, kPorts)), "port 7, here are 7");
    EXPECT_EQ(said_to(*r.other.network, with(bytes, i + kBuffer, kBuffers)), "buffer 20, here are 20");
  }
  std::string twice = bytes;
  twice.replace(found[1], kLength, bytes, found[0], kLength);
  EXPECT_EQ(said_to(*r.other.network, twice), no_such_state("an event that comes twice"));
}

/// In two slices, each event is made one of the first router of the other slice, and of the last.
TEST(Po2RestoredEvent, IsOfARouterOfItsSlice) {
  Po2Restored r(busy_po2(), 2);
  const std::string bytes = saved(*r.bench.network);
  const auto& ranges = r.fabric().context().slicing.ranges;
  ASSERT_EQ(ranges.size(), 2U);
  const std::uint32_t border = ranges[1].first;
  ASSERT_GT(border, 0U);
  const std::vector<std::size_t> of_first = events(r, bytes, 1, 0, border - 1),
                                 of_second = events(r, bytes, 1, border, 18);
  ASSERT_EQ(of_first.size() + of_second.size(), 2U);
  const std::string refused = no_such_state("an event of another router");
  for (const std::uint32_t other : {border, std::uint32_t{18}}) {
    EXPECT_EQ(said_to(*r.other.network, with(bytes, of_first[0] + kRouter, static_cast<char>(other))), refused)
        << other;
  }
  for (const std::uint32_t other : {std::uint32_t{0}, border - 1}) {
    EXPECT_EQ(said_to(*r.other.network, with(bytes, of_second[0] + kRouter, static_cast<char>(other))), refused)
        << other;
  }
}

}  // namespace
}  // namespace braid::test::po2_restored_events_test
