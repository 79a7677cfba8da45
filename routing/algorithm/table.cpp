// Table routing on any topology: each router looks up (where the packet comes from, destination) and finds one port.
// Without a file the table is up*/down* (Autonet): links point up to the root of a breadth-first tree, and a packet
// never goes up again after it went down, so no cycle can close; of the legal ways the shortest, of those the lowest
// port. With a file (docs/graphml.md), each line is `ROUTER NODE PORT`: router's name, destination node, port's name;
// `#` starts a comment.
#include <algorithm>
#include <sstream>
#include <unordered_map>

#include "routing/algorithm/parallel_links.h"
#include "routing/algorithm/routing_algorithm.h"
#include "routing/algorithm/up_down_table.h"
#include "routing/base/text_file.h"

namespace braid::routing {
namespace {

struct TableOptions : ParallelOptions {
  std::string table_file;
};
OptionTable<TableOptions> table_options() {
  const auto computes = [](const Configuration& c) {
    const Configuration::Given* file = c.find("routing.table_file");
    return file == nullptr || file->value == OptionValue(std::string());
  };
  OptionTable<TableOptions> table("routing"), parallel("routing");
  table.file("table_file", &TableOptions::table_file, "lines ROUTER NODE PORT; empty: up*/down*")
      .when("routing.table_file = \"\"", computes, add_parallel(parallel));
  return table;
}
const OptionTable<TableOptions> kTableOptions = table_options();

constexpr std::uint16_t kNoPort = UINT16_MAX;
constexpr std::size_t kMostTableEntries = std::size_t{1} << 30;  // 2 GiB

class UpDown final : public RoutingAlgorithm {
 public:
  UpDown(const Topology& topology, const RoutingContext& context)
      : RoutingAlgorithm(context.vcs),
        topology_(topology),
        table_(topology),
        parallel_(topology, context.configuration) {}
  std::size_t max_candidates() const override { return topology_.nodes.front().size(); }
  /// Schroeder et al., "Autonet", IEEE JSAC 9(8), 1991: links up, then links down, and each way without a circle.
  bool acyclic_by_construction() const override { return true; }
  bool depends_on_source() const override { return parallel_.by_source(); }
  void check_room() const override { table_.check_room(); }

  void route(const RouteQuery& q, CandidateList& out) const override {
    out.clear();
    const RouterId destination = topology_.router_of(q.destination);
    if (destination == q.router) {
      for (const Attachment& a : topology_.nodes[q.destination.value]) out.add(a.port, all_vcs_);
    } else {
      const Port& in = topology_.port(q.router, q.in_port);
      const bool went_down = in.kind == PortKind::kNetwork && !table_.is_up(in.peer_router, q.router);
      out.add(parallel_.of(q, table_.port(q.router, went_down, destination)), all_vcs_);
    }
  }

 private:
  const Topology& topology_;
  UpDownTable table_;
  ParallelLinks parallel_;
};

class FileTable final : public RoutingAlgorithm {
 public:
  FileTable(const Topology& topology, std::uint32_t vcs, const std::string& file)
      : RoutingAlgorithm(vcs), topology_(topology) {
    if (topology.router_count() > kMostTableEntries / topology.node_count()) {
      throw InputError({file, 0, 0}, "a table of " + std::to_string(topology.router_count()) + " routers times " +
                                         std::to_string(topology.node_count()) + " nodes: expected at most " +
                                         std::to_string(kMostTableEntries) + " entries");
    }
    port_.assign(topology.router_count() * topology.node_count(), kNoPort);
    read(file);
    check_arrival(file);
  }
  std::size_t max_candidates() const override { return topology_.nodes.front().size(); }

  void route(const RouteQuery& q, CandidateList& out) const override {
    out.clear();
    if (topology_.router_of(q.destination) == q.router) {
      for (const Attachment& a : topology_.nodes[q.destination.value]) out.add(a.port, all_vcs_);
    } else {
      out.add(PortId{port_[entry(q.router, q.destination)]}, all_vcs_);
    }
  }

 private:
  std::size_t entry(RouterId router, NodeId to) const {
    return std::size_t{to.value} * topology_.router_count() + router.value;
  }

  void read(const std::string& file) {
    std::unordered_map<std::string, std::size_t> routers;
    for (std::size_t r = 0; r < topology_.router_count(); ++r) routers.emplace(topology_.router_names[r], r);
    std::istringstream in(read_text(file, "a routing table"));
    std::string line;
    for (std::size_t number = 1; std::getline(in, line); ++number) {
      std::istringstream words(line.substr(0, line.find('#')));
      std::string router, node, port, more;
      if (!(words >> router)) continue;
      const SourcePosition where{file, number, 1};
      if (!(words >> node >> port) || (words >> more)) throw InputError(where, "expected ROUTER NODE PORT");
      const auto found = routers.find(router);
      if (found == routers.end()) {
        throw InputError(where,
                         "unknown router \"" + one_line(router) + "\"" + did_you_mean(router, topology_.router_names));
      }
      add(where, RouterId{found->second}, node, port);
    }
  }

  void add(const SourcePosition& where, RouterId router, const std::string& node, const std::string& port) {
    const std::string& name = topology_.router_names[router.value];
    const bool digits = !node.empty() && node.size() < 10 && node.find_first_not_of("0123456789") == std::string::npos;
    if (!digits || std::stoul(node) >= topology_.node_count()) {
      throw InputError(where,
                       "node \"" + one_line(node) + "\": expected 0 to " + std::to_string(topology_.node_count() - 1));
    }
    std::vector<std::string> ports;
    for (const Port& p : topology_.routers[router.value]) ports.push_back(p.kind == PortKind::kNetwork ? p.name : "");
    const auto p = std::find(ports.begin(), ports.end(), port);
    if (p == ports.end()) {
      throw InputError(where, "router " + name + " has no link \"" + one_line(port) + "\"" + did_you_mean(port, ports));
    }
    std::uint16_t& way = port_[entry(router, NodeId{std::stoul(node)})];
    if (way != kNoPort) {
      throw InputError(where,
                       "router " + name + " has a line for node " + node + " already: over \"" + ports[way] + "\"");
    }
    way = static_cast<std::uint16_t>(p - ports.begin());
  }

  /// Every packet must arrive: no missing entry, no loop. A walk ends where an earlier one to the same node has passed.
  void check_arrival(const std::string& file) const {
    std::vector<std::uint64_t> passed(topology_.router_count());  // the last walk that was here
    std::uint64_t walk = 0;
    for (std::size_t d = 0; d < topology_.node_count(); ++d) {
      const RouterId destination = topology_.router_of(NodeId{d});
      const std::uint64_t last_of_others = walk;
      for (std::size_t s = 0; s < topology_.node_count(); ++s) {
        ++walk;
        RouterId here = topology_.router_of(NodeId{s});
        while (here != destination && passed[here.value] <= last_of_others) {
          passed[here.value] = walk;
          const std::uint16_t port = port_[entry(here, NodeId{d})];
          if (port == kNoPort) {
            throw InputError({file, 0, 0}, "router " + topology_.router_names[here.value] + " has no entry for node " +
                                               std::to_string(d));
          }
          here = topology_.port(here, PortId{port}).peer_router;
        }
        if (here != destination && passed[here.value] == walk) {
          throw InputError({file, 0, 0}, "packets to node " + std::to_string(d) + " go in circles at router " +
                                             topology_.router_names[here.value]);
        }
      }
    }
  }

  const Topology& topology_;
  std::vector<std::uint16_t> port_;  // [node][router]
};

const bool table_registered = RoutingRegistry::instance().add(
    "table", "from a file, or up*/down* on any topology", kTableOptions.list(),
    [](const Topology& t, const RoutingContext& o) -> std::unique_ptr<RoutingAlgorithm> {
      const std::string file = kTableOptions.read(o.configuration).table_file;
      if (file.empty()) return std::make_unique<UpDown>(t, o);
      return std::make_unique<FileTable>(t, o.vcs, file);
    });

}  // namespace
}  // namespace braid::routing
