#include "routing/paths/legal_paths.h"

#include <algorithm>
#include <array>

namespace braid::routing {
namespace {

/// The shortest legal paths from one router to all others, over states: a router, before or after the first step down.
class LegalPaths {
 public:
  LegalPaths(const Topology& topology, const Ranks& ranks, RouterId from)
      : topology_(topology),
        ranks_(ranks),
        distance_(2 * topology.router_count(), UINT32_MAX),
        counts_(2 * topology.router_count()) {
    std::vector<std::size_t> reached{state(from, 0)};
    distance_[reached[0]] = 0;
    counts_[reached[0]] = 1;
    for (std::size_t i = 0; i < reached.size(); ++i) {
      const std::size_t here = reached[i];
      for (const Port& port : topology.routers[here / 2]) {
        if (port.kind != PortKind::kNetwork) continue;
        const bool up = is_up(RouterId{here / 2}, port.peer_router);
        if (up && here % 2 == 1) continue;
        const std::size_t next = state(port.peer_router, up ? 0 : 1);
        if (distance_[next] == UINT32_MAX) {
          distance_[next] = distance_[here] + 1;
          reached.push_back(next);
        }
        if (distance_[next] == distance_[here] + 1)
          counts_[next] += std::min(counts_[here], UINT64_MAX - counts_[next]);
      }
    }
  }

  /// One of them, drawn backwards from its end. There is one: up to the root and down again.
  std::vector<PortId> draw(RouterId to, Random& random) const {
    const std::uint32_t steps = std::min(distance_[state(to, 0)], distance_[state(to, 1)]);
    std::vector<PortId> ports(steps);
    std::vector<Step> steps_here = {{state(to, 0), PortId{}}, {state(to, 1), PortId{}}};
    for (std::uint32_t left = steps;; --left) {
      const Step step = drawn(steps_here, left, random);
      if (left < steps) ports[left] = step.port;
      if (left == 0) return ports;
      steps_here = steps_into(step.before);
    }
  }

 private:
  struct Step {
    std::size_t before;  // state
    PortId port;         // taken there
  };
  static std::size_t state(RouterId router, std::size_t went_down) { return 2 * std::size_t{router.value} + went_down; }
  bool is_up(RouterId from, RouterId to) const { return ranks_[to.value] < ranks_[from.value]; }

  std::vector<Step> steps_into(std::size_t here) const {
    std::vector<Step> steps;
    for (const Port& back : topology_.routers[here / 2]) {
      if (back.kind != PortKind::kNetwork) continue;
      const bool up = is_up(back.peer_router, RouterId{here / 2});
      if (up != (here % 2 == 0)) continue;  // a state tells how its last step went
      steps.push_back({state(back.peer_router, 0), back.peer_port});
      if (!up) steps.push_back({state(back.peer_router, 1), back.peer_port});
    }
    return steps;
  }
  /// One whose state lies `distance` from the beginning, each path there as likely.
  Step drawn(const std::vector<Step>& steps, std::uint32_t distance, Random& random) const {
    std::uint64_t all = 0;
    for (const Step& step : steps) all += distance_[step.before] == distance ? counts_[step.before] : 0;
    std::uint64_t number = random.below(all);
    for (const Step& step : steps) {
      if (distance_[step.before] != distance) continue;
      if (number < counts_[step.before]) return step;
      number -= counts_[step.before];
    }
    return steps.back();
  }

  const Topology& topology_;
  const Ranks& ranks_;
  std::vector<std::uint32_t> distance_;  // [state]
  std::vector<std::uint64_t> counts_;    // [state] shortest paths to it
};

}  // namespace

PathSet shortest_legal_paths(const Topology& topology, const Ranks& ranks, PathsPer per, Random random,
                             const OnProgress& progress) {
  PathSet paths(topology, per);
  const std::vector<RouterId> ends = routers_with_nodes(topology);
  for (const RouterId from : ends) {
    tell(progress, "source", from.value, topology.router_count());
    const LegalPaths legal(topology, ranks, from);
    for (const RouterId to : ends) {
      if (from == to) continue;
      for (std::size_t i = 0; i < paths.count(from, to); ++i) paths.at(from, to, i).ports = legal.draw(to, random);
    }
  }
  return paths;
}

}  // namespace braid::routing
