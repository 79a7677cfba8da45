// A set-up of all circuits at once on registers of its own, without a network around it.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "models/families/hybrid/parallel_setup.h"
#include "routing/topology/topology.h"

namespace braid::test {

/// Streams from node to node, in any number and way.
class AtOnce {
 public:
  using Ends = std::vector<std::pair<std::size_t, std::size_t>>;

  AtOnce(const Configuration& network, const Ends& streams, std::uint32_t retries = 0, std::uint64_t seed = 1,
         std::uint32_t lanes = 1)
      : topology(routing::make_topology(network)), user(streams) {
    options.circuits = true;
    options.circuit_lanes = lanes;
    options.setup_retries = retries;
    bank = std::make_unique<models::hybrid::RouterBank>(topology, options, 1);
    around = std::make_unique<models::hybrid::SetupUnits>(topology, *bank, true);
    setup = std::make_unique<models::hybrid::ParallelSetup>(topology, *bank, *around, user, options, seed);
  }

  /// The cycles before this one, and this one.
  void run_to(std::uint64_t cycle) {
    for (; next <= cycle; ++next) setup->step(next);
  }
  models::SetupResults end() {
    while (!setup->done() && next < 1000000) run_to(next);
    return setup->results();
  }
  /// Streams whose circuits stand.
  std::set<std::string> standing() const {
    std::set<std::string> names;
    for (const models::CircuitResult& c : setup->results().circuits) names.insert(c.stream);
    return names;
  }
  const models::CircuitResult& circuit(const models::SetupResults& results, const std::string& name) const {
    return *std::find_if(results.circuits.begin(), results.circuits.end(),
                         [&](const models::CircuitResult& c) { return c.stream == name; });
  }
  static std::vector<std::uint32_t> routers(const models::CircuitResult& circuit) {
    std::vector<std::uint32_t> all;
    for (const auto& step : circuit.path) all.push_back(step.router.value);
    return all;
  }
  /// Output lanes that circuits or searches hold.
  std::size_t lanes_held() const {
    std::size_t held = 0;
    for (models::hybrid::PortIndex p = 0; p < bank->input_port_count(); ++p) {
      for (std::uint32_t c = 0; c < bank->circuit_lanes(); ++c) {
        held += bank->circuit_in(bank->circuit_vc(p, c)) == models::hybrid::kNone ? 0 : 1;
      }
    }
    return held;
  }

  struct User final : models::CircuitUser {
    explicit User(const Ends& streams) {
      for (std::size_t i = 0; i < streams.size(); ++i) {
        const auto& [from, to] = streams[i];
        const std::string name = std::string(1, static_cast<char>('A' + i % 26)) + std::string(i / 26, '+');
        requests.push_back({name, NodeId{from}, NodeId{to}});
      }
    }
    std::vector<models::CircuitRequest> circuits() const override { return requests; }
    void circuit_found(std::size_t circuit, std::size_t, std::uint32_t) override { found.push_back(circuit); }
    void set_up(bool success) override { success ? ++successes : ++failures; }
    std::vector<models::CircuitRequest> requests;
    std::vector<std::size_t> found;
    int successes = 0, failures = 0;
  };

  routing::Topology topology;
  User user;
  models::hybrid::Options options;
  std::unique_ptr<models::hybrid::RouterBank> bank;
  std::unique_ptr<models::hybrid::SetupUnits> around;
  std::unique_ptr<models::hybrid::ParallelSetup> setup;
  std::uint64_t next = 0;  // cycle
};

/// A mesh, or torus.
inline Configuration grid(std::uint32_t width, std::uint32_t height, std::uint32_t local_ports,
                          const std::string& kind = "mesh") {
  Configuration c;
  c.set("topology.kind", kind);
  c.set("topology.width", width);
  c.set("topology.height", height);
  c.set("topology.local_ports", local_ports);
  return c;
}

}  // namespace braid::test
