// What is filed for a later time: done then, in the order of times and, at one time, of filing; a delta after the
// filing at least, also where an action files, and where it is filed before the simulation begins. One case a process.
#include "models/tlm/sockets/action_queue.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <vector>

namespace braid::test::action_queue_test {
namespace {

using sc_core::SC_NS;
using sc_core::sc_time;
using Numbers = std::vector<int>;

/// Notes what is done and when; what `meanwhile` does is done within the action.
struct Doer {
  void act(const int& number) {
    done.push_back(number);
    times.push_back(sc_core::sc_time_stamp());
    deltas.push_back(sc_core::sc_delta_count());
    if (meanwhile) meanwhile(number);
  }
  void file(int number, int ns) { queue.file(number, sc_time(ns, SC_NS)); }
  /// In nanoseconds from the start.
  std::vector<double> cycles() const {
    std::vector<double> all;
    for (const sc_time& time : times) all.push_back(time / sc_time(1, SC_NS));
    return all;
  }

  Numbers done;
  std::vector<sc_time> times;
  std::vector<std::uint64_t> deltas;
  std::function<void(int)> meanwhile;
  models::ActionQueue<int, Doer> queue{"queue", *this, &Doer::act};
};
using Cycles = std::vector<double>;

void run(int ns) { sc_core::sc_start(sc_time(ns, SC_NS)); }

TEST(ActionQueue, GoesByTimeThenByFiling) {
  Doer doer;
  run(10);
  EXPECT_EQ(doer.done, Numbers{}) << "nothing is filed";
  doer.file(1, 5);
  doer.file(2, 2);
  doer.file(3, 9);
  doer.file(4, 2);
  doer.file(5, 5);
  run(4);
  EXPECT_EQ(doer.done, (Numbers{2, 4}));
  run(100);
  EXPECT_EQ(doer.done, (Numbers{2, 4, 1, 5, 3}));
  EXPECT_EQ(doer.cycles(), (Cycles{12, 12, 15, 15, 19}));
  doer.file(6, 1);
  run(100);
  EXPECT_EQ(doer.done.back(), 6) << "empty in between";
}

/// What is filed while another waits: before it, behind it, and with it.
TEST(ActionQueue, TakesWhatIsFiledWhileOthersWait) {
  Doer doer;
  run(1);
  doer.file(1, 20);
  run(5);
  doer.file(2, 3);
  doer.file(3, 30);
  doer.file(4, 15);
  run(2);
  EXPECT_EQ(doer.done, Numbers{});
  run(100);
  EXPECT_EQ(doer.done, (Numbers{2, 1, 4, 3}));
  EXPECT_EQ(doer.cycles(), (Cycles{9, 21, 21, 36}));
}

/// An action files others: for now, which is a delta later and behind what is due with itself; before the next one; and
/// behind it.
TEST(ActionQueue, DoesWhatAnActionFilesADeltaLater) {
  Doer doer;
  run(1);
  doer.meanwhile = [&](int number) {
    if (number != 1) return;
    doer.file(10, 0);
    doer.file(11, 4);
    doer.file(12, 40);
    doer.file(13, 0);
  };
  doer.file(1, 9);
  doer.file(2, 9);
  doer.file(3, 19);
  run(100);
  EXPECT_EQ(doer.done, (Numbers{1, 2, 10, 13, 11, 3, 12}));
  EXPECT_EQ(doer.cycles(), (Cycles{10, 10, 10, 10, 14, 20, 50}));
  EXPECT_EQ(doer.deltas[1], doer.deltas[0]);
  EXPECT_GT(doer.deltas[2], doer.deltas[0]);
  EXPECT_EQ(doer.deltas[3], doer.deltas[2]);
}

TEST(ActionQueue, DoesWhatIsFiledBeforeTheStart) {
  Doer doer;
  doer.file(1, 0);
  doer.file(2, 3);
  run(10);
  EXPECT_EQ(doer.done, (Numbers{1, 2}));
  EXPECT_EQ(doer.cycles(), (Cycles{0, 3}));
}

/// Files an action when the simulation begins.
struct First : sc_core::sc_module {
  SC_HAS_PROCESS(First);
  First(const sc_core::sc_module_name& name, Doer*& doer) : sc_module(name), doer_(doer) { SC_METHOD(act); }
  void act() { doer_->file(1, 0); }

 private:
  Doer*& doer_;
};

/// One of the two is before the queue in the order of processes, whichever that is.
TEST(ActionQueue, DoesWhatIsFiledAtTheStartADeltaLater) {
  Doer* to = nullptr;
  First before("before", to);
  Doer doer;
  First behind("behind", to);
  to = &doer;
  const std::uint64_t start = sc_core::sc_delta_count();
  run(10);
  EXPECT_EQ(doer.cycles(), (Cycles{0, 0}));
  for (const std::uint64_t delta : doer.deltas) EXPECT_GT(delta, start);
}

}  // namespace
}  // namespace braid::test::action_queue_test
