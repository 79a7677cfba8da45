#include "models/families/hybrid/output_queues.h"

#include "models/families/hybrid/shared_buffers.h"

namespace braid::models::hybrid {

OutputQueues::OutputQueues(const RouterBank& bank, std::uint32_t buffer_depth, bool keeps_all)
    : bank_(bank), credits_(bank.vcs() * buffer_depth), before_(keeps_all ? bank.wiring().router_port_count() : 0) {}

std::uint32_t OutputQueues::waiting(PortIndex port) const {
  if (const SharedBuffers* shared = bank_.shared_buffers()) return shared->used_of_port(port);
  std::uint32_t left = 0;
  for (std::uint32_t v = 0; v < bank_.vcs(); ++v) left += bank_.output_vcs[bank_.vc_index(port, v)].credits;
  return credits_ - left;
}

void OutputQueues::end_cycle() {
  for (PortIndex p = 0; p < before_.size(); ++p) before_[p] = waiting(p);
}

}  // namespace braid::models::hybrid
