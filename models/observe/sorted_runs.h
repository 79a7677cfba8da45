// More items than memory should hold, and back in the order of their keys: what does not fit waits in a file without a
// name, in sorted runs that are merged when the items are asked for.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace braid::models {

class SortedRuns {
 public:
  using Key = std::array<std::uint64_t, 3>;
  /// A file is made only for more than `bytes_in_memory`, beside `file` (whose place has room for what is asked for) or
  /// where temporary files go if that is no regular file's. However the process ends, nothing of it is left.
  explicit SortedRuns(const std::string& file, std::size_t bytes_in_memory = std::size_t{8} << 20);
  SortedRuns(const SortedRuns&) = delete;
  SortedRuns& operator=(const SortedRuns&) = delete;
  ~SortedRuns();

  void add(const Key& key, std::string_view item);
  std::uint64_t size() const { return size_; }
  /// All, by key; those of equal keys as they were added.
  using Take = std::function<void(const Key&, std::string_view)>;
  void each(const Take& take) const;
  /// Throws std::runtime_error if some of it could not be kept (a full disk), as OutputFile does of its file.
  void check() const;

 private:
  struct Item {
    Key key;
    std::size_t at, size;  // in text_
  };
  struct Run {
    std::uint64_t begin, end;  // in the file
  };
  class Reader;
  std::string sorted() const;
  void to_file();
  bool open_file();

  std::string file_;  // as users call it
  std::size_t bytes_in_memory_;
  std::vector<Item> items_;  // not in the file yet
  std::string text_;
  std::vector<Run> runs_;
  std::uint64_t size_ = 0;
  int descriptor_ = -1;
  mutable int error_ = 0;
};

}  // namespace braid::models
