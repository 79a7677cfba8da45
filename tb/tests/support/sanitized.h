// Is this the build with sanitizers (preset asan)? A few long tests are cut short there: what they compare is held by
// the tests of the release build, and a fault of memory shows in the first cycles.
#pragma once

namespace braid::test {

#ifdef __SANITIZE_ADDRESS__
constexpr bool kSanitized = true;
#else
constexpr bool kSanitized = false;
#endif

}  // namespace braid::test
