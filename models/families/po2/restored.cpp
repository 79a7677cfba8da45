// What comes from a checkpoint is looked at before anything of it is an index: registers and events name what there is,
// pools add up, and what is on its way has one event that ends it.
#include <algorithm>
#include <set>
#include <tuple>

#include "models/families/po2/slice.h"

namespace braid::models::po2 {

using routing::PortKind;

void Slice::check_router(const Checkpoint& c, std::uint32_t r) const {
  const Router& here = shared_.routers[r];
  PoolUse use{};
  std::uint64_t free = 0, waiting = 0;
  for (std::size_t b = 0; b < here.buffers.size(); ++b) {
    const Buffer& buffer = here.buffers[b];
    c.index(static_cast<unsigned>(buffer.state), 4, "state of a buffer");
    c.index(buffer.pool_class, kPoolClasses, "class of packets");
    c.index(buffer.escape_class, kPoolClasses, "class of packets");
    c.index(buffer.in_port.value, here.ports.size(), "port");
    c.index(buffer.candidates, candidates_each_ + 1, "number of ways");
    c.index(buffer.vc, routing::kMaxVcs, "VC");
    if (buffer.state == Buffer::State::kFree) {
      free |= std::uint64_t{1} << b;
      continue;
    }
    c.packet(buffer.packet);
    c.expect(!buffer.trying || buffer.state == Buffer::State::kWaiting, "a packet that is rejected and does not wait");
    ++use[buffer.pool_class];
    if (buffer.state != Buffer::State::kWaiting) continue;
    waiting |= std::uint64_t{1} << b;
    c.expect(buffer.candidates > 0, "a packet without a way on");
    std::uint64_t wants = 0;
    for (std::size_t i = 0; i < buffer.candidates; ++i) {
      const routing::Candidate& way = candidates(r, b)[i];
      c.index(way.port.value, here.ports.size(), "port");
      c.expect(way.vcs != 0 && wiring(r, way.port.value).kind != PortKind::kUnconnected, "a way that leads nowhere");
      wants |= std::uint64_t{1} << way.port.value;
    }
    c.expect(wants == buffer.wants, "a packet that wants ports that it has no way by");
    c.expect(
        !buffer.escaping || wiring(r, candidates(r, b)[buffer.candidates - 1U].port.value).kind == PortKind::kNetwork,
        "an escape to a node");
  }
  for (const std::uint8_t b : here.waiting) {
    c.index(b, here.buffers.size(), "buffer");
    c.expect((waiting >> b & 1) != 0, "a packet that waits twice, or not at all");
    waiting &= ~(std::uint64_t{1} << b);
  }
  std::uint64_t idle = 0;
  for (std::size_t p = 0; p < here.ports.size(); ++p) {
    c.index(static_cast<unsigned>(here.ports[p].use), 4, "use of a port");
    c.index(here.ports[p].buffer, here.buffers.size(), "buffer");
    const bool wired = wiring(r, p).kind != PortKind::kUnconnected;
    if (wired && here.ports[p].use == Port::Use::kIdle) idle |= std::uint64_t{1} << p;
  }
  c.expect(waiting == 0 && free == here.free && idle == here.idle && use == here.use, "a pool that does not add up");
  for (const std::uint8_t used : here.use_when_offered) c.index(used, here.buffers.size() + 1, "number of buffers");
}

void Slice::check_events(const Checkpoint& c) const {
  std::set<std::tuple<std::uint32_t, std::uint8_t, EventKind>> ended;  // router, port or buffer
  wheel_.for_each([&](const Event& event) {
    c.index(static_cast<unsigned>(event.kind), 10, "kind of event");
    c.expect(mine(event.router), "an event of another router");
    const Router& here = shared_.routers[event.router];
    c.index(event.port, here.ports.size(), "port");
    c.index(event.buffer, here.buffers.size(), "buffer");
    const Port& port = here.ports[event.port];
    const Buffer& buffer = here.buffers[event.buffer];
    const bool of_port =
        event.kind == EventKind::kReceived || event.kind == EventKind::kInjected || event.kind == EventKind::kRejecting;
    if (event.kind == EventKind::kPatience) {
      const bool its_own = buffer.state == Buffer::State::kWaiting && buffer.since == event.since;
      c.expect(shared_.policy.patience_cycles() > 0, "patience where there is no escape");
      c.expect(!its_own || (!buffer.escaping && buffer.candidates < candidates_each_), "an escape that comes twice");
      return;
    }
    c.expect(ended.insert({event.router, of_port ? event.port : event.buffer, event.kind}).second,
             "an event that comes twice");
    switch (event.kind) {
      case EventKind::kRouted:
        c.expect(buffer.state == Buffer::State::kArriving, "a packet that is routed twice");
        break;
      case EventKind::kDamaged:
        c.expect(buffer.state == Buffer::State::kArriving &&
                     ended.count({event.router, event.buffer, EventKind::kRouted}) == 0,
                 "a damaged packet that is routed");
        break;
      case EventKind::kRejected:
        c.expect(buffer.trying && port.use == Port::Use::kRejected, "a rejection of nobody");
        break;
      case EventKind::kSent:
      case EventKind::kResend:
      case EventKind::kEjected:
        c.expect(buffer.state == Buffer::State::kLeaving &&
                     ended.count({event.router, event.buffer, EventKind::kSent}) +
                             ended.count({event.router, event.buffer, EventKind::kResend}) +
                             ended.count({event.router, event.buffer, EventKind::kEjected}) ==
                         1,
                 "a packet that leaves twice");
        break;
      case EventKind::kInjected:
        c.expect(wiring(event.router, event.port).kind == PortKind::kLocal && sources_[port.source].injecting,
                 "an injection that is not under way");
        break;
      default:
        break;
    }
  });
}

void Slice::check_restored(const Checkpoint& c) const {
  for (const Source& source : sources_) {
    c.expect(!source.injecting || !source.packets.empty(), "a node that sends nothing");
    c.expect(source.cached.size() <= shared_.options.cached_messages, "a cache of too many messages");
  }
  for (std::uint32_t r = range_.first; r < range_.last; ++r) check_router(c, r);
  check_events(c);
  for (std::size_t s = 0; s < wakes_.size(); ++s) {
    for (const std::uint32_t r : wakes_[s]) {
      c.index(r, shared_.routers.size(), "router");
      c.expect(shared_.slicing.slice_of_router[r] == linked_[s], "a wake of another slice's router");
    }
  }
}

}  // namespace braid::models::po2
