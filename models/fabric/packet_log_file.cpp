// The packet log as a file: CSV, or Parquet (parquet.apache.org/docs/file-format) with a row group for each
// 65536 lines, one page a column, plain encoding, GZIP: what every reader of the format must read.
#include <fmt/format.h>
#include <zlib.h>

#include <cstdio>
#include <fstream>
#include <stdexcept>
#include <string>

#include "models/fabric/packet_log.h"
#include "models/observe/output_file.h"
#include "routing/base/input_error.h"

namespace braid::models {
namespace {

using Number = std::optional<std::uint64_t>;

bool is_parquet(const std::string& file) { return file.size() > 8 && file.substr(file.size() - 8) == ".parquet"; }
bool is_csv(const std::string& file) { return file.size() > 4 && file.substr(file.size() - 4) == ".csv"; }

void write_csv_header(std::ostream& out, const PacketLog::Columns& c) {
  out << "kind";
  for (const auto& column : c.numbers) out << ',' << column.name;
  out << (c.path ? ",path" : "") << (c.rests ? ",rests\n" : "\n");
}

void write_csv(std::ostream& out, const PacketLog::Columns& c) {
  for (std::size_t row = 0; row < c.kind.size(); ++row) {
    out << c.kind[row];
    for (const auto& column : c.numbers) {
      out << ',';
      if (column.values[row]) out << *column.values[row];
    }
    if (c.path) out << ',' << (*c.path)[row];
    if (c.rests) out << ',' << (*c.rests)[row];
    out << '\n';
  }
}

/// Thrift's compact protocol, as far as Parquet's headers need it.
class Thrift {
 public:
  void i32(int field, std::int64_t value) { number(field, 5, value); }
  void i64(int field, std::int64_t value) { number(field, 6, value); }
  void text(int field, const std::string& value) {
    header(field, 8);
    bytes(value);
  }
  void list(int field, int type, std::size_t size) {
    header(field, 9);
    if (size < 15) {
      out_ += static_cast<char>(size << 4 | static_cast<unsigned>(type));
    } else {
      out_ += static_cast<char>(0xf0 | type);
      varint(size);
    }
  }
  void open(int field) {
    header(field, 12);
    last_.push_back(0);
  }
  /// A struct that is an element of a list has no field header.
  void open_element() { last_.push_back(0); }
  void close() {
    out_ += '\0';
    last_.pop_back();
  }
  void element(std::int64_t value) { varint(zigzag(value)); }
  void bytes(const std::string& value) {
    varint(value.size());
    out_ += value;
  }
  /// The whole struct, ended.
  std::string take() {
    out_ += '\0';
    return out_;
  }

 private:
  static std::uint64_t zigzag(std::int64_t v) {
    return (static_cast<std::uint64_t>(v) << 1) ^ static_cast<std::uint64_t>(v >> 63);
  }
  void varint(std::uint64_t v) {
    for (; v >= 0x80; v >>= 7) out_ += static_cast<char>(v | 0x80);
    out_ += static_cast<char>(v);
  }
  void header(int field, int type) {
    out_ += static_cast<char>((field - last_.back()) << 4 | type);  // fields are written in order, less than 16 apart
    last_.back() = field;
  }
  void number(int field, int type, std::int64_t value) {
    header(field, type);
    varint(zigzag(value));
  }
  std::string out_;
  std::vector<int> last_ = {0};
};

template <class Integer>
void little_endian(std::string& out, Integer value) {
  for (std::size_t byte = 0; byte < sizeof value; ++byte) out += static_cast<char>(value >> (8 * byte) & 0xff);
}

/// Which rows have a value, one bit each (the format's definition levels), with its length before it.
std::string levels(const std::vector<Number>& values) {
  const std::size_t groups = (values.size() + 7) / 8;
  std::string bits(groups, '\0');
  for (std::size_t i = 0; i < values.size(); ++i)
    bits[i / 8] = static_cast<char>(bits[i / 8] | (values[i] ? 1 : 0) << i % 8);
  std::string run;
  std::uint64_t head = groups << 1 | 1;  // a bit-packed run of so many groups of eight
  for (; head >= 0x80; head >>= 7) run += static_cast<char>(head | 0x80);
  run += static_cast<char>(head);
  std::string text;
  little_endian(text, static_cast<std::uint32_t>(run.size() + bits.size()));
  return text + run + bits;
}

/// As a .gz file has it: of the format's compressions the one that zlib knows. The fastest level: a log is large, and
/// what makes it small is that its columns hold much the same in every row.
std::string gzip(const std::string& page) {
  constexpr int kGzip = 15 + 16, kMemory = 8;  // the largest window, with a .gz file's head
  z_stream stream = {};
  if (deflateInit2(&stream, Z_BEST_SPEED, Z_DEFLATED, kGzip, kMemory, Z_DEFAULT_STRATEGY) != Z_OK) {
    throw std::runtime_error("no room to compress the packet log");
  }
  std::string packed(deflateBound(&stream, page.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(page.data()));  // zlib does not write there
  stream.avail_in = static_cast<uInt>(page.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  const int ended = deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  if (ended != Z_STREAM_END) throw std::runtime_error("the packet log cannot be compressed");
  return packed;
}

class ParquetFile {
 public:
  explicit ParquetFile(std::ostream& out) : out_(out) { put("PAR1"); }
  void add(const PacketLog::Columns& c) {
    groups_.push_back({static_cast<std::int64_t>(c.kind.size()), {}});
    add("kind", c.kind);
    for (const auto& column : c.numbers) add(column.name, column.values);
    if (c.path) add("path", *c.path);
    if (c.rests) add("rests", *c.rests);
  }
  void close() {
    const std::vector<Column>& columns = groups_.front().columns;
    std::int64_t rows = 0;
    for (const Group& group : groups_) rows += group.rows;
    Thrift meta;
    meta.i32(1, 1);
    meta.list(2, 12, columns.size() + 1);
    meta.open_element();
    meta.text(4, "packets");
    meta.i32(5, static_cast<std::int64_t>(columns.size()));
    meta.close();
    for (const Column& c : columns) {
      meta.open_element();
      meta.i32(1, c.type);
      meta.i32(3, c.type == kInt64 ? 1 : 0);  // optional, required
      meta.text(4, c.name);
      if (c.type == kByteArray) meta.i32(6, 0);  // UTF-8
      meta.close();
    }
    meta.i64(3, rows);
    meta.list(4, 12, groups_.size());
    for (const Group& group : groups_) add_group(meta, group);
    meta.text(6, "braid");
    const std::string footer = meta.take();
    std::string length;
    little_endian(length, static_cast<std::uint32_t>(footer.size()));
    put(footer + length + "PAR1");
  }

 private:
  static constexpr std::int64_t kInt64 = 2, kByteArray = 6;
  struct Column {
    std::string name;
    std::int64_t type, offset, size, unpacked_size;
  };
  struct Group {
    std::int64_t rows;
    std::vector<Column> columns;
  };
  void add(const char* name, const std::vector<Number>& values) {
    std::string page = levels(values);
    for (const Number& value : values) {
      if (value) little_endian(page, *value);
    }
    column(name, kInt64, page);
  }
  void add(const char* name, const std::vector<std::string>& values) {
    std::string page;
    for (const std::string& value : values) {
      little_endian(page, static_cast<std::uint32_t>(value.size()));
      page += value;
    }
    column(name, kByteArray, page);
  }
  void add_group(Thrift& meta, const Group& group) const {
    meta.open_element();
    meta.list(1, 12, group.columns.size());
    std::int64_t size = 0;
    for (const Column& c : group.columns) {
      add_chunk(meta, c, group.rows);
      size += c.unpacked_size;
    }
    meta.i64(2, size);
    meta.i64(3, group.rows);
    meta.close();
  }
  void column(const char* name, std::int64_t type, const std::string& page) {
    const std::string packed = gzip(page);
    Thrift header;
    header.i32(1, 0);  // a data page
    header.i32(2, static_cast<std::int64_t>(page.size()));
    header.i32(3, static_cast<std::int64_t>(packed.size()));
    header.open(5);
    header.i32(1, groups_.back().rows);
    for (const int field : {2, 3, 4}) header.i32(field, field == 2 ? 0 : 3);  // plain; levels RLE
    header.close();
    const std::string text = header.take();
    groups_.back().columns.push_back({name, type, offset_, static_cast<std::int64_t>(text.size() + packed.size()),
                                      static_cast<std::int64_t>(text.size() + page.size())});
    put(text);
    put(packed);
  }
  void add_chunk(Thrift& meta, const Column& c, std::int64_t rows) const {
    meta.open_element();
    meta.i64(2, c.offset);
    meta.open(3);
    meta.i32(1, c.type);
    meta.list(2, 5, 2);
    meta.element(0);
    meta.element(3);
    meta.list(3, 8, 1);
    meta.bytes(c.name);
    meta.i32(4, 2);  // GZIP
    meta.i64(5, rows);
    meta.i64(6, c.unpacked_size);
    meta.i64(7, c.size);
    meta.i64(9, c.offset);
    meta.close();
    meta.close();
  }
  void put(const std::string& text) {
    out_ << text;
    offset_ += static_cast<std::int64_t>(text.size());
  }
  std::ostream& out_;
  std::int64_t offset_ = 0;
  std::vector<Group> groups_;
};

}  // namespace

void check_packet_log_name(const std::string& file) {
  if (!is_csv(file) && !is_parquet(file)) throw InputError({file, 0, 0}, "a packet log is a .csv or a .parquet file");
  claim_output(file, "log.file");
}

void write_packet_log(const std::string& file, const std::function<void(const PacketLog::TakeColumns&)>& lines) {
  OutputFile output(file);
  if (is_parquet(file)) {
    ParquetFile parquet(output.out());
    lines([&](const PacketLog::Columns& columns) { parquet.add(columns); });
    parquet.close();
  } else {
    bool begun = false;
    lines([&](const PacketLog::Columns& columns) {
      if (!begun) write_csv_header(output.out(), columns);
      begun = true;
      write_csv(output.out(), columns);
    });
  }
  output.finish();
}

}  // namespace braid::models
