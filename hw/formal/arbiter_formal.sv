// Proof of an arbiter's fairness, for every requester at once: who keeps asking is passed over by fewer used grants than
// there are requesters. (Grants one hot and only to requesters are the arbiter's own assertions.)
module arbiter_formal #(
    parameter int unsigned Requesters = 4,
    parameter bit Matrix = 1'b0
) (
    input logic                  clk_i,
    input logic [Requesters-1:0] request_i,
    input logic                  use_i
);
  localparam int unsigned CountWidth = $clog2(Requesters + 1);
  logic rst_ni = 1'b0;
  always_ff @(posedge clk_i) rst_ni <= 1'b1;

  logic [Requesters-1:0] grant;
  arbiter #(
      .Requesters(Requesters),
      .Kind(Matrix ? router_pkg::ArbiterMatrix : router_pkg::ArbiterRoundRobin)
  ) u_arbiter (
      .grant_o(grant),
      .*
  );

  // passed[r][s]: s was served while r waits. No one is served twice over a waiting requester.
  for (genvar r = 0; r < int'(Requesters); r++) begin : gen_requester
    logic [Requesters-1:0] passed_q = '0;
    logic [CountWidth-1:0] waited_q = '0;
    always_ff @(posedge clk_i) begin
      if (!rst_ni || !request_i[r] || (use_i && grant[r])) begin
        passed_q <= '0;
        waited_q <= '0;
      end else if (use_i) begin
        passed_q <= passed_q | grant;
        waited_q <= waited_q + 1'b1;
      end
      if (rst_ni) begin
        BoundedWait : assert (int'(waited_q) < Requesters);
        ServedOnce : assert (!(request_i[r] && use_i && !grant[r]) || (passed_q & grant) == '0);
        CountAgrees : assert (int'(waited_q) == $countones(passed_q));
        NotPassedBySelf : assert (!passed_q[r]);
      end
    end
    // For induction: whoever was served while r waits now comes after r.
    for (genvar s = 0; s < int'(Requesters); s++) begin : gen_other
      if (s != r) begin : gen_order
        logic later;
        if (Matrix) begin : gen_matrix
          assign later = u_arbiter.gen_matrix.u_arbiter.wins[r][s];
        end else begin : gen_round_robin
          // Round robin order: places in the mask first, then the others; each group by number.
          logic [Requesters-1:0] mask;
          assign mask = u_arbiter.gen_round_robin.u_arbiter.after_q;
          assign later = mask[r] == mask[s] ? r < s : mask[r];
        end
        always_ff @(posedge clk_i) begin
          if (rst_ni) PassedComeLater : assert (!passed_q[s] || later);
        end
      end
    end
  end

  // Matrix: a total order. For any three, not a before b before c before a.
  if (Matrix) begin : gen_total
    for (genvar a = 0; a < int'(Requesters); a++) begin : gen_a
      for (genvar b = 0; b < int'(Requesters); b++) begin : gen_b
        for (genvar c = 0; c < int'(Requesters); c++) begin : gen_c
          if (a != b && b != c && a != c) begin : gen_triple
            always_ff @(posedge clk_i) begin
              if (rst_ni) begin
                NoCycle : assert (!(u_arbiter.gen_matrix.u_arbiter.wins[a][b] &&
                                    u_arbiter.gen_matrix.u_arbiter.wins[b][c] &&
                                    u_arbiter.gen_matrix.u_arbiter.wins[c][a]));
              end
            end
          end
        end
      end
    end
  end
endmodule
