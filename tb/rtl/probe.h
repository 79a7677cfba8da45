// Reads what hw/hybrid_router_probe.sv shows of the RTL's registers.
#pragma once

#include <cstdint>

#include "models/rtl/router_image.h"

namespace braid::rtl {

/// Fills the registers of `image` (not its pins) from the probe's words. `image` is clear.
void read_probe(const std::uint64_t* words, models::hybrid::RouterImage& image);

}  // namespace braid::rtl
