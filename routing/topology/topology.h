// What is wired to what: routers, their ports, the links between them and the nodes that hang off local ports.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "routing/base/ids.h"
#include "routing/base/registry.h"

namespace braid::routing {

constexpr std::size_t kMaxPorts = 64;  ///< per router: port sets are one 64-bit word
constexpr std::size_t kMaxVcs = 16;
constexpr std::uint32_t kMostLinkLatency = 256;  ///< cycles, one direction
constexpr std::uint32_t kMostLinkSpeed = 64;     ///< flits/cycle, each direction

enum class PortKind : std::uint8_t {
  kUnconnected,  ///< the edge of a mesh: a port position that is kept so that directions keep their numbers
  kNetwork,      ///< a full-duplex link to another router
  kLocal,        ///< injection and ejection link of a node; in a one-way network the ejection link alone
  kIncoming,     ///< in a one-way network: a link from another router ends here, and none begins
  kEntry,        ///< in a one-way network: the injection link of a node
};

/// One end of a link: full-duplex, but in one-way networks, where it begins (kNetwork) or ends (kIncoming) here.
struct Port {
  Port() = default;
  Port(PortKind kind_of, RouterId to, PortId to_port, NodeId of, std::uint32_t latency, std::string called,
       std::uint32_t speed = 1)
      : kind(kind_of),
        peer_router(to),
        peer_port(to_port),
        node(of),
        latency_cycles(latency),
        flits_per_cycle(speed),
        name(std::move(called)) {}

  /// Of a port by which something came in: from another router, not from a node?
  bool came_from_router() const { return kind == PortKind::kNetwork || kind == PortKind::kIncoming; }
  /// Does anything leave the router here?
  bool leads_out() const { return kind == PortKind::kNetwork || kind == PortKind::kLocal; }

  PortKind kind = PortKind::kUnconnected;
  RouterId peer_router;              ///< kNetwork, kIncoming: the far end
  PortId peer_port;                  ///< kNetwork, kIncoming: the port at the far end
  NodeId node;                       ///< kLocal, kEntry
  std::uint32_t latency_cycles = 1;  ///< of the link, one direction
  /// What the link takes, each direction (paper: sat-fairness, section II: "using faster links in the higher levels").
  /// Links of nodes take one. (Before the name it takes no room of its own: there are millions of ports.)
  std::uint32_t flits_per_cycle = 1;
  std::string name;  ///< "east", "local0", or the edge's name in the file
};

/// Where a node hangs on the network: one entry for each of its local ports.
struct Attachment {
  RouterId router;
  PortId port;
};

/// Present when routers form a grid: router id = y * width + x. Port numbers are fixed there:
/// 0 east (x + 1), 1 west (x - 1), 2 north (y + 1), 3 south (y - 1), then the local ports from 4 on.
struct Grid {
  std::uint32_t width = 0;
  std::uint32_t height = 0;
  bool wrap = false;  ///< torus

  std::uint32_t x(RouterId r) const { return r.value % width; }
  std::uint32_t y(RouterId r) const { return r.value / width; }
  RouterId at(std::uint32_t x, std::uint32_t y) const { return RouterId{std::size_t{y} * width + x}; }
};

/// Present in a k-ary n-tree: arity^levels nodes; switch id = level * arity^(levels - 1) + word, level 0 next to the
/// nodes. A switch's word has levels - 1 digits in base arity. Port numbers are fixed: 0 .. arity - 1 lead down (to
/// nodes at level 0), arity .. 2 arity - 1 up (none at the root level).
struct Tree {
  std::uint32_t arity = 0;
  std::uint32_t levels = 0;

  std::uint32_t switches_per_level() const {
    std::uint32_t count = 1;
    for (std::uint32_t l = 1; l < levels; ++l) count *= arity;
    return count;
  }
  std::uint32_t level(RouterId r) const { return r.value / switches_per_level(); }
  std::uint32_t word(RouterId r) const { return r.value % switches_per_level(); }
  RouterId at(std::uint32_t level, std::uint32_t word) const {
    return RouterId{std::size_t{level} * switches_per_level() + word};
  }
};

/// Present where routers stand in rows of several dimensions: router id = c0 + c1 * sizes[0] + c2 * sizes[0] * sizes[1]
/// + ... In each row routers form a line (mesh), a ring (torus), or all are joined (flattened butterfly).
struct Cube {
  enum class Row : std::uint8_t { kLine, kRing, kComplete };
  Row row = Row::kLine;
  std::vector<std::uint32_t> sizes;  ///< routers in a row of each dimension

  std::size_t stride(std::size_t dimension) const {
    std::size_t all = 1;
    for (std::size_t d = 0; d < dimension; ++d) all *= sizes[d];
    return all;
  }
  std::uint32_t coordinate(RouterId r, std::size_t dimension) const {
    return static_cast<std::uint32_t>(r.value / stride(dimension)) % sizes[dimension];
  }
  /// Ports of a dimension: to the next and to the one before; or to each other router of the row, ascending.
  std::size_t ports(std::size_t dimension) const { return row == Row::kComplete ? sizes[dimension] - 1 : 2; }
  std::size_t first_port(std::size_t dimension) const {
    std::size_t before = 0;
    for (std::size_t d = 0; d < dimension; ++d) before += ports(d);
    return before;
  }
};

/// Present in a dragonfly (Kim, Dally, Scott, Abts, ISCA 2008): router id = group * routers_per_group + place. Ports 0
/// .. routers_per_group - 2 lead to the others of the group, ascending; then come `global_ports` to other groups, then
/// nodes.
struct Dragonfly {
  /// Which of a group's links leads to which group (Hastings, Rincon-Cruz, Spehlmann, Meyers, Xu, Bunde, Leung,
  /// "Comparing global link arrangements for dragonfly networks", CLUSTER 2015).
  enum class GlobalLinks : std::uint8_t {
    kPalmTree,  ///< link j of group g to group g + j + 1, modulo their number: a relative arrangement
    kAbsolute,  ///< link j of group g to group j, or j + 1 from g on
  };
  std::uint32_t routers_per_group = 0;  ///< a
  std::uint32_t global_ports = 0;       ///< h, of a router
  GlobalLinks global_links = GlobalLinks::kPalmTree;

  std::uint32_t groups() const { return routers_per_group * global_ports + 1; }
  std::uint32_t group(RouterId r) const { return r.value / routers_per_group; }
  std::uint32_t place(RouterId r) const { return r.value % routers_per_group; }
  /// Of a group's global links, numbered over its routers, the one to another group.
  std::uint32_t link_to(std::uint32_t from, std::uint32_t to) const {
    if (global_links == GlobalLinks::kAbsolute) return to < from ? to : to - 1;
    return (to + groups() - from - 1) % groups();
  }
  /// The group at its other end.
  std::uint32_t end_of_link(std::uint32_t from, std::uint32_t link) const {
    if (global_links == GlobalLinks::kAbsolute) return link < from ? link : link + 1;
    return (from + link + 1) % groups();
  }
};

/// Present in a butterfly, a k-ary n-fly (Dally and Towles, "Principles and practices of interconnection networks",
/// chapter 4): n stages of k^(n-1) routers, k^n nodes. Router id = stage * k^(n-1) + word; a word has n - 1 digits in
/// base k. Ports 0 .. k - 1 lead on, k .. 2k - 1 are where links end. Node j enters at router j / k of stage 0 and
/// leaves at router j / k of the last stage.
struct Butterfly {
  std::uint32_t arity = 0;   ///< k
  std::uint32_t stages = 0;  ///< n

  std::uint32_t power(std::uint32_t exponent) const {
    std::uint32_t all = 1;
    for (std::uint32_t i = 0; i < exponent; ++i) all *= arity;
    return all;
  }
  std::uint32_t routers_per_stage() const { return power(stages - 1); }
  std::uint32_t stage(RouterId r) const { return r.value / routers_per_stage(); }
  std::uint32_t word(RouterId r) const { return r.value % routers_per_stage(); }
};

/// Present in a chain of chiplets: meshes of width x height routers in a row, joined east to west by links in some of
/// their rows. Router ids and port numbers are those of a grid of chiplets * width by height; where no joint is, a port
/// is unconnected. (A chain that is joined in every row is a grid, too.)
struct ChipletChain {
  std::uint32_t chiplets = 0, width = 0, height = 0;
  std::vector<bool> joined;  ///< [row]

  std::uint32_t length() const { return chiplets * width; }
  std::uint32_t x(RouterId r) const { return r.value % length(); }
  std::uint32_t y(RouterId r) const { return r.value / length(); }
  std::uint32_t chiplet(RouterId r) const { return x(r) / width; }
};

/// Where a router is drawn.
struct Position {
  double x = 0, y = 0;  ///< y grows upwards
};

constexpr PortId kEast{0}, kWest{1}, kNorth{2}, kSouth{3};
constexpr PortId kFirstGridLocalPort{4};

/// An immutable value once a builder has made it; `check()` is called by make_topology.
class Topology {
 public:
  Topology();  // what a compiler writes by itself it would write in every file that has one
  Topology(const Topology& other);
  Topology(Topology&& other) noexcept;
  Topology& operator=(const Topology& other);
  Topology& operator=(Topology&& other) noexcept;
  ~Topology();

  std::string name;
  std::optional<Grid> grid;
  std::optional<Tree> tree;
  std::optional<Cube> cube;
  std::optional<Dragonfly> dragonfly;
  std::optional<ChipletChain> chain;
  std::optional<Butterfly> butterfly;
  std::vector<std::vector<Port>> routers;      ///< [router][port]
  std::vector<std::vector<Attachment>> nodes;  ///< [node][local port index]: injection links
  std::vector<std::vector<Attachment>> exits;  ///< [node][local port index]: ejection links; empty: the same ports
  std::vector<Position> positions;             ///< [router] as a GraphML file or the builder says, or none
  std::vector<std::string> router_names;       ///< as users know them: "3,1" on a grid, name or id in a GraphML file

  std::size_t router_count() const { return routers.size(); }
  std::size_t node_count() const { return nodes.size(); }
  std::size_t port_count(RouterId r) const { return routers[r.value].size(); }
  std::size_t max_port_count() const;
  const Port& port(RouterId r, PortId p) const { return routers[r.value][p.value]; }
  /// Do links go one way, so that a node's packets enter at one router and those for it leave at another?
  bool one_way() const { return !exits.empty(); }
  /// The router that carries the node's first local port; for whom a one-way network is refused.
  RouterId router_of(NodeId n) const { return nodes[n.value].front().router; }
  /// Where the node's packets enter, and where those for it leave: router_of() but in a one-way network.
  RouterId entry_router(NodeId n) const { return router_of(n); }
  RouterId exit_router(NodeId n) const { return exits_of(n).front().router; }
  const std::vector<Attachment>& exits_of(NodeId n) const { return exits.empty() ? nodes[n.value] : exits[n.value]; }
  /// Throws InputError: `who` needs links that go both ways.
  void refuse_one_way(const std::string& who) const;

  /// Links between routers, each direction that there is counted once.
  std::size_t link_count() const;
  /// Does any link take more than a flit a cycle?
  bool has_faster_links() const;
  /// Shortest distance in links from every router to `to` (breadth-first); unreachable: UINT32_MAX.
  std::vector<std::uint32_t> distances_to(RouterId to) const;

  /// Throws InputError if a link's two ends disagree, a router has too many ports, a node's link takes more than a flit
  /// a cycle, or a node cannot be reached.
  void check() const;

 private:
  void check_port(const std::string& where, RouterId r, PortId p) const;
  void check_link(const std::string& where, RouterId r, PortId p) const;
  void check_reached() const;
  /// Does a link from the port's peer end at this port?
  bool is_reached_from(const Port& port) const {
    return port.kind == PortKind::kIncoming ||
           (port.kind == PortKind::kNetwork &&
            (!one_way() || this->port(port.peer_router, port.peer_port).kind == PortKind::kNetwork));
  }
};

/// What a topology takes of the computer's memory, at least, in bytes.
std::uint64_t topology_bytes(std::uint64_t routers, std::uint64_t ports, std::uint64_t nodes);
/// For builders: throws InputError if that is more than is available.
void check_topology_room(const std::string& name, std::uint64_t routers, std::uint64_t ports, std::uint64_t nodes);

/// A family of topologies. Registered by name: "mesh", "torus", "graph", …
class TopologyBuilder {
 public:
  static const char* axis() { return "topology"; }
  virtual ~TopologyBuilder() = default;
  virtual Topology build(const Configuration& configuration) const = 0;
};
using TopologyRegistry = Registry<TopologyBuilder>;

struct TopologyOptions {
  std::string kind = "mesh";
};
const OptionTable<TopologyOptions>& topology_options();

/// What every kind leaves open about its links.
struct LinkOptions {
  std::uint32_t local_ports = 1;          ///< a node's injection and ejection bandwidth, in flits/cycle each way
  std::uint32_t link_latency_cycles = 1;  ///< LT
  std::uint32_t link_flits_per_cycle = 1;
};
/// Adds them to a kind's own options; a node may have up to `most_local_ports`, 0: always one, and no key.
template <class Options>
OptionTable<Options>& add_link_options(OptionTable<Options>& table, std::size_t most_local_ports) {
  if (most_local_ports > 0) {
    table.integer("local_ports", &Options::local_ports, 1, static_cast<std::int64_t>(most_local_ports),
                  "injection and ejection links of each node: its bandwidth in flits/cycle each way");
  }
  return table.integer("link_latency_cycles", &Options::link_latency_cycles, 1, kMostLinkLatency, "LT, in cycles")
      .integer("link_flits_per_cycle", &Options::link_flits_per_cycle, 1, kMostLinkSpeed,
               "flits that a link between routers takes in a cycle, each way (docs/graphml.md says on which routers)");
}

/// Builds the kind that `topology.kind` names, and checks it. Throws InputError.
Topology make_topology(const Configuration& configuration);

}  // namespace braid::routing
