// The statements of an .icnt file: NAME = VALUE; with // comments. A value is a word, a number or a list in braces.
#pragma once

#include <string>
#include <vector>

namespace braid::models::icnt {

struct Statement {
  std::string name, value;
  std::string name_at, value_at;  ///< "file:line:column"
};

/// Throws Error with the place where it is none.
std::vector<Statement> read_statements(const std::string& text, const std::string& file);

}  // namespace braid::models::icnt
