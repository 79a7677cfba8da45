#include "models/stages/base/heap.h"

#include <fmt/format.h>
#include <malloc.h>
#include <sys/mman.h>

#include <fstream>
#include <sstream>
#include <string>

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
  throw InputError(
      fmt::format("simulation.schedule = \"process_per_stage\": modules of {} routers take about {}, and {} "
                  "are available; expected fewer routers, or \"static\"",
                  modules, gigabytes(bytes + bytes_each), gigabytes(available)));
}

void gather_heap_on_huge_pages() {
  constexpr std::uintptr_t kHuge = 2U << 20;
  constexpr int kCollapse = 25;  // MADV_COLLAPSE of Linux 6.1; at once, where MADV_HUGEPAGE waits for its own time
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {  // "55d4c2a00000-55d4c9c00000 rw-p … [heap]"
    if (line.find("[heap]") == std::string::npos) continue;
    std::istringstream range(line);
    std::uintptr_t first = 0, last = 0;
    char dash = 0;
    if (!(range >> std::hex >> first >> dash >> last)) continue;
    first = (first + kHuge - 1) / kHuge * kHuge;
    last = last / kHuge * kHuge;
    void* const begin = reinterpret_cast<void*>(first);  // NOLINT(performance-no-int-to-ptr): as the kernel says it
    if (last > first) madvise(begin, last - first, kCollapse);
  }
}

}  // namespace braid::models::stages
