// Names of the VCs that are set in planes, for what is done one by one. A plane has a bit a router: the bits of a word
// become numbers of VCs.
#pragma once

#include <algorithm>

#include "models/families/hybrid/planes/names_by_compressing.h"
#include "models/families/hybrid/planes/pipeline.h"

namespace braid::models::hybrid::planes {

template <class B>
void Pipeline<B>::name_vcs(std::size_t b, const Vcs* planes, int first, int ports, WorkList<VcIndex>& names) const {
  const auto* const words = reinterpret_cast<const Word*>(planes);
  const NamesOfPorts of{first_vc(b, first), static_cast<unsigned>(ports), kUsual ? 5 : router_shift_,
                        kUsual ? 2 : port_shift_};
#ifdef BRAID_PLANES_COMPRESS
  if (compresses_) return names.resize_to(names_by_compressing<Shape::kVcs, Shape::kWords>(words, of, names.end()));
#endif
  names.resize_to(names_bit_by_bit(words, of, names.end()));
}

/// Only words that are not zero are looked into.
template <class B>
VcIndex* Pipeline<B>::names_bit_by_bit(const Word* planes, const NamesOfPorts& of, VcIndex* name) {
  using Quad = typename VectorOf<4>::type;
  constexpr unsigned kPortWords = Shape::kVcs * Shape::kWords;
  const auto* const words = reinterpret_cast<const WordOfVector*>(planes);
  const unsigned all = of.ports * kPortWords;
  for (unsigned from = 0; from < all; from += kWordBits) {
    Quad filled{};
    for (unsigned i = 0; i < std::min(all - from, kWordBits); i += 4) {
      const Quad four = loaded<Quad>(planes + from + i);
      filled |= static_cast<Quad>(four != Quad{}) & (Quad{1, 2, 4, 8} << Word{i});
    }
    for (Word some = filled[0] | filled[1] | filled[2] | filled[3]; some != 0; some &= some - 1) {
      const unsigned i = from + static_cast<unsigned>(__builtin_ctzll(some));
      const unsigned router = kWordBits * (i % Shape::kWords), vc = i % kPortWords / Shape::kWords;
      const VcIndex zero = of.first + (router << of.router_shift) + (i / kPortWords << of.port_shift) + vc;
      // Few bits are the rule, and how many nobody could guess: the first ones without a branch.
      Word bits = words[i];
      for (unsigned ahead = 0; ahead < (Shape::kWords == 1 ? kAhead : kAheadOfMany); ++ahead, bits &= bits - 1) {
        *name = zero + (static_cast<VcIndex>(lowest_bit(bits)) << of.router_shift);
        name += bits != 0 ? 1 : 0;
      }
      for (; bits != 0; bits &= bits - 1) *name++ = zero + (static_cast<VcIndex>(lowest_bit(bits)) << of.router_shift);
    }
  }
  return name;
}

}  // namespace braid::models::hybrid::planes
