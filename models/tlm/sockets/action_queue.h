// What is to be done at a later simulated time: phases of transactions with their annotated delay, time-outs. One
// process; what is due at one time is done in the order in which it was filed, a delta after the filing at least.
#pragma once

#include <cstdint>
#include <queue>
#include <systemc>
#include <vector>

namespace braid::models {

/// Calls (owner.*act)(action). The event is notified for what is due next.
template <class Action, class Owner>
class ActionQueue final : public sc_core::sc_module {
 public:
  using Act = void (Owner::*)(const Action&);

  SC_HAS_PROCESS(ActionQueue);
  ActionQueue(const sc_core::sc_module_name& name, Owner& owner, Act act) : sc_module(name), owner_(owner), act_(act) {
    SC_METHOD(act_all);
    sensitive << due_;
    dont_initialize();
  }
  void file(const Action& action, const sc_core::sc_time& delay) {
    const sc_core::sc_time time = sc_core::sc_time_stamp() + delay;
    const bool next = queue_.empty() || time < queue_.top().time;
    queue_.push({time, filed_++, action});
    if (next) due_.notify(delay);
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

  void act_all() {
    const std::uint64_t until = filed_;
    const sc_core::sc_time& now = sc_core::sc_time_stamp();
    while (!queue_.empty() && queue_.top().time <= now && queue_.top().number < until) {
      const Action action = queue_.top().action;
      queue_.pop();
      (owner_.*act_)(action);
    }
    if (!queue_.empty()) due_.notify(queue_.top().time - now);
  }

  Owner& owner_;
  Act act_;
  std::priority_queue<Entry> queue_;
  std::uint64_t filed_ = 0;
  sc_core::sc_event due_{"due"};
};

}  // namespace braid::models
