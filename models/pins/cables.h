// Signals between modules with pins: between two routers, between a router and its node, or between all of a network as
// its topology joins them. Modules of a user's own are bound to the same signals by hand: outputs_of().
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "models/pins/cable_registers.h"
#include "models/pins/cable_signals.h"
#include "routing/base/input_error.h"

namespace braid::models::pins {

/// Of a link from one port to another, as the experiment says.
CableLength cable_length(const RouterPlace& from, std::uint32_t port, const RouterPlace& to, std::uint32_t to_port);
/// Throws InputError where several nodes share a router's request pins.
void check_one_node(const RouterPlace& place);

template <int FlitWidth = 64>
class Cables {
 public:
  using Router = RouterModule<FlitWidth>;
  using Node = BraidNode<FlitWidth>;
  using Seat = RouterSeat<FlitWidth>;

  /// The signals that a router drives; made, and bound to its outputs, when first asked for.
  RouterSignals<FlitWidth>& outputs_of(Router& r) { return made(routers_, r, r.place().shape.ports); }
  NodeSignals<FlitWidth>& outputs_of(Node& n) { return made(nodes_, n, n.ports().size()); }
  SeatSignals<FlitWidth>& outputs_of(Seat& s) { return made(seats_, s, s.place().shape.ports); }

  /// A link both ways. Where it takes more than a cycle, or its credits more than two, there are registers between,
  /// clocked and reset as the router that they come from.
  void join(Router& a, std::uint32_t port_a, Router& b, std::uint32_t port_b) {
    lead(a, port_a, b, port_b);
    lead(b, port_b, a, port_a);
  }
  /// A router and its one node.
  void join(Router& r, Node& n) {
    for (std::size_t i = 0; i < n.ports().size(); ++i) {
      outputs_of(r).link.lead_to(n, n.ports()[i], i);
      outputs_of(n).link.lead_to(r, i, n.ports()[i]);
    }
    outputs_of(n).request.ask(r);
    n.outcome_valid_i(outputs_of(r).outcome_valid);
    n.outcome_success_i(outputs_of(r).outcome_success);
  }
  /// A router and its place in a running network (network_cut.h). Clock and reset are the cut's.
  void join(Seat& s, Router& r) {
    SeatSignals<FlitWidth>& to = outputs_of(s);
    RouterSignals<FlitWidth>& from = outputs_of(r);
    for (std::size_t p = 0; p < from.control_valid.size(); ++p) {
      to.port.lead_messages(r, p, p);
      r.credit_i[p](to.port.link.credit[p]);
      from.link.lead_to(s, p, p);
    }
    to.request.ask(r);
    s.control_valid_i(from.control_valid);
    s.control_kind_i(from.control_kind);
    s.control_search_i(from.control_search);
    s.control_destination_i(from.control_destination);
    s.outcome_valid_i(from.outcome_valid);
    s.outcome_success_i(from.outcome_success);
  }
  /// A whole network, [router] and [node]; a null is left to the user, and so are the pins of its neighbours that lead
  /// to it. Throws InputError where several nodes share a router's request pins.
  void join(const std::vector<Router*>& routers, const std::vector<Node*>& nodes);

 private:
  template <class Map, class Module>
  static auto& made(Map& map, Module& m, std::size_t ports) {
    auto& signals = map[&m];
    if (!signals) {
      signals = std::make_unique<typename Map::mapped_type::element_type>(m.basename(), ports);
      signals->drive_from(m);
    }
    return *signals;
  }

  struct Registers {
    Registers(const char* name, CableLength length) : module(name, length), out(module.basename(), 1) {
      out.drive_from(module);
    }
    CableRegisters<FlitWidth> module;
    PortSignals<FlitWidth> out;
  };
  /// One direction.
  void lead(Router& a, std::uint32_t p, Router& b, std::uint32_t q) {
    RouterSignals<FlitWidth>& from = outputs_of(a);
    const CableLength length = cable_length(a.place(), p, b.place(), q);
    Registers* late = nullptr;
    if (length.flits + length.credits > 0) {
      registers_.push_back(std::make_unique<Registers>(sc_core::sc_gen_unique_name("cable"), length));
      late = registers_.back().get();
      late->module.clk_i(a.clk_i);
      late->module.rst_ni(a.rst_ni);
    }
    if (length.flits > 0) {
      from.lead_messages(late->module, p, 0);
      late->out.lead_messages(b, 0, q);
    } else {
      from.lead_messages(b, p, q);
    }
    if (length.credits > 0) {
      late->module.credit_i[0](from.link.credit[p]);
      b.credit_i[q](late->out.link.credit[0]);
    } else {
      b.credit_i[q](from.link.credit[p]);
    }
  }

  std::map<Router*, std::unique_ptr<RouterSignals<FlitWidth>>> routers_;
  std::map<Node*, std::unique_ptr<NodeSignals<FlitWidth>>> nodes_;
  std::map<Seat*, std::unique_ptr<SeatSignals<FlitWidth>>> seats_;
  std::vector<std::unique_ptr<Registers>> registers_;
};

template <int FlitWidth>
void Cables<FlitWidth>::join(const std::vector<Router*>& routers, const std::vector<Node*>& nodes) {
  for (std::size_t r = 0; r < routers.size(); ++r) {
    if (routers[r] == nullptr) continue;
    const RouterPlace& place = routers[r]->place();
    check_one_node(place);
    for (std::uint32_t p = 0; p < place.shape.ports; ++p) {
      if (place.kind(p) != routing::PortKind::kNetwork) continue;
      const routing::Port& port = place.topology.port(place.router, PortId{std::size_t{p}});
      Router* const peer = routers.at(port.peer_router.value);
      if (peer != nullptr) lead(*routers[r], p, *peer, port.peer_port.value);
    }
  }
  for (Node* node : nodes) {
    if (node == nullptr) continue;
    Router* const router = routers.at(node->place().router.value);
    if (router != nullptr) join(*router, *node);
  }
}

}  // namespace braid::models::pins
