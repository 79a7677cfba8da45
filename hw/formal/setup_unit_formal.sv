// Proof of the set-up unit with its circuit table, in any legal surroundings: every reservation has one owner, what is
// released was held, a search leaves over each port at most once and so ends, and every message is answered in a cycle,
// but for a tear-down that waits for flits.
module setup_unit_formal #(
    parameter int unsigned Ports = 4,
    parameter logic [Ports-1:0] LocalPorts = 4'b1000,
    localparam int unsigned PortWidth = $clog2(Ports),
    localparam int unsigned SearchWidth = router_pkg::SearchWidth,
    localparam int unsigned DestinationWidth = router_pkg::DestinationWidth
) (
    input logic                        clk_i,
    input logic                        valid_i,
    input logic [PortWidth-1:0]        port_i,
    input router_pkg::control_kind_e   kind_i,
    input logic [SearchWidth-1:0]      search_i,
    input logic [DestinationWidth-1:0] destination_i,
    input logic [Ports-1:0]            directions_i,
    input logic [Ports-1:0]            holds_flits_i
);
  import router_pkg::*;
  logic rst_ni = 1'b0;
  always_ff @(posedge clk_i) rst_ni <= 1'b1;

  logic release_path, reserve_path, done, success;
  logic [PortWidth-1:0] release_in, release_out, reserve_in, reserve_out;
  logic [Ports-1:0] out_valid, held, send;
  logic [Ports-1:0][PortWidth-1:0] out_port, in_port;
  control_kind_e send_kind;
  logic [SearchWidth-1:0] send_search;
  logic [DestinationWidth-1:0] send_destination, lookup;

  setup_unit #(
      .Ports(Ports)
  ) u_setup (
      .network_ports_i(~LocalPorts),
      .local_ports_i(LocalPorts),
      .lookup_o(lookup),
      .circuit_out_i(out_port),
      .held_i(held),
      .circuit_in_i(in_port),
      .release_o(release_path),
      .release_in_o(release_in),
      .release_out_o(release_out),
      .reserve_o(reserve_path),
      .reserve_in_o(reserve_in),
      .reserve_out_o(reserve_out),
      .send_o(send),
      .send_kind_o(send_kind),
      .send_search_o(send_search),
      .send_destination_o(send_destination),
      .done_o(done),
      .success_o(success),
      .*
  );
  circuit_table #(
      .Ports(Ports)
  ) u_table (
      .release_i(release_path),
      .release_in_i(release_in),
      .release_out_i(release_out),
      .reserve_i(reserve_path),
      .reserve_in_i(reserve_in),
      .reserve_out_i(reserve_out),
      .out_valid_o(out_valid),
      .out_port_o(out_port),
      .in_valid_o(held),
      .in_port_o(in_port),
      .*
  );

  // The surroundings: one search or tear-down at a time.
  logic probing_q = 1'b0;               // a probe of this unit is on its way
  logic [PortWidth-1:0] probe_port_q = '0;
  logic again, legal;
  assign again = search_i == u_setup.search_q;
  always_comb begin
    legal = int'(port_i) < Ports && !u_setup.waiting_q;
    unique case (kind_i)
      ControlKindProbe:
      legal &= search_i != '0 && (again ? !LocalPorts[port_i] : !probing_q && !out_valid[port_i]);
      ControlKindBacktrack, ControlKindAcknowledge: legal &= probing_q && port_i == probe_port_q;
      ControlKindTearDown: legal &= !probing_q && out_valid[port_i];
    endcase
  end
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      OnlyLegal : assume (!valid_i || legal);
      // While a search is under way and after it, the same ports are local: directions never mix them.
      LocalOrNot : assume ((directions_i & LocalPorts) == '0 || (directions_i & ~LocalPorts) == '0);
    end
  end

  logic sends_probe;
  assign sends_probe = u_setup.advanced && !u_setup.arrived;
  always_ff @(posedge clk_i) begin
    if (rst_ni && u_setup.valid) begin
      if (sends_probe) begin
        probing_q <= 1'b1;
        probe_port_q <= u_setup.choice_port;
      end else if (u_setup.advance || u_setup.message.kind == ControlKindAcknowledge) begin
        probing_q <= 1'b0;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      EachPortOnce : assert (!sends_probe || !u_setup.tried_d[u_setup.choice_port]);
      OnlyOverLinks : assert (!sends_probe || !LocalPorts[u_setup.choice_port]);
      NotBack : assert (!sends_probe || u_setup.choice_port != u_setup.in_port_d);
      Answered : assert (!u_setup.valid || u_setup.reply || u_setup.waiting_d);
      WaitsOnlyForFlits :
      assert (!u_setup.waiting_d || holds_flits_i[u_setup.message.port]);
      // For induction: what is remembered fits the table.
      ProbeIsReserved :
      assert (!probing_q || (held[probe_port_q] && in_port[probe_port_q] == u_setup.in_port_q &&
                             out_valid[u_setup.in_port_q] && out_port[u_setup.in_port_q] == probe_port_q));
      ProbeIsTried : assert (!probing_q || u_setup.tried_q[probe_port_q]);
      WaitIsTearDown :
      assert (!u_setup.waiting_q || (!probing_q && u_setup.waiting_message_q.kind == ControlKindTearDown &&
                                     out_valid[u_setup.waiting_message_q.port] &&
                                     int'(u_setup.waiting_message_q.port) < Ports));
      InPortExists : assert (int'(u_setup.in_port_q) < Ports);
      LocalNeverTried : assert ((u_setup.tried_q & LocalPorts) == '0);
    end
  end
endmodule
