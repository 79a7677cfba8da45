// A tree over the links, breadth first from the root's router, so that nobody hears later than the distance allows; a
// node tells the children with the deepest subtrees first. A position belongs to a certain node here.
#include <algorithm>
#include <utility>

#include "traffic/broadcast/broadcast_scheme.h"

namespace braid::traffic {
namespace {

class SpanningTreeScheme final : public BroadcastScheme {
 public:
  explicit SpanningTreeScheme(const SchemeContext& context) : SpanningTreeScheme(Tree(context)) {}
  std::optional<std::vector<NodeId>> nodes() const override { return nodes_; }

 private:
  /// Nodes in the order of their routers' distance. Of the nodes of a router the first is the parent of the others and
  /// of those behind the router; a router without nodes leaves its children to its parent.
  struct Tree {
    explicit Tree(const SchemeContext& context) : topology(context.topology), local(topology.router_count()) {
      for (std::size_t n = 0; n < topology.node_count(); ++n) local_of(NodeId{n}).push_back(NodeId{n});
      std::vector<NodeId>& first = local_of(context.root);  // the root before those beside it
      std::rotate(first.begin(), std::find(first.begin(), first.end(), context.root), first.end());
      std::vector<bool> seen(topology.router_count());
      visit({topology.router_of(context.root), 0, 0}, seen);
      for (std::size_t i = 0; i < reached.size(); ++i) {
        const Reached here = reached[i];
        for (const routing::Port& port : topology.routers[here.router.value]) {
          if (port.kind != routing::PortKind::kNetwork || seen[port.peer_router.value]) continue;
          visit({port.peer_router, here.inner, here.links + 1}, seen);
        }
      }
    }
    struct Reached {
      RouterId router;
      std::uint32_t inner;  // position: the parent of who is found next
      std::uint32_t links;  // from the root's router
    };
    std::vector<NodeId>& local_of(NodeId node) { return local[topology.router_of(node).value]; }
    void visit(Reached router, std::vector<bool>& seen) {
      seen[router.router.value] = true;
      const std::uint32_t above = router.inner;
      for (const NodeId node : local[router.router.value]) {
        const bool is_inner = node == local[router.router.value].front();
        if (is_inner) router.inner = static_cast<std::uint32_t>(nodes.size());
        parent.push_back(is_inner ? above : router.inner);
        links.push_back(router.links);
        nodes.push_back(node);
      }
      reached.push_back(router);
    }

    const routing::Topology& topology;
    std::vector<std::vector<NodeId>> local;  // [router]
    std::vector<Reached> reached;
    std::vector<NodeId> nodes;                 // [position]
    std::vector<std::uint32_t> parent, links;  // [position]; the root is its own parent
  };

  explicit SpanningTreeScheme(const Tree& tree) : BroadcastScheme(parts_of(tree)), nodes_(tree.nodes) {}

  static std::vector<BroadcastPart> parts_of(const Tree& tree) {
    std::vector<BroadcastPart> parts(tree.nodes.size());
    std::vector<std::uint32_t> farthest = tree.links;  // [position] of those in its subtree
    for (auto p = static_cast<std::uint32_t>(parts.size()); p-- > 1;) {
      farthest[tree.parent[p]] = std::max(farthest[tree.parent[p]], farthest[p]);
    }
    for (std::uint32_t p = 1; p < parts.size(); ++p) {
      parts[p].told_when_done = {tree.parent[p]};
      parts[tree.parent[p]].told_at_once.push_back(p);
    }
    for (BroadcastPart& part : parts) {
      part.role = part.told_at_once.empty() ? "leaf" : "inner";
      std::stable_sort(part.told_at_once.begin(), part.told_at_once.end(),
                       [&](std::uint32_t a, std::uint32_t b) { return farthest[a] > farthest[b]; });
    }
    parts[0].role = "root";
    return parts;
  }

  std::vector<NodeId> nodes_;
};

const bool spanning_tree_scheme_registered = BroadcastSchemeRegistry::instance().add(
    "spanning_tree", "a tree down over the network's links, breadth first from the root; acknowledgements up",
    [](const SchemeContext& c) { return std::make_unique<SpanningTreeScheme>(c); });

}  // namespace
}  // namespace braid::traffic
