// Signals for all pins of one router, its own outputs' and shared inputs'.
#pragma once

#include <string>

#include "models/pins/router_module.h"

namespace braid::test {

template <class T>
using Wires = sc_core::sc_vector<sc_core::sc_signal<T>>;

template <int Width>
struct InputSignals {
  explicit InputSignals(std::uint32_t ports)
      : valid("valid", ports),
        head("head", ports),
        tail("tail", ports),
        lane("lane", ports),
        data("data", ports),
        credit("credit", ports),
        control_valid("control_valid", ports),
        control_kind("control_kind", ports),
        control_search("control_search", ports),
        control_destination("control_destination", ports) {}

  void bind(models::pins::RouterModule<Width>& r) {
    r.link_valid_i(valid);
    r.link_head_i(head);
    r.link_tail_i(tail);
    r.link_lane_i(lane);
    r.link_data_i(data);
    r.credit_i(credit);
    r.control_valid_i(control_valid);
    r.control_kind_i(control_kind);
    r.control_search_i(control_search);
    r.control_destination_i(control_destination);
    r.request_valid_i(request_valid);
    r.request_port_i(request_port);
    r.request_lane_i(request_lane);
    r.request_kind_i(request_kind);
    r.request_search_i(request_search);
    r.request_destination_i(request_destination);
  }

  void write(const models::hybrid::WireInputs& in) {
    for (std::uint32_t p = 0; p < valid.size(); ++p) {
      const models::hybrid::FlitWires& link = in.links[p];
      valid[p].write(link.valid);
      credit[p].write(in.credits[p]);
      control_valid[p].write(in.control.valid && in.control.port == p);
      if (in.control.valid && in.control.port == p) {
        control_kind[p].write(static_cast<unsigned>(in.control.kind));
        control_search[p].write(in.control.search);
        control_destination[p].write(in.control.destination);
      }
      if (!link.valid) continue;
      head[p].write(link.head);
      tail[p].write(link.tail);
      lane[p].write(link.lane);
      data[p].write(models::pins::to_bits<Width>(link.data));
    }
    request_valid.write(in.request.valid);
    if (!in.request.valid) return;
    request_port.write(in.request.port);
    request_lane.write(in.request.circuit);
    request_kind.write(static_cast<unsigned>(in.request.kind));
    request_search.write(in.request.search);
    request_destination.write(in.request.destination);
  }

  Wires<bool> valid, head, tail;
  Wires<models::pins::LaneBits> lane;
  Wires<sc_dt::sc_bv<Width>> data;
  Wires<models::pins::CreditBits> credit;
  Wires<bool> control_valid;
  Wires<models::pins::KindBits> control_kind;
  Wires<models::pins::SearchBits> control_search;
  Wires<models::pins::NodeBits> control_destination;
  sc_core::sc_signal<bool> request_valid;
  sc_core::sc_signal<models::pins::PortBits> request_port;
  sc_core::sc_signal<models::pins::LaneBits> request_lane;
  sc_core::sc_signal<models::pins::KindBits> request_kind;
  sc_core::sc_signal<models::pins::SearchBits> request_search;
  sc_core::sc_signal<models::pins::NodeBits> request_destination;
};

template <int Width>
struct OutputSignals {
  OutputSignals(const std::string& of, std::uint32_t ports)
      : valid((of + "_valid").c_str(), ports),
        head((of + "_head").c_str(), ports),
        tail((of + "_tail").c_str(), ports),
        lane((of + "_lane").c_str(), ports),
        data((of + "_data").c_str(), ports),
        credit((of + "_credit").c_str(), ports),
        control_valid((of + "_control_valid").c_str(), ports) {}

  void bind(models::pins::RouterModule<Width>& r) {
    r.link_valid_o(valid);
    r.link_head_o(head);
    r.link_tail_o(tail);
    r.link_lane_o(lane);
    r.link_data_o(data);
    r.credit_o(credit);
    r.control_valid_o(control_valid);
    r.control_kind_o(control_kind);
    r.control_search_o(control_search);
    r.control_destination_o(control_destination);
    r.outcome_valid_o(outcome_valid);
    r.outcome_success_o(outcome_success);
  }

  models::hybrid::WireOutputs read() const {
    models::hybrid::WireOutputs out;
    for (std::uint32_t p = 0; p < valid.size(); ++p) {
      out.credits[p] = credit[p].read().to_uint();
      models::hybrid::FlitWires& link = out.links[p];
      link = {valid[p].read(), head[p].read(), tail[p].read(), lane[p].read().to_uint(), {}};
      models::pins::from_bits(data[p].read(), link.data);
      if (control_valid[p].read()) {
        out.control = {true,
                       p,
                       static_cast<models::hybrid::ControlKind>(control_kind.read().to_uint()),
                       control_search.read().to_uint(),
                       control_destination.read().to_uint(),
                       0};
      }
    }
    out.outcome = outcome_valid.read();
    out.success = outcome_success.read();
    return out;
  }

  Wires<bool> valid, head, tail;
  Wires<models::pins::LaneBits> lane;
  Wires<sc_dt::sc_bv<Width>> data;
  Wires<models::pins::CreditBits> credit;
  Wires<bool> control_valid;
  sc_core::sc_signal<models::pins::KindBits> control_kind;
  sc_core::sc_signal<models::pins::SearchBits> control_search;
  sc_core::sc_signal<models::pins::NodeBits> control_destination;
  sc_core::sc_signal<bool> outcome_valid, outcome_success;
};

}  // namespace braid::test
