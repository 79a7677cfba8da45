// One set-up unit and its circuit table, among neighbours that keep the protocol: a reservation has one owner, every
// message is answered, a search leaves by each port at most once and so ends, and one that failed here left nothing
// behind.
`include "proof.svh"

module setup_unit_proof
  import router_pkg::*;
#(
    parameter int unsigned Ports = 4,  // the last one is local
    localparam int unsigned PortWidth = index_width(Ports)
) (
    input logic                        clk_i,
    input logic                        valid_i,
    input logic [PortWidth-1:0]        port_i,
    input control_kind_e               kind_i,
    input logic [SearchWidth-1:0]      search_i,
    input logic [DestinationWidth-1:0] destination_i,
    input logic [Ports-1:0]            directions_i,
    input logic [Ports-1:0]            holds_flits_i
);
  `PROOF_RESET

  localparam logic [Ports-1:0] LocalPorts = Ports'(1) << (Ports - 1);

  logic [Ports-1:0] out_valid, in_valid, send;
  logic [Ports-1:0][PortWidth-1:0] out_port, in_port;
  logic releases, reserves, done, success;
  logic [PortWidth-1:0] release_in, release_out, reserve_in, reserve_out;
  control_kind_e send_kind;
  logic [SearchWidth-1:0] send_search;
  logic [DestinationWidth-1:0] lookup, send_destination;

  setup_unit #(
      .Ports(Ports)
  ) u_dut (
      .clk_i,
      .rst_ni,
      .network_ports_i(~LocalPorts),
      .local_ports_i(LocalPorts),
      .valid_i,
      .port_i,
      .kind_i,
      .search_i,
      .destination_i,
      .lookup_o(lookup),
      .directions_i,
      .circuit_out_i(out_port),
      .held_i(in_valid),
      .circuit_in_i(in_port),
      .holds_flits_i,
      .release_o(releases),
      .release_in_o(release_in),
      .release_out_o(release_out),
      .reserve_o(reserves),
      .reserve_in_o(reserve_in),
      .reserve_out_o(reserve_out),
      .send_o(send),
      .send_kind_o(send_kind),
      .send_search_o(send_search),
      .send_destination_o(send_destination),
      .done_o(done),
      .success_o(success)
  );

  circuit_table #(
      .Ports(Ports)
  ) u_table (
      .clk_i,
      .rst_ni,
      .release_i(releases),
      .release_in_i(release_in),
      .release_out_i(release_out),
      .reserve_i(reserves),
      .reserve_in_i(reserve_in),
      .reserve_out_i(reserve_out),
      .out_valid_o(out_valid),
      .out_port_o(out_port),
      .in_valid_o(in_valid),
      .in_port_o(in_port)
  );

  // What this router is waiting for: the answer to the probe it sent last, or the end of a tear-down that waits.
  logic awaiting_q, tearing_q, looked_q;
  logic [PortWidth-1:0] awaited_q, tear_port_q;
  logic [SearchWidth-1:0] search_q;
  logic [Ports-1:0] directions_q;
  logic [7:0] probes_q;
  logic probe_leaves, new_search;

  assign new_search = valid_i && kind_i == ControlKindProbe && search_i != search_q;
  assign probe_leaves = reserves && !(|(directions_i & LocalPorts));

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      awaiting_q <= 1'b0;
      awaited_q <= '0;
      search_q <= '0;
      probes_q <= '0;
      tearing_q <= 1'b0;
      tear_port_q <= '0;
      directions_q <= '0;
      looked_q <= 1'b0;
    end else begin
      if (new_search) search_q <= search_i;
      if (valid_i && (kind_i == ControlKindBacktrack || kind_i == ControlKindAcknowledge || new_search)) begin
        awaiting_q <= probe_leaves;
        awaited_q <= reserve_out;
      end
      probes_q <= (new_search ? 8'd0 : probes_q) + 8'(probe_leaves);
      tearing_q <= (tearing_q || (valid_i && kind_i == ControlKindTearDown)) && !releases;
      if (valid_i && kind_i == ControlKindTearDown) tear_port_q <= port_i;
      directions_q <= directions_i;
      looked_q <= awaiting_q || new_search;
    end
  end

  // The protocol of the neighbours. One search or tear-down at a time in the network.
  logic answer;
  assign answer = kind_i == ControlKindBacktrack || kind_i == ControlKindAcknowledge;
  `ASSUME(PortExists, int'(port_i) < Ports)
  `ASSUME(NothingWhileTearingDown, !(tearing_q && valid_i))
  `ASSUME(AnswersToOurProbe, !(valid_i && answer) || (awaiting_q && port_i == awaited_q))
  `ASSUME(NewSearchWhenIdle, !new_search || (!awaiting_q && search_i != '0))
  `ASSUME(SearchesAreNumbered, !(valid_i && kind_i == ControlKindProbe) || search_i != '0)
  `ASSUME(LoopsComeOverLinks,
          !(valid_i && kind_i == ControlKindProbe && !new_search) || !LocalPorts[port_i])
  `ASSUME(ProbesComeOverFreeInputs, !new_search || !out_valid[port_i])
  `ASSUME(TearDownOfCircuit,
          !(valid_i && kind_i == ControlKindTearDown) || (out_valid[port_i] && !awaiting_q))
  `ASSUME(DirectionsOfOneDestination, !(looked_q && !new_search) || directions_i == directions_q)
  `ASSUME(DirectionsAreLocalOrNot, (directions_i & LocalPorts) == '0 || (directions_i & ~LocalPorts) == '0)
  `ASSUME(FlitsOnlyOnCircuits, (holds_flits_i & ~out_valid) == '0)

  for (genvar a = 0; a < int'(Ports); a++) begin : gen_port
    for (genvar b = a + 1; b < int'(Ports); b++) begin : gen_other
      `PROVE(OneOwner, !(out_valid[a] && out_valid[b]) || out_port[a] != out_port[b])
    end
  end
  `PROVE(SearchEnds, int'(probes_q) < Ports)
  `PROVE(FailureLeavesNothing,
         !(valid_i && kind_i == ControlKindBacktrack && !reserves) || (releases && release_out == port_i))
  `PROVE(OneMessageOut, $onehot0({send, done}))
endmodule
