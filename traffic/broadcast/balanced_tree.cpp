// A balanced k-ary tree (paper: diamond-rings, section 4.1): the event goes down before it is handled, an
// acknowledgement comes up once all below have handled it.
#include "traffic/broadcast/broadcast_scheme.h"

namespace braid::traffic {
namespace {

struct BalancedTreeOptions {
  std::uint32_t arity = 2;
};
const OptionTable<BalancedTreeOptions> kBalancedTreeTable =
    OptionTable<BalancedTreeOptions>("broadcast")
        .integer("arity", &BalancedTreeOptions::arity, 1, 4096, "children of a position");

class BalancedTree final : public BroadcastScheme {
 public:
  BalancedTree(std::uint32_t positions, std::uint32_t arity) : BroadcastScheme(parts_of(positions, arity)) {}

 private:
  static std::vector<BroadcastPart> parts_of(std::uint32_t positions, std::uint32_t arity) {
    std::vector<BroadcastPart> parts(positions);
    parts[0].role = "root";
    for (std::uint32_t p = 1; p < positions; ++p) {
      const std::uint32_t parent = (p - 1) / arity;
      parts[p].role = std::uint64_t{arity} * p + 1 < positions ? "inner" : "leaf";
      parts[p].told_when_done = {parent};
      parts[parent].told_at_once.push_back(p);
    }
    return parts;
  }
};

const bool balanced_tree_registered = BroadcastSchemeRegistry::instance().add(
    "balanced_tree", "a tree down, acknowledgements up", kBalancedTreeTable.list(), [](const SchemeContext& c) {
      return std::make_unique<BalancedTree>(c.positions, kBalancedTreeTable.read(c.configuration).arity);
    });

}  // namespace
}  // namespace braid::traffic
