#include "models/observe/sorted_runs.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <stdexcept>

#include "models/observe/output_file.h"
#include "routing/base/run_files.h"

namespace braid::models {
namespace {

/// Before each item of a run: its key, and its size.
constexpr std::size_t kRunHeadBytes = sizeof(SortedRuns::Key) + sizeof(std::uint64_t);

std::string folder_beside(const std::string& file) {
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::path folder =
      is_written_through(file) || file == "-" ? fs::temp_directory_path(error) : link_target(file).parent_path();
  return folder.empty() ? "." : folder.string();
}

}  // namespace

/// One run, item by item: of the file a piece at a time, or all of it in memory.
class SortedRuns::Reader {
 public:
  Reader(int descriptor, const Run& run, std::size_t piece) : descriptor_(descriptor), run_(run), piece_(piece) {}
  explicit Reader(std::string all) : buffer_(std::move(all)) {}

  /// False: there is none any more, or the file cannot be read (`error`: errno's).
  bool next(int& error) {
    if (!have(kRunHeadBytes, error)) return false;
    std::uint64_t size = 0;
    std::memcpy(key.data(), buffer_.data() + at_, sizeof key);
    std::memcpy(&size, buffer_.data() + at_ + sizeof key, sizeof size);
    at_ += kRunHeadBytes;
    if (!have(size, error)) return false;
    item = std::string_view(buffer_).substr(at_, size);
    at_ += size;
    return true;
  }

  Key key{};
  std::string_view item;

 private:
  bool have(std::size_t bytes, int& error) {
    if (buffer_.size() - at_ >= bytes) return true;
    buffer_.erase(0, at_);
    at_ = 0;
    while (buffer_.size() < bytes && run_.begin < run_.end) {
      const std::size_t had = buffer_.size();
      const std::uint64_t want = std::min<std::uint64_t>(std::max(piece_, bytes - had), run_.end - run_.begin);
      buffer_.resize(had + want);
      const ssize_t got = pread(descriptor_, buffer_.data() + had, want, static_cast<off_t>(run_.begin));
      buffer_.resize(had + static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
      if (got <= 0) {
        error = got < 0 ? errno : EIO;
        return false;
      }
      run_.begin += static_cast<std::uint64_t>(got);
    }
    return buffer_.size() >= bytes;
  }

  int descriptor_ = -1;
  Run run_{0, 0};
  std::size_t piece_ = 0;
  std::string buffer_;
  std::size_t at_ = 0;
};

SortedRuns::SortedRuns(const std::string& file, std::size_t bytes_in_memory)
    : file_(file), bytes_in_memory_(bytes_in_memory) {}

SortedRuns::~SortedRuns() {
  if (descriptor_ >= 0) close(descriptor_);
}

void SortedRuns::add(const Key& key, std::string_view item) {
  if (error_ != 0) return;  // nobody will get it
  items_.push_back({key, text_.size(), item.size()});
  text_ += item;
  ++size_;
  if (text_.size() + items_.size() * sizeof(Item) > bytes_in_memory_) to_file();
}

/// What is in memory, as a run is in the file.
std::string SortedRuns::sorted() const {
  std::vector<Item> items = items_;
  std::stable_sort(items.begin(), items.end(), [](const Item& a, const Item& b) { return a.key < b.key; });
  std::string run;
  run.reserve(text_.size() + items.size() * kRunHeadBytes);
  for (const Item& item : items) {
    const std::uint64_t size = item.size;
    run.append(reinterpret_cast<const char*>(item.key.data()), sizeof item.key);
    run.append(reinterpret_cast<const char*>(&size), sizeof size);
    run.append(text_, item.at, item.size);
  }
  return run;
}

bool SortedRuns::open_file() {
  if (descriptor_ >= 0) return true;
  std::string name = folder_beside(file_) + "/.braid.XXXXXX";
  descriptor_ = mkstemp(name.data());
  if (descriptor_ >= 0) unlink(name.c_str());
  return descriptor_ >= 0;
}

void SortedRuns::to_file() {
  const std::string run = sorted();
  items_.clear();
  text_.clear();
  const std::uint64_t begin = runs_.empty() ? 0 : runs_.back().end;
  std::size_t done = 0;
  while (open_file() && done < run.size()) {
    errno = 0;
    const ssize_t wrote = pwrite(descriptor_, run.data() + done, run.size() - done, static_cast<off_t>(begin + done));
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote <= 0) break;
    done += static_cast<std::size_t>(wrote);
  }
  if (done < run.size()) {
    error_ = errno == 0 ? EIO : errno;
  } else {
    runs_.push_back({begin, begin + run.size()});
  }
}

void SortedRuns::each(const Take& take) const {
  constexpr std::size_t kBuffers = std::size_t{64} << 20, kLeast = 4096, kMost = std::size_t{1} << 18;
  const std::size_t piece = std::clamp(kBuffers / (runs_.size() + 1), kLeast, kMost);
  std::vector<std::unique_ptr<Reader>> readers;
  for (const Run& run : runs_) readers.push_back(std::make_unique<Reader>(descriptor_, run, piece));
  readers.push_back(std::make_unique<Reader>(sorted()));
  const auto later = [&](std::size_t a, std::size_t b) {  // runs are in the order in which they were added
    return readers[b]->key != readers[a]->key ? readers[b]->key < readers[a]->key : b < a;
  };
  std::vector<std::size_t> heap;
  const auto push_next = [&](std::size_t reader) {
    if (!readers[reader]->next(error_)) return;
    heap.push_back(reader);
    std::push_heap(heap.begin(), heap.end(), later);
  };
  for (std::size_t r = 0; r < readers.size(); ++r) push_next(r);
  while (!heap.empty()) {
    std::pop_heap(heap.begin(), heap.end(), later);
    const std::size_t first = heap.back();
    heap.pop_back();
    take(readers[first]->key, readers[first]->item);
    push_next(first);
  }
}

void SortedRuns::check() const {
  if (error_ == 0) return;
  throw std::runtime_error(file_ + ": cannot be written: " + std::strerror(error_));
}

}  // namespace braid::models
