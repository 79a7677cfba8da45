// SPDX-License-Identifier: Apache-2.0
// A mesh of hybrid routers, a network interface at each, and the sequencer that sets their circuits up: what a chip
// instantiates; with RoutingTorusXFirst a torus. Router and node (x, y) have number y * Columns + x; a head's destination is
// {y, x}. Pins of the nodes are those of network_interface, by node.
`include "assert.svh"

module mesh #(
    parameter int unsigned Columns = 2,
    parameter int unsigned Rows = 2,
    parameter int unsigned Vcs = 4,
    parameter int unsigned Depth = 8,
    parameter bit Circuits = 1'b1,
    parameter int unsigned CircuitDepth = 5,
    parameter int unsigned CircuitLanes = 1,
    parameter int unsigned QueueDepth = 2,
    parameter int unsigned FlitWidth = 64,
    parameter router_pkg::routing_e Routing = router_pkg::RoutingXFirst,
    parameter router_pkg::arbiter_e Arbiter = router_pkg::ArbiterRoundRobin,
    parameter router_pkg::allocator_e VcAllocator = router_pkg::AllocatorSeparableInputFirst,
    parameter router_pkg::allocator_e SwitchAllocator = router_pkg::AllocatorSeparableInputFirst,
    parameter int unsigned IslipIterations = 1,
    parameter int unsigned Streams = 4,      // see setup_sequencer
    parameter int unsigned Retries = 8,
    parameter int unsigned TokenCycles = 1,
    localparam int unsigned Nodes = Columns * Rows,
    localparam int unsigned VcWidth = router_pkg::index_width(Vcs),
    localparam int unsigned CircuitWidth = router_pkg::index_width(CircuitLanes),
    localparam int unsigned StreamWidth = router_pkg::index_width(Streams),
    localparam int unsigned CountWidth = $clog2(Streams + 2),
    localparam int unsigned NodeWidth = router_pkg::index_width(Nodes),
    localparam int unsigned DestinationWidth = router_pkg::DestinationWidth
) (
    input  logic                                              clk_i,
    input  logic                                              rst_ni,
    input  logic                                              share_reserved_i,
    // Set-up of circuits.
    input  logic                                              stream_write_i,
    input  logic [StreamWidth-1:0]                            stream_index_i,
    input  logic [NodeWidth-1:0]                              stream_source_i,
    input  logic [DestinationWidth-1:0]                       stream_destination_i,
    input  logic                                              start_i,
    input  logic [CountWidth-1:0]                             streams_i,
    output router_pkg::setup_phase_e                          state_o,
    output logic                                              success_o,
    output logic [Streams-1:0][CircuitWidth-1:0]              lane_o,
    // The nodes.
    input  logic [Nodes-1:0]                                  send_valid_i,
    output logic [Nodes-1:0]                                  send_ready_o,
    input  logic [Nodes-1:0]                                  send_head_i,
    input  logic [Nodes-1:0]                                  send_tail_i,
    input  logic [Nodes-1:0][FlitWidth-1:0]                   send_data_i,
    input  logic [Nodes-1:0][CircuitLanes-1:0]                circuit_valid_i,
    output logic [Nodes-1:0][CircuitLanes-1:0]                circuit_ready_o,
    input  logic [Nodes-1:0][CircuitLanes-1:0]                circuit_head_i,
    input  logic [Nodes-1:0][CircuitLanes-1:0]                circuit_tail_i,
    input  logic [Nodes-1:0][CircuitLanes-1:0][FlitWidth-1:0] circuit_data_i,
    output logic [Nodes-1:0][CircuitLanes-1:0]                circuit_idle_o,
    output logic [Nodes-1:0]                                  receive_valid_o,
    input  logic [Nodes-1:0]                                  receive_ready_i,
    output logic [Nodes-1:0]                                  receive_head_o,
    output logic [Nodes-1:0]                                  receive_tail_o,
    output logic [Nodes-1:0][VcWidth-1:0]                     receive_vc_o,
    output logic [Nodes-1:0][FlitWidth-1:0]                   receive_data_o,
    input  logic [Nodes-1:0][CircuitLanes-1:0]                admit_i,
    output logic [Nodes-1:0]                                  take_valid_o,
    output logic [Nodes-1:0]                                  take_head_o,
    output logic [Nodes-1:0]                                  take_tail_o,
    output logic [Nodes-1:0][CircuitWidth-1:0]                take_lane_o,
    output logic [Nodes-1:0][FlitWidth-1:0]                   take_data_o
);
  import router_pkg::*;

  if (Columns < 1 || Rows < 1 || Nodes < 2 || Columns > 2 ** CoordWidth || Rows > 2 ** CoordWidth) begin : gen_refused_size
    $error("Columns and Rows: 1 to 256, and together at least 2 nodes are expected");
  end
  if (Routing == RoutingTable) begin : gen_refused_routing
    $error("Routing: one of coordinates is expected");
  end
  localparam bit Torus = Routing == RoutingTorusXFirst;
  if (Torus && (Columns < 3 || Rows < 3)) begin : gen_refused_torus
    $error("Columns and Rows: at least 3 are expected of a torus");
  end
  localparam int unsigned Ports = 5;
  localparam int unsigned PortWidth = index_width(Ports);
  localparam int unsigned Local = 4;
  localparam int unsigned Lanes = Vcs + (Circuits ? CircuitLanes : 0);
  localparam int unsigned LaneWidth = index_width(Lanes);
  localparam int unsigned StartedWidth = $clog2(CircuitLanes + 1);

  typedef struct packed {
    logic                 valid;
    logic                 head;
    logic                 tail;
    logic [LaneWidth-1:0] lane;
    logic [FlitWidth-1:0] data;
  } link_t;

  // By router and port: what leaves it there, and what comes in.
  link_t [Nodes-1:0][Ports-1:0] link_out, link_in;
  logic [Nodes-1:0][Ports-1:0][Lanes-1:0] credit_out, credit_in;
  logic [Nodes-1:0][Ports-1:0] control_out;
  control_kind_e [Nodes-1:0] control_kind;
  logic [Nodes-1:0][SearchWidth-1:0] control_search;
  logic [Nodes-1:0][DestinationWidth-1:0] control_destination;

  logic request_valid, request_all;
  logic [NodeWidth-1:0] request_node;
  logic [CircuitWidth-1:0] request_lane;
  control_kind_e request_kind;
  logic [SearchWidth-1:0] request_search;
  logic [DestinationWidth-1:0] request_destination;
  logic [Nodes-1:0] request_ready, outcome_valid, outcome_success;
  logic [Nodes-1:0][StartedWidth-1:0] started;
  logic success;

  for (genvar n = 0; n < int'(Nodes); n++) begin : gen_node
    localparam int unsigned X = n % Columns;
    localparam int unsigned Y = n / Columns;
    localparam logic [3:0] Linked = Torus ? '1 : {Y > 0, Y + 1 < Rows, X > 0, X + 1 < Columns};
    logic [Ports-1:0] in_valid, in_head, in_tail, out_valid, out_head, out_tail, control_in;
    logic [Ports-1:0][LaneWidth-1:0] in_lane, out_lane;
    logic [Ports-1:0][FlitWidth-1:0] in_data, out_data;
    control_kind_e [Ports-1:0] kind_in;
    logic [Ports-1:0][SearchWidth-1:0] search_in;
    logic [Ports-1:0][DestinationWidth-1:0] destination_in;

    for (genvar p = 0; p < int'(Ports); p++) begin : gen_port
      assign {in_valid[p], in_head[p], in_tail[p], in_lane[p], in_data[p]} = link_in[n][p];
      assign link_out[n][p] = {out_valid[p], out_head[p], out_tail[p], out_lane[p], out_data[p]};
    end

    // East and west, north and south: opposite ports differ in the lowest bit.
    for (genvar p = 0; p < 4; p++) begin : gen_direction
      if (Linked[p]) begin : gen_link
        localparam int unsigned NextX = p == 0 ? (X + 1) % Columns : p == 1 ? (X + Columns - 1) % Columns : X;
        localparam int unsigned NextY = p == 2 ? (Y + 1) % Rows : p == 3 ? (Y + Rows - 1) % Rows : Y;
        localparam int unsigned Other = NextY * Columns + NextX;
        assign link_in[n][p] = link_out[Other][p^1];
        assign credit_in[n][p] = credit_out[Other][p^1];
        assign control_in[p] = control_out[Other][p^1];
        assign kind_in[p] = control_kind[Other];
        assign search_in[p] = control_search[Other];
        assign destination_in[p] = control_destination[Other];
      end else begin : gen_edge
        assign link_in[n][p] = '0;
        assign credit_in[n][p] = '0;
        assign control_in[p] = 1'b0;
        assign kind_in[p] = ControlKindProbe;
        assign search_in[p] = '0;
        assign destination_in[p] = '0;
        logic unused;
        assign unused = ^{link_out[n][p], credit_out[n][p], control_out[n][p]};
      end
    end
    assign control_in[Local] = 1'b0;
    assign kind_in[Local] = ControlKindProbe;
    assign search_in[Local] = '0;
    assign destination_in[Local] = '0;
    logic unused_local;
    assign unused_local = control_out[n][Local];

    hybrid_router #(
        .Ports       (Ports),
        .Vcs         (Vcs),
        .Depth       (Depth),
        .Circuits    (Circuits),
        .CircuitDepth(CircuitDepth),
        .CircuitLanes(CircuitLanes),
        .FlitWidth   (FlitWidth),
        .Routing     (Routing),
        .Arbiter     (Arbiter),
        .VcAllocator (VcAllocator),
        .SwitchAllocator(SwitchAllocator),
        .IslipIterations(IslipIterations)
    ) u_router (
        .clk_i,
        .rst_ni,
        .x_i                  (CoordWidth'(X)),
        .y_i                  (CoordWidth'(Y)),
        .last_x_i             (CoordWidth'(Columns - 1)),
        .last_y_i             (CoordWidth'(Rows - 1)),
        .network_ports_i      ({1'b0, Linked}),
        .local_ports_i        (Ports'(1) << Local),
        .port_class_i         ('0),
        .avoid_ports_i        ('0),
        .share_reserved_i,
        .table_write_i        (1'b0),
        .table_set_i          ('0),
        .table_node_i         ('0),
        .table_ports_i        ('0),
        .link_valid_i         (in_valid),
        .link_head_i          (in_head),
        .link_tail_i          (in_tail),
        .link_lane_i          (in_lane),
        .link_data_i          (in_data),
        .credit_o             (credit_out[n]),
        .link_valid_o         (out_valid),
        .link_head_o          (out_head),
        .link_tail_o          (out_tail),
        .link_lane_o          (out_lane),
        .link_data_o          (out_data),
        .credit_i             (credit_in[n]),
        .control_valid_i      (control_in),
        .control_kind_i       (kind_in),
        .control_search_i     (search_in),
        .control_destination_i(destination_in),
        .control_valid_o      (control_out[n]),
        .control_kind_o       (control_kind[n]),
        .control_search_o     (control_search[n]),
        .control_destination_o(control_destination[n]),
        .request_valid_i      (request_valid && (request_all || request_node == NodeWidth'(n))),
        .request_ready_o      (request_ready[n]),
        .request_port_i       (PortWidth'(Local)),
        .request_lane_i       (request_lane),
        .request_kind_i       (request_kind),
        .request_search_i     (request_search),
        .request_destination_i(request_destination),
        .outcome_valid_o      (outcome_valid[n]),
        .outcome_success_o    (outcome_success[n])
    );

    logic [CircuitLanes-1:0] open;
    for (genvar l = 0; l < int'(CircuitLanes); l++) begin : gen_lane
      assign open[l] = success && started[n] > StartedWidth'(l);
    end

    network_interface #(
        .Vcs         (Vcs),
        .Depth       (Depth),
        .Circuits    (Circuits),
        .CircuitDepth(CircuitDepth),
        .CircuitLanes(CircuitLanes),
        .QueueDepth  (QueueDepth),
        .FlitWidth   (FlitWidth)
    ) u_interface (
        .clk_i,
        .rst_ni,
        .send_valid_i   (send_valid_i[n]),
        .send_ready_o   (send_ready_o[n]),
        .send_head_i    (send_head_i[n]),
        .send_tail_i    (send_tail_i[n]),
        .send_data_i    (send_data_i[n]),
        .circuit_open_i (open),
        .circuit_valid_i(circuit_valid_i[n]),
        .circuit_ready_o(circuit_ready_o[n]),
        .circuit_head_i (circuit_head_i[n]),
        .circuit_tail_i (circuit_tail_i[n]),
        .circuit_data_i (circuit_data_i[n]),
        .circuit_idle_o (circuit_idle_o[n]),
        .link_valid_o   (link_in[n][Local].valid),
        .link_head_o    (link_in[n][Local].head),
        .link_tail_o    (link_in[n][Local].tail),
        .link_lane_o    (link_in[n][Local].lane),
        .link_data_o    (link_in[n][Local].data),
        .credit_i       (credit_out[n][Local]),
        .link_valid_i   (link_out[n][Local].valid),
        .link_head_i    (link_out[n][Local].head),
        .link_tail_i    (link_out[n][Local].tail),
        .link_lane_i    (link_out[n][Local].lane),
        .link_data_i    (link_out[n][Local].data),
        .credit_o       (credit_in[n][Local]),
        .receive_valid_o(receive_valid_o[n]),
        .receive_ready_i(receive_ready_i[n]),
        .receive_head_o (receive_head_o[n]),
        .receive_tail_o (receive_tail_o[n]),
        .receive_vc_o   (receive_vc_o[n]),
        .receive_data_o (receive_data_o[n]),
        .admit_i        (admit_i[n]),
        .take_valid_o   (take_valid_o[n]),
        .take_head_o    (take_head_o[n]),
        .take_tail_o    (take_tail_o[n]),
        .take_lane_o    (take_lane_o[n]),
        .take_data_o    (take_data_o[n])
    );
  end

  setup_sequencer #(
      .Streams     (Streams),
      .Nodes       (Nodes),
      .CircuitLanes(CircuitLanes),
      .Retries     (Retries),
      .TokenCycles (TokenCycles)
  ) u_sequencer (
      .clk_i,
      .rst_ni,
      .stream_write_i,
      .stream_index_i,
      .stream_source_i,
      .stream_destination_i,
      .start_i,
      .streams_i,
      .request_valid_o      (request_valid),
      .request_ready_i      (request_all ? &request_ready : request_ready[request_node]),
      .request_all_o        (request_all),
      .request_node_o       (request_node),
      .request_lane_o       (request_lane),
      .request_kind_o       (request_kind),
      .request_stream_o     (),
      .request_search_o     (request_search),
      .request_destination_o(request_destination),
      .outcome_valid_i      (|outcome_valid),
      .outcome_success_i    (|(outcome_valid & outcome_success)),
      .state_o,
      .order_o              (),
      .stream_o             (),
      .standing_o           (),
      .success_o            (success),
      .started_o            (started),
      .lane_o
  );
  assign success_o = success;

  `BRAID_ASSERT(OneOutcome, $onehot0(outcome_valid))
  `BRAID_REQUIRE(NoCircuitsToSetUp, Circuits || !start_i)
endmodule
