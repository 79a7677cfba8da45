// A router behind its pins: what may take the place of a modelled one. The Verilated RTL is one (tb/rtl); the models
// know only this.
#pragma once

#include <memory>

#include "models/rtl/router_image.h"
#include "models/rtl/router_pins.h"
#include "models/rtl/router_site.h"

namespace braid::models::hybrid {

class PinRouter {
 public:
  virtual ~PinRouter() = default;
  virtual const RouterShape& shape() const = 0;
  /// Holds reset and loads straps and tables. Whatever was inside is gone.
  virtual void reset(const RouterSite& site) = 0;
  /// One cycle: inputs of the cycle, then the clock edge.
  virtual void clock(const RouterInputs& in, const FlitCodec& codec) = 0;
  /// Pins after the last edge.
  virtual void outputs(RouterOutputs& out, const FlitCodec& codec) const = 0;
  /// Registers and pins after the last edge.
  virtual void image(RouterImage& image) const = 0;
};

/// Makes routers of one implementation, with its assertions (which take time) or without. Throws InputError if it has
/// none of the shape (flit_width: at least `shape.flit_width`) and names those that it has.
using PinRouterFactory = std::unique_ptr<PinRouter> (*)(const RouterShape& shape, bool assertions);
/// Returns the one before.
PinRouterFactory set_pin_router_factory(PinRouterFactory factory);
/// Throws InputError where the program is built without RTL.
std::unique_ptr<PinRouter> make_pin_router(const RouterShape& shape, bool assertions);

}  // namespace braid::models::hybrid
