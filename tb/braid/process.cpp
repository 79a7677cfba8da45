#include "tb/braid/process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <fstream>

#include "models/observe/output_file.h"
#include "routing/base/run_files.h"
#include "tb/braid/commands.h"

namespace braid::tb {
namespace {

volatile std::sig_atomic_t process_interrupted = 0;
int process_flags = 0;  // InterruptFlags that live
extern "C" void process_interrupt(int) { process_interrupted = 1; }
extern "C" void process_end(int) {
  constexpr char kLine[] = "braid: interrupted\n";
  models::PendingFile::remove_all();
  (void)!write(STDERR_FILENO, kLine, sizeof kLine - 1);
  _exit(kInterrupted);
}
constexpr std::array kInterrupts{SIGINT, SIGTERM, SIGHUP};

/// A process that was killed and that nobody has waited for takes signals still: its state says that it has ended.
bool has_ended(long process) {
  std::ifstream stat(fmt::format("/proc/{}/stat", process));
  std::string text;
  if (!std::getline(stat, text)) return kill(static_cast<pid_t>(process), 0) != 0 && errno == ESRCH;
  const std::size_t name_end = text.rfind(')');
  return name_end != std::string::npos && text.find_first_of("ZX", name_end) == name_end + 2;
}

}  // namespace

void prepare_process() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(stream, F_GETFD) < 0) (void)open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
  }
  std::signal(SIGXFSZ, SIG_IGN);
  std::signal(SIGPIPE, SIG_IGN);
}

void end_with_starter() {
  const char* starter = std::getenv("BRAID_STARTED_BY");
  const long process = starter == nullptr ? 0 : std::strtol(starter, nullptr, 10);
  if (process <= 0) return;
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (getppid() != process && has_ended(process)) (void)std::raise(SIGTERM);  // before it was to be told
}

void end_unread() {
  std::signal(SIGPIPE, SIG_DFL);
  (void)std::raise(SIGPIPE);
}

std::string told_of_interrupt() {
  const std::string all = fmt::format("{}", fmt::join(RunFiles::written_so_far(), ", "));
  return "interrupted; " + (all.empty() ? "nothing was written" : "written before: " + all);
}

void end_interrupted() {
  std::fflush(stdout);
  models::PendingFile::remove_all();
  say("braid: " + told_of_interrupt() + "\n");
  _exit(kInterrupted);
}

void say(const std::string& text) {
  for (std::size_t at = 0; at < text.size();) {
    const ssize_t written = write(STDERR_FILENO, text.data() + at, text.size() - at);
    if (written < 0 && errno != EINTR) break;
    at += static_cast<std::size_t>(written < 0 ? 0 : written);
  }
}

InterruptFlag::InterruptFlag(Catches catches) {
  if (process_flags++ == 0) process_interrupted = 0;
  struct sigaction action = {};
  action.sa_handler = catches == kNone ? process_end : process_interrupt;
  action.sa_flags = SA_RESTART | (catches == kFirst ? static_cast<int>(SA_RESETHAND) : 0);
  for (const int signal : kInterrupts) {
    before_.emplace_back();
    sigaction(signal, nullptr, &before_.back());
    const bool nohup = signal == SIGHUP && before_.back().sa_handler == SIG_IGN;
    if (!nohup) sigaction(signal, &action, nullptr);
  }
}

/// The signal that an inner one has caught was the first of an outer one that catches no other.
InterruptFlag::~InterruptFlag() {
  const bool outermost = --process_flags == 0;
  for (std::size_t i = 0; i < kInterrupts.size(); ++i) {
    if (raised() && !outermost && before_[i].sa_handler != SIG_IGN) before_[i].sa_handler = SIG_DFL;
    sigaction(kInterrupts[i], &before_[i], nullptr);
  }
}

bool InterruptFlag::raised() { return process_interrupted != 0; }

}  // namespace braid::tb
