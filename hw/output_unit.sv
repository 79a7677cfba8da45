// SPDX-License-Identifier: Apache-2.0
// What a router knows of one output port's far end: credits of each lane, and which packet VCs have no owner.
`include "assert.svh"

module output_unit #(
    parameter int unsigned Vcs = 4,
    parameter int unsigned Depth = 8,
    parameter int unsigned Circuits = 1,       // circuit lanes that the port has
    parameter int unsigned CircuitLanes = 1,   // ... and that its wires are there for
    parameter int unsigned CircuitDepth = 5,
    localparam int unsigned Lanes = Vcs + CircuitLanes,
    localparam int unsigned CreditWidth = $clog2(Depth + 1)
) (
    input  logic                             clk_i,
    input  logic                             rst_ni,
    input  logic [  Lanes-1:0]               credit_i,          // a buffer place has become free downstream
    input  logic [    Vcs-1:0]               vc_granted_i,      // VA: the VC gets an owner
    input  logic [    Vcs-1:0]               send_i,            // SA: a packet's flit leaves on the VC
    input  logic                             send_tail_i,       // ... and is its last
    input  logic [CircuitLanes-1:0]          send_circuit_i,    // SA: a circuit's flit leaves
    output logic [    Vcs-1:0]               free_o,            // packet VCs without owner
    output logic [    Vcs-1:0][CreditWidth-1:0] credits_o,
    output logic [CircuitLanes-1:0]          circuit_credit_o   // there is credit for a circuit's flit
);
  logic [Vcs-1:0] free_q;

  for (genvar v = 0; v < int'(Vcs); v++) begin : gen_vc
    credit_counter #(
        .Credits(Depth)
    ) u_credits (
        .clk_i,
        .rst_ni,
        .give_i   (credit_i[v]),
        .take_i   (send_i[v]),
        .credits_o(credits_o[v])
    );
  end

  for (genvar l = 0; l < int'(CircuitLanes); l++) begin : gen_lane
    if (l < int'(Circuits)) begin : gen_circuit
      logic [$clog2(CircuitDepth + 1)-1:0] credits;
      credit_counter #(
          .Credits(CircuitDepth)
      ) u_credits (
          .clk_i,
          .rst_ni,
          .give_i   (credit_i[Vcs+l]),
          .take_i   (send_circuit_i[l]),
          .credits_o(credits)
      );
      assign circuit_credit_o[l] = credits != '0;
    end else begin : gen_no_circuit
      assign circuit_credit_o[l] = 1'b0;
      logic unused;
      assign unused = send_circuit_i[l] | credit_i[Vcs+l];
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) free_q <= '1;
    else free_q <= (free_q | (send_i & {Vcs{send_tail_i}})) & ~vc_granted_i;
  end
  assign free_o = free_q;

  `BRAID_ASSERT(OneFlit, $onehot0({send_circuit_i, send_i}))
  `BRAID_ASSERT(OnlyOwnedSend, (send_i & free_q) == '0)
  `BRAID_ASSERT(OnlyFreeGranted, (vc_granted_i & ~free_q) == '0)
endmodule
