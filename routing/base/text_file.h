// Text that users wrote, before a parser sees it. Parsers that call themselves for what is nested overflow the stack on
// a text made for it, and some build a table for each part of a dotted key, whose destructors do the same.
#pragma once

#include <string>

namespace braid {

/// The whole file; `expected` says what it should be ("an experiment"). A pipe is read, too. Throws InputError: it
/// cannot be read, is a directory or a device, or has more than 64 MiB.
std::string read_text(const std::string& file, const std::string& expected);

/// Throws InputError at the first key of a TOML text that has more than 16 dotted parts. (Values in values are
/// counted by toml++: at most 256.)
void check_toml_depth(const std::string& text, const std::string& file);

}  // namespace braid
