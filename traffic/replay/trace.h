// A trace: packets that a program or a run has sent, in a file of text or of bytes (docs/traces.md). Readers hand on
// one packet after the other and hold none, so that a file may be as long as a disk has room for.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "routing/base/input_error.h"

namespace braid::traffic {

struct TraceHeader {
  std::uint64_t nodes = 0;
  std::vector<std::string> classes;  ///< of traffic
};

/// One packet.
struct TraceRecord {
  std::uint64_t id = 0;
  std::optional<std::uint64_t> cycle;  ///< in which it is made; none: only those that it comes after say when
  std::uint32_t source = 0, destination = 0;
  std::uint32_t flits = 1;
  std::uint32_t traffic_class = 0;   ///< place among the header's
  std::vector<std::uint64_t> after;  ///< ids of packets that have to arrive before
  std::uint64_t delay = 0;           ///< cycles since the last of them
};

/// What both forms and all importers keep to.
struct TraceBounds {
  static constexpr std::uint64_t kLargest = 1'000'000'000'000'000'000;  ///< id, cycle, delay
  static constexpr std::uint64_t kMostNodes = 1U << 24U;
  static constexpr std::uint64_t kMostFlits = 65535;
  static constexpr std::size_t kMostClasses = 64;
  static constexpr std::size_t kLongestName = 60;
  static constexpr std::size_t kMostAfter = 4096;  ///< packets that one waits for
};

class TraceReader {
 public:
  virtual ~TraceReader() = default;
  const TraceHeader& header() const { return header_; }
  /// The next packet; false at the end. Throws InputError for what is no record, and for a file that breaks off.
  virtual bool next(TraceRecord& record) = 0;
  /// Throws InputError that names the place of the packet read last.
  [[noreturn]] void refuse(const std::string& what) const { throw refusal(what); }
  virtual std::uint64_t bytes_read() const = 0;

 protected:
  /// Of a class that comes to header_: refuses what is no name, and one that is there already.
  void check_class(const std::string& name) const;
  TraceHeader header_;

 private:
  virtual InputError refusal(const std::string& what) const = 0;
};

/// By its first bytes of either form. Throws InputError.
std::unique_ptr<TraceReader> open_trace(const std::string& file);
/// Each form's, from behind its first bytes.
class TraceBytes;
std::unique_ptr<TraceReader> text_trace(std::unique_ptr<TraceBytes> bytes);
std::unique_ptr<TraceReader> binary_trace(std::unique_ptr<TraceBytes> bytes);

class TraceWriter {
 public:
  virtual ~TraceWriter() = default;
  virtual void add(const TraceRecord& record) = 0;
  /// A file without its end is one that broke off.
  virtual void end() = 0;
};
/// A file whose name ends in .btrace is of bytes, one that ends in .trace of text. Throws InputError for any other.
bool is_binary_trace(const std::string& file);
std::unique_ptr<TraceWriter> text_trace_writer(std::ostream& out, const TraceHeader& header);
std::unique_ptr<TraceWriter> binary_trace_writer(std::ostream& out, const TraceHeader& header);

}  // namespace braid::traffic
