// Signals between modules with pins: between two routers, between a router and its node, or between all of a network as
// its topology joins them. Modules of a user's own are bound to the same signals by hand: outputs_of().
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "models/pins/braid_node.h"
#include "models/pins/cable_registers.h"
#include "models/pins/router_module.h"
#include "models/pins/router_seat.h"
#include "routing/base/input_error.h"

namespace braid::models::pins {

template <class T>
using Wires = sc_core::sc_vector<sc_core::sc_signal<T>>;

/// A signal for each output of a link, of `ports` ports.
template <int FlitWidth>
struct LinkSignals {
  LinkSignals(const std::string& of, std::size_t ports)
      : valid((of + "_link_valid").c_str(), ports),
        head((of + "_link_head").c_str(), ports),
        tail((of + "_link_tail").c_str(), ports),
        lane((of + "_link_lane").c_str(), ports),
        data((of + "_link_data").c_str(), ports),
        credit((of + "_credit").c_str(), ports) {}
  template <class Module>
  void drive_from(Module& m) {
    m.link_valid_o(valid);
    m.link_head_o(head);
    m.link_tail_o(tail);
    m.link_lane_o(lane);
    m.link_data_o(data);
    m.credit_o(credit);
  }
  /// What leaves by port `from` comes in at pins number `to` of `m`.
  template <class Module>
  void lead_to(Module& m, std::size_t from, std::size_t to) {
    lead_flits(m, from, to);
    m.credit_i[to](credit[from]);
  }
  template <class Module>
  void lead_flits(Module& m, std::size_t from, std::size_t to) {
    m.link_valid_i[to](valid[from]);
    m.link_head_i[to](head[from]);
    m.link_tail_i[to](tail[from]);
    m.link_lane_i[to](lane[from]);
    m.link_data_i[to](data[from]);
  }

  Wires<bool> valid, head, tail;
  Wires<LaneBits> lane;
  Wires<sc_dt::sc_bv<FlitWidth>> data;
  Wires<CreditBits> credit;
};

/// All outputs of a router.
template <int FlitWidth>
struct RouterSignals {
  RouterSignals(const std::string& of, std::size_t ports)
      : link(of, ports),
        control_valid((of + "_control_valid").c_str(), ports),
        control_kind((of + "_control_kind").c_str()),
        control_search((of + "_control_search").c_str()),
        control_destination((of + "_control_destination").c_str()),
        outcome_valid((of + "_outcome_valid").c_str()),
        outcome_success((of + "_outcome_success").c_str()) {}
  void drive_from(RouterModule<FlitWidth>& r) {
    link.drive_from(r);
    r.control_valid_o(control_valid);
    r.control_kind_o(control_kind);
    r.control_search_o(control_search);
    r.control_destination_o(control_destination);
    r.outcome_valid_o(outcome_valid);
    r.outcome_success_o(outcome_success);
  }
  /// All but the credits.
  template <class Module>
  void lead_messages(Module& r, std::size_t from, std::size_t to) {
    link.lead_flits(r, from, to);
    r.control_valid_i[to](control_valid[from]);
    r.control_kind_i[to](control_kind);
    r.control_search_i[to](control_search);
    r.control_destination_i[to](control_destination);
  }

  LinkSignals<FlitWidth> link;
  Wires<bool> control_valid;
  sc_core::sc_signal<KindBits> control_kind;
  sc_core::sc_signal<SearchBits> control_search;
  sc_core::sc_signal<NodeBits> control_destination;
  sc_core::sc_signal<bool> outcome_valid, outcome_success;
};

/// Requests for circuits.
struct RequestSignals {
  explicit RequestSignals(const std::string& of)
      : request_valid((of + "_request_valid").c_str()),
        request_port((of + "_request_port").c_str()),
        request_lane((of + "_request_lane").c_str()),
        request_kind((of + "_request_kind").c_str()),
        request_search((of + "_request_search").c_str()),
        request_destination((of + "_request_destination").c_str()) {}
  void drive_from(RequestEnds& n) {
    n.request_valid_o(request_valid);
    n.request_port_o(request_port);
    n.request_lane_o(request_lane);
    n.request_kind_o(request_kind);
    n.request_search_o(request_search);
    n.request_destination_o(request_destination);
  }
  void ask(RouterModuleBase& r) {
    r.request_valid_i(request_valid);
    r.request_port_i(request_port);
    r.request_lane_i(request_lane);
    r.request_kind_i(request_kind);
    r.request_search_i(request_search);
    r.request_destination_i(request_destination);
  }

  sc_core::sc_signal<bool> request_valid;
  sc_core::sc_signal<PortBits> request_port;
  sc_core::sc_signal<LaneBits> request_lane;
  sc_core::sc_signal<KindBits> request_kind;
  sc_core::sc_signal<SearchBits> request_search;
  sc_core::sc_signal<NodeBits> request_destination;
};

/// All outputs of a node.
template <int FlitWidth>
struct NodeSignals {
  NodeSignals(const std::string& of, std::size_t ports) : link(of, ports), request(of) {}
  void drive_from(BraidNode<FlitWidth>& n) {
    link.drive_from(n);
    request.drive_from(n);
  }

  LinkSignals<FlitWidth> link;
  RequestSignals request;
};

/// What leads to ports of a router, with a control channel each.
template <int FlitWidth>
struct PortSignals {
  PortSignals(const std::string& of, std::size_t ports)
      : link(of, ports),
        control_valid((of + "_control_valid").c_str(), ports),
        control_kind((of + "_control_kind").c_str(), ports),
        control_search((of + "_control_search").c_str(), ports),
        control_destination((of + "_control_destination").c_str(), ports) {}
  template <class Module>
  void drive_from(Module& m) {
    link.drive_from(m);
    m.control_valid_o(control_valid);
    m.control_kind_o(control_kind);
    m.control_search_o(control_search);
    m.control_destination_o(control_destination);
  }
  /// All but the credits.
  void lead_messages(RouterModule<FlitWidth>& r, std::size_t from, std::size_t to) {
    link.lead_flits(r, from, to);
    r.control_valid_i[to](control_valid[from]);
    r.control_kind_i[to](control_kind[from]);
    r.control_search_i[to](control_search[from]);
    r.control_destination_i[to](control_destination[from]);
  }

  LinkSignals<FlitWidth> link;
  Wires<bool> control_valid;
  Wires<KindBits> control_kind;
  Wires<SearchBits> control_search;
  Wires<NodeBits> control_destination;
};

/// All outputs of a seat of a router: that router's inputs.
template <int FlitWidth>
struct SeatSignals {
  SeatSignals(const std::string& of, std::size_t ports) : port(of, ports), request(of) {}
  void drive_from(RouterSeat<FlitWidth>& s) {
    port.drive_from(s);
    request.drive_from(s);
  }

  PortSignals<FlitWidth> port;
  RequestSignals request;
};

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
