#include "traffic/streams/streamit/parser.h"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <utility>

#include "routing/base/input_error.h"
#include "traffic/streams/streamit/grammar.h"

namespace braid::traffic::streamit {
namespace {

namespace x3 = boost::spirit::x3;

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// What stands at a place: a word, a sign, or nothing.
std::string found_at(const char* at, const char* end) {
  const char* stop = at;
  while (stop != end && is_word(*stop)) ++stop;
  if (at == end) return "the end of the file";
  return "\"" + one_line(stop == at ? std::string(at, at + 1) : std::string(at, stop)) + "\"";
}

/// `';'` and `"->"` of X3 without their quotes, names of rules as they are.
std::string expected_in(std::string which) {
  if (which.size() > 2 && (which.front() == '\'' || which.front() == '"')) which = which.substr(1, which.size() - 2);
  return which;
}

/// A word that is none of the language's, but nearly.
std::string meant(const char* at, const char* end) {
  const char* stop = at;
  while (stop != end && is_word(*stop)) ++stop;
  const std::string word(at, stop);
  if (word.size() < 4 || std::binary_search(grammar::keywords().begin(), grammar::keywords().end(), word)) return "";
  std::vector<std::string> near;
  for (const std::string& known : grammar::keywords()) {
    if (std::max(known.size(), word.size()) - std::min(known.size(), word.size()) <= 2 && known.front() == word.front())
      near.push_back(known);
  }
  return did_you_mean(word, near);
}

Program parse_text(const Sources::Text& text, const Sources& sources) {
  const char* at = text.characters.data();
  const char* const end = at + text.characters.size();
  Program program;
  grammar::Nesting nesting;
  try {
    const auto whole = x3::with<grammar::Nesting>(nesting)[grammar::program];
    if (!x3::phrase_parse(at, end, whole, x3::ascii::space, program)) {
      throw x3::expectation_failure<const char*>(at, "a stream");
    }
  } catch (const x3::expectation_failure<const char*>& e) {
    const char* place = e.where();
    while (place != end && std::isspace(static_cast<unsigned char>(*place)) != 0) ++place;
    throw InputError(sources.position(place),
                     "expected " + expected_in(e.which()) + ", not " + found_at(place, end) + meant(place, end));
  } catch (const grammar::Refusal& e) {
    const char* place = e.at;
    while (place != end && std::isspace(static_cast<unsigned char>(*place)) != 0) ++place;
    throw InputError(sources.position(place), e.message);
  }
  return program;
}

template <class T>
void append(std::vector<T>& all, std::vector<T>& more) {
  std::move(more.begin(), more.end(), std::back_inserter(all));
}

std::string beside(const std::string& file, const std::string& included) {
  const std::size_t slash = file.rfind('/');
  return included.front() == '/' ? included : file.substr(0, slash + 1) + included;
}

void read(const std::string& file, const SourcePosition& wanted_by, Sources& sources, Program& all) {
  const Sources::Text* text = sources.add(file, wanted_by);
  if (text == nullptr) return;
  Program program = parse_text(*text, sources);
  for (const Include& include : program.includes) {
    if (include.file.empty()) throw InputError(sources.position(include.at), "expected the name of a file");
    read(beside(file, include.file), sources.position(include.at), sources, all);
  }
  append(all.streams, program.streams);
  append(all.structs, program.structs);
  append(all.helpers, program.helpers);
  append(all.globals, program.globals);
}

}  // namespace

Program parse(const std::vector<std::string>& files, Sources& sources) {
  Program all;
  for (const std::string& file : files) read(file, {}, sources, all);
  return all;
}

}  // namespace braid::traffic::streamit
