// What is asked of the operating system for a network of modules: room for all of them, to the byte where a limit says
// how much there is, and huge pages under the whole heap. madvise(2) is this program's own here, which notes what it is
// asked and passes it on.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "models/stages/base/heap.h"
#include "models/stages/base/module_list.h"
#include "tb/tests/support/complaint.h"
#include "tb/tests/support/sanitized.h"

namespace braid::test::asked_of_the_system_test {
namespace {

struct Advice {
  std::uintptr_t first;
  std::size_t bytes;
  int what;
};
std::vector<Advice>* noted = nullptr;

}  // namespace

void note(void* first, std::size_t bytes, int what) {
  if (noted != nullptr) noted->push_back({reinterpret_cast<std::uintptr_t>(first), bytes, what});
}

}  // namespace braid::test::asked_of_the_system_test

extern "C" int madvise(void* first, std::size_t bytes, int what) noexcept {
  braid::test::asked_of_the_system_test::note(first, bytes, what);
  return static_cast<int>(syscall(SYS_madvise, first, bytes, what));
}

namespace braid::test::asked_of_the_system_test {
namespace {

// ---------------------------------------------------------------- huge pages

struct Range {
  std::uintptr_t first = 0, last = 0;
};
Range heap() {
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    if (line.find("[heap]") == std::string::npos) continue;
    Range range;
    char dash = 0;
    std::istringstream(line) >> std::hex >> range.first >> dash >> range.last;
    return range;
  }
  return {};
}

/// All whole pages of 2 MB that lie in the heap, in one piece, and nothing beside them; MADV_COLLAPSE is 25 in Linux.
TEST(HugePagesAskedFor, AreTheWholeOnesOfTheHeap) {
  constexpr std::uintptr_t kHuge = 2 * 1024 * 1024;
  std::vector<std::unique_ptr<char[]>> pieces(300);
  for (auto& piece : pieces) piece = std::make_unique<char[]>(64 << 10);  // of the heap: malloc maps larger ones
  std::vector<Advice> all;
  all.reserve(64);
  pieces[150].reset();  // room for whoever reads files, so that the heap does not grow
  const Range before = heap();
  if (before.last - before.first < 4 * kHuge) GTEST_SKIP() << "another malloc";
  noted = &all;
  models::stages::gather_heap_on_huge_pages();
  noted = nullptr;
  const Range after = heap();
  ASSERT_EQ(before.first, after.first);
  ASSERT_EQ(before.last, after.last) << "it has not grown meanwhile";
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].what, 25);
  EXPECT_EQ(all[0].first % kHuge, 0U);
  EXPECT_EQ(all[0].bytes % kHuge, 0U);
  EXPECT_GE(all[0].first, before.first);
  EXPECT_LT(all[0].first - before.first, kHuge) << "the first one";
  const std::uintptr_t end = all[0].first + all[0].bytes;
  EXPECT_LE(end, before.last);
  EXPECT_LT(before.last - end, kHuge) << "the last one";
}

// ---------------------------------------------------------------- room

/// The process may take so many bytes more than it has, until the end.
class Limit {
 public:
  explicit Limit(std::uint64_t more) {
    std::uint64_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    getrlimit(RLIMIT_AS, &before_);
    rlimit limit = before_;
    limit.rlim_cur = pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE)) + more;
    set_ = setrlimit(RLIMIT_AS, &limit) == 0;
  }
  ~Limit() { setrlimit(RLIMIT_AS, &before_); }
  Limit(const Limit&) = delete;
  Limit& operator=(const Limit&) = delete;
  bool set() const { return set_; }

 private:
  rlimit before_{};
  bool set_ = false;
};

struct Large {
  explicit Large(std::size_t bytes) : held(new char[bytes]) {}
  std::unique_ptr<char[]> held;
};

/// Of two modules the first takes 40 MB of 64 that there are: there is no room for the second, nor for that of any
/// more; one by itself has been made, and of an unknown number nobody can say.
TEST(RoomForModulesUnderALimit, IsThatOfTheSecondOfTwo) {
  if (kSanitized) GTEST_SKIP() << "its allocator takes terabytes";
  const Limit limit(64 << 20);
  ASSERT_TRUE(limit.set());
  const auto said = [](std::size_t to_come) {
    models::stages::ModuleList<Large> modules(to_come);
    return complaint([&] { modules.add(std::size_t{40} << 20); });
  };
  const std::string two = said(2);
  EXPECT_EQ(
      two.rfind("simulation.schedule = \"process_per_stage\": modules of 2 routers take about 0.1 GB, and 0.0 GB", 0),
      0U)
      << two;
  EXPECT_NE(said(3), "");
  EXPECT_EQ(said(1), "");
  EXPECT_EQ(said(0), "");
}

/// Where nothing more is to come nothing more is asked for, though there is none.
TEST(RoomForModulesUnderALimit, IsNotAskedForByTheOnlyOne) {
  if (kSanitized) GTEST_SKIP() << "its allocator takes terabytes";
  {
    const std::vector<char> kept(100 << 10);
  }  // that the heap has something left
  std::string said;
  {
    const Limit limit(0);
    ASSERT_TRUE(limit.set());
    said = complaint([] { models::stages::check_room_for_modules(1, 4096); });
  }
  EXPECT_EQ(said, "");
}

}  // namespace
}  // namespace braid::test::asked_of_the_system_test
