// Traces as bytes: numbers of seven bits a byte, the lowest first, the eighth bit set where more follow. Ids, cycles
// and what a packet comes after are differences, so that most take one byte.
#include "routing/base/input_error.h"
#include "traffic/replay/trace.h"
#include "traffic/replay/trace_bytes.h"

namespace braid::traffic {
namespace {

constexpr std::uint64_t kHasCycle = 1, kHasAfter = 2;

class BinaryTrace final : public TraceReader {
 public:
  explicit BinaryTrace(std::unique_ptr<TraceBytes> bytes) : bytes_(std::move(bytes)) {
    const std::uint64_t version = number("the form's version", 0, TraceBounds::kLargest);
    if (version != 1) refuse("this is version " + std::to_string(version) + " of the form: expected 1");
    header_.nodes = number("the number of nodes", 1, TraceBounds::kMostNodes);
    const std::uint64_t classes = number("the number of classes", 1, TraceBounds::kMostClasses);
    for (std::uint64_t i = 0; i < classes; ++i) header_.classes.push_back(name());
  }

  bool next(TraceRecord& record) override {
    begins_ = bytes_->offset();
    ++records_;
    const std::uint64_t step = number("the step to the packet's id, or 0", 0, TraceBounds::kLargest);
    if (step == 0) return end();
    id_ = sum(id_, step, "id");
    record.id = id_ - 1;  // so that the first may be 0
    const std::uint64_t has = number("what the packet has", 1, kHasCycle | kHasAfter);
    record.cycle.reset();
    if ((has & kHasCycle) != 0) {
      cycle_ = sum(cycle_, number("the step to the cycle", 0, TraceBounds::kLargest), "cycle");
      record.cycle = cycle_;
    }
    record.source = small("a source node", 0, header_.nodes - 1);
    record.destination = small("a destination node", 0, header_.nodes - 1);
    record.flits = small("a number of flits", 1, TraceBounds::kMostFlits);
    record.traffic_class = small("a class", 0, header_.classes.size() - 1);
    record.after.clear();
    record.delay = 0;
    if ((has & kHasAfter) != 0) read_after(record);
    return true;
  }

  std::uint64_t bytes_read() const override { return bytes_->offset(); }

 private:
  InputError refusal(const std::string& what) const override {
    const std::string where =
        records_ == 0 ? "header" : "packet " + std::to_string(records_) + ", at byte " + std::to_string(begins_);
    return {{bytes_->file(), 0, 0}, where + ": " + what};
  }
  std::uint64_t number(const char* what, std::uint64_t least, std::uint64_t most) {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 63; shift += 7) {
      const int byte = bytes_->get();
      if (byte < 0) refuse(std::string("the file breaks off: expected ") + what);
      value |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
      if ((byte & 0x80) != 0) continue;
      if (value >= least && value <= most) return value;
      refuse(std::to_string(value) + ": expected " + what + ", " + std::to_string(least) + " to " +
             std::to_string(most));
    }
    refuse(std::string("a number of more than 9 bytes: expected ") + what);
  }
  std::uint32_t small(const char* what, std::uint64_t least, std::uint64_t most) {
    return static_cast<std::uint32_t>(number(what, least, most));
  }
  std::uint64_t sum(std::uint64_t before, std::uint64_t step, const char* what) const {
    if (before + step <= TraceBounds::kLargest) return before + step;
    refuse("the packet's " + std::string(what) + " is beyond " + std::to_string(TraceBounds::kLargest));
  }
  std::string name() {
    const std::uint64_t length = number("the length of a class's name", 1, TraceBounds::kLongestName);
    std::string name;
    for (std::uint64_t i = 0; i < length; ++i) {
      const int byte = bytes_->get();
      if (byte < 0) refuse("the file breaks off in a class's name");
      name += static_cast<char>(byte);
    }
    check_class(name);
    return name;
  }
  void read_after(TraceRecord& record) {
    const std::uint64_t count = number("the number of packets before it", 1, TraceBounds::kMostAfter);
    for (std::uint64_t i = 0; i < count; ++i) {
      const std::uint64_t back = number("how far back its id is", 0, TraceBounds::kLargest);
      if (back > record.id) refuse("after a packet whose id would be less than 0");
      record.after.push_back(record.id - back);
    }
    record.delay = number("a delay", 0, TraceBounds::kLargest);
  }
  bool end() {
    const std::uint64_t said = number("the number of packets", 0, TraceBounds::kLargest);
    if (said != records_ - 1) {
      refuse("the end says " + std::to_string(said) + " packets, but " + std::to_string(records_ - 1) +
             " stand before it");
    }
    if (bytes_->get() >= 0) refuse("expected nothing behind the end");
    return false;
  }

  std::unique_ptr<TraceBytes> bytes_;
  std::uint64_t id_ = 0, cycle_ = 0;        // of the packet before; ids from 1
  std::uint64_t records_ = 0, begins_ = 0;  // begun; the byte at which the last one begins
};

class BinaryTraceWriter final : public TraceWriter {
 public:
  BinaryTraceWriter(std::ostream& out, const TraceHeader& header) : out_(out) {
    out_ << TraceBytes::kBinaryBegin;
    put(1);
    put(header.nodes);
    put(header.classes.size());
    for (const std::string& name : header.classes) {
      put(name.size());
      out_ << name;
    }
  }
  void add(const TraceRecord& r) override {
    ++records_;
    put(r.id + 1 - id_);
    id_ = r.id + 1;
    put((r.cycle ? kHasCycle : 0) | (r.after.empty() ? 0 : kHasAfter));
    if (r.cycle) {
      put(*r.cycle - cycle_);
      cycle_ = *r.cycle;
    }
    for (const std::uint32_t value : {r.source, r.destination, r.flits, r.traffic_class}) put(value);
    if (r.after.empty()) return;
    put(r.after.size());
    for (const std::uint64_t id : r.after) put(r.id - id);
    put(r.delay);
  }
  void end() override {
    put(0);
    put(records_);
  }

 private:
  void put(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7U) out_.put(static_cast<char>(value | 0x80U));
    out_.put(static_cast<char>(value));
  }
  std::ostream& out_;
  std::uint64_t id_ = 0, cycle_ = 0, records_ = 0;
};

}  // namespace

std::unique_ptr<TraceReader> binary_trace(std::unique_ptr<TraceBytes> bytes) {
  return std::make_unique<BinaryTrace>(std::move(bytes));
}

std::unique_ptr<TraceWriter> binary_trace_writer(std::ostream& out, const TraceHeader& header) {
  return std::make_unique<BinaryTraceWriter>(out, header);
}

bool is_binary_trace(const std::string& file) {
  const auto ends = [&file](const std::string& end) {
    return file.size() > end.size() && file.compare(file.size() - end.size(), end.size(), end) == 0;
  };
  if (!ends(".trace") && !ends(".btrace")) {
    throw InputError({file, 0, 0}, "a trace is a .trace file (text) or a .btrace file (binary)");
  }
  return ends(".btrace");
}

}  // namespace braid::traffic
