// What was sent in the last cycles, as planes: where a flit or credit is on its way, nothing has to be carried along.
#pragma once

#include <algorithm>
#include <cstddef>

#include "models/families/hybrid/planes/vectors.h"

namespace braid::models::hybrid::planes {

/// For every cycle of the last few and every port of a block's shape a plane of each VC. A plane has room at both ends,
/// so that a shifted one can be read. This is a view: all threads have one of the same words (common.h). Each writes
/// words of its own blocks, in the row of the present cycle, and nobody reads that row before the next one.
template <class B>
class History {
 public:
  using Shape = typename B::Shape;
  using Vcs = typename B::Vcs;

  /// `cycles`: a power of two. `margin`: words before the first of a plane; `stride`: from one plane to the next. So a
  /// shift may reach beyond the first word and the last.
  void resize(unsigned cycles, std::size_t margin, std::size_t stride) {
    cycles_ = cycles;
    margin_ = margin;
    stride_of_blocks_ = stride;
  }
  /// Words that it needs, and where they are.
  std::size_t size() const { return std::size_t{cycles_} * B::kPorts * Shape::kVcs * stride(); }
  void lay_out(Word* words) { words_ = words; }
  void clear() const {
    if (words_ != nullptr) std::fill_n(words_, size(), Word{0});
  }
  /// From one VC's plane to the next.
  std::size_t stride() const { return Shape::kWords == 1 ? 1 : stride_of_blocks_; }
  /// Of the first VC: the plane's word number `word`.
  BRAID_PLANES_INLINE Word* planes(std::uint64_t cycle, unsigned port, std::size_t word) const {
    Word* const row = words_ + (cycle & (cycles_ - 1)) * (B::kPorts * Shape::kVcs * stride());
    if (Shape::kWords == 1) return row + port * Shape::kVcs;
    return row + port * Shape::kVcs * stride() + margin_ + word;
  }
  BRAID_PLANES_INLINE Vcs at(std::uint64_t cycle, unsigned port, std::size_t word) const {
    const Word* const from = planes(cycle, port, word);
    if constexpr (Shape::kWords == 1) {
      return loaded<Vcs>(from);
    } else {
      Vcs found;
      for (int v = 0; v < Shape::kVcs; ++v) found.v[v] = loaded<typename Shape::One>(from + v * stride());
      return found;
    }
  }
  BRAID_PLANES_INLINE void put(std::uint64_t cycle, unsigned port, std::size_t word, const Vcs& sent) {
    Word* const to = planes(cycle, port, word);
    if constexpr (Shape::kWords == 1) {
      store(to, sent);
    } else {
      for (int v = 0; v < Shape::kVcs; ++v) store(to + v * stride(), sent.v[v]);
    }
  }
  bool test(std::uint64_t cycle, unsigned port, unsigned vc, std::size_t router) {
    return (word(cycle, port, vc, router) >> (router % kWordBits) & 1) != 0;
  }
  void set(std::uint64_t cycle, unsigned port, unsigned vc, std::size_t router) {
    word(cycle, port, vc, router) |= bit_of(static_cast<unsigned>(router % kWordBits));
  }

 private:
  Word& word(std::uint64_t cycle, unsigned port, unsigned vc, std::size_t router) {
    return planes(cycle, port, router / kWordBits)[vc * stride()];
  }

  unsigned cycles_ = 1;
  std::size_t margin_ = 0, stride_of_blocks_ = 0;
  Word* words_ = nullptr;
};

/// What comes to a port of all routers by links of one kind: what has been sent so many cycles ago, from a port of
/// routers whose numbers are lower by `shift`.
template <class B>
struct Coming {
  const History<B>* sent = nullptr;
  unsigned from_port = 0, to_port = 0;
  std::uint32_t cycles_ago = 0;
  int shift = 0;
  const Word* ends = nullptr;  ///< a plane: routers where such links end; null: nothing else can be taken for theirs
};

}  // namespace braid::models::hybrid::planes
