#include "traffic/streams/streamit/sources.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "routing/base/text_file.h"

namespace braid::traffic::streamit {
namespace {

/// Blanks in place of `//` and `/* */`, outside of quotes; line ends stay. The place of a comment that does not end, or
/// text.size().
std::size_t blank_comments(std::string& text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '"' || text[i] == '\'') {
      const char quote = text[i];
      for (++i; i < text.size() && text[i] != quote && text[i] != '\n'; ++i) {
        if (text[i] == '\\') ++i;
      }
      continue;
    }
    if (text.compare(i, 2, "//") == 0) {
      for (; i < text.size() && text[i] != '\n'; ++i) text[i] = ' ';
    } else if (text.compare(i, 2, "/*") == 0) {
      const std::size_t end = text.find("*/", i + 2);
      if (end == std::string::npos) return i;
      for (; i < end + 2; ++i) {
        if (text[i] != '\n') text[i] = ' ';
      }
      --i;
    }
  }
  return text.size();
}

}  // namespace

const Sources::Text* Sources::add(const std::string& file, const SourcePosition& wanted_by) {
  for (const Text& text : texts_) {
    if (text.file == file) return nullptr;
  }
  constexpr std::size_t kMostFiles = 1000;
  if (texts_.size() == kMostFiles) throw InputError(wanted_by, "expected at most 1000 files");
  try {
    texts_.push_back({file, read_text(file, "a StreamIt program")});
  } catch (const InputError& e) {
    if (wanted_by.line == 0) throw;
    throw InputError(wanted_by, e.what());
  }
  Text& text = texts_.back();
  const std::size_t open = blank_comments(text.characters);
  if (open < text.characters.size())
    throw InputError(position(text.characters.data() + open), "expected */: this comment does not end");
  return &text;
}

Place Sources::end() const {
  return texts_.empty() ? nullptr : texts_.back().characters.data() + texts_.back().characters.size();
}

SourcePosition Sources::position(Place at) const {
  const std::less_equal<const char*> not_behind;
  for (const Text& text : texts_) {
    const char* begin = text.characters.data();
    if (at == nullptr || !not_behind(begin, at) || !not_behind(at, begin + text.characters.size())) continue;
    const char* line = at;
    while (line != begin && line[-1] != '\n') --line;
    return {text.file, static_cast<std::size_t>(std::count(begin, at, '\n')) + 1,
            static_cast<std::size_t>(at - line) + 1};
  }
  return {texts_.empty() ? "" : texts_.front().file, 0, 0};
}

}  // namespace braid::traffic::streamit
