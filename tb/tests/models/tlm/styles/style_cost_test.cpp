// What transactions cost through sockets, by style: an 8x8 mesh, at every node an initiator and a memory, reads and
// writes of 32 bytes all over it. The initiators are written as each style's users write them: by phases, a method with
// up to four open; loosely timed, a thread that calls b_transport and runs ahead by a quantum keeper. The same without
// a network, bound to a memory each, is what initiators and memories cost by themselves. As tests they are small;
// BRAID_COST_TRANSACTIONS makes them long, BRAID_COST_GAP_NS sets the load (python -m braid_tools.timing.sockets).
#include <gtest/gtest.h>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>
#include <tlm_utils/tlm_quantumkeeper.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <memory>
#include <string>
#include <vector>

#include "models/experiment/simulation.h"
#include "models/tlm/sockets/estimated_interconnect.h"
#include "models/tlm/sockets/interconnect.h"
#include "routing/base/random.h"

namespace braid::test::style_cost_test {
namespace {

using sc_core::sc_time;

constexpr std::size_t kNodes = 64, kOpen = 4;

std::uint64_t from_environment(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

models::Experiment mesh(const std::string& style) {
  models::Experiment e;
  e.set("topology.width", 8).set("topology.height", 8);
  e.open("tlm");
  std::string map;
  for (std::size_t n = 0; n < kNodes; ++n) {
    map += (n == 0 ? "" : ", ") + std::to_string(n) + ": " + std::to_string(4096 * n) + " +4K";
  }
  e.set("tlm.map", map);
  e.set("tlm.style", style);
  return e;
}

/// Answers at once.
struct Memory : sc_core::sc_module {
  tlm_utils::simple_target_socket<Memory> socket{"socket"};
  unsigned char bytes[4096] = {};

  explicit Memory(const sc_core::sc_module_name& name) : sc_module(name) {
    socket.register_b_transport(this, &Memory::b_transport);
    socket.register_nb_transport_fw(this, &Memory::nb_transport_fw);
  }
  void b_transport(tlm::tlm_generic_payload& p, sc_time&) {
    unsigned char* const here = bytes + p.get_address() % sizeof bytes;  // without a network an address of the map
    if (p.is_write()) {
      std::memcpy(here, p.get_data_ptr(), p.get_data_length());
    } else {
      std::memcpy(p.get_data_ptr(), here, p.get_data_length());
    }
    p.set_response_status(tlm::TLM_OK_RESPONSE);
  }
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& p, tlm::tlm_phase&, sc_time& delay) {
    b_transport(p, delay);
    return tlm::TLM_COMPLETED;
  }
};

/// What all initiators of a run have in common.
struct Run {
  sc_time gap{static_cast<double>(from_environment("BRAID_COST_GAP_NS", 100)), sc_core::SC_NS};
  bool over = false;
  std::uint64_t answered = 0;
  sc_time round_trips;
};

class Initiator : public sc_core::sc_module {
 public:
  tlm_utils::simple_initiator_socket<Initiator> socket{"socket"};

 protected:
  Initiator(const sc_core::sc_module_name& module_name, std::size_t node, Run& run)
      : sc_module(module_name), run_(run), random_(1, "client " + std::to_string(node)) {
    socket.register_nb_transport_bw(this, &Initiator::nb_transport_bw);
  }
  virtual tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload&, tlm::tlm_phase&, sc_time&) {
    return tlm::TLM_ACCEPTED;
  }
  void fill(tlm::tlm_generic_payload& p) {
    p.set_command(random_.below(2) == 0 ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
    p.set_address(4096 * random_.below(kNodes));
    p.set_data_ptr(data_);
    p.set_data_length(sizeof data_);
    p.set_streaming_width(sizeof data_);
    p.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  }
  /// Up to twice the gap.
  sc_time pause() { return run_.gap * (0.002 * static_cast<double>(random_.below(1000))); }
  void account(const sc_time& round_trip) {
    ++run_.answered;
    run_.round_trips += round_trip;
  }
  Run& run_;

 private:
  Random random_;
  unsigned char data_[32] = {};
};

/// By phases.
class PhaseInitiator final : public Initiator {
 public:
  SC_HAS_PROCESS(PhaseInitiator);
  PhaseInitiator(const sc_core::sc_module_name& module_name, std::size_t node, Run& run)
      : Initiator(module_name, node, run) {
    SC_METHOD(act);
  }

 private:
  struct Timed final : tlm::tlm_generic_payload {
    sc_time begin;
  };
  void act() {
    if (run_.over) return;
    if (request_ != nullptr || open_ == kOpen) {
      waits_ = true;
      return next_trigger(more_);
    }
    Timed& p = pool_.take();
    fill(p);
    p.begin = sc_core::sc_time_stamp();
    ++open_;
    request_ = &p;
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_time delay;
    const auto status = socket->nb_transport_fw(p, phase, delay);
    if (status != tlm::TLM_ACCEPTED) request_ = nullptr;  // END_REQ, or all of it
    if (status == tlm::TLM_COMPLETED) end(p);
    next_trigger(pause());
  }
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& p, tlm::tlm_phase& phase, sc_time&) override {
    if (request_ == &p) request_ = nullptr;
    if (phase == tlm::BEGIN_RESP) end(static_cast<Timed&>(p));
    if (waits_) more_.notify(sc_core::SC_ZERO_TIME);
    waits_ = false;
    return phase == tlm::BEGIN_RESP ? tlm::TLM_COMPLETED : tlm::TLM_ACCEPTED;
  }
  void end(Timed& p) {
    account(sc_core::sc_time_stamp() - p.begin);
    --open_;
    p.release();
  }
  models::PayloadPool<Timed> pool_;
  tlm::tlm_generic_payload* request_ = nullptr;  // until its END_REQ
  std::size_t open_ = 0;
  bool waits_ = false;
  sc_core::sc_event more_{"more"};
};

/// By calls, ahead of the simulation. As if several were under way: it goes on after its pause, not after the answer.
class CallInitiator final : public Initiator {
 public:
  SC_HAS_PROCESS(CallInitiator);
  CallInitiator(const sc_core::sc_module_name& module_name, std::size_t node, Run& run)
      : Initiator(module_name, node, run) {
    SC_THREAD(act);
  }

 private:
  void act() {
    keeper_.reset();
    while (!run_.over) {
      fill(payload_);
      sc_time time = keeper_.get_local_time();
      socket->b_transport(payload_, time);
      account(time - keeper_.get_local_time());
      keeper_.inc(pause());
      if (keeper_.need_sync()) keeper_.sync();
    }
  }
  tlm_utils::tlm_quantumkeeper keeper_;
  tlm::tlm_generic_payload payload_;  // not on the thread's stack, where a leak checker does not look
};

template <class Kind>
class Traffic {
 public:
  /// bind(node, initiator's socket, memory's socket).
  template <class Bind>
  explicit Traffic(Bind bind) {
    for (std::size_t n = 0; n < kNodes; ++n) {
      initiators_.push_back(std::make_unique<Kind>(("initiator_" + std::to_string(n)).c_str(), n, run_));
      memories_.push_back(std::make_unique<Memory>(("memory_" + std::to_string(n)).c_str()));
      bind(n, initiators_[n]->socket, memories_[n]->socket);
    }
  }
  void run(const char* what) {
    const std::uint64_t wanted = from_environment("BRAID_COST_TRANSACTIONS", 2000);
    const double before = static_cast<double>(std::clock());
    while (run_.answered < wanted) sc_core::sc_start(10, sc_core::SC_US);
    run_.over = true;
    const double seconds = (static_cast<double>(std::clock()) - before) / CLOCKS_PER_SEC;
    const double answered = static_cast<double>(run_.answered);
    std::printf("%s: %llu transactions in %s, %.4g a second of processor time, mean round trip %.2f ns\n", what,
                static_cast<unsigned long long>(run_.answered), sc_core::sc_time_stamp().to_string().c_str(),
                answered / seconds, run_.round_trips.to_seconds() * 1e9 / answered);
    EXPECT_GE(run_.answered, wanted);
  }

 private:
  Run run_;
  std::vector<std::unique_ptr<Kind>> initiators_;
  std::vector<std::unique_ptr<Memory>> memories_;
};

template <class Network>
auto through(Network& net) {
  return [&net](std::size_t node, auto& initiator, auto& memory) {
    initiator.bind(net.target(node));
    net.initiator(node).bind(memory);
  };
}

template <class Kind>
void estimated(const std::string& style, const char* what) {
  const models::Experiment e = mesh(style);
  const auto topology = routing::make_topology(e);
  const auto routing = routing::make_routing(topology, e);
  models::EstimatedInterconnect net("net", e, topology, *routing);
  tlm::tlm_global_quantum::instance().set(sc_time(10, sc_core::SC_US));
  Traffic<Kind> traffic(through(net));
  traffic.run(what);
}

template <class Kind>
void without_network(const char* what) {
  tlm::tlm_global_quantum::instance().set(sc_time(10, sc_core::SC_US));
  Traffic<Kind> traffic([](std::size_t, auto& initiator, auto& memory) { initiator.bind(memory); });
  traffic.run(what);
}

TEST(StyleCost, OfPhasesCycleAccurate) {
  models::Simulation simulation(mesh("cycle_accurate"));
  models::Interconnect net("net", simulation.engine());
  Traffic<PhaseInitiator> traffic(through(net));
  traffic.run("cycle_accurate, phases");
}
TEST(StyleCost, OfPhasesApproximatelyTimed) {
  estimated<PhaseInitiator>("approximately_timed", "approximately_timed, phases");
}
TEST(StyleCost, OfCallsLooselyTimed) { estimated<CallInitiator>("loosely_timed", "loosely_timed, calls"); }
TEST(StyleCost, OfPhasesWithoutANetwork) { without_network<PhaseInitiator>("no network, phases"); }
TEST(StyleCost, OfCallsWithoutANetwork) { without_network<CallInitiator>("no network, calls"); }

}  // namespace
}  // namespace braid::test::style_cost_test
