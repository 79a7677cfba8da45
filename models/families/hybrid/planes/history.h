// What was sent in the last cycles, as planes: where a flit or credit is on its way, nothing has to be carried along.
#pragma once

#include <vector>

#include "models/families/hybrid/planes/vectors.h"

namespace braid::models::hybrid::planes {

/// For every cycle of the last few and every port a plane of each VC. A plane has room at both ends, so that a shifted
/// one can be read.
class History {
 public:
  /// `cycles`: a power of two. `margin`: words that a shift may reach beyond the first and the last.
  void resize(unsigned cycles, unsigned ports, unsigned vcs, std::size_t words, std::size_t margin) {
    cycles_ = cycles;
    ports_ = ports;
    vcs_ = vcs;
    margin_ = margin;
    stride_ = words + 2 * margin;
    words_.assign(std::size_t{cycles} * ports * vcs * stride_, 0);
  }
  void clear() { words_.assign(words_.size(), 0); }
  /// From one VC's plane to the next.
  std::size_t stride() const { return stride_; }
  /// Of the first VC: the plane's word number `word`.
  Word* planes(std::uint64_t cycle, unsigned port, std::size_t word) {
    return words_.data() + ((cycle & (cycles_ - 1)) * ports_ + port) * vcs_ * stride_ + margin_ + word;
  }
  Word& word(std::uint64_t cycle, unsigned port, unsigned vc, std::size_t router) {
    return planes(cycle, port, router / kWordBits)[vc * stride_];
  }
  bool test(std::uint64_t cycle, unsigned port, unsigned vc, std::size_t router) {
    return (word(cycle, port, vc, router) >> (router % kWordBits) & 1) != 0;
  }
  void set(std::uint64_t cycle, unsigned port, unsigned vc, std::size_t router) {
    word(cycle, port, vc, router) |= bit_of(static_cast<unsigned>(router % kWordBits));
  }

 private:
  unsigned cycles_ = 1, ports_ = 0, vcs_ = 0;
  std::size_t margin_ = 0, stride_ = 0;
  std::vector<Word> words_;
};

/// Puts planes of a block where they belong.
template <class Shape>
BRAID_PLANES_INLINE void store_planes(Word* to, std::size_t stride, const typename Shape::Vcs& planes) {
  if constexpr (Shape::kWords == 1) {
    store(to, planes);
  } else {
    for (int v = 0; v < Shape::kVcs; ++v, to += stride) store(to, planes.v[v]);
  }
}
template <class Shape>
BRAID_PLANES_INLINE typename Shape::Vcs loaded_planes(const Word* from, std::size_t stride) {
  if constexpr (Shape::kWords == 1) {
    return loaded<typename Shape::Vcs>(from);
  } else {
    typename Shape::Vcs planes;
    for (int v = 0; v < Shape::kVcs; ++v, from += stride) planes.v[v] = loaded<typename Shape::One>(from);
    return planes;
  }
}

}  // namespace braid::models::hybrid::planes
