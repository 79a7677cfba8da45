// Which input port's circuit holds which output port. Written by the set-up unit; read in both directions.
`include "assert.svh"

module circuit_table #(
    parameter int unsigned Ports = 5,
    localparam int unsigned PortWidth = router_pkg::index_width(Ports)
) (
    input  logic                            clk_i,
    input  logic                            rst_ni,
    input  logic                            release_i,      // takes effect before reserve_i
    input  logic [PortWidth-1:0]            release_in_i,
    input  logic [PortWidth-1:0]            release_out_i,
    input  logic                            reserve_i,
    input  logic [PortWidth-1:0]            reserve_in_i,
    input  logic [PortWidth-1:0]            reserve_out_i,
    output logic [Ports-1:0]                out_valid_o,    // [input port] its circuit holds out_port_o
    output logic [Ports-1:0][PortWidth-1:0] out_port_o,
    output logic [Ports-1:0]                in_valid_o,     // [output port] held by the circuit of in_port_o
    output logic [Ports-1:0][PortWidth-1:0] in_port_o
);
  logic [Ports-1:0] out_valid_q, in_valid_q;
  logic [Ports-1:0][PortWidth-1:0] out_port_q, in_port_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      out_valid_q <= '0;
      in_valid_q  <= '0;
      out_port_q  <= '0;
      in_port_q   <= '0;
    end else begin
      if (release_i) begin
        out_valid_q[release_in_i]  <= 1'b0;
        in_valid_q[release_out_i] <= 1'b0;
      end
      if (reserve_i) begin
        out_valid_q[reserve_in_i]  <= 1'b1;
        out_port_q[reserve_in_i]   <= reserve_out_i;
        in_valid_q[reserve_out_i] <= 1'b1;
        in_port_q[reserve_out_i]  <= reserve_in_i;
      end
    end
  end

  assign out_valid_o = out_valid_q;
  assign out_port_o  = out_port_q;
  assign in_valid_o  = in_valid_q;
  assign in_port_o   = in_port_q;

  `BRAID_REQUIRE(PortsExist, (!release_i || (int'(release_in_i) < Ports && int'(release_out_i) < Ports)) &&
                 (!reserve_i || (int'(reserve_in_i) < Ports && int'(reserve_out_i) < Ports)))
  `BRAID_REQUIRE(ReleaseOfHeld, !release_i || (out_valid_q[release_in_i] && out_port_q[release_in_i] == release_out_i))
  `BRAID_REQUIRE(ReserveOfFreeInput,
                 !reserve_i || !out_valid_q[reserve_in_i] || (release_i && release_in_i == reserve_in_i))
  `BRAID_REQUIRE(ReserveOfFreeOutput,
                 !reserve_i || !in_valid_q[reserve_out_i] || (release_i && release_out_i == reserve_out_i))
  for (genvar p = 0; p < int'(Ports); p++) begin : gen_one_owner
    `BRAID_ASSERT(OutputKnowsInput,
                  !out_valid_q[p] || (in_valid_q[out_port_q[p]] && in_port_q[out_port_q[p]] == PortWidth'(p)))
    `BRAID_ASSERT(InputKnowsOutput,
                  !in_valid_q[p] || (out_valid_q[in_port_q[p]] && out_port_q[in_port_q[p]] == PortWidth'(p)))
  end
endmodule
