// A router behind its pins whose registers can be seen, too: what lockstep compares, and what may take the place of a
// modelled one together with its circuits. The Verilated RTL of hw/ is one (tb/rtl).
#pragma once

#include "models/rtl/router_image.h"
#include "models/rtl/router_pins.h"
#include "models/rtl/router_site.h"
#include "models/rtl/wires.h"

namespace braid::models::hybrid {

class PinRouter : public WiredRouter {
 public:
  virtual const RouterShape& shape() const = 0;
  /// Holds reset and sets straps; no clock edge since reset ended. Whatever was inside is gone.
  virtual void reset(const RouterSite& site) = 0;
  /// Writes the routing table, if there is one: an entry a cycle.
  virtual void load(const RouterSite& site) = 0;
  /// One cycle: inputs of the cycle, then the clock edge.
  virtual void clock(const RouterInputs& in, const FlitCodec& codec) = 0;
  /// Pins after the last edge.
  virtual void outputs(RouterOutputs& out, const FlitCodec& codec) const = 0;
  /// Registers and pins after the last edge.
  virtual void image(RouterImage& image) const = 0;
};

}  // namespace braid::models::hybrid
