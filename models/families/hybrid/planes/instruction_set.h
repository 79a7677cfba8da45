// Which vectors the processor has.
#pragma once

#include <cstdlib>
#include <string_view>

namespace braid::models::hybrid::planes {

#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__)
#define BRAID_PLANES_AVX2
/// What the processor has, each more than the one before.
enum class InstructionSet { kPlain, kAvx2, kAvx512 };

/// BRAID_VECTORS=plain or avx2 in the environment: as on a processor that has no more.
inline InstructionSet instruction_set() {
  const char* const wanted = std::getenv("BRAID_VECTORS");
  const std::string_view most = wanted == nullptr ? "" : wanted;
  const bool avx2 =
      __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt");
  if (most == "plain" || !avx2) return InstructionSet::kPlain;
  const bool avx512 =
      __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512vbmi2");
  return most == "avx2" || !avx512 ? InstructionSet::kAvx2 : InstructionSet::kAvx512;
}
#endif

}  // namespace braid::models::hybrid::planes
