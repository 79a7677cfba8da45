#include "models/injection/in_transit.h"

#include <fmt/format.h>

#include <algorithm>

#include "models/fabric/packet_log.h"
#include "models/observe/clock.h"

namespace braid::models {
namespace {

/// Counts of one slice or, added up, of a network.
struct Counts {
  RawCount reinjections;
  std::uint64_t most_flits = 0;
};

const FigureTable<Counts>& counts_table() {
  static const FigureTable<Counts> table =
      FigureTable<Counts>()
          .add("reinjections_per_node_cycle", "packets/node/cycle", "that left an in-transit buffer again",
               &Counts::reinjections)
          .add("pool_max_flits", "flits", "the most that a node's in-transit buffer held, whole run",
               &Counts::most_flits);
  return table;
}

}  // namespace

bool packets_rest(const Configuration& configuration) {
  const Configuration::Given* algorithm = configuration.find("routing.algorithm");
  const Configuration::Given* placement = configuration.find("routing.in_transit");
  return algorithm != nullptr && algorithm->value == OptionValue(std::string("source_routed")) &&
         (placement == nullptr || placement->value != OptionValue(std::string("none")));
}

const FigureList& in_transit_figures() { return counts_table().list(); }

const OptionTable<InTransitOptions>& in_transit_options() {
  using O = InTransitOptions;
  static const OptionTable<O> table =
      OptionTable<O>("in_transit")
          .choice("detection", &O::detection,
                  {{"times", TransitDetection::kTimes}, {"bytes", TransitDetection::kBytes}},
                  "what detection and programming wait for: their times, or also as many bytes as these have cycles, "
                  "which come later where the packet is stopped on its way")
          .number("detect_ns", &O::detect_ns, 0.001, 1e9,
                  "from a packet's head until it is known to be in transit, a whole number of cycles")
          .number("program_ns", &O::program_ns, 0.001, 1e9, "from then until it may be injected again")
          .integer("pool_flits", &O::pool_flits, 1, 1LL << 40, "of a node's in-transit buffer");
  return table;
}

OptionBranch in_transit_branch() {
  return {"routing.in_transit != \"none\"", [](const OptionValue&, const Configuration& c) { return packets_rest(c); },
          std::make_shared<const OptionList>(in_transit_options().list())};
}

InTransit::InTransit(const InTransitContext& context, const std::vector<NodeId>& nodes)
    : context_(context), options_(in_transit_options().read(context.configuration)), nodes_(nodes.size()) {
  used_ = packets_rest(context.configuration);
  queues_ = used_ || context.reconfiguration != nullptr;
  if (used_) {
    times_.program_cycles = whole_cycles("in_transit.program_ns", options_.program_ns, context.clock_period_ps);
    times_.detect_cycles = whole_cycles("in_transit.detect_ns", options_.detect_ns, context.clock_period_ps);
    times_.counts_bytes = options_.detection == TransitDetection::kBytes;
    if (times_.counts_bytes && !context.below.cuts_through()) {
      throw InputError(
          "in_transit.detection = \"bytes\": these routers send a packet on when it is whole; expected \"times\", or "
          "router.architecture = \"myrinet\"");
    }
  }
  if (nodes.empty()) return;
  const auto [first, count] = context.ports.span(nodes);
  first_ = first;
  stations_.resize(count);
  for (const NodeId node : nodes) {
    for (std::size_t i = 0; i < context.ports.count[node.value]; ++i) {
      stations_[context.ports.first[node.value] + i - first_].node = node;
    }
  }
  busy_.resize(stations_.size());
  if (!queues_) return;
  notified_ = context.below.notify_when_empty([this](std::size_t local_port) { busy_.insert(local_port - first_); });
}

void InTransit::check_restored(const Checkpoint& c) const {
  for (const Station& s : stations_) {
    c.expect(!s.leaving || !s.resting.empty(), "a packet that leaves an empty buffer");
    for (const RestingPacket& resting : s.resting) {
      c.packet(resting.slot);
      c.index(context_.store[resting.slot].route, context_.routes.size(), "route of a packet");
    }
  }
  wakes_.for_each([&](const Wake& wake) { c.index(wake.station, stations_.size(), "station"); });
  if (context_.reconfiguration != nullptr) {
    c.index(context_.reconfiguration->epoch(), context_.routes.epochs(), "epoch of paths");
  }
}

void InTransit::send(std::size_t local_port, PacketSlot slot) {
  if (!queues_) {
    Packet& packet = context_.store[slot];
    packet.route = context_.routes.first(packet.source, packet.destination);
    context_.below.send(local_port, slot);
    return;
  }
  station(local_port).own.push(slot);
  busy_.insert(local_port - first_);
}

std::size_t InTransit::queued(std::size_t local_port) const {
  return station(local_port).own.size() + context_.below.queued(local_port);
}

bool InTransit::ready(std::size_t local_port) const {
  const Station& s = station(local_port);
  return s.own.empty() && s.resting.empty() && context_.below.ready(local_port);
}

bool InTransit::own_can_leave(const Station& s) const {
  return !s.own.empty() && (context_.reconfiguration == nullptr || !context_.reconfiguration->holds());
}

void InTransit::step(std::uint64_t cycle) {
  if (!queues_) return;
  begin_step(cycle);
  busy_.for_each([&](std::size_t i) {
    if (!step_station(i, cycle)) busy_.erase(i);
  });
}

/// In the cycle before a packet would be known, or could leave.
void InTransit::count_bytes(std::size_t i, std::uint64_t cycle) {
  const auto missing = [&](const RestingPacket& packet, std::uint64_t bytes) {
    return packet.tail_is_here ? 0 : context_.below.missing(first_ + i, packet.slot, bytes);
  };
  stations_[i].look(cycle, times_, missing, [&](const RestingPacket& packet) {
    log_rest_moved(context_.store[packet.slot], packet.known, packet.ready);
    if (packet.look != RestingPacket::kNever) wakes_.add({packet.look, i});
  });
}

void InTransit::send_own(std::size_t i) {
  Station& s = stations_[i];
  const PacketSlot slot = s.own.front();
  s.own.pop();
  Packet& packet = context_.store[slot];
  const std::size_t epoch = context_.reconfiguration == nullptr ? 0 : context_.reconfiguration->epoch();
  packet.route = context_.routes.first(packet.source, packet.destination, epoch);
  if (context_.reconfiguration != nullptr) context_.reconfiguration->began();
  context_.below.send(first_ + i, slot);
}

void InTransit::send_on(std::size_t i, std::uint64_t cycle) {
  Station& s = stations_[i];
  s.leaving = true;
  Packet& packet = context_.store[s.resting.front().slot];
  --packet.routers;  // the one that is left and entered again
  packet.route = context_.routes.next(packet.route);
  log_rest_ends(packet, cycle + 1);
  context_.below.send(first_ + i, s.resting.front().slot);
}

/// The port at whose node a leg of the packet ends; null if that is another slice's.
InTransit::Station* InTransit::end_of(const Packet& packet, routing::RouteId leg) {
  const NodeId node = context_.routes.end(leg, packet.source, packet.destination);
  const std::size_t port = context_.ports.first[node.value];
  return port < first_ || port >= first_ + stations_.size() ? nullptr : &station(port);
}

/// The in-transit buffer that a packet is leaving and whose tail has (not) come there: of the legs that its head has
/// behind it the first one. A long packet may stretch over several of them. Null: none.
InTransit::Station* InTransit::left_by(const Packet& packet, PacketSlot slot, bool tail_is_here) {
  if (!used_) return nullptr;
  for (routing::RouteId leg = context_.routes.first_of(packet.route); leg != packet.route;
       leg = context_.routes.next(leg)) {
    Station* s = end_of(packet, leg);
    if (s == nullptr || !s->leaving) continue;
    if (s->resting.front().slot == slot && s->resting.front().tail_is_here == tail_is_here) return s;
  }
  return nullptr;
}

RestingPacket& InTransit::take_in(std::uint64_t cycle, PacketSlot slot) {
  Station& s = *end_of(context_.store[slot], context_.store[slot].route);
  RestingPacket& resting = s.take_in(slot, cycle, times_);
  log_rest(context_.store[slot], {s.node, cycle, resting.known, resting.ready, 0});
  const std::uint64_t wake = times_.counts_bytes ? resting.look : resting.ready - 1;
  wakes_.add({wake, static_cast<std::size_t>(&s - stations_.data())});
  s.flits += context_.store[slot].length_flits;
  most_flits_ = std::max(most_flits_, s.flits);
  if (s.flits > options_.pool_flits && complaint_.empty()) {
    complaint_ = fmt::format(
        "overflow: the in-transit buffer of node {} needs room for {} flits in cycle {}, in_transit.pool_flits = {}",
        s.node.value, s.flits, cycle, options_.pool_flits);
  }
  return resting;
}

void InTransit::head(std::uint64_t cycle, PacketSlot slot) {
  if (on_circuit(slot)) return;
  if (!context_.routes.is_last(context_.store[slot].route)) take_in(cycle, slot);
}

/// A packet that leaves an in-transit buffer while it still comes in is on a later leg already.
void InTransit::deliver(std::uint64_t cycle, PacketSlot slot) {
  if (on_circuit(slot)) return sink_->deliver(cycle, slot);
  const Packet& packet = context_.store[slot];
  if (Station* s = left_by(packet, slot, false)) {
    s->resting.front().tail_is_here = true;
    return;
  }
  if (context_.routes.is_last(packet.route)) {
    if (context_.reconfiguration != nullptr) context_.reconfiguration->delivered();
    sink_->deliver(cycle, slot);
    return;
  }
  Station& s = *end_of(packet, packet.route);
  const bool told = !s.resting.empty() && s.resting.back().slot == slot;  // of its head
  if (!told) take_in(cycle, slot);
  if (s.tail_came(cycle, times_)) {
    wakes_.add({s.resting.back().look, static_cast<std::size_t>(&s - stations_.data())});
  }
}

void InTransit::sent(std::uint64_t cycle, PacketSlot slot) {
  const Packet& packet = context_.store[slot];
  Station* s = on_circuit(slot) ? nullptr : left_by(packet, slot, true);
  if (s == nullptr) {  // its source's queue
    sink_->sent(cycle, slot);
    return;
  }
  s->flits -= packet.length_flits;
  s->left();
  ++reinjections_;
  busy_.insert(static_cast<std::size_t>(s - stations_.data()));
}

void InTransit::lost(std::uint64_t cycle, PacketSlot slot) {
  context_.reconfiguration->lost();
  sink_->lost(cycle, slot);
}

void InTransit::cut(std::size_t local_port, PacketSlot whole, PacketSlot front) {
  for (RestingPacket& resting : station(local_port).resting) {
    if (resting.slot == whole) resting.slot = front;
  }
}

std::uint64_t InTransit::waiting() const {
  std::uint64_t packets = 0;
  for (const Station& s : stations_) {
    packets += s.own.size();
    for (std::size_t i = s.leaving ? 1 : 0; i < s.resting.size(); ++i) packets += s.resting[i].tail_is_here ? 1 : 0;
  }
  return packets;
}

Report InTransit::report(const std::vector<std::unique_ptr<InTransit>>& slices) {
  if (slices.empty() || !slices.front()->used_) return {};
  Counts all;
  all.reinjections.counters = 0;
  for (const auto& slice : slices) {
    all.reinjections.events += slice->reinjections_;
    all.reinjections.counters += slice->nodes_;
    all.most_flits = std::max(all.most_flits, slice->most_flits_);
  }
  return counts_table().of(all);
}

}  // namespace braid::models
