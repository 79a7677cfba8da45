// Who waits for whom among the slack buffers of Myrinet-like switches.
#include <fmt/format.h>

#include "models/fabric/wait_cycle.h"
#include "models/families/myrinet/fabric.h"

namespace braid::models::myrinet {
namespace {

/// Slack buffers, each by the channel that leads to it.
class WaitGraph final : public Waiters {
 public:
  explicit WaitGraph(const Fabric& fabric) : fabric_(fabric), slice_(fabric.slice()) {}

  std::size_t count() const override { return slice_.channels().size(); }
  bool waits(std::uint32_t c) const override { return slice_.inputs()[c].state != Input::State::kIdle; }

  /// Whoever has the port that its header asks for; or the buffer behind its port, which has stopped it.
  std::vector<std::uint32_t> waits_for(std::uint32_t c) const override {
    const Input& input = slice_.inputs()[c];
    if (input.state == Input::State::kWaits) return {slice_.outputs()[input.output].input};
    if (input.state == Input::State::kOpen && !slice_.channels()[input.output].go) return {input.output};
    return {};
  }

  std::string describe(std::uint32_t c) const override {
    const Input& input = slice_.inputs()[c];
    const Channel& channel = slice_.channels()[c];
    const Packet& packet = fabric_.store()[channel.passing.front().slot];
    return fmt::format("router {} port {}: packet {} of node {} to node {} ({} flits buffered) {} output {}",
                       router(channel.target), port(channel.target), packet.sequence, packet.source.value,
                       packet.destination.value, channel.occupancy(slice_.now()),
                       input.state == Input::State::kWaits ? "asks for" : "holds", port(input.output));
  }

 private:
  const std::string& router(PortIndex p) const {
    return fabric_.topology().router_names[slice_.wiring().router_of(p).value];
  }
  const std::string& port(PortIndex p) const {
    return fabric_.topology().port(slice_.wiring().router_of(p), PortId{slice_.wiring().port_of(p)}).name;
  }
  const Fabric& fabric_;
  const Slice& slice_;
};

}  // namespace

std::string Fabric::describe_waiting() const {
  return report_waiting(WaitGraph(*this), "slack buffers",
                        "each needs the port that the next one holds, or room in it");
}

}  // namespace braid::models::myrinet
