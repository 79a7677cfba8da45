#include "models/engine/memory.h"

#include <fmt/format.h>

#include "routing/base/input_error.h"
#include "routing/base/memory.h"

namespace braid::models {

void check_memory(const routing::Topology& topology, std::uint64_t bytes, std::uint64_t available) {
  if (bytes <= available) return;
  throw InputError(fmt::format(
      "{}: the buffers of its {} routers take at least {}, and {} are available; expected fewer routers, or less in "
      "section [router]",
      topology.name, topology.router_count(), gigabytes(bytes), gigabytes(available)));
}

}  // namespace braid::models
