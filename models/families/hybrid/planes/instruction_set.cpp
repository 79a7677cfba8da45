#include "models/families/hybrid/planes/instruction_set.h"

#include <cstdlib>
#include <string_view>

#include "models/families/hybrid/planes/names_by_compressing.h"

namespace braid::models::hybrid::planes {

InstructionSet instruction_set() {
#ifdef BRAID_PLANES_AVX2
  const char* const wanted = std::getenv("BRAID_VECTORS");
  const std::string_view most = wanted == nullptr ? "" : wanted;
  const bool avx2 =
      __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt");
  if (most == "plain" || !avx2) return InstructionSet::kPlain;
#ifdef BRAID_PLANES_COMPRESS
  const bool avx512 =
      __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512vbmi2");
  if (most != "avx2" && avx512) return InstructionSet::kAvx512;
#endif
  return InstructionSet::kAvx2;
#else
  return InstructionSet::kPlain;
#endif
}

}  // namespace braid::models::hybrid::planes
