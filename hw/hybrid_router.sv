// SPDX-License-Identifier: Apache-2.0
// The hybrid router: packets in four stages (BW+RC, VA, SA, ST), circuits in one, and the unit that sets circuits up.
// docs/router.md draws the cycles. All outputs are registers. Links of one cycle join two routers directly.
//
// Lanes 0 .. Vcs-1 of a link are packet VCs; from Vcs on they are circuits', one on a link between routers, CircuitLanes
// on those of a local port. On grids ports are east, west, north, south, then local ports. A head flit carries its destination in the lowest bits of its data.
`include "assert.svh"

module hybrid_router #(
    parameter int unsigned Ports = 5,
    parameter int unsigned Vcs = 4,
    parameter int unsigned Depth = 8,              // flits a packet VC
    parameter bit BufferBypass = 1'b0,             // a body flit may be granted in the cycle in which it is written
    parameter bit Circuits = 1'b1,                 // 0: a packet router without set-up unit and circuit lane
    parameter int unsigned CircuitDepth = 5,       // flits of a circuit that comes in at a port
    parameter int unsigned CircuitLanes = 1,       // circuits that share a local port, each way: 1, 2, 4, 8
    parameter int unsigned FlitWidth = 64,         // data bits of a flit, at least DestinationWidth
    parameter router_pkg::routing_e Routing = router_pkg::RoutingXFirst,
    parameter router_pkg::arbiter_e Arbiter = router_pkg::ArbiterRoundRobin,
    parameter router_pkg::allocator_e VcAllocator = router_pkg::AllocatorSeparableInputFirst,
    parameter router_pkg::allocator_e SwitchAllocator = router_pkg::AllocatorSeparableInputFirst,
    parameter int unsigned IslipIterations = 1,    // of iSLIP, in a cycle
    parameter int unsigned TableNodes = 16,        // nodes of the network, under table routing
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
    // Straps: constant while out of reset.
    input  logic [CoordWidth-1:0]                 x_i,
    input  logic [CoordWidth-1:0]                 y_i,
    input  logic [CoordWidth-1:0]                 last_x_i,          // torus: the largest coordinates, the corner is (0, 0)
    input  logic [CoordWidth-1:0]                 last_y_i,
    input  logic [Ports-1:0]                      network_ports_i,   // lead to other routers
    input  logic [Ports-1:0]                      local_ports_i,     // lead to this router's nodes
    input  logic [Ports-1:0]                      port_class_i,      // table routing: set of packets coming in here
    input  logic [Ports-1:0]                      avoid_ports_i,     // set-up: see setup_unit
    input  logic                                  share_reserved_i,  // packets may use idle cycles of reserved links
    // Table routing: one entry a cycle, before traffic. Sets 0, 1: routes by class; 2: directions for set-up.
    input  logic                                  table_write_i,
    input  logic [1:0]                            table_set_i,
    input  logic [NodeWidth-1:0]                  table_node_i,
    input  logic [Ports-1:0]                      table_ports_i,
    // Links in, and credits back to their senders.
    input  logic [Ports-1:0]                      link_valid_i,
    input  logic [Ports-1:0]                      link_head_i,
    input  logic [Ports-1:0]                      link_tail_i,
    input  logic [Ports-1:0][LaneWidth-1:0]       link_lane_i,
    input  logic [Ports-1:0][FlitWidth-1:0]       link_data_i,
    output logic [Ports-1:0][Lanes-1:0]           credit_o,
    // Links out, and credits from their receivers.
    output logic [Ports-1:0]                      link_valid_o,
    output logic [Ports-1:0]                      link_head_o,
    output logic [Ports-1:0]                      link_tail_o,
    output logic [Ports-1:0][LaneWidth-1:0]       link_lane_o,
    output logic [Ports-1:0][FlitWidth-1:0]       link_data_o,
    input  logic [Ports-1:0][Lanes-1:0]           credit_i,
    // Control channels beside the links: at most one message a cycle comes to a router.
    input  logic [Ports-1:0]                      control_valid_i,
    input  router_pkg::control_kind_e [Ports-1:0] control_kind_i,
    input  logic [Ports-1:0][SearchWidth-1:0]     control_search_i,
    input  logic [Ports-1:0][DestinationWidth-1:0] control_destination_i,
    output logic [Ports-1:0]                      control_valid_o,  // one hot
    output router_pkg::control_kind_e             control_kind_o,   // of the one message
    output logic [SearchWidth-1:0]                control_search_o,
    output logic [DestinationWidth-1:0]           control_destination_o,
    // The node asks for a search (probe) or a tear-down of the circuit that starts at a lane of a local port.
    input  logic                                  request_valid_i,
    output logic                                  request_ready_o,   // it is taken; until then it has to stand
    input  logic [PortWidth-1:0]                  request_port_i,
    input  logic [CircuitWidth-1:0]               request_lane_i,    // counted from Vcs
    input  router_pkg::control_kind_e             request_kind_i,
    input  logic [SearchWidth-1:0]                request_search_i,
    input  logic [DestinationWidth-1:0]           request_destination_i,
    output logic                                  outcome_valid_o,   // a search or tear-down has ended here
    output logic                                  outcome_success_o
);
  localparam int unsigned VcWidth = router_pkg::index_width(Vcs);
  // What no network has, or what the fields of a message and of a head flit do not hold, does not elaborate.
  if (Ports < 3 || Ports > 8) begin : gen_refused_ports
    $error("Ports: 3 to 8 are expected");
  end
  if (Routing != router_pkg::RoutingTable && Ports < 5) begin : gen_refused_grid
    $error("Ports: at least 5 are expected on a grid, four directions and a local port");
  end
  if (Vcs < 1 || Vcs > 8 || Depth < 1 || CircuitDepth < 1) begin : gen_refused_buffers
    $error("Vcs: 1 to 8, Depth and CircuitDepth: at least 1 are expected");
  end
  if (Routing == router_pkg::RoutingMinimalAdaptive && Vcs < 2) begin : gen_refused_escape
    $error("Vcs: at least 2 are expected where VC 0 is the escape");
  end
  localparam bit Torus = Routing == router_pkg::RoutingTorusXFirst;
  if (Torus && (Vcs < 2 || Ports != 5)) begin : gen_refused_torus
    $error("Vcs: at least 2, Ports: 5 are expected on a torus, halves of the VCs and one local port");
  end
  if ((CircuitLanes & (CircuitLanes - 1)) != 0 || CircuitLanes > 8) begin : gen_refused
    $error("CircuitLanes: 1, 2, 4 or 8 are expected");
  end
  if (IslipIterations < 1 || IslipIterations > 16) begin : gen_refused_iterations
    $error("IslipIterations: 1 to 16 are expected");
  end
  if (FlitWidth < DestinationWidth) begin : gen_refused_width
    $error("FlitWidth: at least DestinationWidth bits are expected");
  end
  if (TableNodes < 2 || TableNodes > 2 ** DestinationWidth) begin : gen_refused_table
    $error("TableNodes: 2 to 65536 are expected");
  end
  localparam int unsigned Width = FlitWidth + 2;
  localparam int unsigned RouteWidth = router_pkg::route_width(Routing, Ports);
  localparam int unsigned CreditWidth = $clog2(Depth + 1);

  // ---------------------------------------------------------------- links in, BW and RC
  logic [Width-1:0] link_flit [Ports];
  logic [Ports-1:0] packet_arrives;
  logic [Ports-1:0][CircuitLanes-1:0] circuit_arrives;
  logic [Ports-1:0][1:0][DestinationWidth-1:0] route_destination;
  logic [Ports-1:0][1:0] on_first;
  logic [Ports-1:0][1:0][RouteWidth-1:0] route;
  logic [DestinationWidth-1:0] setup_destination;
  logic [Ports-1:0] setup_directions;
  logic [Ports-1:0][Vcs-1:0] waiting, ready, request, grant;
  logic [Ports-1:0][Vcs-1:0][RouteWidth-1:0] candidates;
  logic [Ports-1:0][Vcs-1:0][PortWidth-1:0] out_port;
  logic [Ports-1:0][Vcs-1:0][VcWidth-1:0] out_vc;
  logic [Width-1:0] packet_flit [Ports];
  logic [Ports*Vcs-1:0] vc_grant;
  logic [Ports*Vcs-1:0][Ports-1:0] vc_grant_port;
  logic [Ports*Vcs-1:0][Vcs-1:0] vc_grant_vc;

  // ---------------------------------------------------------------- output ports, allocation
  logic [Ports-1:0][Vcs-1:0] free, vc_granted;
  logic [Ports-1:0][Vcs-1:0][CreditWidth-1:0] credits;
  logic [Ports-1:0][Vcs-1:0] has_credit;
  logic [Ports-1:0][CircuitLanes-1:0] circuit_credit;
  logic [Ports-1:0][Vcs-1:0] send;
  logic [Ports-1:0] send_tail;

  // ---------------------------------------------------------------- circuits
  logic [Ports-1:0] circuit_grant;
  logic [Ports-1:0][Ports-1:0] circuit_takes;  // [input port][output port]
  logic [Ports-1:0] circuit_taken_outputs;
  logic [Ports-1:0][CircuitLanes-1:0] send_circuit;
  logic [Ports-1:0][CircuitWidth-1:0] circuit_in_lane, circuit_out_lane;
  logic [Width-1:0] circuit_flit [Ports];
  logic [Ports-1:0][PortWidth-1:0] circuit_out;
  logic [Ports-1:0] held;

  // ---------------------------------------------------------------- ST
  logic [Ports-1:0] st_grant;
  logic [Width-1:0] st_flit [Ports], link_flit_out [Ports];
  logic [Ports-1:0][LaneWidth-1:0] st_in_lane, st_out_lane;
  logic [Ports-1:0][PortWidth-1:0] st_out_port;

  route_unit #(
      .Ports     (Ports),
      .Routing   (Routing),
      .TableNodes(TableNodes)
  ) u_route (
      .clk_i,
      .rst_ni,
      .x_i,
      .y_i,
      .last_x_i,
      .last_y_i,
      .network_ports_i,
      .local_ports_i,
      .port_class_i,
      .table_write_i,
      .table_set_i,
      .table_node_i,
      .table_ports_i,
      .destination_i      (route_destination),
      .on_first_i         (on_first),
      .route_o            (route),
      .setup_destination_i(setup_destination),
      .setup_directions_o (setup_directions)
  );

  for (genvar p = 0; p < int'(Ports); p++) begin : gen_port
    logic on_circuit;
    if (Circuits) begin : gen_lanes
      for (genvar l = 0; l < int'(CircuitLanes); l++) begin : gen_lane
        assign circuit_arrives[p][l] = link_valid_i[p] && link_lane_i[p] == LaneWidth'(Vcs + l);
      end
      assign on_circuit = link_lane_i[p] >= LaneWidth'(Vcs);
    end else begin : gen_no_lanes
      assign circuit_arrives[p] = '0;
      assign on_circuit = 1'b0;
    end
    assign link_flit[p] = {link_head_i[p], link_tail_i[p], link_data_i[p]};
    assign packet_arrives[p] = link_valid_i[p] && !on_circuit;

    input_unit #(
        .Ports       (Ports),
        .Vcs         (Vcs),
        .Depth       (Depth),
        .BufferBypass(BufferBypass),
        .Width       (Width),
        .RouteWidth  (RouteWidth),
        .FirstVcs    (Torus ? Vcs / 2 : 1)
    ) u_input (
        .clk_i,
        .rst_ni,
        .valid_i        (packet_arrives[p]),
        .vc_i           (link_lane_i[p][VcWidth-1:0]),
        .flit_i         (link_flit[p]),
        .destination_o  (route_destination[p]),
        .on_first_o     (on_first[p]),
        .route_i        (route[p]),
        .waiting_o      (waiting[p]),
        .candidates_o   (candidates[p]),
        .vc_grant_i     (vc_grant[p*Vcs+:Vcs]),
        .vc_grant_port_i(vc_grant_port[p*Vcs+:Vcs]),
        .vc_grant_vc_i  (vc_grant_vc[p*Vcs+:Vcs]),
        .ready_o        (ready[p]),
        .out_port_o     (out_port[p]),
        .out_vc_o       (out_vc[p]),
        .grant_i        (grant[p]),
        .granted_flit_o (packet_flit[p])
    );

    logic [Vcs+CircuitLanes-1:0] credits_back;
    assign credits_back = (Vcs + CircuitLanes)'(credit_i[p]);
    output_unit #(
        .Vcs         (Vcs),
        .Depth       (Depth),
        .Circuits    (Circuits ? router_pkg::lanes_at(Routing, p, CircuitLanes) : 0),
        .CircuitLanes(CircuitLanes),
        .CircuitDepth(CircuitDepth)
    ) u_output (
        .clk_i,
        .rst_ni,
        .credit_i        (credits_back),
        .vc_granted_i    (vc_granted[p]),
        .send_i          (send[p]),
        .send_tail_i     (send_tail[p]),
        .send_circuit_i  (send_circuit[p]),
        .free_o          (free[p]),
        .credits_o       (credits[p]),
        .circuit_credit_o(circuit_credit[p])
    );

    for (genvar v = 0; v < int'(Vcs); v++) begin : gen_vc
      assign has_credit[p][v] = credits[p][v] != '0;
    end
    always_comb begin
      request[p] = '0;
      for (int unsigned v = 0; v < Vcs; v++) begin
        if (ready[p][v]) request[p][v] = has_credit[out_port[p][v]][out_vc[p][v]];
      end
    end

    // The ST register of input port p: a circuit's flit or a packet's.
    always_comb begin
      st_grant[p] = circuit_grant[p] || |grant[p];
      st_flit[p] = circuit_grant[p] ? circuit_flit[p] : packet_flit[p];
      st_out_port[p] = circuit_grant[p] ? circuit_out[p] : '0;
      st_in_lane[p] = circuit_grant[p] ? LaneWidth'(Vcs) + LaneWidth'(circuit_in_lane[p]) : '0;
      st_out_lane[p] = circuit_grant[p] ? LaneWidth'(Vcs) + LaneWidth'(circuit_out_lane[p]) : '0;
      for (int unsigned v = 0; v < Vcs; v++) begin
        if (grant[p][v]) begin
          st_out_port[p] = out_port[p][v];
          st_in_lane[p]  = LaneWidth'(v);
          st_out_lane[p] = LaneWidth'(out_vc[p][v]);
        end
      end
    end
    assign {link_head_o[p], link_tail_o[p], link_data_o[p]} = link_flit_out[p];

    `BRAID_REQUIRE(PortIsWired, !link_valid_i[p] || network_ports_i[p] || local_ports_i[p])
    `BRAID_REQUIRE(LaneExists, !link_valid_i[p] || int'(link_lane_i[p]) < Lanes)
    `BRAID_ASSERT(CircuitOrPacket, !(circuit_grant[p] && |grant[p]))
  end

  // What leaves over each output port: told by the input ports that have a grant.
  always_comb begin
    send = '0;
    send_tail = '0;
    circuit_taken_outputs = '0;
    send_circuit = '0;
    for (int unsigned p = 0; p < Ports; p++) begin
      if (|grant[p]) begin
        send[st_out_port[p]][st_out_lane[p][VcWidth-1:0]] = 1'b1;
        send_tail[st_out_port[p]] = packet_flit[p][Width-2];
      end
      circuit_taken_outputs |= circuit_takes[p];
      for (int unsigned o = 0; o < Ports; o++) begin
        for (int unsigned l = 0; l < CircuitLanes; l++) begin
          if (circuit_takes[p][o] && circuit_out_lane[p] == CircuitWidth'(l)) send_circuit[o][l] = 1'b1;
        end
      end
    end
  end

  // With one local port a dimension order leaves no choice.
  localparam bit OneCandidate =
      Ports == 5 && (Routing == router_pkg::RoutingXFirst || Routing == router_pkg::RoutingYFirst || Torus);
  if (VcAllocator == router_pkg::AllocatorIslip) begin : gen_islip_va
    islip_vc_allocator #(
        .Ports     (Ports),
        .Vcs       (Vcs),
        .Depth     (Depth),
        .Arbiter   (Arbiter),
        .Iterations(IslipIterations),
        .Escape    (Routing == router_pkg::RoutingMinimalAdaptive),
        .Halves    (Torus)
    ) u_vc_allocator (
        .clk_i,
        .rst_ni,
        .waiting_i     (waiting),
        .candidates_i  (candidates),
        .last_port_i   (out_port),
        .escape_ports_i(network_ports_i),
        .free_i        (free),
        .credits_i     (credits),
        .grant_o       (vc_grant),
        .port_o        (vc_grant_port),
        .vc_o          (vc_grant_vc),
        .granted_o     (vc_granted)
    );
  end else begin : gen_separable_va
    vc_allocator #(
        .Ports       (Ports),
        .Vcs         (Vcs),
        .Depth       (Depth),
        .Arbiter     (Arbiter),
        .Escape      (Routing == router_pkg::RoutingMinimalAdaptive),
        .Halves      (Torus),
        .OneCandidate(OneCandidate)
    ) u_vc_allocator (
        .clk_i,
        .rst_ni,
        .waiting_i     (waiting),
        .candidates_i  (candidates),
        .last_port_i   (out_port),
        .escape_ports_i(network_ports_i),
        .free_i        (free),
        .credits_i     (credits),
        .grant_o       (vc_grant),
        .port_o        (vc_grant_port),
        .vc_o          (vc_grant_vc),
        .granted_o     (vc_granted)
    );
  end

  logic [Ports-1:0] closed_outputs;
  assign closed_outputs = circuit_taken_outputs | (share_reserved_i ? '0 : held);
  if (SwitchAllocator == router_pkg::AllocatorIslip) begin : gen_islip_sa
    islip_switch_allocator #(
        .Ports     (Ports),
        .Vcs       (Vcs),
        .Arbiter   (Arbiter),
        .Iterations(IslipIterations)
    ) u_switch_allocator (
        .clk_i,
        .rst_ni,
        .request_i      (request),
        .out_port_i     (out_port),
        .taken_inputs_i (circuit_grant),
        .taken_outputs_i(closed_outputs),
        .grant_o        (grant)
    );
  end else begin : gen_separable_sa
    switch_allocator #(
        .Ports  (Ports),
        .Vcs    (Vcs),
        .Arbiter(Arbiter)
    ) u_switch_allocator (
        .clk_i,
        .rst_ni,
        .request_i      (request),
        .out_port_i     (out_port),
        .taken_inputs_i (circuit_grant),
        .taken_outputs_i(closed_outputs),
        .grant_o        (grant)
    );
  end

  switch_traversal #(
      .Ports(Ports),
      .Lanes(Lanes),
      .Width(Width)
  ) u_switch_traversal (
      .clk_i,
      .rst_ni,
      .grant_i     (st_grant),
      .flit_i      (st_flit),
      .in_lane_i   (st_in_lane),
      .out_port_i  (st_out_port),
      .out_lane_i  (st_out_lane),
      .link_valid_o(link_valid_o),
      .link_lane_o (link_lane_o),
      .link_flit_o (link_flit_out),
      .credit_o    (credit_o)
  );

  if (Circuits) begin : gen_circuits
    circuit_unit #(
        .Ports       (Ports),
        .CircuitLanes(CircuitLanes),
        .Depth       (CircuitDepth),
        .Width       (Width),
        .Routing     (Routing)
    ) u_circuits (
        .clk_i,
        .rst_ni,
        .network_ports_i,
        .local_ports_i,
        .avoid_ports_i,
        .arrives_i            (circuit_arrives),
        .flit_i               (link_flit),
        .credit_i             (circuit_credit),
        .grant_o              (circuit_grant),
        .takes_o              (circuit_takes),
        .flit_o               (circuit_flit),
        .in_lane_o            (circuit_in_lane),
        .out_port_o           (circuit_out),
        .out_lane_o           (circuit_out_lane),
        .held_o               (held),
        .setup_destination_o  (setup_destination),
        .setup_directions_i   (setup_directions),
        .control_valid_i,
        .control_kind_i,
        .control_search_i,
        .control_destination_i,
        .control_valid_o,
        .control_kind_o,
        .control_search_o,
        .control_destination_o,
        .request_valid_i,
        .request_ready_o,
        .request_port_i,
        .request_lane_i,
        .request_kind_i,
        .request_search_i,
        .request_destination_i,
        .outcome_valid_o,
        .outcome_success_o
    );
  end else begin : gen_no_circuits
    assign circuit_grant = '0;
    assign circuit_takes = '0;
    for (genvar p = 0; p < int'(Ports); p++) begin : gen_flit
      assign circuit_flit[p] = '0;
    end
    assign circuit_out = '0;
    assign circuit_in_lane = '0;
    assign circuit_out_lane = '0;
    assign held = '0;
    assign setup_destination = '0;
    assign control_valid_o = '0;
    assign control_kind_o = router_pkg::ControlKindProbe;
    assign control_search_o = '0;
    assign control_destination_o = '0;
    assign request_ready_o = 1'b0;
    assign outcome_valid_o = 1'b0;
    assign outcome_success_o = 1'b0;

    logic unused;
    assign unused = ^{circuit_arrives, circuit_credit, setup_directions, control_valid_i, control_kind_i,
                      control_search_i, control_destination_i, request_valid_i, request_port_i, request_lane_i,
                      request_kind_i, request_search_i, request_destination_i, avoid_ports_i};
  end

  // What is valid is known from the first cycle after reset on, and so are the fields of what is valid.
  `BRAID_ASSERT_KNOWN(valids_known, {link_valid_o, credit_o, control_valid_o, outcome_valid_o, request_ready_o})
  for (genvar p = 0; p < int'(Ports); p++) begin : gen_known
    `BRAID_ASSERT_KNOWN(link_known, link_valid_o[p] ? {link_head_o[p], link_tail_o[p], link_lane_o[p]} : '0)
  end
  `BRAID_ASSERT_KNOWN(control_known, (|control_valid_o) ? control_kind_o : '0)
endmodule
