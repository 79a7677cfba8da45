// Proof of both allocators' own assertions (grants one hot, only to requesters, nothing taken is granted) under any
// requests, and that no cycle is lost: SA grants where an input asks for an output that nobody else wants.
module allocators_formal #(
    parameter int unsigned Ports = 3,
    parameter int unsigned Vcs = 2,
    parameter int unsigned Depth = 2,
    parameter bit Matrix = 1'b0,
    localparam int unsigned PortWidth = $clog2(Ports),
    localparam int unsigned CreditWidth = $clog2(Depth + 1)
) (
    input logic                                        clk_i,
    input logic [Ports-1:0][Vcs-1:0]                   request_i,
    input logic [Ports-1:0][Vcs-1:0][PortWidth-1:0]    out_port_i,
    input logic [Ports-1:0]                            taken_inputs_i,
    input logic [Ports-1:0]                            taken_outputs_i,
    input logic [Ports*Vcs-1:0]                        waiting_i,
    input logic [Ports*Vcs-1:0][Ports-1:0]             candidates_i,
    input logic [Ports-1:0][Vcs-1:0]                   free_i,
    input logic [Ports-1:0][Vcs-1:0][CreditWidth-1:0]  credits_i
);
  localparam router_pkg::arbiter_e Arbiter = Matrix ? router_pkg::ArbiterMatrix : router_pkg::ArbiterRoundRobin;
  logic rst_ni = 1'b0;
  always_ff @(posedge clk_i) rst_ni <= 1'b1;

  logic [Ports-1:0][Vcs-1:0] grant, granted;
  logic [Ports*Vcs-1:0] vc_grant;
  logic [Ports*Vcs-1:0][Ports-1:0] port;
  logic [Ports*Vcs-1:0][Vcs-1:0] vc;

  switch_allocator #(
      .Ports(Ports),
      .Vcs(Vcs),
      .Arbiter(Arbiter)
  ) u_switch_allocator (
      .grant_o(grant),
      .*
  );
  vc_allocator #(
      .Ports(Ports),
      .Vcs(Vcs),
      .Depth(Depth),
      .Arbiter(Arbiter)
  ) u_vc_allocator (
      .grant_o(vc_grant),
      .port_o(port),
      .vc_o(vc),
      .granted_o(granted),
      .*
  );

  logic [Ports-1:0] alone;  // input p is the only one with requests
  for (genvar p = 0; p < int'(Ports); p++) begin : gen_port
    always_comb begin
      alone[p] = |request_i[p];
      for (int unsigned q = 0; q < Ports; q++) alone[p] &= q == p || request_i[q] == '0;
    end
    for (genvar v = 0; v < int'(Vcs); v++) begin : gen_vc
      always_ff @(posedge clk_i) begin
        if (rst_ni) PortExists : assume (int'(out_port_i[p][v]) < Ports);
      end
    end
    always_ff @(posedge clk_i) begin
      if (rst_ni) begin
        NoCycleLost : assert (!(alone[p] && taken_inputs_i == '0 && taken_outputs_i == '0) || $onehot(grant[p]));
      end
    end
  end
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      AsManyOwnersAsGrants : assert ($countones(granted) == $countones(vc_grant));
      SomeoneGetsAVc : assert (!(|waiting_i && &free_i && candidates_i == '1) || |vc_grant);
    end
  end
endmodule
