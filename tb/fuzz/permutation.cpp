// Permutations, on a mesh of eight nodes.
#include "routing/topology/topology.h"
#include "tb/fuzz/reader.h"
#include "traffic/synthetic/pattern.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  braid::Configuration configuration;
  configuration.set("topology.width", 4);
  configuration.set("topology.height", 2);
  static const braid::routing::Topology mesh = braid::routing::make_topology(configuration);
  const braid::fuzz::InputFile file(data, size);
  configuration.set("traffic.file", file.name());
  const auto& patterns = braid::traffic::PatternRegistry::instance();
  braid::fuzz::check([&] { (void)patterns.make("permutation", mesh, configuration); });
  return 0;
}
