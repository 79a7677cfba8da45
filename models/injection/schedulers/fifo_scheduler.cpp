// Packets leave in the order in which they came.
#include "models/fabric/packet_queue.h"
#include "models/injection/injection_point.h"

namespace braid::models {
namespace {

class FifoScheduler final : public InjectionScheduler {
 public:
  void push(PacketSlot packet) override { queue_.push(packet); }
  PacketSlot pop() override {
    const PacketSlot packet = queue_.front();
    queue_.pop();
    return packet;
  }
  std::size_t size() const override { return queue_.size(); }
  void checkpoint(Checkpoint& c) override { c(queue_); }

 private:
  PacketQueue queue_;
};

const bool fifo_scheduler_registered = InjectionSchedulerRegistry::instance().add(
    "fifo", "first in, first out", [](const SchedulerContext&) { return std::make_unique<FifoScheduler>(); });

}  // namespace
}  // namespace braid::models
