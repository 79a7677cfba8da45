// Texts in files of other formats.
#pragma once

#include <string>

namespace braid::tb {

/// In XML, as content or between double quotes.
std::string xml_text(const std::string& text);
/// In dot, with its quotes.
std::string dot_text(const std::string& text);

}  // namespace braid::tb
