#include "routing/base/shared_library.h"

#include <dlfcn.h>
#include <link.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <filesystem>

#include "routing/base/text_file.h"

namespace braid {
namespace {

/// The loader opens it once more, so that a pipe will not do.
std::string bytes_of(const LibraryKind& kind, const SourcePosition& where, const std::string& file) {
  constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 30U;
  std::error_code ignored;
  const std::filesystem::file_status status = std::filesystem::status(file, ignored);
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) {
    throw InputError(where, "cannot be read, as it is no regular file: expected " + kind.expected);
  }
  return read_file(file, kind.expected,
                   {kMostBytes,
                    "\x7f"
                    "ELF"});
}

/// The loader maps a library's segments without a look at the file's size; beyond its end lies a bus error.
bool whole_library(const std::string& bytes) {
  ElfW(Ehdr) head{};
  if (bytes.size() < sizeof head) return false;
  std::memcpy(&head, bytes.data(), sizeof head);
  for (std::size_t i = 0; i < head.e_phnum; ++i) {
    const std::size_t at = head.e_phoff + i * sizeof(ElfW(Phdr));
    ElfW(Phdr) segment{};
    if (bytes.size() < at + sizeof segment) return false;
    std::memcpy(&segment, bytes.data() + at, sizeof segment);
    if (segment.p_type == PT_LOAD && bytes.size() < segment.p_offset + segment.p_filesz) return false;
  }
  return true;
}

/// The text from the mark up to the next zero. Looked for in the file's bytes, as a library made for other headers may
/// do anything once it is loaded.
std::string stamp_of(const LibraryKind& kind, const SourcePosition& where, const std::string& bytes) {
  const std::size_t at = bytes.find(kind.mark);
  if (at == std::string::npos) throw InputError(where, kind.none);
  const std::size_t begin = at + kind.mark.size();
  return bytes.substr(begin, std::min(bytes.find('\0', begin) - begin, std::size_t{200}));
}

/// Without a slash dlopen would look elsewhere.
std::string path_of(const std::string& file) { return std::filesystem::absolute(file).string(); }

}  // namespace

void check_library(const LibraryKind& kind, const SourcePosition& where, const std::string& file) {
  const std::string bytes = bytes_of(kind, where, file);
  const std::string stamp = stamp_of(kind, where, bytes);
  if (stamp != kind.stamp) {
    throw InputError(where, "was built against " + stamp + ", this is " + kind.stamp + ": " + kind.another);
  }
  if (!whole_library(bytes)) throw InputError(where, "ends too early: expected a whole library");
}

bool is_loaded(const std::string& file) { return dlopen(path_of(file).c_str(), RTLD_NOW | RTLD_NOLOAD) != nullptr; }

void* open_library(const SourcePosition& where, const std::string& file) {
  void* (*volatile const open)(const char*, int) = dlopen;  // declared as if nothing were thrown through it
  void* library = nullptr;
  try {
    library = open(path_of(file).c_str(), RTLD_NOW | RTLD_LOCAL);
  } catch (const std::exception& e) {
    throw InputError(where, std::string("throws while it is loaded: ") + one_line(e.what(), kLongestSentence));
  } catch (...) {
    throw InputError(where, "throws what is no std::exception while it is loaded");
  }
  if (library == nullptr) throw InputError(where, std::string("cannot be loaded: ") + dlerror());
  return library;
}

}  // namespace braid
