// Table routing on any topology: each router looks up (where the packet comes from, destination) and finds one port.
// Without a file the table is up*/down* (Autonet): links point up to the root of a breadth-first tree, and a packet
// never goes up again after it went down, so no cycle can close; of the legal ways the shortest, of those the lowest
// port. With a file, each line is `ROUTER NODE PORT`: router's name, destination node, port's name; `#` starts a
// comment.
#include <algorithm>
#include <fstream>
#include <sstream>

#include "routing/algorithm/routing_algorithm.h"
#include "routing/algorithm/up_down_table.h"

namespace braid::routing {
namespace {

struct TableOptions {
  std::string table_file;
};
const OptionTable<TableOptions> kTableOptions = OptionTable<TableOptions>("routing").file(
    "table_file", &TableOptions::table_file, "lines ROUTER NODE PORT; empty: up*/down*");

constexpr std::uint16_t kNoPort = UINT16_MAX;

class UpDown final : public RoutingAlgorithm {
 public:
  UpDown(const Topology& topology, std::uint32_t vcs) : RoutingAlgorithm(vcs), topology_(topology), table_(topology) {}
  std::size_t max_candidates() const override { return topology_.nodes.front().size(); }

  void route(const RouteQuery& q, CandidateList& out) const override {
    out.clear();
    const RouterId destination = topology_.router_of(q.destination);
    if (destination == q.router) {
      for (const Attachment& a : topology_.nodes[q.destination.value]) out.add(a.port, all_vcs_);
    } else {
      const Port& in = topology_.port(q.router, q.in_port);
      const bool went_down = in.kind == PortKind::kNetwork && !table_.is_up(in.peer_router, q.router);
      out.add(table_.port(q.router, went_down, destination), all_vcs_);
    }
  }

 private:
  const Topology& topology_;
  UpDownTable table_;
};

class FileTable final : public RoutingAlgorithm {
 public:
  FileTable(const Topology& topology, std::uint32_t vcs, const std::string& file)
      : RoutingAlgorithm(vcs),
        topology_(topology),
        port_(topology.router_count(), std::vector<std::uint16_t>(topology.node_count(), kNoPort)) {
    read(file);
    check_arrival(file);
  }
  std::size_t max_candidates() const override { return topology_.nodes.front().size(); }

  void route(const RouteQuery& q, CandidateList& out) const override {
    out.clear();
    if (topology_.router_of(q.destination) == q.router) {
      for (const Attachment& a : topology_.nodes[q.destination.value]) out.add(a.port, all_vcs_);
    } else {
      out.add(PortId{port_[q.router.value][q.destination.value]}, all_vcs_);
    }
  }

 private:
  void read(const std::string& file) {
    std::ifstream in(file);
    if (!in) throw InputError({file, 0, 0}, "cannot be read: expected a routing table");
    std::string line;
    for (std::size_t number = 1; std::getline(in, line); ++number) {
      std::istringstream words(line.substr(0, line.find('#')));
      std::string router, node, port, more;
      if (!(words >> router)) continue;
      const SourcePosition where{file, number, 1};
      if (!(words >> node >> port) || (words >> more)) throw InputError(where, "expected ROUTER NODE PORT");
      add(where, router, node, port);
    }
  }

  void add(const SourcePosition& where, const std::string& router, const std::string& node, const std::string& port) {
    const auto& names = topology_.router_names;
    const auto r = std::find(names.begin(), names.end(), router);
    if (r == names.end()) {
      throw InputError(where, "unknown router \"" + router + "\"" + did_you_mean(router, names));
    }
    const bool digits = !node.empty() && node.size() < 10 && node.find_first_not_of("0123456789") == std::string::npos;
    if (!digits || std::stoul(node) >= topology_.node_count()) {
      throw InputError(where, "node \"" + node + "\": expected 0 to " + std::to_string(topology_.node_count() - 1));
    }
    const auto index = static_cast<std::size_t>(r - names.begin());
    std::vector<std::string> ports;
    for (const Port& p : topology_.routers[index]) ports.push_back(p.kind == PortKind::kNetwork ? p.name : "");
    const auto p = std::find(ports.begin(), ports.end(), port);
    if (p == ports.end()) {
      throw InputError(where, "router " + router + " has no link \"" + port + "\"" + did_you_mean(port, ports));
    }
    port_[index][std::stoul(node)] = static_cast<std::uint16_t>(p - ports.begin());
  }

  /// Every packet must arrive: no missing entry, no loop.
  void check_arrival(const std::string& file) const {
    for (std::size_t d = 0; d < topology_.node_count(); ++d) {
      const RouterId destination = topology_.router_of(NodeId{d});
      for (std::size_t s = 0; s < topology_.node_count(); ++s) {
        RouterId here = topology_.router_of(NodeId{s});
        for (std::size_t hops = 0; here != destination; ++hops) {
          const std::uint16_t port = port_[here.value][d];
          const std::string name = topology_.router_names[here.value];
          if (port == kNoPort) {
            throw InputError({file, 0, 0}, "router " + name + " has no entry for node " + std::to_string(d));
          }
          if (hops > topology_.router_count()) {
            throw InputError({file, 0, 0}, "packets to node " + std::to_string(d) + " go in circles at router " + name);
          }
          here = topology_.port(here, PortId{port}).peer_router;
        }
      }
    }
  }

  const Topology& topology_;
  std::vector<std::vector<std::uint16_t>> port_;  // [router][node]
};

const bool table_registered = RoutingRegistry::instance().add(
    "table", "from a file, or up*/down* on any topology", kTableOptions.list(),
    [](const Topology& t, const RoutingContext& o) -> std::unique_ptr<RoutingAlgorithm> {
      const std::string file = kTableOptions.read(o.configuration).table_file;
      if (file.empty()) return std::make_unique<UpDown>(t, o.vcs);
      return std::make_unique<FileTable>(t, o.vcs, file);
    });

}  // namespace
}  // namespace braid::routing
