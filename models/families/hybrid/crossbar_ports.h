// SA of a crossbar with more ports than the router has (router.input_speedup, router.output_speedup): s of them for an
// input port, of which VC v uses number v mod s, and t for an output port, of which input port i uses number i mod t.
// Any switch allocator matches these ports: it is handed the requests as those of a router that has so many.
#pragma once

#include <memory>
#include <string>

#include "models/families/hybrid/output_buffers.h"
#include "models/families/hybrid/switch_allocator.h"

namespace braid::models::hybrid {

class CrossbarPorts final : public SwitchAllocator {
 public:
  /// `outputs`: null: no output is ever full. Throws InputError where the allocator cannot have so many ports.
  CrossbarPorts(const AllocatorOptions& made_for, const Options& router, const OutputBuffers* outputs);

  /// Grants at most s VCs of an input port and t VCs that go to an output port.
  void allocate(const SwitchRequests& requests, WorkList<VcIndex>& grants) override;
  void checkpoint(Checkpoint& c) override { c(*allocator_); }

 private:
  void request(const BankView& bank, VcIndex in_vc);

  std::uint32_t inputs_, outputs_;  // of the crossbar for a port of the router: s and t
  PortIndex first_port_;            // of the router's
  bool tells_age_;                  // an arbiter may ask how old a flit's packet is
  const OutputBuffers* buffers_;
  RouterBank crossbar_;  // requests as of routers with the crossbar's ports; nothing else of it is used
  WakeSet asking_;       // [port of the crossbar], empty between calls
  WorkList<VcIndex> granted_;
  std::unique_ptr<SwitchAllocator> allocator_;
};

/// SA of some routers: the allocator itself where the crossbar has a port for each of the router's.
std::unique_ptr<SwitchAllocator> make_switch_allocator(const AllocatorOptions& made_for, const Options& router,
                                                       const OutputBuffers* outputs);

}  // namespace braid::models::hybrid
