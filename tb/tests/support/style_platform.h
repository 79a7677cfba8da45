// Two clients and two memories over a network in any style, checkers before and behind it, held to plain arrays.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "models/experiment/simulation.h"
#include "models/tlm/checker/protocol_checker.h"
#include "models/tlm/sockets/estimated_interconnect.h"
#include "models/tlm/sockets/interconnect.h"
#include "tb/tests/support/tlm_memory.h"
#include "tb/tests/support/tlm_network.h"

namespace braid::test {

inline models::Experiment styled(models::Experiment e, const std::string& style) {
  e.set("tlm.style", style);
  return e;
}

/// The interconnect of a style, over whatever it needs.
class StyleNet {
 public:
  explicit StyleNet(const models::Experiment& e) {
    if (models::style_options().read(e).style == models::kCycleAccurate) {
      simulation_ = std::make_unique<models::Simulation>(e);
      engine_net_ = std::make_unique<models::Interconnect>("net", simulation_->engine());
    } else {
      topology_ = routing::make_topology(e);
      routing_ = routing::make_routing(topology_, e);
      estimated_net_ = std::make_unique<models::EstimatedInterconnect>("net", e, topology_, *routing_);
    }
  }
  /// An initiator's socket at the node.
  template <class Socket>
  void enter(Socket& socket, std::size_t node) {
    if (engine_net_) socket.bind(engine_net_->target(node));
    if (estimated_net_) socket.bind(estimated_net_->target(node));
  }
  /// A target's.
  template <class Socket>
  void leave(std::size_t node, Socket& socket) {
    if (engine_net_) engine_net_->initiator(node).bind(socket);
    if (estimated_net_) estimated_net_->initiator(node).bind(socket);
  }
  std::size_t in_use() const { return engine_net_ ? engine_net_->in_use() : estimated_net_->in_use(); }
  std::uint64_t withdrawn() const { return engine_net_ ? engine_net_->withdrawn() : estimated_net_->withdrawn(); }

 private:
  std::unique_ptr<models::Simulation> simulation_;
  std::unique_ptr<models::Interconnect> engine_net_;
  routing::Topology topology_;
  std::unique_ptr<routing::RoutingAlgorithm> routing_;
  std::unique_ptr<models::EstimatedInterconnect> estimated_net_;
};

class StylePlatform {
 public:
  using Payload = tlm::tlm_generic_payload;
  static constexpr unsigned kClients = 2, kShare = 2048;

  /// `first`: its clients are those from this one on.
  explicit StylePlatform(const models::Experiment& e, unsigned first = 0) : net_(e), first_(first) {
    for (unsigned i = first_; i < kClients; ++i) add_client(i);
    for (const std::size_t node : {std::size_t{5}, std::size_t{2}}) add_memory(node);
    clients_.back()->response_delay = [this] { return sc_core::sc_time(double(delays_.below(5000)), sc_core::SC_PS); };
    memories_[0]->latency = sc_core::sc_time(3300, sc_core::SC_PS);
    memories_[1]->waits = false;
    memories_[1]->latency = sc_core::sc_time(1700, sc_core::SC_PS);
  }

  /// Each client makes so many requests, at random, in its share of the memories.
  void start(unsigned transactions, std::uint64_t seed) {
    transactions_ = transactions;
    for (unsigned i = first_; i < kClients; ++i) {
      clients_[i - first_]->thread = [this, i, seed] { act(i, seed); };
    }
  }
  void run_to_the_end() {
    for (int us = 0; us < 100000 && answered_ < clients_.size() * transactions_; ++us) {
      sc_core::sc_start(sc_core::sc_time(1, sc_core::SC_US));
    }
    sc_core::sc_start(sc_core::sc_time(1, sc_core::SC_US));
  }
  void run_alone(const std::function<void(TestClient<>&)>& act) {
    bool done = false;
    clients_[0]->thread = [&] { act(*clients_[0]), done = true; };
    memories_[0]->latency = sc_core::SC_ZERO_TIME;
    sc_core::sc_start(sc_core::sc_time(100, sc_core::SC_US));
    EXPECT_TRUE(done) << "the client's thread is stuck";
  }

  unsigned answered() const { return answered_; }
  const std::vector<unsigned char>& memory(std::size_t m) const { return memories_[m]->bytes; }
  const std::vector<unsigned char>& expected(std::size_t m) const { return expected_[m]; }
  /// For initiators of a test's own.
  StyleNet& net() { return net_; }
  std::size_t in_use() const { return net_.in_use(); }
  std::uint64_t breaches() const {
    return std::accumulate(checkers_.begin(), checkers_.end(), std::uint64_t{0},
                           [](std::uint64_t sum, const auto& c) { return sum + c->monitor().count(); });
  }
  std::uint64_t checked() const {
    return std::accumulate(checkers_.begin(), checkers_.end(), std::uint64_t{0},
                           [](std::uint64_t sum, const auto& c) { return sum + c->monitor().completed(); });
  }

 private:
  struct Expected {
    std::vector<unsigned char> data, read;
  };
  void add_client(unsigned i) {
    const std::string number = std::to_string(i);
    clients_.push_back(std::make_unique<TestClient<>>(("client_" + number).c_str()));
    checkers_.push_back(std::make_unique<models::ProtocolChecker<>>(("before_" + number).c_str()));
    clients_.back()->socket.bind(checkers_.back()->target_socket);
    net_.enter(checkers_.back()->initiator_socket, i);
    clients_.back()->answered = [this](Payload& p) { check(p); };
  }
  void add_memory(std::size_t node) {
    const std::string number = std::to_string(node);
    memories_.push_back(std::make_unique<TestMemory<>>(("memory_" + number).c_str()));
    checkers_.push_back(std::make_unique<models::ProtocolChecker<>>(("behind_" + number).c_str()));
    net_.leave(node, checkers_.back()->target_socket);
    checkers_.back()->initiator_socket.bind(memories_.back()->socket);
    expected_.emplace_back(4096);
  }
  void act(unsigned i, std::uint64_t seed) {
    Random mine(seed, "client " + std::to_string(i));
    TestClient<>& client = *clients_[i - first_];
    for (unsigned n = 0; n < transactions_; ++n) {
      Payload& p = client.pool.take();
      const auto length = 1 + static_cast<unsigned>(mine.below(mine.below(4) == 0 ? 200 : 16));
      const auto memory = static_cast<unsigned>(mine.below(2));
      const std::uint64_t offset = i * kShare + mine.below(kShare - length + 1);
      Expected& record = records_[&p];
      record.data.resize(length);
      for (unsigned char& byte : record.data) byte = static_cast<unsigned char>(mine());
      const bool write = mine.below(2) == 0;
      client.fill(p, write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND, (memory == 0 ? 0x1000 : 0x8000) + offset,
                  record.data.data(), length);
      const auto first = expected_[memory].begin() + static_cast<std::ptrdiff_t>(offset);
      if (write) std::copy(record.data.begin(), record.data.end(), first);
      record.read.assign(first, first + length);
      client.send(p, sc_core::sc_time(double(mine.below(3)) * 700, sc_core::SC_PS));
      if (mine.below(2) == 0) sc_core::wait(sc_core::sc_time(double(mine.below(9000)), sc_core::SC_PS));
    }
  }
  void check(Payload& p) {
    EXPECT_TRUE(p.is_response_ok());
    const Expected& record = records_.at(&p);
    EXPECT_EQ(record.data, record.read) << "a read sees the writes before it, and none after it";
    ++answered_;
  }

  StyleNet net_;
  Random delays_{3, "delays"};
  std::vector<std::unique_ptr<TestClient<>>> clients_;
  std::vector<std::unique_ptr<models::ProtocolChecker<>>> checkers_;
  std::vector<std::unique_ptr<TestMemory<>>> memories_;
  std::vector<std::vector<unsigned char>> expected_;
  std::map<Payload*, Expected> records_;
  unsigned first_, transactions_ = 0, answered_ = 0;
};

}  // namespace braid::test
