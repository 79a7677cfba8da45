// SPDX-License-Identifier: Apache-2.0
// The token: one search or tear-down is under way in the network at a time, a request that is not taken stands unchanged,
// a tear-down is of the circuit that stood up last, lanes of a node are taken from the first one on, and set-up has
// succeeded only with all circuits standing.
`include "proof.svh"

module setup_sequencer_proof
  import router_pkg::*;
#(
    parameter int unsigned Streams = 2,
    parameter int unsigned CircuitLanes = 1,
    parameter int unsigned Retries = 1,
    parameter int unsigned TokenCycles = 1,
    parameter int unsigned Searches = 3,
    localparam int unsigned Nodes = 2,
    localparam int unsigned StreamWidth = index_width(Streams),
    localparam int unsigned CountWidth = $clog2(Streams + 2),
    localparam int unsigned LaneWidth = index_width(CircuitLanes),
    localparam int unsigned StartedWidth = $clog2(CircuitLanes + 1),
    localparam int unsigned OrderWidth = $clog2(Retries + 2)
) (
    input logic                   clk_i,
    input logic                   stream_write_i,
    input logic [StreamWidth-1:0] stream_index_i,
    input logic                   stream_source_i,
    input logic                   start_i,
    input logic [CountWidth-1:0]  streams_i,
    input logic                   request_ready_i,
    input logic                   outcome_valid_i,
    input logic                   outcome_success_i
);
  `PROOF_RESET

  logic request_valid, request_all, request_node, success;
  logic [LaneWidth-1:0] request_lane;
  control_kind_e request_kind;
  logic [StreamWidth-1:0] request_stream, stream;
  logic [SearchWidth-1:0] request_search;
  logic [DestinationWidth-1:0] request_destination;
  setup_phase_e state;
  logic [OrderWidth-1:0] order;
  logic [CountWidth-1:0] standing;
  logic [Nodes-1:0][StartedWidth-1:0] started;
  logic [Streams-1:0][LaneWidth-1:0] lanes;

  setup_sequencer #(
      .Streams     (Streams),
      .Nodes       (Nodes),
      .CircuitLanes(CircuitLanes),
      .Retries     (Retries),
      .TokenCycles (TokenCycles),
      .Searches    (Searches)
  ) u_dut (
      .clk_i,
      .rst_ni,
      .stream_write_i,
      .stream_index_i,
      .stream_source_i,
      .stream_destination_i('0),
      .start_i,
      .streams_i,
      .request_valid_o(request_valid),
      .request_ready_i,
      .request_all_o(request_all),
      .request_node_o(request_node),
      .request_lane_o(request_lane),
      .request_kind_o(request_kind),
      .request_stream_o(request_stream),
      .request_search_o(request_search),
      .request_destination_o(request_destination),
      .outcome_valid_i,
      .outcome_success_i,
      .state_o(state),
      .order_o(order),
      .stream_o(stream),
      .standing_o(standing),
      .success_o(success),
      .started_o(started),
      .lane_o(lanes)
  );

  logic under_way_q;                   // a request was taken, its end has not come
  logic stands_q;                      // a request was not taken
  control_kind_e kind_q;
  logic [StreamWidth-1:0] stream_q;
  logic [LaneWidth-1:0] lane_q;
  logic node_q;
  logic [SearchWidth-1:0] search_q;
  logic [SearchWidth-1:0] number_q;    // of the last search, 0 since all forgot
  logic started_q;
  logic [CountWidth-1:0] streams_q, standing_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      under_way_q <= 1'b0;
      stands_q <= 1'b0;
      kind_q <= ControlKindProbe;
      stream_q <= '0;
      lane_q <= '0;
      node_q <= 1'b0;
      search_q <= '0;
      number_q <= '0;
      started_q <= 1'b0;
      streams_q <= '0;
      standing_q <= '0;
    end else begin
      under_way_q <= (under_way_q && !outcome_valid_i) || (request_valid && request_ready_i && !request_all);
      stands_q <= request_valid && !request_ready_i;
      kind_q <= request_kind;
      stream_q <= request_stream;
      lane_q <= request_lane;
      node_q <= request_node;
      search_q <= request_search;
      if (request_valid && request_ready_i && request_all) number_q <= '0;
      if (request_valid && request_ready_i && request_kind == ControlKindProbe) number_q <= request_search;
      started_q <= started_q || start_i;
      if (start_i) streams_q <= streams_i;
      standing_q <= standing;
    end
  end

  `ASSUME(OutcomeOfRequest, !outcome_valid_i || under_way_q)
  `ASSUME(TearDownsSucceed, !outcome_valid_i || state != SetupPhaseTearsDown || outcome_success_i)
  `ASSUME(StartsOnce, !start_i || !started_q)
  `ASSUME(NotMoreStreams, int'(streams_i) <= Streams)
  `ASSUME(TableBefore, !stream_write_i || (!started_q && !start_i))
  `ASSUME(EntryExists, int'(stream_index_i) < Streams)

  `PROVE(OneAtATime, !(request_valid && under_way_q && !outcome_valid_i))
  `PROVE(RequestStands, !stands_q || (request_valid && request_kind == kind_q && request_stream == stream_q &&
                                      request_lane == lane_q && request_node == node_q && request_search == search_q))
  `PROVE(OnlyProbesAndTearDowns, !request_valid || request_all || request_kind inside {ControlKindProbe, ControlKindTearDown})
  `PROVE(ForgettingIsToAll, !request_valid || request_all == (request_kind == ControlKindAcknowledge && request_search == '0))
  `PROVE(DoneIsQuiet, state != SetupPhaseDone || (!request_valid && !under_way_q))
  `PROVE(SuccessIsAll, !success || (state == SetupPhaseDone && standing == streams_q))
  `PROVE(FailureIsNothing, !(state == SetupPhaseDone && !success) || standing == '0)
  // No number comes twice but when all have been told to forget: each is one more than the last.
  `PROVE(NumbersOfSearches, !request_valid || request_all || int'(request_search) <= Searches)
  `PROVE(NumbersAreNew, !(request_valid && !stands_q && request_kind == ControlKindProbe) || request_search == number_q + 1'b1)
  `PROVE(LanesOfANode, int'(started[0]) <= CircuitLanes && int'(started[1]) <= CircuitLanes)
  `PROVE(EachStartsSomewhere, int'(started[0]) + int'(started[1]) == int'(standing))
  `PROVE(OneMoreOrLess, standing <= standing_q + 1'b1 && standing_q <= standing + 1'b1)
endmodule
