#include "models/observe/output_file.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <stdexcept>

#include "routing/base/input_error.h"

namespace braid::models {
namespace {

namespace fs = std::filesystem;

/// The last of a chain of symbolic links, whether there is a file or not.
fs::path follow(fs::path file) {
  constexpr int kMostLinks = 40;  // as the kernel has it
  std::error_code error;
  for (int i = 0; i < kMostLinks && fs::is_symlink(fs::symlink_status(file, error)); ++i) {
    const fs::path next = fs::read_symlink(file, error);
    file = next.is_absolute() ? next : file.parent_path() / next;
  }
  return file;
}

bool regular_or_none(const fs::path& target) {
  std::error_code error;
  const fs::file_status status = fs::status(target, error);
  return !fs::exists(status) || fs::is_regular_file(status);
}

std::string reason() { return errno == 0 ? "" : std::string(": ") + std::strerror(errno); }

}  // namespace

OutputFile::OutputFile(const std::string& file) : file_(file), target_(follow(file).string()) {
  check_writable(file);
  written_ = regular_or_none(target_) ? target_ + "." + std::to_string(getpid()) + ".tmp" : target_;
  errno = 0;
  out_.open(written_, std::ios::binary);
  if (!out_) throw InputError({file, 0, 0}, "cannot be written" + reason());
}

OutputFile::~OutputFile() {
  if (!out_.is_open()) return;
  out_.close();
  if (!through()) unlink(written_.c_str());
}

void OutputFile::finish() {
  if (out_.good()) errno = 0;  // else the write that failed has set it
  out_.close();
  const bool good = out_.good() && (through() || std::rename(written_.c_str(), target_.c_str()) == 0);
  if (good) return;
  const std::string why = reason();
  if (!through()) unlink(written_.c_str());
  throw std::runtime_error(file_ + ": cannot be written" + why);
}

void check_writable(const std::string& file) {
  const fs::path target = follow(file);
  std::error_code error;
  errno = 0;
  if (file.empty()) throw InputError("\"\": expected the name of a file");
  if (fs::is_directory(target, error)) throw InputError({file, 0, 0}, "cannot be written: is a directory");
  const fs::path folder = target.has_parent_path() ? target.parent_path() : fs::path(".");
  const bool there = fs::exists(target, error);
  if (there && access(target.c_str(), W_OK) != 0) throw InputError({file, 0, 0}, "cannot be written" + reason());
  if (regular_or_none(target) && access(folder.c_str(), W_OK | X_OK) != 0) {
    throw InputError({file, 0, 0}, "cannot be written" + reason());
  }
}

}  // namespace braid::models
