// Requests and the replies to them, as the nodes at both ends keep them: who waits for room among the requests under
// way (traffic.outstanding), who is served when (traffic.service_cycles), and how long an exchange takes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/fabric/packet_queue.h"
#include "models/fabric/timing_wheel.h"
#include "models/workload/statistics.h"
#include "routing/base/checkpoint.h"
#include "routing/base/figures.h"
#include "routing/base/ids.h"

namespace braid::models {

/// Counts of one slice; sums of integers only.
struct ExchangeCounts {
  LatencyHistogram round_trips;  ///< of requests born while measuring
  std::uint64_t served = 0;      ///< requests that came while measuring
  std::uint64_t wait_sum = 0;    ///< cycles until their service began
  std::uint64_t busy_sum = 0;    ///< cycles of service
  void merge(const ExchangeCounts& other);
  void checkpoint(Checkpoint& c) { c(round_trips, served, wait_sum, busy_sum); }
};

struct ExchangeResults {
  std::string name;  ///< of the class
  ExchangeCounts counts;
  double servers = 1.0, measured_cycles = 1.0;  ///< in the whole network
};
/// What they mean.
const FigureTable<ExchangeResults>& exchange_figures();

/// What a node has under way as one that asks, and as one that answers.
class ExchangeEnds {
 public:
  /// A request that is on its way, or asked for and held.
  struct Open {
    std::uint32_t sequence = 0;
    std::uint64_t created = 0;
    bool measured = false;
  };

  // As one that asks:
  /// Is there room for another request under way? `bound` 0: always.
  bool room(std::uint32_t bound) const { return bound == 0 || under_way_ < bound; }
  bool holds() const { return !held_.empty(); }
  std::size_t held() const { return held_.size(); }
  void hold(PacketSlot packet) { held_.push(packet); }
  PacketSlot take_held();
  void sent(const Open& request);
  /// The reply to a request has come; the request.
  Open answered(std::uint32_t sequence);

  // As one that answers:
  /// A request has come: the cycle in which its service begins; the server is taken until its end.
  std::uint64_t serve(std::uint64_t now, std::uint32_t servers, std::uint64_t cycles);

  void checkpoint(Checkpoint& c) { c(held_, under_way_, free_at_, open_); }

 private:
  PacketQueue held_;  // made, and not under way for want of room
  std::uint32_t under_way_ = 0;
  std::vector<Open> open_;
  std::vector<std::uint64_t> free_at_;  // [server] the cycle
};

}  // namespace braid::models
