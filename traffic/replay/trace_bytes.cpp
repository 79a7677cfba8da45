#include "traffic/replay/trace_bytes.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "routing/base/input_error.h"
#include "routing/base/run_files.h"
#include "traffic/replay/trace.h"

namespace braid::traffic {

namespace {
constexpr std::size_t kTraceBlock = 1U << 16U;  // bytes
}

TraceBytes::TraceBytes(const std::string& file) : file_(file), block_(kTraceBlock) {
  std::error_code error;
  const auto status = std::filesystem::status(file, error);
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) {
    throw InputError({file, 0, 0}, "cannot be read twice, as a trace is: expected a regular file");
  }
  in_.open(file, std::ios::binary);
  if (!in_) throw InputError({file, 0, 0}, "cannot be read: expected a trace (docs/traces.md)");
  RunFiles::read(file);
}

bool TraceBytes::fill() {
  before_ += end_;
  at_ = end_ = 0;
  in_.read(block_.data(), static_cast<std::streamsize>(block_.size()));
  end_ = static_cast<std::size_t>(in_.gcount());
  return end_ > 0;
}

/// Of the first block only.
bool TraceBytes::begins(const std::string& text) {
  if (at_ == end_ && !fill()) return false;
  if (end_ - at_ < text.size() || !std::equal(text.begin(), text.end(), block_.begin())) return false;
  at_ += text.size();
  return true;
}

void TraceReader::check_class(const std::string& name) const {
  constexpr const char* kCharacters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-. ";
  const bool known_characters = name.find_first_not_of(kCharacters) == std::string::npos;
  if (name.empty() || name.size() > TraceBounds::kLongestName || !known_characters) {
    refuse("class \"" + one_line(name) + "\": expected letters, digits, _, -, . and blanks, at most 60 of them");
  }
  const auto& classes = header_.classes;
  if (std::find(classes.begin(), classes.end(), name) != classes.end()) {
    refuse("class \"" + name + "\" is named twice");
  }
  if (classes.size() == TraceBounds::kMostClasses) refuse("more than 64 classes of traffic");
}

std::unique_ptr<TraceReader> open_trace(const std::string& file) {
  auto bytes = std::make_unique<TraceBytes>(file);
  if (bytes->begins(TraceBytes::kBinaryBegin)) return binary_trace(std::move(bytes));
  if (bytes->begins(TraceBytes::kTextBegin)) return text_trace(std::move(bytes));
  throw InputError({file, 1, 1}, "is no trace: expected \"braid-trace 1\" or \"BRAIDTRC\" at its beginning");
}

}  // namespace braid::traffic
