// SPDX-License-Identifier: Apache-2.0
// The SAT line as a ring: a station for each node, and from each to the next a wire of so many registers. The signal is one
// bit. With wires of W cycles in all and N stations it goes round in W + N cycles if nobody holds it; the first node has it
// after reset.
`include "assert.svh"

module sat_ring #(
    parameter int unsigned Nodes = 4,
    parameter logic [Nodes-1:0][7:0] WireCycles = {Nodes{8'd2}},  // [node] of the wire to the next one
    parameter int unsigned CountWidth = 8,
    parameter int unsigned LocalPorts = 1,
    localparam int unsigned PassedWidth = $clog2(LocalPorts + 1)
) (
    input  logic                              clk_i,
    input  logic                              rst_ni,
    // See sat_station.
    input  logic [CountWidth-1:0]             l_i,
    input  logic [CountWidth-1:0]             k_i,
    input  logic [Nodes-1:0][PassedWidth-1:0] passed_i,
    input  logic [Nodes-1:0]                  waiting_i,
    output logic [Nodes-1:0]                  open_o,
    output logic [Nodes-1:0]                  holds_o,
    output logic [Nodes-1:0]                  starved_o,
    output logic [Nodes-1:0]                  limited_o,
    output logic [Nodes-1:0][CountWidth-1:0]  sent_o,
    output logic [Nodes-1:0]                  on_wire_o  // [node] between it and the next one
);
  logic [Nodes-1:0] leaves, arrives;

  for (genvar n = 0; n < int'(Nodes); n++) begin : gen_node
    localparam int unsigned Wire = 32'(WireCycles[n]);

    sat_station #(
        .First     (n == 0),
        .CountWidth(CountWidth),
        .LocalPorts(LocalPorts)
    ) u_station (
        .clk_i,
        .rst_ni,
        .l_i,
        .k_i,
        .passed_i (passed_i[n]),
        .waiting_i(waiting_i[n]),
        .open_o   (open_o[n]),
        .signal_i (arrives[n]),
        .leaves_o (leaves[n]),
        .holds_o  (holds_o[n]),
        .starved_o(starved_o[n]),
        .limited_o(limited_o[n]),
        .sent_o   (sent_o[n])
    );

    if (Wire == 0) begin : gen_beside
      assign arrives[(n+1)%Nodes] = leaves[n];
      assign on_wire_o[n] = 1'b0;
    end else begin : gen_wire
      logic [Wire-1:0] wire_q;
      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) wire_q <= '0;
        else wire_q <= Wire'({wire_q, leaves[n]});
      end
      assign arrives[(n+1)%Nodes] = wire_q[Wire-1];
      assign on_wire_o[n] = |wire_q;
    end
  end

  `BRAID_ASSERT(OneSignal, $onehot({holds_o, on_wire_o}))
endmodule
