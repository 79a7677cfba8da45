// The texts of a program, and where in them a place is.
#pragma once

#include <deque>
#include <string>

#include "routing/base/input_error.h"
#include "traffic/streams/streamit/syntax.h"

namespace braid::traffic::streamit {

class Sources {
 public:
  struct Text {
    std::string file;
    std::string characters;  ///< with blanks where comments were
  };

  /// Throws InputError: the file cannot be read, or a comment does not end. nullptr: it was read before.
  const Text* add(const std::string& file, const SourcePosition& wanted_by);

  /// Behind the last text.
  Place end() const;
  /// Line and column; only the first file's name for nullptr.
  SourcePosition position(Place at) const;

 private:
  std::deque<Text> texts_;  // texts do not move
};

}  // namespace braid::traffic::streamit
