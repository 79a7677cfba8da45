// braid styles: what the coding styles of TLM-2.0 make of an experiment's packets, beside the engine.
#include <fmt/format.h>

#include <boost/json.hpp>
#include <string>

#include "models/experiment/json_file.h"
#include "tb/braid/commands.h"
#include "tb/braid/stream_experiment.h"
#include "tb/braid/style_comparison.h"

namespace braid::tb {
namespace {

void print_styles(const StyleComparison& c) {
  fmt::print("{} packets, {:.4g} flits/node/cycle{}\n", c.packets, c.load_flits_per_node_cycle,
             c.undelivered > 0 ? fmt::format("; {} more had not arrived at the drain limit", c.undelivered) : "");
  fmt::print("{:20} {:>12} {:>8} {:>16} {:>12} {:>10}\n", "style", "mean latency", "error", "a packet is off",
             "packets/s", "of engine");
  const double engine = c.styles.front().packets_per_second;
  for (const StyleFigures& s : c.styles) {
    fmt::print("{:20} {:12.2f} {:7.1f}% {:16.2f} {:12.3g} {:9.1f}x\n", s.style, s.mean_latency_cycles, 100 * s.error,
               s.mean_packet_error_cycles, s.packets_per_second, s.packets_per_second / engine);
  }
}

boost::json::object styles_json(const StyleComparison& c) {
  boost::json::array styles;
  for (const StyleFigures& s : c.styles) {
    styles.push_back({{"style", s.style},
                      {"mean_latency_cycles", s.mean_latency_cycles},
                      {"error", s.error},
                      {"mean_packet_error_cycles", s.mean_packet_error_cycles},
                      {"packets_per_second", s.packets_per_second}});
  }
  return {{"packets", c.packets},
          {"undelivered", c.undelivered},
          {"load_flits_per_node_cycle", c.load_flits_per_node_cycle},
          {"styles", std::move(styles)}};
}

}  // namespace

int show_styles(const Options& options) {
  const StyleComparison comparison = compare_styles(experiment_of(options));
  if (options.prints()) print_styles(comparison);
  if (!options.json.empty()) models::write_file(options.json, models::pretty(styles_json(comparison)));
  return kSuccess;
}

}  // namespace braid::tb
