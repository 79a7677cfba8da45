// Transactions a second through sockets, by style: an 8x8 mesh, at every node an initiator and a memory, reads and
// writes of 32 bytes all over it, at most four of an initiator under way. As tests they are small;
// BRAID_COST_TRANSACTIONS makes them long (docs/tlm-styles.md has what came out).
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <memory>
#include <string>
#include <vector>

#include "models/experiment/simulation.h"
#include "models/tlm/estimated_interconnect.h"
#include "models/tlm/interconnect.h"
#include "routing/base/random.h"
#include "tb/tests/support/tlm_memory.h"

namespace braid::test::style_cost_test {
namespace {

constexpr std::size_t kNodes = 64, kOpen = 4;

std::uint64_t wanted() {
  const char* text = std::getenv("BRAID_COST_TRANSACTIONS");
  return text == nullptr ? 2000 : std::strtoull(text, nullptr, 10);
}

models::Experiment mesh(const std::string& style) {
  models::Experiment e;
  e.set("topology.width", 8).set("topology.height", 8);
  e.open("tlm");
  std::string map;
  for (std::size_t n = 0; n < kNodes; ++n) {
    map += (n == 0 ? "" : ", ") + std::to_string(n) + ": " + std::to_string(4096 * n) + " +4K";
  }
  e.set("tlm.map", map);
  e.set("tlm.style", style);
  return e;
}

const sc_core::sc_time kGap(100, sc_core::SC_NS), kQuantum(10, sc_core::SC_US);

/// Answers at once: what it costs is not the network's.
struct LeanMemory : sc_core::sc_module {
  tlm_utils::simple_target_socket<LeanMemory> socket{"socket"};
  unsigned char bytes[4096] = {};

  explicit LeanMemory(const sc_core::sc_module_name& name) : sc_module(name) {
    socket.register_b_transport(this, &LeanMemory::b_transport);
    socket.register_nb_transport_fw(this, &LeanMemory::nb_transport_fw);
  }
  void b_transport(tlm::tlm_generic_payload& p, sc_core::sc_time&) {
    unsigned char* const here = bytes + p.get_address();
    if (p.is_write()) {
      std::memcpy(here, p.get_data_ptr(), p.get_data_length());
    } else {
      std::memcpy(p.get_data_ptr(), here, p.get_data_length());
    }
    p.set_response_status(tlm::TLM_OK_RESPONSE);
  }
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& p, tlm::tlm_phase&, sc_core::sc_time& delay) {
    b_transport(p, delay);
    return tlm::TLM_COMPLETED;
  }
};

template <class Network>
struct Traffic {
  /// `blocking`: by b_transport, up to kQuantum ahead of the simulation; else by phases. `gap`: mean between two of a
  /// node.
  Traffic(Network& net, bool blocking, const sc_core::sc_time& mean_gap) : gap(mean_gap) {
    for (std::size_t n = 0; n < kNodes; ++n) {
      clients.push_back(std::make_unique<TestClient<>>(("client_" + std::to_string(n)).c_str()));
      memories.push_back(std::make_unique<LeanMemory>(("memory_" + std::to_string(n)).c_str()));
      clients[n]->socket.bind(net.target(n));
      net.initiator(n).bind(memories[n]->socket);
      data.emplace_back(32);
      clients[n]->answered = [this, n](tlm::tlm_generic_payload&) {
        ++answered, --open[n], more[n].notify(sc_core::SC_ZERO_TIME);
      };
      clients[n]->thread = [this, n, blocking] { blocking ? block(n) : act(n); };
    }
  }
  sc_core::sc_time pause(Random& random) const {
    return gap * (2.0 * static_cast<double>(random.below(1000)) / 1000.0);
  }
  void act(std::size_t n) {
    Random random(1, "client " + std::to_string(n));
    while (!over) {
      while (open[n] == kOpen) sc_core::wait(more[n]);
      tlm::tlm_generic_payload& p = clients[n]->pool.take();
      const auto command = random.below(2) == 0 ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND;
      clients[n]->fill(p, command, 4096 * random.below(kNodes), data[n].data(), 32);
      ++open[n];
      clients[n]->send(p);
      sc_core::wait(pause(random));
    }
  }
  void block(std::size_t n) {
    Random random(1, "client " + std::to_string(n));
    sc_core::sc_time ahead;  // of the simulation
    tlm::tlm_generic_payload& p = payloads[n];
    while (!over) {
      const auto command = random.below(2) == 0 ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND;
      clients[n]->fill(p, command, 4096 * random.below(kNodes), data[n].data(), 32);
      sc_core::sc_time time = ahead;
      clients[n]->socket->b_transport(p, time);
      ++answered;
      ahead += pause(random);  // as if several were under way
      if (ahead < kQuantum) continue;
      sc_core::wait(ahead);
      ahead = sc_core::SC_ZERO_TIME;
    }
  }
  void run(const char* style) {
    const double before = static_cast<double>(std::clock());
    while (answered < wanted()) sc_core::sc_start(2, sc_core::SC_US);
    over = true;
    const double seconds = (static_cast<double>(std::clock()) - before) / CLOCKS_PER_SEC;
    std::printf("%s: %llu transactions in %s, %.3g a second of processor time\n", style,
                static_cast<unsigned long long>(answered), sc_core::sc_time_stamp().to_string().c_str(),
                static_cast<double>(answered) / seconds);
  }
  sc_core::sc_time gap;
  std::vector<std::unique_ptr<TestClient<>>> clients;
  std::vector<std::unique_ptr<LeanMemory>> memories;
  std::vector<std::vector<unsigned char>> data;
  tlm::tlm_generic_payload payloads[kNodes];  // not on a thread's stack, where a leak checker does not look
  std::size_t open[kNodes] = {};
  sc_core::sc_event more[kNodes];
  std::uint64_t answered = 0;
  bool over = false;
};

void estimated(const std::string& style, bool blocking) {
  const models::Experiment e = mesh(style);
  const auto topology = routing::make_topology(e);
  const auto routing = routing::make_routing(topology, e);
  models::EstimatedInterconnect net("net", e, topology, *routing);
  Traffic<models::EstimatedInterconnect> traffic(net, blocking, kGap);
  traffic.run((style + (blocking ? ", b_transport" : ", phases")).c_str());
  EXPECT_GE(traffic.answered, wanted());
}

TEST(StyleCost, OfPhasesCycleAccurate) {
  models::Simulation simulation(mesh("cycle_accurate"));
  models::Interconnect net("net", simulation.engine());
  Traffic<models::Interconnect> traffic(net, false, kGap);
  traffic.run("cycle_accurate, phases");
  EXPECT_GE(traffic.answered, wanted());
}
TEST(StyleCost, OfPhasesApproximatelyTimed) { estimated("approximately_timed", false); }
TEST(StyleCost, OfCallsLooselyTimed) { estimated("loosely_timed", true); }

}  // namespace
}  // namespace braid::test::style_cost_test
