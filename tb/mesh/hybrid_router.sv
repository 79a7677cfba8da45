// SPDX-License-Identifier: Apache-2.0
// In the place of hw/hybrid_router.sv: the library that Verilator made of mesh_router.sv, for the parameters that it has.
module hybrid_router #(
    parameter int unsigned Ports = 5,
    parameter int unsigned Vcs = 4,
    parameter int unsigned Depth = 8,
    parameter bit BufferBypass = 1'b0,
    parameter bit Circuits = 1'b1,
    parameter int unsigned CircuitDepth = 5,
    parameter int unsigned CircuitLanes = 1,
    parameter int unsigned FlitWidth = 64,
    parameter router_pkg::routing_e Routing = router_pkg::RoutingXFirst,
    parameter router_pkg::arbiter_e Arbiter = router_pkg::ArbiterRoundRobin,
    parameter router_pkg::allocator_e VcAllocator = router_pkg::AllocatorSeparableInputFirst,
    parameter router_pkg::allocator_e SwitchAllocator = router_pkg::AllocatorSeparableInputFirst,
    parameter int unsigned IslipIterations = 1,
    parameter int unsigned TableNodes = 16,
    localparam int unsigned Lanes = Vcs + (Circuits ? CircuitLanes : 0),
    localparam int unsigned CircuitWidth = router_pkg::index_width(CircuitLanes),
    localparam int unsigned PortWidth = router_pkg::index_width(Ports),
    localparam int unsigned LaneWidth = router_pkg::index_width(Lanes),
    localparam int unsigned CoordWidth = router_pkg::CoordWidth,
    localparam int unsigned SearchWidth = router_pkg::SearchWidth,
    localparam int unsigned DestinationWidth = router_pkg::DestinationWidth,
    localparam int unsigned NodeWidth = router_pkg::index_width(TableNodes)
) (
    input  logic                                  clk_i,
    input  logic                                  rst_ni,

    input  logic [CoordWidth-1:0]                 x_i,
    input  logic [CoordWidth-1:0]                 y_i,
    input  logic [CoordWidth-1:0]                 last_x_i,
    input  logic [CoordWidth-1:0]                 last_y_i,
    input  logic [Ports-1:0]                      network_ports_i,
    input  logic [Ports-1:0]                      local_ports_i,
    input  logic [Ports-1:0]                      port_class_i,
    input  logic [Ports-1:0]                      avoid_ports_i,
    input  logic                                  share_reserved_i,

    input  logic                                  table_write_i,
    input  logic [1:0]                            table_set_i,
    input  logic [NodeWidth-1:0]                  table_node_i,
    input  logic [Ports-1:0]                      table_ports_i,

    input  logic [Ports-1:0]                      link_valid_i,
    input  logic [Ports-1:0]                      link_head_i,
    input  logic [Ports-1:0]                      link_tail_i,
    input  logic [Ports-1:0][LaneWidth-1:0]       link_lane_i,
    input  logic [Ports-1:0][FlitWidth-1:0]       link_data_i,
    output logic [Ports-1:0][Lanes-1:0]           credit_o,

    output logic [Ports-1:0]                      link_valid_o,
    output logic [Ports-1:0]                      link_head_o,
    output logic [Ports-1:0]                      link_tail_o,
    output logic [Ports-1:0][LaneWidth-1:0]       link_lane_o,
    output logic [Ports-1:0][FlitWidth-1:0]       link_data_o,
    input  logic [Ports-1:0][Lanes-1:0]           credit_i,

    input  logic [Ports-1:0]                      control_valid_i,
    input  router_pkg::control_kind_e [Ports-1:0] control_kind_i,
    input  logic [Ports-1:0][SearchWidth-1:0]     control_search_i,
    input  logic [Ports-1:0][DestinationWidth-1:0] control_destination_i,
    output logic [Ports-1:0]                      control_valid_o,
    output router_pkg::control_kind_e             control_kind_o,
    output logic [SearchWidth-1:0]                control_search_o,
    output logic [DestinationWidth-1:0]           control_destination_o,

    input  logic                                  request_valid_i,
    output logic                                  request_ready_o,
    input  logic [PortWidth-1:0]                  request_port_i,
    input  logic [CircuitWidth-1:0]               request_lane_i,
    input  router_pkg::control_kind_e             request_kind_i,
    input  logic [SearchWidth-1:0]                request_search_i,
    input  logic [DestinationWidth-1:0]           request_destination_i,
    output logic                                  outcome_valid_o,
    output logic                                  outcome_success_o
);
  mesh_router_lib u_router (.*);
endmodule
