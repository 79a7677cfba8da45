// The registers of PO2 routers in a waveform: every buffer of the pool, every port.
#include "models/families/po2/fabric.h"

namespace braid::models::po2 {
namespace {

const SignalValues kBufferStates{"po2_buffer", {"free", "arriving", "waiting", "leaving"}};
const SignalValues kPortUses{"po2_port", {"idle", "sending", "receiving"}};

class FabricSignals final : public SignalSource {
 public:
  FabricSignals(const Fabric& fabric, SignalTable& table, const std::vector<RouterId>& routers) : fabric_(fabric) {
    for (const RouterId r : routers) add_router(table, r);
  }

  void sample(std::uint64_t cycle) override {
    for (const RouterSignals& s : routers_) {
      const Router& router = fabric_.routers()[s.router];
      s.held->value = router.held();
      s.waiting->value = router.waiting.size();
      for (std::size_t b = 0; b < s.buffers.size(); ++b) sample_buffer(s.buffers[b], router.buffers[b]);
      for (const PortSignals& p : s.ports) {
        const Port& port = router.ports[p.port];
        p.use->value = static_cast<std::uint64_t>(port.use);
        p.buffer->value = port.buffer;
        p.sent_last->value = port.sent_last ? 1 : 0;
        p.wanted->value = port.wanted;
        p.busy_waiting->value = port.use == Port::Use::kIdle && port.wanted > 0 ? 1 : 0;
        p.offer->value = router.offers[p.port].cycle == cycle ? 1 : 0;
      }
    }
  }

 private:
  struct BufferSignals {
    Signal *state, *pool_class, *source, *sequence, *message, *wants;
  };
  struct PortSignals {
    std::size_t port;
    Signal *use, *buffer, *sent_last, *wanted, *busy_waiting, *offer;
  };
  struct RouterSignals {
    std::size_t router;
    Signal *held, *waiting;
    std::vector<BufferSignals> buffers;
    std::vector<PortSignals> ports;
  };

  void add_router(SignalTable& table, RouterId router) {
    const routing::Topology& topology = fabric_.topology();
    const std::string scope = router_scope(topology.router_names[router.value]);
    RouterSignals s{router.value, table.add_shown(scope, "buffers_taken", 7), table.add(scope, "waiting", 7), {}, {}};
    for (std::size_t p = 0; p < topology.port_count(router); ++p) {
      const routing::Port& port = topology.port(router, PortId{p});
      if (port.kind == routing::PortKind::kUnconnected) continue;
      const std::string at = port_scope(topology.router_names[router.value], port.name);
      s.ports.push_back({p, table.add_shown(at, "use", 2, &kPortUses), table.add(at, "buffer", 6),
                         table.add(at, "sent_last", 1), table.add(at, "wanted", 7),
                         table.add_shown(at, "busy_waiting", 1), table.add(at, "offer", 1)});
    }
    for (std::size_t b = 0; b < fabric_.routers()[router.value].buffers.size(); ++b) {
      const std::string at = scope + ".buffer" + std::to_string(b);
      s.buffers.push_back({table.add_shown(at, "state", 2, &kBufferStates), table.add(at, "pool_class", 2),
                           table.add(at, "source", 16), table.add(at, "sequence", 32), table.add(at, "message", 32),
                           table.add(at, "wants", static_cast<unsigned>(topology.port_count(router)))});
    }
    routers_.push_back(std::move(s));
  }

  void sample_buffer(const BufferSignals& s, const Buffer& buffer) const {
    s.state->value = static_cast<std::uint64_t>(buffer.state);
    // The rest keeps its value, as registers do. A buffer that is held for the acknowledgement may outlive its packet.
    if (buffer.state == Buffer::State::kFree || buffer.state == Buffer::State::kLeaving) return;
    const Packet& packet = fabric_.store()[buffer.packet];
    s.pool_class->value = buffer.pool_class;
    s.source->value = packet.source.value;
    s.sequence->value = packet.sequence;
    s.message->value = buffer.message;
    s.wants->value = buffer.wants;
  }

  const Fabric& fabric_;
  std::vector<RouterSignals> routers_;
};

}  // namespace

std::unique_ptr<SignalSource> trace_po2(const Fabric& fabric, SignalTable& table,
                                        const std::vector<RouterId>& routers) {
  return std::make_unique<FabricSignals>(fabric, table, routers);
}

}  // namespace braid::models::po2
