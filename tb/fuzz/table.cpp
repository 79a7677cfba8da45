// Routing tables, on the ring of the examples.
#include "routing/algorithm/routing_algorithm.h"
#include "routing/topology/topology.h"
#include "tb/fuzz/reader.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  braid::Configuration configuration;
  configuration.set("topology.kind", "graph");
  configuration.set("topology.file", BRAID_SOURCE_DIR "/tb/experiments/ring.graphml");
  configuration.set("routing.algorithm", "table");
  static const braid::routing::Topology ring = braid::routing::make_topology(configuration);
  const braid::fuzz::InputFile file(data, size);
  configuration.set("routing.table_file", file.name());
  braid::fuzz::check([&] { (void)braid::routing::make_routing(ring, configuration); });
  return 0;
}
