// ASTRA-sim with Braid as its network: astra_sim_over_braid EXPERIMENT.toml TRACE SYSTEM.json MEMORY.json RANKS
// [NODE,NODE,...]. Rank i sits at node i, or at the i-th of the list.
#include <braid/routing/base/input_error.h>

#include <astra-sim/common/Logging.hh>
#include <astra-sim/system/Sys.hh>
#include <astra-sim/workload/Workload.hh>
#include <cstdio>
#include <cstdlib>
#include <extern/remote_memory_backend/analytical/AnalyticalRemoteMemory.hh>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "network.h"

namespace {

std::vector<std::uint32_t> nodes_of(std::size_t ranks, const char* list) {
  std::vector<std::uint32_t> nodes;
  std::istringstream text(list);
  for (std::string word; std::getline(text, word, ',');) nodes.push_back(std::strtoul(word.c_str(), nullptr, 10));
  while (nodes.size() < ranks) nodes.push_back(static_cast<std::uint32_t>(nodes.size()));
  nodes.resize(ranks);
  return nodes;
}

}  // namespace

int main(int count, char* arguments[]) {
  if (count < 6) {
    return std::fprintf(stderr, "astra_sim_over_braid EXPERIMENT.toml TRACE SYSTEM.json MEMORY.json RANKS [NODES]\n"),
           2;
  }
  try {
    const std::size_t ranks = std::strtoul(arguments[5], nullptr, 10);
    SharedNetwork network(braid::models::StepNetwork(arguments[1], {"traffic.rate_flits_per_node_cycle=0"}),
                          nodes_of(ranks, count > 6 ? arguments[6] : ""));
    AstraSim::LoggerFactory::init("empty", "log");
    Analytical::AnalyticalRemoteMemory memory(arguments[4]);
    std::vector<std::unique_ptr<BraidNetworkApi>> doors;
    std::vector<std::unique_ptr<AstraSim::Sys>> systems;
    for (int rank = 0; rank < static_cast<int>(ranks); ++rank) {
      doors.push_back(std::make_unique<BraidNetworkApi>(rank, network));
      systems.push_back(std::make_unique<AstraSim::Sys>(rank, arguments[2], "empty", arguments[3], &memory,
                                                        doors.back().get(), std::vector<int>{static_cast<int>(ranks)},
                                                        std::vector<int>{1}, 1.0, 1.0, false));
    }
    for (const auto& system : systems) system->workload->fire();
    network.run();
    std::printf("%zu ranks, %llu cycles\n", ranks, static_cast<unsigned long long>(network.now()));
    systems.clear();
    AstraSim::LoggerFactory::shutdown();
  } catch (const braid::InputError& e) {
    return std::fprintf(stderr, "astra_sim_over_braid: %s\n", e.what()), 2;
  }
  return 0;
}
