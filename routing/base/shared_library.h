// Libraries of users' that are loaded while the program runs: plugins (tb/braid/plugin.h) and routers
// (models/rtl/router_library.h). What a library was made for is read in the file, before any code of it runs.
#pragma once

#include <string>

#include "routing/base/input_error.h"

namespace braid {

/// What a library must be, and what is said of a file that is none.
struct LibraryKind {
  std::string mark;      ///< the text before the stamp in the library's bytes
  std::string stamp;     ///< of this program: what both must have in common
  std::string expected;  ///< in place of a file that cannot be read: "a library of policies (docs/package.md)"
  std::string none;      ///< of a file without the mark: "is no plugin of Braid: expected …"
  std::string another;   ///< of one with another stamp: "expected one built against this package"
};

/// Throws InputError that begins with `where`: no such file, no mark, another stamp, not the whole of a library.
void check_library(const LibraryKind& kind, const SourcePosition& where, const std::string& file);

/// Is it loaded already?
bool is_loaded(const std::string& file);
/// Loads a checked library for as long as the program runs, its symbols for itself alone. `file` is a path; a bare name
/// is a file of the current folder. Throws InputError that begins with `where` and ends with the loader's own words.
void* open_library(const SourcePosition& where, const std::string& file);

}  // namespace braid
