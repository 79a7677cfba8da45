// The processors of a slice's nodes: when their tasks begin, and what comes of them in later cycles.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/fabric/timing_wheel.h"
#include "models/workload/broadcast_workload.h"

namespace braid::models {

class BroadcastWorkload::Slice final : public BroadcastProcessor::Effects {
 public:
  using Task = BroadcastProcessor::Task;

  Slice(BroadcastWorkload& parent, Outlet& outlet) : parent_(parent), outlet_(outlet) {}

  /// A message has come to a position in `cycle`: it is in the processor's queue in the next one.
  void arrive(std::uint64_t cycle, std::uint32_t position, std::uint32_t broadcast, std::uint32_t from) {
    arrived_.push_back({cycle, position, from, broadcast});
  }
  void step(std::uint64_t cycle);

  void send(std::uint64_t cycle, std::uint32_t broadcast, std::uint32_t to) override {
    at({cycle, Event::Kind::kSend, position_, {Task::Kind::kHear, broadcast, to}});
  }
  void enqueue(std::uint64_t cycle, const Task& task) override { enqueue_at(cycle, position_, task); }
  void enqueue_at(std::uint64_t cycle, std::uint32_t position, const Task& task) {
    at({cycle, Event::Kind::kEnqueue, position, task});
  }
  void issued(std::uint64_t cycle, std::uint32_t) override { at({cycle, Event::Kind::kIssued, 0, {}}); }
  void completed(std::uint64_t cycle, std::uint32_t broadcast) override {
    at({cycle, Event::Kind::kComplete, 0, {Task::Kind::kStart, broadcast}});
  }
  void refused(const std::string& what) override {
    if (refused_.size() < kMostRefusals) refused_.push_back(what);
  }
  void begin_burst_at(std::uint64_t cycle) { at({cycle, Event::Kind::kBurst, 0, {}}); }
  const std::vector<std::string>& refusals() const { return refused_; }

 private:
  static constexpr std::size_t kMostRefusals = 10;
  struct Event {
    enum class Kind : std::uint8_t { kSend, kEnqueue, kFree, kIssued, kComplete, kBurst };
    std::uint64_t due;
    Kind kind;
    std::uint32_t position;
    Task task;  // of kSend: the message, `from` is to whom
  };
  struct Arrival {
    std::uint64_t cycle;
    std::uint32_t position, from, broadcast;
  };
  /// Now, or in a later cycle.
  void at(const Event& event) {
    if (event.due > now_) {
      wheel_.add(event);
    } else {
      apply(event);
    }
  }
  void apply(const Event& event);
  void take_arrivals();
  void work(std::uint32_t position);
  void send_message(std::uint32_t from, std::uint32_t to, std::uint32_t broadcast);

  BroadcastWorkload& parent_;
  Outlet& outlet_;
  TimingWheel<Event> wheel_;
  std::vector<Arrival> arrived_;
  std::vector<std::uint32_t> to_do_;  // positions whose processors may have to begin a task
  std::vector<std::string> refused_;
  std::uint32_t position_ = 0;  // whose task it is
  std::uint64_t now_ = 0;
};

}  // namespace braid::models
