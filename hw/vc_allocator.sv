// SPDX-License-Identifier: Apache-2.0
// VA, separable, input first: each routed head asks for one free output VC, then each output VC takes one of those who
// ask. Among candidate ports with a free VC the head takes the one with most credits, then the first one after the port
// that its VC's last packet took (ties go round); among the port's free VCs the arbiter of the input VC chooses. An
// arbiter's order changes only when its grant is used.
//
// With Escape a head has an escape port, too, for when no other candidate has a free VC: it takes VC 0 there, which at
// ports of escape_ports_i nobody else may take.
//
// With Halves a head is told, above its one candidate, whether it may take the lower and the upper half of the VCs there.
`include "assert.svh"

module vc_allocator #(
    parameter int unsigned Ports = 5,
    parameter int unsigned Vcs = 4,
    parameter int unsigned Depth = 8,
    parameter router_pkg::arbiter_e Arbiter = router_pkg::ArbiterRoundRobin,
    parameter bit Escape = 1'b0,
    parameter bit Halves = 1'b0,
    parameter bit OneCandidate = 1'b0,  // no head has more than one port on its way: none is compared
    localparam int unsigned RouteWidth = Escape ? 2 * Ports : Halves ? Ports + 2 : Ports,
    localparam int unsigned PortWidth = router_pkg::index_width(Ports),
    localparam int unsigned CreditWidth = $clog2(Depth + 1),
    localparam int unsigned InputVcs = Ports * Vcs
) (
    input  logic                                       clk_i,
    input  logic                                       rst_ni,
    input  logic [InputVcs-1:0]                        waiting_i,     // [input VC] a head waits for an output VC
    input  logic [InputVcs-1:0][RouteWidth-1:0]        candidates_i,  // [input VC] ports on its way, escape port
    input  logic [InputVcs-1:0][PortWidth-1:0]         last_port_i,   // [input VC] that its last packet took
    input  logic [Ports-1:0]                           escape_ports_i,
    input  logic [Ports-1:0][Vcs-1:0]                  free_i,        // [output VC] has no owner
    input  logic [Ports-1:0][Vcs-1:0][CreditWidth-1:0] credits_i,     // [output VC]
    output logic [InputVcs-1:0]                        grant_o,       // [input VC] gets the VC that it chose:
    output logic [InputVcs-1:0][Ports-1:0]             port_o,        // one hot
    output logic [InputVcs-1:0][Vcs-1:0]               vc_o,          // one hot
    output logic [Ports-1:0][Vcs-1:0]                  granted_o      // [output VC] gets an owner
);
  localparam int unsigned SpaceWidth = $clog2(Vcs * Depth + 1);

  localparam int unsigned EscapeAt = Escape ? Ports : 0;
  localparam logic [Vcs-1:0] Lower = (Vcs'(1) << Vcs / 2) - Vcs'(1);
  if (Halves && !OneCandidate) begin : gen_refused_halves
    $error("Halves: one candidate is expected");
  end

  // Arrays where each element is written by itself: a simulator need not put them together bit by bit.
  logic [Vcs-1:0]        open   [Ports];      // [output port] free VCs for other than escape
  logic [SpaceWidth-1:0] space  [Ports];      // free buffer places downstream, of all VCs for other than escape
  logic [Ports-1:0]      port   [InputVcs];   // [input VC] chosen output port
  logic [Vcs-1:0]        vc     [InputVcs];   // [input VC] chosen VC there
  logic [InputVcs-1:0]   ask    [Ports*Vcs];  // [output VC] input VCs that chose it
  logic [InputVcs-1:0]   accept [Ports*Vcs];  // [output VC] the one of them that gets it

  // Sums and comparisons are trees: node n has 2n and 2n + 1 below it, 1 is the root.
  localparam int unsigned VcLeaves = 2 ** $clog2(Vcs);
  localparam int unsigned PortLeaves = 2 ** $clog2(Ports);
  localparam int unsigned KeyWidth = SpaceWidth + 2;

  for (genvar p = 0; p < int'(Ports); p++) begin : gen_space
    always_comb begin
      open[p] = free_i[p];
      if (Escape && escape_ports_i[p]) open[p][0] = 1'b0;
    end
    if (OneCandidate) begin : gen_no_sum
      assign space[p] = '0;
      logic unused;
      assign unused = ^credits_i[p];
    end else begin : gen_sum
      always_comb begin
        logic [SpaceWidth-1:0] sum[2*VcLeaves];
        for (int unsigned v = 0; v < VcLeaves; v++) begin
          sum[VcLeaves+v] = '0;
          if (v < Vcs && !(v == 0 && Escape && escape_ports_i[p])) sum[VcLeaves+v] = SpaceWidth'(credits_i[p][v%Vcs]);
        end
        for (int unsigned n = VcLeaves - 1; n > 0; n--) sum[n] = sum[2*n] + sum[2*n+1];
        space[p] = sum[1];
      end
    end
  end

  for (genvar i = 0; i < int'(InputVcs); i++) begin : gen_input
    logic [Vcs-1:0] usable, allowed;
    logic [Ports-1:0] later;  // ports after the last one

    if (Halves) begin : gen_halves
      assign allowed = (candidates_i[i][RouteWidth-2] ? Lower : '0) | (candidates_i[i][RouteWidth-1] ? ~Lower : '0);
    end else begin : gen_all
      assign allowed = '1;
    end
    assign later = {Ports{1'b1}} << last_port_i[i] << 1;
    always_comb begin
      logic [KeyWidth-1:0] key[2*PortLeaves];  // {can serve, space, is later}: the largest, of equal ones the lowest port
      logic [PortWidth-1:0] who[2*PortLeaves];
      logic right;
      port[i] = '0;
      usable = '0;
      key = '{default: '0};
      who = '{default: '0};
      right = 1'b0;
      if (waiting_i[i]) begin
        if (OneCandidate) begin
          for (int unsigned p = 0; p < Ports; p++) port[i][p] = candidates_i[i][p] && |(open[p] & allowed);
        end else begin
          for (int unsigned p = 0; p < Ports; p++) begin
            if (candidates_i[i][p] && |open[p]) key[PortLeaves+p] = {1'b1, space[p], later[p]};
            who[PortLeaves+p] = PortWidth'(p);
          end
          for (int unsigned n = PortLeaves - 1; n > 0; n--) begin
            right = key[2*n+1] > key[2*n];
            key[n] = right ? key[2*n+1] : key[2*n];
            who[n] = right ? who[2*n+1] : who[2*n];
          end
          for (int unsigned p = 0; p < Ports; p++) port[i][p] = key[1][KeyWidth-1] && who[1] == PortWidth'(p);
        end
        for (int unsigned p = 0; p < Ports; p++) usable |= port[i][p] ? open[p] & allowed : '0;
        if (Escape && port[i] == '0) begin
          for (int unsigned p = 0; p < Ports; p++) begin
            port[i][p] = candidates_i[i][RouteWidth-Ports+p] && free_i[p][0];
            usable[0] |= port[i][p];
          end
        end
      end
    end

    arbiter #(
        .Requesters(Vcs),
        .Kind(Arbiter)
    ) u_vc_arbiter (
        .clk_i,
        .rst_ni,
        .request_i(usable),
        .use_i(grant_o[i]),
        .grant_o(vc[i]),
        .order_o()
    );

    assign port_o[i] = port[i];
    assign vc_o[i] = vc[i];

    `BRAID_REQUIRE(OneCandidatePort, !OneCandidate || !waiting_i[i] || $onehot0(candidates_i[i][Ports-1:0]))
    `BRAID_REQUIRE(OneEscapePort, !Escape || !waiting_i[i] || $onehot0(candidates_i[i][EscapeAt+:Ports]))
    `BRAID_ASSERT(GrantToWaiting, !grant_o[i] || waiting_i[i])
    `BRAID_ASSERT(GrantOnTheWay, !grant_o[i] ||
                  (port_o[i] & ~(candidates_i[i][Ports-1:0] | candidates_i[i][EscapeAt+:Ports])) == '0)
    `BRAID_ASSERT(GrantInItsHalf, !Halves || !grant_o[i] || (vc_o[i] & ~allowed) == '0)
    `BRAID_ASSERT(ChoiceOneHot, $onehot0(port_o[i]) && $onehot0(vc_o[i]))
  end

  always_comb begin
    for (int unsigned o = 0; o < Ports * Vcs; o++) ask[o] = '0;
    if (|waiting_i) begin
      for (int unsigned i = 0; i < InputVcs; i++) begin
        if (waiting_i[i]) begin
          for (int unsigned p = 0; p < Ports; p++) begin
            for (int unsigned v = 0; v < Vcs; v++) ask[p*Vcs+v][i] = port[i][p] && vc[i][v];
          end
        end
      end
    end
  end

  always_comb begin
    grant_o = '0;
    for (int unsigned o = 0; o < Ports * Vcs; o++) grant_o |= accept[o];
  end

  for (genvar p = 0; p < int'(Ports); p++) begin : gen_output_port
    for (genvar v = 0; v < int'(Vcs); v++) begin : gen_output_vc
      arbiter #(
          .Requesters(InputVcs),
          .Kind(Arbiter)
      ) u_output_arbiter (
          .clk_i,
          .rst_ni,
          .request_i(ask[p*Vcs+v]),
          .use_i(|ask[p*Vcs+v]),
          .grant_o(accept[p*Vcs+v]),
          .order_o()
      );
      assign granted_o[p][v] = |accept[p*Vcs+v];

      `BRAID_ASSERT(OneOwner, $onehot0(accept[p*Vcs+v]))
      `BRAID_ASSERT(OnlyFreeGranted, !granted_o[p][v] || free_i[p][v])
    end
  end
endmodule
