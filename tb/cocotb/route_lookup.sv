// SPDX-License-Identifier: Apache-2.0
// The route unit of a grid, one place and one destination for all input ports: for the tests of tb/cocotb.
module route_lookup #(
    parameter int unsigned Routing = 0,  // router_pkg::routing_e; an enum is no parameter of the command line
    localparam router_pkg::routing_e Chosen = router_pkg::routing_e'(Routing[2:0]),
    localparam int unsigned Ports = 5,
    localparam int unsigned RouteWidth = router_pkg::route_width(Chosen, Ports),
    localparam int unsigned CoordWidth = router_pkg::CoordWidth
) (
    input  logic [CoordWidth-1:0]                 x_i,
    input  logic [CoordWidth-1:0]                 y_i,
    input  logic [CoordWidth-1:0]                 to_x_i,
    input  logic [CoordWidth-1:0]                 to_y_i,
    input  logic [1:0]                            on_first_i,  // the head that arrives, the one behind a tail: came on VC 0
    output logic [Ports-1:0][1:0][RouteWidth-1:0] route_o,
    output logic [Ports-1:0]                      directions_o
);
  route_unit #(.Ports(Ports), .Routing(Chosen)) u_route (
      .clk_i(1'b0), .rst_ni(1'b1), .x_i, .y_i, .last_x_i('0), .last_y_i('0), .network_ports_i(5'b01111), .local_ports_i(5'b10000), .port_class_i('0),
      .table_write_i(1'b0), .table_set_i('0), .table_node_i('0), .table_ports_i('0),
      .destination_i({2 * Ports{to_y_i, to_x_i}}), .on_first_i({Ports{on_first_i}}), .route_o,
      .setup_destination_i({to_y_i, to_x_i}), .setup_directions_o(directions_o));
endmodule
