// One cycle in planes, compiled for the kinds of processor that there are. Each shape of a block that a file makes
// costs it about seven seconds of the compiler's.
#pragma once

#include "models/families/hybrid/planes/cycle.h"
#include "models/families/hybrid/planes/elaboration.h"
#include "models/families/hybrid/planes/instruction_set.h"
#include "models/families/hybrid/planes/planes.h"
#include "models/families/hybrid/planes/shapes.h"
#include "models/families/hybrid/planes/show.h"
#include "models/families/hybrid/planes/take_over.h"

namespace braid::models::hybrid::planes {

/// -O2 where next to nobody is without AVX2: -O3 makes it a fifth faster, and takes the compiler three times as long.
/// (Clang does not know the attribute.)
#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__) && !defined(__clang__)
#define BRAID_PLANES_PLAIN [[gnu::optimize("O2")]]
#else
#define BRAID_PLANES_PLAIN
#endif

/// For any processor.
template <class B>
class Plain final : public Pipeline<B> {
 public:
  using Pipeline<B>::Pipeline;
  BRAID_PLANES_PLAIN void cycle(std::uint64_t cycle) override { this->run_cycle(cycle); }
  double break_even() const override { return (B::Shape::kWords == 1 ? 24 : 20) * this->size(); }
};

#ifdef BRAID_PLANES_AVX2
/// Where there is AVX-512, it makes the names of VCs; the algebra is no faster with it.
template <class B>
class Avx2 final : public Pipeline<B> {
 public:
  Avx2(const Parts& parts, Slice& slice, Common<B>& common) : Pipeline<B>(parts, slice, common) {
    this->compresses_ = instruction_set() == InstructionSet::kAvx512;
  }
  [[gnu::target("avx2,bmi,bmi2,lzcnt,popcnt")]] void cycle(std::uint64_t cycle) override { this->run_cycle(cycle); }
  double break_even() const override { return 6 * this->size(); }
};
#endif

#ifdef BRAID_PLANES_COMPRESS
/// Vectors of AVX-512, for shapes that have such.
template <class B>
class Avx512 final : public Pipeline<B> {
 public:
  Avx512(const Parts& parts, Slice& slice, Common<B>& common) : Pipeline<B>(parts, slice, common) {
    this->compresses_ = true;
  }
  [[gnu::target("avx512f,avx512bw,avx512vl,avx512vbmi2,avx2,bmi,bmi2,lzcnt,popcnt")]] void cycle(
      std::uint64_t cycle) override {
    this->run_cycle(cycle);
  }
  double break_even() const override { return 6 * this->size(); }
};
#endif

/// The engine of a shape for the processor that this is.
template <class B>
std::unique_ptr<CycleEngine> for_processor(const Parts& parts) {
  auto planes = std::make_unique<Planes<B>>(parts);
#ifdef BRAID_PLANES_AVX2
  if (instruction_set() != InstructionSet::kPlain) {
    planes->template share_out<Avx2<B>>(parts);
    return planes;
  }
#endif
  planes->template share_out<Plain<B>>(parts);
  return planes;
}

}  // namespace braid::models::hybrid::planes
