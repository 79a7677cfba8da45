// What the keys of a node's bandwidth take (docs/configuration.md): the ends of each range are read, a step outside is
// refused; and which of two that bound packets an estimate names.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "models/fabric/node_bandwidth.h"
#include "tb/tests/support/complaint.h"

namespace braid::test::node_bandwidth_ranges_test {
namespace {

using models::NodeBandwidth;

TEST(NodeBandwidthKeys, HaveTheirRanges) {
  struct Range {
    const char* key;
    std::int64_t most;
    std::uint32_t NodeBandwidth::* field;
  };
  const auto read = [](const std::string& key, std::int64_t value) {
    Configuration c;
    c.set(key, value);
    return models::read_node_bandwidth(c);
  };
  for (const Range& r : {Range{"interface.packet_injection_flits", 64, &NodeBandwidth::packet_injection},
                         Range{"interface.packet_ejection_flits", 64, &NodeBandwidth::packet_ejection},
                         Range{"interface.circuit_injection_flits", 64, &NodeBandwidth::circuit_injection},
                         Range{"interface.circuit_ejection_flits", 64, &NodeBandwidth::circuit_ejection},
                         Range{"interface.ejection_queue_items", 1000000000, &NodeBandwidth::ejection_queue_items}}) {
    for (const std::int64_t value : {std::int64_t{0}, std::int64_t{1}, r.most - 1, r.most}) {
      EXPECT_EQ(read(r.key, value).*r.field, value) << r.key;
    }
    for (const std::int64_t value : {std::int64_t{-1}, r.most + 1}) {
      EXPECT_EQ(complaint([&] { (void)read(r.key, value); }),
                r.key + (" = " + std::to_string(value)) + ": expected integer, 0 to " + std::to_string(r.most));
    }
  }
}

/// Of a node that bounds both ways: what it sends.
TEST(NodeBandwidthKeys, OfPacketsAreNamedInTheirOrderByEstimates) {
  NodeBandwidth b;
  b.packet_injection = b.packet_ejection = 2;
  EXPECT_EQ(complaint([&] { b.refuse_estimates(); }).find("interface.packet_injection_flits: only"), 0U);
  b.packet_injection = 0;
  EXPECT_EQ(complaint([&] { b.refuse_estimates(); }).find("interface.packet_ejection_flits: only"), 0U);
}

TEST(NodeBandwidthServed, IsTheLesserOfBoundAndPorts) {
  EXPECT_EQ(models::served(3, 4), 3U);
  EXPECT_EQ(models::served(5, 4), 4U);
  EXPECT_EQ(models::served(0, 1), 1U);
}

}  // namespace
}  // namespace braid::test::node_bandwidth_ranges_test
