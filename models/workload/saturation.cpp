#include "models/workload/saturation.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "models/workload/batch_means.h"

namespace braid::models {
namespace {

/// Less than this share of the demand is no verdict: a window begins and ends at some backlog.
constexpr double kLeastShare = 0.005;
/// On one side: how often a backlog that grows by chance alone may pass for one that does not stop, if it has grown by
/// that share, too.
constexpr double kTail = 0.1;

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

/// The slope of the least squares line through what was in the network and its queues at the end of each batch.
double slope(const std::vector<double>& changes) {
  const auto n = static_cast<double>(changes.size());
  double backlog = 0.0, product = 0.0, squares = n * n / 4.0;  // the window begins at backlog 0, n/2 before its middle
  for (std::size_t i = 0; i < changes.size(); ++i) {
    const double t = static_cast<double>(i + 1) - n / 2.0;
    backlog += changes[i];
    product += t * backlog;
    squares += t * t;
  }
  return product / squares;
}

/// Of the mean step, if packets are made like Poisson's: few batches may agree by chance. Of many it would hide a hot
/// spot, whose backlog is little beside how all arrivals scatter that the network takes at once.
double error_of_arrivals(const SaturationEvidence& e) {
  double packets = 0.0, flits = 0.0;
  for (const Batch& b : e.batches) {
    packets += static_cast<double>(b.created_packets);
    flits += static_cast<double>(b.created_flits);
  }
  const auto cycles = static_cast<double>(e.batch_cycles * e.batches.size());
  return packets == 0.0 ? 0.0 : flits / std::sqrt(packets) / (static_cast<double>(e.nodes) * cycles);
}

/// Every batch's change stays in the backlogs of all that come after it, so that the slope's error is that of a random
/// walk with a drift: 6/5 of the variance of its mean step.
constexpr double kErrorOfSlope = 1.0954451150103321;  // its square root

}  // namespace

SaturationVerdict saturation(const SaturationEvidence& e) {
  SaturationVerdict v;
  v.undrained_packets = e.undrained_packets;
  const double node_cycles = static_cast<double>(e.nodes) * static_cast<double>(e.batch_cycles);
  std::vector<double> changes;
  std::vector<BatchSum> steps;
  double demanded = 0.0;
  for (std::size_t b = 0; b < e.batches.size(); ++b) {
    const double wanted = static_cast<double>(e.batches[b].created_flits) + held_back(e, b);
    const double change = (wanted - static_cast<double>(e.batches[b].delivered_flits)) / node_cycles;
    demanded += wanted / node_cycles;
    changes.push_back(change);
    steps.push_back({change, 1.0});
  }
  BatchMeans paired = batch_means(steps);
  if (paired.batches < kFewestTested) paired.standard_error = std::max(paired.standard_error, error_of_arrivals(e));
  v.demanded = demanded / static_cast<double>(changes.size());
  v.shortfall = paired.mean;
  v.shortfall_at_least = v.shortfall - paired.half_width(kTail);
  v.backlog_growth = slope(changes);
  v.backlog_growth_at_least = v.backlog_growth - kErrorOfSlope * paired.half_width(kTail);
  const auto shows = [&](double by, double at_least) { return by > kLeastShare * v.demanded && at_least > 0.0; };
  if (e.undrained_packets > 0) {
    v.reason = "packets not drained";
  } else if (shows(v.shortfall, v.shortfall_at_least)) {
    v.reason = "accepted below offered";
  } else if (shows(v.backlog_growth, v.backlog_growth_at_least)) {
    v.reason = "backlog grows";
  }
  v.saturated = v.reason != "none";
  return v;
}

const FigureTable<SaturationVerdict>& saturation_figures() {
  using S = SaturationVerdict;
  static const FigureTable<S> table =
      FigureTable<S>()
          .add("saturated", "", "does any of three tests hold?", &S::saturated)
          .add("demanded", "flits/node/cycle",
               "made while measuring, and what sources without room (interface.source_queue_packets) would have made "
               "then, at the rate at which they make else",
               &S::demanded)
          .add("shortfall", "flits/node/cycle", "demanded less accepted", &S::shortfall)
          .add("shortfall_at_least", "flits/node/cycle", "with 90 %, from the batches' differences",
               &S::shortfall_at_least)
          .add("backlog_growth", "flits/node/cycle",
               "slope of the least squares line through what waits and travels at the end of each batch",
               &S::backlog_growth)
          .add("backlog_growth_at_least", "flits/node/cycle", "with 90 %, as of a random walk",
               &S::backlog_growth_at_least)
          .add("undrained_packets", "", "born while measuring, on their way at the drain limit", &S::undrained_packets)
          .add("reason", "",
               "the first test that holds: \"packets not drained\" if there are any; \"accepted below offered\", "
               "\"backlog "
               "grows\" if shortfall or backlog_growth is more than a 200th of demanded and at least more than 0; "
               "\"none\"",
               &S::reason);
  return table;
}

}  // namespace braid::models
