// What a network counts: packets and flits over its slices, and whether they add up.
#include "models/engine/network.h"

namespace braid::models {

Statistics::Interval Network::take_interval() {
  Statistics::Interval sum;
  for (const auto& s : statistics_) {
    const Statistics::Interval i = s->take_interval();
    sum.packets += i.packets;
    sum.flits += i.flits;
    sum.latency_sum += i.latency_sum;
  }
  return sum;
}

std::uint64_t Network::measured_packets_under_way() const {
  std::uint64_t created = 0, over = 0;
  for (const auto& s : statistics_) {
    created += s->measured_created();
    over += s->measured_delivered() + s->measured_lost();
  }
  return created - over;
}

Statistics Network::merged_statistics() const {
  Statistics all(window_, topology_.node_count(), traffic_classes_, results_options().read(configuration_));
  for (const auto& s : statistics_) all.merge(*s);
  return all;
}

Network::PolicyReports Network::policy_reports() const {
  std::vector<Report> schedulers;
  for (const auto& point : injection_points_) point->report(schedulers);
  return {fabric_->report(),
          routing_.report(),
          added_up(schedulers),
          gate_ ? gate_->report() : Report{},
          InTransit::report(in_transit_),
          reconfiguration_ ? reconfiguration_->report(fabric_->counters().flits_lost) : Report{},
          fabric_->reroute_report()};
}

const FigureTable<Conservation>& conservation_figures() {
  using C = Conservation;
  static const FigureTable<C> table =
      FigureTable<C>()
          .add("packets_created", "", "by sources", &C::packets_created)
          .add("packets_delivered", "", "at their destinations", &C::packets_delivered)
          .add("packets_in_flight", "", "counted by walking queues, buffers and links", &C::packets_in_flight)
          .add("flits_injected", "", "onto injection links; of a packet that rests in an in-transit buffer again",
               &C::flits_injected)
          .add("flits_delivered", "", "at their destinations and in in-transit buffers", &C::flits_delivered)
          .add("flits_in_flight", "", "counted by walking buffers and links", &C::flits_in_flight)
          .add("packets_lost", "", "to the link that went down", &C::packets_lost)
          .exists_with("a section [failure]")
          .add("flits_lost", "", "sent onto the link that went down, and not come", &C::flits_lost)
          .exists_with("a section [failure]")
          .add("flits_copied", "", "more that left routers than came to them, where circuits or packets fork",
               &C::flits_copied)
          .add("holds", "",
               "created = delivered + in flight, injected = delivered + in flight; what was lost added where there is "
               "a section [failure]",
               &C::holds);
  return table;
}

std::vector<std::optional<Network::Oldest>> Network::oldest_packets() const {
  std::vector<std::optional<Oldest>> all(traffic_classes_.size());
  std::vector<const PacketStore::Pool*> pools;
  for (const auto& pool : pools_) pools.push_back(pool.get());
  if (const PacketStore::Pool* own = fabric_->own_slots(); own != nullptr) pools.push_back(own);
  store_.for_each_taken(pools, [&](const Packet& packet) {
    std::optional<Oldest>& oldest = all[packet.traffic_class];
    const std::uint64_t age = now_ - packet.created;
    const bool older = !oldest || age > oldest->age_cycles;
    const bool as_old = oldest && age == oldest->age_cycles && packet.source < oldest->source;
    if (older || as_old) oldest = Oldest{age, packet.source};
  });
  return all;
}

std::uint64_t Network::movements() const {
  const Fabric::Counters c = fabric_->counters();
  return c.flit_hops + c.flits_injected + c.flits_delivered;
}

std::uint64_t Network::flits_in_network() const {
  const Fabric::Counters c = fabric_->counters();
  return c.flits_injected + c.flits_copied - c.flits_delivered - c.flits_lost;
}

Conservation Network::conservation() const {
  Conservation c;
  for (const auto& s : statistics_) {
    c.packets_created += s->packets_created();
    c.packets_delivered += s->packets_delivered();
  }
  const Fabric::Counters counters = fabric_->counters();
  c.flits_injected = counters.flits_injected;
  c.flits_delivered = counters.flits_delivered;
  if (counters.flits_copied != 0) c.flits_copied = counters.flits_copied;
  if (reconfiguration_) {
    c.packets_lost = 0;
    for (const auto& s : statistics_) *c.packets_lost += s->packets_lost();
    c.flits_lost = counters.flits_lost;
  }
  const Fabric::Census census = fabric_->census();
  c.flits_in_flight = census.flits;
  c.packets_in_flight = census.packets;
  for (const auto& point : injection_points_) c.packets_in_flight += point->waiting();
  for (const auto& in_transit : in_transit_) c.packets_in_flight += in_transit->waiting();
  for (const auto& workload : workloads_) c.packets_in_flight += workload->held_packets();
  return c;
}

std::uint64_t Network::packets_created() const {
  std::uint64_t created = 0;
  for (const auto& s : statistics_) created += s->packets_created();
  return created;
}

std::uint64_t Network::packets_under_way() const {
  std::uint64_t created = 0, over = 0;
  for (const auto& s : statistics_) {
    created += s->packets_created();
    over += s->packets_delivered() + s->packets_lost();
  }
  return created - over;
}

}  // namespace braid::models
