// What the program asks of its process: standard streams that are there, signals that end it in order.
#pragma once

#include <csignal>
#include <string>
#include <vector>

namespace braid::tb {

/// A standard stream that is closed gets a descriptor that refuses to be written, so that no file of the run takes its
/// number. A write beyond the limit of a file's size fails, and one that nobody reads, in place of ending the program.
void prepare_process();

/// Whoever starts the program and waits for what it finds says so by BRAID_STARTED_BY, its process number: when that
/// process ends, however it does, this one gets SIGTERM.
void end_with_starter();

/// Ends it by SIGPIPE, as shells expect of a program whose standard output nobody reads, once all else is put away.
void end_unread();

/// To standard error. Where nobody reads it, or it cannot be written, nothing happens.
void say(const std::string& text);

/// Of an interrupt, with the files that the run has finished.
std::string told_of_interrupt();

/// Ends the program there and then, with status 130, where an interrupt is raised: to put away what a large network
/// consists of takes seconds. Nothing is left of what is not finished.
[[noreturn]] void end_interrupted();

/// Catches SIGINT, SIGTERM and SIGHUP for as long as it lives; under nohup SIGHUP stays ignored.
class InterruptFlag {
 public:
  /// kFirst: a second one ends the program there and then. kNone: the first does, with status 130: where nobody asks
  /// raised().
  enum Catches { kAll, kFirst, kNone };
  explicit InterruptFlag(Catches catches);
  ~InterruptFlag();
  InterruptFlag(const InterruptFlag&) = delete;
  InterruptFlag& operator=(const InterruptFlag&) = delete;
  /// Since the outermost began.
  static bool raised();

 private:
  std::vector<struct sigaction> before_;
};

}  // namespace braid::tb
