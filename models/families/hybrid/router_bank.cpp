#include "models/families/hybrid/router_bank.h"

#include <algorithm>

#include "models/fabric/bits.h"

namespace braid::models::hybrid {

RouterBank::RouterBank(const routing::Topology& topology, const Options& options, std::size_t max_candidates) {
  routers_ = topology.router_count();
  vcs_ = options.vcs;
  circuits_ = options.circuits;
  const bool circuits = circuits_;
  set_numbering(bits_for(topology.max_port_count()), bits_for(options.vcs + (circuits ? 1 : 0)));
  depth_bits_ = bits_for(std::max(options.buffer_depth, circuits ? options.circuit_buffer_depth : 1));
  depth_mask_ = (1U << depth_bits_) - 1;
  max_candidates_ = max_candidates;
  for (std::size_t n = 0; n < topology.node_count(); ++n) {
    first_local_port.push_back(local_ports.size());
    for (const routing::Attachment& a : topology.nodes[n]) {
      local_ports.push_back({NodeId{n}, port_index(a.router, a.port)});
    }
  }
  const std::size_t router_ports = routers_ << port_bits_;
  const std::size_t ports = router_ports + local_ports.size();
  const auto make = [](auto& storage, auto*& view, std::size_t size, auto value) {
    storage.assign(size, value);
    view = storage.data();
  };
  make(input_vc_storage_, input_vcs, router_ports << lane_bits_, InputVc{});
  make(output_vc_storage_, output_vcs, ports << lane_bits_, OutputVc{});
  make(flit_storage_, flits_, input_vc_storage_.size() << depth_bits_, Flit{});
  make(candidate_storage_, candidates_, input_vc_storage_.size() * max_candidates, routing::Candidate{});
  make(switch_requests_, switch_requests, router_ports, VcMask{0});
  make(free_vcs_, free_vcs, ports, (VcMask{1} << vcs_) - 1);
  make(links_, links, ports, Link{});
  make(upstream_, upstream, router_ports, kNone);
  make(circuit_out_, circuit_out, router_ports, kNone);
  make(circuit_in_, circuit_in, ports, kNone);
  make(flits_sent_, flits_sent, router_ports, FlitCounts{});
  closed_outputs_ = std::make_unique<bool[]>(router_ports);
  closed_outputs = closed_outputs_.get();
  for (PortIndex p = 0; p < ports; ++p) {
    for (std::uint32_t v = 0; v < vcs_; ++v) {
      output_vcs[vc_index(p, v)].credits = static_cast<std::uint16_t>(options.buffer_depth);
    }
    if (circuits) {
      output_vcs[vc_index(p, vcs_)].credits = static_cast<std::uint16_t>(options.circuit_buffer_depth);
    }
  }
  wire(topology);
}

void RouterBank::wire(const routing::Topology& topology) {
  for (std::size_t r = 0; r < routers_; ++r) {
    for (std::size_t p = 0; p < topology.port_count(RouterId{r}); ++p) {
      const routing::Port& port = topology.port(RouterId{r}, PortId{p});
      if (port.kind != routing::PortKind::kNetwork) continue;
      const PortIndex here = port_index(RouterId{r}, PortId{p});
      const PortIndex there = port_index(port.peer_router, port.peer_port);
      links[here] = {there, static_cast<std::uint16_t>(port.latency_cycles), false};
      upstream[there] = here;
      max_link_latency = std::max(max_link_latency, port.latency_cycles);
    }
  }
  for (std::size_t i = 0; i < local_ports.size(); ++i) {
    const PortIndex router_port = local_ports[i].router_port;
    links[router_port] = {static_cast<std::uint32_t>(i), 1, true};
    links[injection_port(i)] = {router_port, 1, false};
    upstream[router_port] = injection_port(i);
  }
}

}  // namespace braid::models::hybrid
