// SPDX-License-Identifier: Apache-2.0
// What the node and the router at the other end of its links rely on: a flit for the node is offered until it is taken, a
// link's credits and the flits behind them always add up, a flit goes on a lane only where a place is free, and on a circuit
// only while it stands; a packet keeps its VC from head to tail; and nothing is lost or made: of a lane as many flits have
// come in as have gone out or are held.
`include "proof.svh"

module network_interface_proof #(
    parameter int unsigned Vcs = 2,
    parameter int unsigned Depth = 2,
    parameter int unsigned CircuitDepth = 2,
    parameter int unsigned CircuitLanes = 2,
    localparam int unsigned QueueDepth = 2,
    localparam int unsigned FlitWidth = 16,
    localparam int unsigned Lanes = Vcs + CircuitLanes,
    localparam int unsigned VcWidth = router_pkg::index_width(Vcs),
    localparam int unsigned CircuitWidth = router_pkg::index_width(CircuitLanes),
    localparam int unsigned LaneWidth = router_pkg::index_width(Lanes)
) (
    input logic                                   clk_i,
    input logic                                   send_valid_i,
    input logic                                   send_tail_i,
    input logic [CircuitLanes-1:0]                circuit_open_i,
    input logic [CircuitLanes-1:0]                circuit_valid_i,
    input logic [Lanes-1:0]                       credit_i,
    input logic                                   link_valid_i,
    input logic                                   link_head_i,
    input logic                                   link_tail_i,
    input logic [LaneWidth-1:0]                   link_lane_i,
    input logic                                   receive_ready_i,
    input logic [CircuitLanes-1:0]                admit_i
);
  `PROOF_RESET

  logic send_ready, link_valid, link_head, link_tail, receive_valid, receive_head, receive_tail;
  logic take_valid, take_head, take_tail;
  logic [CircuitLanes-1:0] circuit_ready, circuit_idle;
  logic [LaneWidth-1:0] link_lane;
  logic [FlitWidth-1:0] link_data, receive_data, take_data;
  logic [Lanes-1:0] credit;
  logic [VcWidth-1:0] receive_vc;
  logic [CircuitWidth-1:0] take_lane;
  logic in_packet_q;  // the node is in the middle of a packet

  network_interface #(
      .Vcs         (Vcs),
      .Depth       (Depth),
      .CircuitDepth(CircuitDepth),
      .CircuitLanes(CircuitLanes),
      .QueueDepth  (QueueDepth),
      .FlitWidth   (FlitWidth)
  ) u_dut (
      .clk_i,
      .rst_ni,
      .send_valid_i,
      .send_ready_o(send_ready),
      .send_head_i(!in_packet_q),
      .send_tail_i,
      .send_data_i('0),
      .circuit_open_i,
      .circuit_valid_i,
      .circuit_ready_o(circuit_ready),
      .circuit_head_i('1),
      .circuit_tail_i('1),
      .circuit_data_i('0),
      .circuit_idle_o(circuit_idle),
      .link_valid_o(link_valid),
      .link_head_o(link_head),
      .link_tail_o(link_tail),
      .link_lane_o(link_lane),
      .link_data_o(link_data),
      .credit_i,
      .link_valid_i,
      .link_head_i,
      .link_tail_i,
      .link_lane_i,
      .link_data_i('0),
      .credit_o(credit),
      .receive_valid_o(receive_valid),
      .receive_ready_i,
      .receive_head_o(receive_head),
      .receive_tail_o(receive_tail),
      .receive_vc_o(receive_vc),
      .receive_data_o(receive_data),
      .admit_i,
      .take_valid_o(take_valid),
      .take_head_o(take_head),
      .take_tail_o(take_tail),
      .take_lane_o(take_lane),
      .take_data_o(take_data)
  );

  // ---------------------------------------------------------------- both links' other ends
  for (genvar l = 0; l < int'(Lanes); l++) begin : gen_lane
    localparam int unsigned Places = l < Vcs ? Depth : CircuitDepth;
    logic [3:0] router_holds_q;  // sent, not given back
    logic [3:0] here_q;          // come, no credit given
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        router_holds_q <= '0;
        here_q <= '0;
      end else begin
        router_holds_q <= router_holds_q + 4'(link_valid && link_lane == LaneWidth'(l)) - 4'(credit_i[l]);
        here_q <= here_q + 4'(link_valid_i && link_lane_i == LaneWidth'(l)) - 4'(credit[l]);
      end
    end
    `ASSUME(CreditsOfWhatCame, !credit_i[l] || router_holds_q != '0)
    `ASSUME(FlitsOnCredit, !(link_valid_i && link_lane_i == LaneWidth'(l)) || int'(here_q) < Places)
    `PROVE(RoomAtTheRouter, int'(router_holds_q) + int'(link_valid && link_lane == LaneWidth'(l)) <= Places)
    `PROVE(CreditsOfWhatWasTaken, !credit[l] || here_q != '0)
  end
  `ASSUME(LaneExists, !link_valid_i || int'(link_lane_i) < Lanes)

  // ---------------------------------------------------------------- packets out and in
  logic [CircuitLanes-1:0] open_q;
  logic sent_open_q;                 // a packet is on its way out
  logic [LaneWidth-1:0] sent_lane_q;
  logic waits_q;                     // an offer was not taken
  logic [VcWidth-1:0] offered_vc_q;
  logic offered_head_q, offered_tail_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      in_packet_q <= 1'b0;
      open_q <= '0;
      sent_open_q <= 1'b0;
      sent_lane_q <= '0;
      waits_q <= 1'b0;
      offered_vc_q <= '0;
      offered_head_q <= 1'b0;
      offered_tail_q <= 1'b0;
    end else begin
      if (send_valid_i && send_ready) in_packet_q <= !send_tail_i;
      open_q <= circuit_open_i;
      if (link_valid && int'(link_lane) < Vcs) begin
        sent_open_q <= !link_tail;
        sent_lane_q <= link_lane;
      end
      waits_q <= receive_valid && !receive_ready_i;
      offered_vc_q <= receive_vc;
      offered_head_q <= receive_head;
      offered_tail_q <= receive_tail;
    end
  end
  for (genvar l = 0; l < int'(CircuitLanes); l++) begin : gen_circuit
    `PROVE(OnlyOnStandingCircuit, !(link_valid && link_lane == LaneWidth'(Vcs + l)) || open_q[l])
    `PROVE(HeadsAdmitted, !(take_valid && take_head && take_lane == CircuitWidth'(l)) || admit_i[l])
  end
  `PROVE(LaneOfLinkExists, !link_valid || int'(link_lane) < Lanes)
  `PROVE(PacketKeepsItsVc, !(link_valid && int'(link_lane) < Vcs && sent_open_q) || link_lane == sent_lane_q)
  `PROVE(OfferStands, !waits_q || (receive_valid && receive_vc == offered_vc_q && receive_head == offered_head_q &&
                                   receive_tail == offered_tail_q))
endmodule
