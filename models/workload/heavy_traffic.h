// What queueing theory says of a window: how well it can know the mean wait in a queue at all. A window in which none
// of the long queues has begun looks as calm as one of a lighter load, and nothing in its batches tells. The queue's
// own idle time does: docs/statistics.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace braid::models {

/// Of a queue before one resource, over a window.
struct QueueLoad {
  double share = 0.0;        ///< of the class's packets that go through it
  double wait_cycles = 0.0;  ///< mean of theirs
  double idle = 1.0;         ///< share of the cycles in which nothing wants the resource
};

/// Before an ejection port that takes a flit a cycle and is used for `used` of the cycles: as packets from many sources
/// come like Poisson's, each of so many flits.
QueueLoad before_ejection(double share, double used, double ports, double flits_per_packet);

/// How long the queue remembers, in cycles: of a reflected Brownian motion that is twice its mean over its drift. None
/// ends where it is never idle.
double relaxation_cycles(const QueueLoad& queue);
/// 95 % half-width of the mean wait over so many cycles, over that mean.
double relative_half_width(const QueueLoad& queue, double cycles);

/// What the queues of a class leave to say of its mean latency.
struct HeavyTraffic {
  bool reliable = true;           ///< false: the window is short beside queues that have a part in it
  double least_half_width = 0.0;  ///< cycles, of 95 %
  double cycles_wanted = 0.0;     ///< the shortest window that could say more; infinite if a queue never ran empty
};
/// `latency` in cycles is what the waits are part of.
HeavyTraffic heavy_traffic(const std::vector<QueueLoad>& sources, const std::vector<QueueLoad>& ejections,
                           double latency, double cycles);

}  // namespace braid::models
