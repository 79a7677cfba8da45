#include "tb/braid/progress_bar.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <string_view>

#include "tb/braid/stream_experiment.h"

namespace braid::tb {
ProgressBar::ProgressBar(bool quiet) : visible_(!quiet && isatty(STDERR_FILENO) != 0) {}

void ProgressBar::show(const models::Progress& p) {
  if (!visible_) return;
  // What begins to count anew has a time of its own.
  if (std::string_view(p.counts) != last_.counts || p.cycle < last_.cycle) begin_ = std::chrono::steady_clock::now();
  last_ = p;
  if (p.expected_cycles == 0) {  // elaborates: nobody knows for how long
    const std::string count = p.cycle > 0 ? fmt::format(": {} {}", p.counts, p.cycle) : "";
    say(fmt::format("\r{}{} \x1b[K", p.phase, count));
    drawn_ = true;
    return;
  }
  constexpr int kWidth = 32;
  const double done = std::min(1.0, static_cast<double>(p.cycle) / static_cast<double>(p.expected_cycles));
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  const int filled = static_cast<int>(done * kWidth);
  say(fmt::format("\r{:8} [{:#>{}}{:.>{}}] {:3.0f} %  {} {}  {:.0f} s left \x1b[K", p.phase, "", filled, "",
                  kWidth - filled, 100.0 * done, p.counts, p.cycle, done > 0.0 ? seconds * (1.0 - done) / done : 0.0));
  drawn_ = true;
}

void ProgressBar::clear() {
  if (drawn_) say("\r\x1b[K");
  drawn_ = false;
  begin_ = std::chrono::steady_clock::now();
}

models::Simulation::OnProgress ProgressBar::watcher() {
  return [this](const models::Progress& progress) {
    show(progress);
    if (InterruptFlag::raised()) {
      clear();
      end_interrupted();
    }
    return true;
  };
}

std::unique_ptr<models::Simulation> elaborated(const Options& options, ProgressBar& bar) {
  const InterruptFlag flag(InterruptFlag::kFirst);
  auto simulation = std::make_unique<models::Simulation>(experiment_of(options), bar.watcher());
  simulation->check_for_users();
  if (InterruptFlag::raised()) throw models::Interrupted();  // since it was last asked
  bar.clear();
  return simulation;
}

}  // namespace braid::tb
