// A switch allocator of one's own, as a SystemC module with the ports of hw/switch_allocator.sv: the request that has
// waited longest goes first; those of one age go round.
#include <vector>

#include "models/stages/hybrid/switch_allocator.h"

namespace {

using namespace braid::models::stages::hybrid;
using braid::models::stages::Bits;

class ByAge final : public SwitchAllocatorPorts {
 public:
  explicit ByAge(const StageSeat& seat)
      : SwitchAllocatorPorts(seat.name, seat.shape), waited_(seat.shape.input_vcs()) {}

 private:
  /// One cycle: reads every input port, writes every output port.
  void on_ports(std::uint64_t) override {
    const Bits &request = request_i->read(), &out_port = out_port_i->read();
    Bits inputs = taken_inputs_i->read(), outputs = taken_outputs_i->read();
    Bits grant(shape_.input_vcs());
    const unsigned width = shape_.port_bits();
    for (unsigned left = shape_.ports; left > 0; --left) {
      const unsigned none = shape_.input_vcs();
      unsigned oldest = none;
      for (unsigned turn = 0; turn < shape_.input_vcs(); ++turn) {
        const unsigned vc = (first_ + turn) % shape_.input_vcs();
        const auto out = static_cast<unsigned>(out_port.field(vc * width, width));
        if (!request[vc] || inputs[vc / shape_.vcs] || outputs[out]) continue;
        if (oldest == none || waited_[vc] > waited_[oldest]) oldest = vc;
      }
      if (oldest == none) break;
      grant.set(oldest);
      inputs.set(oldest / shape_.vcs);
      outputs.set(static_cast<unsigned>(out_port.field(oldest * width, width)));
    }
    for (unsigned vc = 0; vc < shape_.input_vcs(); ++vc) waited_[vc] = request[vc] && !grant[vc] ? waited_[vc] + 1 : 0;
    first_ = (first_ + 1) % shape_.input_vcs();
    grant_o->write(grant);
  }

  std::vector<unsigned> waited_;  // [input VC] cycles with a request and no grant
  unsigned first_ = 0;            // of those of one age
};

const bool registered = StageRegistry<SwitchAllocatorPorts>::instance().add(
    "by_age", "the request that has waited longest",
    [](const StageSeat& seat) { return std::make_unique<ByAge>(seat); });

}  // namespace
