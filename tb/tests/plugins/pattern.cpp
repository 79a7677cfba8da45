// A plugin of the tests, built under several names (tb/tests/plugins/CMakeLists.txt).
#include "traffic/synthetic/pattern.h"

namespace {

using namespace braid;

struct Opposite final : traffic::TrafficPattern {
  explicit Opposite(std::size_t n) : nodes(n) {}
  traffic::Destination destination(NodeId source, Random&) const override { return NodeId{nodes - 1 - source.value}; }
  std::size_t nodes;
};

const bool registered = traffic::PatternRegistry::instance().add(
    BRAID_TEST_PATTERN, "the node of the other end",
    [](const routing::Topology& t, const Configuration&) { return std::make_unique<Opposite>(t.node_count()); });

}  // namespace

#ifdef BRAID_TEST_MISSING
extern "C" int nobody_has_this();
const int kMissing = nobody_has_this();
#endif
