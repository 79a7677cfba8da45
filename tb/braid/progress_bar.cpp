#include "tb/braid/progress_bar.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>

namespace braid::tb {
namespace {

volatile std::sig_atomic_t interrupted = 0;
extern "C" void interrupt(int) { interrupted = 1; }

}  // namespace

ProgressBar::ProgressBar(bool quiet) : visible_(!quiet && isatty(STDERR_FILENO) != 0) {}

void ProgressBar::show(const models::Progress& p) {
  if (!visible_) return;
  if (p.expected_cycles == 0) {  // elaborates: nobody knows for how long
    fmt::print(stderr, "\r{} \x1b[K", p.phase);
    std::fflush(stderr);
    drawn_ = true;
    return;
  }
  constexpr int kWidth = 32;
  const double done = std::min(1.0, static_cast<double>(p.cycle) / static_cast<double>(p.expected_cycles));
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  const int filled = static_cast<int>(done * kWidth);
  fmt::print(stderr, "\r{:8} [{:#>{}}{:.>{}}] {:3.0f} %  {} {}  {:.0f} s left \x1b[K", p.phase, "", filled, "",
             kWidth - filled, 100.0 * done, p.counts, p.cycle, done > 0.0 ? seconds * (1.0 - done) / done : 0.0);
  std::fflush(stderr);
  drawn_ = true;
}

void ProgressBar::clear() {
  if (drawn_) fmt::print(stderr, "\r\x1b[K");
  drawn_ = false;
  begin_ = std::chrono::steady_clock::now();
}

InterruptFlag::InterruptFlag() {
  interrupted = 0;
  std::signal(SIGINT, interrupt);
  std::signal(SIGTERM, interrupt);
  if (std::signal(SIGHUP, interrupt) == SIG_IGN) std::signal(SIGHUP, SIG_IGN);
}
InterruptFlag::~InterruptFlag() {
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
  if (std::signal(SIGHUP, SIG_DFL) == SIG_IGN) std::signal(SIGHUP, SIG_IGN);
}
bool InterruptFlag::raised() { return interrupted != 0; }

}  // namespace braid::tb
