#include "models/injection/injection_point.h"

#include <algorithm>

namespace braid::models {

namespace {

const OptionTable<InjectionOptions>& behind_gate() {
  static const OptionTable<InjectionOptions> table =
      OptionTable<InjectionOptions>("interface")
          .integer("behind_gate_packets", &InjectionOptions::behind_gate_packets, 0, 1000000000,
                   "packets that have passed and wait for the link, per local port; 0: the head goes straight onto it");
  return table;
}

bool has_gate(const Configuration& c) {
  const Configuration::Given* fairness = c.find("interface.fairness");
  return fairness != nullptr && fairness->value != OptionValue(std::string("none"));
}

}  // namespace

const OptionTable<InjectionOptions>& injection_options() {
  using Options = InjectionOptions;
  static const OptionTable<Options> table =
      OptionTable<Options>("interface")
          .policy<InjectionSchedulerRegistry>("scheduler", &Options::scheduler,
                                              "which of a node's waiting packets leaves next")
          .policy<InjectionGateRegistry>("fairness", &Options::fairness, "when a node may send", "none")
          .when("interface.fairness != \"none\"", has_gate, behind_gate());
  return table;
}

void check_messages(const SchedulerContext& context) {
  const Configuration::Given* flits = context.configuration.find("message.packet_flits");
  if (flits != nullptr && is_set(flits->value)) return;
  throw InputError(
      "this interface.scheduler orders messages, and there are none: expected message.packet_flits of at least 1, or "
      "interface.scheduler = \"fifo\"");
}

InjectionPoint::InjectionPoint(PacketTransport& below, InjectionGate* gate, const std::vector<NodeId>& nodes,
                               const LocalPortMap& ports, const Configuration& configuration, const PacketStore& store)
    : below_(below), gate_(gate) {
  const InjectionOptions options = injection_options().read(configuration);
  behind_ = gate == nullptr ? 0 : options.behind_gate_packets;
  if (nodes.empty()) return;
  const auto [first, count] = ports.span(nodes);
  first_ = first;
  queues_.resize(count);
  busy_.resize(queues_.size());
  for (const NodeId node : nodes) {
    for (std::size_t i = 0; i < ports.count[node.value]; ++i) {
      queues_[ports.first[node.value] + i - first_] = {
          node, InjectionSchedulerRegistry::instance().make(options.scheduler, {store, node, configuration})};
    }
  }
  // A gate may open at any time, so with one the queues are asked every cycle.
  selects_ = std::any_of(queues_.begin(), queues_.end(),
                         [](const Queue& queue) { return queue.scheduler && queue.scheduler->selects(); });
  notified_ = gate == nullptr && !selects_ && below.notify_when_empty([this](std::size_t local_port) {
    if (waiting(local_port) > 0) busy_.insert(local_port - first_);
  });
}

void InjectionPoint::send(std::size_t local_port, PacketSlot packet) {
  queues_[local_port - first_].scheduler->push(packet);
  busy_.insert(local_port - first_);
}

void InjectionPoint::step() {
  busy_.for_each([&](std::size_t i) {
    Queue& queue = queues_[i];
    if (gate_ == nullptr && queue.scheduler->preempts()) preempt(i);
    const bool shut = gate_ != nullptr && !gate_->open(queue.node);
    if (shut || !(selects_ ? room_for_one_of(i) : room(first_ + i))) {
      if (notified_) busy_.erase(i);
      return;
    }
    below_.send(first_ + i, queue.scheduler->pop());
    if (gate_ != nullptr) gate_->passed(queue.node);
    if (queue.scheduler->size() == 0) busy_.erase(i);
  });
}

/// Of the packets that wait, one that the interface could put on the link next.
bool InjectionPoint::room_for_one_of(std::size_t i) {
  if (behind_ != 0) return room(first_ + i);
  return queues_[i].scheduler->select([&](PacketSlot packet) { return below_.ready_for(first_ + i, packet); });
}

void InjectionPoint::preempt(std::size_t i) {
  const std::optional<PacketSlot> packet = below_.recall(first_ + i);
  if (packet) queues_[i].scheduler->put_back(*packet);
}

std::uint64_t InjectionPoint::waiting() const {
  std::uint64_t packets = 0;
  for (const Queue& queue : queues_) packets += queue.scheduler ? queue.scheduler->size() : 0;
  return packets;
}

void InjectionPoint::report(std::vector<Report>& reports) const {
  for (const Queue& queue : queues_) {
    if (queue.scheduler) reports.push_back(queue.scheduler->report());
  }
}

}  // namespace braid::models
