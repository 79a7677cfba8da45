// A source that always has a packet: one a cycle, held back by a full source queue (interface.source_queue_packets).
#include "traffic/synthetic/injection.h"

namespace braid::traffic {
namespace {

class Saturated final : public InjectionProcess {
 public:
  std::uint64_t next_gap(Random&) override { return 1; }
  std::unique_ptr<InjectionProcess> clone() const override { return std::make_unique<Saturated>(*this); }
  void checkpoint(Checkpoint&) override {}
};

const bool saturated_registered =
    InjectionRegistry::instance().add("saturated", "always a packet, whatever the rate; needs a bounded source queue",
                                      [](const InjectionContext&) { return std::make_unique<Saturated>(); });

}  // namespace
}  // namespace braid::traffic
