// What the fuzz targets share: an input as a file, and what a reader may do with it: read it, or say in one printable
// line what is wrong.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "routing/base/input_error.h"

namespace braid::fuzz {

/// A file in memory, of this process alone.
class InputFile {
 public:
  InputFile(const std::uint8_t* data, std::size_t size) : descriptor_(memfd_create("input", 0)) {
    if (descriptor_ < 0 || write(descriptor_, data, size) != static_cast<ssize_t>(size)) std::abort();
  }
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;
  ~InputFile() { close(descriptor_); }

  std::string name() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

 private:
  int descriptor_;
};

/// Anything but InputError goes through and ends the fuzzer.
template <class Read>
void check(const Read& read) {
  try {
    read();
  } catch (const InputError& e) {
    if (printable(e.what()) != e.what() || std::string(e.what()).size() > 10000) std::abort();
  }
}

}  // namespace braid::fuzz
