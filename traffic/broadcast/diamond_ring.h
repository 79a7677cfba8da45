// The diamond ring of any number of positions (paper: diamond-rings, section 3): a k-ary tree that scatters, a centre,
// and the tree's mirror image that gathers, with the root at both ends.
//
//   k = 2, 9 positions:      8 -- 6 -- 2
//                           / \_ 5 _/ \        scatter 8, 7; centre 6 to 3 (one too many or too few changes the
//                          0           0       centre only); gather 2, 1; the root at both ends
//                           \ /- 4 -\ /
//                            7 -- 3 -- 1
//
// Level l and contamination c: positions = V(l) + c, V(l) = 1 + 2 S + k^l, S = k + … + k^(l-1), -k^l < c <= k^l. With
// c > 0 so many chains of the centre have two positions; with c < 0 so many are empty, and a scatter position tells a
// gather position directly. The other contamination only adds (section 3.1): l is the highest with V(l) <= positions,
// and chains get a third position and more, a row over all chains after the other, so that c may exceed k^l.
#pragma once

#include <cstdint>
#include <vector>

namespace braid::traffic {

class DiamondRing {
 public:
  enum class Role { kRoot, kScatter, kCentre, kGather };

  /// "…one can either insert up to k^l additional nodes … or remove up to k^l" and "one can only add" (section 3.1).
  enum class Contamination { kAddOrRemove, kAdd };

  /// Both numbers 1 or more. Less than V(1) positions are too few for any ring of the arity: kAdd removes there, too.
  DiamondRing(std::uint32_t positions, std::uint32_t arity, Contamination how = Contamination::kAddOrRemove);

  std::uint32_t positions() const { return positions_; }
  std::uint32_t level() const { return level_; }
  std::int64_t contamination() const { return contamination_; }
  /// Equation 1. Its lower bound of the centre must read (n - c - k^l - 1) / 2.
  Role role(std::uint32_t position) const;
  /// Equation 2, for every contamination: the positions that one tells, one of them twice over parallel edges. The
  /// root stands for both of its ends: a chain without positions at level 1 links it to itself.
  std::vector<std::uint32_t> successors(std::uint32_t position) const;

 private:
  std::uint32_t gatherer_of(std::int64_t chain) const;
  std::uint32_t after_centre(std::uint32_t position) const;
  void find_contamination();

  std::uint32_t positions_, arity_, level_ = 0;
  std::uint64_t side_ = 0;  // S
  std::uint64_t chains_;    // k^l
  std::int64_t contamination_;
};

}  // namespace braid::traffic
