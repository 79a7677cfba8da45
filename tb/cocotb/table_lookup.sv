// SPDX-License-Identifier: Apache-2.0
// The route unit with a table: for the tests of tb/cocotb.
module table_lookup #(
    parameter int unsigned TableNodes = 12,
    localparam int unsigned Ports = 4,
    localparam int unsigned NodeWidth = router_pkg::index_width(TableNodes)
) (
    input  logic                            clk_i,
    input  logic                            rst_ni,
    input  logic [Ports-1:0]                port_class_i,
    input  logic                            table_write_i,
    input  logic [1:0]                      table_set_i,
    input  logic [NodeWidth-1:0]            table_node_i,
    input  logic [Ports-1:0]                table_ports_i,
    input  logic [Ports-1:0][1:0][15:0]     destination_i,
    output logic [Ports-1:0][1:0][Ports-1:0] route_o,
    input  logic [15:0]                     setup_destination_i,
    output logic [Ports-1:0]                setup_directions_o
);
  route_unit #(.Ports(Ports), .Routing(router_pkg::RoutingTable), .TableNodes(TableNodes)) u_route (
      .clk_i, .rst_ni, .x_i('0), .y_i('0), .last_x_i('0), .last_y_i('0), .network_ports_i('1), .local_ports_i('0), .port_class_i,
      .table_write_i, .table_set_i, .table_node_i, .table_ports_i, .destination_i, .on_first_i('0), .route_o,
      .setup_destination_i, .setup_directions_o);
endmodule
