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
/// `FILE:LINE:COLUMN: message` (parts that are unknown are left out). `braid` prints it and exits with 2. Whatever
/// stands in `message`, the line is printable() and no word of it is longer than 80 bytes: it is cut to 60 and `…`.
class InputError : public std::runtime_error {
 public:
  InputError(const SourcePosition& where, const std::string& message);
  explicit InputError(const std::string& message) : InputError({}, message) {}
  /// Does it say where?
  bool has_place() const { return has_place_; }

 private:
  bool has_place_;
};

/// The text with control characters, line ends among them, and bytes that are not UTF-8 as `\x1b`: what may go to a
/// terminal. A text that stays as it is can be a name.
std::string printable(const std::string& text);

/// Text of a user's in a message: printable, white space becomes a blank, and what is longer than `most` bytes ends in
/// `…`.
std::string one_line(const std::string& text, std::size_t most = 60);
constexpr std::size_t kLongestSentence = 160;  ///< bytes of what a library says of a text

/// ` (did you mean "X"?)` for the known name nearest to `name` by edit distance, or an empty string if none is near.
std::string did_you_mean(const std::string& name, const std::vector<std::string>& known);

/// `unknown KIND "NAME" (did you mean "X"?); known: A, B, C`
std::string unknown_name(const std::string& kind, const std::string& name, const std::vector<std::string>& known);

}  // namespace braid
