// SPDX-License-Identifier: Apache-2.0
// Four set-up units as a 2x2 mesh, any of whose links may be reserved already: a search from router 0 to the node of
// router 3 ends within Bound cycles, finds a path exactly if there is one, and leaves reservations only on success.
`include "proof.svh"

module setup_network_proof
  import router_pkg::*;
#(
    parameter int unsigned Bound = 24,
    localparam int unsigned Ports = 3,  // to the neighbour in x, in y, and to the node
    localparam int unsigned PortWidth = index_width(Ports)
) (
    input logic                      clk_i,
    input logic [3:0][Ports-1:0]     busy_i  // output ports that other circuits hold
);
  `PROOF_RESET

  logic [3:0][Ports-1:0] busy_q;
  logic [7:0] cycle_q;
  logic started_q, ended_q, found_q;

  logic [3:0][Ports-1:0] send;
  control_kind_e send_kind[4];
  logic [3:0][SearchWidth-1:0] send_search;
  logic [3:0][Ports-1:0] table_held;
  logic [3:0] done, success;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      busy_q <= busy_i;
      cycle_q <= '0;
      started_q <= 1'b0;
      ended_q <= 1'b0;
      found_q <= 1'b0;
    end else begin
      if (cycle_q != 8'hff) cycle_q <= cycle_q + 1'b1;
      started_q <= 1'b1;
      if (done[0]) begin
        ended_q <= 1'b1;
        found_q <= success[0];
      end
    end
  end

  for (genvar r = 0; r < 4; r++) begin : gen_router
    localparam int X = r ^ 1;  // neighbours; both ends of a link have the same port number
    localparam int Y = r ^ 2;
    logic from_x, from_y, from_node, releases, reserves;
    logic [PortWidth-1:0] release_in, release_out, reserve_in, reserve_out;
    logic [Ports-1:0] in_valid, out_valid;
    logic [Ports-1:0][PortWidth-1:0] in_port, out_port;
    logic [DestinationWidth-1:0] lookup, send_destination;
    control_kind_e kind;
    logic [SearchWidth-1:0] search;

    assign from_x = send[X][0];
    assign from_y = send[Y][1];
    assign from_node = r == 0 && rst_ni && !started_q;
    assign kind = from_node ? ControlKindProbe : from_x ? send_kind[X] : send_kind[Y];
    assign search = from_node ? SearchWidth'(1) : from_x ? send_search[X] : send_search[Y];
    assign table_held[r] = in_valid;

    setup_unit #(
        .Ports(Ports)
    ) u_unit (
        .clk_i,
        .rst_ni,
        .network_ports_i(3'b011),
        .local_ports_i(3'b100),
        .avoid_ports_i('0),
        .valid_i(from_x || from_y || from_node),
        .ready_o(),
        .row_i(from_node ? PortWidth'(2) : from_x ? PortWidth'(0) : PortWidth'(1)),
        .kind_i(kind),
        .search_i(search),
        .destination_i('0),
        .lookup_o(lookup),
        .directions_i(r == 3 ? 3'b100 : {1'b0, r < 2, (r & 1) == 0}),
        .circuit_out_i(out_port),
        .held_i(in_valid | busy_q[r]),
        .circuit_in_i(in_port),
        .holds_flits_i('0),
        .release_o(releases),
        .release_in_o(release_in),
        .release_out_o(release_out),
        .reserve_o(reserves),
        .reserve_in_o(reserve_in),
        .reserve_out_o(reserve_out),
        .send_o(send[r]),
        .send_kind_o(send_kind[r]),
        .send_search_o(send_search[r]),
        .send_destination_o(send_destination),
        .done_o(done[r]),
        .success_o(success[r])
    );
    circuit_table #(
        .Rows(Ports)
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
        .out_row_o(out_port),
        .in_valid_o(in_valid),
        .in_row_o(in_port)
    );
    `PROVE(OneMessageIn, !(from_x && from_y) && !(from_node && (from_x || from_y)))
  end

  logic path;
  assign path = !busy_q[3][2] && ((!busy_q[0][0] && !busy_q[1][1]) || (!busy_q[0][1] && !busy_q[2][0]));
  `PROVE(SearchEnds, int'(cycle_q) < Bound || ended_q)
  `PROVE(EndsOnce, !(ended_q && done[0]))
  `PROVE(FindsAPathIfThereIsOne, !ended_q || found_q == path)
  `PROVE(FailureLeavesNothing, !(ended_q && !found_q) || table_held == '0)
  `PROVE(PathIsReserved, !(ended_q && found_q) || (table_held[3][2] && |table_held[0][1:0]))
endmodule
