// Which of several ways a head asks for where all that is compared is the same (separable_vc_allocator.cpp); the rest:
// hybrid_allocator_test.cpp.
#include <gtest/gtest.h>

#include "models/families/hybrid/vc_allocator.h"
#include "tb/tests/support/one_router.h"

namespace braid::test::vc_choice_test {
namespace {

using namespace models;
using namespace models::hybrid;
using namespace one_router;

/// Two ways by one port, to one VC each, with as much room behind: the first, as routing has them.
TEST(SeparableVcAllocator, AsksTheFirstOfTwoEqualWaysByOnePort) {
  for (const std::uint32_t first : {0U, 1U}) {
    Router router(2);
    const auto va = VcAllocatorRegistry::instance().make("separable_input_first", router.allocator("round_robin"));
    const VcIndex head = router.vc(kLocal, 0);
    router.wait(head, {{PortId{2}, 1, VcMask{1} << first}, {PortId{2}, 1, VcMask{2} >> first}});
    WorkList<VcIndex> waiting;
    waiting.reserve(1);
    waiting.push(head);
    WorkList<VcGrant> grants;
    grants.reserve(64);
    va->allocate({*router.bank, waiting}, grants);
    ASSERT_EQ(grants.size(), 1U);
    EXPECT_EQ(grants[0].in_vc, head);
    EXPECT_EQ(grants[0].out_vc, router.vc(2, first));
  }
}

}  // namespace
}  // namespace braid::test::vc_choice_test
