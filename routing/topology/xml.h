// XML as far as GraphML needs it: elements, attributes and text, each element with the line where it begins, read by
// expat. No namespaces: prefixes are dropped. No declarations: a DOCTYPE may stand there, but not define anything.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace braid::routing {

struct XmlElement {
  std::string name;                                             ///< without a prefix
  std::size_t line = 0;                                         ///< of its `<`, from 1
  std::vector<std::pair<std::string, std::string>> attributes;  ///< but those with a prefix and xmlns
  std::string text;                                             ///< directly in it, without white space around it
  std::vector<XmlElement> children;

  /// Null if it has none of that name.
  const std::string* attribute(const std::string& wanted) const;
};

/// The root element of `text`, UTF-8. Throws InputError with `file`, line and column where it is not well-formed, a
/// DOCTYPE declares something, or elements are nested more than 64 deep.
XmlElement read_xml(const std::string& text, const std::string& file);

}  // namespace braid::routing
