#include "tb/lockstep/stimulus.h"

#include <fmt/format.h>

#include <algorithm>

namespace braid::lockstep {
namespace {

using models::ControlKind;
using models::kNone;

constexpr const char* kKindNames[] = {"probe", "backtrack", "acknowledge", "tear_down"};

}  // namespace

Episode::Episode(const models::RouterShape& shape, std::uint64_t seed, std::unique_ptr<models::PinRouter> rtl,
                 Cover& cover)
    : shape_(shape), seed_(seed), random_(seed, "lockstep"), cover_(cover) {
  build_topology();
  build_router(std::move(rtl));
  build_neighbours();
  static constexpr unsigned kRates[] = {2, 10, 40, 80, 100};
  node_percent_ = kRates[random_.below(5)];
  consumer_percent_ = kRates[random_.below(5)];
  static constexpr unsigned kLengths[] = {1, 2, 4, 12};
  max_flits_ = kLengths[random_.below(4)];
  setup_gap_ = random_.below(2) == 0 ? 0 : static_cast<unsigned>(random_.below(200));
  yes_percent_ = static_cast<unsigned>(20 + random_.below(70));
  loop_percent_ = static_cast<unsigned>(random_.below(40));
}

/// A mesh with the router anywhere, or a graph of routers joined at random.
void Episode::build_topology() {
  routing::TopologyOptions& o = experiment_.topology;
  o.link_latency_cycles = static_cast<std::uint32_t>(1 + random_.below(3));
  if (shape_.routing != "table") {
    o.width = static_cast<std::uint32_t>(2 + random_.below(4));
    o.height = static_cast<std::uint32_t>(2 + random_.below(4));
    o.local_ports = shape_.ports - 4;
    topology_ = routing::make_topology(o);
    router_ = RouterId{static_cast<std::size_t>(random_.below(topology_.router_count()))};
    return;
  }
  topology_.name = "graph";
  const auto links = static_cast<std::size_t>(2 + random_.below(shape_.ports - 2));  // of the router under test
  const std::size_t routers = links + 1 + static_cast<std::size_t>(random_.below(3));
  topology_.routers.resize(routers);
  router_ = RouterId{static_cast<std::size_t>(random_.below(routers))};
  for (std::size_t r = 0; r < routers; ++r) topology_.router_names.push_back("r" + std::to_string(r));
  const auto join = [&](std::size_t a, std::size_t b) {
    const PortId at_a{topology_.routers[a].size()}, at_b{topology_.routers[b].size()};
    topology_.routers[a].push_back(
        {routing::PortKind::kNetwork, RouterId{b}, at_b, NodeId{}, o.link_latency_cycles, "p"});
    topology_.routers[b].push_back(
        {routing::PortKind::kNetwork, RouterId{a}, at_a, NodeId{}, o.link_latency_cycles, "p"});
  };
  const std::size_t centre = router_.value;
  std::vector<std::size_t> others;
  for (std::size_t r = 0; r < routers; ++r) {
    if (r != centre) others.push_back(r);
  }
  for (std::size_t i = 0; i < links; ++i) join(centre, others[i]);
  const auto room = [&](std::size_t r) { return topology_.routers[r].size() + 1 < shape_.ports; };
  for (std::size_t i = links; i < others.size(); ++i) {
    std::size_t to = others[static_cast<std::size_t>(random_.below(i))];
    for (std::size_t tries = 0; tries < others.size() && !room(to); ++tries) to = others[(tries * 7 + 1) % i];
    join(others[i], to);
  }
  for (std::size_t i = 0; i + 1 < others.size(); ++i) {
    if (random_.below(2) == 0 && room(others[i]) && room(others[i + 1])) join(others[i], others[i + 1]);
  }
  for (std::size_t r = 0; r < routers; ++r) {
    const NodeId node{r};
    topology_.nodes.emplace_back();
    const std::size_t free =
        topology_.routers[r].size() < shape_.ports ? shape_.ports - topology_.routers[r].size() : 1;
    const std::size_t locals = r == centre ? free : 1;
    for (std::size_t l = 0; l < locals; ++l) {
      topology_.nodes.back().push_back({RouterId{r}, PortId{topology_.routers[r].size()}});
      routing::Port port;
      port.kind = routing::PortKind::kLocal;
      port.node = node;
      topology_.routers[r].push_back(port);
    }
  }
}

void Episode::build_router(std::unique_ptr<models::PinRouter> rtl) {
  models::RouterOptions& o = experiment_.router;
  o.vcs = shape_.vcs;
  o.buffer_depth = shape_.depth;
  o.circuit_buffer_depth = shape_.circuit_depth;
  o.arbiter = shape_.arbiter;
  o.credit_delay_cycles = static_cast<std::uint32_t>(2 + random_.below(3));
  o.share_reserved_links = random_.below(3) != 0;
  experiment_.routing.algorithm = shape_.routing;
  experiment_.routing.vcs = shape_.vcs;
  routing_ = routing::RoutingRegistry::instance().make(shape_.routing, topology_, experiment_.routing);
  bank_ = std::make_unique<models::RouterBank>(topology_, o, shape_.circuits, shape_.ports);
  setup_ = std::make_unique<models::SetupUnits>(topology_, *bank_, o.share_reserved_links);
  for (std::size_t n = 0; n < topology_.node_count(); ++n) setup_->prepare(NodeId{n});
  for (std::uint32_t r = 0; r < topology_.router_count(); ++r) slice_of_router_.push_back(r);
  const models::Slice::Shared shared{*bank_, store_, *routing_, o, *setup_, slice_of_router_};
  for (std::uint32_t r = 0; r < topology_.router_count(); ++r) {
    slices_.push_back(std::make_unique<models::Slice>(shared, models::RouterRange{r, r + 1}));
  }
  for (models::PortIndex p = 0; p < bank_->input_port_count(); ++p) {
    const models::PortIndex feeder = bank_->upstream[p];
    if (feeder == kNone || bank_->is_injection_port(feeder)) continue;
    models::Slice& from = *slices_[bank_->router_of(feeder).value];
    models::Slice& to = *slices_[bank_->router_of(p).value];
    from.connect(to);
    to.connect(from);
  }
  for (const auto& slice : slices_) slice->build_wires();
  models::Slice& slice = *slices_[router_.value];
  slice.interfaces().set_sink(this);
  const models::RouterSite site = router_site(shape_, experiment_, topology_, *routing_, router_);
  pinned_ = std::make_unique<models::PinnedRouter>(
      models::PinnedRouter::Mode::kLockstep, models::PinnedRouter::Parts{slice, *setup_, *bank_, store_, topology_},
      router_, site, std::move(rtl));
}

void Episode::build_neighbours() {
  static constexpr unsigned kLoads[] = {5, 30, 70, 100};
  static constexpr unsigned kCredits[] = {5, 30, 100, 100};
  for (std::uint32_t p = 0; p < topology_.port_count(router_); ++p) {
    const routing::Port& port = topology_.port(router_, PortId{p});
    if (port.kind != routing::PortKind::kNetwork) continue;
    Neighbour n;
    n.port = p;
    n.to_router = &slices_[port.peer_router.value]->channel_for(router_);
    n.from_router = &slices_[router_.value]->channel_for(port.peer_router);
    n.load_percent = kLoads[random_.below(4)];
    n.credit_percent = kCredits[random_.below(4)];
    n.credits.assign(shape_.lanes(), shape_.depth);
    if (shape_.circuits) n.credits[shape_.vcs] = shape_.circuit_depth;
    n.sending.assign(shape_.lanes(), kNone);
    n.sent.assign(shape_.lanes(), 0);
    n.length.assign(shape_.lanes(), 0);
    n.owed.assign(shape_.lanes(), 0);
    for (std::uint32_t node = 0; node < topology_.node_count(); ++node) {
      routing::CandidateList list;
      routing_->route({router_, PortId{p}, VcId{0}, NodeId{0}, NodeId{std::size_t{node}}}, list);
      if (list.begin()->port.value < shape_.ports) n.reachable.push_back(node);
    }
    neighbours_.push_back(n);
  }
}

std::string Episode::describe() const {
  return fmt::format("{} routers, router {}, links of {} cycles, credits after {}, {}, packets up to {} flits",
                     topology_.router_count(), topology_.router_names[router_.value],
                     experiment_.topology.link_latency_cycles, experiment_.router.credit_delay_cycles,
                     experiment_.router.share_reserved_links ? "reserved links shared" : "reserved links closed",
                     max_flits_);
}

bool Episode::local(std::uint32_t port) const {
  return topology_.port(router_, PortId{port}).kind == routing::PortKind::kLocal;
}

void Episode::run(std::uint64_t cycles) {
  models::Slice& slice = *slices_[router_.value];
  for (const std::uint64_t end = now_ + cycles; now_ < end; ++now_) {
    receive(now_);
    drive(now_);
    pinned_->begin(now_);
    slice.traverse_switch(now_);
    slice.allocate_switch(now_);
    slice.allocate_vcs();
    pinned_->commit(now_);
    watch_local_outcome(now_);
  }
}

models::PacketSlot Episode::new_packet(NodeId destination, std::uint32_t flits) {
  const models::PacketSlot slot = pool_.take();
  store_[slot] = {};
  store_[slot].destination = destination;
  store_[slot].length_flits = static_cast<std::uint16_t>(flits);
  return slot;
}

void Episode::drive(std::uint64_t cycle) {
  if (cycle >= burst_until_) {
    quiet_ = random_.below(4) == 0;
    burst_until_ = cycle + 1 + random_.below(100);
  }
  for (Neighbour& n : neighbours_) {
    for (std::uint32_t lane = 0; lane < shape_.lanes(); ++lane) {
      if (n.owed[lane] > 0 && random_.below(100) < n.credit_percent) {
        --n.owed[lane];
        n.to_router->at(cycle).credits.push(bank_->vc_index(index(n.port), lane));
        break;  // one wire
      }
    }
    if (!quiet_ && random_.below(100) < n.load_percent) send_flit(cycle, n);
  }
  send_from_nodes();
  if (shape_.circuits) drive_setup(cycle);
}

/// One flit on the link: of the circuit if there is one, or of a packet.
void Episode::send_flit(std::uint64_t cycle, Neighbour& n) {
  const auto first = static_cast<std::uint32_t>(random_.below(shape_.lanes()));
  for (std::uint32_t i = 0; i < shape_.lanes(); ++i) {
    const std::uint32_t lane = (first + i) % shape_.lanes();
    const bool circuit = lane == shape_.vcs;
    if (n.credits[lane] == 0) continue;
    if (circuit) {
      const bool stands = std::find(circuits_.begin(), circuits_.end(), n.port) != circuits_.end();
      if (!stands || quiet_since_.count(n.port) != 0) continue;
    }
    if (n.sending[lane] == kNone) {
      if (n.reachable.empty()) continue;
      const NodeId to{std::size_t{n.reachable[static_cast<std::size_t>(random_.below(n.reachable.size()))]}};
      n.length[lane] = static_cast<std::uint32_t>(1 + random_.below(max_flits_));
      n.sending[lane] = new_packet(to, n.length[lane]);
      n.sent[lane] = 0;
    }
    const models::Flit flit(n.sending[lane], n.sent[lane]++, n.length[lane], lane);
    if (flit.tail()) n.sending[lane] = kNone;
    --n.credits[lane];
    const models::VcIndex target = bank_->vc_index(index(n.port), 0);
    if (circuit) {
      n.to_router->at(cycle).circuits.push({flit, target});
    } else {
      n.to_router->at(cycle + 1).packets.push({flit, target});
    }
    return;
  }
}

void Episode::send_from_nodes() {
  models::Slice& slice = *slices_[router_.value];
  for (std::size_t i = slice.interfaces().first_local_port(); i < slice.interfaces().last_local_port(); ++i) {
    const std::uint32_t port = bank_->port_of(bank_->local_ports[i].router_port);
    if (!quiet_ && random_.below(100) < node_percent_ && slice.interfaces().queued(i) < 2) {
      const NodeId to{static_cast<std::size_t>(random_.below(topology_.node_count()))};
      slice.interfaces().send(i, new_packet(to, static_cast<std::uint32_t>(1 + random_.below(max_flits_))));
    }
    const bool stands = std::find(circuits_.begin(), circuits_.end(), port) != circuits_.end();
    if (stands && quiet_since_.count(port) == 0 && unsent_[port] < 2 && random_.below(4) == 0) {
      const models::PacketSlot slot = new_packet(NodeId{0}, static_cast<std::uint32_t>(1 + random_.below(max_flits_)));
      ++unsent_[port];
      message_port_[slot] = port;
      slice.interfaces().send_on_circuit(i, slot);
    }
  }
}

void Episode::sent(models::PacketSlot packet) {
  const auto found = message_port_.find(packet);
  if (found == message_port_.end()) return;
  --unsent_[found->second];
  message_port_.erase(found);
}

// ---------------------------------------------------------------- set-up

void Episode::message(std::uint64_t cycle, std::uint32_t port, ControlKind kind, NodeId destination) {
  models::ControlMessage m{index(port), kind, search_, destination};
  if (local(port)) {
    slices_[router_.value]->outgoing().front()->at(cycle).control.push_back(m);
    return;
  }
  for (Neighbour& n : neighbours_) {
    if (n.port == port) n.to_router->at(cycle + 1).control.push_back(m);
  }
}

void Episode::drive_setup(std::uint64_t cycle) {
  if (cycle < act_at_) return;
  if (phase_ == Phase::kIdle) {
    start_setup(cycle);
  } else if (phase_ == Phase::kSearching && probe_at_ >= 0 && loop_at_ < 0) {
    answer_probe(cycle);
  }
}

/// A new search from a port without circuit, or the tear-down of a circuit that has gone quiet.
void Episode::start_setup(std::uint64_t cycle) {
  if (!circuits_.empty() && random_.below(3) == 0) {
    const std::uint32_t port = circuits_[static_cast<std::size_t>(random_.below(circuits_.size()))];
    const auto quiet = quiet_since_.find(port);
    if (quiet == quiet_since_.end()) {
      quiet_since_[port] = cycle + 1;
      return;
    }
    if (unsent_[port] > 0 || cycle < quiet->second + 3) return;
    phase_ = Phase::kTearingDown;
    in_port_ = port;
    message(cycle, port, ControlKind::kTearDown, NodeId{0});
    ++cover_["setup: tear-down asked"];
    return;
  }
  std::vector<std::uint32_t> ports;
  for (std::uint32_t p = 0; p < topology_.port_count(router_); ++p) {
    if (wired(p) && bank_->circuit_out[index(p)] == kNone) ports.push_back(p);
  }
  if (ports.empty() || search_ == 60000) return;
  in_port_ = ports[static_cast<std::size_t>(random_.below(ports.size()))];
  destination_ = NodeId{static_cast<std::size_t>(random_.below(topology_.node_count()))};
  phase_ = Phase::kSearching;
  probe_at_ = -1;
  // Now and then the search that has just failed here comes back by another way.
  if (failed_ && !local(in_port_) && random_.below(100) < loop_percent_) {
    ++cover_["setup: failed search comes again"];
  } else {
    ++search_;
  }
  message(cycle, in_port_, ControlKind::kProbe, destination_);
}

/// The neighbour's search fails or succeeds; or it comes round into this router again first.
void Episode::answer_probe(std::uint64_t cycle) {
  if (random_.below(100) < loop_percent_) {
    std::vector<std::uint32_t> ports;
    for (const Neighbour& n : neighbours_) {
      if (n.port != in_port_ && bank_->circuit_out[index(n.port)] == kNone) ports.push_back(n.port);
    }
    if (!ports.empty()) {
      loop_at_ = static_cast<int>(ports[static_cast<std::size_t>(random_.below(ports.size()))]);
      message(cycle, static_cast<std::uint32_t>(loop_at_), ControlKind::kProbe, destination_);
      ++cover_["setup: probe of a search seen before"];
      return;
    }
  }
  const bool yes = random_.below(100) < yes_percent_;
  message(cycle, static_cast<std::uint32_t>(probe_at_), yes ? ControlKind::kAcknowledge : ControlKind::kBacktrack,
          destination_);
  ++cover_[yes ? "setup: acknowledge comes" : "setup: backtrack comes"];
  probe_at_ = -1;
}

void Episode::receive(std::uint64_t cycle) {
  for (Neighbour& n : neighbours_) {
    models::Channel::Slot& slot = n.from_router->at(cycle);
    // Several ports may lead to the same neighbour: each takes what is its own.
    const models::PortIndex peer = bank_->links[index(n.port)].target;
    const auto take = [&](auto& list) {
      for (const models::FlitArrival& a : list) {
        if (a.target != bank_->vc_index(peer, 0)) continue;
        ++n.owed[a.flit.vc()];
        if (a.flit.tail()) pool_.give_back(a.flit.packet());
      }
    };
    take(slot.packets);
    take(slot.circuits);
    for (const models::VcIndex credit : slot.credits) {
      if (bank_->port_of_vc(credit) == peer) ++n.credits[bank_->lane_of(credit)];
    }
    for (const models::ControlMessage& m : slot.control) {
      if (m.port == peer) receive_control(cycle, n.port, m);
    }
  }
  for (Neighbour& n : neighbours_) {
    models::Channel::Slot& slot = n.from_router->at(cycle);
    slot.packets.clear();
    slot.circuits.clear();
    slot.credits.clear();
    slot.control.clear();
  }
}

/// A message of the router has reached the neighbour at `port`.
void Episode::receive_control(std::uint64_t cycle, std::uint32_t port, const models::ControlMessage& m) {
  ++cover_[fmt::format("setup: {} sent", kKindNames[static_cast<std::size_t>(m.kind)])];
  act_at_ = cycle + random_.below(setup_gap_ + 1);
  if (loop_at_ >= 0) {  // must be the answer to the probe that came round
    loop_at_ = -1;
    return;
  }
  switch (m.kind) {
    case ControlKind::kProbe:
      probe_at_ = static_cast<int>(port);
      break;
    case ControlKind::kBacktrack:
      end_setup(cycle, false);
      break;
    case ControlKind::kAcknowledge:
    case ControlKind::kTearDown:
      end_setup(cycle, true);
      break;
  }
}

void Episode::end_setup(std::uint64_t cycle, bool success) {
  if (phase_ == Phase::kSearching) {
    failed_ = !success;
    if (success) circuits_.push_back(in_port_);
    ++cover_[fmt::format("setup: search from a {} {}", local(in_port_) ? "node" : "link",
                         success ? "succeeds" : "fails")];
  } else {
    failed_ = false;
    circuits_.erase(std::remove(circuits_.begin(), circuits_.end(), in_port_), circuits_.end());
    quiet_since_.erase(in_port_);
    for (Neighbour& n : neighbours_) {
      if (n.port == in_port_) n.sending[shape_.vcs] = kNone;
    }
    ++cover_["setup: tear-down done"];
  }
  phase_ = Phase::kIdle;
  probe_at_ = -1;
  act_at_ = cycle + random_.below(setup_gap_ + 1);
}

void Episode::watch_local_outcome(std::uint64_t cycle) {
  models::SearchOutcome& outcome = setup_->outcome();
  if (!outcome.done) return;
  ++cover_[fmt::format("setup: outcome {}", outcome.success ? "success" : "failure")];
  end_setup(cycle, outcome.success);
  outcome = {};
}

}  // namespace braid::lockstep
