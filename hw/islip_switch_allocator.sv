// SPDX-License-Identifier: Apache-2.0
// SA by iSLIP: every input port asks for all outputs that its VCs have flits for. Ports that circuits take in the next
// cycle, and outputs that are closed to packets, take no part. Among an input's VCs for the output that it gets a third
// arbiter chooses. The pins are those of switch_allocator.
`include "assert.svh"

module islip_switch_allocator #(
    parameter int unsigned Ports = 5,
    parameter int unsigned Vcs = 4,
    parameter router_pkg::arbiter_e Arbiter = router_pkg::ArbiterRoundRobin,
    parameter int unsigned Iterations = 1,
    localparam int unsigned PortWidth = router_pkg::index_width(Ports)
) (
    input  logic                                    clk_i,
    input  logic                                    rst_ni,
    input  logic [Ports-1:0][Vcs-1:0]               request_i,        // flit, output VC and credit are there
    input  logic [Ports-1:0][Vcs-1:0][PortWidth-1:0] out_port_i,      // of each requesting VC
    input  logic [Ports-1:0]                        taken_inputs_i,
    input  logic [Ports-1:0]                        taken_outputs_i,  // by circuits, or closed
    output logic [Ports-1:0][Vcs-1:0]               grant_o
);
  logic [Ports-1:0][Ports-1:0] want, pair;  // [input][output]

  always_comb begin
    want = '0;
    for (int unsigned p = 0; p < Ports; p++) begin
      for (int unsigned v = 0; v < Vcs; v++) begin
        if (request_i[p][v] && !taken_inputs_i[p] && !taken_outputs_i[out_port_i[p][v]]) want[p][out_port_i[p][v]] = 1'b1;
      end
    end
  end

  islip_matching #(
      .Inputs    (Ports),
      .Outputs   (Ports),
      .Arbiter   (Arbiter),
      .Iterations(Iterations)
  ) u_matching (
      .clk_i,
      .rst_ni,
      .want_i(want),
      .pair_o(pair)
  );

  for (genvar p = 0; p < int'(Ports); p++) begin : gen_input
    logic [Vcs-1:0] for_pair;  // VCs with a flit for the output that the port gets
    always_comb begin
      for (int unsigned v = 0; v < Vcs; v++) for_pair[v] = request_i[p][v] && pair[p][out_port_i[p][v]];
    end
    arbiter #(
        .Requesters(Vcs),
        .Kind(Arbiter)
    ) u_vc_arbiter (
        .clk_i,
        .rst_ni,
        .request_i(for_pair),
        .use_i(|for_pair),
        .grant_o(grant_o[p]),
        .order_o()
    );

    `BRAID_ASSERT(InputGrantOneHot, $onehot0(grant_o[p]))
    `BRAID_ASSERT(InputGrantToRequester, (grant_o[p] & ~request_i[p]) == '0)
    `BRAID_ASSERT(TakenInputKept, !taken_inputs_i[p] || grant_o[p] == '0)
    `BRAID_ASSERT(TakenOutputKept, (pair[p] & taken_outputs_i) == '0)
  end
endmodule
