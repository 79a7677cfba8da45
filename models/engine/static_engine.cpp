// The static schedule: one clocked SC_METHOD for the whole network, and threads where the experiment asks for them.
#include <memory>
#include <systemc>

#include "models/engine/engine.h"
#include "models/engine/slice_threads.h"

namespace braid::models {
namespace {

class StaticEngine final : public Engine {
 public:
  explicit StaticEngine(Network& network)
      : Engine(network), threads_(threads_of(network)), module_(module_name().c_str(), *this) {}
  void wake() override { module_.wake(); }

 private:
  class Module final : public sc_core::sc_module {
   public:
    SC_HAS_PROCESS(Module);
    Module(const sc_core::sc_module_name& name, StaticEngine& engine) : sc_module(name), engine_(engine) {
      SC_METHOD(clock_edge);
      sensitive << edge_;
      SC_METHOD(hand_over);
      sensitive << settled_;
      dont_initialize();
    }
    void wake() {
      if (sc_core::sc_get_status() < sc_core::SC_RUNNING) return;  // the first edge is to come
      const sc_core::sc_time next = engine_.to_next_edge();
      edge_.notify(next == sc_core::SC_ZERO_TIME ? next : next + engine_.period() * (steps() - 1));
    }

   private:
    /// At an edge, the first at 0: whoever was quicker in this delta has settled the network, and that is the same.
    void clock_edge() {
      engine_.settled();
      if (engine_.watched()) settled_.notify(sc_core::SC_ZERO_TIME);
      wake();
    }
    void hand_over() { engine_.hand_over(); }
    /// Cycles to the next look at the network. With nobody to see the cycles apart, a run of them: temporal decoupling,
    /// for an activation of the kernel costs a third of a microsecond. TLM-2.0's global quantum is not asked: who waits
    /// for a delivery may answer it.
    double steps() const {
      constexpr std::uint64_t kRun = 64;
      const std::uint64_t whole = engine_.watched() ? 1 : kRun;
      return static_cast<double>(whole - (engine_.edge() % whole));
    }

    StaticEngine& engine_;
    sc_core::sc_event edge_{"edge"}, settled_{"settled"};
  };

  void finish_cycle() override {
    network_.begin_cycle();
    if (!threads_) {
      for (std::size_t s = 0; s < network_.slice_count(); ++s) network_.compute(s);
      for (std::size_t s = 0; s < network_.slice_count(); ++s) network_.commit(s);
    } else {
      threads_->cycle();
    }
    end_cycle();
  }

  std::unique_ptr<SliceThreads> threads_;
  Module module_;
};

}  // namespace

std::unique_ptr<Engine> make_static_engine(Network& network) { return std::make_unique<StaticEngine>(network); }

}  // namespace braid::models
