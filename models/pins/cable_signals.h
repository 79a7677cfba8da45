// The signals that the outputs of a module with pins drive, and where they lead.
#pragma once

#include <string>

#include "models/pins/braid_node.h"
#include "models/pins/router_module.h"
#include "models/pins/router_seat.h"

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
  void ask(RouterModuleBase& r) { r.ask_by(*this); }

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

}  // namespace braid::models::pins
