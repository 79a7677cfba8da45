// The circuit that comes in at one input port: a small buffer that a flit may pass in the cycle in which it arrives, so
// that SA sees it while it is on the link (two cycles a hop).
`include "assert.svh"

module circuit_input #(
    parameter int unsigned Ports = 5,
    parameter int unsigned Depth = 5,
    parameter int unsigned Width = 66,
    localparam int unsigned PortWidth = router_pkg::index_width(Ports)
) (
    input  logic                 clk_i,
    input  logic                 rst_ni,
    input  logic                 push_i,           // a circuit's flit is on the link
    input  logic [    Width-1:0] flit_i,
    input  logic                 out_valid_i,      // the circuit's reservation
    input  logic [PortWidth-1:0] out_port_i,
    input  logic [    Ports-1:0] credit_i,         // [output port] has credit for a circuit's flit
    output logic                 grant_o,          // the flit crosses the switch in the next cycle
    output logic [    Ports-1:0] taken_output_o,
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
      .pop_i    (grant_o),
      .data_o   (flit_o),
      .valid_o  (valid),
      .count_o  (),
      .count_d_o(count_d)
  );

  assign holds_flits_d_o = count_d != '0;
  for (genvar p = 0; p < int'(Ports); p++) begin : gen_output
    assign taken_output_o[p] = valid && out_valid_i && out_port_i == PortWidth'(p) && credit_i[p];
  end
  assign grant_o = |taken_output_o;

  `BRAID_REQUIRE(FlitsOnlyOnCircuit, !push_i || out_valid_i)
  `BRAID_ASSERT(OneOutput, $onehot0(taken_output_o))
endmodule
