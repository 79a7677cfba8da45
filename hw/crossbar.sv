// SPDX-License-Identifier: Apache-2.0
// ST: every output port takes the flit of the input port whose ST register names it.
`include "assert.svh"

module crossbar #(
    parameter int unsigned Ports = 5,
    parameter int unsigned Width = 70,
    localparam int unsigned PortWidth = router_pkg::index_width(Ports)
) (
    input  logic                            clk_i,
    input  logic                            rst_ni,
    input  logic [Ports-1:0]                valid_i,
    input  logic [Ports-1:0][PortWidth-1:0] out_port_i,
    input  logic [Width-1:0]                flit_i [Ports],
    output logic [Ports-1:0]                valid_o,
    output logic [Width-1:0]                flit_o [Ports]
);
  for (genvar o = 0; o < int'(Ports); o++) begin : gen_output
    logic [Ports-1:0] select;
    for (genvar p = 0; p < int'(Ports); p++) begin : gen_select
      assign select[p] = valid_i[p] && out_port_i[p] == PortWidth'(o);
    end
    always_comb begin
      flit_o[o] = '0;
      for (int unsigned p = 0; p < Ports; p++) if (select[p]) flit_o[o] |= flit_i[p];
    end
    assign valid_o[o] = |select;

    `BRAID_ASSERT(OneFlitAnOutput, $onehot0(select))
  end

`ifdef SYNTHESIS
  logic unused;
  assign unused = ^{clk_i, rst_ni};
`endif
endmodule
