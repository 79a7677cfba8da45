// The parameter points for which the RTL was Verilated (hw/points.json). Each registers itself.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "models/rtl/pin_router.h"

namespace braid::rtl {

struct PointEntry {
  std::string name;
  models::hybrid::RouterShape shape;
  std::function<std::unique_ptr<models::hybrid::PinRouter>(bool assertions)> make;
};

bool add_point(PointEntry point);
/// In order of their names.
const std::vector<PointEntry>& points();

/// The point that fits an experiment: all parameters alike, flits at least as wide. Throws InputError that lists what
/// there is.
std::unique_ptr<models::hybrid::PinRouter> make_router(const models::hybrid::RouterShape& shape, bool assertions);

}  // namespace braid::rtl
