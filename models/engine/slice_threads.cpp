#include "models/engine/slice_threads.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <future>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#include "models/engine/schedule.h"

namespace braid::models {

/// The caller's thread opens each half and waits until all slices have had it. Each thread runs its own slices, and
/// then those of others that have not begun: where a thread has no core, the others do its work, and wait for it only
/// if it has lost the core in the middle of a slice.
class SliceThreads::Parts {
 public:
  Parts(Network& network, std::size_t threads)
      : network_(network),
        parties_(std::min({network.slice_count(), threads, usable_cores()})),
        slices_(network.slice_count()) {
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
    started_.set_value();
  }
  ~Parts() {
    half_ = Half::kNone;
    opened_.add(1);
    for (std::thread& t : threads_) t.join();
  }
  Parts(const Parts&) = delete;
  Parts& operator=(const Parts&) = delete;

  void cycle() {
    if (network_.has_first_half()) run(Half::kFirst);
    run(Half::kSecond);
    for (const Slice& slice : slices_) {
      if (slice.error) std::rethrow_exception(slice.error);
    }
  }

 private:
  /// A number that only grows, for which threads wait. Looks again and again, as half a cycle takes less than a
  /// sleeping thread needs to wake, but soon offers the core between two looks: the thread that is waited for may want
  /// it, where others use the machine too. Sleeps at last.
  class Awaited {
   public:
    std::uint64_t value() const { return value_.load(std::memory_order_acquire); }
    void add(std::uint64_t more) {
      value_.fetch_add(more);
      if (sleepers_.load() == 0) return;
      const std::lock_guard<std::mutex> lock(mutex_);  // a sleeper is asleep, or has yet to look
      wake_.notify_all();
    }
    void wait_for(std::uint64_t least) {
      for (unsigned yields = 0; yields < kYields; ++yields) {
        for (unsigned looks = 0; looks < kLooks; ++looks) {
          if (value() >= least) return;
        }
        std::this_thread::yield();
      }
      std::unique_lock<std::mutex> lock(mutex_);
      ++sleepers_;
      wake_.wait(lock, [&] { return value_.load() >= least; });
      --sleepers_;
    }

   private:
    static constexpr unsigned kLooks = 1000;  // about half a microsecond
    static constexpr unsigned kYields = 500;
    alignas(64) std::atomic<std::uint64_t> value_{0};
    std::atomic<std::size_t> sleepers_{0};
    std::mutex mutex_;
    std::condition_variable wake_;
  };
  enum class Half : std::uint8_t { kNone, kFirst, kSecond };
  struct alignas(64) Slice {
    std::atomic<std::uint64_t> begun{0};  // halves
    std::exception_ptr error;             // the first
  };

  void run(Half half) {
    half_ = half;
    opened_.add(1);
    const std::uint64_t number = opened_.value();
    run_slices(0, half, number);
    ended_.wait_for(number * slices_.size());
  }
  void work(std::size_t t) {
    for (std::uint64_t number = 1;; ++number) {
      opened_.wait_for(number);
      number = opened_.value();  // others may have done without this thread for a while
      const Half half = half_;
      if (half == Half::kNone) return;
      run_slices(t, half, number);
    }
  }
  void run_slices(std::size_t t, Half half, std::uint64_t number) {
    const std::size_t all = slices_.size(), first = t * all / parties_;
    for (std::size_t i = 0; i < all; ++i) {
      const std::size_t s = (first + i) % all;
      std::uint64_t before = number - 1;
      if (!slices_[s].begun.compare_exchange_strong(before, number)) continue;
      try {
        half == Half::kFirst ? network_.compute(s) : network_.commit(s);
      } catch (...) {  // for the caller's thread, when all have ended the cycle
        if (!slices_[s].error) slices_[s].error = std::current_exception();
      }
      ended_.add(1);
    }
  }

  Network& network_;
  std::size_t parties_;
  std::vector<Slice> slices_;
  std::promise<void> started_;
  std::atomic<Half> half_{Half::kNone};  // that is open; none: no more come
  Awaited opened_;                       // halves
  Awaited ended_;                        // slices' halves
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
