#include "models/workload/heavy_traffic.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace braid::models {
namespace {

constexpr double kNormal = 1.959963984540054;  // 95 % lie within
/// Relaxation times in a window. In fewer than fifty the wait is known to 39 % at best, and a window without one of the
/// long queues is nothing rare: nobody can say how often these begin.
constexpr double kFewestTimes = 50.0;
/// With as many each of forty batches is longer than ten: what it says is left to the batches.
constexpr double kEnoughTimes = 500.0;
/// Of the latency: queues with a smaller part in it are not asked.
constexpr double kLeastPartOfLatency = 0.02;

/// Part in the class's latency.
double part_of_latency(const QueueLoad& queue) { return queue.share * queue.wait_cycles; }

}  // namespace

QueueLoad before_ejection(double share, double used, double ports, double flits_per_packet) {
  const double idle = std::max(0.0, 1.0 - used);
  return {share, flits_per_packet * used / (2.0 * ports * idle), idle};  // infinite before one that is never idle
}

double relaxation_cycles(const QueueLoad& queue) {
  if (queue.wait_cycles <= 0.0) return 0.0;
  return queue.idle > 0.0 ? 2.0 * queue.wait_cycles / queue.idle : std::numeric_limits<double>::infinity();
}

double relative_half_width(const QueueLoad& queue, double cycles) {
  return kNormal * std::sqrt(2.0 * relaxation_cycles(queue) / cycles);
}

namespace {

/// Of the queues with few relaxation times in the window, if theirs is a part of the latency that matters.
void look_for_unknown(const std::vector<QueueLoad>& queues, double latency, double cycles, HeavyTraffic& found) {
  double unknown = 0.0, longest = 0.0;
  for (const QueueLoad& queue : queues) {
    const double relaxation = relaxation_cycles(queue);
    if (cycles >= kFewestTimes * relaxation) continue;
    unknown += part_of_latency(queue);
    longest = std::max(longest, relaxation);
  }
  if (unknown <= kLeastPartOfLatency * latency) return;
  found.reliable = false;
  found.cycles_wanted = std::max(found.cycles_wanted, kFewestTimes * longest);
}

/// 95 % half-width over mean, of a queue whose wait the batches may not know.
double doubtful(const QueueLoad& queue, double cycles) {
  return cycles < kEnoughTimes * relaxation_cycles(queue) ? relative_half_width(queue, cycles) : 0.0;
}

}  // namespace

HeavyTraffic heavy_traffic(const std::vector<QueueLoad>& sources, const std::vector<QueueLoad>& ejections,
                           double latency, double cycles) {
  HeavyTraffic found;
  look_for_unknown(sources, latency, cycles, found);
  look_for_unknown(ejections, latency, cycles, found);
  if (!found.reliable) return found;
  // Queues fill together, as one network feeds and blocks them: their half-widths add up like those of one.
  double behind_all = 0.0;
  for (const QueueLoad& queue : ejections) {
    const double half_width = doubtful(queue, cycles);
    found.least_half_width += part_of_latency(queue) * half_width;
    behind_all = std::max(behind_all, half_width);  // packets at any source stand behind those for this node
  }
  for (const QueueLoad& queue : sources) {
    found.least_half_width += part_of_latency(queue) * std::max(doubtful(queue, cycles), behind_all);
  }
  return found;
}

}  // namespace braid::models
