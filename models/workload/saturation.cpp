#include "models/workload/saturation.h"

#include <cmath>
#include <numeric>
#include <vector>

#include "models/workload/batch_means.h"

namespace braid::models {
namespace {

/// Less than this share of the demand is no verdict: a window begins and ends at some backlog.
constexpr double kLeastShare = 0.005;
/// Of the interval of 95 %.
constexpr double kTail = 0.025;

/// Flits that a source would have made while it had no room, at the rate at which it makes them else.
double held_back(const SaturationEvidence& e, std::size_t batch) {
  if (batch >= e.stalled_source_cycles.size() || e.stalled_source_cycles[batch] == 0) return 0.0;
  double made = 0.0, stalled = 0.0;
  for (const Batch& b : e.batches) made += static_cast<double>(b.created_flits);
  for (const std::uint64_t cycles : e.stalled_source_cycles) stalled += static_cast<double>(cycles);
  const double all = static_cast<double>(e.nodes) * static_cast<double>(e.batch_cycles * e.batches.size());
  const double free = all - stalled;
  return free <= 0.0 ? 0.0 : made / free * static_cast<double>(e.stalled_source_cycles[batch]);
}

/// The slope of the least squares line through what was in the network and its queues at the end of each batch. As
/// every batch's change adds to all that come after it, its error is that of a random walk: 6/5 that of their mean.
Estimate backlog_growth(const std::vector<double>& changes, const BatchMeans& paired) {
  const auto n = static_cast<double>(changes.size());
  double backlog = 0.0, product = 0.0, squares = n * n / 4.0;
  for (std::size_t i = 0; i < changes.size(); ++i) {
    const double t = static_cast<double>(i + 1) - n / 2.0;
    backlog += changes[i];
    product += t * backlog;
    squares += t * t;
  }
  return {product / squares, std::sqrt(1.2) * paired.half_width(kTail)};
}

bool grows(const Estimate& by, double demanded) {
  return by.mean > kLeastShare * demanded && !(by.mean - by.half_width_95 <= 0.0);
}

}  // namespace

SaturationVerdict saturation(const SaturationEvidence& e) {
  SaturationVerdict v;
  v.undrained_packets = e.undrained_packets;
  const double node_cycles = static_cast<double>(e.nodes) * static_cast<double>(e.batch_cycles);
  std::vector<double> changes;
  std::vector<BatchSum> shortfalls;
  for (std::size_t b = 0; b < e.batches.size(); ++b) {
    const double made = static_cast<double>(e.batches[b].created_flits);
    const double taken = static_cast<double>(e.batches[b].delivered_flits);
    const double wanted = made + held_back(e, b);
    v.demanded_flits_per_node_cycle += wanted / node_cycles / static_cast<double>(e.batches.size());
    changes.push_back((wanted - taken) / node_cycles);
    shortfalls.push_back({wanted - taken, node_cycles});
  }
  const BatchMeans paired = batch_means(shortfalls);
  v.shortfall_flits_per_node_cycle = {paired.mean, paired.half_width(kTail)};
  v.backlog_growth_flits_per_node_cycle = backlog_growth(changes, paired);
  if (e.undrained_packets > 0) {
    v.reason = "packets not drained";
  } else if (grows(v.shortfall_flits_per_node_cycle, v.demanded_flits_per_node_cycle)) {
    v.reason = "accepted below offered";
  } else if (grows(v.backlog_growth_flits_per_node_cycle, v.demanded_flits_per_node_cycle)) {
    v.reason = "backlog grows";
  }
  v.saturated = !v.reason.empty();
  return v;
}

const FigureTable<SaturationVerdict>& saturation_figures() {
  using S = SaturationVerdict;
  static const FigureTable<S> table =
      FigureTable<S>()
          .add("saturated", "", "does any of three tests hold?", &S::saturated)
          .add("reason", "",
               "the first that does: \"packets not drained\", born while measuring, at the drain limit; \"accepted below "
               "offered\", shortfall by more than its interval; \"backlog grows\", backlog_growth by more than its; the "
               "latter two by more than a 200th of the demand, too (docs/statistics.md)",
               &S::reason)
          .add("demanded_flits_per_node_cycle", "flits/node/cycle",
               "made while measuring, and what sources without room in their queue "
               "(interface.source_queue_packets) would have made at the rate at which they make else",
               &S::demanded_flits_per_node_cycle)
          .add("shortfall_flits_per_node_cycle", "flits/node/cycle",
               "demanded less accepted, paired by batches",
               &S::shortfall_flits_per_node_cycle)
          .add("backlog_growth_flits_per_node_cycle", "flits/node/cycle",
               "slope of the least squares line through what waited and travelled at the end of each batch; the "
               "interval as of a random walk",
               &S::backlog_growth_flits_per_node_cycle)
          .add("undrained_packets", "", "born while measuring, on their way at the drain limit", &S::undrained_packets);
  return table;
}

}  // namespace braid::models
