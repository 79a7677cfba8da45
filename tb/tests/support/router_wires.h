// Signals for all inputs of one router or more, and what is on those of its outputs.
#pragma once

#include "models/pins/cables.h"

namespace braid::test {

template <class T>
using Wires = models::pins::Wires<T>;

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

  void bind_link(models::pins::RouterModule<Width>& r, std::size_t p) {
    r.link_valid_i[p](valid[p]);
    r.link_head_i[p](head[p]);
    r.link_tail_i[p](tail[p]);
    r.link_lane_i[p](lane[p]);
    r.link_data_i[p](data[p]);
    r.credit_i[p](credit[p]);
  }
  void bind(models::pins::RouterModule<Width>& r) {
    for (std::size_t p = 0; p < valid.size(); ++p) {
      bind_link(r, p);
      r.control_valid_i[p](control_valid[p]);
      r.control_kind_i[p](control_kind[p]);
      r.control_search_i[p](control_search[p]);
      r.control_destination_i[p](control_destination[p]);
    }
    r.ask_by(*this);
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
models::hybrid::WireOutputs read(const models::pins::RouterSignals<Width>& signals) {
  models::hybrid::WireOutputs out;
  const models::pins::LinkSignals<Width>& s = signals.link;
  for (std::uint32_t p = 0; p < s.valid.size(); ++p) {
    out.credits[p] = s.credit[p].read().to_uint();
    models::hybrid::FlitWires& link = out.links[p];
    link = {s.valid[p].read(), s.head[p].read(), s.tail[p].read(), s.lane[p].read().to_uint(), {}};
    models::pins::from_bits(s.data[p].read(), link.data);
    if (!signals.control_valid[p].read()) continue;
    out.control = {true,
                   p,
                   static_cast<models::hybrid::ControlKind>(signals.control_kind.read().to_uint()),
                   signals.control_search.read().to_uint(),
                   signals.control_destination.read().to_uint(),
                   0};
  }
  out.outcome = signals.outcome_valid.read();
  out.success = signals.outcome_success.read();
  return out;
}

}  // namespace braid::test
