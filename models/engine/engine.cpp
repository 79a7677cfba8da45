#include "models/engine/engine.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace braid::models {
namespace {

bool running() { return sc_core::sc_get_status() == sc_core::SC_RUNNING; }

void check_node(const routing::Topology& topology, NodeId node) {
  if (node.value < topology.node_count()) return;
  throw InputError(fmt::format("node {}: expected 0 to {}", node.value, topology.node_count() - 1));
}

}  // namespace

/// Deliveries that users have asked for.
class Engine::Taps final : public Watcher {
 public:
  explicit Taps(Network& network) : network_(network), callbacks_(network.topology().node_count()) {}
  void add(NodeId node, OnDelivery callback) {
    network_.arrivals().record(node);
    callbacks_[node.value].push_back(std::move(callback));
  }
  bool waits() const override {
    return network_.sends_by_itself() || network_.packets_under_way() > 0 || network_.arrivals().any();
  }
  void look(std::uint64_t) override {
    network_.arrivals().take([this](const Arrival& arrival) {
      for (const OnDelivery& callback : callbacks_[arrival.packet.destination.value]) {
        callback(arrival.cycle, arrival.packet);
      }
    });
  }

 private:
  Network& network_;
  std::vector<std::vector<OnDelivery>> callbacks_;  // [node]
};

Engine::Engine(Network& network)
    : network_(network),
      period_ps_(network.clock_period_ps()),
      first_cycle_(network.now()),
      period_(whole_period(period_ps_)) {
  if (sc_core::sc_time_stamp() == sc_core::SC_ZERO_TIME && sc_core::sc_delta_count() == 0) return;
  SC_REPORT_ERROR("/braid/engine", fmt::format("network: made at {}, after its first cycles; make it before the first "
                                               "sc_start (Simulation::engine)",
                                               sc_core::sc_time_stamp().to_string())
                                       .c_str());
}
Engine::~Engine() = default;

std::uint64_t Engine::edge() const { return first_cycle_ + sc_core::sc_time_stamp().value() / period_; }

sc_core::sc_time Engine::to_next_edge() const {
  const auto now = sc_core::sc_time_stamp().value();
  if (!running() && now % period_ == 0) return sc_core::SC_ZERO_TIME;
  return sc_core::sc_time::from_value(period_ - now % period_);
}

void Engine::run(std::uint64_t cycles) {
  sc_core::sc_start(clock_cycles(cycles, period_ps_));
  settle();
}

Network& Engine::settled() {
  settle();
  return network_;
}

/// In a process the edge at the present time counts; between calls of sc_start its processes are still to run.
void Engine::settle() {
  if (settling_) return;
  settling_ = true;
  const std::uint64_t past = first_cycle_ + (sc_core::sc_time_stamp().value() + period_ - 1) / period_;
  const std::uint64_t target = running() ? edge() + 1 : past;
  if (network_.now() < target) begin_cycle();
  while (network_.now() < target) finish_cycle();
  settling_ = false;
}

void Engine::begin_cycle() {
  if (begun_ > network_.now()) return;
  begun_ = network_.now() + 1;
  for (Watcher* watcher : watchers_) watcher->flush(network_.now() == 0 ? 0 : network_.now() - 1);
}

void Engine::end_cycle() {
  network_.end_cycle();
  if (observer()) observer()(network_.now() - 1);
}

bool Engine::watched() const {
  return observed() || std::any_of(watchers_.begin(), watchers_.end(), [](const Watcher* w) { return w->waits(); });
}

void Engine::hand_over() {
  for (Watcher* watcher : watchers_) watcher->look(network_.now() - 1);
}

std::string Engine::module_name() {
  const sc_core::sc_object* parent = sc_core::sc_get_curr_simcontext()->active_object();
  std::string name = "network";
  for (int n = 1; sc_core::sc_hierarchical_name_exists(parent, name.c_str()); ++n) name = fmt::format("network_{}", n);
  return name;
}

void Engine::send_packet(NodeId from, NodeId to, std::uint32_t flits, std::uint32_t tag) {
  constexpr std::uint32_t kMostFlits = 65535;  // Packet::length_flits
  check_node(network_.topology(), from);
  check_node(network_.topology(), to);
  if (flits == 0 || flits > kMostFlits) {
    throw InputError(fmt::format("a packet of {} flits: expected 1 to {}", flits, kMostFlits));
  }
  settled().send_packet(from, to, flits, tag);
  wake();
}

void Engine::on_delivery(NodeId node, OnDelivery callback) {
  check_node(network_.topology(), node);
  settle();
  if (!taps_) {
    taps_ = std::make_unique<Taps>(network_);
    watch(*taps_);
  }
  taps_->add(node, std::move(callback));
  wake();
}

std::string Engine::in_hand() const {
  for (const Watcher* watcher : watchers_) {
    if (std::string all = watcher->in_hand(); !all.empty()) return all;
  }
  return {};
}

std::unique_ptr<Engine> make_engine(Network& network) {
  return schedule_options().read(network.configuration()).schedule == Schedule::kStatic
             ? make_static_engine(network)
             : make_process_per_stage_engine(network);
}

}  // namespace braid::models
