// What a network keeps: slots of packets that were popped, and of what has queued at an output, are used again. So a
// network that has run for some time takes no more memory, however much goes through it.
#include <gtest/gtest.h>
#include <malloc.h>

#include <cstddef>
#include <string>
#include <utility>

#include "tb/tests/models/icnt/configurations.h"

namespace braid::models::icnt {
namespace {

std::size_t taken() { return mallinfo2().uordblks + mallinfo2().hblkhd; }

/// Shaders and memories send as much as they can for so many cycles, all of it to the first two of the other kind.
/// Returns how many packets came.
unsigned busy(Interconnect& net, unsigned shaders, unsigned memories, unsigned flits, unsigned cycles) {
  static int payload;
  unsigned came = 0;
  const unsigned bytes = flits * net.flit_size(), devices = shaders + memories;
  for (unsigned cycle = 0; cycle < cycles; ++cycle) {
    for (unsigned device = 0; device < devices; ++device) {
      const unsigned to = (device < shaders ? shaders : 0) + device % 2;
      const Kind kind = device < shaders ? kReadRequest : kReadReply;
      if (net.has_buffer(device, bytes)) net.push(device, to, &payload, bytes, kind);
      while (net.pop(device) != nullptr) ++came;
    }
    net.transfer();
  }
  return came;
}

/// 10,000 packets of 40 bytes each in the pool would be 400 kB; what comes and goes with a cycle's lists is far less.
TEST(IcntMemory, IsUsedAgain) {
  constexpr std::size_t kLess = 100'000;
  for (const auto& [text, flits] : {std::pair<std::string, unsigned>{crossbar(9, "internal_speedup = 2.0;"), 1},
                                    {crossbar(9, with_vcs(4) + "input_speedup = 2; internal_speedup = 2.0;"), 4},
                                    {torus(3, 2, with_vcs(2) + "internal_speedup = 2.0;"), 2}}) {
    Interconnect net = network(text, 5, 4);
    busy(net, 5, 4, flits, 1500);
    const std::size_t before = taken();
    unsigned came = 0;
    while (came < 10'000) came += busy(net, 5, 4, flits, 1500);
    EXPECT_LT(taken(), before + kLess) << flits;
  }
}

}  // namespace
}  // namespace braid::models::icnt
