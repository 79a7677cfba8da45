// Where texts end in the middle of something, and what a torus draws first.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "models/icnt/grammar.h"
#include "tb/tests/models/icnt/configurations.h"
#include "tb/tests/support/complaint.h"

namespace braid::models::icnt {
namespace {

std::string refusal_of(const std::string& text) {
  return test::complaint<Error>([&] { read_statements(text, "f"); });
}

/// A comment is the last thing in the file, without the end of its line: the file ends behind it.
TEST(IcntTexts, ThatEndInACommentEndBehindIt) {
  EXPECT_EQ(refusal_of("k // key"), "f:1:9: expected '=' after \"k\", found the end of the file");
  EXPECT_EQ(refusal_of("k = // value"), "f:1:13: expected the value of \"k\", found the end of the file");
  EXPECT_EQ(refusal_of("k = 5 // end"), "f:1:13: expected ';' after the value of \"k\", found the end of the file");
  EXPECT_EQ(refusal_of("k = {5, // end"), "f:1:15: expected '}', found the end of the file");
  EXPECT_EQ(refusal_of("k = 5; // end"), "");
  EXPECT_EQ(refusal_of("k // key\n"), "f:2:1: expected '=' after \"k\", found the end of the file");
}

/// The lowest bits of the first numbers of SplitMix64 from 0 on (0xe220a8397b1dcdaf, 0x6e789e6aa1b965f4,
/// 0x06c45d188009454f, 0xf88bb8a8724c81ec ...): 1 goes down. On a ring of four a packet from node 0 to node 2 goes
/// either way; on its way up it stands behind a longer one from node 1 to node 2, on the same channel.
TEST(IcntTorusCoins, AreTheLowestBitsOfSplitMix64) {
  Interconnect net = network(torus(4, 1, with_vcs(2) + "subnets = 1;"), 3, 1);
  std::vector<unsigned> down;
  for (unsigned packet = 0; packet < 16; ++packet) {
    int drawn = 0, longer = 0;
    net.push(1, 2, &longer, 16 * 40, kReadRequest);
    net.push(0, 2, &drawn, 40, kReadRequest);
    std::vector<void*> come;
    for (unsigned transfers = 0; transfers < 200; ++transfers) {
      net.transfer();
      while (void* const payload = net.pop(2)) come.push_back(payload);
    }
    ASSERT_EQ(come.size(), 2U);
    down.push_back(come[0] == &drawn ? 1 : 0);
  }
  EXPECT_EQ(down, (std::vector<unsigned>{1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 1, 1, 1}));
}

}  // namespace
}  // namespace braid::models::icnt
