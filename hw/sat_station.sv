// SPDX-License-Identifier: Apache-2.0
// A SAT station: what throughput fairness costs a node. It counts the packets that the node has sent since the signal
// left it. Below k the node may send (open_o); below l, while more wait, it is starved and keeps the signal. A station
// that is not starved passes the signal on in the first cycle in which it has it.
//
// Thresholds travel beside the signal: a station takes those at its pins when the signal leaves, and until it has left
// once it goes by the pins themselves.
`include "assert.svh"

module sat_station #(
    parameter bit First = 1'b0,           // the signal is here after reset
    parameter int unsigned CountWidth = 8,
    parameter int unsigned LocalPorts = 1,  // packets that may go in one cycle
    localparam int unsigned PassedWidth = $clog2(LocalPorts + 1)
) (
    input  logic                   clk_i,
    input  logic                   rst_ni,
    input  logic [CountWidth-1:0]  l_i,
    input  logic [CountWidth-1:0]  k_i,         // at least l_i and 1, at most all ones less LocalPorts
    input  logic [PassedWidth-1:0] passed_i,    // packets that go in this cycle; none unless open_o
    input  logic                   waiting_i,   // and behind them more
    output logic                   open_o,
    input  logic                   signal_i,    // it is here from the next cycle on
    output logic                   leaves_o,    // it leaves in this cycle
    output logic                   holds_o,     // it is here
    output logic                   starved_o,
    output logic                   limited_o,   // k packets had gone when it came
    output logic [CountWidth-1:0]  sent_o
);
  logic holds_q, fresh_q, limited_q;
  logic [CountWidth-1:0] sent_q, sent_d, l_q, k_q, l, k;

  assign l = fresh_q ? l_i : l_q;
  assign k = fresh_q ? k_i : k_q;
  assign sent_d = sent_q + CountWidth'(passed_i);
  assign starved_o = sent_d < l && waiting_i;
  assign leaves_o = holds_q && !starved_o;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      holds_q   <= First;
      fresh_q   <= 1'b1;
      limited_q <= 1'b0;
      sent_q    <= '0;
      l_q       <= '0;
      k_q       <= '0;
    end else begin
      holds_q   <= signal_i || (holds_q && !leaves_o);
      limited_q <= signal_i && sent_d >= k;
      sent_q    <= leaves_o ? '0 : sent_d;
      if (leaves_o) begin
        fresh_q <= 1'b0;
        l_q     <= l_i;
        k_q     <= k_i;
      end
    end
  end

  assign open_o = sent_q < k;
  assign holds_o = holds_q;
  assign limited_o = limited_q;
  assign sent_o = sent_q;

  `BRAID_REQUIRE(OnlyWhenOpen, passed_i == '0 || open_o)
  `BRAID_REQUIRE(AtMostOneAPort, int'(passed_i) <= LocalPorts)
  `BRAID_REQUIRE(Thresholds, l_i <= k_i && k_i != '0 && int'(k_i) < 2 ** CountWidth - LocalPorts)
  `BRAID_REQUIRE(OneSignal, !(signal_i && holds_q))
  `BRAID_ASSERT(CountsUpToK, int'(sent_q) < int'(k) + LocalPorts)
  `BRAID_ASSERT(NoStandstill, !(starved_o && int'(sent_d) >= int'(k)))
endmodule
