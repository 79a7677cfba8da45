// SPDX-License-Identifier: Apache-2.0
// Four set-up units as a 2x2 mesh, any of whose links may be taken: a search from router 0 to the node of router 3, then
// the tear-down of what it found or nothing, then a second search, between any two routers. It has the next number; or the
// first one's again, after all units were told to forget (that any new number is new to a unit: setup_unit_proof). The second search knows nothing of the
// first but what stands: it ends in time, finds a path if and only if there is one, and a failure leaves nothing behind.
// A tear-down ends in time and leaves nothing.
`include "proof.svh"

module setup_twice_proof
  import router_pkg::*;
#(
    parameter bit Forgets = 1'b0,
    parameter int unsigned Bound = 24,    // cycles of a search
    localparam int unsigned TearDownBound = 8,
    localparam int unsigned Ports = 3,  // to the neighbour in x, in y, and to the node
    localparam int unsigned PortWidth = router_pkg::index_width(Ports)
) (
    input logic                        clk_i,
    input logic [3:0][Ports-1:0]       busy_i,      // output ports that other circuits hold
    input logic                        tears_i,     // what the first one found is torn down
    input logic [1:0]                  source_i,    // of the second one
    input logic [1:0]                  destination_i
);
  `PROOF_RESET

  typedef enum logic [2:0] {First, TearDown, Forget, Second, Over} step_e;
  step_e step_q;
  logic [3:0][Ports-1:0] busy_q;
  localparam logic [SearchWidth-1:0] SecondNumber = Forgets ? SearchWidth'(1) : SearchWidth'(2);
  logic [1:0] source_q, destination_q, from, to;
  logic tears_q, asks_q, found_q, found_second_q;
  logic [5:0] cycle_q;  // of this step

  logic [3:0][Ports-1:0] send;
  control_kind_e send_kind[4];
  logic [3:0][SearchWidth-1:0] send_search;
  logic [3:0][Ports-1:0] table_held, stood_q;
  logic [3:0] done, success;
  logic ends;
  control_kind_e asked;

  assign from = step_q == Second ? source_q : 2'd0;
  assign to = step_q == Second ? destination_q : 2'd3;
  assign asked = step_q == TearDown ? ControlKindTearDown : step_q == Forget ? ControlKindAcknowledge : ControlKindProbe;
  assign ends = |done || (step_q == Forget && asks_q);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      step_q <= First;
      busy_q <= busy_i;
      tears_q <= tears_i;
      source_q <= source_i;
      destination_q <= destination_i;
      asks_q <= 1'b1;
      found_q <= 1'b0;
      found_second_q <= 1'b0;
      stood_q <= '0;
      cycle_q <= '0;
    end else begin
      asks_q <= ends && step_q != Second;
      cycle_q <= ends ? '0 : cycle_q + 1'b1;
      if (ends) begin
        unique case (step_q)
          First: begin
            found_q <= |(done & success);
            step_q <= |(done & success) && tears_q ? TearDown : Forgets ? Forget : Second;
          end
          TearDown: step_q <= Forgets ? Forget : Second;
          Forget: step_q <= Second;
          default: begin
            found_second_q <= |(done & success);
            step_q <= Over;
          end
        endcase
        if (step_q != Second) stood_q <= table_held;
      end
    end
  end

  for (genvar r = 0; r < 4; r++) begin : gen_router
    localparam int X = r ^ 1;  // neighbours; both ends of a link have the same port number
    localparam int Y = r ^ 2;
    logic from_x, from_y, from_node;
    control_kind_e kind;
    logic [SearchWidth-1:0] search, node_search;

    assign from_x = send[X][0];
    assign from_y = send[Y][1];
    assign from_node = rst_ni && asks_q && (step_q == Forget || from == 2'(r));
    assign kind = from_node ? asked : from_x ? send_kind[X] : send_kind[Y];
    assign node_search = step_q == Forget ? '0 : step_q == Second ? SecondNumber : SearchWidth'(1);
    assign search = from_node ? node_search : from_x ? send_search[X] : send_search[Y];

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
        .directions_i(2'(r) == to ? 3'b100 : {1'b0, 2'(r) ^ to}),
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
    `PROVE(OneMessageIn, $onehot0({from_x, from_y, from_node}))
  end

  // The lane of node 0 carries the first circuit while it stands.
  logic table_held_from_node;
  assign table_held_from_node = found_q && !tears_q;

  // A node with a circuit that stands starts no other.
  `ASSUME(LaneIsFree, step_q != Second || !asks_q || source_q != 2'd0 || !table_held_from_node)

  // Links that are free for the second search: router to destination by breadth, 3 rounds reach all of four routers.
  logic [3:0][Ports-1:0] taken;
  logic [3:0] reached;
  always_comb begin
    taken = busy_q | stood_q;
    reached = 4'(1) << source_q;
    for (int unsigned round = 0; round < 3; round++) begin
      for (int unsigned r = 0; r < 4; r++) begin
        if (reached[r] && !taken[r][0]) reached[r^1] = 1'b1;
        if (reached[r] && !taken[r][1]) reached[r^2] = 1'b1;
      end
    end
  end
  logic path;
  assign path = reached[destination_q] && !taken[destination_q][2];

  `PROVE(SearchEnds, int'(cycle_q) < (step_q == TearDown ? TearDownBound : Bound) || step_q == Over)
  `PROVE(OnlyOneEnds, $onehot0(done))
  `PROVE(NothingAfterTheEnd, step_q != Over || (send == '0 && done == '0))
  `PROVE(TearDownLeavesNothing, !(step_q == TearDown && |done) || table_held == '0)
  `PROVE(SecondFindsAPathIfThereIsOne, step_q != Over || found_second_q == path)
  `PROVE(FailureLeavesWhatStood, step_q != Over || found_second_q || table_held == stood_q)
  `PROVE(SuccessKeepsWhatStood, step_q != Over || !found_second_q || (table_held & stood_q) == stood_q)
endmodule
