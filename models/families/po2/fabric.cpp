#include "models/families/po2/fabric.h"

#include <fmt/format.h>

#include <algorithm>

#include "models/fabric/router_storage.h"
#include "models/fabric/router_timing.h"
#include "routing/base/break_off.h"
namespace braid::models::po2 {
namespace {

/// Sums over ports of one kind.
struct Counts {
  RawCount pe_port_busy{0, 0}, pe_port_waiting{0, 0}, link_busy{0, 0}, link_waiting{0, 0};
  RawCount deroutes, escapes, rejections, retransmissions, switches, misses;
  RawCount crossbar_in{0, 0}, crossbar_out{0, 0};
};

void add(RawCount& sum, std::uint64_t cycles) {
  sum.events += cycles;
  ++sum.counters;
}

const FigureTable<Counts>& figure_table() {
  static const FigureTable<Counts> table =
      FigureTable<Counts>()
          .add("pe_port_busy", "", "share of the cycles in which a processor's port moves a packet",
               &Counts::pe_port_busy)
          .add("pe_port_waiting", "", "packets that wait for a processor's port", &Counts::pe_port_waiting)
          .add("link_busy", "", "share of the cycles in which a link moves a packet, either way", &Counts::link_busy)
          .add("link_waiting", "", "packets that wait for a link, at both ends", &Counts::link_waiting)
          .add("deroutes", "1/cycle", "steps that came no nearer, all routers", &Counts::deroutes)
          .add("escapes", "1/cycle", "packets that took to the way of escape, all routers", &Counts::escapes)
          .add("rejections", "1/cycle", "packets that were offered in vain (po2.rejection), all routers",
               &Counts::rejections)
          .add("retransmissions", "1/cycle", "packets that a link damaged (po2.error_rate), all routers",
               &Counts::retransmissions)
          .add("message_switches", "1/cycle", "packets of another message than the one before, all nodes",
               &Counts::switches)
          .add("message_misses", "1/cycle", "packets of a message that was not cached (po2.cached_messages), all nodes",
               &Counts::misses)
          .add("crossbar_in_busy", "", "packets that come into a router's pool: ports in use of its first crossbar",
               &Counts::crossbar_in)
          .add("crossbar_out_busy", "", "packets that leave it: ports in use of its second crossbar",
               &Counts::crossbar_out);
  return table;
}

class Family final : public FamilyOf<Fabric> {
 public:
  /// No buffer of a pool is a port's: packets count where they came in, the far pool's free buffers at each port.
  ShownBuffers shown_buffers() const override { return {true, true, "packets"}; }
  std::uint64_t fabric_bytes(const Configuration& c, const routing::Topology& topology,
                             const routing::RoutingAlgorithm& routing) const override {
    const std::uint64_t buffer = sizeof(Buffer) + (routing.max_candidates() + 1) * sizeof(routing::Candidate);
    const std::uint64_t pool = options().read(c).buffers * buffer;
    std::uint64_t ports = 0;
    for (const auto& router : topology.routers) ports += router.size();
    return topology.router_count() * (sizeof(Router) + pool) + ports * (sizeof(Port) + sizeof(Offer));
  }
};

/// docs/po2.md, "Cycle by cycle".
std::unique_ptr<RouterTiming> po2_timing(const Configuration& configuration) {
  const Options o = options().read(configuration);
  auto t = std::make_unique<RouterTiming>();
  t->injection.before_flits = o.inject_overhead_cycles;
  t->link = {o.header_cycles, 0, o.acknowledge_cycles};
  t->ejection = {o.header_cycles, o.eject_overhead_cycles, 0};
  t->half_duplex = true;
  t->first_free_way = true;
  t->link_latency = false;
  return t;
}

std::unique_ptr<RouterStorage> po2_storage(const Configuration& configuration) {
  auto s = std::make_unique<RouterStorage>();
  s->packets_a_router = options().read(configuration).buffers;
  return s;
}

const bool po2_registered =
    FabricRegistry::instance().add(
        "po2", "half-duplex links around a centralized pool of packet buffers, virtual cut-through", options().list(),
        figure_table().list(), [] { return std::make_unique<Family>(); }) &&
    RouterTimingRegistry::instance().add("po2", "docs/po2.md", po2_timing) &&
    RouterStorageRegistry::instance().add("po2", "docs/energy.md", po2_storage);

}  // namespace

const OptionTable<Options>& options() {
  static const OptionTable<Options> table =
      OptionTable<Options>("po2")
          .integer("buffers", &Options::buffers, 1, kMaxPoolBuffers, "packets that a router's pool holds")
          .integer("header_cycles", &Options::header_cycles, 1, 10000,
                   "from a header's first flit until its packet can ask for a port")
          .integer("inject_overhead_cycles", &Options::inject_overhead_cycles, 0, 10000,
                   "of a node's port before the first flit, into the network")
          .integer("eject_overhead_cycles", &Options::eject_overhead_cycles, 0, 10000, "... and out of it")
          .integer("acknowledge_cycles", &Options::acknowledge_cycles, 0, 10000,
                   "link and buffer are held after the tail until receipt is signalled")
          .boolean("reject_same_message", &Options::reject_same_message,
                   "a router refuses a packet while one of that message waits in it")
          .choice<PortDiscipline>(
              "port_discipline", &Options::port_discipline,
              {{"pass_refused", PortDiscipline::kPassRefused}, {"head_of_line", PortDiscipline::kHeadOfLine}},
              "what a free port serves: the oldest of the packets waiting for it that the far end would take, or the "
              "oldest and no other (head of line)")
          .choice<Rejection>(
              "rejection", &Options::rejection,
              {{"seen", Rejection::kSeen}, {"tried_on_links", Rejection::kTriedOnLinks}, {"tried", Rejection::kTried}},
              "what a sender knows of a pool that refuses its packet: it sees it and does not try; or it "
              "tries in vain, which takes the link; or the node's port, too")
          .number("error_rate", &Options::error_rate, 0.0, 0.9,
                  "of the packets that a link sends: damaged, not acknowledged and sent again")
          .integer("crossbar_in_ports", &Options::crossbar_in_ports, 0, 64,
                   "packets that may come into a pool at once; 0: as many as ports")
          .integer("crossbar_out_ports", &Options::crossbar_out_ports, 0, 64, "... and leave it")
          .integer("switch_cycles", &Options::switch_cycles, 0, 100000,
                   "of a node's port before a packet of another message than the one before")
          .integer("miss_cycles", &Options::miss_cycles, 0, 100000,
                   "... before a packet of a message that is not cached")
          .integer("cached_messages", &Options::cached_messages, 1, 1000,
                   "whose bodies a node's interface has at hand, the last used")
          .policy<PoolPolicyRegistry>("avoidance", &Options::avoidance, "who may take a buffer, and the way out");
  return table;
}

std::string beyond_avoidance(const Options& o) {
  if (o.rejection != Rejection::kSeen) return "po2.rejection";
  if (o.error_rate > 0.0) return "po2.error_rate";
  if (o.crossbar_in_ports != 0) return "po2.crossbar_in_ports";
  if (o.crossbar_out_ports != 0) return "po2.crossbar_out_ports";
  return {};
}

Fabric::Fabric(const FabricContext& context)
    : context_(context),
      options_(options().read(context.configuration)),
      local_ports_(context.topology),
      policy_(PoolPolicyRegistry::instance().make(options_.avoidance, context.topology,
                                                  {options_.buffers, context.configuration})),
      candidates_each_(context.routing.max_candidates() + 1),
      routers_(context.topology.router_count()) {
  if (policy_->patience_cycles() != 0 && context.routing.routes() != nullptr) {
    throw InputError("po2.avoidance = \"" + options_.avoidance +
                     "\" takes packets off the paths that hosts have chosen for them: expected routing.algorithm other "
                     "than \"source_routed\", or po2.avoidance = \"none\"");
  }
  if (const std::string key = beyond_avoidance(options_); options_.avoidance != "none" && !key.empty()) {
    throw InputError("po2.avoidance = \"" + options_.avoidance + "\" is proved for the default of " + key +
                     " alone: expected po2.avoidance = \"none\" (with routing.allow_deadlock = true), or no " + key);
  }
  candidates_.resize(routers_.size() * options_.buffers * candidates_each_);
  for (std::size_t r = 0; r < routers_.size(); ++r) {
    routers_[r].buffers.resize(options_.buffers);
    routers_[r].ports.resize(context.topology.port_count(RouterId{r}));
    routers_[r].offers.resize(context.topology.port_count(RouterId{r}));
    for (std::size_t p = 0; p < routers_[r].ports.size(); ++p) {
      const routing::PortKind kind = context.topology.port(RouterId{r}, PortId{p}).kind;
      if (kind != routing::PortKind::kUnconnected) routers_[r].idle |= std::uint64_t{1} << p;
      if (kind == routing::PortKind::kLocal) routers_[r].local |= std::uint64_t{1} << p;
    }
    routers_[r].free = options_.buffers == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << options_.buffers) - 1;
  }
  const Slice::Shared shared{context, *policy_, options_, routers_, candidates_, local_ports_.first};
  const auto& ranges = context.slicing.ranges;
  for (std::size_t s = 0; s < ranges.size(); ++s) {
    routing::BreakOff::look();
    slices_.push_back(std::make_unique<Slice>(shared, ranges[s], s));
  }
  for (const auto& slice : slices_) slice->build_neighbourhood(slices_);
}

void Fabric::check_deadlock_free(const routing::Topology&, const routing::RoutingAlgorithm&, std::uint32_t,
                                 const routing::OnProgress&) const {
  if (options_.avoidance != "none") return;
  throw InputError(
      "router.architecture = \"po2\" can deadlock: pools that are full of packets for each other wait for ever; "
      "expected po2.avoidance = \"up_down_escape\", or routing.allow_deadlock = true to run nevertheless");
}

Fabric::Counters Fabric::counters() const {
  Counters sum;
  for (const auto& s : slices_) {
    sum.flit_hops += s->counters().flit_hops;
    sum.flits_injected += s->counters().flits_injected;
    sum.flits_delivered += s->counters().flits_delivered;
  }
  return sum;
}

bool Fabric::transfers_under_way() const {
  return std::any_of(slices_.begin(), slices_.end(), [](const auto& slice) { return slice->transfers_under_way(); });
}

/// A packet between two routers has a buffer in both; it counts where it is going.
Fabric::Census Fabric::census() const {
  Census census;
  for (std::size_t r = 0; r < routers_.size(); ++r) {
    std::uint64_t held = 0;  // buffers whose packet is here, by number
    for (std::size_t b = 0; b < routers_[r].buffers.size(); ++b) {
      const Buffer::State state = routers_[r].buffers[b].state;
      if (state == Buffer::State::kArriving || state == Buffer::State::kWaiting) held |= std::uint64_t{1} << b;
    }
    for (std::size_t p = 0; p < routers_[r].ports.size(); ++p) {
      const Port& port = routers_[r].ports[p];
      const bool ejects = context_.topology.port(RouterId{r}, PortId{p}).kind == routing::PortKind::kLocal;
      if (ejects && port.use == Port::Use::kSending) held |= std::uint64_t{1} << port.buffer;
    }
    for (std::size_t b = 0; b < routers_[r].buffers.size(); ++b) {
      if (((held >> b) & 1) == 0) continue;
      ++census.packets;
      census.flits += context_.store[routers_[r].buffers[b].packet].length_flits;
    }
  }
  for (const auto& s : slices_) census.packets += s->packets_queued();
  return census;
}

Fabric::LinkUse Fabric::link_use(RouterId router, PortId port) const {
  return {routers_[router.value].ports[port.value].flits_sent, 0};
}

std::uint32_t Fabric::buffered(RouterId router, PortId port, std::uint32_t) const {
  const auto& buffers = routers_[router.value].buffers;
  return static_cast<std::uint32_t>(std::count_if(buffers.begin(), buffers.end(), [&](const Buffer& b) {
    return b.state != Buffer::State::kFree && b.in_port == port;
  }));
}

std::uint32_t Fabric::credits(RouterId router, PortId port, std::uint32_t) const {
  const routing::Port& out = context_.topology.port(router, port);
  if (out.kind == routing::PortKind::kLocal) return kUnlimitedCredits;
  return static_cast<std::uint32_t>(__builtin_popcountll(routers_[out.peer_router.value].free));
}

/// Shares of time: a node's port busy, and idle though asked for (refused); a link held, and the same of its two ports
/// together. Utilization in the paper's sense is their sum: docs/po2.md.
Report Fabric::report() const {
  Counts counts;
  for (std::size_t r = 0; r < routers_.size(); ++r) {
    for (std::size_t p = 0; p < routers_[r].ports.size(); ++p) {
      const routing::PortKind kind = context_.topology.port(RouterId{r}, PortId{p}).kind;
      if (kind == routing::PortKind::kUnconnected) continue;
      const Port port = Slice::counted(routers_[r].ports[p], now_);
      const bool local = kind == routing::PortKind::kLocal;
      add(local ? counts.pe_port_busy : counts.link_busy, port.busy_cycles);
      counts.crossbar_in.events += port.coming_cycles;
      counts.crossbar_out.events += port.going_cycles;
      add(local ? counts.pe_port_waiting : counts.link_waiting, (local ? 1 : 2) * port.waiting_cycles);
    }
  }
  counts.crossbar_in.counters = counts.crossbar_out.counters = routers_.size();
  for (const auto& s : slices_) {
    counts.rejections.events += s->counters().rejections;
    counts.retransmissions.events += s->counters().retransmissions;
    counts.switches.events += s->counters().switches;
    counts.misses.events += s->counters().misses;
    counts.deroutes.events += s->counters().deroutes;
    counts.escapes.events += s->counters().escapes;
  }
  return figure_table().of(counts);
}

void Fabric::for_each_front(const std::function<void(PacketSlot)>& visit) const {
  for (const Router& router : routers_) {
    for (const std::uint8_t b : router.waiting) visit(router.buffers[b].packet);
  }
}

std::unique_ptr<SignalSource> Fabric::signals(SignalTable& table, const std::vector<RouterId>& routers) const {
  return trace_po2(*this, table, routers);
}

Fabric& of(models::Fabric& fabric) { return dynamic_cast<Fabric&>(fabric); }

}  // namespace braid::models::po2
