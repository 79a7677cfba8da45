// SPDX-License-Identifier: Apache-2.0
// iSLIP (McKeown 1999): in each iteration every output grants one of the inputs that want it, every input accepts one of
// the outputs that grant it; who has no partner yet takes part in the next one. An arbiter's order changes only with a
// grant that is accepted in the first iteration, or somebody could wait for ever. All iterations are in one cycle, one
// behind the other. Inputs and outputs are ports of a switch or VCs.
`include "assert.svh"

module islip_matching #(
    parameter int unsigned Inputs = 5,
    parameter int unsigned Outputs = 5,
    parameter router_pkg::arbiter_e Arbiter = router_pkg::ArbiterRoundRobin,
    parameter int unsigned Iterations = 1
) (
    input  logic                            clk_i,
    input  logic                            rst_ni,
    input  logic [Inputs-1:0][Outputs-1:0]  want_i,  // [input] outputs that would do
    output logic [Inputs-1:0][Outputs-1:0]  pair_o   // [input] the one that it gets, one hot
);
  localparam bit Matrix = Arbiter == router_pkg::ArbiterMatrix;
  localparam int unsigned GrantOrderWidth = Inputs * (Matrix ? Inputs : 1);
  localparam int unsigned AcceptOrderWidth = Outputs * (Matrix ? Outputs : 1);

  logic [GrantOrderWidth-1:0]  grant_order  [Outputs];  // registers of the arbiters
  logic [AcceptOrderWidth-1:0] accept_order [Inputs];

  for (genvar k = 0; k < int'(Iterations); k++) begin : gen_iteration
    logic [Inputs-1:0]  inputs_free;   // without a partner when it begins
    logic [Outputs-1:0] outputs_free;
    logic [Inputs-1:0]  asked    [Outputs];
    logic [Inputs-1:0]  granted  [Outputs];
    logic [Outputs-1:0] offered  [Inputs];
    logic [Outputs-1:0] accepted [Inputs];

    if (k == 0) begin : gen_all_free
      assign inputs_free = '1;
      assign outputs_free = '1;
    end else begin : gen_left
      always_comb begin
        outputs_free = gen_iteration[k-1].outputs_free;
        for (int unsigned i = 0; i < Inputs; i++) begin
          inputs_free[i] = gen_iteration[k-1].inputs_free[i] && gen_iteration[k-1].accepted[i] == '0;
          outputs_free &= ~gen_iteration[k-1].accepted[i];
        end
      end
    end
    always_comb begin
      for (int unsigned o = 0; o < Outputs; o++) begin
        for (int unsigned i = 0; i < Inputs; i++) asked[o][i] = want_i[i][o] && inputs_free[i] && outputs_free[o];
      end
    end
    always_comb begin
      for (int unsigned i = 0; i < Inputs; i++) begin
        for (int unsigned o = 0; o < Outputs; o++) offered[i][o] = granted[o][i];
      end
    end
    for (genvar o = 0; o < int'(Outputs); o++) begin : gen_output
      if (k == 0) begin : gen_first
        logic used;
        always_comb begin
          used = 1'b0;
          for (int unsigned i = 0; i < Inputs; i++) used |= accepted[i][o];
        end
        arbiter #(
            .Requesters(Inputs),
            .Kind(Arbiter)
        ) u_grant_arbiter (
            .clk_i,
            .rst_ni,
            .request_i(asked[o]),
            .use_i(used),
            .grant_o(granted[o]),
            .order_o(grant_order[o])
        );
      end else begin : gen_later
        arbiter_pick #(
            .Requesters(Inputs),
            .Kind(Arbiter)
        ) u_grant_pick (
            .request_i(asked[o]),
            .order_i(grant_order[o]),
            .grant_o(granted[o])
        );
      end
    end
    for (genvar i = 0; i < int'(Inputs); i++) begin : gen_input
      if (k == 0) begin : gen_first
        arbiter #(
            .Requesters(Outputs),
            .Kind(Arbiter)
        ) u_accept_arbiter (
            .clk_i,
            .rst_ni,
            .request_i(offered[i]),
            .use_i(|offered[i]),
            .grant_o(accepted[i]),
            .order_o(accept_order[i])
        );
      end else begin : gen_later
        arbiter_pick #(
            .Requesters(Outputs),
            .Kind(Arbiter)
        ) u_accept_pick (
            .request_i(offered[i]),
            .order_i(accept_order[i]),
            .grant_o(accepted[i])
        );
      end
      logic [Outputs-1:0] pair;  // with this iteration's
      if (k == 0) begin : gen_first_pair
        assign pair = accepted[i];
      end else begin : gen_later_pair
        assign pair = gen_iteration[k-1].gen_input[i].pair | accepted[i];
      end
    end
  end

  for (genvar i = 0; i < int'(Inputs); i++) begin : gen_pair
    assign pair_o[i] = gen_iteration[Iterations-1].gen_input[i].pair;
    `BRAID_ASSERT(PairOneHot, $onehot0(pair_o[i]))
    `BRAID_ASSERT(PairWanted, (pair_o[i] & ~want_i[i]) == '0)
    for (genvar j = i + 1; j < int'(Inputs); j++) begin : gen_other
      `BRAID_ASSERT(OneInputOfAnOutput, (pair_o[i] & pair_o[j]) == '0)
    end
  end
endmodule
