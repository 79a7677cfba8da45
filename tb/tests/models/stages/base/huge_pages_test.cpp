// The heap of a network of modules is gathered on huge pages, where the kernel has them.
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cstdint>
#include <cstring>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "models/stages/base/heap.h"

namespace braid::test::huge_pages_test {
namespace {

constexpr std::size_t kHuge = std::size_t{2} << 20;

/// What /proc says of the heap: its size, and what of it is on huge pages.
struct Heap {
  std::uint64_t kilobytes = 0, huge_kilobytes = 0;
};
Heap heap() {
  Heap all;
  std::ifstream maps("/proc/self/smaps");
  bool in_heap = false;
  for (std::string line; std::getline(maps, line);) {
    std::istringstream words(line);
    std::string word;
    words >> word;
    if (word.find('-') != std::string::npos && word.back() != ':') in_heap = line.find("[heap]") != std::string::npos;
    if (in_heap && word == "Size:") words >> all.kilobytes;
    if (in_heap && word == "AnonHugePages:") words >> all.huge_kilobytes;
  }
  return all;
}

/// Does the kernel put a page of ours together when it is asked to (madvise(2), MADV_COLLAPSE)?
bool kernel_collapses() {
  constexpr int kCollapse = 25;
  void* const all = mmap(nullptr, 2 * kHuge, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (all == MAP_FAILED) return false;
  std::memset(all, 1, 2 * kHuge);
  auto* const first = static_cast<char*>(all) + (kHuge - reinterpret_cast<std::uintptr_t>(all) % kHuge) % kHuge;
  const bool does = madvise(first, kHuge, kCollapse) == 0;
  munmap(all, 2 * kHuge);
  return does;
}

TEST(HugePages, HaveTheHeapWhenItIsGathered) {
  if (!kernel_collapses()) GTEST_SKIP() << "the kernel does not put pages together";
  std::vector<std::unique_ptr<char[]>> pieces(300);
  for (auto& piece : pieces) piece = std::make_unique<char[]>(64 << 10);  // of the heap: malloc maps larger ones
  const Heap before = heap();
  if (before.kilobytes < 16 << 10) GTEST_SKIP() << "another malloc";
  models::stages::gather_heap_on_huge_pages();
  EXPECT_GE(heap().huge_kilobytes, before.huge_kilobytes + (kHuge >> 10)) << "one at least of 18 MB";
}

}  // namespace
}  // namespace braid::test::huge_pages_test
