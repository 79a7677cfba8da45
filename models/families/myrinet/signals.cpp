#include "models/families/myrinet/signals.h"

namespace braid::models::myrinet {
namespace {

const SignalValues kInputStates{"input_state", {"idle", "waits", "routing", "open"}};

/// Of the packet at the front of an input's slack buffer.
enum class Stall : std::uint8_t {
  kNothing,      ///< none is there
  kMoves,        ///< its flits leave
  kRoutes,       ///< it has its output port, the switch turns to it
  kNoFlit,       ///< it may send, its next flit has not come
  kOutputTaken,  ///< another packet has its output port
  kStopped,      ///< the far end of the link has said stop
};
const SignalValues kStalls{"myrinet_stall",
                           {"-", "moves", "routes", "no flit", "output taken", "stopped"},
                           static_cast<std::size_t>(Stall::kOutputTaken)};

Stall stall_of(const Slice& slice, const Input& input) {
  if (input.state == Input::State::kIdle) return Stall::kNothing;
  if (input.state == Input::State::kWaits) return Stall::kOutputTaken;
  if (input.state == Input::State::kRouting) return Stall::kRoutes;
  const Channel& out = slice.channels()[input.output];
  if (out.sent.running()) return Stall::kMoves;
  return out.go ? Stall::kNoFlit : Stall::kStopped;
}

}  // namespace

FabricSignals::FabricSignals(const Fabric& fabric, SignalTable& table, const std::vector<RouterId>& routers)
    : fabric_(fabric), names_(fabric.topology()) {
  for (const RouterId r : routers) {
    for (std::size_t p = 0; p < fabric.topology().port_count(r); ++p) {
      if (fabric.topology().port(r, PortId{p}).kind != routing::PortKind::kUnconnected) add_port(table, r, PortId{p});
    }
  }
}

void FabricSignals::add_port(SignalTable& table, RouterId router, PortId port) {
  const routing::Topology& topology = fabric_.topology();
  const Slice& slice = fabric_.slice();
  const std::string in = port_scope(topology.router_names[router.value], topology.port(router, port).name);
  PortSignals s{};
  s.output = slice.wiring().port_index(router, port);
  s.into = slice.channel_into(s.output);
  s.state = table.add_shown(in, "state", 2, &kInputStates);
  s.flits = table.add_shown(in, "flits", 16)->answers(kWhyStalled);
  s.stop = table.add_shown(in, "stop", 1)->answers(kWhyStalled);
  s.packet = table.add_packet(in, "packet")->answers(kWhyStalled);
  s.head_source = table.add(in, "head_source", 20);
  s.head_sequence = table.add(in, "head_sequence", 32);
  s.stall = table.add_stall(in, kStalls);
  s.out = table.add_named(in, "out", PortNames::kBits, names_.of(router))->answers(kWhyStalled);
  s.held_by = table.add_packet(in, "held_by")->answers(kWhyStalled);
  s.sends = table.add_shown(in, "sends", 1);
  s.sending = table.add_packet(in, "sending");
  s.go = table.add(in, "go", 1);
  s.taken = table.add_shown(in, "taken", 1);
  s.down = slice.can_go_down(s.output) ? table.add_shown(in, "down", 1) : nullptr;
  ports_.push_back(s);
}

std::uint64_t FabricSignals::number_of(PacketSlot slot) const {
  const Packet& packet = fabric_.store()[slot];
  return packet_number(packet.source.value, packet.sequence);
}

void FabricSignals::sample_input(const PortSignals& s, std::uint64_t cycle) const {
  const Slice& slice = fabric_.slice();
  const Channel& in = slice.channels()[s.into];
  const Input& input = slice.inputs()[s.into];
  const Stall stall = stall_of(slice, input);
  s.state->value = static_cast<std::uint64_t>(input.state);
  s.flits->value = in.occupancy(cycle);
  s.stop->value = in.stopping ? 1 : 0;
  if (!in.passing.empty()) {
    const Packet& packet = fabric_.store()[in.passing.front().slot];
    s.head_source->value = packet.source.value;
    s.head_sequence->value = packet.sequence;
  }
  const bool there = !in.passing.empty() && (input.state != Input::State::kIdle || in.occupancy(cycle) > 0);
  s.packet->value = there ? number_of(in.passing.front().slot) : 0;
  s.stall->value = static_cast<std::uint64_t>(stall);
  s.out->value = input.output == kNone ? 0 : slice.wiring().port_of(input.output) + 1;
  s.held_by->value = 0;
  if (stall != Stall::kOutputTaken) return;
  const PortIndex holder = slice.outputs()[input.output].input;
  if (holder == kNone || slice.channels()[holder].passing.empty()) return;  // cut off by a failure
  s.held_by->value = number_of(slice.channels()[holder].passing.front().slot);
}

void FabricSignals::sample(std::uint64_t cycle) {
  const Slice& slice = fabric_.slice();
  for (const PortSignals& s : ports_) {
    sample_input(s, cycle);
    const Channel& out = slice.channels()[s.output];
    s.sends->value = out.sent.running() ? 1 : 0;
    s.sending->value = out.sent.running() && !out.dead ? number_of(out.sending.slot) : 0;
    s.go->value = out.go ? 1 : 0;
    if (s.down != nullptr) s.down->value = out.dead ? 1 : 0;
    s.taken->value = slice.outputs()[s.output].input != kNone ? 1 : 0;
  }
}

}  // namespace braid::models::myrinet
