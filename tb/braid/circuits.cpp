// braid circuits: link-disjoint paths for the streams of an experiment, found by programs that see the whole network.
#include <fmt/format.h>

#include <algorithm>
#include <boost/json.hpp>
#include <optional>
#include <stdexcept>
#include <utility>

#include "models/experiment/elaboration.h"
#include "models/experiment/json_file.h"
#include "models/experiment/simulation.h"
#include "models/workload/streams/stream_workload.h"
#include "routing/analysis/link_loads.h"
#include "routing/base/random.h"
#include "routing/paths/disjoint/path_file.h"
#include "tb/braid/commands.h"
#include "tb/braid/find_circuits.h"
#include "tb/braid/layout.h"
#include "tb/braid/progress_bar.h"

namespace braid::tb {
namespace {

namespace json = boost::json;

/// What is asked about.
struct Circuits {
  const models::Experiment& experiment;
  const routing::Topology& topology;
  const routing::Channels channels;
  const models::StreamProgram& program;

  std::string router(RouterId r) const { return "(" + topology.router_names[r.value] + ")"; }
};

const char* word(routing::DisjointAnswer answer) {
  switch (answer) {
    case routing::DisjointAnswer::kFound:
      return "found";
    case routing::DisjointAnswer::kNone:
      return "none";
    case routing::DisjointAnswer::kUnknown:
      break;
  }
  return "unknown";
}

/// "11 streams leave (1,1) (actor source), which has 4 links"
std::string sentence(const Circuits& c, const routing::DemandCut& cut, const std::vector<NodeId>& layout) {
  std::string where;
  for (const RouterId r : cut.routers) {
    where += (where.empty() ? "" : " ") + c.router(r);
    if (cut.routers.size() > 1) continue;
    for (std::size_t a = 0; a < layout.size(); ++a) {
      if (c.topology.router_of(layout[a]) == r) where += " (actor " + c.program.graph().actors[a].name + ")";
    }
  }
  return fmt::format("{} streams {} {}, which {} {} links", cut.demands, cut.leaving ? "leave" : "enter", where,
                     cut.routers.size() > 1 ? "have" : "has", cut.channels);
}

json::object answer_json(const Circuits& c, const FinderAnswer& a, const StreamDemands& streams,
                         const std::vector<NodeId>& layout) {
  json::object all{
      {"finder", a.finder}, {"answer", word(a.found.answer)}, {"cpu_seconds", a.cpu_seconds}, {"tries", a.found.tries}};
  if (!a.found.proof.empty()) all["proof"] = a.found.proof;
  if (a.found.cut) all["because"] = sentence(c, *a.found.cut, layout);
  if (a.found.answer != routing::DisjointAnswer::kFound) return all;
  all["shortest"] = a.found.shortest;
  all["total_links"] = a.links();
  all["longest_links"] = a.longest();
  all["backtracks"] = a.found.backtracks;
  json::array paths;
  for (std::size_t d = 0; d < streams.edges.size(); ++d) {
    json::array routers{c.topology.router_names[streams.demands[d].from.value]};
    for (const std::uint32_t channel : a.found.paths[d]) {
      routers.emplace_back(c.topology.router_names[c.channels[channel].to.value]);
    }
    paths.push_back(json::object{{"stream", c.program.edge_name(streams.edges[d])}, {"routers", routers}});
  }
  all["paths"] = paths;
  return all;
}

void print_answers(const Circuits& c, const std::vector<FinderAnswer>& answers, const std::vector<NodeId>& layout) {
  fmt::print("{:12} {:8} {:>6} {:>8} {:>8} {:>9}\n", "finder", "answer", "links", "longest", "tries", "CPU s");
  for (const FinderAnswer& a : answers) {
    const bool found = a.found.answer == routing::DisjointAnswer::kFound;
    fmt::print("{:12} {:8} {:>6} {:>8} {:>8} {:>9.4f}\n", a.finder, word(a.found.answer),
               found ? fmt::to_string(a.links()) : "", found ? fmt::to_string(a.longest()) : "", a.found.tries,
               a.cpu_seconds);
    std::string why = a.found.cut ? sentence(c, *a.found.cut, layout) : a.found.proof;
    if (why.empty()) continue;
    why = fmt::format("{}: {}", a.found.shortest ? "no fewer links, by" : "proof", why);
    fmt::print("{}\n", wrapped("  ", words_of(why), 4));
  }
}

/// Streams on the fullest link of packets.
double most_loaded(const Circuits& c, const routing::RoutingAlgorithm& algorithm) {
  std::vector<routing::Flow> flows;
  for (const auto& edge : c.program.edges()) flows.push_back({edge.source, edge.destination, 1.0});
  const auto loads = routing::link_loads(c.topology, algorithm, flows);
  double most = 0.0;
  for (std::size_t i = 0; i < c.channels.count(); ++i) {
    most = std::max(most, loads[c.channels[i].from.value][c.channels[i].port.value]);
  }
  return most;
}

/// One a line, its stream behind it. False: no finder has any, and nothing is written.
bool write_paths(const Circuits& c, const std::vector<FinderAnswer>& answers, const StreamDemands& streams,
                 const std::string& file) {
  const auto found = std::find_if(answers.begin(), answers.end(), [](const FinderAnswer& a) {
    return a.found.answer == routing::DisjointAnswer::kFound;
  });
  if (found == answers.end()) return false;
  std::string text =
      fmt::format("# {} on {}: paths by finder {}\n", c.program.graph().name, c.topology.name, found->finder);
  for (std::size_t d = 0; d < streams.edges.size(); ++d) {
    text += routing::path_line(c.topology, c.channels, streams.demands[d], found->found.paths[d]) + "  # " +
            one_line(c.program.edge_name(streams.edges[d])) + "\n";
  }
  models::write_file(file, text);
  return true;
}

/// What is asked for beside the answers' own figures.
struct Wanted {
  bool text = false;
  std::string paths;  ///< file; empty: none
};

struct Told {
  json::object answers;
  bool missing = false;  ///< paths are wanted and none are found
};

Told of_own_layout(const Circuits& c, const routing::RoutingAlgorithm& algorithm, const Wanted& wanted,
                   ProgressBar& bar) {
  std::vector<NodeId> layout;
  for (const auto& actor : c.program.actors()) layout.push_back(actor.node);
  const StreamDemands streams = stream_demands(c.program.graph(), layout, c.topology);
  const auto answers =
      ask_finders(c.experiment, c.topology, c.channels, streams.demands, models::passed_on(bar.watcher(), "circuits"));
  bar.clear();
  const double most = most_loaded(c, algorithm);
  const auto routing_name = c.experiment.get<std::string>("routing.algorithm");
  const bool missing = !wanted.paths.empty() && !write_paths(c, answers, streams, wanted.paths);
  if (wanted.text) {
    fmt::print("{}: {} streams on {}; {:.3g} on the fullest link under {}\n", c.program.graph().name,
               streams.edges.size(), c.topology.name, most, routing_name);
    print_answers(c, answers, layout);
  }
  json::array finders;
  for (const FinderAnswer& a : answers) finders.push_back(answer_json(c, a, streams, layout));
  return {{{"routing", routing_name}, {"most_streams_on_a_link", most}, {"finders", finders}}, missing};
}

std::vector<FinderCounts> over_layouts(const Circuits& c, std::uint32_t layouts, const routing::OnProgress& progress) {
  std::vector<FinderCounts> counts;
  for (std::uint32_t i = 0; i < layouts; ++i) {
    const routing::OnProgress of_all = [&](const char*, std::size_t, std::size_t) {
      routing::tell(progress, "layout", i, layouts);
    };
    of_all("", 0, 0);
    const traffic::StreamGraph& graph = c.program.graph();
    const auto layout = random_layout(graph.actors.size(), c.topology.node_count(), read_seed(c.experiment), i);
    const StreamDemands streams = stream_demands(graph, layout, c.topology);
    const auto answers = ask_finders(c.experiment, c.topology, c.channels, streams.demands, of_all);
    std::optional<std::size_t> fewest;
    for (const FinderAnswer& a : answers) {
      if (a.found.shortest) fewest = a.links();
    }
    counts.resize(answers.size());
    for (std::size_t f = 0; f < answers.size(); ++f) counts[f].count(answers[f], fewest);
  }
  return counts;
}

json::object counts_json(const FinderCounts& f) {
  const auto [low, high] = wilson_95(f.found, f.layouts());
  json::object all{{"finder", f.finder},
                   {"found", f.found},
                   {"none", f.none},
                   {"unknown", f.unknown},
                   {"none_by_one_router", f.one_router},
                   {"success_rate", static_cast<double>(f.found) / f.layouts()},
                   {"success_low_95", low},
                   {"success_high_95", high},
                   {"cpu_seconds", f.cpu_seconds}};
  if (f.found > 0) all["total_links_mean"] = static_cast<double>(f.links) / f.found;
  if (f.compared > 0) all["excess_links_mean"] = static_cast<double>(f.excess) / f.compared;
  return all;
}

void print_counts(const std::vector<FinderCounts>& counts) {
  fmt::print("{:12} {:>7} {:>7} {:>8}  {:24} {:>7} {:>8}\n", "finder", "found", "none", "unknown", "success rate, 95 %",
             "excess", "CPU s");
  for (const FinderCounts& f : counts) {
    const auto [low, high] = wilson_95(f.found, f.layouts());
    const double rate = static_cast<double>(f.found) / f.layouts();
    const std::string share = fmt::format("{:.3f} ({:.3f} to {:.3f})", rate, low, high);
    const std::string excess = f.compared == 0 ? "" : fmt::format("{:.2f}", static_cast<double>(f.excess) / f.compared);
    fmt::print("{:12} {:>7} {:>7} {:>8}  {:24} {:>7} {:>8.2f}\n", f.finder, f.found, f.none, f.unknown, share, excess,
               f.cpu_seconds);
  }
  fmt::print("{}\n",
             wrapped("", words_of("excess: links over the fewest of all, mean over layouts where both are known"), 2));
}

json::object of_random_layouts(const Circuits& c, std::uint32_t layouts, bool text, ProgressBar& bar) {
  const auto counts = over_layouts(c, layouts, models::passed_on(bar.watcher(), "circuits"));
  bar.clear();
  if (text) {
    fmt::print("{}: {} streams on {}, {} random layouts\n", c.program.graph().name, c.program.edges().size(),
               c.topology.name, layouts);
    print_counts(counts);
  }
  json::array finders;
  for (const FinderCounts& f : counts) finders.push_back(counts_json(f));
  return {{"layouts", layouts}, {"seed", read_seed(c.experiment)}, {"finders", finders}};
}

}  // namespace

int show_circuits(const Options& options) {
  ProgressBar bar(options.quiet);
  const auto elaboration = elaborated(options, bar);
  models::Simulation& simulation = *elaboration;
  const auto* workload = simulation.network().workload<models::StreamWorkload>();
  if (workload == nullptr) throw InputError({options.experiment, 0, 0}, "braid circuits: expected a section [stream]");
  const routing::Topology& topology = simulation.topology();
  const Circuits circuits{simulation.experiment(), topology, routing::Channels(topology), workload->program()};
  const InterruptFlag flag(InterruptFlag::kAll);
  const bool text = options.prints();
  const std::uint32_t layouts = routing::disjoint_options().read(circuits.experiment).layouts;
  json::object document{{"program", "braid"},
                        {"version", BRAID_VERSION},
                        {"topology", topology.name},
                        {"graph", circuits.program.graph().name},
                        {"streams", circuits.program.edges().size()}};
  if (layouts > 0 && !options.paths.empty()) {
    throw InputError("--paths: those of one layout; expected no disjoint.layouts");
  }
  const Told told = layouts > 0 ? Told{of_random_layouts(circuits, layouts, text, bar)}
                                : of_own_layout(circuits, simulation.routing(), {text, options.paths}, bar);
  for (const auto& [key, value] : told.answers) document[key] = value;
  if (!options.json.empty()) models::write_file(options.json, models::pretty(document));
  if (told.missing) throw std::runtime_error(options.paths + ": not written, for no finder has paths for all streams");
  return kSuccess;
}

}  // namespace braid::tb
