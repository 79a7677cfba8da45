// braid graph: a StreamIt program's flat graph.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include "models/experiment/json_file.h"
#include "models/observe/output_file.h"
#include "routing/base/input_error.h"
#include "tb/braid/commands.h"
#include "tb/braid/graph_files.h"
#include "traffic/streams/flat_graph.h"
#include "traffic/streams/lift.h"
#include "traffic/streams/streamit/streamit.h"

namespace braid::tb {
namespace {

using traffic::FlatGraph;
using traffic::FlatNode;

/// Cycles of all firings in a steady state; rounded, for they may be many.
double steady_work(const FlatNode& node, std::uint64_t repetitions) {
  return static_cast<double>(work_of(node)) * static_cast<double>(repetitions);
}

void print_heaviest(const FlatGraph& graph, const std::vector<std::uint64_t>& repetitions, double total) {
  constexpr std::size_t kMost = 10;
  std::vector<std::size_t> order(graph.nodes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  order.erase(std::remove_if(order.begin(), order.end(), [&](std::size_t n) { return work_of(graph.nodes[n]) == 0; }),
              order.end());
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return steady_work(graph.nodes[a], repetitions[a]) > steady_work(graph.nodes[b], repetitions[b]);
  });
  if (order.size() > kMost) order.resize(kMost);
  std::size_t width = 0;
  for (const std::size_t n : order) width = std::max(width, graph.nodes[n].name.size());
  if (!order.empty()) fmt::print("heaviest filters: cycles a firing, firings, share of the work\n");
  for (const std::size_t n : order) {
    const FlatNode& node = graph.nodes[n];
    fmt::print("  {:{}}  {:>8} {:>8}  {:4.1f} %{}\n", node.name, width, work_of(node), repetitions[n],
               100 * steady_work(node, repetitions[n]) / total, node.filter.stateful ? "  stateful" : "");
  }
}

void print_graph(const FlatGraph& graph, const std::vector<std::uint64_t>& repetitions) {
  const GraphCounts counts = counts_of(graph);
  double total = 0;
  for (std::size_t n = 0; n < graph.nodes.size(); ++n) total += steady_work(graph.nodes[n], repetitions[n]);
  const double firings = std::accumulate(repetitions.begin(), repetitions.end(), 0.0);
  fmt::print("{}: {} filters, {} splitters, {} joiners, {} edges\n", graph.name, counts.filters, counts.splitters,
             counts.joiners, counts.edges);
  fmt::print("steady state: {:.0f} firings of {} nodes, of one at most {}, {:.0f} cycles of work\n", firings,
             graph.nodes.size(), *std::max_element(repetitions.begin(), repetitions.end()), total);
  print_heaviest(graph, repetitions, total);
}

}  // namespace

int show_graph(const Options& options) {
  const traffic::Structure program = traffic::read_streamit(options.arguments, options.mean_rates);
  warn_of_messages(program);
  const std::string& file = options.arguments.front();
  const FlatGraph written = traffic::flatten(program, file);
  FlatGraph lifted = traffic::flatten(traffic::lifted(program), file);
  lifted.name = written.name;
  const FlatGraph& graph = options.lift ? lifted : written;
  const std::vector<std::uint64_t> repetitions = graph.repetitions();
  if (options.prints()) print_graph(graph, repetitions);
  if (!options.json.empty())
    models::write_file(options.json,
                       models::pretty(graph_json(graph, repetitions, counts_of(written), counts_of(lifted))));
  if (!options.graphml.empty()) models::write_file(options.graphml, graph_graphml(graph, repetitions));
  if (!options.dot.empty()) models::write_file(options.dot, graph_dot(graph, repetitions));
  return kSuccess;
}

}  // namespace braid::tb
