// Planes and vectors of them. A plane has one bit a router, 64 of them a word. A stage works on a block of routers at a
// time, whose planes are of two kinds:
//   One   one plane: something that a router, or a port of it, has once
//   Vcs   a plane for each virtual channel of a port
// Two shapes of a block give the kinds their types; the algebra of the stages is written once, over either:
//   Lanes   up to 64 routers: a One is a word, and a vector holds the words of all VCs
//   Blocks  larger networks: a One is a vector of words, and Vcs are an array of them
#pragma once

#include <cstdint>
#include <cstring>
#include <utility>

#include "models/families/hybrid/planes/words.h"

namespace braid::models::hybrid::planes {

/// Every function of the stages is compiled into the one that runs a cycle, once for each kind of processor. With
/// sanitizers, whose checks make that function as long as nobody wants to wait for, there is one kind.
#ifdef __SANITIZE_ADDRESS__
#define BRAID_PLANES_INLINE inline
#define BRAID_PLANES_LAMBDA
#else
#define BRAID_PLANES_INLINE [[gnu::always_inline]] inline
#define BRAID_PLANES_LAMBDA __attribute__((always_inline))
#endif

/// `in_row`: anywhere in a row of words. (The compiler's own copy of so many bytes would go by halves of a vector.)
template <int kCount>
struct VectorOf {
  typedef Word type __attribute__((vector_size(8 * kCount)));
  typedef Word in_row __attribute__((vector_size(8 * kCount), aligned(8), may_alias));
};
template <>
struct VectorOf<1> {
  using type = Word;
  using in_row = WordOfVector;
};

template <class T>
BRAID_PLANES_INLINE T loaded(const Word* from) {
  // NOLINTNEXTLINE(bugprone-sizeof-expression): a word is one of its words
  return static_cast<T>(*reinterpret_cast<const typename VectorOf<sizeof(T) / sizeof(Word)>::in_row*>(from));
}
template <class T>
BRAID_PLANES_INLINE void store(Word* to, const T& value) {
  using InRow = typename VectorOf<sizeof(T) / sizeof(Word)>::in_row;
  *reinterpret_cast<InRow*>(to) = static_cast<InRow>(value);
}

/// Up to 64 routers, 4 VCs.
struct Lanes {
  static constexpr int kVcs = 4, kWords = 1;
  using One = Word;
  using Vcs = VectorOf<kVcs>::type;

  BRAID_PLANES_INLINE static Vcs all(One x) { return Vcs{x, x, x, x}; }
  /// On which routers the plane of any VC is set.
  BRAID_PLANES_INLINE static One any(Vcs x) {
    x |= __builtin_shufflevector(x, x, 2, 3, 0, 1);
    return x[0] | x[1];
  }
  /// SA's arbiters of four output ports work at once: a plane for each of the ports.
  static constexpr int kTogether = 4;
  using Ones = Vcs;
  /// On which routers any VC is in the plane of each of the ports.
  BRAID_PLANES_INLINE static Ones of_ports(const Vcs* planes) { return any_of_each(planes); }
  /// Where the plane of any of the ports is set, for all VCs; and that of any VC, for all ports.
  BRAID_PLANES_INLINE static Vcs any_port(Ones x) { return any_for_all(x); }
  /// The plane of any VC, for each of them.
  BRAID_PLANES_INLINE static Vcs any_for_all(Vcs x) {
    x |= __builtin_shufflevector(x, x, 2, 3, 0, 1);
    return x | __builtin_shufflevector(x, x, 1, 0, 3, 2);
  }
  BRAID_PLANES_INLINE static Ones any_vc(Vcs x) { return any_port(x); }
  /// One port's plane, for all VCs.
  BRAID_PLANES_INLINE static Vcs one_port(const Ones& x, int port) { return spread(x, port); }
  BRAID_PLANES_INLINE static bool some(One x) { return x != 0; }
  BRAID_PLANES_INLINE static bool some(Vcs x) { return any(x) != 0; }
  /// What VC v has goes to VC v + 1, what the last has to the first.
  BRAID_PLANES_INLINE static Vcs next(Vcs x) { return __builtin_shufflevector(x, x, 3, 0, 1, 2); }
  /// One VC's plane for all VCs.
  BRAID_PLANES_INLINE static Vcs spread(const Vcs& x, int vc) {
    return all(reinterpret_cast<const WordOfVector*>(&x)[vc]);
  }
  /// For each w, on which routers any VC is in `planes[w]`.
  BRAID_PLANES_INLINE static Vcs any_of_each(const Vcs* planes) {
    const Vcs a = planes[0], b = planes[1], c = planes[2], d = planes[3];
    const Vcs ab = __builtin_shufflevector(a, b, 0, 4, 2, 6) | __builtin_shufflevector(a, b, 1, 5, 3, 7);
    const Vcs cd = __builtin_shufflevector(c, d, 0, 4, 2, 6) | __builtin_shufflevector(c, d, 1, 5, 3, 7);
    return __builtin_shufflevector(ab, cd, 0, 1, 4, 5) | __builtin_shufflevector(ab, cd, 2, 3, 6, 7);
  }
  /// The VCs that are set at one router.
  BRAID_PLANES_INLINE static std::uint32_t at(const Vcs& planes, unsigned place) {
    return static_cast<std::uint32_t>(any((planes >> Word{place} & Vcs{1, 1, 1, 1}) << Vcs{0, 1, 2, 3}));
  }
  /// (A word that is written by itself is late in the vector that is read next.)
  BRAID_PLANES_INLINE static void set(Vcs& planes, unsigned vc, unsigned place) {
    planes |= static_cast<Vcs>(Vcs{vc, vc, vc, vc} == Vcs{0, 1, 2, 3}) & all(bit_of(place));
  }
  /// Round robin: `turn` is one-hot, the VC to be asked first. It passes VCs that do not request, in steps of one and
  /// two.
  BRAID_PLANES_INLINE static Vcs round_robin(Vcs turn, Vcs requests) {
    const Vcs pass = ~requests, pass_two = pass & next(pass);
    turn |= next(turn & pass);
    turn |= __builtin_shufflevector(turn, turn, 2, 3, 0, 1) & next(pass_two);
    return turn & requests;
  }
  /// The planes of all VCs at `from`, as routers whose number is lower by `shift` have them.
  BRAID_PLANES_INLINE static Vcs shifted(const Word* from, std::size_t /*stride*/, int shift) {
    const Vcs x = loaded<Vcs>(from);
    return shift >= 0 ? x << static_cast<Word>(shift) : x >> static_cast<Word>(-shift);
  }
};

/// Is a bit of the vector set? By halves.
BRAID_PLANES_INLINE bool any_bit(VectorOf<4>::type x) { return (x[0] | x[1] | x[2] | x[3]) != 0; }
BRAID_PLANES_INLINE bool any_bit(VectorOf<8>::type x) {
  return any_bit(__builtin_shufflevector(x, x, 0, 1, 2, 3) | __builtin_shufflevector(x, x, 4, 5, 6, 7));
}

/// Any number of routers, in blocks of as many words as a vector has.
template <int kVcsOf, int kWordsOf = 4>
struct Blocks {
  static constexpr int kVcs = kVcsOf, kWords = kWordsOf;
  using One = typename VectorOf<kWords>::type;
  /// A vector for each VC. Copies are made vector by vector: the compiler's own copy of a whole struct goes by halves
  /// of a vector, and a vector that is read behind them waits until both have been written.
  struct Vcs {
    One v[kVcs];
    Vcs() = default;
    BRAID_PLANES_INLINE Vcs(const Vcs& o) { *this = o; }
    // NOLINTNEXTLINE(bugprone-unhandled-self-assignment): each vector is copied to where it is
    BRAID_PLANES_INLINE Vcs& operator=(const Vcs& o) {
      return each([&](int i) BRAID_PLANES_LAMBDA { v[i] = o.v[i]; }), *this;
    }
    BRAID_PLANES_INLINE Vcs operator~() const {
      return made([&](int i) BRAID_PLANES_LAMBDA { return ~v[i]; });
    }
    BRAID_PLANES_INLINE friend Vcs operator&(const Vcs& a, const Vcs& b) {
      return made([&](int i) BRAID_PLANES_LAMBDA { return a.v[i] & b.v[i]; });
    }
    BRAID_PLANES_INLINE friend Vcs operator|(const Vcs& a, const Vcs& b) {
      return made([&](int i) BRAID_PLANES_LAMBDA { return a.v[i] | b.v[i]; });
    }
    BRAID_PLANES_INLINE friend Vcs operator^(const Vcs& a, const Vcs& b) {
      return made([&](int i) BRAID_PLANES_LAMBDA { return a.v[i] ^ b.v[i]; });
    }
    BRAID_PLANES_INLINE Vcs& operator&=(const Vcs& o) {
      return each([&](int i) BRAID_PLANES_LAMBDA { v[i] &= o.v[i]; }), *this;
    }
    BRAID_PLANES_INLINE Vcs& operator|=(const Vcs& o) {
      return each([&](int i) BRAID_PLANES_LAMBDA { v[i] |= o.v[i]; }), *this;
    }
    BRAID_PLANES_INLINE Vcs& operator^=(const Vcs& o) {
      return each([&](int i) BRAID_PLANES_LAMBDA { v[i] ^= o.v[i]; }), *this;
    }
    /// What `make` gives for each VC.
    template <class Make>
    BRAID_PLANES_INLINE static Vcs made(Make make) {
      Vcs all;
      each([&](int i) BRAID_PLANES_LAMBDA { all.v[i] = make(i); });
      return all;
    }
    template <class Visit>
    BRAID_PLANES_INLINE static void each(Visit visit) {
      each(visit, std::make_integer_sequence<int, kVcs>());
    }

   private:
    template <class Visit, int... i>
    BRAID_PLANES_INLINE static void each(Visit visit, std::integer_sequence<int, i...>) {
      (visit(i), ...);
    }
  };

  BRAID_PLANES_INLINE static Vcs all(One x) {
    return Vcs::made([&](int) BRAID_PLANES_LAMBDA { return x; });
  }
  BRAID_PLANES_INLINE static One any(const Vcs& x) {
    One some = x.v[0];
    for (int v = 1; v < kVcs; ++v) some |= x.v[v];
    return some;
  }
  static constexpr int kTogether = 1;
  using Ones = One;
  BRAID_PLANES_INLINE static Ones of_ports(const Vcs* planes) { return any(planes[0]); }
  BRAID_PLANES_INLINE static Vcs any_port(Ones x) { return all(x); }
  BRAID_PLANES_INLINE static Vcs any_for_all(const Vcs& x) { return all(any(x)); }
  BRAID_PLANES_INLINE static Ones any_vc(const Vcs& x) { return any(x); }
  BRAID_PLANES_INLINE static Vcs one_port(const Ones& x, int /*port*/) { return all(x); }
  BRAID_PLANES_INLINE static bool some(One x) { return any_bit(x); }
  BRAID_PLANES_INLINE static bool some(const Vcs& x) { return some(any(x)); }
  BRAID_PLANES_INLINE static Vcs next(const Vcs& x) {
    return Vcs::made([&](int i) BRAID_PLANES_LAMBDA { return x.v[(i + kVcs - 1) % kVcs]; });
  }
  BRAID_PLANES_INLINE static Vcs spread(const Vcs& x, int vc) { return all(x.v[vc]); }
  BRAID_PLANES_INLINE static Vcs any_of_each(const Vcs* planes) {
    return Vcs::made([&](int i) BRAID_PLANES_LAMBDA { return any(planes[i]); });
  }
  BRAID_PLANES_INLINE static std::uint32_t at(const Vcs& planes, unsigned place) {
    const auto* const words = reinterpret_cast<const WordOfVector*>(&planes) + place / kWordBits;
    std::uint32_t vcs = 0;
    for (unsigned v = 0; v < kVcs; ++v) {
      vcs |= static_cast<std::uint32_t>(words[v * kWords] >> (place % kWordBits) & 1) << v;
    }
    return vcs;
  }
  BRAID_PLANES_INLINE static void set(Vcs& planes, unsigned vc, unsigned place) {
    reinterpret_cast<WordOfVector*>(&planes)[vc * kWords + place / kWordBits] |= bit_of(place);
  }
  /// The turn goes round once to the end and, where nobody took it, on from the begin.
  BRAID_PLANES_INLINE static Vcs round_robin(const Vcs& turn, const Vcs& requests) {
    One passed{};
    for (int v = 0; v < kVcs; ++v) passed = (passed | turn.v[v]) & ~requests.v[v];
    Vcs winners;
    for (int v = 0; v < kVcs; ++v) {
      const One here = passed | turn.v[v];
      winners.v[v] = here & requests.v[v];
      passed = here & ~requests.v[v];
    }
    return winners;
  }
  BRAID_PLANES_INLINE static Vcs shifted(const Word* from, std::size_t stride, int shift) {
    const int words = shift >> 6, bits = shift & 63;
    Vcs x;
    for (int v = 0; v < kVcs; ++v, from += stride) {
      x.v[v] = loaded<One>(from - words);
      if (bits == 0) continue;
      x.v[v] = (x.v[v] << static_cast<Word>(bits)) | (loaded<One>(from - words - 1) >> static_cast<Word>(64 - bits));
    }
    return x;
  }
};

/// The word of one VC's plane that has a router of the block in it. `vc`: counted on from the first of `planes`, which
/// may be those of several ports; `place`: of the router in the block.
template <class Shape>
BRAID_PLANES_INLINE WordOfVector& word_of(typename Shape::Vcs* planes, unsigned vc, unsigned place) {
  return reinterpret_cast<WordOfVector*>(planes)[vc * Shape::kWords + place / kWordBits];
}
template <class Shape>
BRAID_PLANES_INLINE WordOfVector& word_of(typename Shape::One& plane, unsigned place) {
  return reinterpret_cast<WordOfVector*>(&plane)[place / kWordBits];
}
/// The word of one port's plane, among those of the ports that work together.
template <class Shape>
BRAID_PLANES_INLINE WordOfVector& word_of_port(typename Shape::Ones& planes, unsigned port, unsigned place) {
  return reinterpret_cast<WordOfVector*>(&planes)[port % Shape::kTogether * Shape::kWords + place / kWordBits];
}
template <class Shape>
bool is_set_of_port(const typename Shape::Ones& planes, unsigned port, unsigned place) {
  const unsigned word = port % Shape::kTogether * Shape::kWords + place / kWordBits;
  return (reinterpret_cast<const WordOfVector*>(&planes)[word] & bit_of(place)) != 0;
}
template <class Shape>
bool is_set(const typename Shape::Vcs* planes, unsigned vc, unsigned place) {
  return (reinterpret_cast<const WordOfVector*>(planes)[vc * Shape::kWords + place / kWordBits] & bit_of(place)) != 0;
}
template <class Shape>
bool is_set(const typename Shape::One& plane, unsigned place) {
  return (reinterpret_cast<const WordOfVector*>(&plane)[place / kWordBits] & bit_of(place)) != 0;
}
template <class Shape>
void put(typename Shape::Vcs* planes, unsigned vc, unsigned place, bool value) {
  WordOfVector& word = word_of<Shape>(planes, vc, place);
  word = value ? word | bit_of(place) : word & ~bit_of(place);
}
/// Routers where the plane is set.
template <class Shape>
BRAID_PLANES_INLINE std::uint64_t ones(const typename Shape::One& plane) {
  std::uint64_t all = 0;
  for (int i = 0; i < Shape::kWords; ++i) {
    all += static_cast<std::uint64_t>(__builtin_popcountll(reinterpret_cast<const WordOfVector*>(&plane)[i]));
  }
  return all;
}

}  // namespace braid::models::hybrid::planes
