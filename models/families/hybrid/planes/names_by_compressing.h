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

/// Names of a word that are made at once: what is stored beyond the word's last is overwritten by the next word's.
constexpr unsigned kNamedAtOnce = 8;

#ifdef BRAID_PLANES_COMPRESS
/// Those of a word behind the first kNamedAtOnce.
[[gnu::cold, gnu::noinline]] inline void name_others(Word bits, VcIndex zero, unsigned router_shift, VcIndex* names) {
  for (unsigned i = 0; bits != 0; ++i, bits &= bits - 1) {
    if (i >= kNamedAtOnce) names[i] = zero + (static_cast<VcIndex>(lowest_bit(bits)) << router_shift);
  }
}

/// Stores them from `names` on, where there is room for kNamedAtOnce more. Returns the end.
template <int kVcs, int kWords>
[[gnu::target("avx512f,avx512bw,avx512vl,avx512vbmi2,popcnt"), gnu::noinline]]
VcIndex* names_by_compressing(const Word* planes, const NamesOfPorts of, VcIndex* names) {
  typedef char Places __attribute__((vector_size(kWordBits)));
  typedef char First __attribute__((vector_size(16)));
  typedef VcIndex Names __attribute__((vector_size(kNamedAtOnce * sizeof(VcIndex))));
  typedef VcIndex InRow __attribute__((vector_size(sizeof(Names)), aligned(sizeof(VcIndex)), may_alias));
  Places all;
  for (unsigned i = 0; i < kWordBits; ++i) all[i] = static_cast<char>(i);
  const auto* word = reinterpret_cast<const WordOfVector*>(planes);
  for (unsigned p = 0; p < of.ports; ++p) {
    for (unsigned v = 0; v < kVcs; ++v) {
      VcIndex zero = of.first + (p << of.port_shift) + v;
      for (unsigned w = 0; w < kWords; ++w, zero += kWordBits << of.router_shift) {
        const Word bits = *word++;
        // Into a copy of `all`: the instruction waits for what its register held before, even if it drops that.
        const Places set = __builtin_ia32_compressqi512_mask(all, all, bits);
        const First few = __builtin_shufflevector(set, set, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
        const auto places = (Names)__builtin_ia32_pmovzxbd256(few);
        *reinterpret_cast<InRow*>(names) = static_cast<InRow>((places << of.router_shift) + zero);
        const auto count = static_cast<unsigned>(__builtin_popcountll(bits));
        if (__builtin_expect(count > kNamedAtOnce, 0)) name_others(bits, zero, of.router_shift, names);
        names += count;
      }
    }
  }
  return names;
}
#endif

}  // namespace braid::models::hybrid::planes
