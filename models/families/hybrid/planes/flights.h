// Flits between two buffers, and the order of all flits that go through one VC: what the planes do not keep, and the
// registers do.
#pragma once

#include <algorithm>
#include <vector>

#include "models/families/hybrid/router_bank.h"

namespace braid::models::hybrid::planes {

/// A flit of a packet by its place there.
struct FlitPlace {
  PacketSlot packet = 0;
  std::uint32_t sequence = 0;
};

/// Flits on the way to VCs, each VC's in the order in which they come.
class Flights {
 public:
  /// In the order of their cycles.
  void add(std::uint32_t ring, const Flit& flit) { all_.push_back({ring, flit}); }
  void sort() {
    std::stable_sort(all_.begin(), all_.end(), [](const auto& a, const auto& b) { return a.ring < b.ring; });
  }
  struct Flight {
    std::uint32_t ring;
    Flit flit;
  };
  /// To one VC, once they are sorted.
  std::pair<const Flight*, const Flight*> to(std::uint32_t ring) const {
    const auto less = [](const Flight& f, std::uint32_t r) { return f.ring < r; };
    const auto more = [](std::uint32_t r, const Flight& f) { return r < f.ring; };
    const Flight* const begin = all_.data();
    const Flight* const end = begin + all_.size();
    return {std::lower_bound(begin, end, ring, less), std::upper_bound(begin, end, ring, more)};
  }

 private:
  std::vector<Flight> all_;
};

}  // namespace braid::models::hybrid::planes
