// SPDX-License-Identifier: Apache-2.0
// SA, separable, input first: each input port offers one of its requesting VCs, then each output port takes one of the
// offers. What circuits take in the next cycle (taken_*) and outputs that are closed to packets are left out only after
// the input's choice: a VC that offers itself to a busy output loses the cycle. An arbiter's order changes only when its
// grant is used.
`include "assert.svh"

module switch_allocator #(
    parameter int unsigned Ports = 5,
    parameter int unsigned Vcs = 4,
    parameter router_pkg::arbiter_e Arbiter = router_pkg::ArbiterRoundRobin,
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
  logic [Vcs-1:0]       choice   [Ports];  // [input] one hot
  logic [PortWidth-1:0] out_port [Ports];  // [input] where the choice wants to go
  logic [Ports-1:0]     offer    [Ports];  // [output] inputs that offer a VC
  logic [Ports-1:0]     accept   [Ports];  // [output] the one of them that it takes
  logic [Ports-1:0]     used;              // [input]

  for (genvar p = 0; p < int'(Ports); p++) begin : gen_input
    arbiter #(
        .Requesters(Vcs),
        .Kind(Arbiter)
    ) u_vc_arbiter (
        .clk_i,
        .rst_ni,
        .request_i(request_i[p]),
        .use_i(used[p]),
        .grant_o(choice[p]),
        .order_o()
    );

    always_comb begin
      out_port[p] = '0;
      for (int unsigned v = 0; v < Vcs; v++) out_port[p] |= choice[p][v] ? out_port_i[p][v] : '0;
    end
    assign grant_o[p] = used[p] ? choice[p] : '0;

    `BRAID_ASSERT(InputGrantOneHot, $onehot0(grant_o[p]))
    `BRAID_ASSERT(InputGrantToRequester, (grant_o[p] & ~request_i[p]) == '0)
    `BRAID_ASSERT(TakenInputKept, !taken_inputs_i[p] || grant_o[p] == '0)
  end

  always_comb begin
    for (int unsigned o = 0; o < Ports; o++) offer[o] = '0;
    for (int unsigned p = 0; p < Ports; p++) begin
      if (|choice[p] && !taken_inputs_i[p] && !taken_outputs_i[out_port[p]]) offer[out_port[p]][p] = 1'b1;
    end
  end
  always_comb begin
    used = '0;
    for (int unsigned o = 0; o < Ports; o++) used |= accept[o];
  end

  for (genvar o = 0; o < int'(Ports); o++) begin : gen_output
    arbiter #(
        .Requesters(Ports),
        .Kind(Arbiter)
    ) u_output_arbiter (
        .clk_i,
        .rst_ni,
        .request_i(offer[o]),
        .use_i(|offer[o]),
        .grant_o(accept[o]),
        .order_o()
    );

    `BRAID_ASSERT(OutputGrantOneHot, $onehot0(accept[o]))
    `BRAID_ASSERT(TakenOutputKept, !taken_outputs_i[o] || accept[o] == '0)
  end
endmodule
