// One cycle in planes, compiled for the kinds of processor that there are. Each shape of a block that a file makes
// costs it about ten seconds of the compiler's.
#pragma once

#include "models/families/hybrid/planes/cycle.h"
#include "models/families/hybrid/planes/elaboration.h"
#include "models/families/hybrid/planes/instruction_set.h"
#include "models/families/hybrid/planes/planes.h"
#include "models/families/hybrid/planes/shapes.h"
#include "models/families/hybrid/planes/show.h"
#include "models/families/hybrid/planes/take_over.h"

namespace braid::models::hybrid::planes {

/// Flits a cycle that cost as much over lists as planes do, for each 64 routers of 5 ports and 4 VCs, as measured
/// (docs/planes.md#auto): in shapes of the usual router and of others, up to 64 routers and more. Of those that packets
/// share with circuits the usual router's are as of more, however few there are.
struct BreakEven {
  double usual, usual_blocks, other, other_blocks;
  template <class B>
  double of_shape() const {
    const bool few = B::Shape::kWords == 1;
    if (B::kPorts == kUsualPorts) return few && !B::kMayHaveCircuits ? usual : usual_blocks;
    return few ? other : other_blocks;
  }
};

/// For any processor.
template <class B>
class Plain final : public Pipeline<B> {
 public:
  using Pipeline<B>::Pipeline;
  void cycle(std::uint64_t cycle) override { this->run_cycle(cycle); }
  double break_even() const override { return BreakEven{10, 17, 25, 30}.template of_shape<B>() * this->size(); }
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
  double break_even() const override { return BreakEven{3, 5, 9, 12}.template of_shape<B>() * this->size(); }
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
  double break_even() const override { return 4 * this->size(); }
};
#endif

/// The engine of a shape for a kind of processor ...
template <template <class> class Kind, class B>
std::unique_ptr<CycleEngine> with(const Parts& parts) {
  auto planes = std::make_unique<Planes<B>>(parts);
  planes->template share_out<Kind<B>>(parts);
  return planes;
}
/// ... and for the one that this is.
template <class B>
std::unique_ptr<CycleEngine> for_processor(const Parts& parts) {
#ifdef BRAID_PLANES_AVX2
  if (instruction_set() != InstructionSet::kPlain) return with<Avx2, B>(parts);
#endif
  return with<Plain, B>(parts);
}

}  // namespace braid::models::hybrid::planes
