// The one way in which files of users are read, and text that they wrote before a parser sees it. Parsers that call
// themselves for what is nested overflow the stack on a text made for it, and some build a table for each part of a
// dotted key, whose destructors do the same.
#pragma once

#include <cstdint>
#include <string>

namespace braid {

/// What a file may be.
struct FileBound {
  std::uint64_t most = 0;  ///< bytes
  std::string begins;      ///< of a file that begins otherwise no more is read than shows that; empty: in any way
};

/// The whole file; `expected` says what it should be ("an experiment"). A pipe is read, too. It counts as a file that
/// the run reads (RunFiles). Throws InputError: it cannot be read, is a directory, a device or beyond the bound, is an
/// output of the same run, or a signal came while a pipe was waited for.
std::string read_file(const std::string& file, const std::string& expected, const FileBound& bound);

/// Of at most 64 MiB.
std::string read_text(const std::string& file, const std::string& expected);

/// Throws InputError at the first key of a TOML text that has more than 16 dotted parts. (Values in values are
/// counted by toml++: at most 256.)
void check_toml_depth(const std::string& text, const std::string& file);

}  // namespace braid
