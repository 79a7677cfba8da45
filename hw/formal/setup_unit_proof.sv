// SPDX-License-Identifier: Apache-2.0
// One set-up unit and its circuit table, among neighbours that keep the protocol: a reservation has one owner, every
// message is answered, a search leaves by each port at most once and so ends, and one that failed here left nothing
// behind. A search with a number that has not been here, or that was forgotten, goes on wherever there is a way; any other
// probe goes back.
`include "proof.svh"

module setup_unit_proof
  import router_pkg::*;
#(
    parameter int unsigned Ports = 4,  // the last ones are local
    parameter int unsigned Locals = 1,
    parameter int unsigned CircuitLanes = 1,
    localparam int unsigned PortWidth = index_width(Ports),
    localparam int unsigned Rows = Ports * CircuitLanes,
    localparam int unsigned RowWidth = index_width(Rows)
) (
    input logic                        clk_i,
    input logic                        valid_i,
    input logic [RowWidth-1:0]         row_i,
    input control_kind_e               kind_i,
    input logic [SearchWidth-1:0]      search_i,
    input logic [DestinationWidth-1:0] destination_i,
    input logic [Ports-1:0]            directions_i,
    input logic [Ports-1:0]            avoid_ports_i,
    input logic [Rows-1:0]             holds_flits_i
);
  `PROOF_RESET

  localparam logic [Ports-1:0] LocalPorts = ~(Ports'(0)) << (Ports - Locals);

  logic [Rows-1:0] out_valid, in_valid;
  logic [Ports-1:0] send;
  logic [Rows-1:0][RowWidth-1:0] out_row;
  logic [PortWidth-1:0] port, release_port, reserve_port;
  logic releases, reserves, done;
  logic [RowWidth-1:0] release_out, reserve_out;

  assign port = PortWidth'(row_i / CircuitLanes);
  assign release_port = PortWidth'(release_out / CircuitLanes);
  assign reserve_port = PortWidth'(reserve_out / CircuitLanes);

  setup_node #(
      .Ports(Ports),
      .CircuitLanes(CircuitLanes),
      .LocalPorts(LocalPorts)
  ) u_dut (
      .clk_i,
      .rst_ni,
      .avoid_ports_i,
      .valid_i,
      .row_i,
      .kind_i,
      .search_i,
      .destination_i,
      .directions_i,
      .busy_i('0),
      .holds_flits_i,
      .send_o(send),
      .send_kind_o(),
      .send_search_o(),
      .done_o(done),
      .success_o(),
      .release_o(releases),
      .release_out_o(release_out),
      .reserve_o(reserves),
      .reserve_out_o(reserve_out),
      .out_valid_o(out_valid),
      .out_row_o(out_row),
      .in_valid_o(in_valid)
  );

  // What this router is waiting for: the answer to the probe it sent last, or the end of a tear-down that waits.
  logic awaiting_q, tearing_q, looked_q;
  logic [PortWidth-1:0] awaited_q;
  logic [SearchWidth-1:0] search_q;
  logic [Ports-1:0] directions_q;
  logic [7:0] probes_q;
  logic probe_leaves, new_search, send_avoids, forgets, forgot_q, arrived, way_on;

  logic answer;
  assign new_search = valid_i && kind_i == ControlKindProbe && search_i != search_q;
  assign send_avoids = new_search ? search_i[SearchWidth-1] : search_q[SearchWidth-1];  // of the search at work
  assign arrived = |(directions_i & LocalPorts);
  assign probe_leaves = reserves && !arrived;
  assign forgets = valid_i && kind_i == ControlKindAcknowledge && search_i == '0;

  // Is there a way on for a search that comes here first?
  always_comb begin
    way_on = 1'b0;
    for (int unsigned r = 0; r < Rows; r++) begin
      if (!in_valid[r] && (arrived ? LocalPorts[r/CircuitLanes] && directions_i[r/CircuitLanes] :
                           !LocalPorts[r/CircuitLanes] && r % CircuitLanes == 0 && r / CircuitLanes != 32'(port) &&
                           !(search_i[SearchWidth-1] && avoid_ports_i[r/CircuitLanes]))) begin
        way_on = 1'b1;
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      awaiting_q <= 1'b0;
      awaited_q <= '0;
      search_q <= '0;
      probes_q <= '0;
      tearing_q <= 1'b0;
      directions_q <= '0;
      looked_q <= 1'b0;
      forgot_q <= 1'b0;
    end else begin
      if (new_search) search_q <= search_i;
      if (forgets) search_q <= '0;
      forgot_q <= forgets;
      if (valid_i && (answer || new_search)) begin
        awaiting_q <= probe_leaves;
        awaited_q <= reserve_port;
      end
      probes_q <= (new_search ? 8'd0 : probes_q) + 8'(probe_leaves);
      tearing_q <= (tearing_q || (valid_i && kind_i == ControlKindTearDown)) && !releases;
      directions_q <= directions_i;
      looked_q <= awaiting_q || new_search;
    end
  end

  // The protocol of the neighbours. One search or tear-down at a time in the network.
  assign answer = kind_i == ControlKindBacktrack || (kind_i == ControlKindAcknowledge && search_i != '0);
  `ASSUME(RowExists, int'(row_i) < Rows)
  `ASSUME(LinksHaveOneCircuit, !valid_i || LocalPorts[port] || row_i == RowWidth'(port * CircuitLanes))
  `ASSUME(NothingWhileTearingDown, !(tearing_q && valid_i))
  `ASSUME(AnswersToOurProbe, !(valid_i && answer) || (awaiting_q && port == awaited_q))
  `ASSUME(NewSearchWhenIdle, !new_search || (!awaiting_q && search_i != '0))
  `ASSUME(ForgetsWhenIdle, !forgets || !awaiting_q)
  `ASSUME(SearchesAreNumbered, !(valid_i && kind_i == ControlKindProbe) || search_i != '0)
  `ASSUME(LoopsComeOverLinks,
          !(valid_i && kind_i == ControlKindProbe && !new_search) || !LocalPorts[port])
  `ASSUME(ProbesComeOverFreeInputs, !new_search || !out_valid[row_i])
  `ASSUME(TearDownOfCircuit,
          !(valid_i && kind_i == ControlKindTearDown) || (out_valid[row_i] && !awaiting_q))
  `ASSUME(DirectionsOfOneDestination, !(looked_q && !new_search) || directions_i == directions_q)
  `ASSUME(DirectionsAreLocalOrNot, (directions_i & LocalPorts) == '0 || (directions_i & ~LocalPorts) == '0)
  `ASSUME(FlitsOnlyOnCircuits, (holds_flits_i & ~out_valid) == '0)

  for (genvar a = 0; a < int'(Rows); a++) begin : gen_row
    for (genvar b = a + 1; b < int'(Rows); b++) begin : gen_other
      `PROVE(OneOwner, !(out_valid[a] && out_valid[b]) || out_row[a] != out_row[b])
    end
    // A link has one circuit.
    if (a % int'(CircuitLanes) != 0) begin : gen_further_lane
      `PROVE(LinksHaveOneCircuitOut, LocalPorts[a/int'(CircuitLanes)] || !in_valid[a])
    end
  end
  // At the destination no local port has a lower lane free than the one taken.
  logic lower_is_free;
  always_comb begin
    lower_is_free = 1'b0;
    for (int unsigned r = 0; r < Rows; r++) begin
      if (directions_i[r/CircuitLanes] && !in_valid[r] && (r % CircuitLanes) < (int'(reserve_out) % CircuitLanes)) begin
        lower_is_free = 1'b1;
      end
    end
  end
  `PROVE(SpreadsOverLocalPorts, !(reserves && LocalPorts[reserve_port]) || !lower_is_free)
  `PROVE(LeavesAvoidedLinks, !probe_leaves || !send_avoids || !avoid_ports_i[reserve_port])
  `PROVE(NewNumberIsExplored, !new_search || reserves == way_on)
  `PROVE(SeenNumberGoesBack, !(valid_i && kind_i == ControlKindProbe && !new_search) || !reserves)
  `PROVE(ForgettingIsQuiet, !forgot_q || {send, done} == '0)
  `PROVE(SearchEnds, int'(probes_q) < Ports)
  `PROVE(FailureLeavesNothing,
         !(valid_i && kind_i == ControlKindBacktrack && !reserves) || (releases && release_port == port))
  `PROVE(OneMessageOut, $onehot0({send, done}))
endmodule
