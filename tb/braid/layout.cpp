#include "tb/braid/layout.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <sstream>

namespace braid::tb {
namespace {

constexpr std::size_t kUsual = 80, kLeast = 40;

void drop_blanks(std::string& text) { text.erase(text.find_last_not_of(' ') + 1); }

/// 0: nobody says.
std::size_t given_columns() {
  if (const char* text = std::getenv("COLUMNS"); text != nullptr) {
    const unsigned long columns = std::strtoul(text, nullptr, 10);
    if (columns > 0) return columns;
  }
  winsize size{};
  if (isatty(STDOUT_FILENO) == 0 || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0) return 0;
  return size.ws_col;
}

}  // namespace

std::size_t output_columns() {
  const std::size_t given = given_columns();
  return given == 0 ? kUsual : std::max(given, kLeast);
}

bool output_has_columns() { return given_columns() != 0; }

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

std::size_t columns_of(const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

std::string wrapped(const std::string& first, const std::vector<std::string>& words, std::size_t indent,
                    std::size_t columns) {
  std::string text = first;
  std::size_t used = columns_of(first);
  bool begun = first.empty() || first.back() == ' ';  // nothing to part the next word from
  for (const std::string& word : words) {
    const std::size_t width = columns_of(word);
    if (!begun && used + 1 + width > columns) {
      drop_blanks(text);
      text += "\n" + std::string(indent, ' ');
      used = indent;
      begun = true;
    }
    text += (begun ? "" : " ") + word;
    used += (begun ? 0 : 1) + width;
    begun = false;
  }
  drop_blanks(text);
  return text;
}

}  // namespace braid::tb
