// What comes from a checkpoint into the ideal network: links, ports and packets that it names are there.
#include <gtest/gtest.h>

#include <cstring>
#include <string>

#include "models/families/ideal/fabric.h"
#include "tb/tests/support/complaint.h"
#include "tb/tests/support/saved.h"

namespace braid::test::ideal_restored_test {
namespace {

using namespace models;

class Sink final : public PacketSink {
 public:
  bool admit(PacketSlot) override { return true; }
  void deliver(std::uint64_t, PacketSlot packet) override {
    ++delivered;
    last = packet;
  }
  void sent(std::uint64_t, PacketSlot) override {}
  int delivered = 0;
  PacketSlot last = 0;
};

constexpr std::size_t kNodes = 3, kPorts = 40;  // of each node: 120 local ports

struct Ideal {
  explicit Ideal(bool queue) : network(store, {kPorts, 1, kPorts}, {queue}) {
    network.set_sink(0, &sink);
    // Packets' numbers and ports are found again by their values.
    while (pool.take() < 70) continue;
  }
  PacketSlot send(std::size_t from, std::size_t to, std::uint32_t flits, std::size_t port) {
    const PacketSlot slot = pool.take();
    store[slot] = Packet{};
    store[slot].source = NodeId{from};
    store[slot].destination = NodeId{to};
    store[slot].length_flits = static_cast<std::uint16_t>(flits);
    network.send(port, slot);
    return slot;
  }
  std::string saved() {
    Checkpoint c;
    c.set_network(kNodes, kNodes);
    network.checkpoint(c);
    return c.bytes();
  }
  /// What it says to what another one has saved, of as many packets as it has.
  std::string said(const std::string& bytes) {
    Checkpoint c(bytes);
    c.set_network(kNodes, kNodes);
    c.set_packets(1000);
    return complaint<CheckpointError>([&] {
      network.checkpoint(c);
      c.finish();
    });
  }
  PacketStore store;
  PacketStore::Pool pool{store};
  Sink sink;
  models::ideal::Fabric network;
};

template <class T>
std::string as_bytes(T value) {
  std::string bytes(sizeof value, '\0');
  std::memcpy(bytes.data(), &value, sizeof value);
  return bytes;
}

/// The bytes with one value in the place of another, wherever that is in them.
template <class T>
std::string with(std::string bytes, T old, T now, const std::string& behind = "") {
  const std::string wanted = as_bytes(old) + behind;
  std::size_t places = 0;
  for (std::size_t at = bytes.find(wanted); at != std::string::npos; at = bytes.find(wanted, at + 1), ++places) {
    bytes.replace(at, sizeof(T), as_bytes(now));
  }
  EXPECT_GT(places, 0U);
  return bytes;
}

TEST(IdealRestored, NamesPortsAndPacketsThatAreThere) {
  Ideal ideal(false), other(false);
  const std::size_t port = 33, ports = 2 * kPorts + 1;
  const PacketSlot first = ideal.send(0, 1, 3, port);
  (void)ideal.send(2, 0, 1, kPorts + 1);
  ideal.network.commit(0, 0);
  const std::string bytes = ideal.saved();
  EXPECT_EQ(other.said(bytes), "");
  EXPECT_EQ(other.saved(), bytes);
  EXPECT_EQ(other.said(with(bytes, port, ports - 1)), "");
  EXPECT_EQ(other.said(with(bytes, port, ports)), "local port 81, here are 81");
  // A flit on a link: its packet, and that it is no tail.
  const std::string end(1, '\0');
  EXPECT_EQ(other.said(with(bytes, first, PacketSlot{1000}, end)).rfind("packet 1000, here are 1000", 0), 0U);
}

/// Two for node 1, which takes a flit a cycle: one waits there.
TEST(IdealRestored, KeepsWhatWaitsAtAReceiver) {
  Ideal ideal(true), other(true);
  const PacketSlot first = ideal.send(0, 1, 1, 0), second = ideal.send(2, 1, 1, kPorts + 1);
  for (std::uint64_t cycle = 0; cycle < 2; ++cycle) ideal.network.commit(0, cycle);
  EXPECT_EQ(ideal.network.held(NodeId{1}), 1U);
  const PacketSlot waits = ideal.sink.last == first ? second : first;
  const std::string bytes = ideal.saved(), tail(1, '\1');
  EXPECT_EQ(other.said(bytes), "");
  EXPECT_EQ(other.network.held(NodeId{1}), 1U);
  EXPECT_EQ(other.network.census().packets, 1U);
  EXPECT_EQ(other.network.counters().flits_delivered, 1U);
  EXPECT_EQ(other.network.counters().flits_injected, 2U);
  EXPECT_EQ(other.said(with(bytes, waits, PacketSlot{999}, tail)), "");
  EXPECT_EQ(other.said(with(bytes, waits, PacketSlot{1000}, tail)), "packet 1000, here are 1000");
}

/// What waits goes on after it was restored: in the same cycle, by the same turns.
TEST(IdealRestored, GoesOnAsItWouldHave) {
  Ideal ideal(true), other(true);
  for (const std::size_t from : {0U, 2U}) {
    for (int i = 0; i < 3; ++i) (void)ideal.send(from, 1, 2, from == 0 ? 0 : kPorts + 1);
  }
  std::uint64_t cycle = 0;
  for (; cycle < 5; ++cycle) ideal.network.commit(0, cycle);
  for (PacketSlot slot = 0; slot < 90; ++slot) {
    if (ideal.store.has(slot) && other.store.has(slot)) other.store[slot] = ideal.store[slot];
  }
  ASSERT_EQ(other.said(ideal.saved()), "");
  const int before = ideal.sink.delivered;
  for (; cycle < 40; ++cycle) {
    for (Ideal* one : {&ideal, &other}) one->network.commit(0, cycle);
    ASSERT_EQ(other.saved(), ideal.saved()) << cycle;
    ASSERT_EQ(other.sink.delivered, ideal.sink.delivered - before) << cycle;
  }
  EXPECT_EQ(ideal.sink.delivered, 6);
}

}  // namespace
}  // namespace braid::test::ideal_restored_test
