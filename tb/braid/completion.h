// What may come next on the command line of `braid`, for shells: made of the tables of commands and flags, of the axes
// and of the keys, plugins' among them.
#pragma once

#include <string>
#include <vector>

namespace braid::tb {

/// `braid complete-words WORD...` is what the shells' scripts ask; it is in no manual.
constexpr const char* kCompleteWords = "complete-words";

struct Candidate {
  std::string word, text;
};

struct Candidates {
  std::vector<Candidate> words;
  std::vector<std::string> endings;  ///< files that may stand there by how their names end; "": any; "/": folders
};

/// What the last word may become, behind the others.
Candidates candidates_for(const std::vector<std::string>& words);

/// A line each, word, tabulator and text; files as `:files ENDING...`. Returns the exit status.
int print_candidates(const std::vector<std::string>& words);

}  // namespace braid::tb
