#include "models/engine/memory.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <string>

#include "routing/base/input_error.h"

namespace braid::models {
namespace {

std::string gigabytes(std::uint64_t bytes) { return fmt::format("{:.1f} GB", static_cast<double>(bytes) / 1e9); }

}  // namespace

std::uint64_t available_bytes() {
  std::uint64_t available = std::numeric_limits<std::uint64_t>::max();
  std::ifstream memory("/proc/meminfo");
  for (std::string name, rest; memory >> name; std::getline(memory, rest)) {
    std::uint64_t kilobytes = 0;
    if (name == "MemAvailable:" && memory >> kilobytes) available = kilobytes * 1024;
  }
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY) {
    available = std::min<std::uint64_t>(available, limit.rlim_cur);
  }
  return available;
}

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
