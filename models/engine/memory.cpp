#include "models/engine/memory.h"

#include <fmt/format.h>

#include "routing/base/input_error.h"
#include "routing/base/memory.h"

namespace braid::models {

void check_memory(const routing::Topology& topology, std::uint64_t port_bytes, std::uint64_t available) {
  std::uint64_t ports = 0;
  for (const auto& router : topology.routers) ports += router.size();
  if (ports * port_bytes <= available) return;
  throw InputError(fmt::format(
      "{}: the buffers of its {} routers take at least {}, and {} are available; expected fewer routers, or less in "
      "section [router]",
      topology.name, topology.router_count(), gigabytes(ports * port_bytes), gigabytes(available)));
}

}  // namespace braid::models
