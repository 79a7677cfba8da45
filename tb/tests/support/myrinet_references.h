// What units of a Myrinet-like switch and host are to do, written down a second time from
// docs/hardware-view/myrinet.md, without the family's functions: times to the cycle, blocked at N - 1 and ready at N.
// Each looks at the ports of a module alone after every edge.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <deque>

#include "tb/tests/support/lone_module.h"

namespace braid::test {

/// A slack buffer: with 56 flits it stops its sender, with 40 it lets it go on. A flit that leaves in a cycle is still
/// there in it, a header that is taken out is not.
class SlackReference {
 public:
  void check(const LoneModule& buffer, std::uint64_t cycle) {
    flits_ += buffer.get("arrive_i");
    flits_ -= buffer.get("taken_i");
    const bool stops = flits_ >= 56 || (stopping_ && flits_ > 40);
    ASSERT_EQ(buffer.get("flits_o"), flits_) << "cycle " << cycle;
    ASSERT_EQ(buffer.get("stop_o"), stops ? 1U : 0U) << "cycle " << cycle;
    stops_ += stops && !stopping_ ? 1 : 0;
    stopping_ = stops;
    flits_ -= buffer.get("leave_i");
  }
  std::uint64_t stops() const { return stops_; }

 private:
  std::uint64_t flits_ = 0, stops_ = 0;
  bool stopping_ = false;
};

/// An in-transit host: a packet whose mark came in cycle a is detected in a + 44, programmed in a + 76, and the
/// interface has it from a + 75 on, where that is ready.
class InTransitReference {
 public:
  void check(const LoneModule& host, std::uint64_t cycle) {
    const bool ready = host.get("ready_i") != 0;
    if (ready && sends_) {
      sends_ = false;
      marks_.pop_front();
    }
    if (host.get("mark_i") != 0) marks_.push_back(cycle);
    if (ready && !marks_.empty() && cycle >= marks_.front() + kDetect + kProgram - 1) {
      sends_ = true;
      ++sent_on_;
    }
    ASSERT_EQ(host.get("packets_o"), marks_.size()) << "cycle " << cycle;
    ASSERT_EQ(host.get("sends_on_o"), sends_ ? 1U : 0U) << "cycle " << cycle;
    ASSERT_EQ(host.get("state_o"), state(cycle)) << "cycle " << cycle;
  }
  std::uint64_t sent_on() const { return sent_on_; }

 private:
  static constexpr std::uint64_t kDetect = 44, kProgram = 32;
  std::uint64_t state(std::uint64_t cycle) const {
    if (marks_.empty()) return 0;
    if (sends_) return 4;
    if (cycle < marks_.front() + kDetect) return 1;
    return cycle < marks_.front() + kDetect + kProgram ? 2 : 3;
  }
  std::deque<std::uint64_t> marks_;  // cycles in which they came
  bool sends_ = false;
  std::uint64_t sent_on_ = 0;
};

}  // namespace braid::test
