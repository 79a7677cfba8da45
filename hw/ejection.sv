// SPDX-License-Identifier: Apache-2.0
// The receiving half of a network interface: the ejection link's latch, a buffer for each lane, and what the node is
// offered. A flit may pass its empty buffer. Its credit goes back, from a register, when it has left the buffer.
`include "assert.svh"

module ejection #(
    parameter int unsigned Vcs = 4,
    parameter int unsigned Depth = 8,
    parameter bit Circuits = 1'b1,
    parameter int unsigned CircuitDepth = 5,
    parameter int unsigned CircuitLanes = 1,
    parameter int unsigned Width = 66,  // head, tail, data
    localparam int unsigned Lanes = Vcs + (Circuits ? CircuitLanes : 0),
    localparam int unsigned VcWidth = router_pkg::index_width(Vcs),
    localparam int unsigned CircuitWidth = router_pkg::index_width(CircuitLanes),
    localparam int unsigned LaneWidth = router_pkg::index_width(Lanes)
) (
    input  logic                    clk_i,
    input  logic                    rst_ni,
    input  logic                    link_valid_i,
    input  logic [LaneWidth-1:0]    link_lane_i,
    input  logic [Width-1:0]        link_flit_i,
    output logic [Lanes-1:0]        credit_o,
    output logic                    receive_valid_o,
    input  logic                    receive_ready_i,
    output logic [VcWidth-1:0]      receive_vc_o,
    output logic [Width-1:0]        receive_flit_o,
    input  logic [CircuitLanes-1:0] admit_i,
    output logic                    take_valid_o,
    output logic [CircuitWidth-1:0] take_lane_o,
    output logic [Width-1:0]        take_flit_o
);
  logic latch_valid_q;
  logic [LaneWidth-1:0] latch_lane_q;
  logic [Width-1:0] latch_flit_q;

  logic [Vcs-1:0] valid, choice, offer, pop;
  logic [Vcs-1:0] offer_q;  // one hot: was offered and not taken; 0: none
  logic [Vcs-1:0][Width-1:0] flit;
  logic [Lanes-1:0] credit_q, credit_d;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      latch_valid_q <= 1'b0;
      latch_lane_q  <= '0;
      latch_flit_q  <= '0;
    end else begin
      latch_valid_q <= link_valid_i;
      if (link_valid_i) begin
        latch_lane_q <= link_lane_i;
        latch_flit_q <= link_flit_i;
      end
    end
  end

  // ---------------------------------------------------------------- packets
  for (genvar v = 0; v < int'(Vcs); v++) begin : gen_vc
    fifo #(
        .Width(Width),
        .Depth(Depth),
        .FallThrough(1'b1)
    ) u_buffer (
        .clk_i,
        .rst_ni,
        .push_i   (latch_valid_q && latch_lane_q == LaneWidth'(v)),
        .data_i   (latch_flit_q),
        .pop_i    (pop[v]),
        .data_o   (flit[v]),
        .valid_o  (valid[v]),
        .count_o  (),
        .count_d_o()
    );
  end
  round_robin_arbiter #(
      .Requesters(Vcs)
  ) u_vc_arbiter (
      .clk_i,
      .rst_ni,
      .request_i(valid),
      .use_i    (|valid && offer_q == '0),
      .grant_o  (choice),
      .order_o()
  );
  assign offer = offer_q != '0 ? offer_q : choice;
  assign pop = receive_ready_i ? offer : '0;
  assign receive_valid_o = |offer;
  always_comb begin
    receive_vc_o = '0;
    receive_flit_o = '0;
    for (int unsigned v = 0; v < Vcs; v++) begin
      if (offer[v]) begin
        receive_vc_o |= VcWidth'(v);
        receive_flit_o |= flit[v];
      end
    end
  end

  // ---------------------------------------------------------------- circuits
  logic [CircuitLanes-1:0] take;
  if (Circuits) begin : gen_circuits
    logic [CircuitLanes-1:0] request;
    logic [CircuitLanes-1:0][Width-1:0] front;
    for (genvar l = 0; l < int'(CircuitLanes); l++) begin : gen_lane
      logic held;
      fifo #(
          .Width(Width),
          .Depth(CircuitDepth),
          .FallThrough(1'b1)
      ) u_buffer (
          .clk_i,
          .rst_ni,
          .push_i   (latch_valid_q && latch_lane_q == LaneWidth'(Vcs + l)),
          .data_i   (latch_flit_q),
          .pop_i    (take[l]),
          .data_o   (front[l]),
          .valid_o  (held),
          .count_o  (),
          .count_d_o()
      );
      assign request[l] = held && (!front[l][Width-1] || admit_i[l]);
    end
    round_robin_arbiter #(
        .Requesters(CircuitLanes)
    ) u_arbiter (
        .clk_i,
        .rst_ni,
        .request_i(request),
        .use_i    (|request),
        .grant_o  (take),
        .order_o()
    );
    always_comb begin
      take_lane_o = '0;
      take_flit_o = '0;
      for (int unsigned l = 0; l < CircuitLanes; l++) begin
        if (take[l]) begin
          take_lane_o |= CircuitWidth'(l);
          take_flit_o |= front[l];
        end
      end
    end
    assign credit_d = {take, pop};
    `BRAID_ASSERT(HeadsAdmitted, (take & ~admit_i) == '0 || !take_flit_o[Width-1])
  end else begin : gen_no_circuits
    assign take = '0;
    assign take_lane_o = '0;
    assign take_flit_o = '0;
    assign credit_d = pop;
    logic unused;
    assign unused = ^admit_i;
  end
  assign take_valid_o = |take;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      offer_q  <= '0;
      credit_q <= '0;
    end else begin
      offer_q  <= receive_ready_i ? '0 : offer;
      credit_q <= credit_d;
    end
  end
  assign credit_o = credit_q;

  `BRAID_REQUIRE(LaneExists, !link_valid_i || int'(link_lane_i) < Lanes)
  `BRAID_ASSERT(OfferHasFlit, (offer & ~valid) == '0)
  `BRAID_ASSERT(OneOffer, $onehot0(offer))
endmodule
