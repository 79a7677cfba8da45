// The registers of PO2 routers in a waveform: every buffer of the pool, every port.
#include <algorithm>
#include <utility>

#include "models/fabric/signal_names.h"
#include "models/families/po2/fabric.h"
#include "models/families/po2/refusals.h"

namespace braid::models::po2 {
namespace {

const SignalValues kBufferStates{"po2_buffer", {"free", "arriving", "waiting", "leaving"}};
const SignalValues kPortUses{"po2_port", {"idle", "sending", "receiving", "rejected"}};

const Question kWhoHoldsPool{"pool", "who holds the pool, and who was refused for whose message"};
const SignalValues kRefusals{"po2_refusal", {"-", "no buffer", "kept for an elder", "same message"}};

/// Of a packet in a buffer, told apart from the registers at the start of a cycle and the offers made in it.
enum class Stall : std::uint8_t {
  kNothing,   ///< the buffer was free
  kArrives,   ///< the packet's header comes in
  kMoves,     ///< it began to leave, or leaves
  kPortBusy,  ///< every port that it may take was in use
  kOlder,     ///< an idle one was offered to an older packet, or to one that is to be injected, or is kept for an older
  kRefused,   ///< the far end of an idle one takes no such packet, or keeps its escape buffer for an older one
  kClash,     ///< it was offered, and the far end went first or gave its last buffer to another
};
const SignalValues kStalls{"po2_stall",
                           {"-", "arrives", "moves", "port busy", "older first", "refused", "lost clash"},
                           static_cast<std::size_t>(Stall::kPortBusy)};

class FabricSignals final : public SignalSource {
 public:
  FabricSignals(const Fabric& fabric, SignalTable& table, const std::vector<RouterId>& routers)
      : fabric_(fabric), names_(fabric.topology()), refusals_(fabric) {
    for (const RouterId r : routers) add_router(table, r);
  }

  void sample(std::uint64_t cycle) override {
    for (RouterSignals& s : routers_) {
      const Router& router = fabric_.routers()[s.router];
      s.held->value = router.held();
      s.waiting->value = router.waiting.size();
      for (std::size_t b = 0; b < s.buffers.size(); ++b) sample_stall(s, b, router, cycle);
      for (std::size_t b = 0; b < s.buffers.size(); ++b) sample_buffer(s.buffers[b], router.buffers[b]);
      for (const PortSignals& p : s.ports) {
        const Port& port = router.ports[p.port];
        p.use->value = static_cast<std::uint64_t>(port.use);
        p.buffer->value = port.buffer;
        p.sent_last->value = port.sent_last ? 1 : 0;
        p.wanted->value = port.wanted;
        p.busy_waiting->value = port.use == Port::Use::kIdle && port.wanted > 0 ? 1 : 0;
        const bool none = port.use == Port::Use::kIdle || (port.use == Port::Use::kRejected && !port.sent_last);
        p.packet->value = none ? 0 : s.buffers[port.buffer].packet->value;
        p.offer->value = router.offers[p.port].cycle == cycle ? 1 : 0;
      }
      for (NodeSignals& node : s.nodes) sample_node(s, node, router, cycle);
      s.idle = router.idle;
    }
    refusals_.note();
  }

 private:
  struct BufferSignals {
    Signal *state, *pool_class, *source, *sequence, *message, *wants, *packet, *stall, *out, *held_by, *refusal;
    Buffer::State was = Buffer::State::kFree;  // at the start of the cycle, as the next
    std::uint8_t ways = 0;
    bool escaping = false;
  };
  struct NodeSignals {  // of a node's port: its next packet, which the pool refuses
    std::size_t port;
    Signal *refusal, *refused_message, *held_by;
    std::optional<std::uint32_t> message = {};  // of the packet that asked at the start of the cycle
  };
  struct PortSignals {
    std::size_t port;
    Signal *use, *buffer, *sent_last, *wanted, *busy_waiting, *packet, *offer;
  };
  struct RouterSignals {
    std::size_t router;
    Signal *held, *waiting;
    std::vector<BufferSignals> buffers;
    std::vector<PortSignals> ports;
    std::vector<NodeSignals> nodes;
    std::uint64_t idle;  // ports, at the start of the cycle
  };

  void add_router(SignalTable& table, RouterId router) {
    const routing::Topology& topology = fabric_.topology();
    const std::string scope = router_scope(topology.router_names[router.value]);
    RouterSignals s{router.value,
                    table.add_shown(scope, "buffers_taken", 7)->answers(kWhoHoldsPool),
                    table.add(scope, "waiting", 7)->answers(kWhoHoldsPool),
                    {},
                    {},
                    {},
                    0};
    refusals_.watch(router.value);
    for (std::size_t p = 0; p < topology.port_count(router); ++p) {
      const routing::Port& port = topology.port(router, PortId{p});
      if (port.kind == routing::PortKind::kUnconnected) continue;
      const std::string at = port_scope(topology.router_names[router.value], port.name);
      s.ports.push_back({p, table.add_shown(at, "use", 2, &kPortUses), table.add(at, "buffer", 6),
                         table.add(at, "sent_last", 1), table.add(at, "wanted", 7),
                         table.add_shown(at, "busy_waiting", 1), table.add_packet(at, "packet"),
                         table.add(at, "offer", 1)});
      if (port.kind == routing::PortKind::kNetwork) refusals_.watch(port.peer_router.value);
      if (port.kind != routing::PortKind::kLocal) continue;
      s.nodes.push_back({p, table.add_named(at, "refusal", 2, kRefusals)->answers(kWhoHoldsPool),
                         table.add(at, "refused_message", 32)->answers(kWhoHoldsPool),
                         table.add_packet(at, "held_by")->answers(kWhoHoldsPool)});
    }
    for (std::size_t b = 0; b < fabric_.routers()[router.value].buffers.size(); ++b) {
      const std::string at = scope + ".buffer" + std::to_string(b);
      s.buffers.push_back({table.add_shown(at, "state", 2, &kBufferStates)->answers(kWhoHoldsPool),
                           table.add(at, "pool_class", 2)->answers(kWhoHoldsPool), table.add(at, "source", 16),
                           table.add(at, "sequence", 32), table.add(at, "message", 32)->answers(kWhoHoldsPool),
                           table.add(at, "wants", static_cast<unsigned>(topology.port_count(router))),
                           table.add_packet(at, "packet")->answers(kWhyStalled)->answers(kWhoHoldsPool),
                           table.add_stall(at, kStalls),
                           table.add_named(at, "out", PortNames::kBits, names_.of(router))->answers(kWhyStalled),
                           table.add_packet(at, "held_by")->answers(kWhyStalled)->answers(kWhoHoldsPool),
                           table.add_named(at, "refusal", 2, kRefusals)->answers(kWhoHoldsPool)});
    }
    s.idle = fabric_.routers()[router.value].idle;
    routers_.push_back(std::move(s));
  }

  std::uint64_t number_of(PacketSlot slot) const {
    const Packet& packet = fabric_.store()[slot];
    return packet_number(packet.source.value, packet.sequence);
  }

  /// Before the rows of the cycle before are written over.
  void sample_stall(RouterSignals& s, std::size_t b, const Router& router, std::uint64_t cycle) const {
    BufferSignals& row = s.buffers[b];
    const Buffer& buffer = router.buffers[b];
    Stall stall = Stall::kNothing;
    row.held_by->value = 0;
    if (row.was == Buffer::State::kArriving) stall = Stall::kArrives;
    if (row.was == Buffer::State::kLeaving) stall = Stall::kMoves;
    if (row.was == Buffer::State::kWaiting) {
      stall = buffer.state != Buffer::State::kWaiting ? Stall::kMoves : why(s, row, b, router, cycle);
    }
    row.stall->value = static_cast<std::uint64_t>(stall);
    row.refusal->value = 0;
    if (stall == Stall::kRefused) show_refusal(s, row, b, router);
    row.was = buffer.state;
    row.ways = buffer.candidates;
    row.escaping = buffer.escaping;
  }

  /// Of all its ways over idle ports.
  void show_refusal(const RouterSignals& s, const BufferSignals& row, std::size_t b, const Router& router) const {
    for (std::size_t i = 0; i < row.ways; ++i) {
      const routing::Candidate& way = fabric_.candidates(s.router, b)[i];
      const routing::Port& link = fabric_.topology().port(RouterId{s.router}, way.port);
      const Port& port = router.ports[way.port.value];
      const bool tried = port.use == Port::Use::kRejected && port.sent_last && port.buffer == b;
      if ((((s.idle >> way.port.value) & 1) == 0 && !tried) || link.kind != routing::PortKind::kNetwork) continue;
      const bool escapes = row.escaping && i + 1U == row.ways;
      const PoolClass pool_class = escapes ? router.buffers[b].escape_class : kRegular;
      const Refusals::Answer answer = refusals_.why(link.peer_router.value, pool_class, router.buffers[b].message);
      if (static_cast<std::uint64_t>(answer.refusal) <= row.refusal->value) continue;
      row.refusal->value = static_cast<std::uint64_t>(answer.refusal);
      row.held_by->value = answer.holder;
    }
  }

  /// A node's port was idle, its queue was not empty, and nothing was offered there: its own pool refuses the packet.
  void sample_node(const RouterSignals& s, NodeSignals& node, const Router& router, std::uint64_t cycle) const {
    Refusals::Answer answer;
    node.refused_message->value = 0;
    if (node.message && ((s.idle >> node.port) & 1) != 0 && router.offers[node.port].cycle != cycle) {
      answer = refusals_.why(static_cast<std::uint32_t>(s.router), kRegular, *node.message);
      if (*node.message != kNoMessage) node.refused_message->value = *node.message;
    }
    node.refusal->value = static_cast<std::uint64_t>(answer.refusal);
    node.held_by->value = answer.holder;
    const auto head = fabric_.head(static_cast<std::uint32_t>(s.router), node.port);
    node.message.reset();
    if (head) node.message = fabric_.store()[head->packet].message;
  }

  Stall why(const RouterSignals& s, const BufferSignals& row, std::size_t b, const Router& router,
            std::uint64_t cycle) const {
    if (router.buffers[b].trying) return Stall::kRefused;
    const std::uint64_t wanted = row.wants->value, idle = wanted & s.idle;
    for (std::uint64_t ports = idle; ports != 0; ports &= ports - 1) {
      const Offer& offer = router.offers[static_cast<std::size_t>(__builtin_ctzll(ports))];
      if (offer.cycle == cycle && !offer.inject && offer.buffer == b) return Stall::kClash;
    }
    for (std::uint64_t ports = idle; ports != 0; ports &= ports - 1) {
      const Offer& offer = router.offers[static_cast<std::size_t>(__builtin_ctzll(ports))];
      if (offer.cycle != cycle) continue;
      row.held_by->value = number_of(offer.packet);
      return Stall::kOlder;
    }
    if (const Buffer* head = head_of_line(s, b, router, idle)) {
      row.held_by->value = number_of(head->packet);
      return Stall::kOlder;
    }
    if (idle != 0) return Stall::kRefused;
    for (const PortSignals& p : s.ports) {
      if (((wanted >> p.port) & 1) != 0 && row.held_by->value == 0) row.held_by->value = p.packet->value;
    }
    return Stall::kPortBusy;
  }

  /// Where ports are first in, first out, and the packet in buffer `b` is the oldest at none of the idle ones that it
  /// waits for: the oldest at one of them. An escape waits behind nobody.
  const Buffer* head_of_line(const RouterSignals& s, std::size_t b, const Router& router, std::uint64_t idle) const {
    if (fabric_.router_options().port_discipline != PortDiscipline::kHeadOfLine || s.buffers[b].escaping)
      return nullptr;
    const Buffer* ahead = nullptr;
    for (std::uint64_t ports = idle; ports != 0; ports &= ports - 1) {
      const std::size_t head = oldest_at(s, router, static_cast<std::size_t>(__builtin_ctzll(ports)));
      if (head == b) return nullptr;
      ahead = &router.buffers[head];
    }
    return ahead;
  }

  /// The buffer of the oldest packet that waited for the port at the start of the cycle, escapes not counted. There is
  /// one.
  std::size_t oldest_at(const RouterSignals& s, const Router& router, std::size_t port) const {
    const auto age = [&router](std::size_t b) { return std::pair(router.buffers[b].since, router.buffers[b].in_port); };
    std::size_t oldest = router.buffers.size();
    for (std::size_t b = 0; b < s.buffers.size(); ++b) {
      if (s.buffers[b].state->value != static_cast<std::uint64_t>(Buffer::State::kWaiting)) continue;
      const routing::Candidate* const ways = fabric_.candidates(s.router, b);
      const auto* const end = ways + s.buffers[b].ways - (s.buffers[b].escaping ? 1 : 0);
      const bool wants = std::any_of(ways, end, [&](const routing::Candidate& way) { return way.port.value == port; });
      if (wants && (oldest == router.buffers.size() || age(b) < age(oldest))) oldest = b;
    }
    return oldest;
  }

  void sample_buffer(const BufferSignals& s, const Buffer& buffer) const {
    s.state->value = static_cast<std::uint64_t>(buffer.state);
    const bool waits = buffer.state == Buffer::State::kWaiting;
    s.out->value = waits && buffer.wants != 0 ? static_cast<std::uint64_t>(__builtin_ctzll(buffer.wants)) + 1 : 0;
    if (buffer.state == Buffer::State::kFree) s.packet->value = 0;
    // The rest keeps its value, as registers do. A buffer that is held for the acknowledgement may outlive its packet.
    if (buffer.state == Buffer::State::kFree || buffer.state == Buffer::State::kLeaving) return;
    const Packet& packet = fabric_.store()[buffer.packet];
    s.packet->value = number_of(buffer.packet);
    s.pool_class->value = buffer.pool_class;
    s.source->value = packet.source.value;
    s.sequence->value = packet.sequence;
    s.message->value = buffer.message;
    s.wants->value = buffer.wants;
  }

  const Fabric& fabric_;
  PortNames names_;
  Refusals refusals_;
  std::vector<RouterSignals> routers_;
};

}  // namespace

std::unique_ptr<SignalSource> trace_po2(const Fabric& fabric, SignalTable& table,
                                        const std::vector<RouterId>& routers) {
  return std::make_unique<FabricSignals>(fabric, table, routers);
}

}  // namespace braid::models::po2
