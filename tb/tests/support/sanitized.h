// Is this the build with sanitizers (preset asan)? A few long tests are cut short there: what they compare is held by
// the tests of the release build, and a fault of memory shows in the first cycles.
#pragma once

namespace braid::test {

#ifdef __SANITIZE_ADDRESS__
constexpr bool kSanitized = true;
#else
constexpr bool kSanitized = false;
#endif

/// Is it the one of scripts/test? What repeats one comparison many times takes fewer there, all in the nightly's
/// (preset asan_all).
#ifdef BRAID_BRIEF_TESTS
constexpr bool kBrief = true;
#else
constexpr bool kBrief = false;
#endif

/// Why a case is left out there: the release build and valgrind (scripts/nightly tlm_memory) have it.
constexpr const char* kThrownOnCoroutine =
    "AddressSanitizer takes an exception that is thrown on a stack of SystemC's for an overflow (its issue 189)";

}  // namespace braid::test
