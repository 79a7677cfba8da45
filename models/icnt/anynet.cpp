#include "models/icnt/anynet.h"

#include <algorithm>
#include <cctype>
#include <climits>
#include <cstddef>

#include "models/icnt/icnt.h"

namespace braid::models::icnt {

namespace {

constexpr unsigned kMostListed = 4096;        // nodes, and routers
constexpr unsigned kMostListedCycles = 1000;  // of a link

struct Word {
  std::string text;
  std::string at;  ///< FILE:LINE:COLUMN
  bool number() const {
    return !text.empty() && std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
  }
};

std::vector<Word> words_of(const std::string& line, const std::string& file, unsigned number) {
  std::vector<Word> all;
  for (std::size_t at = 0; at < line.size();) {
    if (std::isspace(static_cast<unsigned char>(line[at])) != 0) {
      ++at;
      continue;
    }
    const std::size_t begin = at;
    while (at < line.size() && std::isspace(static_cast<unsigned char>(line[at])) == 0) ++at;
    all.push_back(
        {line.substr(begin, at - begin), file + ":" + std::to_string(number) + ":" + std::to_string(begin + 1)});
  }
  return all;
}

class ListingReader {
 public:
  explicit ListingReader(const std::string& file) : file_(file) {}

  void read_line(const std::vector<Word>& words) {
    std::size_t at = 0;
    const End head = read_end(words, at);
    if (head.router) links_[head.number];
    while (at < words.size()) {
      const End other = read_end(words, at);
      unsigned cycles = 1;
      if (at < words.size() && words[at].number()) cycles = read_number(words[at++], 1, kMostListedCycles);
      join(head, other, cycles);
    }
  }

  Listing listing() const {
    Listing found;
    for (const auto& node : nodes_) {
      if (node.first != found.router_of.size()) throw Error(file_ + ": no node " + next(found.router_of.size()));
      found.router_of.push_back(node.second);
    }
    for (const auto& router : links_) {
      if (router.first != found.links.size()) throw Error(file_ + ": no router " + next(found.links.size()));
      found.links.push_back(router.second);
    }
    if (nodes_.empty()) throw Error(file_ + ": expected a node");
    return found;
  }

 private:
  struct End {
    bool router = false;
    unsigned number = 0;
    std::string at;
  };

  static std::string next(std::size_t number) {
    return std::to_string(number) + ", expected numbers from 0 on without a gap";
  }

  static unsigned read_number(const Word& word, unsigned least, unsigned most) {
    const bool fits = word.number() && word.text.size() < 8;
    const unsigned long value = fits ? std::stoul(word.text) : 0;
    if (!fits || value < least || value > most)
      throw Error(word.at + ": found \"" + word.text + "\", expected a number from " + std::to_string(least) + " to " +
                  std::to_string(most));
    return static_cast<unsigned>(value);
  }

  static End read_end(const std::vector<Word>& words, std::size_t& at) {
    const Word& kind = words[at++];
    if (kind.text != "router" && kind.text != "node")
      throw Error(kind.at + ": found \"" + kind.text + "\", expected router or node");
    if (at == words.size()) throw Error(kind.at + ": " + kind.text + " without its number");
    return {kind.text == "router", read_number(words[at++], 0, kMostListed - 1), kind.at};
  }

  void join(const End& head, const End& other, unsigned cycles) {
    if (!head.router && !other.router) throw Error(other.at + ": a node hangs on a router, not on a node");
    if (head.router && other.router) {
      if (head.number == other.number) throw Error(other.at + ": a link leads to another router");
      links_[head.number][other.number] = cycles;
      links_[other.number].insert({head.number, 1});
      return;
    }
    const unsigned node = head.router ? other.number : head.number;
    const unsigned router = head.router ? head.number : other.number;
    links_[router];
    if (cycles != 1)
      throw Error(other.at + ": node " + std::to_string(node) + " is " + std::to_string(cycles) +
                  " cycles away, expected 1");
    const unsigned there = nodes_.insert({node, router}).first->second;
    if (there != router)
      throw Error(other.at + ": node " + std::to_string(node) + " hangs on router " + std::to_string(there) +
                  " already");
  }

  const std::string& file_;
  std::map<unsigned, unsigned> nodes_;                      // [node]: router
  std::map<unsigned, std::map<unsigned, unsigned>> links_;  // [router]
};

}  // namespace

std::vector<unsigned> Listing::first_steps(unsigned start) const {
  std::vector<unsigned> far(links.size(), UINT_MAX), step(links.size(), start);
  std::vector<bool> done(links.size());
  far[start] = 0;
  for (unsigned turn = 0; turn < routers(); ++turn) {
    unsigned here = UINT_MAX;
    for (unsigned router = 0; router < routers(); ++router)
      if (!done[router] && far[router] != UINT_MAX && (here == UINT_MAX || far[router] < far[here])) here = router;
    if (here == UINT_MAX) break;
    done[here] = true;
    for (const auto& link : links[here]) {
      if (far[here] + link.second >= far[link.first]) continue;
      far[link.first] = far[here] + link.second;
      step[link.first] = here == start ? link.first : step[here];
    }
  }
  const auto lost = std::find(done.begin(), done.end(), false);
  if (lost != done.end())
    throw Error("no way from router " + std::to_string(start) + " to router " + std::to_string(lost - done.begin()));
  return step;
}

Listing read_listing(const std::string& text, const std::string& file) {
  ListingReader reader(file);
  unsigned number = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::vector<Word> words = words_of(text.substr(at, end - at), file, ++number);
    if (!words.empty()) reader.read_line(words);
    at = end + 1;
  }
  Listing found = reader.listing();
  try {
    found.first_steps(0);  // links lead both ways: from one to all is from all to all
  } catch (const Error& error) {
    throw Error(file + ": " + error.what());
  }
  return found;
}

}  // namespace braid::models::icnt
