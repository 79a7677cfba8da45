// A trace's bytes one by one, over the ends of blocks and of the file; how a file of either kind is known.
#include "traffic/replay/trace_bytes.h"

#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "tb/tests/support/bench.h"
#include "tb/tests/support/complaint.h"
#include "traffic/replay/trace.h"

namespace braid::test::trace_bytes_test {
namespace {

using traffic::TraceBytes;

std::string file_of(const std::string& bytes) {
  const std::string file = temporary_file("bytes.trace");
  std::ofstream(file, std::ios::binary) << bytes;
  return file;
}

TEST(TraceBytes, AreMinusOneAtTheEndAndBehindIt) {
  TraceBytes none(file_of(""));
  for (int times = 0; times < 3; ++times) EXPECT_EQ(none.get(), -1);
  EXPECT_EQ(none.offset(), 0U);
  TraceBytes two(file_of(std::string("a\xff", 2)));
  EXPECT_EQ(two.offset(), 0U);
  EXPECT_EQ(two.get(), 'a');
  EXPECT_EQ(two.offset(), 1U);
  EXPECT_EQ(two.get(), 255) << "which is no end";
  for (int times = 0; times < 3; ++times) {
    EXPECT_EQ(two.get(), -1);
    EXPECT_EQ(two.offset(), 2U);
  }
}

/// 65536 bytes are a block: a byte less, exactly so many, more, and two of them.
TEST(TraceBytes, ComeInOrderOverTheEndsOfBlocks) {
  for (const std::size_t size : {65535U, 65536U, 65537U, 131072U, 131075U}) {
    std::string bytes;
    for (std::size_t i = 0; i < size; ++i) bytes += static_cast<char>(i * 7 + i / 251);
    TraceBytes all(file_of(bytes));
    for (std::size_t i = 0; i < size; ++i) {
      ASSERT_EQ(all.offset(), i);
      ASSERT_EQ(all.get(), static_cast<unsigned char>(bytes[i])) << i;
    }
    EXPECT_EQ(all.get(), -1) << size;
    EXPECT_EQ(all.offset(), size);
  }
}

/// A beginning is passed where it is there, and stays where it is not.
TEST(TraceBytes, BeginAsTheyDo) {
  TraceBytes text(file_of("braid-trace 1\n"));
  EXPECT_FALSE(text.begins("BRAIDTRC"));
  EXPECT_FALSE(text.begins("braid-trade"));
  EXPECT_EQ(text.offset(), 0U);
  EXPECT_TRUE(text.begins("braid-trace"));
  EXPECT_EQ(text.offset(), 11U);
  EXPECT_EQ(text.get(), ' ');
  TraceBytes whole(file_of("BRAIDTRC"));
  EXPECT_FALSE(whole.begins("BRAIDTRC1"));
  EXPECT_TRUE(whole.begins("BRAIDTRC")) << "nothing need follow";
  EXPECT_EQ(whole.get(), -1);
  EXPECT_FALSE(TraceBytes(file_of("BRAIDTR")).begins("BRAIDTRC"));
  EXPECT_FALSE(TraceBytes(file_of("")).begins("B"));
}

/// So is the kind of a trace: a file that ends behind its beginning is one that broke off.
TEST(TraceBytes, SayTheKindOfATrace) {
  const auto said = [](const std::string& bytes) {
    const std::string file = file_of(bytes);
    const std::string all = complaint([&] { (void)traffic::open_trace(file); });
    EXPECT_EQ(all.rfind(file + ":", 0), 0U) << all;
    return all.substr(std::min(all.size(), file.size() + 1));
  };
  const std::string none = "1:1: is no trace: expected \"braid-trace 1\" or \"BRAIDTRC\" at its beginning";
  for (const char* wrong : {"", "b", "braid-trac", "BRAIDTR", "BRAIDTRc", " braid-trace 1\n", "\nBRAIDTRC"}) {
    EXPECT_EQ(said(wrong), none) << wrong;
  }
  EXPECT_NE(said("braid-trace"), none);
  EXPECT_NE(said("BRAIDTRC"), none);
}

}  // namespace
}  // namespace braid::test::trace_bytes_test
