#include "tb/braid/markup.h"

namespace braid::tb {

std::string xml_text(const std::string& text) {
  std::string all;
  for (const char c : text) {
    switch (c) {
      case '&':
        all += "&amp;";
        break;
      case '<':
        all += "&lt;";
        break;
      case '>':
        all += "&gt;";
        break;
      case '"':
        all += "&quot;";
        break;
      default:
        all += c;
    }
  }
  return all;
}

std::string dot_text(const std::string& text) {
  std::string all = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') all += '\\';
    all += c;
  }
  return all + "\"";
}

}  // namespace braid::tb
