// SPDX-License-Identifier: Apache-2.0
// Pairs are a matching of what is wanted; as many iterations as there are inputs or outputs leave nobody over who could
// be served. Whoever keeps wanting is served within a bound. An output's arbiter moves past an input only when that has
// accepted it, so the output grants it again and again; each time the input may prefer one of Outputs - 1 others that
// come before it. Meanwhile an input that begins to want and stands earlier can take the grant, once each: Inputs *
// (Inputs * (Outputs - 1) + 1) cycles in all.
`include "proof.svh"

module islip_matching_proof #(
    parameter int unsigned Inputs = 2,
    parameter int unsigned Outputs = 2,
    parameter bit Arbiter = 1'b0,
    parameter int unsigned Iterations = 1,
    parameter bit Waits = 1'b1  // the bound, too
) (
    input logic                           clk_i,
    input logic [Inputs-1:0][Outputs-1:0] want_i
);
  `PROOF_RESET

  logic [Inputs-1:0][Outputs-1:0] pair;

  islip_matching #(
      .Inputs(Inputs),
      .Outputs(Outputs),
      .Arbiter(router_pkg::arbiter_e'(Arbiter)),
      .Iterations(Iterations)
  ) u_dut (
      .clk_i,
      .rst_ni,
      .want_i,
      .pair_o(pair)
  );

  logic [Outputs-1:0] taken;
  always_comb begin
    taken = '0;
    for (int unsigned i = 0; i < Inputs; i++) taken |= pair[i];
  end
  `PROVE(SomeoneServed, |want_i == |pair)

  for (genvar i = 0; i < int'(Inputs); i++) begin : gen_input
    `PROVE(OneOutput, $onehot0(pair[i]))
    `PROVE(OnlyWanted, (pair[i] & ~want_i[i]) == '0)
    if (Iterations >= Inputs || Iterations >= Outputs) begin : gen_maximal
      `PROVE(NobodyLeftOver, pair[i] != '0 || (want_i[i] & ~taken) == '0)
    end
    for (genvar j = i + 1; j < int'(Inputs); j++) begin : gen_other
      `PROVE(OneInput, (pair[i] & pair[j]) == '0)
    end
    if (Waits) begin : gen_waits
      for (genvar o = 0; o < int'(Outputs); o++) begin : gen_output
        logic [7:0] wait_q;
        logic waited_q;
        always_ff @(posedge clk_i or negedge rst_ni) begin
          if (!rst_ni) begin
            wait_q <= '0;
            waited_q <= 1'b0;
          end else begin
            wait_q <= want_i[i][o] && !pair[i][o] ? wait_q + 1'b1 : '0;
            waited_q <= want_i[i][o] && !pair[i][o];
          end
        end
        `ASSUME(KeepsWanting, !waited_q || want_i[i][o])
        `PROVE(Served, int'(wait_q) < Inputs * (Inputs * (Outputs - 1) + 1))
      end
    end
  end
endmodule
