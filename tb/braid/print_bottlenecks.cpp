#include "tb/braid/print_bottlenecks.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "models/experiment/bottlenecks.h"
#include "tb/braid/layout.h"

namespace braid::tb {
namespace {

std::string link_name(const routing::Topology& topology, const models::Bottleneck& link) {
  const routing::Port& port = topology.port(link.from, link.port);
  return topology.router_names[link.from.value] + " " + port.name + " -> " +
         topology.router_names[port.peer_router.value];
}

/// "256 flows of 4 nodes to 32", and the three that want most if they stand out.
std::vector<std::string> cause(const models::Bottleneck& link) {
  constexpr std::size_t kNamed = 3;
  constexpr double kStandsOut = 0.05;
  const std::size_t flows = link.sharers.size();
  if (flows == 0) return {"no", "flow", "prefers", "it"};
  const auto several = [](std::size_t count, const char* what) {
    return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
  };
  std::vector<std::string> words{several(flows, "flow"), "of", several(link.sources, "node"), "to",
                                 std::to_string(link.destinations)};
  for (std::size_t i = 0; i < std::min(flows, kNamed) && link.sharers[i].share >= kStandsOut; ++i) {
    words.back() += i == 0 ? ":" : ",";
    words.push_back(fmt::format("{} {:.0f} %", link.sharers[i].name, 100.0 * link.sharers[i].share));
  }
  return words;
}

}  // namespace

void print_bottlenecks(const models::Simulation& simulation, const models::Results& results) {
  const routing::Topology& topology = simulation.topology();
  std::vector<routing::Flow> flows;
  for (const auto& workload : simulation.network().workloads()) {
    for (routing::Flow& flow : workload->flows(results.measured_cycles)) flows.push_back(std::move(flow));
  }
  const auto links = models::bottlenecks(results, topology, simulation.routing(), flows);
  if (links.empty()) return;
  const std::string title = "busiest links: flits/cycle while measuring; flows that want them, as drawn, on a way " +
                            simulation.experiment().get<std::string>("routing.algorithm") +
                            " prefers; shares of these wants";
  fmt::print("\n{}\n", wrapped("", words_of(title), 0));
  std::size_t width = 0;
  for (const models::Bottleneck& link : links) width = std::max(width, link_name(topology, link).size());
  for (const models::Bottleneck& link : links) {
    const std::string head =
        fmt::format("  {:<{}}  {:<6.4f}  ", link_name(topology, link), width, link.flits_per_cycle);
    fmt::print("{}\n", wrapped(head, cause(link), head.size()));
  }
}

}  // namespace braid::tb
