// SPDX-License-Identifier: Apache-2.0
// Which circuit lane of an input port holds which of an output port: a row each. Written by the set-up unit; read in both
// directions. A row's number is that of its port, followed by that of the lane where a port has several.
`include "assert.svh"

module circuit_table #(
    parameter int unsigned Rows = 5,
    localparam int unsigned RowWidth = router_pkg::index_width(Rows)
) (
    input  logic                            clk_i,
    input  logic                            rst_ni,
    input  logic                            release_i,      // takes effect before reserve_i
    input  logic [RowWidth-1:0]            release_in_i,
    input  logic [RowWidth-1:0]            release_out_i,
    input  logic                            reserve_i,
    input  logic [RowWidth-1:0]            reserve_in_i,
    input  logic [RowWidth-1:0]            reserve_out_i,
    output logic [Rows-1:0]                out_valid_o,    // [input row] its circuit holds out_row_o
    output logic [Rows-1:0][RowWidth-1:0] out_row_o,
    output logic [Rows-1:0]                in_valid_o,     // [output row] held by the circuit of in_row_o
    output logic [Rows-1:0][RowWidth-1:0] in_row_o
);
  logic [Rows-1:0] out_valid_q, in_valid_q;
  logic [Rows-1:0][RowWidth-1:0] out_row_q, in_row_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      out_valid_q <= '0;
      in_valid_q  <= '0;
      out_row_q  <= '0;
      in_row_q   <= '0;
    end else begin
      if (release_i) begin
        out_valid_q[release_in_i]  <= 1'b0;
        in_valid_q[release_out_i] <= 1'b0;
      end
      if (reserve_i) begin
        out_valid_q[reserve_in_i]  <= 1'b1;
        out_row_q[reserve_in_i]   <= reserve_out_i;
        in_valid_q[reserve_out_i] <= 1'b1;
        in_row_q[reserve_out_i]  <= reserve_in_i;
      end
    end
  end

  assign out_valid_o = out_valid_q;
  assign out_row_o  = out_row_q;
  assign in_valid_o  = in_valid_q;
  assign in_row_o   = in_row_q;

  `BRAID_REQUIRE(RowsExist, (!release_i || (int'(release_in_i) < Rows && int'(release_out_i) < Rows)) &&
                 (!reserve_i || (int'(reserve_in_i) < Rows && int'(reserve_out_i) < Rows)))
  `BRAID_REQUIRE(ReleaseOfHeld, !release_i || (out_valid_q[release_in_i] && out_row_q[release_in_i] == release_out_i))
  `BRAID_REQUIRE(ReserveOfFreeInput,
                 !reserve_i || !out_valid_q[reserve_in_i] || (release_i && release_in_i == reserve_in_i))
  `BRAID_REQUIRE(ReserveOfFreeOutput,
                 !reserve_i || !in_valid_q[reserve_out_i] || (release_i && release_out_i == reserve_out_i))
  for (genvar r = 0; r < int'(Rows); r++) begin : gen_one_owner
    `BRAID_ASSERT(OutputKnowsInput,
                  !out_valid_q[r] || (in_valid_q[out_row_q[r]] && in_row_q[out_row_q[r]] == RowWidth'(r)))
    `BRAID_ASSERT(InputKnowsOutput,
                  !in_valid_q[r] || (out_valid_q[in_row_q[r]] && out_row_q[in_row_q[r]] == RowWidth'(r)))
  end
endmodule
