#include "routing/base/text_file.h"

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <system_error>

#include "routing/base/input_error.h"

namespace braid {
namespace {

namespace fs = std::filesystem;

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

}  // namespace

std::string read_text(const std::string& file, const std::string& expected) {
  constexpr std::size_t kMost = 64U << 20U, kBlock = 1U << 16U;  // bytes
  const auto refuse = [&](const char* why) {
    throw InputError({file, 0, 0}, std::string("cannot be read") + why + ": expected " + expected);
  };
  std::error_code error;
  const fs::file_status status = fs::status(file, error);
  if (fs::is_directory(status)) refuse(", as it is a directory");
  if (fs::is_character_file(status) || fs::is_block_file(status)) refuse(", as it is a device");
  std::ifstream in;
  if (!file.empty() && fs::exists(status)) in.open(file, std::ios::binary);
  if (!in.is_open()) refuse("");
  std::string text;
  while (in && text.size() <= kMost) {
    const std::size_t size = text.size();
    text.resize(size + kBlock);
    in.read(text.data() + size, kBlock);
    text.resize(size + static_cast<std::size_t>(in.gcount()));
  }
  if (in.bad()) refuse("");
  if (text.size() > kMost) refuse(", as it is larger than 64 MiB");
  return text;
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
