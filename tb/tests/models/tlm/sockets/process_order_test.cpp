// Who runs first at a time is the kernel's business: it changes with the number of modules that have nothing to do with
// the network. No style's times may change with it. Each run is a process of its own, as SystemC elaborates once.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "routing/base/random.h"
#include "tb/tests/support/style_platform.h"

namespace braid::test::process_order_test {
namespace {

using sc_core::sc_time;

/// Wakes up at the edges of cycles, and does nothing.
struct Bystander : sc_core::sc_module {
  SC_HAS_PROCESS(Bystander);
  Bystander(const sc_core::sc_module_name& name, unsigned stride) : sc_module(name), stride_(stride) { SC_THREAD(act); }

 private:
  void act() {
    for (;;) wait(sc_time(stride_, sc_core::SC_NS));
  }
  unsigned stride_;
};

/// Reads and writes all over the network, mostly at the same times as others; ahead of time by 300 ns.
struct Caller : sc_core::sc_module {
  tlm_utils::simple_initiator_socket<Caller> socket{"socket"};
  std::uint64_t hash = 0;

  SC_HAS_PROCESS(Caller);
  Caller(const sc_core::sc_module_name& name, unsigned number) : sc_module(name), number_(number) { SC_THREAD(act); }

 private:
  void act() {
    Random random(5, "caller " + std::to_string(number_));
    sc_time ahead = sc_core::SC_ZERO_TIME;  // of simulated time
    for (int i = 0; i < 300; ++i) {
      unsigned char data[64] = {};
      tlm::tlm_generic_payload p;
      const std::uint64_t address = 0x1000 + 0x1000 * random.below(8);
      TestClient<>::fill(p, random.below(2) == 0 ? tlm::TLM_READ_COMMAND : tlm::TLM_WRITE_COMMAND, address, data, 64);
      socket->b_transport(p, ahead);
      hash = mix64(hash ^ (sc_core::sc_time_stamp() + ahead).value());
      ahead += sc_time(double(random.below(4)) * 4.0, sc_core::SC_NS);
      if (ahead < sc_time(300, sc_core::SC_NS)) continue;
      wait(ahead);
      ahead = sc_core::SC_ZERO_TIME;
    }
  }
  unsigned number_;
};

/// A hash of when each of 12 initiators, two a node, is at each of its calls' ends.
std::uint64_t times(const std::string& style, unsigned bystanders) {
  models::Experiment e = styled(tlm_network("hybrid"), style);
  e.set("topology.width", 4).set("topology.height", 4);
  std::string map;
  for (unsigned i = 0; i < 8; ++i)
    map += (i == 0 ? "" : ", ") + std::to_string(8 + i) + ": " + std::to_string(0x1000 * (i + 1)) + " +4K";
  e.set("tlm.map", map);
  StyleNet net(e);
  std::vector<std::unique_ptr<Bystander>> others;
  std::vector<std::unique_ptr<Caller>> callers;
  std::vector<std::unique_ptr<TestMemory<>>> memories;
  const auto stand_by = [&](unsigned stride) {
    others.push_back(std::make_unique<Bystander>(("bystander_" + std::to_string(others.size())).c_str(), stride));
  };
  for (unsigned i = 0; i < bystanders; ++i) stand_by(1 + i % 5);
  for (unsigned i = 0; i < 12; ++i) {
    callers.push_back(std::make_unique<Caller>(("caller_" + std::to_string(i)).c_str(), i));
    net.enter(callers.back()->socket, i / 2);
    if (i % 3 < bystanders % 3) stand_by(1 + i % 4);
  }
  for (unsigned i = 0; i < 8; ++i) {
    memories.push_back(std::make_unique<TestMemory<>>(("memory_" + std::to_string(i)).c_str()));
    memories.back()->waits = i % 2 == 0 && style != "loosely_timed";
    memories.back()->latency = sc_time(7, sc_core::SC_NS);
    net.leave(8 + i, memories.back()->socket);
  }
  sc_core::sc_start(sc_time(200, sc_core::SC_US));
  std::uint64_t all = net.in_use() == 0 ? 0 : 1;
  for (const auto& caller : callers) all = mix64(all ^ caller->hash);
  return all;
}

/// In a process of its own.
std::uint64_t times_apart(const std::string& style, unsigned bystanders) {
  int ends[2];
  EXPECT_EQ(pipe(ends), 0);
  const pid_t child = fork();
  if (child == 0) {
    const std::uint64_t hash = times(style, bystanders);
    _exit(write(ends[1], &hash, sizeof(hash)) == sizeof(hash) ? 0 : 1);
  }
  std::uint64_t hash = 0;
  int status = 1;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(::read(ends[0], &hash, sizeof(hash)), static_cast<ssize_t>(sizeof(hash)));
  close(ends[0]);
  close(ends[1]);
  return hash;
}

class ProcessOrder : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Tlm, ProcessOrder, testing::Values("cycle_accurate", "approximately_timed", "loosely_timed"),
                         [](const auto& c) { return std::string(c.param); });

TEST_P(ProcessOrder, ChangesNoTimes) {
  std::set<std::uint64_t> hashes;
  for (const unsigned bystanders : {0U, 1U, 2U, 3U, 10U, 47U}) hashes.insert(times_apart(GetParam(), bystanders));
  EXPECT_EQ(hashes.size(), 1U);
}

}  // namespace
}  // namespace braid::test::process_order_test
