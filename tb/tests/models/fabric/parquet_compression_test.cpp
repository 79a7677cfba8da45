// Pages of the packet log in Parquet are packed as `gzip -1` packs them: byte by byte what zlib's own writer of .gz
// files makes of them. (What is in them: parquet_file_test.cpp.)
#include <gtest/gtest.h>
#include <zlib.h>

#include <cstdint>
#include <string>

#include "models/fabric/packet_log.h"
#include "routing/base/random.h"
#include "tb/tests/support/bench.h"
#include "tb/tests/support/program.h"

namespace braid::test::parquet_compression_test {
namespace {

using models::PacketLog;

/// As a .gz file of the fastest level.
std::string packed(const std::string& page) {
  const std::string name = temporary_file("page.gz");
  gzFile file = gzopen(name.c_str(), "wb1");
  EXPECT_NE(file, nullptr);
  gzbuffer(file, 1U << 20);
  EXPECT_EQ(gzwrite(file, page.data(), static_cast<unsigned>(page.size())), static_cast<int>(page.size()));
  EXPECT_EQ(gzclose(file), Z_OK);
  return content(name);
}
std::string with_length(const std::string& text) {
  std::string page;
  for (unsigned byte = 0; byte < 4; ++byte) page += static_cast<char>(text.size() >> (8 * byte) & 255);
  return page + text;
}
/// Letters in no order.
std::string letters(std::size_t size) {
  Random random(1);
  std::string text;
  while (text.size() < size) text += static_cast<char>('a' + random.below(26));
  return text;
}
std::string written(const std::string& kind) {
  const std::string name = temporary_file("packed.parquet");
  PacketLog::Columns c;
  c.kind = {kind};
  models::write_packet_log(name, [&](const PacketLog::TakeColumns& take) { take(c); });
  return content(name);
}

/// Without a text; short; as many letters as one block of zlib's takes and more; and a text that comes back behind more
/// than half of the window of 32768 bytes, which it looks back by.
TEST(ParquetPages, ArePackedAsFastGzipDoes) {
  const std::string once = letters(25000);
  for (const std::string& kind : {std::string(), std::string("traffic"), letters(8000), letters(40000), once + once}) {
    EXPECT_NE(written(kind).find(packed(with_length(kind))), std::string::npos) << kind.size();
  }
  EXPECT_LT(written(once + once).size(), written(once).size() + 5000) << "it is found again";
}

}  // namespace
}  // namespace braid::test::parquet_compression_test
