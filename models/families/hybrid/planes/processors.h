// One cycle in planes, compiled for the kinds of processor that there are. Each shape of a block that a file makes
// costs it about seven seconds of the compiler's.
#pragma once

#include <cstdlib>
#include <string_view>

#include "models/families/hybrid/planes/cycle.h"
#include "models/families/hybrid/planes/elaboration.h"
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

#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__)
#define BRAID_PLANES_AVX2
template <class B>
class Avx2 final : public Pipeline<B> {
 public:
  using Pipeline<B>::Pipeline;
  [[gnu::target("avx2,bmi,bmi2,lzcnt,popcnt")]] void cycle(std::uint64_t cycle) override { this->run_cycle(cycle); }
  double break_even() const override { return 6 * this->size(); }
};

/// BRAID_VECTORS=plain in the environment: as on a processor without them.
inline bool has_avx2() {
  const char* const wanted = std::getenv("BRAID_VECTORS");
  if (wanted != nullptr && std::string_view(wanted) == "plain") return false;
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt");
}
#endif

/// The engine of a shape for the processor that this is.
template <class B>
std::unique_ptr<CycleEngine> for_processor(const Parts& parts) {
  auto planes = std::make_unique<Planes<B>>(parts);
#ifdef BRAID_PLANES_AVX2
  if (has_avx2()) {
    planes->template share_out<Avx2<B>>(parts);
    return planes;
  }
#endif
  planes->template share_out<Plain<B>>(parts);
  return planes;
}

}  // namespace braid::models::hybrid::planes
