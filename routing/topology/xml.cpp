#include "routing/topology/xml.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <string_view>

#include "routing/base/input_error.h"

namespace braid::routing {
namespace {

constexpr std::size_t kDeepestXml = 64;
constexpr const char* kXmlBlanks = " \t\r\n";
constexpr std::array<std::pair<std::string_view, char>, 5> kXmlEntities{
    {{"lt", '<'}, {"gt", '>'}, {"amp", '&'}, {"quot", '"'}, {"apos", '\''}}};

bool xml_allows(std::uint32_t character) {
  if (character < 0x20) return character == '\t' || character == '\n' || character == '\r';
  return character <= 0x10ffff && (character < 0xd800 || character > 0xdfff);  // half of a pair is no character
}

void add_utf8(std::string& text, std::uint32_t character) {
  const auto byte = [&](std::uint32_t bits) { text += static_cast<char>(bits); };
  if (character < 0x80) {
    byte(character);
    return;
  }
  const unsigned more = character < 0x800 ? 1 : character < 0x10000 ? 2 : 3;  // bytes after the first
  byte(((0xff00U >> (more + 1)) & 0xffU) | (character >> (6 * more)));
  for (unsigned i = more; i-- > 0;) byte(0x80U | ((character >> (6 * i)) & 0x3fU));
}

std::string trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(kXmlBlanks);
  return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(kXmlBlanks) - first + 1);
}

std::size_t newlines(const std::string& text, std::size_t first, std::size_t last) {
  const auto begin = text.begin() + static_cast<std::ptrdiff_t>(first);
  return static_cast<std::size_t>(std::count(begin, begin + static_cast<std::ptrdiff_t>(last - first), '\n'));
}

class XmlReader {
 public:
  XmlReader(const std::string& text, const std::string& file) : text_(text), file_(file), open_(1) {}

  XmlElement document() {
    for (const char c : text_) {
      if (!xml_allows(static_cast<unsigned char>(c))) fail("a control character");
      line_ += c == '\n' ? 1 : 0;
    }
    line_ = 1;
    if (ahead("\xEF\xBB\xBF")) skip(3);
    while (at_ < text_.size()) text_[at_] == '<' ? markup() : characters();
    if (open_.size() > 1) fail("<" + one_line(open_.back().name) + "> is never closed", open_.back().line);
    if (open_.front().children.size() != 1) fail("expected one element that holds all others");
    return std::move(open_.front().children.front());
  }

 private:
  [[noreturn]] void fail(const std::string& what, std::size_t line = 0) const {
    throw InputError({file_, line == 0 ? line_ : line, 0}, "not well-formed XML: " + what);
  }
  bool ahead(std::string_view words) const { return text_.compare(at_, words.size(), words) == 0; }
  void skip(std::size_t count) {
    line_ += newlines(text_, at_, at_ + count);
    at_ += count;
  }
  /// What stands before `end`, behind which reading goes on.
  std::string up_to(std::string_view end) {
    const std::size_t found = text_.find(end, at_);
    if (found == std::string::npos) fail("expected \"" + std::string(end) + "\" before the end of the file");
    std::string inside = text_.substr(at_, found - at_);
    skip(found - at_ + end.size());
    return inside;
  }
  void blanks() { skip(std::min(text_.find_first_not_of(kXmlBlanks, at_), text_.size()) - at_); }

  void markup() {
    if (ahead("<!--")) {
      up_to("-->");
    } else if (ahead("<?")) {
      up_to("?>");
    } else if (ahead("<![CDATA[")) {
      skip(9);
      add_text(up_to("]]>"));
    } else if (ahead("<!")) {
      if (up_to(">").find('[') != std::string::npos) fail("declarations in a DOCTYPE are not read");
    } else if (ahead("</")) {
      close_tag();
    } else {
      open_tag();
    }
  }

  void add_text(const std::string& text) {
    if (open_.size() == 1 && !trimmed(text).empty()) fail("text outside of all elements");
    open_.back().text += text;
  }

  void characters() {
    const std::size_t end = std::min(text_.find('<', at_), text_.size());
    add_text(decoded(text_.substr(at_, end - at_), line_));
    skip(end - at_);
  }

  void close_tag() {
    skip(2);
    const std::string name = without_prefix(trimmed(up_to(">")));
    if (open_.size() == 1 || name != open_.back().name) fail("</" + one_line(name) + "> closes nothing");
    XmlElement element = std::move(open_.back());
    open_.pop_back();
    element.text = trimmed(element.text);
    open_.back().children.push_back(std::move(element));
  }

  void open_tag() {
    if (open_.size() > kDeepestXml) fail("elements are nested more than " + std::to_string(kDeepestXml) + " deep");
    XmlElement element;
    element.line = line_;
    skip(1);
    element.name = without_prefix(name());
    blanks();
    while (at_ < text_.size() && text_[at_] != '>' && !ahead("/>")) add_attribute(element);
    if (at_ == text_.size()) fail("<" + one_line(element.name) + " is never closed by >", element.line);
    const bool whole = ahead("/>");
    skip(whole ? 2 : 1);
    (whole ? open_.back().children : open_).push_back(std::move(element));
  }

  void add_attribute(XmlElement& element) {
    const std::string key = name();
    blanks();
    if (!ahead("=")) fail("attribute " + one_line(key) + ": expected =");
    skip(1);
    blanks();
    if (!ahead("\"") && !ahead("'")) fail("attribute " + one_line(key) + ": expected a value in quotes");
    const std::string quote(1, text_[at_]);
    skip(1);
    const std::size_t line = line_;
    const std::string value = decoded(up_to(quote), line);
    blanks();
    if (element.attribute(key) != nullptr) fail("attribute " + one_line(key) + " is given twice");
    if (key.find(':') == std::string::npos && key != "xmlns") element.attributes.emplace_back(key, value);
  }

  std::string name() {
    const std::size_t end = std::min(text_.find_first_of(" \t\r\n/>=<\"'", at_), text_.size());
    if (end == at_) fail("expected a name");
    std::string word = text_.substr(at_, end - at_);
    skip(end - at_);
    return word;
  }
  static std::string without_prefix(const std::string& name) { return name.substr(name.find(':') + 1); }

  /// `&lt;` and the like as what they stand for, in a text that begins in that line.
  std::string decoded(const std::string& text, std::size_t line) const {
    std::string plain;
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t entity = std::min(text.find('&', at), text.size());
      plain.append(text, at, entity - at);
      if (entity == text.size()) break;
      line += newlines(text, at, entity);
      const std::size_t end = text.find(';', entity);
      if (end == std::string::npos) fail("& without ;", line);
      add_entity(plain, text.substr(entity + 1, end - entity - 1), line);
      at = end + 1;
    }
    return plain;
  }

  void add_entity(std::string& plain, const std::string& entity, std::size_t line) const {
    for (const auto& [word, character] : kXmlEntities) {
      if (entity != word) continue;
      plain += character;
      return;
    }
    const bool hexadecimal = entity.compare(0, 2, "#x") == 0;
    std::uint32_t character = 0;
    const char* const first = entity.data() + (hexadecimal ? 2 : 1);
    const char* const last = entity.data() + entity.size();
    const bool number = entity.size() > (hexadecimal ? 2 : 1) && entity.front() == '#' &&
                        std::from_chars(first, last, character, hexadecimal ? 16 : 10).ptr == last;
    if (!number || !xml_allows(character)) fail("unknown character &" + one_line(entity) + ";", line);
    add_utf8(plain, character);
  }

  const std::string& text_;
  const std::string& file_;
  std::size_t at_ = 0;
  std::size_t line_ = 1;
  std::vector<XmlElement> open_;  // the first holds the root
};

}  // namespace

const std::string* XmlElement::attribute(const std::string& wanted) const {
  for (const auto& [key, value] : attributes) {
    if (key == wanted) return &value;
  }
  return nullptr;
}

XmlElement read_xml(const std::string& text, const std::string& file) { return XmlReader(text, file).document(); }

}  // namespace braid::routing
