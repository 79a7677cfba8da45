#include "models/icnt/grammar.h"

#include <cctype>
#include <cstddef>

#include "models/icnt/icnt.h"

namespace braid::models::icnt {

namespace {

class Reader {
 public:
  Reader(const std::string& text, const std::string& file) : text_(text), file_(file) {}

  std::vector<Statement> statements() {
    std::vector<Statement> all;
    for (skip_blank(); at_ < text_.size(); skip_blank()) all.push_back(statement());
    return all;
  }

 private:
  Statement statement() {
    Statement found;
    found.name_at = place();
    found.name = word();
    if (found.name.empty()) refuse("the name of a key");
    skip_blank();
    take('=', "'=' after \"" + found.name + "\"");
    skip_blank();
    found.value_at = place();
    found.value = peek() == '{' ? braces() : word();
    if (found.value.empty()) refuse("the value of \"" + found.name + "\"");
    skip_blank();
    take(';', "';' after the value of \"" + found.name + "\"");
    return found;
  }

  static bool of_word(char letter) {
    return std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '_' || letter == '-' || letter == '.' ||
           letter == '+' || letter == '/' || letter == '(' || letter == ')';
  }

  std::string word() {
    std::string found;
    while (of_word(peek()) && !comment()) found += next();
    return found;
  }

  /// As written, without blanks.
  std::string braces() {
    std::string found;
    unsigned depth = 0;
    do {
      skip_blank();
      const char letter = peek();
      if (letter != '{' && letter != '}' && letter != ',' && !of_word(letter)) refuse("'}'");
      if (letter == '{') ++depth;
      if (letter == '}') --depth;
      found += next();
    } while (depth != 0);
    return found;
  }

  void skip_blank() {
    while (at_ < text_.size()) {
      if (comment()) {
        while (at_ < text_.size() && peek() != '\n') next();
      } else if (std::isspace(static_cast<unsigned char>(peek())) != 0) {
        next();
      } else {
        return;
      }
    }
  }

  void take(char letter, const std::string& expected) {
    if (peek() != letter) refuse(expected);
    next();
  }

  [[noreturn]] void refuse(const std::string& expected) const {
    std::string found = at_ == text_.size() ? "the end of the file" : std::string("'") + peek() + "'";
    if (at_ < text_.size() && std::isprint(static_cast<unsigned char>(peek())) == 0)
      found = peek() == '\n' ? "the end of the line" : "byte " + std::to_string(static_cast<unsigned char>(peek()));
    throw Error(place() + ": expected " + expected + ", found " + found);
  }

  bool comment() const { return text_.compare(at_, 2, "//") == 0; }
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  char next() {
    const char letter = text_[at_++];
    ++column_;
    if (letter == '\n') {
      ++line_;
      column_ = 1;
    }
    return letter;
  }
  std::string place() const { return file_ + ":" + std::to_string(line_) + ":" + std::to_string(column_); }

  const std::string& text_;
  const std::string& file_;
  std::size_t at_ = 0;
  unsigned line_ = 1, column_ = 1;
};

}  // namespace

std::vector<Statement> read_statements(const std::string& text, const std::string& file) {
  return Reader(text, file).statements();
}

}  // namespace braid::models::icnt
