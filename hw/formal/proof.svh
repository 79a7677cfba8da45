// SPDX-License-Identifier: Apache-2.0
// What every proof has: a clock, and a reset that is active in the first cycle only. PROVE states a property of the
// module under proof; ASSUME limits what its environment may do.
`ifndef BRAID_PROOF_SVH
`define BRAID_PROOF_SVH

`define PROOF_RESET \
  logic rst_ni = 1'b0; \
  always_ff @(posedge clk_i) rst_ni <= 1'b1;

`define PROVE(Name, Condition) \
  always_ff @(posedge clk_i) begin \
    if (rst_ni) begin \
      Name : assert (Condition); \
    end \
  end

`define ASSUME(Name, Condition) \
  always_ff @(posedge clk_i) begin \
    if (rst_ni) begin \
      Name : assume (Condition); \
    end \
  end

`endif
