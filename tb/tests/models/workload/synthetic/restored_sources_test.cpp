// What a checkpoint may bring to synthetic sources: sources that there are, on the wheel, among those that stall, and
// among those that hold requests.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <string>

#include "models/experiment/experiment_reader.h"
#include "tb/tests/support/complaint.h"
#include "tb/tests/support/loads.h"
#include "tb/tests/support/saved.h"

namespace braid::test::restored_sources_test {
namespace {

std::string bytes_of(std::uint32_t value) { return std::string(reinterpret_cast<const char*>(&value), sizeof value); }
std::string said(const Bench& into, const std::string& bytes) {
  return complaint<CheckpointError>([&] { restore(sources_of(into), bytes); });
}
std::string with(std::string bytes, std::size_t at, std::uint32_t value) {
  return bytes.replace(at, 4, bytes_of(value));
}

/// Two sources begin in cycle 77777, which stands on the wheel before each one's number.
TEST(RestoredSources, FireWhereTheyAre) {
  const Bench bench(models::parse_experiment(
      "[topology]\nwidth = 2\nheight = 1\n[traffic]\nname = \"a\"\nprocess = \"constant\"\nlength = \"fixed\"\n"
      "flits = 1\nrate_flits_per_node_cycle = 1.0\nstart_cycle = 77777\n",
      "e.toml"));
  const std::string bytes = saved(sources_of(bench));
  const std::uint64_t due = 77777;
  const std::string first(reinterpret_cast<const char*>(&due), sizeof due);
  const std::size_t at = bytes.find(first + bytes_of(1));
  ASSERT_NE(at, std::string::npos);
  ASSERT_NE(bytes.find(first + bytes_of(0)), std::string::npos);
  EXPECT_EQ(said(bench, with(bytes, at + 8, 0)), "") << "twice the same is no harm";
  EXPECT_EQ(said(bench, with(bytes, at + 8, 2)), "source 2, here are 2");
  EXPECT_EQ(said(bench, bytes), "");
}

/// Before the end: is it stopped, replies (none), stalled cycles of batches (none), and the sources that stall.
TEST(RestoredSources, StallWhereTheyAre) {
  models::Experiment e = overload();
  e.set("interface.source_queue_packets", 1);
  Bench bench(e);
  bench.run(50);
  const std::string bytes = saved(sources_of(bench));
  const std::size_t last = bytes.size() - 1 - 8 - 8 - 4;
  std::uint32_t source = 0;
  std::memcpy(&source, bytes.data() + last, sizeof source);
  ASSERT_LT(source, 3U);
  EXPECT_EQ(said(bench, bytes), "");
  EXPECT_EQ(said(bench, with(bytes, last, 2)), "");
  EXPECT_EQ(said(bench, with(bytes, last, 3)), "source 3, here are 3");
}

/// Behind those who hold requests and have room for one, none between two cycles, stand the counts of exchanges, 64
/// bytes.
TEST(RestoredSources, HoldRequestsWhereTheyAre) {
  const Bench bench(models::parse_experiment(
      "[topology]\nwidth = 2\nheight = 1\n[traffic]\nname = \"a\"\nrequest_reply = true\noutstanding = 1\n", "e.toml"));
  const std::string bytes = saved(sources_of(bench));
  const std::size_t count = bytes.size() - 1 - 64 - 8;
  EXPECT_EQ(said(bench, bytes), "");
  const auto released = [&](std::uint32_t source) {
    std::string more = bytes;
    more[count] = 1;
    more.insert(count + 8, bytes_of(source));
    return said(bench, more);
  };
  EXPECT_EQ(released(1), "");
  EXPECT_EQ(released(2), "source 2, here are 2");
}

}  // namespace
}  // namespace braid::test::restored_sources_test
