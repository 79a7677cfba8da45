// What sockets cost, for callgrind (docs/tlm.md): the same flit-hops through sockets and by synthetic sources, and a
// network with traffic of its own with and without initiators that send nothing. As tests they are small; the variable
// BRAID_COST_CYCLES makes them long.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "models/experiment/simulation.h"
#include "models/tlm/sockets/interconnect.h"
#include "routing/base/random.h"
#include "tb/tests/support/tlm_memory.h"

namespace braid::test::cost_test {
namespace {

std::uint64_t cycles() {
  const char* text = std::getenv("BRAID_COST_CYCLES");
  return text == nullptr ? 1000 : std::strtoull(text, nullptr, 10);
}

models::Experiment mesh(double rate) {
  models::Experiment e;
  e.set("topology.width", 8).set("topology.height", 8).set("router.vcs", 2);
  if (rate > 0.0) {
    e.open("traffic");
    e.set("traffic.rate_flits_per_node_cycle", rate);
    e.set("traffic.length", "fixed");
    e.set("traffic.flits", 4);
  }
  return e;
}

/// Every node an initiator and a memory; writes and reads of 32 bytes all over the network, at most `kOpen` at a time.
struct Traffic {
  static constexpr std::size_t kNodes = 64, kOpen = 4;
  Traffic(models::Engine& engine, bool sends) : net("net", engine) {
    for (std::size_t n = 0; n < kNodes; ++n) {
      clients.push_back(std::make_unique<TestClient<>>(("client_" + std::to_string(n)).c_str()));
      memories.push_back(std::make_unique<TestMemory<>>(("memory_" + std::to_string(n)).c_str(), 4096));
      memories.back()->waits = false;
      clients[n]->socket.bind(net.target(n));
      net.initiator(n).bind(memories[n]->socket);
      data.emplace_back(32);
      if (!sends) continue;
      clients[n]->answered = [this, n](tlm::tlm_generic_payload&) {
        ++answered, --open[n], more[n].notify(sc_core::SC_ZERO_TIME);
      };
      clients[n]->thread = [this, n] { act(n); };
    }
  }
  void act(std::size_t n) {
    Random random(1, "client " + std::to_string(n));
    for (;;) {
      while (open[n] == kOpen) sc_core::wait(more[n]);
      tlm::tlm_generic_payload& p = clients[n]->pool.take();
      const auto command = random.below(2) == 0 ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND;
      clients[n]->fill(p, command, 4096 * random.below(kNodes), data[n].data(), 32);
      ++open[n];
      clients[n]->send(p);
    }
  }
  models::Interconnect net;
  std::vector<std::unique_ptr<TestClient<>>> clients;
  std::vector<std::unique_ptr<TestMemory<>>> memories;
  std::vector<std::vector<unsigned char>> data;
  std::size_t open[kNodes] = {};
  sc_core::sc_event more[kNodes];
  std::uint64_t answered = 0;
};

models::Experiment with_sockets(models::Experiment e) {
  e.open("tlm");
  std::string map;
  for (std::size_t n = 0; n < Traffic::kNodes; ++n) {
    map += (n == 0 ? "" : ", ") + std::to_string(n) + ": " + std::to_string(4096 * n) + " +4K";
  }
  e.set("tlm.map", map);
  return e;
}

void run(models::Simulation& simulation) {
  sc_core::sc_start(simulation.engine().period() * static_cast<double>(cycles()));
  const models::Results r = simulation.counts();
  EXPECT_EQ(r.cycles, cycles());
  std::printf("cycles %llu, flit-hops %llu\n", static_cast<unsigned long long>(r.cycles),
              static_cast<unsigned long long>(r.flit_hops));
}

TEST(Cost, OfTransactions) {
  models::Simulation simulation(with_sockets(mesh(0.0)));
  Traffic traffic(simulation.engine(), true);
  run(simulation);
  std::printf("answered %llu\n", static_cast<unsigned long long>(traffic.answered));
  EXPECT_GT(traffic.answered, cycles());
}
TEST(Cost, OfSyntheticSources) {
  models::Simulation simulation(mesh(0.45));
  run(simulation);
}
TEST(Cost, OfSourcesAlone) {
  models::Simulation simulation(mesh(0.1));
  run(simulation);
}
TEST(Cost, OfSourcesBesideSocketsThatSendNothing) {
  models::Simulation simulation(with_sockets(mesh(0.1)));
  Traffic traffic(simulation.engine(), false);
  run(simulation);
}

}  // namespace
}  // namespace braid::test::cost_test
