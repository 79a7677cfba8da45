// SPDX-License-Identifier: Apache-2.0
// RC for all input ports, and the set-up unit's directions: each input port looks up the head that arrives and the head
// that has come to the front behind a tail. A route is the ports that a head may take; under adaptive routing, above
// them, the port of the escape path; on a torus, above them, whether it may take the lower and the upper half of the VCs.
module route_unit #(
    parameter int unsigned Ports = 5,
    parameter router_pkg::routing_e Routing = router_pkg::RoutingXFirst,
    parameter int unsigned TableNodes = 16,
    localparam int unsigned RouteWidth = router_pkg::route_width(Routing, Ports),
    localparam int unsigned DestinationWidth = router_pkg::DestinationWidth,
    localparam int unsigned CoordWidth = router_pkg::CoordWidth,
    localparam int unsigned NodeWidth = router_pkg::index_width(TableNodes)
) (
    input  logic                                        clk_i,
    input  logic                                        rst_ni,
    input  logic [CoordWidth-1:0]                       x_i,
    input  logic [CoordWidth-1:0]                       y_i,
    input  logic [CoordWidth-1:0]                       last_x_i,
    input  logic [CoordWidth-1:0]                       last_y_i,
    input  logic [Ports-1:0]                            network_ports_i,
    input  logic [Ports-1:0]                            local_ports_i,
    input  logic [Ports-1:0]                            port_class_i,
    input  logic                                        table_write_i,
    input  logic [1:0]                                  table_set_i,
    input  logic [NodeWidth-1:0]                        table_node_i,
    input  logic [Ports-1:0]                            table_ports_i,
    input  logic [Ports-1:0][1:0][DestinationWidth-1:0] destination_i,        // [input port][arriving, at the front]
    input  logic [Ports-1:0][1:0]                       on_first_i,           // ... came on the escape VC, or in the lower half
    output logic [Ports-1:0][1:0][RouteWidth-1:0]       route_o,
    input  logic [DestinationWidth-1:0]                 setup_destination_i,
    output logic [Ports-1:0]                            setup_directions_o
);
  if (Routing == router_pkg::RoutingTable) begin : gen_table
    localparam int unsigned Lookups = 2 * Ports + 1;
    logic [Lookups-1:0][DestinationWidth-1:0] destination;
    logic [Lookups-1:0][1:0] set;
    logic [Lookups-1:0][Ports-1:0] ports;

    assign destination = {setup_destination_i, destination_i};
    assign {setup_directions_o, route_o} = ports;
    assign set[2*Ports] = 2'd2;
    for (genvar p = 0; p < int'(Ports); p++) begin : gen_class
      assign set[2*p]   = {1'b0, port_class_i[p]};
      assign set[2*p+1] = {1'b0, port_class_i[p]};
    end

    route_table #(
        .Ports  (Ports),
        .Nodes  (TableNodes),
        .Lookups(Lookups)
    ) u_table (
        .clk_i,
        .rst_ni,
        .write_i      (table_write_i),
        .write_set_i  (table_set_i),
        .write_node_i (table_node_i),
        .write_ports_i(table_ports_i),
        .destination_i(destination),
        .set_i        (set),
        .ports_o      (ports)
    );

    logic unused;
    assign unused = ^{x_i, y_i, last_x_i, last_y_i, network_ports_i, local_ports_i, on_first_i};
  end else if (Routing == router_pkg::RoutingTorusXFirst) begin : gen_torus
    for (genvar p = 0; p < int'(Ports); p++) begin : gen_port
      for (genvar h = 0; h < 2; h++) begin : gen_head
        route_torus #(
            .Ports (Ports),
            .CameBy(p)
        ) u_route (
            .x_i,
            .y_i,
            .last_x_i,
            .last_y_i,
            .local_ports_i,
            .destination_i(destination_i[p][h]),
            .in_lower_i   (on_first_i[p][h]),
            .closer_o     (),
            .ports_o      (route_o[p][h][Ports-1:0]),
            .lower_o      (route_o[p][h][Ports]),
            .upper_o      (route_o[p][h][Ports+1])
        );
      end
    end
    route_torus #(
        .Ports(Ports)
    ) u_directions (
        .x_i,
        .y_i,
        .last_x_i,
        .last_y_i,
        .local_ports_i,
        .destination_i(setup_destination_i),
        .in_lower_i   (1'b0),
        .closer_o     (setup_directions_o),
        .ports_o      (),
        .lower_o      (),
        .upper_o      ()
    );

    logic unused;
    assign unused = ^{clk_i, rst_ni, network_ports_i, port_class_i, table_write_i, table_set_i, table_node_i, table_ports_i};
  end else begin : gen_grid
    for (genvar p = 0; p < int'(Ports); p++) begin : gen_port
      for (genvar h = 0; h < 2; h++) begin : gen_head
        logic [Ports-1:0] ports, x_first;
        route_grid #(
            .Ports   (Ports),
            .Routing (Routing),
            .FromWest(p == 1)
        ) u_route (
            .x_i,
            .y_i,
            .local_ports_i,
            .destination_i(destination_i[p][h]),
            .closer_o     (),
            .ports_o      (ports),
            .x_first_o    (x_first)
        );
        if (Routing == router_pkg::RoutingMinimalAdaptive) begin : gen_escape
          // A packet that has come on the escape path stays there.
          assign route_o[p][h] = {x_first, on_first_i[p][h] && network_ports_i[p] && x_first != '0 ? '0 : ports};
        end else begin : gen_no_escape
          assign route_o[p][h] = ports;
          logic unused_escape;
          assign unused_escape = ^{x_first, on_first_i[p][h], network_ports_i[p]};
        end
      end
    end
    route_grid #(
        .Ports  (Ports),
        .Routing(Routing)
    ) u_directions (
        .x_i,
        .y_i,
        .local_ports_i,
        .destination_i(setup_destination_i),
        .closer_o     (setup_directions_o),
        .ports_o      (),
        .x_first_o    ()
    );

    logic unused;
    assign unused = ^{clk_i, rst_ni, last_x_i, last_y_i, port_class_i, table_write_i, table_set_i, table_node_i, table_ports_i};
  end
endmodule
