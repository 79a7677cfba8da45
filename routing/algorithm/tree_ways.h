// Ways in a k-ary n-tree: up to a switch that has the destination below it, then down the only way. Every up port leads
// to such a switch.
#pragma once

#include <string>
#include <vector>

#include "routing/algorithm/routing_algorithm.h"

namespace braid::routing {

class TreeWays {
 public:
  /// Throws InputError where the topology is no such tree.
  TreeWays(const Topology& topology, const char* algorithm) {
    if (!topology.tree) {
      throw InputError("routing algorithm \"" + std::string(algorithm) + "\" needs a k_ary_n_tree; topology is " +
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

  std::uint32_t arity() const { return tree_.arity; }
  std::uint32_t levels() const { return tree_.levels; }
  std::uint32_t level(RouterId router) const { return places_[router.value].level; }
  bool is_above(RouterId router, NodeId node) const {
    const Place& here = places_[router.value];
    return above_[std::size_t{node.value} * tree_.levels + here.level] == here.above;
  }
  /// Of a router above the node.
  PortId down(RouterId router, NodeId node) const { return PortId{digits(node)[level(router)]}; }
  PortId up(std::uint32_t way) const { return PortId{tree_.arity + way}; }
  /// [level] The node's number in digits of the arity.
  const std::uint8_t* digits(NodeId node) const { return &digits_[std::size_t{node.value} * tree_.levels]; }

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
  std::vector<Place> places_;         // [router]
  std::vector<std::uint8_t> digits_;  // [node * levels + level] also the down port at that level
  std::vector<std::uint32_t> above_;  // [node * levels + level] the node's digits above that level
};

}  // namespace braid::routing
