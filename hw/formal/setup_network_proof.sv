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
    logic from_x, from_y, from_node;
    control_kind_e kind;
    logic [SearchWidth-1:0] search;

    assign from_x = send[X][0];
    assign from_y = send[Y][1];
    assign from_node = r == 0 && rst_ni && !started_q;
    assign kind = from_node ? ControlKindProbe : from_x ? send_kind[X] : send_kind[Y];
    assign search = from_node ? SearchWidth'(1) : from_x ? send_search[X] : send_search[Y];

    setup_node #(
        .Ports(Ports)
    ) u_node (
        .clk_i,
        .rst_ni,
        .avoid_ports_i('0),
        .valid_i(from_x || from_y || from_node),
        .row_i(from_node ? PortWidth'(2) : from_x ? PortWidth'(0) : PortWidth'(1)),
        .kind_i(kind),
        .search_i(search),
        .destination_i('0),
        .directions_i(r == 3 ? 3'b100 : {1'b0, r < 2, (r & 1) == 0}),
        .busy_i(busy_q[r]),
        .holds_flits_i('0),
        .send_o(send[r]),
        .send_kind_o(send_kind[r]),
        .send_search_o(send_search[r]),
        .done_o(done[r]),
        .success_o(success[r]),
        .release_o(),
        .release_out_o(),
        .reserve_o(),
        .reserve_out_o(),
        .out_valid_o(),
        .out_row_o(),
        .in_valid_o(table_held[r])
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
