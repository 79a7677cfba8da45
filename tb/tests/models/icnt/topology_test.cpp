// Wirings: each link's two ends know each other, and who goes by next_port comes to every node on a shortest way.
#include "models/icnt/topology.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "tb/tests/models/icnt/configurations.h"

namespace braid::models::icnt {
namespace {

Wiring wired(const std::string& text) { return make_wiring(read_configuration(text, "test.icnt")); }

/// Routers on the way, the first and the last included, by the ports that packets take.
unsigned routers_on_the_way(const Wiring& w, unsigned from, unsigned to) {
  unsigned router = w.injects_at[from] / w.ports;
  for (unsigned count = 1; count < 100; ++count) {
    const std::uint32_t out = router * w.ports + (w.next_port[router * w.nodes + to] & Wiring::kPort);
    const Wiring::End& end = w.ends[out];
    if (end.node) {
      EXPECT_EQ(end.place, to);
      EXPECT_EQ(w.ejects_at[to], out);
      return count;
    }
    router = end.place / w.ports;
  }
  return 0;
}

/// Every output leads to one input or node, and back; `links`: between routers, each direction.
void expect_whole(const Wiring& w, unsigned routers, unsigned ports, unsigned nodes, unsigned links) {
  EXPECT_EQ(w.routers, routers);
  EXPECT_EQ(w.ports, ports);
  EXPECT_EQ(w.nodes, nodes);
  ASSERT_EQ(w.ends.size(), routers * ports);
  ASSERT_EQ(w.starts.size(), routers * ports);
  unsigned joined = 0, longest = 1;
  std::set<std::uint32_t> inputs;
  for (std::uint32_t out = 0; out < w.ends.size(); ++out) {
    const Wiring::End& end = w.ends[out];
    if (end.node) {
      EXPECT_EQ(w.ejects_at[end.place], out);
      EXPECT_EQ(end.latency, 1U);
    } else if (end.place != Wiring::kNone) {
      ++joined;
      EXPECT_TRUE(inputs.insert(end.place).second) << "one sends to an input";
      EXPECT_FALSE(w.starts[end.place].node);
      EXPECT_EQ(w.starts[end.place].place, out);
      EXPECT_EQ(w.starts[end.place].latency, end.latency);
      longest = std::max<unsigned>(longest, end.latency);
    }
  }
  EXPECT_EQ(joined, links);
  EXPECT_EQ(w.longest, longest);
  for (unsigned node = 0; node < nodes; ++node) {
    EXPECT_TRUE(w.starts[w.injects_at[node]].node);
    EXPECT_EQ(w.starts[w.injects_at[node]].place, node);
    EXPECT_TRUE(inputs.insert(w.injects_at[node]).second);
  }
}

TEST(IcntTopology, Flies) {
  expect_whole(wired(crossbar(27)), 1, 27, 27, 0);
  for (const unsigned k : {2U, 3U, 4U}) {
    for (const unsigned n : {2U, 3U}) {
      unsigned stage = 1;
      for (unsigned i = 1; i < n; ++i) stage *= k;
      const Wiring w = wired(crossbar(k, "n = " + std::to_string(n) + ";"));
      expect_whole(w, n * stage, k, stage * k, (n - 1) * stage * k);
      EXPECT_FALSE(w.torus);
      EXPECT_EQ(w.longest, 1U);
      for (unsigned from = 0; from < w.nodes; ++from) {
        EXPECT_EQ(w.injects_at[from], from) << "the first stage, in order";
        for (unsigned to = 0; to < w.nodes; ++to) ASSERT_EQ(routers_on_the_way(w, from, to), n) << from << " " << to;
      }
    }
  }
}

unsigned apart_on_ring(unsigned a, unsigned b, unsigned k) {
  const unsigned up = (b + k - a) % k;
  return std::min(up, k - up);
}
unsigned apart_in_row(unsigned a, unsigned b, unsigned) { return a > b ? a - b : b - a; }

/// Links between two nodes of k^n, by their digits.
template <class Apart>
unsigned links_between(unsigned a, unsigned b, unsigned k, Apart apart) {
  unsigned all = 0;
  for (; a != 0 || b != 0; a /= k, b /= k) all += apart(a % k, b % k, k);
  return all;
}

TEST(IcntTopology, MeshesAndTori) {
  for (const auto& [k, n] : {std::pair<unsigned, unsigned>{2, 1}, {5, 1}, {3, 2}, {4, 2}, {3, 3}, {2, 4}}) {
    unsigned nodes = 1;
    for (unsigned i = 0; i < n; ++i) nodes *= k;
    const std::string size = "k = " + std::to_string(k) + "; n = " + std::to_string(n) + ";";
    const Wiring mesh = wired(mesh6x6(size)), folded = wired(torus(k, n)),
                 flat = wired(torus(k, n, "use_noc_latency=0;"));
    expect_whole(mesh, nodes, 2 * n + 1, nodes, 2 * n * (nodes / k) * (k - 1));
    expect_whole(folded, nodes, 2 * n + 1, nodes, 2 * n * nodes);
    expect_whole(flat, nodes, 2 * n + 1, nodes, 2 * n * nodes);
    EXPECT_FALSE(mesh.torus);
    EXPECT_TRUE(folded.torus);
    EXPECT_EQ(mesh.longest, 1U);
    EXPECT_EQ(folded.longest, 2U);
    EXPECT_EQ(flat.longest, 1U);
    for (unsigned from = 0; from < nodes; ++from) {
      EXPECT_EQ(mesh.ejects_at[from], from * (2 * n + 1) + 2 * n) << "the last port is the node's";
      for (unsigned to = 0; to < nodes; ++to) {
        ASSERT_EQ(routers_on_the_way(mesh, from, to), 1 + links_between(from, to, k, apart_in_row))
            << from << " " << to;
        ASSERT_EQ(routers_on_the_way(folded, from, to), 1 + links_between(from, to, k, apart_on_ring));
      }
    }
  }
}

/// On one ring: up where that is shorter or as long; either way half-way round; the upper half for those who come in at
/// a higher place than they leave.
TEST(IcntTopology, WaysOnARing) {
  for (const unsigned k : {4U, 5U}) {
    const Wiring ring = wired(torus(k, 1));
    for (unsigned from = 0; from < k; ++from) {
      for (unsigned to = 0; to < k; ++to) {
        const unsigned way = ring.next_port[from * k + to], up = (to + k - from) % k;
        if (from == to) {
          EXPECT_EQ(way, 2U) << "the node's port, and nothing beside it";
          continue;
        }
        EXPECT_EQ(way & Wiring::kPort, 2 * up > k ? 1U : 0U) << from << " to " << to;
        EXPECT_EQ((way & Wiring::kEitherWay) != 0, 2 * up == k) << from << " to " << to;
        EXPECT_EQ((way & Wiring::kUpperHalf) != 0, from > to) << from << " to " << to;
      }
    }
  }
}

/// The lowest dimension first, whatever the way in the others is.
TEST(IcntTopology, TheLowestDimensionIsFirst) {
  const Wiring mesh = wired(mesh6x6());
  EXPECT_EQ(mesh.next_port[0 * 36 + 35], 0U) << "(0,0) to (5,5): up in x";
  EXPECT_EQ(mesh.next_port[5 * 36 + 35], 2U) << "(5,0) to (5,5): up in y";
  EXPECT_EQ(mesh.next_port[35 * 36 + 6], 1U) << "(5,5) to (0,1): down in x";
  EXPECT_EQ(mesh.next_port[30 * 36 + 6], 3U) << "(0,5) to (0,1): down in y";
  EXPECT_EQ(mesh.next_port[6 * 36 + 6], 4U);
}

/// Of a router its nodes' ports come first, then those to its neighbours, both ascending.
TEST(IcntTopology, Anynets) {
  const Wiring tree = wired(anynet("wired_tree.any", kTree));
  expect_whole(tree, 6, 4, 11, 10);
  EXPECT_EQ(tree.longest, 7U);
  EXPECT_EQ(tree.injects_at[1], 1U);
  EXPECT_EQ(tree.injects_at[4], 1 * 4 + 2U);
  EXPECT_EQ(tree.ejects_at[10], 5 * 4 + 1U);
  EXPECT_EQ(tree.ends[0 * 4 + 2].place, 1 * 4 + 3U) << "0 to 1, whose three nodes have ports 0 to 2";
  EXPECT_EQ(tree.ends[0 * 4 + 2].latency, 3U);
  EXPECT_EQ(tree.ends[1 * 4 + 3].latency, 1U) << "the way back";
  EXPECT_EQ(tree.next_port[0 * 11 + 10], 3U) << "from 0 by 2";
  EXPECT_EQ(tree.next_port[0 * 11 + 4], 2U);
  for (unsigned from = 0; from < 11; ++from) {
    for (unsigned to = 0; to < 11; ++to) EXPECT_NE(routers_on_the_way(tree, from, to), 0U);
  }
  // Router 7 has three nodes and three neighbours; 15 links.
  expect_whole(wired(anynet("wired_meshed.any", kMeshed)), 9, 6, 9, 30);
}

}  // namespace
}  // namespace braid::models::icnt
