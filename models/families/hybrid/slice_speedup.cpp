// A slice whose crossbar is faster than its links (router.input_speedup, router.output_speedup,
// router.internal_speedup): what its stages do beyond those of other slices.
#include <algorithm>
#include <cmath>

#include "models/families/hybrid/slice.h"

namespace braid::models::hybrid {

std::size_t Slice::crossing_of_a_port() const { return std::min(shared_.router.input_speedup, shared_.router.vcs); }

std::size_t Slice::credits_of_a_port() const {
  return crossing_of_a_port() * static_cast<std::size_t>(std::ceil(shared_.router.internal_speedup)) + 1;
}

/// As many as have begun by the end of this cycle and had not before.
std::uint32_t Slice::steps_of(std::uint64_t cycle) const {
  const auto begun = [&](std::uint64_t cycles) {
    return static_cast<std::uint64_t>(std::floor(static_cast<double>(cycles) * shared_.router.internal_speedup));
  };
  return static_cast<std::uint32_t>(begun(cycle + 1) - begun(cycle));
}

/// A credit leaves with those of the cycle that follows SA, in whatever step of a cycle that was.
void Slice::traverse_to_buffers(std::uint64_t cycle, std::uint32_t step) {
  const BankView& bank = shared_.bank;
  const PortIndex first = first_port(bank);
  output_buffers_->look();
  switch_traversals_ += traversals_.size();
  for (const Traversal& t : traversals_) {
    output_buffers_->push(t.out_port, t.flit);
    const CreditWire& back = credit_wires_[bank.port_of_vc(t.in_vc) - first];
    credit_outlets_[back.outlet].slot(cycle + (step == 0 ? 0 : 1)).push(back.first_vc + bank.lane_of(t.in_vc));
  }
  traversals_.clear();
  if (shared_.router.internal_speedup == 1) send_buffered(cycle);
}

/// LT: each link takes a flit.
void Slice::send_buffered(std::uint64_t cycle) {
  const BankView& bank = shared_.bank;
  output_buffers_->send([&](PortIndex out, const Flit& flit) {
    ++bank.flits_sent[out][0];
    const Wire& wire = wires_[out - first_port(bank)];
    flit_outlets_[wire.outlet[0]].slot(cycle).push({flit, wire.target});
  });
}

/// In the second half of a cycle, when the first step's registers have changed: both halves of each further step. What
/// comes in has come in the first, what goes out goes after the last.
void Slice::run_further_steps(std::uint64_t cycle) {
  if (shared_.router.internal_speedup == 1) return;
  for (std::uint32_t step = 1; step < steps_of(cycle); ++step) {
    traverse_to_buffers(cycle, step);
    allocate_packets(cycle);
    allocate_vcs(cycle);
    write_buffers(cycle);
    compute_routes(cycle);
    commit_switch_grants();
    commit_vc_grants();
  }
  send_buffered(cycle);
}

/// Of flits in ST: no port is crossed by more than its ports of the crossbar.
void Slice::check_crossing(const Checkpoint& c) const {
  const BankView& bank = shared_.bank;
  const std::uint32_t ways_in = shared_.router.input_speedup, ways_out = shared_.router.output_speedup;
  const std::size_t ports = range_.size() * bank.port_stride();
  std::vector<bool> from(ports * ways_in), to(ports * ways_out);
  for (const Traversal& t : traversals_) {
    const PortIndex in = bank.port_of_vc(t.in_vc);
    const std::size_t way_in = (in - first_port(bank)) * ways_in + bank.lane_of(t.in_vc) % ways_in;
    const std::size_t way_out = (t.out_port - first_port(bank)) * ways_out + bank.port_of(in) % ways_out;
    c.expect(!from[way_in] && !to[way_out], "two flits on one port of a crossbar");
    from[way_in] = to[way_out] = true;
  }
}

}  // namespace braid::models::hybrid
