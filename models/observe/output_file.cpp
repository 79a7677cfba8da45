#include "models/observe/output_file.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <mutex>
#include <stdexcept>

#include "routing/base/input_error.h"
#include "routing/base/run_files.h"

namespace braid::models {
namespace {

namespace fs = std::filesystem;

std::mutex list_of_all;  // while it changes

bool regular_or_none(const fs::path& target) {
  std::error_code error;
  const fs::file_status status = fs::status(target, error);
  return !fs::exists(status) || fs::is_regular_file(status);
}

std::string reason(int error) { return error == 0 ? "" : std::string(": ") + std::strerror(error); }

/// While it is written its name is longer: with a process's number and the ending of an FST's index.
bool too_long(const fs::path& name, const fs::path& folder) {
  constexpr std::size_t kMore = sizeof ".4194304.tmp.hier" - 1;
  const long longest = pathconf(folder.c_str(), _PC_NAME_MAX);
  return longest > 0 && name.native().size() + kMore > static_cast<std::size_t>(longest);
}

/// -1 with errno. A FIFO is not opened before it has a reader; a signal ends the wait for one.
int open_to_write(const std::string& name, bool through) {
  constexpr int kWait = 50, kMode = 0666;  // milliseconds; less the user's mask
  if (!through) return open(name.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, kMode);
  std::error_code ignored;
  const bool fifo = fs::is_fifo(name, ignored);
  const auto once = [&] { return open(name.c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC); };
  int out = once();
  while (out < 0 && errno == ENXIO && fifo && poll(nullptr, 0, kWait) == 0) out = once();
  if (out >= 0) fcntl(out, F_SETFL, fcntl(out, F_GETFL) & ~O_NONBLOCK);
  return out;
}

}  // namespace

std::atomic<PendingFile*> PendingFile::first_of_all{nullptr};

PendingFile::PendingFile(const std::string& file) : file_(file), target_(link_target(file).string()) {
  check_writable(file);
  RunFiles::check_not_read(file);
  written_ = regular_or_none(target_) ? target_ + "." + std::to_string(getpid()) + ".tmp" : target_;
  index_ = written_ + ".hier";
  const std::lock_guard<std::mutex> lock(list_of_all);
  next_ = first_of_all.load();
  first_of_all = this;
}

PendingFile::~PendingFile() {
  if (pending_ && !through()) unlink(written_.c_str());
  const std::lock_guard<std::mutex> lock(list_of_all);
  std::atomic<PendingFile*>* at = &first_of_all;
  while (*at != this) at = &at->load()->next_;
  *at = next_.load();
}

/// Whoever is interrupted may have the lock: the list is walked without it, and whole at every moment.
void PendingFile::remove_all() {
  for (const PendingFile* file = first_of_all; file != nullptr; file = file->next_) {
    if (!file->pending_ || file->through()) continue;
    unlink(file->written_.c_str());
    unlink(file->index_.c_str());
  }
}

void PendingFile::finish(int error) {
  if (error == 0 && !through() && std::rename(written_.c_str(), target_.c_str()) != 0) error = errno;
  if (error != 0) {
    if (!through()) unlink(written_.c_str());
    throw std::runtime_error(file_ + ": cannot be written" + reason(error));
  }
  pending_ = false;
  RunFiles::note_written(file_);
}

OutputFile::OutputFile(const std::string& file) : place_(file), out_(nullptr) {
  const int out = open_to_write(place_.name(), place_.through());
  if (out < 0) throw InputError({file, 0, 0}, "cannot be written" + reason(errno));
  buffer_.emplace(out, std::ios::out | std::ios::binary);
  out_.rdbuf(&*buffer_);
}

int OutputFile::error() {
  // errno is the failed write's: nobody has asked for anything since the last look at it.
  if (error_ == 0 && !out_.good()) error_ = errno == 0 ? EIO : errno;
  return error_;
}

void OutputFile::finish() {
  if (error() == 0) {
    errno = 0;
    if (buffer_->close() == nullptr) error_ = errno == 0 ? EIO : errno;
  }
  place_.finish(error_);
}

bool is_written_through(const std::string& file) { return !regular_or_none(link_target(file)); }

void check_writable(const std::string& file) {
  const fs::path target = link_target(file);
  std::error_code error;
  errno = 0;
  if (file.empty()) throw InputError("\"\": expected the name of a file");
  if (fs::is_directory(target, error)) throw InputError({file, 0, 0}, "cannot be written: is a directory");
  const fs::path folder = target.has_parent_path() ? target.parent_path() : fs::path(".");
  const bool there = fs::exists(target, error);
  if (!there && fs::is_symlink(fs::symlink_status(target, error))) {
    throw InputError({file, 0, 0}, "cannot be written" + reason(ELOOP));  // all others have been followed
  }
  if (there && access(target.c_str(), W_OK) != 0) throw InputError({file, 0, 0}, "cannot be written" + reason(errno));
  if (regular_or_none(target) && too_long(target.filename(), folder)) {
    throw InputError({file, 0, 0}, "cannot be written" + reason(ENAMETOOLONG));
  }
  if (regular_or_none(target) && access(folder.c_str(), W_OK | X_OK) != 0) {
    throw InputError({file, 0, 0}, "cannot be written" + reason(errno));
  }
}

void claim_output(const std::string& file, const std::string& what) {
  check_writable(file);
  RunFiles::write(file, what);
}

}  // namespace braid::models
