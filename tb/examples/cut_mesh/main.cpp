// A running network cut at pins: some of its routers are modules of this program, over plain signals. Everything else,
// the nodes, their traffic and what is measured, is Braid's, and every packet has the same cycles.
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "models/engine/engine.h"
#include "models/experiment/experiment_reader.h"
#include "models/experiment/simulation.h"
#include "models/pins/braid_router.h"
#include "models/pins/cables.h"
#include "models/pins/network_cut.h"

namespace {

using namespace braid;

/// Puts a module where each router was that the network has not: here the model's, by its pins. RtlRouter is the RTL
/// (Braid::rtl); a module of your own is bound to the same signals, outputs_of(seat).
struct Routers {
  explicit Routers(models::Simulation& simulation) : cut("cut", simulation.engine()) {
    for (const auto& seat : cut.seats()) {
      const std::string name = seat->router_name();
      routers.push_back(std::make_unique<models::pins::BraidRouter<64>>(sc_core::sc_gen_unique_name("router"),
                                                                        simulation.experiment(), name));
      routers.back()->clk_i(cut.clk);
      routers.back()->rst_ni(cut.rst_n);
      cables.join(*seat, *routers.back());
    }
  }
  models::pins::NetworkCut<64> cut;
  models::pins::Cables<64> cables;
  std::vector<std::unique_ptr<models::pins::BraidRouter<64>>> routers;
};

}  // namespace

int sc_main(int argc, char* argv[]) {
  const std::string file = argc > 1 ? argv[1] : "mesh.toml", cut_out = argc > 2 ? argv[2] : "";
  try {
    models::Experiment e = models::read_experiment(file);
    if (!cut_out.empty()) e.set("router.implementation", "pins").set("router.rtl_routers", cut_out);
    models::Simulation simulation(e);
    std::unique_ptr<Routers> routers;
    if (!cut_out.empty()) routers = std::make_unique<Routers>(simulation);
    const models::Results results = simulation.run();
    std::printf("%zu routers over pins, %zu circuits, %llu packets in %llu cycles, hash %016llx\n",
                routers ? routers->routers.size() : 0, results.setup.circuits.size(),
                static_cast<unsigned long long>(results.conservation.packets_delivered),
                static_cast<unsigned long long>(results.cycles), static_cast<unsigned long long>(results.packet_hash));
  } catch (const InputError& error) {
    std::fprintf(stderr, "cut_mesh: %s\n", error.what());
    return 2;
  }
  return 0;
}
