// Networks from GraphML.
#include "routing/topology/topology.h"
#include "tb/fuzz/reader.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const braid::fuzz::InputFile file(data, size);
  braid::Configuration configuration;
  configuration.set("topology.kind", "graph");
  configuration.set("topology.file", file.name());
  braid::fuzz::check([&] { (void)braid::routing::make_topology(configuration); });
  return 0;
}
