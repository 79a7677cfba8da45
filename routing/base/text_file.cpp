#include "routing/base/text_file.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <string_view>

#include "routing/base/input_error.h"
#include "routing/base/run_files.h"

namespace braid {
namespace {

constexpr std::size_t kBlock = 1U << 16U;  // bytes

struct Descriptor {
  explicit Descriptor(int n) : number(n) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (number >= 0) close(number);
  }
  const int number;
};

/// Of a pipe until somebody has written or gone; of a file at once. False when a signal came: poll() is the one call
/// that no handler's SA_RESTART goes on with, so that an interrupt ends the wait for a pipe that nobody opens.
bool wait_for_bytes(int in) {
  pollfd asked{in, POLLIN, 0};
  return poll(&asked, 1, -1) >= 0 || errno != EINTR;
}

[[noreturn]] void too_deep(const std::string& text, const std::string& file, std::size_t at, const std::string& what) {
  const auto place = text.begin() + static_cast<std::ptrdiff_t>(at);
  const auto line = static_cast<std::size_t>(std::count(text.begin(), place, '\n')) + 1;
  throw InputError({file, line, 0}, what);
}

/// The end of the string that begins at text[at]: a basic or literal one, of one line or of several (three quotes).
std::size_t end_of_string(const std::string& text, std::size_t at) {
  const char quote = text[at];
  const bool several = text.compare(at, 3, std::string(3, quote)) == 0;
  for (std::size_t i = at + (several ? 3 : 1); i < text.size(); ++i) {
    if (quote == '"' && text[i] == '\\') {
      ++i;
    } else if (several && text.compare(i, 3, std::string(3, quote)) == 0) {
      return std::min(text.find_first_not_of(quote, i), i + 5);  // two quotes may stand before the three that end it
    } else if (!several && (text[i] == quote || text[i] == '\n')) {
      return i + 1;
    }
  }
  return text.size();
}

bool begins_as(const std::string& bytes, const std::string& begin) {
  return bytes.compare(0, begin.size(), begin, 0, bytes.size()) == 0;
}

}  // namespace

std::string read_file(const std::string& file, const std::string& expected, const FileBound& bound) {
  const auto refuse = [&](const std::string& why) {
    throw InputError({file, 0, 0}, "cannot be read" + why + ": expected " + expected);
  };
  const Descriptor in(open(file.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));  // a pipe that nobody writes: see below
  struct stat status = {};
  if (in.number < 0 || fstat(in.number, &status) != 0) refuse("");
  if (S_ISDIR(status.st_mode)) refuse(", as it is a directory");
  if (S_ISCHR(status.st_mode) || S_ISBLK(status.st_mode)) refuse(", as it is a device");
  RunFiles::read(file);
  const auto too_large = [&] { refuse(", as it is larger than " + std::to_string(bound.most >> 20U) + " MiB"); };
  if (static_cast<std::uint64_t>(status.st_size) > bound.most) too_large();
  std::string bytes;
  for (bool more = true; more && begins_as(bytes, bound.begins);) {
    if (!wait_for_bytes(in.number)) refuse(", as the wait for it was interrupted");
    const std::size_t size = bytes.size();
    bytes.resize(size + kBlock);
    const ssize_t got = ::read(in.number, &bytes[size], kBlock);
    if (got < 0 && errno != EAGAIN && errno != EINTR) refuse("");
    bytes.resize(size + static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    more = got != 0;
    if (bytes.size() > bound.most) too_large();
  }
  return bytes;
}

std::string read_text(const std::string& file, const std::string& expected) {
  return read_file(file, expected, {64U << 20U, ""});
}

void check_toml_depth(const std::string& text, const std::string& file) {
  constexpr std::size_t kMostParts = 16;
  std::size_t dots = 0;  // since what no key goes on over
  for (std::size_t i = 0; i < text.size();) {
    const char c = text[i];
    if (c == '"' || c == '\'') {
      i = end_of_string(text, i);
      continue;
    }
    if (c == '#') {
      i = std::min(text.find('\n', i), text.size());
      continue;
    }
    if (std::string_view("=,[]{}\n").find(c) != std::string_view::npos) dots = 0;
    if (c == '.' && ++dots >= kMostParts) {
      too_deep(text, file, i, "a key of more than " + std::to_string(kMostParts) + " parts: expected section.key");
    }
    ++i;
  }
}

}  // namespace braid
