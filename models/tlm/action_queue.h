// What is to be done at a later simulated time: phases of transactions with their annotated delay, time-outs. One
// process; what is due at one time is done in the order in which it was filed, a delta after the filing at least.
#pragma once

#include <cstdint>
#include <functional>
#include <queue>
#include <systemc>
#include <utility>
#include <vector>

namespace braid::models {

template <class Action>
class ActionQueue final : public sc_core::sc_module {
 public:
  using Handler = std::function<void(const Action&)>;

  SC_HAS_PROCESS(ActionQueue);
  ActionQueue(const sc_core::sc_module_name& name, Handler handler) : sc_module(name), handler_(std::move(handler)) {
    SC_METHOD(act);
    sensitive << due_;
    dont_initialize();
  }
  void file(const Action& action, const sc_core::sc_time& delay) {
    queue_.push({sc_core::sc_time_stamp() + delay, filed_++, action});
    due_.notify(delay);
  }

 private:
  struct Entry {
    sc_core::sc_time time;
    std::uint64_t number;
    Action action;
    bool operator<(const Entry& other) const {  // the first due is the greatest
      return time != other.time ? other.time < time : other.number < number;
    }
  };

  void act() {
    const std::uint64_t until = filed_;
    while (!queue_.empty() && queue_.top().time <= sc_core::sc_time_stamp() && queue_.top().number < until) {
      const Entry entry = queue_.top();
      queue_.pop();
      handler_(entry.action);
    }
    if (!queue_.empty()) due_.notify(queue_.top().time - sc_core::sc_time_stamp());
  }

  Handler handler_;
  std::priority_queue<Entry> queue_;
  std::uint64_t filed_ = 0;
  sc_core::sc_event due_{"due"};
};

}  // namespace braid::models
