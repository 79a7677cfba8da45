// A network saved to a checkpoint and gone on with in another one, beside its twin that was never interrupted.
#pragma once

#include <algorithm>
#include <memory>
#include <string>

#include "models/experiment/link_results.h"
#include "tb/tests/support/bench.h"
#include "tb/tests/support/saved.h"

namespace braid::test {

/// Figures and their values as text, for a comparison that names what differs.
inline std::string told(const Report& report);
template <class T>
std::string told(const T& value) {
  if constexpr (std::is_same_v<T, std::string>) {
    return value;
  } else if constexpr (std::is_same_v<T, Estimate>) {
    return told(value.mean) + " +- " + told(value.half_width_95);
  } else if constexpr (std::is_same_v<T, RawCount>) {
    return told(value.events) + " at " + told(value.counters);
  } else if constexpr (std::is_arithmetic_v<T>) {
    return std::to_string(value);
  } else {
    std::string all;
    for (const auto& one : value) all += told(one) + " ";
    return all;
  }
}
inline std::string told(const Report& report) {
  std::string all;
  for (const Reported& figure : report.figures) {
    all += figure.declared->name + " = " + std::visit([](const auto& v) { return told(v); }, figure.value) + "\n";
  }
  return all;
}

/// Everything that a network says of itself after a run: reports of policies and workloads, counts.
inline std::string told(const models::Network& network) {
  const models::Network::PolicyReports r = network.policy_reports();
  std::string all = "fabric\n" + told(r.fabric) + "routing\n" + told(r.routing) + "scheduler\n" + told(r.scheduler) +
                    "gate\n" + told(r.gate) + "in transit\n" + told(r.in_transit) + "failure\n" + told(r.failure) +
                    "reroutes\n" + told(r.reroutes) + "conservation\n" +
                    told(models::conservation_figures().of(network.conservation()));
  for (const auto& results : network.merged_statistics().results(network.now())) {
    all += "class\n" + told(models::class_figures().of(results));
  }
  for (const auto& workload : network.workloads()) all += "workload\n" + told(workload->report(network.now()));
  for (const models::LinkCount& link : models::link_counts(network)) {
    all += "link " + told(link.use.packet_flits) + " " + told(link.use.circuit_flits) + " " +
           told(link.use.stopped_cycles.value_or(0)) + "\n";
  }
  return all + "complaint " + network.complaint();
}

/// A measurement that begins with cycle 0, whose window is in checkpoints, too.
inline void count_from_start(Bench& bench) { bench.network->begin_window(500); }

/// After `cycles` saves `before`, which is gone then, and goes on in another network of the same configuration that has
/// been somewhere else in the meantime; every cycle it is where the twin is that has never stopped, and after `further`
/// it says of itself what that says, and is saved to the same bytes.
inline void expect_continues(const models::Experiment& experiment, std::uint64_t cycles, std::uint64_t further,
                             std::size_t slices = 1) {
  Bench twin(experiment, slices);
  count_from_start(twin);
  twin.run(cycles);
  std::string bytes;
  {
    Bench before(experiment, slices);
    count_from_start(before);
    before.run(cycles);
    bytes = saved(*before.network);
  }
  Bench after(experiment, slices);
  restore(*after.network, bytes);
  ASSERT_EQ(after.network->now(), twin.network->now());
  ASSERT_EQ(told(*after.network), told(*twin.network)) << "as restored, cycle " << cycles;
  ASSERT_EQ(saved(*after.network), bytes) << "saved again, cycle " << cycles;
  for (std::uint64_t i = 0; i < further; ++i) {
    twin.network->cycle();
    after.network->cycle();
    ASSERT_EQ(after.network->movements(), twin.network->movements()) << "cycle " << cycles + i;
    ASSERT_EQ(after.network->packets_under_way(), twin.network->packets_under_way()) << "cycle " << cycles + i;
    ASSERT_EQ(after.network->flits_in_network(), twin.network->flits_in_network()) << "cycle " << cycles + i;
    ASSERT_EQ(after.network->setup_done(), twin.network->setup_done()) << "cycle " << cycles + i;
  }
  EXPECT_EQ(after.network->merged_statistics().packet_hash(), twin.network->merged_statistics().packet_hash());
  EXPECT_EQ(told(*after.network), told(*twin.network));
  EXPECT_TRUE(after.network->conservation().holds());
  const std::string one = saved(*twin.network), other = saved(*after.network);
  const auto differ = std::mismatch(one.begin(), one.end(), other.begin(), other.end()).first - one.begin();
  EXPECT_TRUE(one == other) << "saved at the end: byte " << differ << " of " << one.size() << " and " << other.size();
}

}  // namespace braid::test
