// SPDX-License-Identifier: Apache-2.0
// A reservation has one owner, read from either side.
`include "proof.svh"

module circuit_table_proof #(
    parameter int unsigned Rows = 4,
    localparam int unsigned RowWidth = router_pkg::index_width(Rows)
) (
    input logic                 clk_i,
    input logic                 release_i,
    input logic [RowWidth-1:0] release_in_i,
    input logic [RowWidth-1:0] release_out_i,
    input logic                 reserve_i,
    input logic [RowWidth-1:0] reserve_in_i,
    input logic [RowWidth-1:0] reserve_out_i
);
  `PROOF_RESET

  logic [Rows-1:0] out_valid, in_valid;
  logic [Rows-1:0][RowWidth-1:0] out_row, in_row;

  circuit_table #(
      .Rows(Rows)
  ) u_dut (
      .clk_i,
      .rst_ni,
      .release_i,
      .release_in_i,
      .release_out_i,
      .reserve_i,
      .reserve_in_i,
      .reserve_out_i,
      .out_valid_o(out_valid),
      .out_row_o  (out_row),
      .in_valid_o (in_valid),
      .in_row_o   (in_row)
  );

  for (genvar a = 0; a < int'(Rows); a++) begin : gen_input
    `PROVE(RowExists, !out_valid[a] || int'(out_row[a]) < Rows)
    for (genvar b = a + 1; b < int'(Rows); b++) begin : gen_other
      `PROVE(OneOwner, !(out_valid[a] && out_valid[b]) || out_row[a] != out_row[b])
      `PROVE(OneOutput, !(in_valid[a] && in_valid[b]) || in_row[a] != in_row[b])
    end
  end
  `PROVE(AsManyOutputsAsInputs, $countones(out_valid) == $countones(in_valid))
endmodule
