// Permutations of the bits of the node number (Dally and Towles, table 3.1). Fixed points send to themselves, or
// nothing.
#include "traffic/synthetic/pattern.h"

namespace braid::traffic {
namespace {

struct BitPermutationsOptions {
  bool silent_fixed_points = false;
};
const OptionTable<BitPermutationsOptions> kBitPermutationsTable =
    OptionTable<BitPermutationsOptions>("traffic").boolean("silent_fixed_points",
                                                           &BitPermutationsOptions::silent_fixed_points,
                                                           "a node that would send to itself sends nothing");

using Permute = std::uint32_t (*)(std::uint32_t node, unsigned bits);

std::uint32_t complement(std::uint32_t n, unsigned bits) { return ~n & ((1U << bits) - 1); }
std::uint32_t reversal(std::uint32_t n, unsigned bits) {
  std::uint32_t result = 0;
  for (unsigned b = 0; b < bits; ++b) result |= ((n >> b) & 1U) << (bits - 1 - b);
  return result;
}
/// Rotates left by one.
std::uint32_t shuffle(std::uint32_t n, unsigned bits) { return ((n << 1) | (n >> (bits - 1))) & ((1U << bits) - 1); }
/// Swaps the lowest and the highest bit.
std::uint32_t butterfly(std::uint32_t n, unsigned bits) {
  const std::uint32_t low = n & 1U, high = n >> (bits - 1);
  const std::uint32_t middle = n & ~(1U | (1U << (bits - 1)));
  return middle | (low << (bits - 1)) | high;
}

/// Swaps the upper and the lower half of the bits.
std::uint32_t transpose(std::uint32_t n, unsigned bits) {
  const unsigned half = bits / 2;
  return (n >> half) | ((n & ((1U << half) - 1)) << half);
}

class BitPermutation final : public FixedPattern {
 public:
  BitPermutation(const char* name, Permute permute, std::size_t nodes, bool silent_fixed_points)
      : permute_(permute), silent_fixed_points_(silent_fixed_points) {
    while ((std::size_t{1} << bits_) < nodes) ++bits_;
    if (nodes < 2 || (std::size_t{1} << bits_) != nodes) {
      throw InputError("traffic pattern \"" + std::string(name) + "\" needs a power of two of nodes; there are " +
                       std::to_string(nodes));
    }
    if (permute == transpose && bits_ % 2 != 0) {
      throw InputError("traffic pattern \"bit_transpose\" needs a power of four of nodes; there are " +
                       std::to_string(nodes));
    }
  }
  Destination only_destination(NodeId source) const override {
    const NodeId to{permute_(source.value, bits_)};
    return silent_fixed_points_ && to == source ? Destination{} : to;
  }

 private:
  Permute permute_;
  bool silent_fixed_points_;
  unsigned bits_ = 0;
};

bool add(const char* name, const char* summary, Permute permute) {
  return PatternRegistry::instance().add(
      name, summary, kBitPermutationsTable.list(), [name, permute](const routing::Topology& t, const Configuration& c) {
        return std::make_unique<BitPermutation>(name, permute, t.node_count(),
                                                kBitPermutationsTable.read(c).silent_fixed_points);
      });
}
const bool bit_permutations_registered = add("bit_complement", "node i to node ~i", complement) &&
                                         add("bit_reversal", "bits of the node number in reverse", reversal) &&
                                         add("bit_transpose", "upper and lower half of the bits swapped", transpose) &&
                                         add("shuffle", "bits rotated left by one", shuffle) &&
                                         add("butterfly", "lowest and highest bit swapped", butterfly);

}  // namespace
}  // namespace braid::traffic
