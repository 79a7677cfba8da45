#include "models/families/ideal/fabric.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "models/fabric/router_timing.h"

namespace braid::models::ideal {

namespace {

class Family final : public FamilyOf<Fabric> {
 public:
  std::size_t slices(const Configuration&, std::size_t, std::size_t) const override { return 1; }
  /// As their latencies: each pair of nodes has a link of its own.
  FasterLinks faster_links() const override { return FasterLinks::kIgnored; }
  std::uint64_t fabric_bytes(const Configuration&, const routing::Topology& topology,
                             const routing::RoutingAlgorithm&) const override {
    return Fabric::bytes(topology.node_count());
  }
};

/// A flit leaves in the cycle after its packet was made, or later, and is there in the next one.
std::unique_ptr<RouterTiming> ideal_timing(const Configuration& configuration) {
  read_node_bandwidth(configuration).refuse_estimates();
  auto t = std::make_unique<RouterTiming>();
  t->injection.after_head = 1;
  t->link_latency = false;
  t->direct = true;
  // Who queues at the receiver goes by the order in which flits come, nearly that of packets.
  t->flits_interleave = t->both_ends_at_once = !option_table().read(configuration).queue_at_receiver;
  return t;
}

/// With those of its nodes.
OptionList all_options() {
  OptionList all = option_table().list();
  const OptionList& nodes = packet_bandwidth_options().list();
  all.insert(all.end(), nodes.begin(), nodes.end());
  return all;
}

/// Flits of each node in a cycle.
std::vector<std::size_t> all_served(std::uint32_t bound, std::vector<std::size_t> ports) {
  for (std::size_t& flits : ports) flits = served(bound, flits);
  return ports;
}

const bool ideal_registered =
    FabricRegistry::instance().add("ideal",
                                   "every pair of nodes joined by a one-cycle link of its own; node bandwidth kept",
                                   all_options(), [] { return std::make_unique<Family>(); }) &&
    RouterTimingRegistry::instance().add("ideal", "docs/tlm-styles.md", ideal_timing);

}  // namespace

const OptionTable<Options>& option_table() {
  static const OptionTable<Options> table = OptionTable<Options>("router").boolean(
      "queue_at_receiver", &Options::queue_at_receiver,
      "flits leave when their source may send, and wait where they go; false: when both ends have a port left");
  return table;
}

Fabric::Fabric(PacketStore& store, const std::vector<std::size_t>& ports, Options options,
               const NodeBandwidth& bandwidth)
    : store_(store),
      ports_(ports),
      sends_(all_served(bandwidth.packet_injection, ports)),
      receives_(all_served(bandwidth.packet_ejection, ports)),
      queued_by_port_(std::accumulate(ports.begin(), ports.end(), std::size_t{0})),
      options_(options),
      turns_(sends_, receives_, options.queue_at_receiver),
      at_receiver_(ports.size()) {}

/// Links that are active have packets, each with the local port that it came from.
void Fabric::check_restored(const Checkpoint& c) const {
  for (const Link& link : links_) {
    c.expect(link.ports.size() == link.packets.size(), "a packet from no port");
    for (const std::size_t port : link.ports) c.index(port, queued_by_port_.size(), "local port");
  }
  for (const auto& [pair, link] : link_of_pair_) c.index(link, links_.size(), "link");
  for (const std::uint32_t link : turns_.active()) {
    c.index(link, links_.size(), "link");
    c.expect(!links_[link].packets.empty(), "a link that sends nothing");
  }
  for (const Crossing& crossing : on_links_) c.packet(crossing.packet);
  for (const Receiver& receiver : at_receiver_) {
    for (const Crossing& crossing : receiver.waiting) c.packet(crossing.packet);
  }
}

std::uint32_t Fabric::link_between(NodeId from, NodeId to) {
  const std::uint64_t pair = (std::uint64_t{from.value} << 32) | to.value;
  const auto [found, is_new] = link_of_pair_.try_emplace(pair, static_cast<std::uint32_t>(links_.size()));
  if (is_new) links_.push_back({from, to, {}, {}, 0});
  return found->second;
}

void Fabric::send(std::size_t local_port, PacketSlot packet) {
  const std::uint32_t index = link_between(store_[packet].source, store_[packet].destination);
  Link& link = links_[index];
  if (link.packets.empty()) turns_.activate(index);
  link.packets.push(packet);
  link.ports.push_back(local_port);
  ++queued_by_port_[local_port];
}

void Fabric::commit(std::size_t, std::uint64_t cycle) {
  bring();
  for (std::size_t n = 0; n < ports_.size(); ++n) receive(NodeId{n});
  deliver(cycle);
  send_flits(cycle);
}

void Fabric::bring() {
  arriving_.clear();
  std::swap(arriving_, on_links_);
  for (const Crossing& crossing : arriving_) {
    const NodeId to = store_[crossing.packet].destination;
    ++at_receiver_[to.value].coming;
    if (options_.queue_at_receiver) at_receiver_[to.value].waiting.push_back(crossing);
  }
}

void Fabric::receive(NodeId node) {
  Receiver& receiver = at_receiver_[node.value];
  const std::size_t here = options_.queue_at_receiver ? receiver.waiting.size() : receiver.coming;
  receiver.taking = taken_at_once(here, receives_[node.value], options_.queue_at_receiver);
  receiver.coming = 0;
}

void Fabric::deliver(std::uint64_t cycle) {
  if (options_.queue_at_receiver) {
    for (Receiver& receiver : at_receiver_) {
      for (; receiver.taking > 0; --receiver.taking) {
        take(cycle, receiver.waiting.front());
        receiver.waiting.pop_front();
      }
    }
    return;
  }
  for (const Crossing& crossing : arriving_) {
    std::size_t& taking = at_receiver_[store_[crossing.packet].destination.value].taking;
    if (taking == 0) continue;
    --taking;
    take(cycle, crossing);
  }
}

void Fabric::send_flits(std::uint64_t cycle) {
  turns_.step([this](std::uint32_t link) { return LinkEnds{links_[link].from, links_[link].to}; },
              [this, cycle](std::uint32_t link) { send_flit(cycle, links_[link]); });
  turns_.retire([this](std::uint32_t link) { return links_[link].packets.empty(); });
}

void Fabric::take(std::uint64_t cycle, const Crossing& crossing) {
  ++flits_delivered_;
  if (crossing.tail) sink_->deliver(cycle, crossing.packet);
}

void Fabric::send_flit(std::uint64_t cycle, Link& link) {
  const PacketSlot slot = link.packets.front();
  Packet& packet = store_[slot];
  if (packet.injected == 0) packet.injected = cycle;
  const bool tail = ++link.next_flit == packet.length_flits;
  on_links_.push_back({slot, tail});
  ++flits_injected_;
  if (!tail) return;
  sink_->sent(cycle, slot);
  link.packets.pop();
  --queued_by_port_[link.ports.front()];
  link.ports.erase(link.ports.begin());
  link.next_flit = 0;
}

Fabric::Census Fabric::census() const {
  Census census;
  for (const Link& link : links_) census.packets += link.packets.size();
  census.packets += static_cast<std::uint64_t>(
      std::count_if(on_links_.begin(), on_links_.end(), [](const Crossing& c) { return c.tail; }));
  census.flits = on_links_.size();
  for (const Receiver& receiver : at_receiver_) {
    census.flits += receiver.waiting.size();
    for (const Crossing& c : receiver.waiting) census.packets += c.tail ? 1 : 0;
  }
  return census;
}

std::string Fabric::describe_waiting() const {
  std::string text;
  for (const std::uint32_t index : turns_.active()) {
    text += fmt::format("\n  link of node {} to node {}: {} packets", links_[index].from.value, links_[index].to.value,
                        links_[index].packets.size());
  }
  return text;
}

void Fabric::for_each_front(const std::function<void(PacketSlot)>& visit) const {
  for (const std::uint32_t index : turns_.active()) visit(links_[index].packets.front());
}

}  // namespace braid::models::ideal
