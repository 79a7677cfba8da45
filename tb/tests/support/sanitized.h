// Is Braid linked with sanitizers here? A few long tests are cut short there: what they compare is held by the tests of
// the release build, and a fault of memory shows in the first cycles.
#pragma once

#include <cstdint>
#include <cstdlib>

// Of AddressSanitizer's runtime: nowhere, if that is not linked.
// NOLINTNEXTLINE(bugprone-reserved-identifier, readability-identifier-naming)
extern "C" void __asan_init() __attribute__((weak));

namespace braid::test {

/// Asked of the program and not of the compiler: cases are compiled once, and linked with Braid as it is released and
/// with Braid that has sanitizers (target sanitized_tests).
inline const bool kSanitized = __asan_init != nullptr;

/// Is it the one of scripts/test? What repeats one comparison many times takes fewer there, all in the nightly's
/// (preset asan_all), where the cases have sanitizers themselves.
#ifdef __SANITIZE_ADDRESS__
inline const bool kBrief = false;
#else
inline const bool kBrief = kSanitized;
#endif

/// By how much a comparison of many cycles or networks is cut short: all of them are the nightly's (`all_cycles`, and
/// `sanitized` under sanitizers).
inline std::uint64_t shortened() {
  static const std::uint64_t by = std::getenv("BRAID_ALL_CYCLES") != nullptr ? 1 : kBrief ? 6 : kSanitized ? 1 : 2;
  return by;
}
/// So many of a comparison's cycles or networks.
inline std::uint64_t briefly(std::uint64_t all) { return (all + shortened() - 1) / shortened(); }

/// Why a case is left out there: the release build and valgrind (scripts/nightly tlm_memory) have it.
constexpr const char* kThrownOnCoroutine =
    "AddressSanitizer takes an exception that is thrown on a stack of SystemC's for an overflow (its issue 189)";

}  // namespace braid::test
