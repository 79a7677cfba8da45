// Files that users ask for. What is a regular file, or none yet, is written beside its place and renamed: it is whole
// or not there. A symbolic link is followed; a device or a FIFO is written through. No output is a file that the run
// reads, or another output's (routing/base/run_files.h).
#pragma once

#include <atomic>
#include <ext/stdio_filebuf.h>  // a stream on a descriptor, libstdc++'s
#include <optional>
#include <ostream>
#include <string>

namespace braid::models {

/// The place of a file while it is written by whoever opens files by name.
class PendingFile {
 public:
  /// Throws InputError if it cannot be written.
  explicit PendingFile(const std::string& file);
  PendingFile(const PendingFile&) = delete;
  PendingFile& operator=(const PendingFile&) = delete;
  /// Without finish() nothing of it is left.
  ~PendingFile();

  const std::string& name() const { return written_; }
  /// A device or a FIFO, which has no other place than its own.
  bool through() const { return written_ == target_; }
  /// Takes its own name; with an `error` (errno's) nothing is left, and it throws std::runtime_error with that reason.
  void finish(int error);
  /// For the handler of a signal that ends the program there and then: nothing is left of what is not finished.
  static void remove_all();

 private:
  static std::atomic<PendingFile*> first_of_all;
  std::atomic<PendingFile*> next_{nullptr};
  std::string file_;     // as users call it
  std::string target_;   // links followed
  std::string written_;  // where it is written
  std::string index_;    // ... and, of an FST, its list of signals until it is finished
  bool pending_ = true;
};

class OutputFile {
 public:
  /// Waits for the reader of a FIFO. Throws InputError if it cannot be written, or a signal ends that wait.
  explicit OutputFile(const std::string& file);

  std::ostream& out() { return out_; }
  /// errno's of the first write that failed; 0: none so far.
  int error();
  /// Throws std::runtime_error with the reason (a full disk) if not all of it was written.
  void finish();

 private:
  PendingFile place_;
  std::optional<__gnu_cxx::stdio_filebuf<char>> buffer_;
  std::ostream out_;
  int error_ = 0;
};

/// Is it a device or a FIFO?
bool is_written_through(const std::string& file);
/// Throws InputError unless a file of that name can be written.
void check_writable(const std::string& file);
/// ... and is no other's: `what` ("--json", "log.file") will write it in this run.
void claim_output(const std::string& file, const std::string& what);

}  // namespace braid::models
