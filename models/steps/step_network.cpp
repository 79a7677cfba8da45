#include "models/steps/step_network.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <boost/json.hpp>
#include <utility>

#include "models/engine/cycle_runner.h"
#include "models/experiment/experiment_reader.h"
#include "models/experiment/measured_run.h"
#include "models/experiment/results_json.h"
#include "models/observe/output_file.h"
#include "models/steps/topology_json.h"

namespace braid::models {

/// A run that never ends by itself.
struct StepNetwork::Parts : MeasuredRun {
  std::unique_ptr<CycleRunner> loop;
  std::uint64_t next_look = 0;  // of the watchdog
  bool all_arrivals = false;
  std::function<void(const Arrival&)> callback;
  ShownBuffers shown;

  explicit Parts(const Experiment& e) : MeasuredRun(e, {}, Senders::kAnybody), shown(shown_by(architecture())) {
    network->arrivals().record_own();
    start([this](Network& made) -> CycleRunner& {
      loop = make_loop_runner(made);
      return *loop;
    });
    next_look = network->now() + watchdog->step_cycles();
  }
  void report_all() {
    all_arrivals = true;
    for (std::size_t n = 0; n < topology.node_count(); ++n) network->arrivals().record(NodeId{n});
  }
  /// The watchdog counts from what it saw last, so it looks as often as in a run, however short the steps are.
  void look() {
    if (network->now() < next_look) return;
    next_look = network->now() + watchdog->step_cycles();
    watchdog->check();
    if (waveform) waveform->check();
  }
  void hand_over();
  void check_node(std::uint32_t node) const {
    if (node < topology.node_count()) return;
    throw InputError(fmt::format("node {}: expected 0 to {}", node, topology.node_count() - 1));
  }
  template <class Visit>
  void each_port(Visit visit) const {
    for (std::size_t r = 0; r < topology.router_count(); ++r) {
      for (std::size_t p = 0; p < topology.port_count(RouterId{r}); ++p) visit(RouterId{r}, PortId{p});
    }
  }
  /// Fills an array of the shape: 0 where no link is.
  template <class Level>
  void each_vc(const Shape& all, std::uint16_t* into, Level level) const {
    std::fill_n(into, all.routers * all.ports * all.vcs, std::uint16_t{0});
    each_port([&](RouterId r, PortId p) {
      if (topology.port(r, p).kind == routing::PortKind::kUnconnected) return;
      std::uint16_t* const at = into + (r.value * all.ports + p.value) * all.vcs;
      for (std::uint32_t vc = 0; vc < all.vcs; ++vc) at[vc] = static_cast<std::uint16_t>(level(r, p, vc));
    });
  }
  std::string architecture() const { return fabric_options().read(experiment).architecture; }
  static ShownBuffers shown_by(const std::string& family) {
    return FabricRegistry::instance().make(family)->shown_buffers();
  }
  /// This family has no such thing; which have?
  [[noreturn]] void refuse(const std::string& what, bool ShownBuffers::* has) const {
    std::vector<std::string> others;
    for (const std::string& name : FabricRegistry::instance().names()) {
      if (shown_by(name).*has) others.push_back(name);
    }
    throw InputError(fmt::format("router.architecture = \"{}\" has no {} at its ports; expected one of: {}",
                                 architecture(), what, fmt::join(others, ", ")));
  }
};

namespace {

StepNetwork::Arrival told(const models::Arrival& arrival) {
  const Packet& p = arrival.packet;
  StepNetwork::Arrival all;
  all.source = p.source.value;
  all.destination = p.destination.value;
  all.flits = p.length_flits;
  all.traffic_class = p.traffic_class;
  all.tag = p.tag;
  all.cycle = arrival.cycle;
  all.created = p.created;
  all.injected = p.injected;
  all.routers = p.routers;
  all.sequence = p.sequence;
  return all;
}

template <class Make>
auto made(const Experiment& experiment, const Make& make) {
  return with_places(experiment, make);
}

}  // namespace

void StepNetwork::Parts::hand_over() {
  if (!network->arrivals().any()) return;
  network->arrivals().take([this](const models::Arrival& arrival) { callback(told(arrival)); });
}

StepNetwork::StepNetwork(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}

StepNetwork::StepNetwork(const std::string& file, const std::vector<std::string>& settings) {
  const Experiment experiment = read_experiment(file, settings, Senders::kAnybody);
  parts_ = made(experiment, [&] { return std::make_unique<Parts>(experiment); });
}

StepNetwork StepNetwork::from_text(const std::string& text, const std::string& name,
                                   const std::vector<std::string>& settings) {
  const Experiment experiment = parse_experiment(text, name, settings, Senders::kAnybody);
  return StepNetwork(made(experiment, [&] { return std::make_unique<Parts>(experiment); }));
}

StepNetwork::~StepNetwork() = default;
StepNetwork::StepNetwork(StepNetwork&& other) noexcept = default;
StepNetwork& StepNetwork::operator=(StepNetwork&& other) noexcept = default;

std::uint64_t StepNetwork::now() const { return parts_->network->now(); }
std::size_t StepNetwork::nodes() const { return parts_->topology.node_count(); }
const std::vector<std::string>& StepNetwork::traffic_classes() const { return parts_->network->traffic_classes(); }

void StepNetwork::send(const Packet& packet) {
  constexpr std::uint32_t kMostFlits = 65535;  // Packet::length_flits
  parts_->check_node(packet.source);
  parts_->check_node(packet.destination);
  if (packet.flits == 0 || packet.flits > kMostFlits) {
    throw InputError(fmt::format("a packet of {} flits: expected 1 to {}", packet.flits, kMostFlits));
  }
  if (packet.traffic_class >= traffic_classes().size()) {
    throw InputError(
        fmt::format("class {} of traffic: expected 0 to {}", packet.traffic_class, traffic_classes().size() - 1));
  }
  parts_->network->send_packet(NodeId{packet.source}, NodeId{packet.destination}, packet.flits, packet.tag,
                               static_cast<std::uint8_t>(packet.traffic_class));
}

std::uint32_t StepNetwork::capacity(std::uint32_t node) const {
  parts_->check_node(node);
  return parts_->network->free_ports(NodeId{node});
}

void StepNetwork::step(std::uint64_t cycles) {
  Parts& p = *parts_;
  while (cycles > 0) {
    const std::uint64_t most = p.callback ? 1 : p.next_look - p.network->now();
    const std::uint64_t now = std::min(cycles, most);
    p.loop->run(now);
    cycles -= now;
    if (p.callback) p.hand_over();
    p.look();
  }
}

std::vector<StepNetwork::Arrival> StepNetwork::arrivals(std::size_t most) {
  std::vector<Arrival> all;
  if (!parts_->network->arrivals().any()) return all;
  parts_->network->arrivals().take([&all](const models::Arrival& arrival) { all.push_back(told(arrival)); }, most);
  return all;
}

void StepNetwork::report_all_arrivals() { parts_->report_all(); }
void StepNetwork::on_arrival(std::function<void(const Arrival&)> callback) { parts_->callback = std::move(callback); }
bool StepNetwork::busy() const { return parts_->network->packets_under_way() > 0; }
std::uint64_t StepNetwork::packets_sent() const { return parts_->network->packets_created(); }
std::uint64_t StepNetwork::packets_arrived() const { return packets_sent() - parts_->network->packets_under_way(); }
std::uint64_t StepNetwork::packet_hash() const { return parts_->network->merged_statistics().packet_hash(); }

void StepNetwork::save(const std::string& file) {
  const RunFiles::Scope scope(parts_->files);
  claim_output(file, "save");
  parts_->save(file);
}

void StepNetwork::restore(const std::string& file) {
  Experiment from = parts_->experiment;
  from.set("checkpoint.from", file).set("checkpoint.file", "");
  auto restored = made(from, [&] { return std::make_unique<Parts>(from); });
  if (parts_->all_arrivals) restored->report_all();
  restored->callback = parts_->callback;
  parts_ = std::move(restored);
}

StepNetwork::Shape StepNetwork::shape() const {
  const std::size_t vcs = parts_->shown.occupancy ? parts_->network->fabric().shown_vcs() : 0;
  return {parts_->topology.router_count(), parts_->topology.max_port_count(), vcs};
}

void StepNetwork::occupancy(std::uint16_t* into) const {
  if (!parts_->shown.occupancy) parts_->refuse("occupancy", &ShownBuffers::occupancy);
  parts_->each_vc(shape(), into, [this](RouterId r, PortId p, std::uint32_t vc) {
    return parts_->network->fabric().buffered(r, p, vc);
  });
}

void StepNetwork::credits(std::uint16_t* into) const {
  if (!parts_->shown.credits) parts_->refuse("credits", &ShownBuffers::credits);
  parts_->each_vc(shape(), into, [this](RouterId r, PortId p, std::uint32_t vc) {
    return parts_->network->fabric().credits(r, p, vc);
  });
}

const char* StepNetwork::buffer_unit() const { return parts_->shown.unit; }

void StepNetwork::link_flits(std::uint64_t* into) const {
  const Shape all = shape();
  std::fill_n(into, all.routers * all.ports, std::uint64_t{0});
  parts_->each_port([&](RouterId r, PortId p) {
    if (parts_->topology.port(r, p).kind == routing::PortKind::kUnconnected) return;
    const Fabric::LinkUse use = parts_->network->fabric().link_use(r, p);
    into[r.value * all.ports + p.value] = use.packet_flits + use.circuit_flits;
  });
}

std::string StepNetwork::topology() const { return boost::json::serialize(topology_json(parts_->topology)); }
std::string StepNetwork::configuration() const {
  return boost::json::serialize(configuration_json(parts_->experiment));
}

}  // namespace braid::models
