// The bits on a router's pins, with the flits' data: what RTL carries, where the model's Flit (models/fabric/flit.h) is
// a packet's name only. And a router that is driven by them alone, whatever is inside.
#pragma once

#include <array>
#include <cstdint>
#include <stdexcept>

#include "models/rtl/router_pins.h"
#include "models/rtl/router_site.h"

namespace braid::models::hybrid {

constexpr std::size_t kMostFlitWords = 4;
/// Data of a flit, lowest bits first; bits past the flit's width are 0.
using FlitData = std::array<std::uint64_t, kMostFlitWords>;

struct FlitWires {
  bool valid = false, head = false, tail = false;
  std::uint32_t lane = 0;
  FlitData data = {};  ///< a head's lowest 16 bits are its destination, as FlitCodec::code() numbers nodes
};

struct ControlWires {
  bool valid = false;
  std::uint32_t port = 0;  ///< of the router whose pins these are
  ControlKind kind = ControlKind::kProbe;
  std::uint32_t search = 0;
  std::uint32_t destination = 0;  ///< as in a head
  std::uint32_t circuit = 0;      ///< of a node's request: which of its local port's circuits
};

struct WireBundle {
  std::array<FlitWires, kMaxPinPorts> links;
  std::array<std::uint32_t, kMaxPinPorts> credits = {};  ///< one bit a lane
};

struct WireInputs : WireBundle {
  ControlWires control, request;
};

/// Where nothing is valid the rest keeps the value that it had last, as in the link registers.
struct WireOutputs : WireBundle {
  ControlWires control;
  bool outcome = false, success = false;
};

/// What a router's pins must not do. what() names the pin and says what was expected.
class WireError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class WiredRouter {
 public:
  virtual ~WiredRouter() = default;
  /// Holds reset; all outputs are 0 after it. Straps and tables are those of `site`.
  virtual void reset_wires(const RouterSite& site) = 0;
  /// One cycle: inputs of the cycle, then the clock edge; `out` is what it left there last time, or all 0 after reset.
  /// Throws WireError.
  virtual void clock_wires(const WireInputs& in, WireOutputs& out) = 0;
};

}  // namespace braid::models::hybrid
