// SPDX-License-Identifier: Apache-2.0
// A circuit that comes in at an input port: a small buffer that a flit may pass in the cycle in which it arrives, so that
// SA sees it while it is on the link (two cycles a hop). It asks for the switch only with credit for its lane, so one that
// has none keeps no other circuit of its port from going.
`include "assert.svh"

module circuit_input #(
    parameter int unsigned Ports = 5,
    parameter int unsigned CircuitLanes = 1,  // rows a port
    parameter int unsigned Depth = 5,
    parameter int unsigned Width = 66,
    localparam int unsigned Rows = Ports * CircuitLanes,
    localparam int unsigned RowWidth = router_pkg::index_width(Rows)
) (
    input  logic                 clk_i,
    input  logic                 rst_ni,
    input  logic                 push_i,           // a circuit's flit is on the link
    input  logic [    Width-1:0] flit_i,
    input  logic                 out_valid_i,      // the circuit's reservation
    input  logic [ RowWidth-1:0] out_row_i,
    input  logic [     Rows-1:0] credit_i,         // [output row] has credit for a circuit's flit
    output logic [    Ports-1:0] request_o,        // [output port] there is a flit that may cross to it
    input  logic                 grant_i,          // the flit crosses the switch in the next cycle
    output logic [    Width-1:0] flit_o,
    output logic                 holds_flits_d_o   // after this cycle
);
  localparam int unsigned CountWidth = $clog2(Depth + 1);
  logic valid;
  logic [CountWidth-1:0] count_d;

  fifo #(
      .Width(Width),
      .Depth(Depth),
      .FallThrough(1'b1)
  ) u_buffer (
      .clk_i,
      .rst_ni,
      .push_i,
      .data_i   (flit_i),
      .pop_i    (grant_i),
      .data_o   (flit_o),
      .valid_o  (valid),
      .count_o  (),
      .count_d_o(count_d)
  );

  assign holds_flits_d_o = count_d != '0;
  for (genvar p = 0; p < int'(Ports); p++) begin : gen_output
    logic [CircuitLanes-1:0] lane;
    for (genvar l = 0; l < int'(CircuitLanes); l++) begin : gen_lane
      assign lane[l] = out_row_i == RowWidth'(p * CircuitLanes + l) && credit_i[p*CircuitLanes+l];
    end
    assign request_o[p] = valid && out_valid_i && |lane;
  end

  `BRAID_REQUIRE(FlitsOnlyOnCircuit, !push_i || out_valid_i)
  `BRAID_REQUIRE(GrantOfRequest, !grant_i || |request_o)
  `BRAID_ASSERT(OneOutput, $onehot0(request_o))
endmodule
