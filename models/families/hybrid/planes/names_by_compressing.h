// Names of VCs, by the instruction that makes the list of a word's bits (AVX-512 VBMI2): no branch hangs on how many
// bits there are, which nobody could guess.
#pragma once

#include "models/families/hybrid/planes/words.h"
#include "models/families/hybrid/router_bank.h"

namespace braid::models::hybrid::planes {

#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__) && !defined(__clang__)
#define BRAID_PLANES_COMPRESS
#endif

/// Ports whose planes follow each other, VC by VC, and how their VCs are numbered.
struct NamesOfPorts {
  VcIndex first = 0;  ///< VC 0 of the first port, of the first router of the planes
  unsigned ports = 0, router_shift = 0, port_shift = 0;
};

/// Names that are stored at once: what is stored beyond a word's last is overwritten by the next word's.
constexpr unsigned kNamedAtOnce = 8;

#ifdef BRAID_PLANES_COMPRESS
#define BRAID_PLANES_COMPRESSING gnu::target("avx512f,avx512bw,avx512vl,avx512vbmi2,popcnt")

/// A byte for each router of a word: four times its place, and the number of its VC among four.
typedef char PlacesAndVcs __attribute__((vector_size(kWordBits)));

/// Stores names from `names` on: of each of the routers the VC that its byte says, the first of the four being `zero`.
[[BRAID_PLANES_COMPRESSING, gnu::always_inline]]
inline VcIndex* name_routers(Word routers, PlacesAndVcs of_all, VcIndex zero, unsigned router_shift, VcIndex* names) {
  typedef Word Words __attribute__((vector_size(sizeof(PlacesAndVcs))));
  typedef VcIndex Names __attribute__((vector_size(kNamedAtOnce * sizeof(VcIndex))));
  typedef VcIndex InRow __attribute__((vector_size(sizeof(Names)), aligned(sizeof(VcIndex)), may_alias));
  // Into a copy: the instruction waits for what its register held before, even if it drops that.
  PlacesAndVcs set = __builtin_ia32_compressqi512_mask(of_all, of_all, routers);
  const auto count = static_cast<unsigned>(__builtin_popcountll(routers));
  for (unsigned from = 0;; from += kNamedAtOnce) {
    const auto few = __builtin_shufflevector(set, set, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    const auto of_few = (Names)__builtin_ia32_pmovzxbd256(few);
    const Names places = of_few >> 2, vcs = of_few & 3;
    *reinterpret_cast<InRow*>(names + from) = static_cast<InRow>((places << router_shift) + vcs + zero);
    if (__builtin_expect(count <= from + kNamedAtOnce, 1)) return names + count;
    set = (PlacesAndVcs)__builtin_shufflevector((Words)set, (Words)set, 1, 2, 3, 4, 5, 6, 7, 0);  // those behind
  }
}

/// Stores them from `names` on, where there is room for kNamedAtOnce more: port by port, and of four VCs router by
/// router, if no router has two of them, which is the rule; else VC by VC. Returns the end.
template <int kVcs, int kWords>
[[BRAID_PLANES_COMPRESSING, gnu::noinline]]
VcIndex* names_by_compressing(const Word* planes, const NamesOfPorts of, VcIndex* names) {
  static_assert(kVcs % 4 == 0);
  PlacesAndVcs all, ones, twos;
  for (unsigned i = 0; i < kWordBits; ++i) all[i] = static_cast<char>(4 * i);
  for (unsigned i = 0; i < kWordBits; ++i) ones[i] = 1;
  for (unsigned i = 0; i < kWordBits; ++i) twos[i] = 2;
  const auto* word = reinterpret_cast<const WordOfVector*>(planes);
  for (unsigned four = 0; four < of.ports * (kVcs / 4); ++four, word += 4 * kWords) {
    VcIndex zero = of.first + (four / (kVcs / 4) << of.port_shift) + four % (kVcs / 4) * 4;
    if (kWords > 1) {
      Word some = 0;
      for (unsigned i = 0; i < 4 * kWords; ++i) some |= word[i];
      if (some == 0) continue;
    }
    for (unsigned w = 0; w < kWords; ++w, zero += kWordBits << of.router_shift) {
      const Word a = word[w], b = word[w + kWords], c = word[w + 2 * kWords], d = word[w + 3 * kWords];
      const Word odd = b | d, high = c | d, low = a | b;
      const Word several = (a & b) | (c & d) | (low & high);
      if (__builtin_expect(several == 0, 1)) {
        PlacesAndVcs one_each = (PlacesAndVcs)__builtin_ia32_paddb512_mask(all, ones, all, odd);
        one_each = (PlacesAndVcs)__builtin_ia32_paddb512_mask(one_each, twos, one_each, high);
        names = name_routers(low | high, one_each, zero, of.router_shift, names);
      } else {
#pragma GCC unroll 1
        for (unsigned vc = 0; vc < 4; ++vc) {
          names = name_routers(word[w + vc * kWords], all, zero + vc, of.router_shift, names);
        }
      }
    }
  }
  return names;
}
#endif

}  // namespace braid::models::hybrid::planes
