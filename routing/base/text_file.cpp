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

/// text.find(), but the end of the text if there is none.
std::size_t end_of(const std::string& text, const std::string& what, std::size_t from) {
  const std::size_t found = text.find(what, from);
  return found == std::string::npos ? text.size() : found + what.size();
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

struct Tag {
  std::size_t end = std::string::npos;  // none: the parser will refuse the text here
  bool has_content = false;
};

/// The element whose tag begins at text[at], as Boost's parser takes it apart: else a quote or a slash in the wrong
/// place would have the two see different elements.
Tag tag_at(const std::string& text, std::size_t at) {
  constexpr const char *kBlanks = " \n\r\t", *kAfterName = " \n\r\t/>?", *kAfterAttribute = " \n\r\t/<>=?!";
  std::size_t i = text.find_first_of(kAfterName, at + 1);
  const auto is = [&](char c) { return i < text.size() && text[i] == c; };
  const auto skip_blanks = [&] { i = text.find_first_not_of(kBlanks, i); };
  for (skip_blanks(); i < text.size(); skip_blanks()) {
    if (is('>')) return {i + 1, true};
    if (is('/')) return text.compare(i, 2, "/>") == 0 ? Tag{i + 2, false} : Tag{};
    const std::size_t name = i;
    i = text.find_first_of(kAfterAttribute, i);
    if (i == name) return {};
    skip_blanks();
    if (!is('=')) return {};
    ++i;
    skip_blanks();
    if (!is('"') && !is('\'')) return {};
    i = end_of(text, std::string(1, text[i]), i + 1);
  }
  return {};
}

/// The end of the brackets that open at text[at].
std::size_t end_of_brackets(const std::string& text, std::size_t at) {
  std::size_t depth = 0, i = at;
  do {
    if (text[i] == '[') ++depth;
    if (text[i] == ']') --depth;
    ++i;
  } while (depth > 0 && i < text.size());
  return i;
}

/// The end of what begins with `<!` or `<?` at text[at]: comment, CDATA, document type, declaration; as Boost's parser
/// finds it.
std::size_t end_of_other(const std::string& text, std::size_t at) {
  constexpr std::size_t kType = 9;  // "<!DOCTYPE"
  if (text.compare(at, 2, "<?") == 0) return end_of(text, "?>", at + 2);
  if (text.compare(at, 4, "<!--") == 0) return end_of(text, "-->", at + 4);
  if (text.compare(at, 9, "<![CDATA[") == 0) return end_of(text, "]]>", at + 9);
  if (text.compare(at, kType, "<!DOCTYPE") != 0 || text.find_first_of(" \n\r\t", at) != at + kType) {
    return end_of(text, ">", at);
  }
  std::size_t i = at + kType;
  while (i < text.size() && text[i] != '>') i = text[i] == '[' ? end_of_brackets(text, i) : i + 1;
  return i;
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

void check_xml_depth(const std::string& text, const std::string& file) {
  constexpr std::size_t kMostDepth = 64;
  std::size_t depth = 0;
  for (std::size_t i = text.find('<'); i < text.size(); i = text.find('<', i)) {
    const char next = i + 1 < text.size() ? text[i + 1] : '>';
    if (next == '!' || next == '?') {
      i = end_of_other(text, i);
    } else if (next == '/') {
      depth -= depth > 0 ? 1 : 0;
      ++i;
    } else {
      const Tag tag = tag_at(text, i);
      if (tag.end == std::string::npos) return;
      if (tag.has_content && ++depth > kMostDepth) {
        too_deep(text, file, i,
                 "an element within " + std::to_string(kMostDepth) + " others: expected a GraphML network");
      }
      i = tag.end;
    }
  }
}

}  // namespace braid
