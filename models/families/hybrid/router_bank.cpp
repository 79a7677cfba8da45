#include "models/families/hybrid/router_bank.h"

#include <algorithm>

#include "models/fabric/bits.h"
#include "models/families/hybrid/shared_buffers.h"

namespace braid::models::hybrid {

namespace {

unsigned lane_bits_of(const Options& o) { return bits_for(o.vcs + (o.circuits ? o.circuit_lanes : 0)); }
unsigned depth_bits_of(const Options& o) {
  return bits_for(std::max(o.buffer_depth, o.circuits ? o.circuit_buffer_depth : 1));
}

}  // namespace

std::uint64_t RouterBank::bytes(const routing::Topology& topology, const Options& options, std::size_t max_candidates) {
  std::uint64_t ports = 0;
  for (const auto& router : topology.routers) ports += router.size();
  const std::uint64_t flits = ports * options.vcs * options.buffer_depth * sizeof(Flit);
  const std::uint64_t vc = sizeof(InputVc) + sizeof(OutputVc) + max_candidates * sizeof(routing::Candidate);
  const std::uint64_t port = (vc << lane_bits_of(options)) + 2 * sizeof(VcMask) + sizeof(FlitCounts);
  return Wiring::bytes(topology) + PortNumbering(topology).router_port_count() * port + flits;
}

RouterBank::RouterBank(const routing::Topology& topology, const Options& options, std::size_t max_candidates)
    : wiring_(topology) {
  PortNumbering::operator=(wiring_);
  vcs_ = options.vcs;
  circuit_lanes_ = options.circuits ? options.circuit_lanes : 0;
  lane_bits_ = lane_bits_of(options);
  depth_bits_ = depth_bits_of(options);
  depth_mask_ = (1U << depth_bits_) - 1;
  max_candidates_ = max_candidates;
  links = wiring_.links.data();
  upstream = wiring_.upstream.data();
  const std::size_t router_ports = router_port_count();
  const std::size_t ports = wiring_.links.size();
  const auto make = [](auto& storage, auto*& view, std::size_t size, auto value) {
    storage.assign(size, value);
    view = storage.data();
  };
  make(input_vc_storage_, input_vcs, router_ports << lane_bits_, InputVc{});
  make(output_vc_storage_, output_vcs, ports << lane_bits_, OutputVc{});
  flit_storage_ = zeroed<Flit>(input_vc_storage_.size() << depth_bits_);
  flits_ = flit_storage_.get();
  make(candidate_storage_, candidates_, input_vc_storage_.size() * max_candidates, routing::Candidate{});
  make(switch_requests_, switch_requests, router_ports, VcMask{0});
  make(last_ports_, last_ports, router_ports << lane_bits_, std::uint8_t{0});
  make(ways_, ways, router_ports << lane_bits_, std::uint8_t{0});
  make(free_vcs_, free_vcs, ports, (VcMask{1} << vcs_) - 1);
  make(flits_sent_, flits_sent, router_ports, FlitCounts{});
  closed_outputs_ = std::make_unique<bool[]>(router_ports);
  closed_outputs = closed_outputs_.get();
  for (PortIndex p = 0; p < ports; ++p) {
    for (std::uint32_t v = 0; v < vcs_; ++v) {
      output_vcs[vc_index(p, v)].credits = static_cast<std::uint16_t>(options.buffer_depth);
    }
    for (std::uint32_t c = 0; c < circuit_lanes_; ++c) {
      output_vcs[circuit_vc(p, c)].credits = static_cast<std::uint16_t>(options.circuit_buffer_depth);
    }
  }
  if (options.buffers == Buffers::kShared) shared_buffers_ = std::make_unique<SharedBuffers>(*this, options);
}

RouterBank::~RouterBank() = default;

void RouterBank::checkpoint(Checkpoint& c) {
  const auto all = [&](auto& storage) { c.array(storage.data(), storage.size()); };
  all(input_vc_storage_);
  c.each(output_vc_storage_);
  all(free_vcs_);
  all(switch_requests_);
  all(last_ports_);
  all(ways_);
  c.array(closed_outputs_.get(), router_port_count());
  all(flits_sent_);
  c.array(flit_storage_.get(), input_vc_storage_.size() << depth_bits_);
  all(candidate_storage_);
  if (shared_buffers_) c(*shared_buffers_);
}

}  // namespace braid::models::hybrid
