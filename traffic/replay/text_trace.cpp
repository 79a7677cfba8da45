// Traces as text: a line a packet.
#include <charconv>
#include <string_view>

#include "routing/base/input_error.h"
#include "traffic/replay/trace.h"
#include "traffic/replay/trace_bytes.h"

namespace braid::traffic {
namespace {

constexpr std::size_t kLongestLine = 1U << 17U;  // holds kMostAfter ids

class TextTrace final : public TraceReader {
 public:
  explicit TextTrace(std::unique_ptr<TraceBytes> bytes) : bytes_(std::move(bytes)) {
    take_line();  // what is behind the form's name
    if (rest() != "1") refuse("this is version " + quoted(line_) + " of the form: expected \"braid-trace 1\"");
    read_nodes();
    read_classes();
    waiting_ = true;
  }

  bool next(TraceRecord& record) override {
    if (!waiting_ && !next_words()) break_off();
    waiting_ = false;
    const std::string_view first = word();
    if (first == "end") return end();
    ++records_;
    record.id = number(first, "an id", 0, TraceBounds::kLargest);
    const std::string_view cycle = word();
    if (cycle == "-") {
      record.cycle.reset();
    } else {
      record.cycle = number(cycle, "a cycle, or -", 0, TraceBounds::kLargest);
    }
    record.source = small(word(), "a source node", 0, header_.nodes - 1);
    record.destination = small(word(), "a destination node", 0, header_.nodes - 1);
    record.flits = small(word(), "a number of flits", 1, TraceBounds::kMostFlits);
    record.traffic_class = small(word(), "the number of a class", 0, header_.classes.size() - 1);
    read_after(record);
    return true;
  }

  std::uint64_t bytes_read() const override { return bytes_->offset(); }

 private:
  InputError refusal(const std::string& what) const override { return {{bytes_->file(), line_number_, 0}, what}; }
  static std::string quoted(std::string_view text) { return "\"" + one_line(std::string(text)) + "\""; }

  /// False at the end of the file. A last line without its end is one that broke off.
  bool take_line() {
    line_.clear();
    at_ = 0;
    ++line_number_;
    for (int c = bytes_->get(); c != '\n'; c = bytes_->get()) {
      if (c < 0 && line_.empty()) return false;
      if (c < 0) refuse("the file breaks off in this line");
      if (line_.size() == kLongestLine) refuse("a line of more than 131072 bytes: expected a packet");
      line_ += static_cast<char>(c);
    }
    return true;
  }
  /// To the next line that has words.
  bool next_words() {
    do {
      if (!take_line()) return false;
      line_.resize(std::min(line_.find('#'), line_.size()));
    } while (line_.find_first_not_of(kBlanks) == std::string::npos);
    return true;
  }
  std::string_view rest() {
    const std::string_view all = std::string_view(line_).substr(at_);
    const std::size_t begin = all.find_first_not_of(kBlanks);
    if (begin == std::string_view::npos) return {};
    return all.substr(begin, all.find_last_not_of(kBlanks) + 1 - begin);
  }
  /// Empty at the end of the line.
  std::string_view word() {
    const std::string_view all(line_);
    const std::size_t begin = std::min(all.find_first_not_of(kBlanks, at_), all.size());
    at_ = std::min(all.find_first_of(kBlanks, begin), all.size());
    return all.substr(begin, at_ - begin);
  }
  std::uint64_t number(std::string_view text, const char* what, std::uint64_t least, std::uint64_t most) const {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error == std::errc() && end == text.data() + text.size() && value >= least && value <= most) return value;
    refuse((text.empty() ? "the line ends" : quoted(text)) + ": expected " + what + ", " + std::to_string(least) +
           " to " + std::to_string(most));
  }
  std::uint32_t small(std::string_view text, const char* what, std::uint64_t least, std::uint64_t most) const {
    return static_cast<std::uint32_t>(number(text, what, least, most));
  }
  void read_nodes() {
    if (!next_words() || word() != "nodes") refuse("expected \"nodes\" and their number");
    header_.nodes = number(word(), "a number of nodes", 1, TraceBounds::kMostNodes);
    if (!rest().empty()) refuse(quoted(rest()) + ": expected the end of the line");
  }
  /// Up to the first line of another kind.
  void read_classes() {
    for (;;) {
      if (!next_words()) break_off();
      if (word() != "class") break;
      const std::string name(rest());
      check_class(name);
      header_.classes.push_back(name);
    }
    if (header_.classes.empty()) refuse("expected \"class\" and the name of a class of traffic");
    at_ = 0;
  }
  [[noreturn]] void break_off() const {
    refuse("the file breaks off here: expected a packet, or \"end\" and the number of packets");
  }
  void read_after(TraceRecord& record) {
    record.after.clear();
    record.delay = 0;
    std::string_view next = word();
    if (next == "after") {
      read_ids(record, word());
      next = word();
      if (next == "delay") {
        record.delay = number(word(), "a number of cycles", 0, TraceBounds::kLargest);
        next = word();
      }
    }
    if (next.empty()) return;
    refuse(quoted(next) + ": expected " + (record.after.empty() ? "\"after\"" : "\"delay\"") +
           " or the end of the line");
  }
  void read_ids(TraceRecord& record, std::string_view ids) const {
    for (;;) {
      const std::size_t comma = std::min(ids.find(','), ids.size());
      if (record.after.size() == TraceBounds::kMostAfter) refuse("a packet after more than 4096 others");
      record.after.push_back(number(ids.substr(0, comma), "ids with commas between", 0, TraceBounds::kLargest));
      if (comma == ids.size()) return;
      ids.remove_prefix(comma + 1);
    }
  }
  bool end() {
    const std::uint64_t said = number(word(), "the number of packets", 0, TraceBounds::kLargest);
    if (said != records_) {
      refuse("end " + std::to_string(said) + ", but " + std::to_string(records_) + " packets stand before it");
    }
    if (!rest().empty() || next_words()) refuse("expected nothing behind \"end\" and the number of packets");
    return false;
  }

  static constexpr const char* kBlanks = " \t\r";
  std::unique_ptr<TraceBytes> bytes_;
  std::string line_;
  std::size_t at_ = 0, line_number_ = 0;
  bool waiting_ = false;  // the line that stands in line_ has yet to be looked at
  std::uint64_t records_ = 0;
};

class TextTraceWriter final : public TraceWriter {
 public:
  TextTraceWriter(std::ostream& out, const TraceHeader& header) : out_(out) {
    out_ << TraceBytes::kTextBegin << " 1\nnodes " << header.nodes << '\n';
    for (const std::string& name : header.classes) out_ << "class " << name << '\n';
    out_ << "# id cycle source destination flits class [after ids [delay cycles]]\n";
  }
  void add(const TraceRecord& r) override {
    ++records_;
    out_ << r.id << ' ';
    if (r.cycle) {
      out_ << *r.cycle;
    } else {
      out_ << '-';
    }
    out_ << ' ' << r.source << ' ' << r.destination << ' ' << r.flits << ' ' << r.traffic_class;
    for (std::size_t i = 0; i < r.after.size(); ++i) out_ << (i == 0 ? " after " : ",") << r.after[i];
    if (!r.after.empty() && r.delay > 0) out_ << " delay " << r.delay;
    out_ << '\n';
  }
  void end() override { out_ << "end " << records_ << '\n'; }

 private:
  std::ostream& out_;
  std::uint64_t records_ = 0;
};

}  // namespace

std::unique_ptr<TraceReader> text_trace(std::unique_ptr<TraceBytes> bytes) {
  return std::make_unique<TextTrace>(std::move(bytes));
}

std::unique_ptr<TraceWriter> text_trace_writer(std::ostream& out, const TraceHeader& header) {
  return std::make_unique<TextTraceWriter>(out, header);
}

}  // namespace braid::traffic
