// The static schedule: one clocked SC_METHOD for the whole network. Threads, if any, meet at a barrier after each half
// of a cycle; which thread runs first cannot be seen in any result.
#include <algorithm>
#include <atomic>
#include <systemc>
#include <thread>
#include <vector>

#include "models/engine/engine.h"
#include "models/observe/clock.h"

namespace braid::models {
namespace {

/// Spins: a half of a cycle takes about a microsecond, less than a sleeping thread needs to wake.
class SpinBarrier {
 public:
  explicit SpinBarrier(std::size_t parties) : parties_(parties) {}
  void wait() {
    const std::uint64_t phase = phase_.load(std::memory_order_acquire);
    if (arrived_.fetch_add(1, std::memory_order_acq_rel) + 1 == parties_) {
      arrived_.store(0, std::memory_order_relaxed);
      phase_.store(phase + 1, std::memory_order_release);
      return;
    }
    for (unsigned spins = 0; phase_.load(std::memory_order_acquire) == phase; ++spins) {
      if (spins > 2000) std::this_thread::yield();
    }
  }

 private:
  const std::size_t parties_;
  std::atomic<std::size_t> arrived_{0};
  std::atomic<std::uint64_t> phase_{0};
};

/// Slices 1, 2, … each on a thread of its own; slice 0 on the caller's.
class SliceThreads {
 public:
  explicit SliceThreads(Network& network) : network_(network), barrier_(network.slice_count()) {
    for (std::size_t s = 1; s < network.slice_count(); ++s) threads_.emplace_back([this, s] { work(s); });
  }
  ~SliceThreads() {
    stop_.store(true, std::memory_order_relaxed);
    barrier_.wait();
    for (std::thread& t : threads_) t.join();
  }
  SliceThreads(const SliceThreads&) = delete;
  SliceThreads& operator=(const SliceThreads&) = delete;

  void cycle() {
    barrier_.wait();  // releases the others into this cycle
    network_.compute(0);
    barrier_.wait();
    network_.commit(0);
    barrier_.wait();
    network_.end_cycle();
  }

 private:
  void work(std::size_t s) {
    for (;;) {
      barrier_.wait();
      if (stop_.load(std::memory_order_relaxed)) return;
      network_.compute(s);
      barrier_.wait();
      network_.commit(s);
      barrier_.wait();
    }
  }

  Network& network_;
  SpinBarrier barrier_;
  std::atomic<bool> stop_{false};
  std::vector<std::thread> threads_;
};

class StaticSchedule final : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(StaticSchedule);
  StaticSchedule(const sc_core::sc_module_name& name, Network& network) : sc_module(name), network_(network) {
    if (schedule_options().read(network.configuration()).threads > 1 && network.slice_count() > 1)
      threads_ = std::make_unique<SliceThreads>(network);
    SC_METHOD(cycles);
  }
  Engine::Observer observer;

  /// The next `cycles` cycles of simulated time are to be run.
  void allow(std::uint64_t cycles) { allowed_ = cycles; }

 private:
  /// With an observer one cycle an activation. With nobody to see the cycles apart, a run of them: temporal decoupling,
  /// as TLM-2.0's quantum, for an activation of the kernel costs a third of a microsecond.
  void cycles() {
    const std::uint64_t run = observer ? 1 : std::min(kQuantum, allowed_);
    for (std::uint64_t i = 0; i < run; ++i) {
      if (threads_) {
        threads_->cycle();
      } else {
        network_.cycle();
      }
    }
    allowed_ -= run;
    if (observer) observer(network_.now() - 1);
    next_trigger(clock_cycles(run));
  }

  static constexpr std::uint64_t kQuantum = 64;
  std::uint64_t allowed_ = 0;
  Network& network_;
  std::unique_ptr<SliceThreads> threads_;
};

class StaticEngine final : public Engine {
 public:
  explicit StaticEngine(Network& network) : module_("network", network) {}
  void on_cycle(Observer observer) override { module_.observer = std::move(observer); }
  void run(std::uint64_t cycles) override {
    module_.allow(cycles);
    sc_core::sc_start(clock_cycles(cycles));
  }

 private:
  StaticSchedule module_;
};

}  // namespace

std::unique_ptr<Engine> make_static_engine(Network& network) { return std::make_unique<StaticEngine>(network); }

const OptionTable<ScheduleOptions>& schedule_options() {
  using S = ScheduleOptions;
  static const OptionTable<S> table =
      OptionTable<S>("simulation")
          .choice<Schedule>("schedule", &S::schedule,
                            {{"static", Schedule::kStatic}, {"process_per_stage", Schedule::kProcessPerStage}},
                            "same results; static is fast, process_per_stage is SystemC modules")
          .integer("threads", &S::threads, 1, 256, "static schedule only; same results");
  return table;
}

std::size_t slices_for(const ScheduleOptions& options, std::size_t routers) {
  return options.schedule == Schedule::kProcessPerStage ? routers : options.threads;
}

}  // namespace braid::models
