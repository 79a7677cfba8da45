#include "models/families/virtual_cut_through/signals.h"

namespace braid::models::virtual_cut_through {

/// Told apart from the registers at the start of a cycle and whether the head went; the router knows nothing of it.
enum class FabricSignals::Stall : std::uint8_t {
  kNothing,     ///< no packet was there
  kMoves,       ///< a flit of the packet crossed the switch
  kOutputBusy,  ///< every output that it may take carried another packet
  kNoBuffer,    ///< one was free, but no packet buffer behind it
  kNoBubble,    ///< ... but one buffer only, and a packet that enters a ring needs two
  kLost,        ///< another head got the output, or this one chose another of its outputs
};

const SignalValues& FabricSignals::reasons() {
  static const SignalValues names{"cut_through_stall",
                                  {"-", "moves", "output busy", "no buffer", "no bubble", "lost output"},
                                  static_cast<std::size_t>(Stall::kOutputBusy)};
  return names;
}

FabricSignals::FabricSignals(const Fabric& fabric, SignalTable& table, const std::vector<RouterId>& routers)
    : fabric_(fabric), names_(fabric.topology()), before_(fabric.bank().input_port_count()) {
  for (const RouterId r : routers) {
    for (std::size_t p = 0; p < fabric.topology().port_count(r); ++p) {
      if (fabric.topology().port(r, PortId{p}).kind != routing::PortKind::kUnconnected) add_port(table, r, PortId{p});
    }
  }
  for (const PortSignals& s : ports_) before_[s.port] = look(s.port);
  routers_ = fabric.bank().routers;
}

void FabricSignals::add_port(SignalTable& table, RouterId router, PortId port) {
  const routing::Topology& topology = fabric_.topology();
  const std::string in = port_scope(topology.router_names[router.value], topology.port(router, port).name);
  PortSignals s{};
  s.port = fabric_.bank().port_index(router, port);
  s.packets = table.add_shown(in, "packets", 8)->answers(kWhyStalled);
  s.packet = table.add_packet(in, "packet")->answers(kWhyStalled);
  s.head_source = table.add(in, "head_source", 20);
  s.head_sequence = table.add(in, "head_sequence", 32);
  s.leaving = table.add_shown(in, "leaving", 1);
  s.stall = table.add_stall(in, reasons());
  s.out = table.add_named(in, "out", PortNames::kBits, names_.of(router))->answers(kWhyStalled);
  s.held_by = table.add_packet(in, "held_by")->answers(kWhyStalled);
  s.busy = table.add_shown(in, "busy", 1);
  s.crossing = table.add_packet(in, "crossing");
  s.credits = table.add(in, "credits", 8);
  ports_.push_back(s);
}

std::uint64_t FabricSignals::front(std::uint32_t port) const {
  const Bank& bank = fabric_.bank();
  if (bank.queues[port].count == 0) return 0;
  const QueuedPacket& packet = bank.front(port);
  return packet_number(packet.source.value, fabric_.store()[packet.slot].sequence);
}

/// The input granted an output port last: its turn goes on behind it. None as long as the turn is at the first.
std::optional<std::uint32_t> FabricSignals::winner(std::uint32_t out) const {
  const Bank& bank = fabric_.bank();
  const RouterId router = bank.router_of(out);
  const std::uint32_t in = (bank.next_turn[out] + routing::kMaxPorts - 1) & (routing::kMaxPorts - 1);
  if (in >= fabric_.topology().port_count(router)) return std::nullopt;
  return bank.port_index(router, PortId{in});
}

FabricSignals::Before FabricSignals::look(std::uint32_t port) const {
  const Bank& bank = fabric_.bank();
  const Router& router = bank.routers[bank.router_of(port).value];
  const PortMask here = PortMask{1} << bank.port_of(port);
  Before now;
  now.packet = front(port);
  now.leaving = bank.queues[port].leaving;
  now.waits = now.packet != 0 && !now.leaving;
  if ((router.free_outputs & here) == 0) {
    if (const auto in = winner(port)) now.crossing = front(*in);
  }
  if (!now.waits) return now;
  if ((router.choosing & here) != 0) {
    now.wants = bank.ways[port];
    return now;
  }
  const std::uint32_t first = bank.port_index(bank.router_of(port), PortId{0});
  for (std::uint32_t p = 0; p < fabric_.topology().port_count(bank.router_of(port)); ++p) {
    if (((bank.through[first + p] | bank.entering[first + p]) & here) != 0) now.wants |= PortMask{1} << p;
    if ((bank.entering[first + p] & here) != 0) now.enters |= PortMask{1} << p;
  }
  return now;
}

FabricSignals::Stall FabricSignals::stall_of(std::uint32_t port, const Before& now) const {
  const Before& before = before_[port];
  const Router& router = routers_[fabric_.bank().router_of(port).value];
  if (before.leaving) return Stall::kMoves;
  if (!before.waits) return Stall::kNothing;
  if (now.leaving || now.packet != before.packet) return Stall::kMoves;
  const PortMask free = before.wants & router.free_outputs, open = free & router.credited;
  if (free == 0) return Stall::kOutputBusy;
  if (open == 0) return Stall::kNoBuffer;
  return (open & ~(before.enters & ~router.roomy)) == 0 ? Stall::kNoBubble : Stall::kLost;
}

std::uint64_t FabricSignals::holder(std::uint32_t port, Stall stall) const {
  const Bank& bank = fabric_.bank();
  const std::uint32_t first = bank.port_index(bank.router_of(port), PortId{0});
  for (PortMask wants = before_[port].wants; wants != 0; wants &= wants - 1) {
    const std::uint32_t out = first + static_cast<std::uint32_t>(__builtin_ctzll(wants));
    if (stall == Stall::kOutputBusy) return before_[out].crossing;
    const bool was_free = (routers_[bank.router_of(out).value].free_outputs >> bank.port_of(out) & 1) != 0;
    const std::optional<std::uint32_t> in = winner(out);
    if (stall != Stall::kLost || !was_free || !in) continue;
    const Before& other = before_[*in];
    if (other.leaving != bank.queues[*in].leaving || other.packet != front(*in)) return other.packet;
  }
  return 0;
}

void FabricSignals::sample(std::uint64_t) {
  const Bank& bank = fabric_.bank();
  for (const PortSignals& s : ports_) {
    const Before now = look(s.port);
    const Stall stall = stall_of(s.port, now);
    s.stall->value = static_cast<std::uint64_t>(stall);
    s.held_by->value = holder(s.port, stall);
    const Queue& queue = bank.queues[s.port];
    s.packets->value = queue.count;
    s.leaving->value = queue.leaving ? 1 : 0;
    if (queue.count > 0) {
      s.head_source->value = bank.front(s.port).source.value;
      s.head_sequence->value = fabric_.store()[bank.front(s.port).slot].sequence;
    }
    s.packet->value = now.packet;
    s.out->value = now.wants == 0 ? 0 : static_cast<std::uint64_t>(__builtin_ctzll(now.wants)) + 1;
    s.busy->value = ((bank.routers[bank.router_of(s.port).value].free_outputs >> bank.port_of(s.port)) & 1) ^ 1;
    s.crossing->value = now.crossing;
    s.credits->value = bank.credits[s.port];
  }
  for (const PortSignals& s : ports_) before_[s.port] = look(s.port);
  routers_ = bank.routers;
}

}  // namespace braid::models::virtual_cut_through
