// The numbers of a slice's local ports where there are several subnets: port p of subnet s is p + s * (ports of one).
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "models/fabric/subnets.h"

namespace braid::test::subnet_transport_test {
namespace {

using models::PacketSlot;

/// Notes what it is asked, and by which of its own numbers.
class Interfaces final : public models::PacketTransport {
 public:
  void send(std::size_t port, PacketSlot packet) override { sent = note("send", port, packet); }
  std::size_t queued(std::size_t port) const override { return 100 + port; }
  bool ready(std::size_t port) const override { return port == open; }
  bool ready_for(std::size_t port, PacketSlot packet) const override { return port == open && packet == 7; }
  std::optional<PacketSlot> recall(std::size_t port) override { return PacketSlot(50 + port); }

  static std::string note(const char* what, std::size_t port, PacketSlot packet) {
    return std::string(what) + " " + std::to_string(packet) + " at " + std::to_string(port);
  }
  std::size_t open = 99;  // port: the only one that is ready
  std::string sent;
};

/// Three ports each, in three subnets: each number leads to one port of one of them.
TEST(SubnetTransport, AsksTheSubnetOfAPortByTheNumberThatThePortHasThere) {
  constexpr std::size_t kPorts = 3, kSubnets = 3;
  Interfaces below[kSubnets];
  models::SubnetTransport all(kPorts, {&below[0], &below[1], &below[2]});
  for (std::size_t s = 0; s < kSubnets; ++s) {
    for (std::size_t p = 0; p < kPorts; ++p) {
      const std::size_t number = p + s * kPorts;
      for (Interfaces& one : below) one = {};
      all.send(number, 7);
      for (const Interfaces& one : below) {
        EXPECT_EQ(one.sent, &one == &below[s] ? Interfaces::note("send", p, 7) : "") << number;
      }
      below[s].open = p;
      for (std::size_t other = 0; other < kPorts * kSubnets; ++other) {
        EXPECT_EQ(all.ready(other), other == number) << number << " is open, " << other << " is asked";
        EXPECT_EQ(all.ready_for(other, 7), other == number) << number << " is open, " << other << " is asked";
      }
      EXPECT_FALSE(all.ready_for(number, 8)) << "another packet";
      EXPECT_EQ(all.queued(number), 100 + p);
      EXPECT_EQ(all.recall(number), PacketSlot(50 + p));
    }
  }
}

}  // namespace
}  // namespace braid::test::subnet_transport_test
