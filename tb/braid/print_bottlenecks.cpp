#include "tb/braid/print_bottlenecks.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "models/experiment/bottlenecks.h"
#include "models/workload/synthetic/synthetic_sources.h"
#include "tb/braid/layout.h"

namespace braid::tb {
namespace {

std::string link_name(const routing::Topology& topology, const models::Bottleneck& link) {
  const routing::Port& port = topology.port(link.from, link.port);
  if (link.where != models::Bottleneck::Where::kBetweenRouters) {
    const bool in = link.where == models::Bottleneck::Where::kInjection;
    const std::string node = fmt::format("node {}", link.node.value), router = topology.router_names[link.from.value];
    return in ? node + " -> " + router : router + " -> " + node;
  }
  const std::string subnet = link.subnet ? fmt::format("subnet {}: ", *link.subnet) : "";
  return subnet + topology.router_names[link.from.value] + " " + port.name + " -> " +
         topology.router_names[port.peer_router.value];
}

/// "256 flows of 4 nodes to 32", and the three that want most if they stand out.
std::vector<std::string> cause(const models::Bottleneck& link) {
  constexpr std::size_t kNamed = 3;
  constexpr double kStandsOut = 0.05;
  const std::size_t flows = link.sharers.size();
  if (flows == 0) return {"no", "flow", "is", "known"};
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
  bool known = true;
  for (const auto& workload : simulation.network().workloads()) {
    const auto* sources = dynamic_cast<const models::SyntheticSources*>(workload.get());
    known = known && (sources == nullptr || sources->knows_flows());
    for (routing::Flow& flow : workload->flows(results.measured_cycles)) flows.push_back(std::move(flow));
  }
  const auto links = models::bottlenecks(results, topology, simulation.routing(), flows);
  if (links.empty()) return;
  const bool counted = !results.links.empty() && results.links.front().flows.has_value();
  const std::string how =
      counted ? "flows are those whose packets crossed the link; percentages are shares of what it carried"
              : std::string(known ? "flows are as the pattern has them" : "flows are sampled destinations") +
                    ", on a way that " + simulation.experiment().get<std::string>("routing.algorithm") +
                    " prefers; percentages are shares of what they ask of the link (--set results.link_flows=true "
                    "counts instead)";
  const bool faster = topology.has_faster_links();
  const std::string title = std::string("busiest links: flits/cycle while measuring, ") +
                            (faster ? "of those that the link takes, " : "") +
                            "injection and ejection links included; " + how;
  fmt::print("\n{}\n", wrapped("", words_of(title), 0));
  std::size_t width = 0;
  for (const models::Bottleneck& link : links) width = std::max(width, link_name(topology, link).size());
  for (const models::Bottleneck& link : links) {
    const std::string taken = faster ? fmt::format("of {:<2}  ", link.most_flits_per_cycle) : "";
    const std::string head =
        fmt::format("  {:<{}}  {:<6.4f}  {}", link_name(topology, link), width, link.flits_per_cycle, taken);
    fmt::print("{}\n", wrapped(head, cause(link), head.size()));
  }
}

}  // namespace braid::tb
