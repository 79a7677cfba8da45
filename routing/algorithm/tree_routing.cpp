// Routing on a k-ary n-tree. The way up is a free choice: "tree_adaptive" offers all up ports and leaves the choice to
// the router, the static algorithms fix one (paper: sat-fairness, section III.A), others draw it (tree_drawn.cpp).
#include <array>

#include "routing/algorithm/tree_ways.h"

namespace braid::routing {
namespace {

/// Up port at `level` from the digits of source and destination, each [level].
struct UpChoice {
  const char* name;
  const char* summary;
  bool depends_on_source;
  std::uint32_t (*port)(const std::uint8_t* source, const std::uint8_t* destination, std::uint32_t level,
                        std::uint32_t arity);
};

constexpr std::array<UpChoice, 3> kStatic{{
    {"tree_by_source", "up by the source's digit of the level: no two sources share a link up", true,
     [](const std::uint8_t* s, const std::uint8_t*, std::uint32_t level, std::uint32_t) -> std::uint32_t {
       return s[level];
     }},
    {"tree_by_destination", "up by the destination's digit of the level: no two destinations share a link down", false,
     [](const std::uint8_t*, const std::uint8_t* d, std::uint32_t level, std::uint32_t) -> std::uint32_t {
       return d[level];
     }},
    {"tree_by_pair", "up by the sum of both digits of the level", true,
     [](const std::uint8_t* s, const std::uint8_t* d, std::uint32_t level, std::uint32_t k) -> std::uint32_t {
       return (std::uint32_t{s[level]} + d[level]) % k;
     }},
}};

class TreeRouting final : public RoutingAlgorithm {
 public:
  /// `choice` null: all up ports.
  TreeRouting(const Topology& topology, std::uint32_t vcs, const char* name, const UpChoice* choice)
      : RoutingAlgorithm(vcs), ways_(topology, name), choice_(choice) {}

  std::size_t max_candidates() const override { return choice_ == nullptr ? ways_.arity() : 1; }
  bool depends_on_source() const override { return choice_ != nullptr && choice_->depends_on_source; }
  /// Petrini and Vanneschi, "k-ary n-trees: high performance networks for massively parallel architectures", IPPS 1997:
  /// links up, then links down.
  bool acyclic_by_construction() const override { return true; }

  void route(const RouteQuery& q, CandidateList& out) const override {
    out.clear();
    if (ways_.is_above(q.router, q.destination)) return out.add(ways_.down(q.router, q.destination), all_vcs_);
    if (choice_ != nullptr) {
      const std::uint32_t way =
          choice_->port(ways_.digits(q.source), ways_.digits(q.destination), ways_.level(q.router), ways_.arity());
      return out.add(ways_.up(way), all_vcs_);
    }
    for (std::uint32_t way = 0; way < ways_.arity(); ++way) out.add(ways_.up(way), all_vcs_);
  }

 private:
  TreeWays ways_;
  const UpChoice* choice_;
};

bool add_all() {
  RoutingRegistry& registry = RoutingRegistry::instance();
  for (const UpChoice& choice : kStatic) {
    registry.add(choice.name, choice.summary, [&choice](const Topology& t, const RoutingContext& o) {
      return std::make_unique<TreeRouting>(t, o.vcs, choice.name, &choice);
    });
  }
  return registry.add("tree_adaptive", "k-ary n-tree: any way up, chosen by credits",
                      [](const Topology& t, const RoutingContext& o) {
                        return std::make_unique<TreeRouting>(t, o.vcs, "tree_adaptive", nullptr);
                      });
}
const bool tree_routing_registered = add_all();

}  // namespace
}  // namespace braid::routing
