// Drawn ways up a k-ary n-tree, to the nearest common ancestor of source and destination. Valiant and Brebner,
// "Universal schemes for parallel communication", STOC 1981, of two phases: "tree_drawn" takes each way up as likely.
// "tree_two_choices" draws two up ports at every switch and takes the emptier one (Mitzenmacher, "The power of two
// choices in randomized load balancing", IEEE Trans. Parallel and Distributed Systems 12(10), 2001).
//
// No packet carries what it drew: its way up is a function of the pair of nodes and of RouteQuery::draw.
#include "routing/algorithm/intermediate.h"
#include "routing/algorithm/output_queues.h"
#include "routing/algorithm/tree_ways.h"

namespace braid::routing {
namespace {

class DrawnUp : public RoutingAlgorithm {
 public:
  std::uint32_t draws() const override { return kIntermediateDraws; }
  bool depends_on_source() const override { return true; }
  /// Petrini and Vanneschi, IPPS 1997: links up, then links down.
  bool acyclic_by_construction() const override { return true; }
  std::size_t max_candidates() const override { return 1; }

  void route(const RouteQuery& q, CandidateList& out) const override {
    out.clear();
    out.add(ways_.is_above(q.router, q.destination) ? ways_.down(q.router, q.destination) : ways_.up(way_up(q)),
            all_vcs_);
  }

 protected:
  DrawnUp(const char* name, const Topology& topology, const RoutingContext& context)
      : RoutingAlgorithm(context.vcs), ways_(topology, name) {}

  /// The first of two draws: the packet goes up towards one of all switches at the top. Of these a pair's 256 kinds of
  /// packets have every 256th, so the highest digit of the number comes first: ways that turn back early are as even.
  std::uint32_t drawn(const RouteQuery& q) const {
    std::uint64_t place = intermediate_of(q, places_);
    for (std::uint32_t level = ways_.level(q.router) + 2; level < ways_.levels(); ++level) place /= ways_.arity();
    return static_cast<std::uint32_t>(place % ways_.arity());
  }

  TreeWays ways_;

 private:
  virtual std::uint32_t way_up(const RouteQuery& q) const = 0;
  static std::uint64_t tops(const TreeWays& ways) {
    std::uint64_t all = 1;
    for (std::uint32_t level = 1; level < ways.levels(); ++level) all *= ways.arity();
    return all;
  }
  std::uint64_t places_ = tops(ways_);
};

class TreeDrawn final : public DrawnUp {
 public:
  TreeDrawn(const Topology& topology, const RoutingContext& context) : DrawnUp(name(), topology, context) {}
  static const char* name() { return "tree_drawn"; }

 private:
  std::uint32_t way_up(const RouteQuery& q) const override { return drawn(q); }
};

class TreeTwoChoices final : public DrawnUp, public ReadsOutputQueues {
 public:
  TreeTwoChoices(const Topology& topology, const RoutingContext& context) : DrawnUp(name(), topology, context) {
    require_hybrid_routers(name(), context.configuration);
  }
  static const char* name() { return "tree_two_choices"; }
  void read_queues(const OutputQueues& queues) const override { queues_ = &queues; }

 private:
  std::uint32_t way_up(const RouteQuery& q) const override {
    const std::uint32_t one = drawn(q), other = drawn_again(q);
    if (queues_ == nullptr) return one;
    const auto flits = [&](std::uint32_t way) { return queues_->waiting_flits(q.router, ways_.up(way)); };
    return flits(other) < flits(one) ? other : one;
  }
  std::uint32_t drawn_again(const RouteQuery& q) const {
    const std::uint64_t bits = mix64(bits_of_pair(q) + (std::uint64_t{q.draw} << 8 | ways_.level(q.router)));
    return static_cast<std::uint32_t>((Uint128{bits} * ways_.arity()) >> 64);
  }
  mutable const OutputQueues* queues_ = nullptr;  // of the network that the algorithm was made for
};

template <class Algorithm>
bool add_tree_drawn(const char* summary) {
  return RoutingRegistry::instance().add(Algorithm::name(), summary, [](const Topology& t, const RoutingContext& o) {
    return std::make_unique<Algorithm>(t, o);
  });
}
const bool tree_drawn_registered = add_tree_drawn<TreeDrawn>("k-ary n-tree: up a way that each packet draws");
const bool tree_two_choices_registered =
    add_tree_drawn<TreeTwoChoices>("k-ary n-tree: up the emptier of two ways that each packet draws at every switch");

}  // namespace
}  // namespace braid::routing
