#include "routing/base/memory.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <limits>
#include <string>

#include "routing/base/input_error.h"

namespace braid {

std::uint64_t available_bytes() {
  std::uint64_t available = std::numeric_limits<std::uint64_t>::max();
  std::ifstream memory("/proc/meminfo");
  for (std::string name, rest; memory >> name; std::getline(memory, rest)) {
    std::uint64_t kilobytes = 0;
    if (name == "MemAvailable:" && memory >> kilobytes) available = kilobytes * 1024;
  }
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY) {
    std::uint64_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    const std::uint64_t taken = pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
    available = std::min<std::uint64_t>(available, limit.rlim_cur - std::min<std::uint64_t>(taken, limit.rlim_cur));
  }
  return available;
}

std::string gigabytes(std::uint64_t bytes) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f GB", static_cast<double>(bytes) / 1e9);
  return text;
}

void check_room(const std::string& what, double bytes, const std::string& instead) {
  const std::uint64_t available = available_bytes();
  if (bytes <= static_cast<double>(available)) return;
  throw InputError(what + " take up to " + gigabytes(static_cast<std::uint64_t>(bytes)) + ", and " +
                   gigabytes(available) + " are available; expected " + instead);
}

}  // namespace braid
