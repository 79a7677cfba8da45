// Loads without chance, of which every figure of a run is known beforehand.
#pragma once

#include <fstream>
#include <string>

#include "tb/tests/support/bench.h"

namespace braid::test {

/// Batches of 100 cycles, no least warm-up, 500 measured cycles.
inline models::Experiment short_run(models::Experiment e) {
  e.set("simulation.batch_cycles", 100);
  e.set("simulation.min_warmup_cycles", 0);
  e.set("simulation.measure_cycles", 500);
  return e;
}

/// Every node makes a packet of one flit in every cycle, each node for another one. On the ideal network a packet is
/// made in cycle c, sent in c + 1 and delivered in c + 2.
inline models::Experiment even_load() {
  models::Experiment e = short_run(uniform_mesh(1.0, 4, 4));
  e.set("traffic.pattern", "neighbour");
  e.set("traffic.flits", 1);
  e.set("router.architecture", "ideal");
  return e;
}

/// Three nodes each make a packet of one flit in every cycle, all for node 2, which takes one a cycle: on the ideal
/// network one packet is sent in each cycle from 1 on and delivered in the next.
inline models::Experiment overload() {
  models::Experiment e = short_run(uniform_mesh(1.0, 3, 1));
  e.set("traffic.pattern", "hot_spot");
  e.set("traffic.hot_nodes", std::vector<std::uint32_t>{2});
  e.set("traffic.hot_fraction", 1.0);
  e.set("traffic.flits", 1);
  e.set("router.architecture", "ideal");
  return e;
}

/// Writes a stream graph of two actors on the nodes 0 and `to`.
inline std::string stream_pair(std::uint32_t from_work, std::uint32_t to_work, std::uint32_t push, std::uint32_t pop,
                               std::uint32_t to = 1) {
  const std::string file = temporary_file("stream_pair.toml");
  std::ofstream(file) << "name = \"pair\"\n[[actor]]\nname = \"a\"\nwork = " << from_work
                      << "\ntile = 0\n[[actor]]\nname = \"b\"\nwork = " << to_work << "\ntile = " << to
                      << "\n[[edge]]\nfrom = \"a\"\nto = \"b\"\npush = " << push << "\npop = " << pop << "\n";
  return file;
}

/// That stream alone on a row of `width` nodes, pushed in packets.
inline models::Experiment streaming(const std::string& graph, std::uint32_t width = 2) {
  models::Experiment e;
  e.set("topology.width", width);
  e.set("topology.height", 1);
  e.open("stream");
  e.set("stream.graph", graph);
  return e;
}

}  // namespace braid::test
