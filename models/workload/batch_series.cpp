#include "models/workload/batch_series.h"

namespace braid::models {
namespace {

template <std::uint64_t Batch::* kMember>
std::vector<std::uint64_t> each(const BatchSeries& series) {
  std::vector<std::uint64_t> all;
  all.reserve(series.size());
  for (const Batch& batch : series) all.push_back(batch.*kMember);
  return all;
}

}  // namespace

Batch& Batch::operator+=(const Batch& other) {
  created_packets += other.created_packets;
  created_flits += other.created_flits;
  delivered_flits += other.delivered_flits;
  packets += other.packets;
  latency_sum += other.latency_sum;
  network_latency_sum += other.network_latency_sum;
  return *this;
}

const FigureTable<BatchSeries>& batch_figures() {
  static const FigureTable<BatchSeries> table =
      FigureTable<BatchSeries>()
          .add("created_packets", "", "made in each batch", &each<&Batch::created_packets>)
          .add("created_flits", "", "made in each", &each<&Batch::created_flits>)
          .add("delivered_flits", "", "delivered in each, whenever made", &each<&Batch::delivered_flits>)
          .add("packets", "", "made in each that arrived", &each<&Batch::packets>)
          .add("latency_sum_cycles", "cycles", "of these, creation to delivery of the tail", &each<&Batch::latency_sum>)
          .add("network_latency_sum_cycles", "cycles", "of these, head on the injection link to delivery of the tail",
               &each<&Batch::network_latency_sum>);
  return table;
}

}  // namespace braid::models
