// SPDX-License-Identifier: Apache-2.0
// The token of set-up, one for a network: circuits are searched one after the other, so that one search or tear-down is
// under way at a time. A search that ends without a path, or a source without a free lane, ends the order: the circuits
// that stand are torn down, the last one first, and another order is tried, so many times; then it has failed.
//
// When the numbers of searches have run out, all units are asked to forget those that they have seen (setup_unit), which
// takes a cycle: request_all_o, to every router at once; then the numbers begin with 1 again.
//
// The first order is that of the table. The others are drawn at random (shuffle), a place a cycle or more.
// Outcomes and requests pass through in the same cycle: both ends have registers.
`include "assert.svh"

module setup_sequencer #(
    parameter int unsigned Streams = 4,        // circuits at most
    parameter int unsigned Nodes = 4,
    parameter int unsigned CircuitLanes = 1,   // circuits that start at a node: 1, 2, 4, 8
    parameter int unsigned Retries = 8,        // orders after the first
    parameter int unsigned TokenCycles = 1,    // from the end of a search to the next one, at least 1
    parameter int unsigned Searches = 2 ** (router_pkg::SearchWidth - 1) - 1,  // numbers before they begin anew
    localparam int unsigned StreamWidth = router_pkg::index_width(Streams),
    localparam int unsigned CountWidth = $clog2(Streams + 2),
    localparam int unsigned NodeWidth = router_pkg::index_width(Nodes),
    localparam int unsigned LaneWidth = router_pkg::index_width(CircuitLanes),
    localparam int unsigned StartedWidth = $clog2(CircuitLanes + 1),
    localparam int unsigned OrderWidth = $clog2(Retries + 2),
    localparam int unsigned SearchWidth = router_pkg::SearchWidth,
    localparam int unsigned DestinationWidth = router_pkg::DestinationWidth
) (
    input  logic                               clk_i,
    input  logic                               rst_ni,
    // Table of circuits, an entry a cycle, before start_i.
    input  logic                               stream_write_i,
    input  logic [StreamWidth-1:0]             stream_index_i,
    input  logic [NodeWidth-1:0]               stream_source_i,
    input  logic [DestinationWidth-1:0]        stream_destination_i,
    // Set-up of the first streams_i of them begins in the next cycle.
    input  logic                               start_i,
    input  logic [CountWidth-1:0]              streams_i,
    // To the router of node request_node_o, and back from it: the end of a search or tear-down.
    output logic                               request_valid_o,
    input  logic                               request_ready_i,
    output logic                               request_all_o,  // to all routers: request_node_o says nothing
    output logic [NodeWidth-1:0]               request_node_o,
    output logic [LaneWidth-1:0]               request_lane_o,
    output router_pkg::control_kind_e          request_kind_o,
    output logic [StreamWidth-1:0]             request_stream_o,
    output logic [SearchWidth-1:0]             request_search_o,
    output logic [DestinationWidth-1:0]        request_destination_o,
    input  logic                               outcome_valid_i,
    input  logic                               outcome_success_i,
    // What it does; what stands. A node's circuits start on its first lanes.
    output router_pkg::setup_phase_e           state_o,
    output logic [OrderWidth-1:0]              order_o,     // from 1
    output logic [StreamWidth-1:0]             stream_o,    // that the token is at
    output logic [CountWidth-1:0]              standing_o,  // circuits
    output logic                               success_o,   // all circuits stand
    output logic [Nodes-1:0][StartedWidth-1:0] started_o,   // [node] circuits that start there
    output logic [Streams-1:0][LaneWidth-1:0]  lane_o       // [circuit] on which it starts, if it stands
);
  import router_pkg::*;

  if (Streams < 1 || Nodes < 2 || Nodes > 2 ** DestinationWidth || TokenCycles < 1) begin : gen_refused_table
    $error("Streams and TokenCycles: at least 1, Nodes: 2 to 65536 are expected");
  end
  // Numbers of searches have the highest bit for those that avoid ports (setup_unit).
  if (Searches < 1 || Searches >= 2 ** (SearchWidth - 1)) begin : gen_refused_numbers
    $error("Searches: 1 to 32767 are expected");
  end
  if ((CircuitLanes & (CircuitLanes - 1)) != 0 || CircuitLanes > 8) begin : gen_refused
    $error("CircuitLanes: 1, 2, 4 or 8 are expected");
  end
  localparam int unsigned WaitWidth = $clog2(TokenCycles + 1);
  localparam logic [SearchWidth-1:0] LastSearch = SearchWidth'(Searches);

  // no reset of the table: read where it has been written only
  logic [NodeWidth-1:0] source_q [Streams];
  logic [DestinationWidth-1:0] destination_q [Streams];

  setup_phase_e phase_q, phase_d;
  logic [CountWidth-1:0] streams_q, position_q, position_d, standing_q, standing_d;
  logic [OrderWidth-1:0] order_q, order_d;
  logic [WaitWidth-1:0] wait_q, wait_d;
  logic [SearchWidth-1:0] search_q, search_d;
  logic asks_q;  // the request of an earlier cycle is still to be taken
  logic forgets, forgets_q;  // the request is to forget
  logic success_q, success_d;
  logic [Nodes-1:0][StartedWidth-1:0] started_q;
  logic [Streams-1:0][LaneWidth-1:0] lane_q;

  logic [Streams-1:0][StreamWidth-1:0] order_places;
  logic shuffle, shuffled;
  logic [StreamWidth-1:0] stream, last;   // that is searched, that is or was torn down last
  logic [NodeWidth-1:0] source;
  logic full;                             // on every lane of the source a circuit starts
  logic ends, probes, tears, stands, fails;

  setup_order #(
      .Streams(Streams)
  ) u_order (
      .clk_i,
      .rst_ni,
      .restart_i (start_i),
      .streams_i (start_i ? streams_i : streams_q),
      .shuffle_i (shuffle),
      .shuffled_o(shuffled),
      .order_o   (order_places)
  );

  function automatic logic [StreamWidth-1:0] at(logic [Streams-1:0][StreamWidth-1:0] places,
                                                logic [CountWidth-1:0] place);
    logic [StreamWidth-1:0] found;
    found = '0;
    for (int unsigned s = 0; s < Streams; s++) found |= place == CountWidth'(s) ? places[s] : '0;
    return found;
  endfunction

  assign stream = at(order_places, position_q);
  assign last = at(order_places, standing_d);
  assign source = source_q[stream];
  assign full = started_q[source] == StartedWidth'(CircuitLanes);
  assign ends = !asks_q && outcome_valid_i;

  always_comb begin
    phase_d = phase_q;
    position_d = position_q;
    standing_d = standing_q;
    order_d = order_q;
    wait_d = wait_q == '0 ? '0 : wait_q - 1'b1;
    search_d = search_q;
    success_d = success_q;
    probes = 1'b0;
    tears = 1'b0;
    stands = 1'b0;
    fails = 1'b0;
    shuffle = 1'b0;
    forgets = 1'b0;
    unique case (phase_q)
      SetupPhaseDone: ;
      SetupPhasePassesToken: begin
        if (wait_q == '0 && shuffled && !asks_q) begin
          if (position_q == streams_q) begin
            phase_d = SetupPhaseDone;
            success_d = 1'b1;
          end else if (full) begin
            fails = 1'b1;
          end else if (search_q == LastSearch) begin
            forgets = 1'b1;
            search_d = '0;
          end else begin
            phase_d = SetupPhaseSearches;
            probes = 1'b1;
            search_d = search_q + 1'b1;
          end
        end
      end
      SetupPhaseSearches: begin
        if (ends && outcome_success_i) begin
          stands = 1'b1;
          position_d = position_q + 1'b1;
          standing_d = position_d;
          phase_d = SetupPhasePassesToken;
          wait_d = WaitWidth'(TokenCycles - 1);
        end else if (ends) begin
          fails = 1'b1;
        end
      end
      SetupPhaseTearsDown: fails = ends;
    endcase
    // What stands of the order is torn down; then comes another one.
    if (fails && standing_q != '0) begin
      phase_d = SetupPhaseTearsDown;
      standing_d = standing_q - 1'b1;
      tears = 1'b1;
    end else if (fails) begin
      position_d = '0;
      if (order_q > OrderWidth'(Retries)) begin
        phase_d = SetupPhaseDone;
      end else begin
        phase_d = SetupPhasePassesToken;
        order_d = order_q + 1'b1;
        wait_d = WaitWidth'(TokenCycles - 1);
        shuffle = 1'b1;
      end
    end
    if (start_i) begin
      phase_d = SetupPhasePassesToken;
      position_d = '0;
      standing_d = '0;
      order_d = OrderWidth'(1);
      wait_d = '0;
      success_d = 1'b0;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      phase_q    <= SetupPhaseDone;
      streams_q  <= '0;
      position_q <= '0;
      standing_q <= '0;
      order_q    <= '0;
      wait_q     <= '0;
      search_q   <= '0;
      asks_q     <= 1'b0;
      forgets_q  <= 1'b0;
      success_q  <= 1'b0;
      started_q  <= '0;
      lane_q     <= '0;
    end else begin
      phase_q    <= phase_d;
      position_q <= position_d;
      standing_q <= standing_d;
      order_q    <= order_d;
      wait_q     <= wait_d;
      search_q   <= search_d;
      asks_q     <= request_valid_o && !request_ready_i;
      forgets_q  <= request_all_o;
      success_q  <= success_d;
      if (start_i) streams_q <= streams_i;
      if (stands) begin
        started_q[source] <= started_q[source] + 1'b1;
        lane_q[stream] <= LaneWidth'(started_q[source]);
      end
      if (tears) started_q[source_q[last]] <= started_q[source_q[last]] - 1'b1;
    end
  end

  // no reset: the table is read only where it has been written
  always_ff @(posedge clk_i) begin
    if (stream_write_i) begin
      source_q[stream_index_i] <= stream_source_i;
      destination_q[stream_index_i] <= stream_destination_i;
    end
  end

  // A request that is not taken at once stands, by registers.
  logic tearing;
  assign tearing = tears || (asks_q && phase_q == SetupPhaseTearsDown);
  assign request_valid_o = probes || tears || forgets || asks_q;
  assign request_all_o = forgets || (asks_q && forgets_q);
  assign request_kind_o = tearing ? ControlKindTearDown : request_all_o ? ControlKindAcknowledge : ControlKindProbe;
  assign request_stream_o = tearing ? last : stream;
  assign request_node_o = source_q[request_stream_o];
  assign request_lane_o = tearing ? lane_q[last] : LaneWidth'(started_q[source]);
  assign request_search_o = search_d;
  assign request_destination_o = destination_q[request_stream_o];
  assign state_o = phase_q;
  assign order_o = order_q;
  assign stream_o = stream;
  assign standing_o = standing_q;
  assign success_o = success_q;
  assign started_o = started_q;
  assign lane_o = lane_q;

  `BRAID_REQUIRE(StartWhenDone, !start_i || (phase_q == SetupPhaseDone && standing_q == '0))
  `BRAID_REQUIRE(NotMoreStreams, !start_i || int'(streams_i) <= Streams)
  `BRAID_REQUIRE(TableBeforeStart, !stream_write_i || phase_q == SetupPhaseDone)
  `BRAID_REQUIRE(OutcomeOfRequest, !outcome_valid_i ||
                 (!asks_q && (phase_q == SetupPhaseSearches || phase_q == SetupPhaseTearsDown)))
  `BRAID_ASSERT(OneKind, $onehot0({probes, tears, forgets}))
  `BRAID_ASSERT(StandingFirst, standing_q <= position_q || phase_q == SetupPhaseTearsDown)
  `BRAID_ASSERT(SuccessIsAll, !success_q || standing_q == streams_q)
endmodule
