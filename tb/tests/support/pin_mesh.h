// A whole network of modules over plain signals: routers as asked for, a BraidNode at each, a clock and a reset.
#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "models/pins/braid_router.h"
#include "models/pins/cables.h"
#include "models/workload/statistics.h"
#include "tb/tests/support/bench.h"

namespace braid::test {

inline models::Experiment with_circuits(models::Experiment e) {
  e.open("stream");
  e.set("interface.switching", "circuit");
  return e;
}

template <int Width = 64>
struct PinMesh : sc_core::sc_module {
  using Router = models::pins::RouterModule<Width>;
  using Node = models::pins::BraidNode<Width>;
  using MakeRouter = std::function<std::unique_ptr<Router>(const std::string& module, const std::string& router)>;

  SC_HAS_PROCESS(PinMesh);
  PinMesh(const sc_core::sc_module_name& name, const models::Experiment& e, const MakeRouter& make)
      : sc_module(name), topology(routing::make_topology(e)) {
    for (const std::string& router : topology.router_names) {
      std::string module = "router_" + router;
      std::replace(module.begin(), module.end(), ',', '_');
      routers.push_back(make(module, router));
    }
    for (std::size_t n = 0; n < topology.node_count(); ++n)
      nodes.push_back(std::make_unique<Node>(("node_" + std::to_string(n)).c_str(), e, NodeId{n}));
    std::vector<Router*> all_routers;
    std::vector<Node*> all_nodes;
    const auto add = [&](auto& all, auto& module) {
      all.push_back(module.get());
      module->clk_i(clock);
      module->rst_ni(reset);
    };
    for (const auto& r : routers) add(all_routers, r);
    for (const auto& n : nodes) add(all_nodes, n);
    cables.join(all_routers, all_nodes);
    SC_METHOD(edge);
    sensitive << clock.posedge_event() << clock.negedge_event();
    dont_initialize();
  }

  /// Reset ends in the middle of the third cycle of the clock; at_edge(c) is called at the edge that ends cycle c from
  /// then on, at_edge(0) when reset ends.
  void edge() {
    if (!clock.posedge()) {
      if (++falls == 3) {
        reset.write(true);
        if (at_edge) at_edge(0);
      }
      return;
    }
    if (reset.read() && at_edge)
      at_edge(++cycle);
    else if (reset.read())
      ++cycle;
  }
  void run(std::uint64_t cycles) {
    while (cycle < cycles) sc_core::sc_start(sc_core::sc_time(2, sc_core::SC_NS) * static_cast<double>(cycles - cycle));
  }

  routing::Topology topology;
  sc_core::sc_clock clock{"clock", 2, sc_core::SC_NS};
  sc_core::sc_signal<bool> reset{"reset"};
  std::vector<std::unique_ptr<Router>> routers;
  std::vector<std::unique_ptr<Node>> nodes;
  models::pins::Cables<Width> cables;
  std::function<void(std::uint64_t)> at_edge;
  std::uint64_t falls = 0, cycle = 0;
};

template <int Width = 64>
typename PinMesh<Width>::MakeRouter modelled(const models::Experiment& e) {
  return [e](const std::string& module, const std::string& router) {
    return std::make_unique<models::pins::BraidRouter<Width>>(module.c_str(), e, router);
  };
}

inline models::pins::FlitList flits_of(std::uint64_t head, std::size_t length) {
  models::pins::FlitList flits(length);
  for (std::size_t i = 0; i < length; ++i) flits[i][0] = i == 0 ? head << 16 : head + i;
  return flits;
}

/// Plays the packets of an engine's run over the pins, and makes the hash of what arrives of the same facts.
template <int Width>
class Replay {
 public:
  Replay(PinMesh<Width>& mesh, const models::Network& engine) : mesh_(mesh) {
    for (const auto& page : engine.packet_log()->pages()) {
      for (const models::PacketRecord& record : page.records()) by_cycle_[record.packet.created].push_back(&record);
    }
    for (std::size_t n = 0; n < mesh.nodes.size(); ++n) {
      mesh.nodes[n]->on_arrival([this, n](const auto& arrival) { arrived(n, arrival); });
      mesh.nodes[n]->on_sent([this, n](std::uint64_t packet, std::uint64_t cycle) { injected_[{n, packet}] = cycle; });
    }
    mesh.at_edge = [this](std::uint64_t cycle) { send(cycle); };
  }
  std::uint64_t hash() const { return statistics_.packet_hash(); }
  std::uint64_t delivered() const { return statistics_.packets_delivered(); }

 private:
  /// In the order in which the node made them.
  void send(std::uint64_t cycle) {
    const auto found = by_cycle_.find(cycle);
    if (found == by_cycle_.end()) return;
    for (const models::PacketRecord* r : found->second) {
      const models::Packet& p = r->packet;
      const std::uint64_t key = std::uint64_t{p.source.value} << 32 | p.sequence;
      made_[key] = p;
      const std::uint64_t number = mesh_.nodes[p.source.value]->send(p.destination, flits_of(key, p.length_flits));
      EXPECT_EQ(number, p.sequence);
    }
  }
  void arrived(std::size_t node, const models::pins::BraidNodeBase::Arrival& arrival) {
    const std::uint64_t key = arrival.flits[0][0] >> 16;
    ASSERT_EQ(made_.count(key), 1U);
    models::Packet p = made_.at(key);
    EXPECT_EQ(p.destination.value, node);
    EXPECT_EQ(arrival.flits.size(), p.length_flits);
    for (std::size_t i = 1; i < arrival.flits.size(); ++i) EXPECT_EQ(arrival.flits[i][0], key + i);
    p.injected = injected_.at({p.source.value, p.sequence});
    const auto distance = mesh_.topology.distances_to(mesh_.topology.router_of(p.destination));
    p.routers = static_cast<std::uint16_t>(1 + distance[mesh_.topology.router_of(p.source).value]);
    statistics_.delivered(arrival.cycle, p);
  }

  PinMesh<Width>& mesh_;
  std::map<std::uint64_t, std::vector<const models::PacketRecord*>> by_cycle_;
  std::map<std::uint64_t, models::Packet> made_;
  std::map<std::pair<std::size_t, std::uint64_t>, std::uint64_t> injected_;
  models::MeasurementWindow window_;
  models::Statistics statistics_{window_, 1024};
};

/// Runs the engine on an experiment, then the packets that it made over the pins of routers made by `make`: the same
/// hash.
template <int Width>
void expect_hash_of_engine(models::Experiment e, const models::Experiment& over_pins,
                           const typename PinMesh<Width>::MakeRouter& make, std::uint64_t cycles) {
  e.set("log.file", "unwritten.csv");
  Bench engine(e);
  engine.run(cycles + 1);  // cycles 0 to `cycles`
  PinMesh<Width> mesh("mesh", over_pins, make);
  Replay<Width> replay(mesh, *engine.network);
  mesh.run(cycles);
  EXPECT_GT(engine.delivered(), 300U);
  EXPECT_EQ(replay.delivered(), engine.delivered());
  EXPECT_EQ(replay.hash(), engine.network->merged_statistics().packet_hash());
}

}  // namespace braid::test
