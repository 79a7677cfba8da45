#include "models/engine/slice_threads.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <future>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>
#include <vector>

#include "models/engine/schedule.h"

namespace braid::models {
class SliceThreads::Parts {
 public:
  Parts(Network& network, std::size_t threads)
      : network_(network), parties_(std::min({network.slice_count(), threads, usable_cores()})), errors_(parties_) {
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
  ~Parts() {
    stop_.store(true, std::memory_order_relaxed);
    barrier_->wait();
    for (std::thread& t : threads_) t.join();
  }
  Parts(const Parts&) = delete;
  Parts& operator=(const Parts&) = delete;

  void cycle() {
    barrier_->wait();  // releases the others into this cycle
    half_cycles(0);
    for (const std::exception_ptr& error : errors_) {
      if (error) std::rethrow_exception(error);
    }
  }

 private:
  /// Looks again and again, as half a cycle takes less than a sleeping thread needs to wake, but soon offers the core
  /// between two looks: the thread that is waited for may want it, where others use the machine too. Sleeps at last.
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
      for (unsigned yields = 0; yields < kYields; ++yields) {
        for (unsigned looks = 0; looks < kLooks; ++looks) {
          if (phase_.load(std::memory_order_acquire) != phase) return;
        }
        std::this_thread::yield();
      }
      std::unique_lock<std::mutex> lock(mutex_);
      ++sleepers_;
      wake_.wait(lock, [&] { return phase_.load() != phase; });
      --sleepers_;
    }

   private:
    static constexpr unsigned kLooks = 1000;  // about half a microsecond
    static constexpr unsigned kYields = 500;
    const std::size_t parties_;
    std::atomic<std::size_t> arrived_{0}, sleepers_{0};
    std::atomic<std::uint64_t> phase_{0};
    std::mutex mutex_;
    std::condition_variable wake_;
  };

  void work(std::size_t t) {
    for (;;) {
      barrier_->wait();
      if (stop_.load(std::memory_order_relaxed)) return;
      half_cycles(t);
    }
  }
  void half_cycles(std::size_t t) {
    const std::size_t begin = t * network_.slice_count() / parties_, end = (t + 1) * network_.slice_count() / parties_;
    const auto half = [&](void (Network::*of_slice)(std::size_t)) {
      try {
        for (std::size_t s = begin; s < end; ++s) (network_.*of_slice)(s);
      } catch (...) {  // for the caller's thread, when all have ended the cycle
        if (!errors_[t]) errors_[t] = std::current_exception();
      }
      barrier_->wait();
    };
    half(&Network::compute);
    half(&Network::commit);
  }

  Network& network_;
  std::size_t parties_;
  std::vector<std::exception_ptr> errors_;  // [party], the first of each
  std::promise<void> started_;
  std::optional<Barrier> barrier_;
  std::atomic<bool> stop_{false};
  std::vector<std::thread> threads_;
};

SliceThreads::SliceThreads(Network& network, std::size_t threads) : parts_(std::make_unique<Parts>(network, threads)) {}
SliceThreads::~SliceThreads() = default;
void SliceThreads::cycle() { parts_->cycle(); }

std::unique_ptr<SliceThreads> threads_of(Network& network) {
  const std::size_t threads = schedule_options().read(network.configuration()).threads;
  return threads > 1 && network.slice_count() > 1 ? std::make_unique<SliceThreads>(network, threads) : nullptr;
}

}  // namespace braid::models
