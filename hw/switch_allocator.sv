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
  logic [Ports-1:0][Vcs-1:0]   choice;  // [input] one hot
  logic [Ports-1:0][Ports-1:0] offer;   // [output][input]
  logic [Ports-1:0][Ports-1:0] accept;  // [output][input]
  logic [Ports-1:0]            used;    // [input]

  for (genvar p = 0; p < int'(Ports); p++) begin : gen_input
    logic [PortWidth-1:0] out_port;

    arbiter #(
        .Requesters(Vcs),
        .Kind(Arbiter)
    ) u_vc_arbiter (
        .clk_i,
        .rst_ni,
        .request_i(request_i[p]),
        .use_i(used[p]),
        .grant_o(choice[p])
    );

    always_comb begin
      out_port = '0;
      for (int unsigned v = 0; v < Vcs; v++) out_port |= choice[p][v] ? out_port_i[p][v] : '0;
    end
    for (genvar o = 0; o < int'(Ports); o++) begin : gen_offer
      assign offer[o][p] = |choice[p] && out_port == PortWidth'(o) && !taken_inputs_i[p] && !taken_outputs_i[o];
    end
    always_comb begin
      used[p] = 1'b0;
      for (int unsigned o = 0; o < Ports; o++) used[p] |= accept[o][p];
    end
    assign grant_o[p] = used[p] ? choice[p] : '0;

    `BRAID_ASSERT(InputGrantOneHot, $onehot0(grant_o[p]))
    `BRAID_ASSERT(InputGrantToRequester, (grant_o[p] & ~request_i[p]) == '0)
    `BRAID_ASSERT(TakenInputKept, !taken_inputs_i[p] || grant_o[p] == '0)
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
        .grant_o(accept[o])
    );

    `BRAID_ASSERT(OutputGrantOneHot, $onehot0(accept[o]))
    `BRAID_ASSERT(TakenOutputKept, !taken_outputs_i[o] || accept[o] == '0)
  end
endmodule
