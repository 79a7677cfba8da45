// What an .icnt file says, after it has been read and found to be something that this library has.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/icnt/anynet.h"

namespace braid::models::icnt {

enum class Topology { kFly, kMesh, kTorus, kAnynet };
enum class AllocatorKind { kIslip, kSeparableInputFirst };

struct Allocator {
  AllocatorKind kind = AllocatorKind::kIslip;
  unsigned iterations = 1;  ///< islip
};

/// Virtual channels of a kind of packets, both ends included.
struct VcRange {
  unsigned begin = 0, end = 0;
  std::uint64_t mask() const { return (~std::uint64_t{0} >> (63 - end)) & (~std::uint64_t{0} << begin); }
  bool operator==(const VcRange& other) const { return begin == other.begin && end == other.end; }
};

struct Configuration {
  std::string name;  ///< of the file
  Topology topology = Topology::kFly;
  unsigned k = 8, n = 2;
  bool folded = true;   ///< a torus whose links take two cycles
  Listing listing;      ///< anynet
  std::string network;  ///< what it is, for messages
  unsigned subnets = 1;
  bool use_map = true;
  std::vector<unsigned> memory_node_map;
  std::string memory_node_map_at;  ///< place, for messages

  unsigned flit_size = 32, vcs = 16, vc_buffer = 8;
  unsigned input_buffer = 9, boundary_buffer = 16;
  std::vector<VcRange> ranges;  ///< those that differ
  unsigned range_of_kind[4] = {0, 0, 0, 0};

  Allocator vc_allocator, switch_allocator;
  unsigned routing_delay = 1, credit_delay = 0;
  unsigned input_speedup = 1, output_speedup = 1;
  double internal_speedup = 1;
  bool wait_for_tail_credit = false;

  /// Channels are numbered port << channel_shift() | vc.
  unsigned channel_shift() const {
    unsigned shift = 0;
    while (1U << shift < vcs) ++shift;
    return shift;
  }
  unsigned nodes() const {
    if (topology == Topology::kAnynet) return static_cast<unsigned>(listing.router_of.size());
    unsigned all = 1;
    for (unsigned dimension = 0; dimension < n; ++dimension) all *= k;
    return all;
  }
};

/// Throws Error.
Configuration read_configuration(const std::string& text, const std::string& name);

}  // namespace braid::models::icnt
