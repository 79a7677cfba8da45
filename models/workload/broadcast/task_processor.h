// The processor of a node that takes part in broadcasts or all-reduces: one queue of tasks, first come first served,
// or a queue of messages and a deque of the node's own tasks, each task carried out to its end (paper: diamond-rings,
// section 4.1). Cycle by cycle in docs/diamond-rings.md.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <utility>
#include <vector>

#include "traffic/broadcast/broadcast_station.h"

namespace braid::models {

/// Cycles of a processor.
struct ProcessorCosts {
  std::uint32_t receive_cycles = 1;  ///< a message: first thing in its task
  std::uint32_t order_cycles = 0;    ///< ... and to look at its number, where broadcasts are sequenced
  std::uint32_t event_cycles = 0;    ///< to handle the event
  std::uint32_t send_cycles = 1;     ///< a message
  std::uint32_t issue_cycles = 0;    ///< a broadcast at the root, after its messages
  std::uint32_t settle_cycles = 0;   ///< a broadcast that is done at the node, its last message sent
  std::uint32_t after_cycles = 0;    ///< a message: last thing in its task
};

/// Where the tasks wait that a node gives itself: starts, events that are tasks, messages that had been put aside.
enum class OwnTasks : std::uint8_t {
  kWithMessages,    ///< in the queue of the messages
  kBeforeMessages,  ///< in a deque, taken before any message
  kAfterMessages,   ///< in a deque, taken when no message waits
};
struct TaskOrder {
  OwnTasks own_tasks = OwnTasks::kWithMessages;
  bool last_task_first = false;  ///< of a deque: the task that came last is taken first
};

class TaskProcessor {
 public:
  struct Task {
    enum class Kind : std::uint8_t {
      kStart,   ///< a broadcast begins here
      kHear,    ///< a message has come from `from`
      kAgain,   ///< ... had been put aside
      kHandle,  ///< the event, where events are tasks of their own
      kSay,     ///< a word to `from` is to be sent
      kListen,  ///< a word has come from `from`
    };
    Kind kind;
    std::uint32_t broadcast;
    std::uint32_t from = 0;  ///< a position
    std::uint32_t word = 0;  ///< of kSay and kListen: a message beside broadcasts, as the processors' host numbers them
  };
  /// What comes of a task, at the cycle in which it is due.
  class Effects {
   public:
    virtual ~Effects() = default;
    virtual void send(std::uint64_t cycle, std::uint32_t broadcast, std::uint32_t to) = 0;
    /// ... one packet, to all whom the position tells at once.
    virtual void send_to_all(std::uint64_t cycle, std::uint32_t broadcast) = 0;
    virtual void enqueue(std::uint64_t cycle, const Task& task) = 0;
    /// The root has sent its first messages of a broadcast.
    virtual void issued(std::uint64_t cycle, std::uint32_t broadcast) = 0;
    /// The root's part of a broadcast is done, and with it everybody's before.
    virtual void completed(std::uint64_t cycle, std::uint32_t broadcast) = 0;
    /// Its messages are sent, the event is handled.
    virtual void done(std::uint64_t cycle, std::uint32_t broadcast) = 0;
    /// The event of a broadcast has been handled.
    virtual void handled(std::uint64_t cycle, std::uint32_t broadcast) = 0;
    /// A word is sent, or has been received.
    virtual void said(std::uint64_t cycle, const Task& task) = 0;
    virtual void listened(std::uint64_t cycle, const Task& task) = 0;
    /// A message that no broadcast can bring.
    virtual void refused(const std::string& what) = 0;
  };

  /// `queued_events`: an event is a task of its own, at the end of the queue. `stations`: broadcast b is one of station
  /// b modulo their number, where it has the number of times that it goes into b; all of one position.
  TaskProcessor(const ProcessorCosts& costs, bool sequenced, bool queued_events,
                std::vector<traffic::BroadcastStation> stations, TaskOrder order = {})
      : costs_(costs),
        sequenced_(sequenced),
        queued_events_(queued_events),
        order_(order),
        stations_(std::move(stations)) {}

  void enqueue(const Task& task) { (is_own(task) ? own_ : queue_).push_back(task); }
  bool idle(std::uint64_t cycle) const { return free_at_ <= cycle; }
  /// The one that it would take next. Null: there is none.
  const Task* front() const {
    const Place next = this->next();
    return next.queue == nullptr ? nullptr : &(*next.queue)[next.index];
  }
  /// Does it take up broadcasts that have not begun here? So at first. If not, messages of them, and what is behind
  /// them of the same sender, stay in the queue, and the rest goes on.
  void begin_new(bool does) { begins_new_ = does; }
  std::size_t waiting() const { return queue_.size() + own_.size(); }
  /// The task that it took last, which it is at unless it is idle.
  const Task& task() const { return task_; }
  /// That have begun here and are not done.
  std::size_t broadcasts_under_way() const {
    std::size_t all = 0;
    for (const traffic::BroadcastStation& station : stations_) all += station.under_way();
    return all;
  }
  /// Takes the task at the front, in a cycle in which it is idle; the cycle from which it is idle again.
  std::uint64_t take(std::uint64_t cycle, Effects& effects);

  traffic::BroadcastStation& station(std::size_t i = 0) { return stations_[i]; }
  const traffic::BroadcastStation& station(std::size_t i = 0) const { return stations_[i]; }
  void checkpoint(Checkpoint& c) {
    c.each(stations_);
    c(queue_, own_, free_at_, task_, begins_new_);
  }
  void check_restored(const Checkpoint& c, std::size_t positions) const {
    c.index(task_.from, positions, "position");
    for (const auto* tasks : {&queue_, &own_}) {
      for (const Task& task : *tasks) c.index(task.from, positions, "position");
    }
  }

 private:
  using Step = traffic::BroadcastStation::Step;
  bool is_own(const Task& task) const {
    return order_.own_tasks != OwnTasks::kWithMessages && task.kind != Task::Kind::kHear &&
           task.kind != Task::Kind::kListen;
  }
  struct Place {
    const std::deque<Task>* queue;  // null: nowhere
    std::size_t index;
  };
  Place next() const;
  Place next_of(const std::deque<Task>& queue, bool last_task_first) const;
  bool would_begin(const Task& task) const;
  std::uint64_t carry_out(const Task& task, std::uint64_t t, Effects& effects);
  std::uint64_t follow(const traffic::BroadcastStation::Steps& steps, std::size_t station, std::uint64_t t,
                       Effects& effects);
  std::uint64_t handle(std::uint32_t broadcast, std::uint64_t t, Effects& effects);

  ProcessorCosts costs_;
  bool sequenced_, queued_events_;
  TaskOrder order_;
  std::vector<traffic::BroadcastStation> stations_;
  std::deque<Task> queue_;            // messages, and the node's own tasks if they wait with them, else
  std::deque<Task> own_;              // ... here
  Task task_{Task::Kind::kStart, 0};  // taken last
  std::uint64_t free_at_ = 0;
  bool begins_new_ = true;
};

}  // namespace braid::models
