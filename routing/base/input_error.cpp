#include "routing/base/input_error.h"

#include <algorithm>

namespace braid {
namespace {

std::string locate(const SourcePosition& where, const std::string& message) {
  std::string text = where.file;
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
    : std::runtime_error(locate(where, message)) {}

std::string one_line(const std::string& text) {
  constexpr std::size_t kMost = 120;
  std::string line;
  for (const char c : text) {
    const bool blank = c == ' ' || c == '\t' || c == '\n' || c == '\r';
    if (blank && (line.empty() || line.back() == ' ')) continue;
    line += blank ? ' ' : c;
  }
  while (!line.empty() && line.back() == ' ') line.pop_back();
  if (line.size() <= kMost) return line;
  std::size_t end = kMost;
  while (end > 0 && (static_cast<unsigned char>(line[end]) & 0xc0U) == 0x80U) --end;  // not within a character
  return line.substr(0, end) + "…";
}

std::string did_you_mean(const std::string& name, const std::vector<std::string>& known) {
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
