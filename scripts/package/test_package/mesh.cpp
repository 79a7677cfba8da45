// A mesh of modelled routers, or of their RTL: `mesh model`, `mesh rtl`. Prints the packet hash.
#include <cstdio>

#include "models/experiment/simulation.h"

int main(int, char* arguments[]) {
  try {
    braid::models::Experiment e;
    e.set("topology.width", 4).set("topology.height", 4);
    e.set("router.implementation", arguments[1]);
    e.open("traffic");
    e.set("traffic.rate_flits_per_node_cycle", 0.2);
    e.set("simulation.batch_cycles", 200).set("simulation.measure_cycles", 1000);
    e.set("simulation.min_warmup_cycles", 200).set("simulation.max_warmup_cycles", 400);
    braid::models::Simulation simulation(e);
    std::printf("packet hash %016llx\n", static_cast<unsigned long long>(simulation.run().packet_hash));
  } catch (const braid::InputError& error) {
    std::fprintf(stderr, "mesh: %s\n", error.what());
    return 2;
  }
  return 0;
}
