// libbraid_icnt: the network in the seat of GPGPU-Sim's intersim2. Shaders and memories push and pop packets, the
// caller calls transfer() once a network cycle; payloads are pointers that come back untouched. It reads intersim2's
// configuration files (*.icnt) and gives their keys intersim2's meaning. No SystemC, no global state: any number of
// networks in a process. C++11, so that simulators can include it as they are built.
//
//   braid::models::icnt::Interconnect network("config.icnt", 28, 24);   // 28 shaders, then 24 memories
//   if (network.has_buffer(0, 136)) network.push(0, 30, request, 136, braid::models::icnt::kWriteRequest);
//   network.transfer();
//   void* reply = network.pop(0);                                       // nullptr: none is complete
//
// docs/recipes/gpgpusim.md puts it into a simulator's build; models/icnt/gpgpusim.h and onnxim.h have the names of
// GPGPU-Sim's and of ONNXim's classes.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <memory>
#include <stdexcept>
#include <string>

namespace braid {
namespace models {
namespace icnt {

/// A configuration that cannot work, or a call that could never be served. One line: what, where, what was expected.
/// After a refused call the network is as it was before the call.
class Error : public std::runtime_error {
 public:
  explicit Error(const std::string& line) : std::runtime_error(line) {}
};

/// Chooses among the virtual channels: each kind has its begin and its end in the configuration.
enum Kind { kReadRequest = 0, kWriteRequest = 1, kReadReply = 2, kWriteReply = 3 };

/// Since the constructor, or since init().
struct Totals {
  std::uint64_t cycles = 0;        ///< calls of transfer()
  std::uint64_t pushed = 0;        ///< packets
  std::uint64_t flits_pushed = 0;  ///< of them
  std::uint64_t complete = 0;      ///< packets that can be popped, or were
  std::uint64_t latency_sum = 0;   ///< transfers from push() to complete
  std::uint64_t latency_greatest = 0;
};

/// Devices: shaders first, memories after them. With two subnets shaders send over the first and memories over the
/// second. Not for two threads at once; two networks may run in two threads.
class Interconnect {
 public:
  /// Throws Error: the file cannot be read, has a key or a value that this library does not have, or has fewer nodes
  /// than there are devices.
  Interconnect(const std::string& file, unsigned shaders, unsigned memories);
  /// The same from text; `name` is the file's in messages.
  static Interconnect from_text(const std::string& text, const std::string& name, unsigned shaders, unsigned memories);
  ~Interconnect();
  Interconnect(Interconnect&& other) noexcept;
  Interconnect& operator=(Interconnect&& other) noexcept;

  /// Counts from 0 again. Packets under way go on undisturbed.
  void init();
  /// The device's injection queue (input_buffer_size) has room for one more packet of so many bytes. Throws Error where
  /// it never will have: no device, no bytes, more flits than a buffer on the way ever holds.
  bool has_buffer(unsigned device, unsigned bytes) const;
  /// Throws Error where has_buffer() is false, and where the packet could never be popped: from a shader to a shader or
  /// from a memory to a memory over two subnets.
  void push(unsigned from, unsigned to, void* payload, unsigned bytes, Kind kind);
  /// A complete packet for this device, or nullptr.
  void* pop(unsigned device);
  /// What pop() would return.
  void* top(unsigned device) const;
  /// One network cycle.
  void transfer();
  /// A flit has not been retired at its destination, or a complete packet has not been popped.
  bool busy() const;

  unsigned flit_size() const;  ///< bytes
  unsigned nodes() const;
  unsigned node_of(unsigned device) const;
  Totals totals(unsigned subnet) const;
  unsigned subnets() const;
  /// A few lines of totals() for each subnet.
  void display_stats(std::ostream& out) const;
  /// Devices that hold packets: which have flits to inject, and which have packets to pop.
  void display_state(std::ostream& out) const;

 private:
  class Seat;
  explicit Interconnect(std::unique_ptr<Seat> seat);
  std::unique_ptr<Seat> seat_;
};

}  // namespace icnt
}  // namespace models
}  // namespace braid
