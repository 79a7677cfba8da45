// The bytes of a trace, a block at a time.
#pragma once

#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

namespace braid::traffic {

class TraceBytes {
 public:
  static constexpr const char* kTextBegin = "braid-trace";
  static constexpr const char* kBinaryBegin = "BRAIDTRC";

  /// Throws InputError unless it is a regular file that can be read: a trace is read twice.
  explicit TraceBytes(const std::string& file);
  /// -1 at the end.
  int get() {
    if (at_ == end_ && !fill()) return -1;
    return static_cast<unsigned char>(block_[at_++]);
  }
  /// Of the byte that comes next.
  std::uint64_t offset() const { return before_ + at_; }
  const std::string& file() const { return file_; }
  /// Do the next bytes say so? Then they are passed.
  bool begins(const std::string& text);

 private:
  bool fill();
  std::string file_;
  std::ifstream in_;
  std::vector<char> block_;
  std::size_t at_ = 0, end_ = 0;
  std::uint64_t before_ = 0;  // bytes of the blocks before
};

}  // namespace braid::traffic
