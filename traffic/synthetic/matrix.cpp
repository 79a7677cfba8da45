// A traffic matrix from a file: how many flits a cycle each node sends to each other. CSV with a head line
// `from,to,rate` or `from,to,rate,class`; `#` begins a comment. A line with a class is that of the [[traffic]] of that
// name.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <sstream>
#include <vector>

#include "routing/base/text_file.h"
#include "traffic/synthetic/pattern.h"

namespace braid::traffic {
namespace {

struct MatrixOptions {
  std::string file, name;
  double scale = 1.0;
};
const OptionTable<MatrixOptions>& matrix_options() {
  static const OptionTable<MatrixOptions> table =
      OptionTable<MatrixOptions>("traffic")
          .file("file", &MatrixOptions::file, "CSV: from,to,rate[,class], rates in flits/cycle")
          .number("scale", &MatrixOptions::scale, 0.0, kAnyNumber,
                  "times the rates of the file, which stand in for rate_flits_per_node_cycle");
  return table;
}

/// Lines of a CSV file, cut at commas, without blanks around words, each with its place.
class CsvLines {
 public:
  explicit CsvLines(const std::string& file)
      : file_(file), in_(read_text(file, "a traffic matrix, see traffic.file")) {}
  bool next() {
    for (std::string line; std::getline(in_, line);) {
      ++number_;
      line = line.substr(0, line.find('#'));
      if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
      words_.clear();
      std::istringstream cells(line);
      for (std::string word; std::getline(cells, word, ',');) words_.push_back(trimmed(word));
      return true;
    }
    return false;
  }
  const std::vector<std::string>& words() const { return words_; }
  SourcePosition where() const { return {file_, number_, 1}; }

 private:
  static std::string trimmed(const std::string& word) {
    const std::size_t begin = word.find_first_not_of(" \t\r");
    return begin == std::string::npos ? "" : word.substr(begin, word.find_last_not_of(" \t\r") - begin + 1);
  }
  std::string file_;
  std::istringstream in_;
  std::size_t number_ = 0;
  std::vector<std::string> words_;
};

class Matrix final : public TrafficPattern {
 public:
  Matrix(std::size_t nodes, const MatrixOptions& options) : rows_(nodes) {
    if (options.file.empty()) throw InputError("traffic.file is missing: expected a CSV file of from,to,rate");
    CsvLines lines(options.file);
    if (!lines.next()) throw InputError({options.file, 0, 0}, "is empty: expected a line from,to,rate[,class]");
    const std::vector<std::string> plain{"from", "to", "rate"}, classes{"from", "to", "rate", "class"};
    if (lines.words() != plain && lines.words() != classes) {
      throw InputError(lines.where(), "expected the head line from,to,rate or from,to,rate,class");
    }
    const std::size_t columns = lines.words().size();
    while (lines.next()) {
      if (lines.words().size() < 3 || lines.words().size() > columns) {
        throw InputError(lines.where(),
                         "expected " + std::string(columns == 3 ? "from,to,rate" : "from,to,rate,class"));
      }
      const bool of_another =
          lines.words().size() == 4 && !lines.words()[3].empty() && lines.words()[3] != options.name;
      add(lines, of_another ? 0.0 : options.scale);
      any_ = any_ || !of_another;
    }
    if (!any_) {
      throw InputError({options.file, 0, 0}, options.name.empty() ? "holds no flow: expected lines FROM,TO,RATE"
                                                                  : "holds no flow of class " + options.name);
    }
    for (Row& row : rows_) finish(row);
  }

  Destination destination(NodeId source, Random& random) const override {
    const Row& row = rows_[source.value];
    if (row.to.empty()) return std::nullopt;
    const std::uint64_t draw = random.below(row.below.back());
    return row
        .to[static_cast<std::size_t>(std::upper_bound(row.below.begin(), row.below.end(), draw) - row.below.begin())];
  }
  bool add_shares(NodeId source, double weight, Shares& to) const override {
    const Row& row = rows_[source.value];
    for (std::size_t i = 0; i < row.to.size(); ++i) {
      const std::uint64_t share = row.below[i] - (i == 0 ? 0 : row.below[i - 1]);
      to[row.to[i]] += weight * static_cast<double>(share) / static_cast<double>(row.below.back());
    }
    return true;
  }
  std::optional<double> rate_flits_per_cycle(NodeId source) const override { return rows_[source.value].rate; }

 private:
  struct Row {
    std::vector<NodeId> to;
    std::vector<double> rates;
    std::vector<std::uint64_t> below;  // sums of the rates up to each, scaled to 2^53
    double rate = 0.0;
  };

  void add(const CsvLines& lines, double scale) {
    const NodeId from = node(lines, 0), to = node(lines, 1);
    char* end = nullptr;
    const std::string& text = lines.words()[2];
    const double rate = std::strtod(text.c_str(), &end);
    if (text.empty() || *end != '\0' || !std::isfinite(rate) || rate < 0.0) {
      throw InputError(lines.where(), "rate \"" + one_line(text) + "\": expected number, at least 0");
    }
    if (rate * scale <= 0.0) return;
    Row& row = rows_[from.value];
    row.to.push_back(to);
    row.rates.push_back(rate * scale);
    row.rate += rate * scale;
  }
  NodeId node(const CsvLines& lines, std::size_t column) const {
    const std::string& word = lines.words()[column];
    const bool digits = !word.empty() && word.size() < 10 && word.find_first_not_of("0123456789") == std::string::npos;
    if (digits && std::stoul(word) < rows_.size()) return NodeId{std::stoul(word)};
    throw InputError(lines.where(),
                     "node \"" + one_line(word) + "\": expected 0 to " + std::to_string(rows_.size() - 1));
  }
  static void finish(Row& row) {
    constexpr double kAll = 9007199254740992.0;  // 2^53
    double sum = 0.0;
    for (const double rate : row.rates) {
      sum += rate;
      row.below.push_back(static_cast<std::uint64_t>(kAll * std::min(1.0, sum / row.rate)));
    }
    row.rates.clear();
  }

  std::vector<Row> rows_;  // [source]
  bool any_ = false;
};

const bool matrix_registered =
    PatternRegistry::instance().add("matrix", "flits/cycle from node to node, from a CSV file", matrix_options().list(),
                                    [](const routing::Topology& t, const Configuration& c) {
                                      MatrixOptions options = matrix_options().read(c);
                                      const Configuration::Given* name = c.find("traffic.name");
                                      if (name != nullptr) options.name = std::get<std::string>(name->value);
                                      return std::make_unique<Matrix>(t.node_count(), options);
                                    });

}  // namespace
}  // namespace braid::traffic
