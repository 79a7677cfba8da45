#include "routing/base/checkpoint.h"

#include <algorithm>

#include "routing/base/input_error.h"

namespace braid {

void Checkpoint::part(std::string_view name) {
  std::string found(name);
  (*this)(found);
  if (found == name) return;
  const std::string what = found == printable(found) ? '"' + found + '"' : "other bytes";  // damaged ones
  throw CheckpointError(what + ", where \"" + std::string(name) + "\" was expected");
}

void Checkpoint::no_such(const char* thing, std::uint64_t value, std::uint64_t end) {
  refuse(std::string(thing) + " " + std::to_string(value) + ", here are " + std::to_string(end));
}

void Checkpoint::finish() const {
  if (!left_.empty()) throw CheckpointError(std::to_string(left_.size()) + " bytes more than expected");
}

void Checkpoint::item(std::vector<bool>& bits) {
  bits.resize(size_of(bits.size(), 1));
  for (std::size_t i = 0; i < bits.size(); ++i) {
    bool bit = bits[i];
    plain(bit);
    bits[i] = bit;
  }
}

std::size_t Checkpoint::size_of(std::size_t size, std::size_t least_bytes) {
  std::uint64_t items = size;
  plain(items);
  if (restoring_ && items > left_.size() / least_bytes) throw CheckpointError("it ends too early");
  return static_cast<std::size_t>(items);
}

void Checkpoint::raw(void* memory, std::size_t bytes) {
  if (bytes == 0) return;
  if (!restoring_) {
    saved_.append(static_cast<const char*>(memory), bytes);
    return;
  }
  if (bytes > left_.size()) throw CheckpointError("it ends too early");
  std::memcpy(memory, left_.data(), bytes);
  left_.remove_prefix(bytes);
}

/// Block by block: a mark, and the block unless it is all zeros.
void Checkpoint::sparse(char* memory, std::size_t bytes) {
  constexpr std::size_t kBlock = 4096;
  static constexpr std::array<char, kBlock> kZeros{};
  for (std::size_t at = 0; at < bytes; at += kBlock) {
    const std::size_t size = std::min(kBlock, bytes - at);
    const bool zero = std::memcmp(memory + at, kZeros.data(), size) == 0;
    bool saved_zero = zero;
    plain(saved_zero);
    if (!saved_zero) {
      raw(memory + at, size);
    } else if (!zero) {
      std::memset(memory + at, 0, size);
    }
  }
}

}  // namespace braid
