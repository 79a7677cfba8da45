#include "routing/base/input_error.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace braid {
namespace {

/// Bytes of the UTF-8 character that begins at text[at]; 0 if none does, or a control character.
std::size_t character_bytes(const std::string& text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(i < text.size() ? text[i] : 0); };
  const unsigned first = byte(at);
  if (first < 0x80) return first < 0x20 || first == 0x7f ? 0 : 1;
  const std::size_t bytes = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  std::uint32_t code = first & (0x7fU >> bytes);
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(at + i) & 0xc0U) != 0x80) return 0;
    code = code << 6U | (byte(at + i) & 0x3fU);
  }
  constexpr std::array<std::uint32_t, 5> kLeast{0, 0, 0xa0, 0x800, 0x10000};  // [bytes]; 0x80 to 0x9f are controls
  const bool surrogate = code >= 0xd800 && code < 0xe000;
  return first < 0xc0 || first > 0xf4 || code < kLeast[bytes] || code > 0x10ffff || surrogate ? 0 : bytes;
}

/// At most `most` bytes of it, cut between characters, and `…` for the rest.
std::string cut(const std::string& text, std::size_t most) {
  if (text.size() <= most) return text;
  std::size_t end = most;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0U) == 0x80U) --end;  // not within a character
  return text.substr(0, end) + "…";
}

/// Without words that would fill a screen.
std::string short_words(const std::string& text) {
  constexpr std::size_t kLongest = 80, kKept = 60;
  std::string all;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    const std::string word = text.substr(begin, end - begin);
    all += word.size() > kLongest ? cut(word, kKept) : word;
    if (end < text.size()) all += ' ';
    begin = end + 1;
  }
  return all;
}

std::string locate(const SourcePosition& where, const std::string& given) {
  constexpr std::size_t kLongestPath = 400;
  const std::string message = short_words(printable(given));
  std::string text = cut(printable(where.file), kLongestPath);
  if (where.line != 0) text += ":" + std::to_string(where.line);
  if (where.line != 0 && where.column != 0) text += ":" + std::to_string(where.column);
  return text.empty() ? message : text + ": " + message;
}

/// Levenshtein distance.
std::size_t edit_distance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t substituted = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, substituted});
    }
  }
  return row[b.size()];
}

}  // namespace

InputError::InputError(const SourcePosition& where, const std::string& message)
    : std::runtime_error(locate(where, message)), has_place_(!where.file.empty()) {}

std::string printable(const std::string& text) {
  constexpr const char* kDigits = "0123456789abcdef";
  std::string all;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t bytes = character_bytes(text, i);
    if (bytes == 0) {
      const auto byte = static_cast<unsigned char>(text[i]);
      all += {'\\', 'x', kDigits[byte >> 4U], kDigits[byte & 15U]};
    } else {
      all.append(text, i, bytes);
    }
    i += std::max<std::size_t>(bytes, 1);
  }
  return all;
}

std::string one_line(const std::string& text, std::size_t most) {
  std::string line;
  for (const char c : text) {
    const bool blank = c == ' ' || c == '\t' || c == '\n' || c == '\r';
    if (blank && (line.empty() || line.back() == ' ')) continue;
    line += blank ? ' ' : c;
    if (line.size() > 8 * most) break;  // the rest is cut anyway
  }
  while (!line.empty() && line.back() == ' ') line.pop_back();
  return cut(printable(line), most);
}

std::string did_you_mean(const std::string& name, const std::vector<std::string>& known) {
  constexpr std::size_t kLongest = 100;  // nobody meant this; the distance grows with the product of the lengths
  if (name.size() > kLongest) return "";
  std::string best;
  std::size_t best_distance = std::max<std::size_t>(2, name.size() / 2) + 1;
  for (const std::string& candidate : known) {
    const std::size_t distance = edit_distance(name, candidate);
    if (distance < best_distance) {
      best = candidate;
      best_distance = distance;
    }
  }
  return best.empty() ? "" : " (did you mean \"" + best + "\"?)";
}

std::string unknown_name(const std::string& kind, const std::string& name, const std::vector<std::string>& known) {
  std::string text = "unknown " + kind + " \"" + one_line(name) + "\"" + did_you_mean(name, known) + "; known:";
  for (std::size_t i = 0; i < known.size(); ++i) text += (i == 0 ? " " : ", ") + known[i];
  return text;
}

}  // namespace braid
