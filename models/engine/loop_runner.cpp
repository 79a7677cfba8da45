#include "models/engine/cycle_runner.h"
#include "models/engine/slice_threads.h"

namespace braid::models {
namespace {

class LoopRunner final : public CycleRunner {
 public:
  explicit LoopRunner(Network& network) : network_(network), threads_(threads_of(network)) {}

  void run(std::uint64_t cycles) override {
    for (std::uint64_t n = 0; n < cycles; ++n) {
      if (threads_) {
        network_.begin_cycle();
        threads_->cycle();
        network_.end_cycle();
      } else {
        network_.cycle();
      }
      if (observer()) observer()(network_.now() - 1);
    }
  }

 private:
  Network& network_;
  std::unique_ptr<SliceThreads> threads_;  // null: none
};

}  // namespace

std::unique_ptr<CycleRunner> make_loop_runner(Network& network) { return std::make_unique<LoopRunner>(network); }

}  // namespace braid::models
