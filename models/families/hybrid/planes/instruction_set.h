// Which vectors planes compute with.
#pragma once

namespace braid::models::hybrid::planes {

#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__)
#define BRAID_PLANES_AVX2  // planes are compiled for it too
#endif

/// What there is, each more than the one before.
enum class InstructionSet { kPlain, kAvx2, kAvx512 };

/// What the processor has and planes are compiled for. BRAID_VECTORS=plain or avx2 in the environment: no more than
/// that.
InstructionSet instruction_set();

}  // namespace braid::models::hybrid::planes
