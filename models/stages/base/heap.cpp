#include "models/stages/base/heap.h"

#include <fmt/format.h>
#include <malloc.h>

#include "routing/base/input_error.h"
#include "routing/base/memory.h"

namespace braid::models::stages {

std::uint64_t heap_bytes() {
  const struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

/// All are taken to be as large as the first.
void check_room_for_modules(std::size_t modules, std::uint64_t bytes_each) {
  const std::uint64_t bytes = (modules - 1) * bytes_each;
  const std::uint64_t available = available_bytes();
  if (bytes <= available) return;
  throw InputError(fmt::format("simulation.schedule = \"process_per_stage\": modules of {} routers take about {}, and {} "
                               "are available; expected fewer routers, or \"static\"",
                               modules, gigabytes(bytes + bytes_each), gigabytes(available)));
}

}  // namespace braid::models::stages
