// A virtual platform over a Braid network, in the coding style that the experiment names (tlm.style):
//
//   trace player  node 0 ---+               +--- node 5   memory "near"
//                           |    network    |
//   DMA engine    node 1 ---+               +--- node 10  memory "far"
//
// With a protocol checker at every socket of the network. Prints what the memories hold, and when the programs were
// over.
#include <cstdio>
#include <exception>
#include <memory>
#include <string>
#include <vector>

#include "initiators.h"
#include "memory.h"
#include "models/experiment/experiment_reader.h"
#include "models/experiment/simulation.h"
#include "models/tlm/checker/protocol_checker.h"
#include "models/tlm/sockets/estimated_interconnect.h"
#include "models/tlm/sockets/interconnect.h"

namespace {

using namespace braid;

template <class Network>
class Platform {
 public:
  Platform(Network& net, const std::string& trace)
      : player_("player", trace),
        dma_("dma", 0x8000'4000, 0x9000'4000, 50),
        near_("near", 64 * 1024, sc_core::sc_time(10, sc_core::SC_NS)),
        far_("far", 64 * 1024, sc_core::sc_time(40, sc_core::SC_NS)) {
    enter(net, 0, player_, at_player_);
    enter(net, 1, dma_, at_dma_);
    leave(net, 5, near_, at_near_);
    leave(net, 10, far_, at_far_);
  }
  int run(const char* style) {
    for (int i = 0; i < 1000 && !(player_.over && dma_.over); ++i) sc_core::sc_start(10, sc_core::SC_US);
    std::uint64_t breaches = 0;
    for (const auto* checker : {&at_player_, &at_dma_, &at_near_, &at_far_}) breaches += checker->monitor().count();
    std::printf("memories %016llx %016llx, %llu transactions, %llu breaches of the protocol\n",
                static_cast<unsigned long long>(near_.hash()), static_cast<unsigned long long>(far_.hash()),
                static_cast<unsigned long long>(player_.transactions + dma_.transactions),
                static_cast<unsigned long long>(breaches));
    std::printf("%s: player over at %s, DMA at %s\n", style, player_.end.to_string().c_str(),
                dma_.end.to_string().c_str());
    return player_.over && dma_.over && breaches == 0 ? 0 : 1;
  }

 private:
  using Checker = models::ProtocolChecker<32>;
  void enter(Network& net, std::size_t node, Initiator& initiator, Checker& checker) {
    initiator.socket.bind(checker.target_socket);
    checker.initiator_socket.bind(net.template target<32>(node));
  }
  void leave(Network& net, std::size_t node, Memory& memory, Checker& checker) {
    net.template initiator<32>(node).bind(checker.target_socket);
    checker.initiator_socket.bind(memory.socket);
  }

  TracePlayer player_;
  DmaEngine dma_;
  Memory near_, far_;
  Checker at_player_{"at_player"}, at_dma_{"at_dma"}, at_near_{"at_near"}, at_far_{"at_far"};
};

int run(const models::Experiment& experiment, const std::string& trace) {
  const std::string style = models::style_options().read(experiment).style;
  if (style == models::kCycleAccurate) {
    models::Simulation simulation(experiment);
    models::Interconnect net("net", simulation.engine());
    return Platform<models::Interconnect>(net, trace).run(style.c_str());
  }
  const routing::Topology topology = routing::make_topology(experiment);
  const auto algorithm = routing::make_routing(topology, experiment);
  models::EstimatedInterconnect net("net", experiment, topology, *algorithm);
  return Platform<models::EstimatedInterconnect>(net, trace).run(style.c_str());
}

}  // namespace

int sc_main(int argc, char* argv[]) {
  if (argc < 3) {
    std::fprintf(stderr, "platform EXPERIMENT.toml TRACE [section.key=value]...\n");
    return 2;
  }
  try {
    const std::vector<std::string> settings(argv + 3, argv + argc);
    return run(models::read_experiment(argv[1], settings), argv[2]);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "platform: %s\n", e.what());
    return 2;
  }
}
