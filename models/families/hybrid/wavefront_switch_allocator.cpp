// Wavefront (Tamir and Chi, "Symmetric crossbar arbiters for VLSI communication switches", IEEE TPDS 4, 1993), wrapped:
// the matrix of requests has N diagonals of N cells, no two cells of which share a row or a column, so that a diagonal
// grants all its requests at once. The first diagonal takes what it asks for, the next one what that leaves. Which
// comes first goes round with the clock. The matching is maximal: nobody who is left over asks for a port that is free.
#include "models/families/hybrid/matching_switch_allocator.h"

namespace braid::models::hybrid {
namespace {

/// Input i and output j are on diagonal (i + j) mod N; in cycle t diagonal t mod N comes first. No register but the
/// counter of cycles.
class WavefrontMatcher {
 public:
  explicit WavefrontMatcher(const AllocatorOptions&) {}
  void match(std::uint32_t, std::uint64_t cycle, std::uint32_t ports, const PortRequests& requests,
             PortMatching& matching) {
    const auto first = static_cast<std::uint32_t>(cycle % ports);
    for (std::uint32_t d = 0; d < ports && matching.inputs() != requests.inputs; ++d) {
      const std::uint32_t diagonal = first + d;
      for_each_port(requests.inputs & ~matching.inputs(), [&](unsigned input) {
        const std::uint32_t output = (diagonal + ports - input) % ports;
        if (((requests.outputs[input] & ~matching.outputs()) >> output & 1) != 0) matching.add(input, output);
      });
    }
  }
  void checkpoint(Checkpoint&) {}
};

const bool wavefront_switch_allocator_registered = SwitchAllocatorRegistry::instance().add(
    "wavefront", "diagonals of the request matrix one after the other; the first goes round with the clock",
    matching_switch_allocator<WavefrontMatcher>);

}  // namespace
}  // namespace braid::models::hybrid
