// Files that users ask for. What is a regular file, or none yet, is written beside its place and renamed: it is whole
// or not there. A symbolic link is followed; a device or a FIFO is written through.
#pragma once

#include <fstream>
#include <string>

namespace braid::models {

class OutputFile {
 public:
  /// Throws InputError if it cannot be written.
  explicit OutputFile(const std::string& file);
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  /// Without finish() nothing of it is left.
  ~OutputFile();

  std::ostream& out() { return out_; }
  /// Throws std::runtime_error with the reason (a full disk) if not all of it was written.
  void finish();

 private:
  bool through() const { return written_ == target_; }

  std::string file_;     // as users call it
  std::string target_;   // links followed
  std::string written_;  // where it is written
  std::ofstream out_;
};

/// Throws InputError unless a file of that name can be written.
void check_writable(const std::string& file);

}  // namespace braid::models
