#include "models/experiment/warnings.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "models/experiment/measurement.h"
#include "models/experiment/stopping_rule.h"

namespace braid::models {
namespace {

void warn_of_run(const Results& r, std::vector<Warning>& all) {
  if (r.setup.attempted && r.setup.fell_back_to_packets) all.push_back(fallen_back(r.setup));
  if (!r.steady) {
    all.push_back({"unsteady", "not steady: the warm-up limit came before latency and throughput settled", "run"});
  }
}

Warning not_held(const Report& rate) {
  const auto& actor = rate.get<std::string>("actor");
  return {
      "rate_not_held",
      fmt::format("rate not held: {} put out {:.4g} of {:.4g} items/kilocycle, {} firings late, worst gap {} cycles, "
                  "deepest queue {} items",
                  actor, rate.get<double>("put_out_items_per_kilocycle"), rate.get<double>("asked_items_per_kilocycle"),
                  rate.get<std::uint64_t>("late_firings"), rate.get<std::uint64_t>("worst_gap_cycles"),
                  rate.get<std::uint64_t>("deepest_queue_items")),
      actor};
}

void warn_of_saturation(const TrafficClassResults& c, std::vector<Warning>& all) {
  if (!c.saturation || !c.saturation->saturated) return;
  const SaturationVerdict& v = *c.saturation;
  const bool undrained = v.undrained_packets > 0;
  all.push_back({"saturated",
                 undrained
                     ? fmt::format("saturated: {} born while measuring were still under way at the drain limit", c.name)
                     : fmt::format("saturated: {}: {}: {:.4g} of {:.4g} flits/node/cycle", c.name, v.reason,
                                   c.accepted_flits_per_node_cycle.mean, v.demanded),
                 c.name});
}

void warn_of_starvation(const TrafficClassResults& c, std::vector<Warning>& all) {
  if (!c.starvation.starved()) return;
  all.push_back({"starved",
                 fmt::format("starved: {} nodes sent less than a tenth of the {} that they made, node {} {:.2g} of it",
                             c.starvation.nodes, c.name, c.starvation.worst_node, c.starvation.least_share),
                 c.name});
}

/// Just below its limit a network's latency swings from batch to batch, so that its mean is known badly, and packets
/// pile up at their sources (those of a message always wait there).
void warn_of_latency(const TrafficClassResults& c, bool messages, std::vector<Warning>& all) {
  constexpr double kWide = 0.1;  // half-width over mean
  const Estimate& latency = c.packet_latency_cycles;
  if (latency.half_width_95 == kNotReliable && c.cycles_wanted > 0.0) {
    all.push_back({"unreliable",
                   std::isfinite(c.cycles_wanted)
                       ? fmt::format("interval not reliable: the window is short beside the queues that {} wait in; it "
                                     "takes {:.2g} cycles to know more (simulation.measure_cycles)",
                                     c.name, c.cycles_wanted)
                       : fmt::format("interval not reliable: a queue that {} wait in never ran empty", c.name),
                   c.name});
  } else if (latency.half_width_95 == kNotReliable) {
    all.push_back(
        {"unreliable",
         fmt::format("interval not reliable: the latency of {} is correlated over as much as an eighth of the "
                     "window; simulation.measure_cycles gives more",
                     c.name),
         c.name});
  } else if (latency.half_width_95 > kWide * latency.mean) {
    all.push_back(
        {"wide",
         fmt::format("wide: the latency of {} is known to ± {:.0f} % only: near saturation, or too few packets; "
                     "simulation.measure_cycles gives more",
                     c.name, 100.0 * latency.half_width_95 / latency.mean),
         c.name});
  }
  if (!messages && c.queue_latency_mean_cycles > c.network_latency_cycles.mean) {
    all.push_back(
        {"queued",
         fmt::format("queued: {} wait longer at their sources than they travel: near saturation, or sources that "
                     "send in bursts",
                     c.name),
         c.name});
  }
}

/// A stream program's messages (its portals).
void warn_of_messages(const Report& stream, std::vector<Warning>& all) {
  for (const Reported& figure : stream.figures) {
    if (figure.declared->name != "untimed_messages") continue;
    const auto& place = std::get<std::string>(figure.value);
    all.push_back({"untimed", "untimed: " + place + ": portals: their messages are read, but take no time", place});
  }
}

/// Sources of a stream program that did not hold theirs (stream.rates).
void warn_of_rates(const Results& r, std::vector<Warning>& all) {
  for (const Reported& workload : r.workloads.figures) {
    if (workload.declared->name != "stream") continue;
    warn_of_messages(std::get<Report>(workload.value), all);
    for (const Reported& figure : std::get<Report>(workload.value).figures) {
      if (figure.declared->name != "rates") continue;
      for (const Report& rate : std::get<std::vector<Report>>(figure.value)) {
        if (!rate.get<bool>("held")) all.push_back(not_held(rate));
      }
    }
  }
}

void warn_of_few(const StoppingRule& rule, const std::string& until, const Results& r, std::vector<Warning>& all) {
  if (rule.holds(r.workloads, r.measured_cycles)) return;
  all.push_back({"limit",
                 fmt::format("limit: \"{}\" was not reached in {} cycles, which hold {:.4g}; "
                             "simulation.most_measure_cycles gives more",
                             until, r.measured_cycles, StoppingRule::iterations_in(r.workloads, r.measured_cycles)),
                 "run"});
}

/// simulation.until was not reached.
void warn_of_limit(const MeasurementOptions& options, const Results& r, std::vector<Warning>& all) {
  const std::optional<StoppingRule> rule = StoppingRule::of(options.until);
  if (rule && rule->figure == StoppingRule::Figure::kIterations) return warn_of_few(*rule, options.until, r, all);
  if (!rule || r.saturated || rule->holds(r.classes)) return;
  const double widest = 100.0 * rule->widest(r.classes);
  const std::string known = std::isfinite(widest) ? fmt::format("± {:.2g} %", widest) : "no interval to rely on";
  all.push_back(
      {"limit",
       fmt::format("limit: \"{}\" was not reached in {} cycles: {}; simulation.most_measure_cycles gives more",
                   options.until, r.measured_cycles, known),
       "run"});
}

}  // namespace

Warning fallen_back(const SetupResults& setup) {
  const std::string remedy =
      setup.lanes_that_would_do > 0
          ? fmt::format("router.circuit_lanes = {} was found to help", setup.lanes_that_would_do)
          : std::string("more of router.circuit_lanes alone does not help; topology.local_ports or another layout may");
  return {"fallen_back",
          fmt::format("fallen back: no circuits stand, packets carry every stream: none was found for {}; {}",
                      setup.failed_stream, remedy),
          "setup"};
}

std::vector<Warning> warnings_of(const Experiment& experiment, const Results& results) {
  const bool messages = experiment.get<std::int64_t>("message.packet_flits") > 0;
  std::vector<Warning> all;
  warn_of_run(results, all);
  warn_of_rates(results, all);
  for (const TrafficClassResults& c : results.classes) warn_of_saturation(c, all);
  warn_of_limit(measurement_options().read(experiment), results, all);
  for (const TrafficClassResults& c : results.classes) {
    warn_of_starvation(c, all);
    if (!c.saturation || !c.saturation->saturated) warn_of_latency(c, messages, all);
  }
  return all;
}

bool is_grave(const Warning& warning) {
  constexpr std::array kGrave = {"unsteady",   "saturated", "starved",      "fallen_back",
                                 "unreliable", "limit",     "rate_not_held"};
  return std::find(kGrave.begin(), kGrave.end(), warning.code) != kGrave.end();
}

}  // namespace braid::models
