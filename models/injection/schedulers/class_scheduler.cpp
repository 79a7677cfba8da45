// A queue for each class of traffic, so that none waits behind another. Of the classes whose first packet may go, that
// of the highest traffic.priority sends; equals take turns, a packet each.
#include <algorithm>
#include <optional>
#include <vector>

#include "models/fabric/packet_queue.h"
#include "models/injection/injection_point.h"

namespace braid::models {
namespace {

class ClassScheduler final : public InjectionScheduler {
 public:
  explicit ClassScheduler(const SchedulerContext& context) : store_(context.store) {
    for (std::size_t i = 0; i < context.configuration.times("traffic"); ++i) {
      const Configuration one = context.configuration.only("traffic", i);
      const Configuration::Given* priority = one.find("traffic.priority");
      priority_.push_back(priority == nullptr ? 0 : std::get<std::int64_t>(priority->value));
    }
  }

  void push(PacketSlot packet) override {
    const std::size_t number = store_[packet].traffic_class;
    if (queues_.size() <= number) queues_.resize(number + 1);
    queues_[number].push(packet);
    ++size_;
  }
  bool selects() const override { return true; }
  bool select(const MayGo& may_go) override {
    chosen_.reset();
    for (std::size_t i = 1; i <= queues_.size(); ++i) {
      const std::size_t q = (last_ + i) % queues_.size();
      if (queues_[q].empty()) continue;
      const bool better = !chosen_ || priority_of(q) > priority_of(*chosen_);
      if (better && may_go(queues_[q].front())) chosen_ = q;
    }
    return chosen_.has_value();
  }
  PacketSlot pop() override {
    if (!chosen_) select([](PacketSlot) { return true; });
    last_ = *chosen_;
    chosen_.reset();
    const PacketSlot packet = queues_[last_].front();
    queues_[last_].pop();
    --size_;
    return packet;
  }
  std::size_t size() const override { return size_; }

  void checkpoint(Checkpoint& c) override {
    queues_.resize(c.length(queues_.size()));
    for (PacketQueue& queue : queues_) c(queue);
    c(last_, size_);
    if (!c.restoring()) return;
    c.index(last_, std::max<std::size_t>(queues_.size(), 1), "class of traffic");
    std::size_t packets = 0;
    for (const PacketQueue& queue : queues_) packets += queue.size();
    c.expect(packets == size_, "a queue of another length");
  }

 private:
  /// Of the first packet in a queue; other workloads' have none.
  std::int64_t priority_of(std::size_t q) const {
    const std::size_t workload = store_[queues_[q].front()].workload;
    return workload < priority_.size() ? priority_[workload] : 0;
  }

  const PacketStore& store_;
  std::vector<std::int64_t> priority_;  // [class of traffic], which are the first workloads
  std::vector<PacketQueue> queues_;     // [Packet::traffic_class]
  std::size_t last_ = 0, size_ = 0;
  std::optional<std::size_t> chosen_;  // for pop()
};

const bool class_scheduler_registered = InjectionSchedulerRegistry::instance().add(
    "classes", "a queue for each class of traffic: traffic.priority, then in turn",
    [](const SchedulerContext& o) { return std::make_unique<ClassScheduler>(o); });

}  // namespace
}  // namespace braid::models
