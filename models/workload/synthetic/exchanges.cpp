#include "models/workload/synthetic/exchanges.h"

#include <algorithm>

namespace braid::models {

void ExchangeCounts::merge(const ExchangeCounts& other) {
  round_trips.merge(other.round_trips);
  served += other.served;
  wait_sum += other.wait_sum;
  busy_sum += other.busy_sum;
}

PacketSlot ExchangeEnds::take_held() {
  const PacketSlot packet = held_.front();
  held_.pop();
  return packet;
}

void ExchangeEnds::sent(const Open& request) {
  ++under_way_;
  open_.push_back(request);
}

/// Replies come nearly in the order of the requests, so that the search is short.
ExchangeEnds::Open ExchangeEnds::answered(std::uint32_t sequence) {
  const auto found =
      std::find_if(open_.begin(), open_.end(), [sequence](const Open& open) { return open.sequence == sequence; });
  Checkpoint::expect(found != open_.end(), "a reply to no request");
  const Open request = *found;
  open_.erase(found);
  --under_way_;
  return request;
}

std::uint64_t ExchangeEnds::serve(std::uint64_t now, std::uint32_t servers, std::uint64_t cycles) {
  if (free_at_.size() < servers) free_at_.resize(servers);
  const auto first = std::min_element(free_at_.begin(), free_at_.end());
  const std::uint64_t begins = std::max(now, *first);
  *first = begins + cycles;
  return begins;
}

const FigureTable<ExchangeResults>& exchange_figures() {
  using E = ExchangeResults;
  static const FigureTable<E> table =
      FigureTable<E>()
          .add("name", "", "of the class of traffic", &E::name)
          .add("served", "", "requests that came to their destinations while measuring",
               [](const E& e) { return e.counts.served; })
          .add("service_wait_mean_cycles", "cycles", "from a request's arrival until its service began",
               [](const E& e) {
                 return e.counts.served == 0
                            ? kNoSample
                            : static_cast<double>(e.counts.wait_sum) / static_cast<double>(e.counts.served);
               })
          .add("servers_busy", "", "share of the servers' time in service of requests that came while measuring",
               [](const E& e) { return static_cast<double>(e.counts.busy_sum) / (e.servers * e.measured_cycles); })
          .part(
              "round_trip_distribution_cycles", "cycles",
              "from the creation of a request to the delivery of its reply, of requests born while measuring",
              [](const E& e) { return e.counts.round_trips.distribution(); }, distribution_figures());
  return table;
}

}  // namespace braid::models
