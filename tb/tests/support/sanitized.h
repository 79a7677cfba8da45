// Is Braid linked with sanitizers here? A few long tests are cut short there: what they compare is held by the tests of
// the release build, and a fault of memory shows in the first cycles.
#pragma once

#include <cstdint>
#include <cstdlib>

// Of AddressSanitizer's runtime: nowhere, if that is not linked.
// NOLINTNEXTLINE(bugprone-reserved-identifier, readability-identifier-naming)
extern "C" void __asan_init() __attribute__((weak));

namespace braid::test {

/// Has the case that runs learnt that it is under sanitizers, and so done less than elsewhere? scripts/test runs such
/// cases again, whole, without them; all others are not run twice.
inline bool cut_short = false;

/// Yes or no; who asks and hears yes is cut short.
class Asked {
 public:
  explicit Asked(bool yes) : yes_(yes) {}
  operator bool() const {  // NOLINT(google-explicit-constructor, hicpp-explicit-conversions): asked as a constant is
    cut_short = cut_short || yes_;
    return yes_;
  }
  /// The same, unnoticed.
  bool peek() const { return yes_; }

 private:
  bool yes_;
};

/// Asked of the program and not of the compiler: cases are compiled once, and linked with Braid as it is released and
/// with Braid that has sanitizers (target sanitized_tests).
inline const Asked kSanitized(__asan_init != nullptr);

/// Is it the one of scripts/test? What repeats one comparison many times takes fewer there, all in the nightly's
/// (preset asan_all), where the cases have sanitizers themselves.
#ifdef __SANITIZE_ADDRESS__
inline const Asked kBrief(false);
#else
inline const Asked kBrief(__asan_init != nullptr);
#endif

/// By how much a comparison of many cycles or networks is cut short: all of them are the nightly's (`all_cycles`, and
/// `sanitized` under sanitizers). Who asks this is not cut short: a sixth under sanitizers is what scripts/test has.
inline std::uint64_t shortened() {
  return std::getenv("BRAID_ALL_CYCLES") != nullptr ? 1 : kBrief.peek() ? 6 : kSanitized.peek() ? 1 : 2;
}
/// So many of a comparison's cycles or networks.
inline std::uint64_t briefly(std::uint64_t all) { return (all + shortened() - 1) / shortened(); }

/// Why a long comparison of figures is left out there: shorter cases go through the same code with sanitizers;
/// scripts/test has it once, without them, the nightly's `sanitized` with them.
constexpr const char* kLong = "long, and without sanitizers in scripts/test";

/// Why a case is left out there: the release build and valgrind (scripts/nightly tlm_memory) have it.
constexpr const char* kThrownOnCoroutine =
    "AddressSanitizer takes an exception that is thrown on a stack of SystemC's for an overflow (its issue 189)";

}  // namespace braid::test
