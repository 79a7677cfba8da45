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
/// then those that have not begun of others that are not there, or take long: where a thread has no core, the others do
/// its work, and wait for it only if it has lost the core in the middle of a slice.
///
/// What one core writes and another reads goes from one to the other, which takes longer than all else that is done
/// here. So what is read in every half is written by one thread, to a line of memory of its own: by the caller's which
/// half is open, by each which one it has come to and how many slices it has ended. To look at another's slice takes
/// that line away from it.
class SliceThreads::Parts {
 public:
  Parts(Network& network, std::size_t threads)
      : network_(network),
        parties_(std::min({network.slice_count(), threads, usable_cores()})),
        slices_(network.slice_count()),
        progress_(parties_) {
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
    open(Half::kNone);
    for (std::thread& t : threads_) t.join();
  }
  Parts(const Parts&) = delete;
  Parts& operator=(const Parts&) = delete;

  void cycle() {
    if (network_.has_first_half()) run(Half::kFirst);
    run(Half::kSecond);
    if (!failed_) return;
    for (const Slice& slice : slices_) {
      if (slice.error) std::rethrow_exception(slice.error);
    }
  }

 private:
  /// For what another thread writes. Looks again and again, as half a cycle takes less than a sleeping thread needs to
  /// wake, but soon offers the core between two looks: the thread that is waited for may want it, where others use the
  /// machine too. Sleeps at last.
  class Wait {
   public:
    /// Is it there after a few looks?
    template <class There>
    static bool shortly(There there) {
      for (unsigned looks = 0; looks < kLooks; ++looks) {
        if (there()) return true;
      }
      return false;
    }
    template <class There>
    void until(There there) {
      for (unsigned yields = 0; yields < kYields; ++yields) {
        if (shortly(there)) return;
        std::this_thread::yield();
      }
      std::unique_lock<std::mutex> lock(mutex_);
      ++sleepers_;
      wake_.wait(lock, there);
      --sleepers_;
    }
    /// By who has written it.
    void end() {
      if (sleepers_.load() == 0) return;
      const std::lock_guard<std::mutex> lock(mutex_);  // a sleeper is asleep, or has yet to look
      wake_.notify_all();
    }

   private:
    static constexpr unsigned kLooks = 1000;  // about half a microsecond
    static constexpr unsigned kYields = 500;
    alignas(64) std::atomic<std::size_t> sleepers_{0};
    std::mutex mutex_;
    std::condition_variable wake_;
  };
  enum class Half : std::uint8_t { kFirst, kSecond, kNone };
  struct Opened {
    std::uint64_t number = 0;  // of the half, from 1 on
    Half half = Half::kFirst;
  };
  struct alignas(64) Slice {
    std::atomic<std::uint64_t> begun{0};  // halves
    std::exception_ptr error;             // the first
  };
  struct alignas(64) Progress {            // of a thread
    std::atomic<std::uint64_t> half{0};    // that it has come to
    std::atomic<std::uint64_t> slices{0};  // that it has ended, of all halves
  };

  Opened opened() const {
    const std::uint64_t both = opened_.load();
    return {both / kHalves, static_cast<Half>(both % kHalves)};
  }
  /// The next. (None: no more come.)
  Opened open(Half half) {
    const Opened next{opened().number + 1, half};
    opened_.store(next.number * kHalves + static_cast<std::uint64_t>(half));
    opening_.end();
    return next;
  }
  void run(Half half) {
    const Opened now = open(half);
    run_slices_of(0, 0, now);
    const auto all_ended = [&] {
      std::uint64_t ended = 0;
      for (const Progress& of : progress_) ended += of.slices.load();
      return ended == now.number * slices_.size();
    };
    for (std::size_t t = 1; t < parties_; ++t) {
      if (progress_[t].half.load() != now.number) run_slices_of(t, 0, now);
    }
    if (Wait::shortly(all_ended)) return;
    run_slices(0, now, 0, slices_.size());
    ending_.until(all_ended);
  }
  void work(std::size_t t) {
    for (Opened now;;) {
      Opened next;  // others may have done without this thread for a while: not always the one behind
      const auto there = [&] { return (next = opened()).number != now.number; };
      if (!Wait::shortly(there)) {
        if (now.number != 0) run_slices(t, now, 0, slices_.size());
        opening_.until(there);
      }
      now = next;
      if (now.half == Half::kNone) return;
      progress_[t].half.store(now.number);
      run_slices_of(t, t, now);
    }
  }
  /// Those of thread `whose`, by thread `t`.
  void run_slices_of(std::size_t whose, std::size_t t, const Opened& now) {
    const std::size_t all = slices_.size();
    run_slices(t, now, whose * all / parties_, (whose + 1) * all / parties_);
  }
  /// Of these the ones that nobody has begun.
  void run_slices(std::size_t t, const Opened& now, std::size_t first, std::size_t last) {
    for (std::size_t s = first; s < last; ++s) {
      std::uint64_t before = now.number - 1;
      if (slices_[s].begun.load() != before || !slices_[s].begun.compare_exchange_strong(before, now.number)) continue;
      try {
        now.half == Half::kFirst ? network_.compute(s) : network_.commit(s);
      } catch (...) {  // for the caller's thread, when all have ended the cycle
        if (!slices_[s].error) slices_[s].error = std::current_exception();
        failed_ = true;
      }
      progress_[t].slices.store(progress_[t].slices.load(std::memory_order_relaxed) + 1);
      ending_.end();
    }
  }

  static constexpr std::uint64_t kHalves = 4;

  Network& network_;
  std::size_t parties_;
  std::vector<Slice> slices_;
  std::vector<Progress> progress_;  // [thread]
  std::promise<void> started_;
  std::atomic<bool> failed_{false};
  alignas(64) std::atomic<std::uint64_t> opened_{0};  // number * kHalves + half
  Wait opening_, ending_;
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
