// The static schedule: one clocked SC_METHOD for the whole network. Threads, if any, meet at a barrier after each half
// of a cycle; which thread runs first cannot be seen in any result.
#include <sched.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <condition_variable>
#include <future>
#include <mutex>
#include <optional>
#include <system_error>
#include <systemc>
#include <thread>
#include <vector>

#include "models/engine/engine.h"
#include "models/observe/clock.h"

namespace braid::models {
namespace {

/// Spins for a while, as half a cycle of a small network takes less than a sleeping thread needs to wake; then sleeps,
/// for the thread that is waited for may want this core.
class Barrier {
 public:
  explicit Barrier(std::size_t parties) : parties_(parties) {}
  void wait() {
    const std::uint64_t phase = phase_.load();
    if (arrived_.fetch_add(1) + 1 == parties_) {
      arrived_.store(0);
      phase_.store(phase + 1);
      if (sleepers_.load() == 0) return;
      const std::lock_guard<std::mutex> lock(mutex_);  // a sleeper is asleep, or has yet to look at the phase
      wake_.notify_all();
      return;
    }
    for (unsigned spins = 0; spins < kSpins; ++spins) {
      if (phase_.load(std::memory_order_acquire) != phase) return;
    }
    std::unique_lock<std::mutex> lock(mutex_);
    ++sleepers_;
    wake_.wait(lock, [&] { return phase_.load() != phase; });
    --sleepers_;
  }

 private:
  static constexpr unsigned kSpins = 20000;  // some ten microseconds
  const std::size_t parties_;
  std::atomic<std::size_t> arrived_{0}, sleepers_{0};
  std::atomic<std::uint64_t> phase_{0};
  std::mutex mutex_;
  std::condition_variable wake_;
};

/// The slices in equal shares over the caller's thread and others; not more of them than there are cores.
class SliceThreads {
 public:
  explicit SliceThreads(Network& network)
      : network_(network), parties_(std::min(network.slice_count(), usable_cores())) {
    const std::shared_future<void> started = started_.get_future().share();
    try {
      for (std::size_t t = 1; t < parties_; ++t) {
        threads_.emplace_back([this, t, started] {
          started.wait();
          work(t);
        });
      }
    } catch (const std::system_error&) {  // no more threads to be had: those that there are do
      parties_ = threads_.size() + 1;
    }
    barrier_.emplace(parties_);
    started_.set_value();
  }
  ~SliceThreads() {
    stop_.store(true, std::memory_order_relaxed);
    barrier_->wait();
    for (std::thread& t : threads_) t.join();
  }
  SliceThreads(const SliceThreads&) = delete;
  SliceThreads& operator=(const SliceThreads&) = delete;

  void cycle() {
    barrier_->wait();  // releases the others into this cycle
    half_cycles(0);
  }

 private:
  void work(std::size_t t) {
    for (;;) {
      barrier_->wait();
      if (stop_.load(std::memory_order_relaxed)) return;
      half_cycles(t);
    }
  }
  void half_cycles(std::size_t t) {
    const std::size_t begin = t * network_.slice_count() / parties_, end = (t + 1) * network_.slice_count() / parties_;
    for (std::size_t s = begin; s < end; ++s) network_.compute(s);
    barrier_->wait();
    for (std::size_t s = begin; s < end; ++s) network_.commit(s);
    barrier_->wait();
  }

  Network& network_;
  std::size_t parties_;
  std::promise<void> started_;
  std::optional<Barrier> barrier_;
  std::atomic<bool> stop_{false};
  std::vector<std::thread> threads_;
};

class StaticEngine final : public Engine {
 public:
  explicit StaticEngine(Network& network) : Engine(network), module_(module_name().c_str(), *this) {
    if (schedule_options().read(network.configuration()).threads > 1 && network.slice_count() > 1)
      threads_ = std::make_unique<SliceThreads>(network);
  }
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
      if (engine_.observed()) return 1;
      const std::uint64_t whole = engine_.watched() ? 1 : kRun;
      return static_cast<double>(whole - (engine_.edge() % whole));
    }

    StaticEngine& engine_;
    sc_core::sc_event edge_{"edge"}, settled_{"settled"};
  };

  void finish_cycle() override {
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

const OptionTable<ScheduleOptions>& schedule_options() {
  using S = ScheduleOptions;
  static const OptionTable<S> table =
      OptionTable<S>("simulation")
          .choice<Schedule>("schedule", &S::schedule,
                            {{"static", Schedule::kStatic}, {"process_per_stage", Schedule::kProcessPerStage}},
                            "same results; static is fast, process_per_stage is SystemC modules")
          .integer("threads", &S::threads, 1, 256, "static schedule only, not more than there are cores; same results");
  return table;
}

std::size_t usable_cores() {
  cpu_set_t cores;
  if (sched_getaffinity(0, sizeof(cores), &cores) != 0) return 1;
  return std::max(1, CPU_COUNT(&cores));
}

std::size_t slices_for(const ScheduleOptions& options, std::size_t routers) {
  return options.schedule == Schedule::kProcessPerStage ? routers : options.threads;
}

}  // namespace braid::models
