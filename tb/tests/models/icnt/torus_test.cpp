// A torus in GPGPU-Sim's seat: what the recorded runs cannot have, since intersim2 draws from a generator of its own.
#include <gtest/gtest.h>

#include <utility>

#include "tb/tests/models/icnt/configurations.h"

namespace braid::models::icnt {
namespace {

/// Two saturated flows of 5-flit packets: from (0, 0) to (2, 0), half-way round, and from (1, 0) over the link from
/// there to (2, 0) on to (2, 1). Counted over 4,000 cycles: if all of the first went up it would share that link with
/// the second (267 and 532), if all went down both would have a link of their own (800 and 800).
TEST(IcntTorus, HalfWayRoundARingPacketsGoEitherWay) {
  Interconnect net = network(torus(4, 2, with_vcs(4) + "subnets = 1;"), 8, 8);
  unsigned came[16] = {};
  int payload = 0;
  for (unsigned cycle = 0; cycle < 4300; ++cycle) {
    for (const auto& flow : {std::pair<unsigned, unsigned>{0, 2}, {1, 6}}) {
      if (net.has_buffer(flow.first, 200)) net.push(flow.first, flow.second, &payload, 200, kReadRequest);
      if (net.pop(flow.second) != nullptr && cycle >= 300) ++came[flow.second];
    }
    net.transfer();
  }
  EXPECT_GT(came[2], 450U);
  EXPECT_LT(came[2], 700U);
}

/// Rings alone cannot block: every node sends to the one half-way round, as much as it can, and all of it comes.
TEST(IcntTorus, SaturatedRingsDrain) {
  for (const unsigned k : {4U, 5U, 8U}) {
    Interconnect net = network(torus(k, 1, with_vcs(2) + "subnets = 1;"), k - 1, 1);
    int payload = 0;
    unsigned sent = 0, come = 0;
    for (unsigned cycle = 0; cycle < 6000; ++cycle) {
      for (unsigned node = 0; node < k; ++node) {
        if (cycle < 3000 && net.has_buffer(node, 200)) {
          net.push(node, (node + k / 2) % k, &payload, 200, kReadRequest);
          ++sent;
        }
        come += net.pop(node) != nullptr ? 1 : 0;
      }
      net.transfer();
    }
    EXPECT_GT(sent, 500U);
    EXPECT_EQ(come, sent);
    EXPECT_FALSE(net.busy());
  }
}

}  // namespace
}  // namespace braid::models::icnt
