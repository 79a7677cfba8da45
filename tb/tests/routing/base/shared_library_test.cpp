// What a library says of itself, read before any code of it runs: files made by hand. Real ones:
// tb/tests/program/plugin_test.cpp, rtl_test.cpp.
#include "routing/base/shared_library.h"

#include <gtest/gtest.h>
#include <link.h>
#include <sys/stat.h>

#include <cstring>
#include <fstream>
#include <string>
#include <vector>

#include "tb/tests/support/bench.h"
#include "tb/tests/support/graphs.h"

namespace braid::test::shared_library_test {
namespace {

using namespace std::string_literals;

const std::string kElf =
    "\x7f"
    "ELF";

std::string said_of_file(const std::string& file) {
  const LibraryKind kind{"STAMP:", "v1", "a library", "is none", "expected another"};
  return complaint([&] { check_library(kind, {"x", 0, 0}, file); });
}
std::string said(const std::string& bytes) {
  const std::string file = temporary_file("library.so");
  std::ofstream(file, std::ios::binary) << bytes;
  return said_of_file(file);
}

TEST(SharedLibrary, IsARegularFile) {
  const std::string pipe = temporary_file("library_pipe");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  for (const std::string& file : {pipe, testing::TempDir(), "/dev/null"s}) {
    EXPECT_EQ(said_of_file(file), "x: cannot be read, as it is no regular file: expected a library") << file;
  }
  EXPECT_EQ(said_of_file("/no/such/file"), "/no/such/file: cannot be read: expected a library");
}

/// From the mark up to the next zero, of a longer one 200 bytes.
TEST(SharedLibrary, SaysWhatItWasBuiltAgainst) {
  EXPECT_EQ(said("nothing"), "x: is none");
  EXPECT_EQ(said(kElf + "STAMP"), "x: is none");
  EXPECT_EQ(said(kElf + "  STAMP:v2\0more"s), "x: was built against v2, this is v1: expected another");
  EXPECT_EQ(said(kElf + "STAMP:v2"), "x: was built against v2, this is v1: expected another") << "the end of the file";
  std::string words;
  for (int i = 0; i < 150; ++i) words += "a ";
  EXPECT_EQ(said(kElf + "STAMP:" + words + "\0"s),
            "x: was built against " + words.substr(0, 200) + ", this is v1: expected another");
}

/// A header, one entry of the table of segments, and the stamp.
std::string library(std::uint32_t type, std::uint64_t segment_bytes, std::uint64_t table_at = sizeof(ElfW(Ehdr))) {
  ElfW(Ehdr) head{};
  std::memcpy(&head, kElf.data(), kElf.size());
  head.e_phnum = 1;
  head.e_phoff = table_at;
  ElfW(Phdr) segment{};
  segment.p_type = type;
  segment.p_offset = 8;
  segment.p_filesz = segment_bytes;
  std::string bytes(sizeof head + sizeof segment, '\0');
  std::memcpy(bytes.data(), &head, sizeof head);
  std::memcpy(bytes.data() + sizeof head, &segment, sizeof segment);
  return bytes + "STAMP:v1\0"s;
}

/// What its segments need is there: of those that are loaded, to the last byte.
TEST(SharedLibrary, IsWholeWhereAllItsSegmentsAre) {
  const std::string early = "x: ends too early: expected a whole library";
  const std::size_t size = library(PT_LOAD, 0).size();
  EXPECT_EQ(said(kElf + "STAMP:v1\0"s), early) << "not even a header";
  EXPECT_EQ(said(library(PT_LOAD, size - 8)), "");
  EXPECT_EQ(said(library(PT_LOAD, size - 8 + 1)), early);
  EXPECT_EQ(said(library(PT_NOTE, size)), "") << "is not loaded";
  EXPECT_EQ(said(library(PT_LOAD, 1, size - sizeof(ElfW(Phdr)) + 1)), early) << "the table itself";
}

/// A header of `segments` entries behind the stamp, the table at the very end: each segment from byte 8 on.
std::string with_table_at_the_end(const std::vector<std::uint64_t>& segments) {
  const std::string stamp = "STAMP:v1\0"s;
  ElfW(Ehdr) head{};
  std::memcpy(&head, kElf.data(), kElf.size());
  head.e_phnum = static_cast<std::uint16_t>(segments.size());
  head.e_phoff = sizeof head + stamp.size();
  std::string bytes(sizeof head, '\0');
  std::memcpy(bytes.data(), &head, sizeof head);
  bytes += stamp;
  for (const std::uint64_t size : segments) {
    ElfW(Phdr) segment{};
    segment.p_type = PT_LOAD;
    segment.p_offset = 8;
    segment.p_filesz = size;
    std::string entry(sizeof segment, '\0');
    std::memcpy(entry.data(), &segment, sizeof segment);
    bytes += entry;
  }
  return bytes;
}

/// Of several segments each counts, and their table may end with the file.
TEST(SharedLibrary, IsWholeWhereItsLastSegmentIs) {
  const std::string early = "x: ends too early: expected a whole library";
  const std::size_t size = with_table_at_the_end({0, 0, 0}).size();
  EXPECT_EQ(said(with_table_at_the_end({0})), "");
  EXPECT_EQ(said(with_table_at_the_end({size - 8, 0, size - 8})), "");
  EXPECT_EQ(said(with_table_at_the_end({0, size - 8 + 1, 0})), early);
  EXPECT_EQ(said(with_table_at_the_end({0, 0, size - 8 + 1})), early);
  std::string cut = with_table_at_the_end({0, 0, 0});
  cut.pop_back();
  EXPECT_EQ(said(cut), early) << "a byte of the table is missing";
}

/// A header alone, with the stamp in bytes of it that nobody reads, is the smallest file that is whole.
TEST(SharedLibrary, MayBeAHeaderAlone) {
  ElfW(Ehdr) head{};
  std::memcpy(&head, (kElf + "STAMP:v1\0"s).data(), 4 + 9);
  std::string bytes(sizeof head, '\0');
  std::memcpy(bytes.data(), &head, sizeof head);
  EXPECT_EQ(said(bytes), "");
  bytes.pop_back();
  EXPECT_EQ(said(bytes), "x: ends too early: expected a whole library");
}

TEST(SharedLibrary, ThatIsLoadedIsKnown) {
  EXPECT_FALSE(is_loaded("/no/such/library.so"));
  const std::string text = temporary_file("no_library.so");
  std::ofstream(text) << "text";
  EXPECT_FALSE(is_loaded(text));
  EXPECT_EQ(complaint([&] { (void)open_library({"x", 0, 0}, text); }).rfind("x: cannot be loaded: ", 0), 0U);
}

}  // namespace
}  // namespace braid::test::shared_library_test
