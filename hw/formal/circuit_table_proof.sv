// A reservation has one owner, read from either side.
`include "proof.svh"

module circuit_table_proof #(
    parameter int unsigned Ports = 4,
    localparam int unsigned PortWidth = router_pkg::index_width(Ports)
) (
    input logic                 clk_i,
    input logic                 release_i,
    input logic [PortWidth-1:0] release_in_i,
    input logic [PortWidth-1:0] release_out_i,
    input logic                 reserve_i,
    input logic [PortWidth-1:0] reserve_in_i,
    input logic [PortWidth-1:0] reserve_out_i
);
  `PROOF_RESET

  logic [Ports-1:0] out_valid, in_valid;
  logic [Ports-1:0][PortWidth-1:0] out_port, in_port;

  circuit_table #(
      .Ports(Ports)
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
      .out_port_o (out_port),
      .in_valid_o (in_valid),
      .in_port_o  (in_port)
  );

  for (genvar a = 0; a < int'(Ports); a++) begin : gen_input
    `PROVE(PortExists, !out_valid[a] || int'(out_port[a]) < Ports)
    for (genvar b = a + 1; b < int'(Ports); b++) begin : gen_other
      `PROVE(OneOwner, !(out_valid[a] && out_valid[b]) || out_port[a] != out_port[b])
      `PROVE(OneOutput, !(in_valid[a] && in_valid[b]) || in_port[a] != in_port[b])
    end
  end
  `PROVE(AsManyOutputsAsInputs, $countones(out_valid) == $countones(in_valid))
endmodule
