// SPDX-License-Identifier: Apache-2.0
// The sending half of a network interface: queues of the node's packets and of its circuits, and whose flit goes to the
// injection link's register. A queue passes on a flit that comes while it is empty, so that one on the way to a free
// link is on it in the next cycle.
`include "assert.svh"

module injection #(
    parameter int unsigned Vcs = 4,
    parameter int unsigned Depth = 8,
    parameter bit Circuits = 1'b1,
    parameter int unsigned CircuitDepth = 5,
    parameter int unsigned CircuitLanes = 1,
    parameter int unsigned QueueDepth = 2,
    parameter int unsigned Width = 66,  // head, tail, data
    localparam int unsigned Lanes = Vcs + (Circuits ? CircuitLanes : 0),
    localparam int unsigned LaneWidth = router_pkg::index_width(Lanes)
) (
    input  logic                               clk_i,
    input  logic                               rst_ni,
    input  logic                               send_valid_i,
    output logic                               send_ready_o,
    input  logic [Width-1:0]                   send_flit_i,
    input  logic [CircuitLanes-1:0]            circuit_open_i,
    input  logic [CircuitLanes-1:0]            circuit_valid_i,
    output logic [CircuitLanes-1:0]            circuit_ready_o,
    input  logic [CircuitLanes-1:0][Width-1:0] circuit_flit_i,
    output logic [CircuitLanes-1:0]            circuit_idle_o,
    output logic                               link_valid_o,
    output logic [LaneWidth-1:0]               link_lane_o,
    output logic [Width-1:0]                   link_flit_o,
    input  logic [Lanes-1:0]                   credit_i
);
  localparam int unsigned CountWidth = $clog2(QueueDepth + 1);

  logic [Width-1:0] packet_flit;
  logic packet_valid, packet_go;
  logic [CountWidth-1:0] packet_count;
  logic [Vcs-1:0] has_credit, usable, chosen, lane;
  logic [Vcs-1:0] vc_q;  // one hot: held by the packet on its way out; 0: none

  logic [CircuitLanes-1:0] request, grant;
  logic [CircuitLanes-1:0][Width-1:0] circuit_flit;
  logic circuit_go;

  logic link_valid_q;
  logic [LaneWidth-1:0] link_lane_q, link_lane_d;
  logic [Width-1:0] link_flit_q, link_flit_d;

  // ---------------------------------------------------------------- packets
  assign send_ready_o = packet_count < CountWidth'(QueueDepth);
  fifo #(
      .Width(Width),
      .Depth(QueueDepth),
      .FallThrough(1'b1)
  ) u_packets (
      .clk_i,
      .rst_ni,
      .push_i   (send_valid_i && send_ready_o),
      .data_i   (send_flit_i),
      .pop_i    (packet_go),
      .data_o   (packet_flit),
      .valid_o  (packet_valid),
      .count_o  (packet_count),
      .count_d_o()
  );

  for (genvar v = 0; v < int'(Vcs); v++) begin : gen_vc
    logic [$clog2(Depth + 1)-1:0] credits;
    credit_counter #(
        .Credits  (Depth),
        .GiveFirst(1'b1)
    ) u_credits (
        .clk_i,
        .rst_ni,
        .give_i   (credit_i[v]),
        .take_i   (packet_go && lane[v]),
        .credits_o(credits)
    );
    assign has_credit[v] = credits != '0;
  end

  // A VC taken without a credit would bind the packet to a full buffer while another one may drain.
  assign usable = packet_valid && vc_q == '0 ? has_credit : '0;
  round_robin_arbiter #(
      .Requesters(Vcs)
  ) u_vc_arbiter (
      .clk_i,
      .rst_ni,
      .request_i(usable),
      .use_i    (packet_go && vc_q == '0),
      .grant_o  (chosen),
      .order_o()
  );
  assign lane = vc_q != '0 ? vc_q : chosen;
  assign packet_go = packet_valid && !circuit_go && |(lane & has_credit);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) vc_q <= '0;
    else if (packet_go) vc_q <= packet_flit[Width-2] ? '0 : lane;
  end

  // ---------------------------------------------------------------- circuits
  if (Circuits) begin : gen_circuits
    for (genvar l = 0; l < int'(CircuitLanes); l++) begin : gen_lane
      logic valid;
      logic [CountWidth-1:0] count;
      logic [$clog2(CircuitDepth + 1)-1:0] credits;
      assign circuit_ready_o[l] = count < CountWidth'(QueueDepth);
      assign circuit_idle_o[l] = count == '0;
      fifo #(
          .Width(Width),
          .Depth(QueueDepth),
          .FallThrough(1'b1)
      ) u_queue (
          .clk_i,
          .rst_ni,
          .push_i   (circuit_valid_i[l] && circuit_ready_o[l]),
          .data_i   (circuit_flit_i[l]),
          .pop_i    (grant[l]),
          .data_o   (circuit_flit[l]),
          .valid_o  (valid),
          .count_o  (count),
          .count_d_o()
      );
      credit_counter #(
          .Credits  (CircuitDepth),
          .GiveFirst(1'b1)
      ) u_credits (
          .clk_i,
          .rst_ni,
          .give_i   (credit_i[Vcs+l]),
          .take_i   (grant[l]),
          .credits_o(credits)
      );
      assign request[l] = valid && circuit_open_i[l] && credits != '0;
      `BRAID_ASSERT(OnlyOnStandingCircuit, !grant[l] || circuit_open_i[l])
    end
    round_robin_arbiter #(
        .Requesters(CircuitLanes)
    ) u_arbiter (
        .clk_i,
        .rst_ni,
        .request_i(request),
        .use_i    (circuit_go),
        .grant_o  (grant),
        .order_o()
    );
  end else begin : gen_no_circuits
    assign circuit_ready_o = '0;
    assign circuit_idle_o = '1;
    assign request = '0;
    assign grant = '0;
    assign circuit_flit = '0;
    logic unused;
    assign unused = ^{circuit_open_i, circuit_valid_i, circuit_flit_i};
  end
  assign circuit_go = |request;

  // ---------------------------------------------------------------- the link
  always_comb begin
    link_flit_d = circuit_go ? '0 : packet_flit;
    link_lane_d = '0;
    for (int unsigned l = 0; l < CircuitLanes; l++) begin
      if (grant[l]) begin
        link_flit_d |= circuit_flit[l];
        link_lane_d |= LaneWidth'(Vcs + l);
      end
    end
    for (int unsigned v = 0; v < Vcs; v++) link_lane_d |= packet_go && lane[v] ? LaneWidth'(v) : '0;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      link_valid_q <= 1'b0;
      link_lane_q  <= '0;
      link_flit_q  <= '0;
    end else begin
      link_valid_q <= circuit_go || packet_go;
      if (circuit_go || packet_go) begin
        link_lane_q <= link_lane_d;
        link_flit_q <= link_flit_d;
      end
    end
  end
  assign link_valid_o = link_valid_q;
  assign link_lane_o = link_lane_q;
  assign link_flit_o = link_flit_q;

  `BRAID_REQUIRE(HeadBegins, !(packet_valid && vc_q == '0) || packet_flit[Width-1])
  `BRAID_REQUIRE(HeadOnlyBegins, !(packet_valid && vc_q != '0) || !packet_flit[Width-1])
  `BRAID_ASSERT(OneVc, $onehot0(vc_q))
  `BRAID_ASSERT(OneFlit, $onehot0({packet_go, grant}))
endmodule
