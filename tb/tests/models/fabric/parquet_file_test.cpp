// The packet log as Parquet, byte by byte: read by a reader of Thrift's compact protocol that knows nothing of the
// writer. Numbers of fields, types, encodings and codecs: parquet.apache.org/docs/file-format, parquet.thrift.
#include <gtest/gtest.h>
#include <zlib.h>

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "models/fabric/packet_log.h"
#include "tb/tests/support/program.h"

namespace braid::test::parquet_file_test {
namespace {

using models::PacketLog;
using Numbers = std::vector<std::optional<std::uint64_t>>;

/// Thrift's compact protocol as text: a struct's fields as NUMBER:VALUE, "L" behind an i64, texts in quotes.
class Thrift {
 public:
  Thrift(const std::string& bytes, std::size_t at) : bytes_(bytes), at_(at) {}
  std::size_t at() const { return at_; }
  std::string fields() {
    std::string text;
    int field = 0;
    for (unsigned head = byte(); head != 0; head = byte()) {
      if (head >> 4 == 0) throw std::runtime_error("a field that does not come after the one before");
      field += static_cast<int>(head >> 4);
      text += (text.empty() ? "" : " ") + std::to_string(field) + ":" + value(head & 15);
    }
    return text;
  }

 private:
  unsigned byte() { return static_cast<unsigned char>(bytes_.at(at_++)); }
  std::uint64_t varint() {
    std::uint64_t number = 0;
    for (unsigned shift = 0;; shift += 7) {
      const unsigned next = byte();
      number |= static_cast<std::uint64_t>(next & 127) << shift;
      if (next < 128) return number;
    }
  }
  std::string zigzag() {
    const std::uint64_t number = varint();
    return (number % 2 != 0 ? "-" : "") + std::to_string(number / 2 + number % 2);
  }
  std::string value(unsigned type) {
    if (type == 5) return zigzag();
    if (type == 6) return zigzag() + "L";
    if (type == 8) {
      const std::size_t size = varint(), begin = at_;
      at_ += size;
      return "'" + bytes_.substr(begin, size) + "'";
    }
    if (type == 12) return "{" + fields() + "}";
    if (type != 9) throw std::runtime_error("no type of these headers: " + std::to_string(type));
    const unsigned head = byte();
    const std::uint64_t size = head >> 4 == 15 ? varint() : head >> 4;
    std::string text;
    for (std::uint64_t i = 0; i < size; ++i) text += (i == 0 ? "" : ", ") + value(head & 15);
    return "[" + text + "]";
  }
  const std::string& bytes_;
  std::size_t at_;
};

std::uint32_t number_at(const std::string& bytes, std::size_t at) {
  std::uint32_t number = 0;
  for (std::size_t i = 0; i < 4; ++i) number |= std::uint32_t{static_cast<unsigned char>(bytes.at(at + i))} << (8 * i);
  return number;
}
std::string little_endian(std::uint64_t number, std::size_t bytes) {
  std::string text;
  for (std::size_t i = 0; i < bytes; ++i) text += static_cast<char>(number >> (8 * i) & 255);
  return text;
}

/// What a .gz file of just these bytes holds.
std::string unpacked(std::string packed) {
  std::string page(1 << 16, '\0');
  z_stream stream = {};
  if (inflateInit2(&stream, 15 + 16) != Z_OK) throw std::runtime_error("zlib");
  stream.next_in = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_in = static_cast<uInt>(packed.size());
  stream.next_out = reinterpret_cast<Bytef*>(page.data());
  stream.avail_out = static_cast<uInt>(page.size());
  const int ended = inflate(&stream, Z_FINISH);
  page.resize(stream.total_out);
  const bool whole = ended == Z_STREAM_END && stream.avail_in == 0;
  inflateEnd(&stream);
  if (!whole) throw std::runtime_error("no .gz file");
  return page;
}

struct File {
  std::string bytes, footer;
  std::size_t pages_end = 0;
  /// A page after the other, from `at` on.
  std::size_t at = 4;
  std::string header, page;
  std::size_t begin = 0, header_size = 0, packed_size = 0;

  explicit File(const std::vector<PacketLog::Columns>& blocks) {
    const std::string name = temporary_file("written.parquet");
    models::write_packet_log(name, [&](const PacketLog::TakeColumns& take) {
      for (const PacketLog::Columns& block : blocks) take(block);
    });
    bytes = content(name);
    const std::size_t size = number_at(bytes, bytes.size() - 8);
    pages_end = bytes.size() - 8 - size;
    Thrift reader(bytes, pages_end);
    footer = reader.fields();
    EXPECT_EQ(reader.at(), bytes.size() - 8) << "as long as the four bytes behind it say";
    EXPECT_EQ(bytes.substr(0, 4) + bytes.substr(bytes.size() - 4), "PAR1PAR1");
  }
  void next() {
    begin = at;
    Thrift reader(bytes, at);
    header = reader.fields();
    header_size = reader.at() - at;
    const std::size_t compressed = header.find(" 3:") + 3;
    packed_size = std::stoul(header.substr(compressed));
    page = unpacked(bytes.substr(reader.at(), packed_size));
    at = reader.at() + packed_size;
  }
  /// 0: a data page; of so many values, plain (0), its levels RLE (3).
  std::string header_of(std::size_t values) const {
    return "1:0 2:" + std::to_string(page.size()) + " 3:" + std::to_string(packed_size) +
           " 5:{1:" + std::to_string(values) + " 2:0 3:3 4:3}";
  }
  /// Of the page just read: type, encodings PLAIN and RLE, GZIP (2).
  std::string chunk(const std::string& name, int type, std::size_t values) const {
    const std::string where = std::to_string(begin) + "L";
    return "{2:" + where + " 3:{1:" + std::to_string(type) + " 2:[0, 3] 3:['" + name +
           "'] 4:2 5:" + std::to_string(values) + "L 6:" + std::to_string(header_size + page.size()) +
           "L 7:" + std::to_string(header_size + packed_size) + "L 9:" + where + "}}";
  }
};

PacketLog::Columns block(const std::vector<std::string>& kind, const Numbers& x) {
  PacketLog::Columns c;
  c.kind = kind;
  c.numbers = {{"x", x}};
  return c;
}

TEST(ParquetFile, HasAPageAColumnARowGroupAndAFooterThatFindsThem) {
  PacketLog::Columns first = block({"a", "bcd"}, {258, std::nullopt}), second = block({""}, {UINT64_MAX});
  first.path = {"p", "q r"};
  second.path = {std::string(130, 's')};
  first.rests = {"", "t"};
  second.rests = {"u"};
  File file({first, second});
  std::string groups;
  std::size_t rows = 2;
  for (const std::vector<std::string>& pages : std::vector<std::vector<std::string>>{
           {little_endian(1, 4) + "a" + little_endian(3, 4) + "bcd",
            // Two bytes of levels: a run of one group of eight (1 * 2 + 1), of which the first row has a value.
            little_endian(2, 4) + "\3\1" + little_endian(258, 8),
            little_endian(1, 4) + "p" + little_endian(3, 4) + "q r", little_endian(0, 4) + little_endian(1, 4) + "t"},
           {little_endian(0, 4), little_endian(2, 4) + "\3\1" + little_endian(UINT64_MAX, 8),
            little_endian(130, 4) + std::string(130, 's'), little_endian(1, 4) + "u"}}) {
    const std::vector<std::string> names = {"kind", "x", "path", "rests"};
    std::string chunks;
    std::size_t size = 0;
    for (std::size_t i = 0; i < 4; ++i) {
      file.next();
      EXPECT_EQ(file.page, pages[i]) << names[i];
      EXPECT_EQ(file.header, file.header_of(rows)) << names[i];
      chunks += (i == 0 ? "" : ", ") + file.chunk(names[i], i == 1 ? 2 : 6, rows);  // INT64, BYTE_ARRAY
      size += file.header_size + file.page.size();
    }
    groups += (groups.empty() ? "" : ", ") + ("{1:[" + chunks + "] 2:" + std::to_string(size)) +
              "L 3:" + std::to_string(rows) + "L}";
    rows = 1;
  }
  EXPECT_EQ(file.at, file.pages_end) << "nothing between the pages and the footer";
  // The root with four children; texts are required (0) and UTF-8 (0), numbers are optional (1).
  EXPECT_EQ(file.footer,
            "1:1 2:[{4:'packets' 5:4}, {1:6 3:0 4:'kind' 6:0}, {1:2 3:1 4:'x'}, {1:6 3:0 4:'path' 6:0}, "
            "{1:6 3:0 4:'rests' 6:0}] 3:3L 4:[" +
                groups + "] 6:'braid'");
}

/// Definition levels: a bit a row from the lowest on, in whole groups of eight, whose number times two and one is
/// before them in as many bytes of seven bits as it needs: 63 groups take one, 64 take two.
TEST(ParquetFile, SaysInABitARowWhichOnesHaveAValue) {
  struct Case {
    std::size_t rows, groups;
    std::string head;
  };
  for (const Case& c :
       {Case{0, 0, "\1"}, Case{1, 1, "\3"}, Case{7, 1, "\3"}, Case{8, 1, "\3"}, Case{9, 2, "\5"}, Case{16, 2, "\5"},
        Case{17, 3, "\7"}, Case{504, 63, "\x7f"}, Case{505, 64, "\x81\1"}, Case{1032, 129, "\x83\2"}}) {
    Numbers x(c.rows);
    std::string bits(c.groups, '\0'), values;
    for (std::size_t row = 0; row < c.rows; row += row % 2 == 0 ? 3 : 4) {  // 0, 3, 7, 11, ...
      x[row] = 1000 + row;
      bits[row / 8] = static_cast<char>(bits[row / 8] | 1 << row % 8);
      values += little_endian(1000 + row, 8);
    }
    File file({block(std::vector<std::string>(c.rows), x)});
    file.next();
    EXPECT_EQ(file.page, std::string(4 * c.rows, '\0')) << c.rows << " empty texts";
    file.next();
    EXPECT_EQ(file.page, little_endian(c.head.size() + c.groups, 4) + c.head + bits + values) << c.rows;
    EXPECT_EQ(file.header, file.header_of(c.rows));
    EXPECT_EQ(file.at, file.pages_end);
  }
}

/// Lists of up to 14 have their size in their head, longer ones behind it: of columns, which in the schema are one
/// more.
TEST(ParquetFile, HasListsOfAnyLength) {
  for (const std::size_t numbers : {12U, 13U, 14U, 15U, 127U, 128U}) {
    PacketLog::Columns c = block({"k"}, {1});
    c.numbers.assign(numbers, {"n", {5}});
    File file({c});
    std::string schema = "{4:'packets' 5:" + std::to_string(numbers + 1) + "}, {1:6 3:0 4:'kind' 6:0}";
    file.next();
    std::string chunks = file.chunk("kind", 6, 1);
    std::size_t size = file.header_size + file.page.size();
    for (std::size_t i = 0; i < numbers; ++i) {
      schema += ", {1:2 3:1 4:'n'}";
      file.next();
      chunks += ", " + file.chunk("n", 2, 1);
      size += file.header_size + file.page.size();
    }
    EXPECT_EQ(file.footer,
              "1:1 2:[" + schema + "] 3:1L 4:[{1:[" + chunks + "] 2:" + std::to_string(size) + "L 3:1L}] 6:'braid'")
        << numbers;
  }
}

TEST(ParquetFile, HasARowGroupForEachBlockOfLines) {
  for (const std::size_t blocks : {1U, 14U, 15U, 16U}) {
    std::vector<PacketLog::Columns> all(blocks, block({"k", "l"}, {1, 2}));
    all.back() = block({"k"}, {3});
    File file(all);
    std::string groups;
    for (std::size_t i = 0; i < blocks; ++i) {
      const std::size_t rows = i + 1 == blocks ? 1 : 2;
      file.next();
      groups += (i == 0 ? "{1:[" : ", {1:[") + file.chunk("kind", 6, rows);
      std::size_t size = file.header_size + file.page.size();
      file.next();
      size += file.header_size + file.page.size();
      groups += ", " + file.chunk("x", 2, rows) + "] 2:" + std::to_string(size) + "L 3:" + std::to_string(rows) + "L}";
    }
    EXPECT_NE(file.footer.find(" 3:" + std::to_string(2 * blocks - 1) + "L 4:[" + groups + "] 6:"), std::string::npos)
        << blocks << ": " << file.footer;
  }
}

/// A text as long as it may be in so many bytes of its length, and one longer.
TEST(ParquetFile, HasNamesOfAnyLength) {
  for (const std::size_t length : {1U, 127U, 128U, 300U}) {
    const std::string name(length, 'n');
    PacketLog::Columns c = block({"k"}, {1});
    c.numbers[0].name = name.c_str();
    const File file({c});
    EXPECT_NE(file.footer.find("{1:2 3:1 4:'" + name + "'}] 3:1L"), std::string::npos) << length;
  }
}

}  // namespace
}  // namespace braid::test::parquet_file_test
