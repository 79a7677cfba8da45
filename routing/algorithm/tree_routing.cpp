// Routing on a k-ary n-tree: up to a switch that has the destination below it, then down the only way. Every up port
// leads to such a switch, so the way up is a free choice: "tree_adaptive" offers all up ports and leaves the choice to
// the router, the static algorithms fix one (paper: sat-fairness, section III.A).
#include <array>
#include <vector>

#include "routing/algorithm/routing_algorithm.h"

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
      : RoutingAlgorithm(vcs), choice_(choice) {
    if (!topology.tree) {
      throw InputError("routing algorithm \"" + std::string(name) + "\" needs a k_ary_n_tree; topology is " +
                       topology.name);
    }
    tree_ = *topology.tree;
    for (std::size_t r = 0; r < topology.router_count(); ++r) {
      const std::uint32_t level = tree_.level(RouterId{r});
      places_.push_back({level, drop_digits(tree_.word(RouterId{r}), level)});
    }
    for (std::uint32_t n = 0; n < topology.node_count(); ++n) {
      std::uint32_t rest = n;
      for (std::uint32_t level = 0; level < tree_.levels; ++level) {
        digits_.push_back(static_cast<std::uint8_t>(rest % tree_.arity));
        rest /= tree_.arity;
        above_.push_back(rest);
      }
    }
  }

  std::size_t max_candidates() const override { return choice_ == nullptr ? tree_.arity : 1; }
  bool depends_on_source() const override { return choice_ != nullptr && choice_->depends_on_source; }
  bool acyclic_by_construction() const override { return true; }

  void route(const RouteQuery& q, CandidateList& out) const override {
    out.clear();
    const Place& here = places_[q.router.value];
    const std::size_t d = std::size_t{q.destination.value} * tree_.levels;
    if (above_[d + here.level] == here.above) {
      out.add(PortId{digits_[d + here.level]}, all_vcs_);
      return;
    }
    if (choice_ != nullptr) {
      const std::size_t s = std::size_t{q.source.value} * tree_.levels;
      out.add(PortId{tree_.arity + choice_->port(&digits_[s], &digits_[d], here.level, tree_.arity)}, all_vcs_);
      return;
    }
    for (std::uint32_t u = 0; u < tree_.arity; ++u) out.add(PortId{tree_.arity + u}, all_vcs_);
  }

 private:
  std::uint32_t drop_digits(std::uint32_t number, std::uint32_t count) const {
    for (; count > 0; --count) number /= tree_.arity;
    return number;
  }
  struct Place {
    std::uint32_t level;
    std::uint32_t above;  // the digits that the way up does not change: what the nodes below have in common
  };
  Tree tree_;
  const UpChoice* choice_;
  std::vector<Place> places_;         // [router]
  std::vector<std::uint8_t> digits_;  // [node * levels + level] also the down port at that level
  std::vector<std::uint32_t> above_;  // [node * levels + level] the node's digits above that level
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
