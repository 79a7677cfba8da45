// The one way bad user input is reported: where it is, what was expected, and the nearest valid name.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

namespace braid {

/// A place in a file the user wrote. line and column count from 1; 0 means unknown.
struct SourcePosition {
  std::string file;
  std::size_t line = 0;
  std::size_t column = 0;
};

/// Thrown for any mistake in user input; what() is one complete line:
/// `FILE:LINE:COLUMN: message` (parts that are unknown are left out). `braid` prints it and exits with 2.
class InputError : public std::runtime_error {
 public:
  InputError(const SourcePosition& where, const std::string& message);
  explicit InputError(const std::string& message) : InputError({}, message) {}
};

/// Text of a user's in a message: white space becomes a blank, and what is long ends in `…`.
std::string one_line(const std::string& text);

/// ` (did you mean "X"?)` for the known name nearest to `name` by edit distance, or an empty string if none is near.
std::string did_you_mean(const std::string& name, const std::vector<std::string>& known);

/// `unknown KIND "NAME" (did you mean "X"?); known: A, B, C`
std::string unknown_name(const std::string& kind, const std::string& name, const std::vector<std::string>& known);

}  // namespace braid
