// A 4x4 mesh over plain signals: each router the model's or the RTL, a BraidNode at each. All of them give the same
// packets in the same cycles.
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "models/experiment/experiment_reader.h"
#include "models/pins/braid_router.h"
#include "models/pins/cables.h"
#include "routing/base/random.h"

namespace {

using namespace braid;
using Router = models::pins::RouterModule<64>;
using Node = models::pins::BraidNode<64>;

SC_MODULE(Mesh) {
  sc_core::sc_clock clock{"clock", 2, sc_core::SC_NS};
  sc_core::sc_signal<bool> reset{"reset"};
  std::vector<std::unique_ptr<Router>> routers;
  std::vector<std::unique_ptr<Node>> nodes;
  models::pins::Cables<64> cables;
  Random random{2026, "mixed_mesh"};
  const std::size_t flits;
  const std::uint64_t starts;  // a packet in this share of the cycles, as Random::chance() takes it
  std::uint64_t packets = 0, latency = 0, hash = 0;

  SC_HAS_PROCESS(Mesh);
  Mesh(sc_core::sc_module_name name, const models::Experiment& e, const std::string& kind)
      : sc_module(name),
        flits(static_cast<std::size_t>(e.get<std::int64_t>("traffic.flits"))),
        starts(
            Random::probability_bits(e.get<double>("traffic.rate_flits_per_node_cycle") / static_cast<double>(flits))) {
    const routing::Topology topology = routing::make_topology(e);
    for (std::size_t r = 0; r < topology.router_count(); ++r) {
      const std::string module = "router_" + std::to_string(r), place = topology.router_names[r];
      const bool rtl = kind == "rtl" || (kind == "mixed" && r % 3 == 0);
      if (rtl) {
        routers.push_back(std::make_unique<models::pins::RtlRouter<64>>(module.c_str(), e, place));
      } else {
        routers.push_back(std::make_unique<models::pins::BraidRouter<64>>(module.c_str(), e, place));
      }
      nodes.push_back(std::make_unique<Node>(("node_" + std::to_string(r)).c_str(), e, NodeId{r}));
      nodes[r]->on_arrival([this, r](const Node::Arrival& a) { arrived(r, a); });
    }
    std::vector<Router*> all_routers;
    std::vector<Node*> all_nodes;
    for (std::size_t r = 0; r < routers.size(); ++r) {
      all_routers.push_back(routers[r].get());
      all_nodes.push_back(nodes[r].get());
      routers[r]->clk_i(clock);
      routers[r]->rst_ni(reset);
      nodes[r]->clk_i(clock);
      nodes[r]->rst_ni(reset);
    }
    cables.join(all_routers, all_nodes);
    SC_METHOD(send);
    sensitive << clock.negedge_event();
    dont_initialize();
  }

  /// Out of reset after three cycles; then packets from each node to any.
  void send() {
    if (sc_core::sc_time_stamp() < sc_core::sc_time(6, sc_core::SC_NS)) return;
    reset.write(true);
    for (const auto& node : nodes) {
      if (!random.chance(starts)) continue;
      models::pins::FlitList packet(flits);
      packet[0][0] = node->cycles() << 16;  // the lowest 16 bits are the destination's
      node->send(NodeId{static_cast<std::size_t>(random.below(nodes.size()))}, packet);
    }
  }
  void arrived(std::size_t node, const Node::Arrival& a) {
    ++packets;
    latency += a.cycle - (a.flits[0][0] >> 16);
    hash += mix64(a.flits[0][0] ^ mix64(a.cycle << 8 | node));  // in any order
  }
};

}  // namespace

int sc_main(int argc, char* argv[]) {
  const std::string kind = argc > 2 ? argv[2] : "mixed";
  try {
    Mesh mesh("mesh", models::read_experiment(argc > 1 ? argv[1] : "mesh.toml"), kind);
    sc_core::sc_start(4, sc_core::SC_US);
    std::printf("%s: %llu packets, mean latency %.3f cycles, hash %016llx\n", kind.c_str(),
                static_cast<unsigned long long>(mesh.packets),
                static_cast<double>(mesh.latency) / static_cast<double>(mesh.packets),
                static_cast<unsigned long long>(mesh.hash));
  } catch (const InputError& e) {
    std::fprintf(stderr, "mixed_mesh: %s\n", e.what());
    return 2;
  }
  return 0;
}
