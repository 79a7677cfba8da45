// Demands for link-disjoint paths, and what is true of every answer.
#pragma once

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "routing/base/random.h"
#include "routing/paths/disjoint/disjoint_finder.h"
#include "tb/tests/support/graphs.h"

namespace braid::test {

inline routing::DisjointPaths found_by(const std::string& finder, const routing::Topology& t,
                                       const std::vector<routing::Demand>& demands, const Configuration& c = {},
                                       const routing::OnProgress& progress = {}) {
  return routing::DisjointRegistry::instance().make(finder, {c})->find(t, routing::Channels(t), demands, progress);
}

/// Those that look for paths, by name.
inline std::vector<std::string> searches() {
  std::vector<std::string> names;
  for (const std::string& name : routing::DisjointRegistry::instance().names()) {
    if (routing::DisjointRegistry::instance().make(name, {})->knows_any()) names.push_back(name);
  }
  return names;
}

inline std::size_t links_of(const routing::DisjointPaths& found) {
  std::size_t all = 0;
  for (const auto& path : found.paths) all += path.size();
  return all;
}

/// Between two routers each.
inline std::vector<routing::Demand> random_demands(std::size_t routers, std::size_t count, Random& random) {
  std::vector<routing::Demand> demands;
  while (demands.size() < count) {
    const routing::Demand d{RouterId{random.below(routers)}, RouterId{random.below(routers)}};
    if (d.from != d.to) demands.push_back(d);
  }
  return demands;
}

/// Each path leads from one end to the other, and no channel is on two.
inline void expect_disjoint(const routing::Topology& t, const std::vector<routing::Demand>& demands,
                            const routing::DisjointPaths& found, const std::string& where) {
  const routing::Channels channels(t);
  ASSERT_EQ(found.paths.size(), demands.size()) << where;
  std::set<std::uint32_t> taken;
  for (std::size_t d = 0; d < demands.size(); ++d) {
    RouterId here = demands[d].from;
    for (const std::uint32_t c : found.paths[d]) {
      ASSERT_EQ(channels[c].from, here) << where << ", demand " << d;
      EXPECT_TRUE(taken.insert(c).second) << where << ", demand " << d << ": a channel of another";
      here = channels[c].to;
    }
    EXPECT_EQ(here, demands[d].to) << where << ", demand " << d;
  }
}

}  // namespace braid::test
