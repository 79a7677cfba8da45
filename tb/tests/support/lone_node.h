// A node's interface over wires by itself, without SystemC and without a router, and what it does. It is the middle one
// of a 3x3 mesh and has two local ports.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <utility>
#include <vector>

#include "models/pins/network_node.h"
#include "tb/tests/support/pin_mesh.h"

namespace braid::test {

/// Two VCs of 3 flits; of circuits two start at each port.
inline models::Experiment of_nodes(bool circuits) {
  models::Experiment e;
  e.set("topology.width", 3).set("topology.height", 3).set("topology.local_ports", 2);
  e.set("router.vcs", 2).set("router.buffer_depth", 3);
  if (!circuits) return e;
  e.set("router.circuit_lanes", 2);
  return with_circuits(e);
}

/// The node of router 1,1; no reset has been.
struct LoneNode {
  static constexpr std::uint32_t kFirst = 4, kSecond = 5;  // of the router's ports

  explicit LoneNode(bool circuits = false) : place(of_nodes(circuits), "1,1"), node(place, NodeId{4}) {
    node.callbacks.arrived = [this](const models::pins::NetworkNode::Arrival& a) { arrived.push_back(a); };
    node.callbacks.sent = [this](std::uint64_t packet, std::uint64_t) { sent.push_back(packet); };
    node.callbacks.outcome = [this](bool success) { outcomes.push_back(success); };
    node.callbacks.torn_down = [this] { ++torn_down; };
  }
  void clock(const models::hybrid::WireOutputs& router = {}) {
    node.clock(router, to);
    for (const std::uint32_t p : {kFirst, kSecond}) {
      if (to.links[p].valid) left[p].push_back(to.links[p]);
      for (std::uint32_t lane = 0; lane < 8; ++lane) credits[{p, lane}] += to.credits[p] >> lane & 1;
    }
    if (to.request.valid) requests.push_back(to.request);
  }
  void clocks(int count) {
    while (count-- > 0) clock();
  }
  void ends(bool success) {
    models::hybrid::WireOutputs router;
    router.outcome = true;
    router.success = success;
    clock(router);
  }
  std::vector<std::uint64_t> data_left(std::uint32_t port) {
    std::vector<std::uint64_t> data;
    for (const models::hybrid::FlitWires& flit : left[port]) data.push_back(flit.data[0]);
    return data;
  }

  models::pins::RouterPlace place;
  models::pins::NetworkNode node;
  models::hybrid::WireInputs to;
  std::vector<models::pins::NetworkNode::Arrival> arrived;
  std::vector<std::uint64_t> sent;
  std::vector<bool> outcomes;
  int torn_down = 0;
  std::map<std::uint32_t, std::vector<models::hybrid::FlitWires>> left;      // [port]
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> credits;  // [port, lane]
  std::vector<models::hybrid::ControlWires> requests;
};

inline void put_flit(models::hybrid::WireOutputs& router, std::uint32_t port, bool head, bool tail, std::uint32_t lane,
                     std::uint64_t data) {
  models::hybrid::FlitWires& link = router.links[port];
  link.valid = true;
  link.head = head;
  link.tail = tail;
  link.lane = lane;
  link.data = {data, 1, 2, 3};
}

}  // namespace braid::test
