#include "models/rtl/pin_router.h"

#include <utility>

namespace braid::models::hybrid {
namespace {

PinRouterFactory pin_router_factory = nullptr;

}  // namespace

PinRouterFactory set_pin_router_factory(PinRouterFactory made_by) { return std::exchange(pin_router_factory, made_by); }

std::unique_ptr<PinRouter> make_pin_router(const RouterShape& shape, bool assertions) {
  if (pin_router_factory == nullptr)
    throw InputError("router.implementation: this program is built without RTL (BRAID_RTL)");
  return pin_router_factory(shape, assertions);
}

}  // namespace braid::models::hybrid
