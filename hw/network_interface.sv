// SPDX-License-Identifier: Apache-2.0
// The interface of a node, at one local port of its router. It has the ends of the injection and the ejection link, with
// their credits; to the node, packets out and in by ready/valid, flit by flit, and for each circuit lane a queue of what
// goes on the circuit that starts there, and the flits of the circuit that ends there.
//
// Injection: a flit a cycle in all, from a queue to the link's register. Circuits go first, in turn; one whose circuit
// does not stand (circuit_open_i), or that has no credit, keeps no other from going. A packet takes, of the VCs with a
// credit, the next in turn, until its tail has gone.
//
// Ejection: of packets the node is offered a flit a cycle, VCs in turn; an offer stands until it is taken. Of circuits it
// gets a flit a cycle, in turn; a head waits in its lane's buffer until the node admits it, and by that the packet behind
// it. A flit that waits keeps its credit: that is how a slow node holds back a sender.
`include "assert.svh"

module network_interface #(
    parameter int unsigned Vcs = 4,
    parameter int unsigned Depth = 8,         // flits a packet VC, at the router and here
    parameter bit Circuits = 1'b1,
    parameter int unsigned CircuitDepth = 5,  // flits of a circuit lane, at the router and here
    parameter int unsigned CircuitLanes = 1,  // circuits that start, or end, here: 1, 2, 4, 8
    parameter int unsigned QueueDepth = 2,    // flits of each queue of what the node sends
    parameter int unsigned FlitWidth = 64,
    localparam int unsigned Lanes = Vcs + (Circuits ? CircuitLanes : 0),
    localparam int unsigned VcWidth = router_pkg::index_width(Vcs),
    localparam int unsigned CircuitWidth = router_pkg::index_width(CircuitLanes),
    localparam int unsigned LaneWidth = router_pkg::index_width(Lanes)
) (
    input  logic                                   clk_i,
    input  logic                                   rst_ni,
    // The node's packets. A head carries its destination in the lowest bits of its data.
    input  logic                                   send_valid_i,
    output logic                                   send_ready_o,
    input  logic                                   send_head_i,
    input  logic                                   send_tail_i,
    input  logic [FlitWidth-1:0]                   send_data_i,
    // ... and what it sends on the circuits that start here, a queue each.
    input  logic [CircuitLanes-1:0]                circuit_open_i,   // the circuit stands
    input  logic [CircuitLanes-1:0]                circuit_valid_i,
    output logic [CircuitLanes-1:0]                circuit_ready_o,
    input  logic [CircuitLanes-1:0]                circuit_head_i,
    input  logic [CircuitLanes-1:0]                circuit_tail_i,
    input  logic [CircuitLanes-1:0][FlitWidth-1:0] circuit_data_i,
    output logic [CircuitLanes-1:0]                circuit_idle_o,   // nothing is queued for it
    // Injection link.
    output logic                                   link_valid_o,
    output logic                                   link_head_o,
    output logic                                   link_tail_o,
    output logic [LaneWidth-1:0]                   link_lane_o,
    output logic [FlitWidth-1:0]                   link_data_o,
    input  logic [Lanes-1:0]                       credit_i,
    // Ejection link.
    input  logic                                   link_valid_i,
    input  logic                                   link_head_i,
    input  logic                                   link_tail_i,
    input  logic [LaneWidth-1:0]                   link_lane_i,
    input  logic [FlitWidth-1:0]                   link_data_i,
    output logic [Lanes-1:0]                       credit_o,
    // Packets for the node: flits of different VCs may come between each other.
    output logic                                   receive_valid_o,
    input  logic                                   receive_ready_i,
    output logic                                   receive_head_o,
    output logic                                   receive_tail_o,
    output logic [VcWidth-1:0]                     receive_vc_o,
    output logic [FlitWidth-1:0]                   receive_data_o,
    // Flits of circuits, each for one cycle.
    input  logic [CircuitLanes-1:0]                admit_i,          // the node has room for the lane's next packet
    output logic                                   take_valid_o,
    output logic                                   take_head_o,
    output logic                                   take_tail_o,
    output logic [CircuitWidth-1:0]                take_lane_o,      // on which the circuit ends
    output logic [FlitWidth-1:0]                   take_data_o
);
  if (Vcs < 1 || Vcs > 8 || Depth < 1 || CircuitDepth < 1 || QueueDepth < 1) begin : gen_refused_buffers
    $error("Vcs: 1 to 8, Depth, CircuitDepth and QueueDepth: at least 1 are expected");
  end
  if ((CircuitLanes & (CircuitLanes - 1)) != 0 || CircuitLanes > 8) begin : gen_refused
    $error("CircuitLanes: 1, 2, 4 or 8 are expected");
  end
  if (FlitWidth < router_pkg::DestinationWidth) begin : gen_refused_width
    $error("FlitWidth: at least DestinationWidth bits are expected");
  end
  localparam int unsigned Width = FlitWidth + 2;  // head, tail, data

  logic [CircuitLanes-1:0][Width-1:0] circuit_flit;
  for (genvar l = 0; l < int'(CircuitLanes); l++) begin : gen_flit
    assign circuit_flit[l] = {circuit_head_i[l], circuit_tail_i[l], circuit_data_i[l]};
  end

  injection #(
      .Vcs         (Vcs),
      .Depth       (Depth),
      .Circuits    (Circuits),
      .CircuitDepth(CircuitDepth),
      .CircuitLanes(CircuitLanes),
      .QueueDepth  (QueueDepth),
      .Width       (Width)
  ) u_injection (
      .clk_i,
      .rst_ni,
      .send_valid_i,
      .send_ready_o,
      .send_flit_i({send_head_i, send_tail_i, send_data_i}),
      .circuit_open_i,
      .circuit_valid_i,
      .circuit_ready_o,
      .circuit_flit_i(circuit_flit),
      .circuit_idle_o,
      .link_valid_o,
      .link_lane_o,
      .link_flit_o({link_head_o, link_tail_o, link_data_o}),
      .credit_i
  );

  ejection #(
      .Vcs         (Vcs),
      .Depth       (Depth),
      .Circuits    (Circuits),
      .CircuitDepth(CircuitDepth),
      .CircuitLanes(CircuitLanes),
      .Width       (Width)
  ) u_ejection (
      .clk_i,
      .rst_ni,
      .link_valid_i,
      .link_lane_i,
      .link_flit_i({link_head_i, link_tail_i, link_data_i}),
      .credit_o,
      .receive_valid_o,
      .receive_ready_i,
      .receive_vc_o,
      .receive_flit_o({receive_head_o, receive_tail_o, receive_data_o}),
      .admit_i,
      .take_valid_o,
      .take_lane_o,
      .take_flit_o({take_head_o, take_tail_o, take_data_o})
  );
endmodule
