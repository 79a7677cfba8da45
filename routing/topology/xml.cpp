#include "routing/topology/xml.h"

#include <expat.h>

#include <array>
#include <memory>
#include <optional>
#include <string_view>

#include "routing/base/input_error.h"

namespace braid::routing {
namespace {

constexpr std::size_t kDeepestXml = 64;

std::string without_prefix(std::string_view name) { return std::string(name.substr(name.find(':') + 1)); }

std::string trimmed(const std::string& text) {
  constexpr const char* kBlanks = " \t\r\n";
  const std::size_t first = text.find_first_not_of(kBlanks);
  return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

/// Does expat know all of a tag's `&name;`? Where a DOCTYPE names another file, which nobody reads, it takes it that
/// they are declared there, and leaves them out.
bool knows_entities(std::string_view tag) {
  constexpr std::array<std::string_view, 6> kKnown{"&#", "&lt;", "&gt;", "&amp;", "&quot;", "&apos;"};
  for (std::size_t at = tag.find('&'); at != std::string_view::npos; at = tag.find('&', at + 1)) {
    bool known = false;
    for (const std::string_view entity : kKnown) known = known || tag.substr(at, entity.size()) == entity;
    if (!known) return false;
  }
  return true;
}

/// Elements as expat meets them. Its callbacks must not throw: the first complaint is kept, and ends the parser.
class XmlBuilder {
 public:
  XmlBuilder(const std::string& text, const std::string& file)
      : text_(text), file_(file), parser_(XML_ParserCreate("UTF-8"), XML_ParserFree), open_(1) {
    XML_SetUserData(parser_.get(), this);
    XML_SetElementHandler(parser_.get(), begin_element, end_element);
    XML_SetCharacterDataHandler(parser_.get(), add_text);
    XML_SetStartDoctypeDeclHandler(parser_.get(), begin_doctype);
    XML_SetSkippedEntityHandler(parser_.get(), skip_entity);
  }

  XmlElement document() {
    // Expat knows UTF-16 by its first bytes, whatever it is told.
    if (text_.find('\0') != std::string::npos) throw InputError({file_, 1, 1}, "XML: not UTF-8: expected UTF-8");
    const auto size = static_cast<int>(text_.size());  // read_text() ends far below
    if (XML_Parse(parser_.get(), text_.data(), size, XML_TRUE) == XML_STATUS_OK) {
      return std::move(open_.front().children.front());
    }
    if (!complaint_) refuse(said_by_expat());
    throw InputError(place_, "XML: " + *complaint_);
  }

 private:
  static XmlBuilder& self(void* builder) { return *static_cast<XmlBuilder*>(builder); }

  void refuse(const std::string& what) {
    if (complaint_) return;
    complaint_ = what;
    place_ = {file_, XML_GetCurrentLineNumber(parser_.get()), XML_GetCurrentColumnNumber(parser_.get()) + 1};
    XML_StopParser(parser_.get(), XML_FALSE);
  }

  std::string said_by_expat() const {
    std::string what = XML_ErrorString(XML_GetErrorCode(parser_.get()));
    if (open_.size() == 1) return what;
    return what + ", in <" + one_line(open_.back().name) + "> of line " + std::to_string(open_.back().line);
  }

  static void begin_element(void* builder, const char* name, const char** attributes) {
    XmlBuilder& b = self(builder);
    if (b.open_.size() > kDeepestXml) {
      return b.refuse("elements are nested more than " + std::to_string(kDeepestXml) + " deep");
    }
    if (!knows_entities(b.tag())) return b.refuse("undefined entity");
    XmlElement element;
    element.name = without_prefix(name);
    element.line = XML_GetCurrentLineNumber(b.parser_.get());
    for (; *attributes != nullptr; attributes += 2) {
      const std::string key = attributes[0];
      if (key.find(':') == std::string::npos && key != "xmlns") element.attributes.emplace_back(key, attributes[1]);
    }
    b.open_.push_back(std::move(element));
  }

  static void end_element(void* builder, const char*) {
    XmlBuilder& b = self(builder);
    if (b.complaint_) return;  // expat ends an empty element even then
    XmlElement element = std::move(b.open_.back());
    b.open_.pop_back();
    element.text = trimmed(element.text);
    b.open_.back().children.push_back(std::move(element));
  }

  static void add_text(void* builder, const char* text, int size) {
    self(builder).open_.back().text.append(text, static_cast<std::size_t>(size));
  }

  /// No declarations: they could grow without bound.
  static void begin_doctype(void* builder, const char*, const char*, const char*, int has_declarations) {
    if (has_declarations != 0) self(builder).refuse("declarations in a DOCTYPE are not read");
  }

  static void skip_entity(void* builder, const char*, int) { self(builder).refuse("undefined entity"); }

  /// As it is written.
  std::string_view tag() const {
    const auto begin = static_cast<std::size_t>(XML_GetCurrentByteIndex(parser_.get()));
    return std::string_view(text_).substr(begin, static_cast<std::size_t>(XML_GetCurrentByteCount(parser_.get())));
  }

  const std::string& text_;
  const std::string& file_;
  std::unique_ptr<XML_ParserStruct, void (*)(XML_Parser)> parser_;
  std::vector<XmlElement> open_;  // the first holds the root
  std::optional<std::string> complaint_;
  SourcePosition place_;
};

}  // namespace

const std::string* XmlElement::attribute(const std::string& wanted) const {
  for (const auto& [key, value] : attributes) {
    if (key == wanted) return &value;
  }
  return nullptr;
}

XmlElement read_xml(const std::string& text, const std::string& file) { return XmlBuilder(text, file).document(); }

}  // namespace braid::routing
