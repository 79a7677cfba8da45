// SPDX-License-Identifier: Apache-2.0
// Directions on any topology, from a table that is loaded after reset: port sets by destination node. Three sets: routes
// for packets that come in at a port of class 0 or 1 (up*/down* routing tells packets that have gone down from others),
// and the directions that lead closer, for the set-up unit.
module route_table #(
    parameter int unsigned Ports = 5,
    parameter int unsigned Nodes = 16,
    parameter int unsigned Lookups = 2,
    localparam int unsigned NodeWidth = router_pkg::index_width(Nodes)
) (
    input  logic                                                     clk_i,
    input  logic                                                     rst_ni,
    input  logic                                                     write_i,
    input  logic [1:0]                                               write_set_i,
    input  logic [NodeWidth-1:0]                                     write_node_i,
    input  logic [Ports-1:0]                                         write_ports_i,
    input  logic [Lookups-1:0][router_pkg::DestinationWidth-1:0]     destination_i,
    input  logic [Lookups-1:0][1:0]                                  set_i,
    output logic [Lookups-1:0][Ports-1:0]                            ports_o
);
  logic [2:0][Nodes-1:0][Ports-1:0] table_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) table_q <= '0;
    else if (write_i) table_q[write_set_i][write_node_i] <= write_ports_i;
  end

  for (genvar l = 0; l < int'(Lookups); l++) begin : gen_lookup
    assign ports_o[l] = table_q[set_i[l]][destination_i[l][NodeWidth-1:0]];
    if (NodeWidth < router_pkg::DestinationWidth) begin : gen_unused
      logic unused;
      assign unused = ^destination_i[l][router_pkg::DestinationWidth-1:NodeWidth];
    end
  end
endmodule
