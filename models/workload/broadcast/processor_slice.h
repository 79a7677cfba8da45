// The processors of a slice's nodes: when their tasks begin, and what comes of them in later cycles.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "models/fabric/timing_wheel.h"
#include "models/workload/broadcast/task_processor.h"

namespace braid::models {

/// Who has processors: told what happens, in the cycle in which it does, from the slice of the position.
class ProcessorHost {
 public:
  virtual ~ProcessorHost() = default;
  /// A position's message is to go into the network.
  virtual void send(std::uint64_t cycle, std::uint32_t broadcast, std::uint32_t from, std::uint32_t to) = 0;
  /// ... as one packet, to all whom the position tells at once (BroadcastPart::by_one_packet).
  virtual void send_to_all(std::uint64_t, std::uint32_t /*broadcast*/, std::uint32_t /*from*/) {
    throw std::logic_error("nobody here tells all by one packet");
  }
  /// A position takes up the start of a broadcast.
  virtual void begins(std::uint64_t cycle, std::uint32_t position, std::uint32_t broadcast) = 0;
  /// A position takes up a message that it was sent.
  virtual void taken(std::uint64_t, std::uint32_t /*broadcast*/, std::uint32_t /*from*/, std::uint32_t /*to*/) {}
  // As TaskProcessor::Effects says:
  virtual void issued(std::uint64_t, std::uint32_t) {}
  virtual void completed(std::uint64_t, std::uint32_t) {}
  virtual void done(std::uint64_t, std::uint32_t /*position*/, std::uint32_t /*broadcast*/) {}
  /// What call_at() asked for.
  virtual void called(std::uint64_t, std::uint32_t /*position*/) {}
  // Words beside broadcasts:
  virtual void said(std::uint64_t, std::uint32_t /*position*/, const TaskProcessor::Task&) {}
  virtual void listened(std::uint64_t, std::uint32_t /*position*/, const TaskProcessor::Task&) {}
  /// Does it want to be told of events, one by one?
  virtual bool follows_events() const { return false; }
  virtual void handled(std::uint64_t, std::uint32_t /*position*/, std::uint32_t /*broadcast*/) {}
};

class ProcessorSlice final : public TaskProcessor::Effects {
 public:
  using Task = TaskProcessor::Task;

  /// `processors`: by position, those of other slices included.
  ProcessorSlice(ProcessorHost& host, std::vector<TaskProcessor>& processors) : host_(host), processors_(processors) {}

  /// A message has come to a position in `cycle`: it is in the processor's queue in the next one, behind what the node
  /// queues itself. Messages of one cycle queue by their senders' positions, those of one sender by broadcast, in
  /// whatever order they are told here.
  void arrive(std::uint64_t cycle, std::uint32_t position, std::uint32_t broadcast, std::uint32_t from) {
    arrived_.push_back({cycle, position, from, broadcast});
  }
  /// ... a word has come, which is not 0.
  void arrive(std::uint64_t cycle, std::uint32_t position, const Task& task) {
    arrived_.push_back({cycle, position, task.from, task.broadcast, task.word});
  }
  void step(std::uint64_t cycle);
  void enqueue_at(std::uint64_t cycle, std::uint32_t position, const Task& task) {
    at({cycle, Event::Kind::kEnqueue, position, task});
  }
  /// A position may take up tasks that it left, in the next step(), before which this is called.
  void look(std::uint32_t position) { to_do_.push_back(position); }
  void call_at(std::uint64_t cycle, std::uint32_t position = 0) { at({cycle, Event::Kind::kCall, position, {}}); }
  /// Something comes of itself in a cycle to come: a task ends, a message has arrived, what was asked for is due.
  bool at_work() const { return !wheel_.empty() || !arrived_.empty(); }
  const std::vector<std::string>& refusals() const { return refused_; }

  void send(std::uint64_t cycle, std::uint32_t broadcast, std::uint32_t to) override {
    at({cycle, Event::Kind::kSend, position_, {Task::Kind::kHear, broadcast, to}});
  }
  void send_to_all(std::uint64_t cycle, std::uint32_t broadcast) override {
    at({cycle, Event::Kind::kSendToAll, position_, {Task::Kind::kHear, broadcast}});
  }
  void enqueue(std::uint64_t cycle, const Task& task) override { enqueue_at(cycle, position_, task); }
  void issued(std::uint64_t cycle, std::uint32_t broadcast) override {
    at({cycle, Event::Kind::kIssued, position_, {Task::Kind::kStart, broadcast}});
  }
  void completed(std::uint64_t cycle, std::uint32_t broadcast) override {
    at({cycle, Event::Kind::kComplete, position_, {Task::Kind::kStart, broadcast}});
  }
  void done(std::uint64_t cycle, std::uint32_t broadcast) override {
    at({cycle, Event::Kind::kDone, position_, {Task::Kind::kStart, broadcast}});
  }
  void handled(std::uint64_t cycle, std::uint32_t broadcast) override {
    if (host_.follows_events()) at({cycle, Event::Kind::kHandled, position_, {Task::Kind::kHandle, broadcast}});
  }
  void said(std::uint64_t cycle, const Task& task) override { at({cycle, Event::Kind::kSaid, position_, task}); }
  void listened(std::uint64_t cycle, const Task& task) override {
    at({cycle, Event::Kind::kListened, position_, task});
  }
  void refused(const std::string& what) override {
    if (refused_.size() < kMostRefusals) refused_.push_back(what);
  }
  /// Between cycles nobody has a task to begin.
  void checkpoint(Checkpoint& c) { c(wheel_, arrived_, refused_, now_); }
  void check_restored(const Checkpoint& c) const {
    wheel_.for_each([&](const Event& event) {
      c.index(event.position, processors_.size(), "position");
      c.index(static_cast<unsigned>(event.kind), Event::kKinds, "kind of event");
      c.index(event.task.from, processors_.size(), "position");
    });
    for (const Arrival& arrival : arrived_) {
      c.index(arrival.position, processors_.size(), "position");
      c.index(arrival.from, processors_.size(), "position");
    }
  }

 private:
  static constexpr std::size_t kMostRefusals = 10;
  struct Event {
    enum class Kind : std::uint8_t {
      kSend,
      kEnqueue,
      kFree,
      kIssued,
      kComplete,
      kDone,
      kCall,
      kHandled,
      kSaid,
      kListened,
      kSendToAll
    };
    static constexpr unsigned kKinds = 11;
    std::uint64_t due;
    Kind kind;
    std::uint32_t position;
    Task task;  // of kSend: the message, `from` is to whom
  };
  struct Arrival {
    std::uint64_t cycle;
    std::uint32_t position, from, broadcast;
    std::uint32_t word = 0;
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

  ProcessorHost& host_;
  std::vector<TaskProcessor>& processors_;
  TimingWheel<Event> wheel_;
  std::vector<Arrival> arrived_;
  std::vector<std::uint32_t> to_do_;  // positions whose processors may have to begin a task
  std::vector<std::string> refused_;
  std::uint32_t position_ = 0;  // whose task it is
  std::uint64_t now_ = 0;
};

}  // namespace braid::models
