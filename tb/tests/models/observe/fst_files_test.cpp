// The files of GTKWave's FST writer: what fails is noted, of several failures the first, until somebody asks.
#include "models/observe/fst_files.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <string>

#include "tb/tests/support/bench.h"
#include "tb/tests/support/program.h"

namespace braid::test::fst_files_test {
namespace {

/// Without a buffer each write goes to the disk at once.
std::FILE* full(bool buffered) {
  std::FILE* file = std::fopen("/dev/full", "w");
  if (!buffered) std::setvbuf(file, nullptr, _IONBF, 0);
  return file;
}

TEST(FstFiles, NoteNothingWhereAllIsWritten) {
  const std::string name = temporary_file("fst_files");
  std::FILE* file = std::fopen(name.c_str(), "w");
  EXPECT_EQ(braid_fst_fwrite("abc", 1, 3, file), 3U);
  EXPECT_EQ(braid_fst_fwrite("", 0, 5, file), 0U) << "five items of no bytes";
  EXPECT_EQ(braid_fst_fputc('d', file), 'd');
  EXPECT_EQ(braid_fst_fflush(file), 0);
  EXPECT_EQ(braid_fst_fclose(file), 0);
  gzFile packed = gzopen((name + ".gz").c_str(), "w");
  EXPECT_EQ(gzwrite(packed, "abc", 3), 3);
  EXPECT_EQ(braid_fst_gzclose(packed), Z_OK);
  EXPECT_EQ(braid_fst_take_error(), 0);
  EXPECT_EQ(content(name), "abcd");
}

TEST(FstFiles, NoteEachCallThatFails) {
  std::FILE* now = full(false);
  EXPECT_EQ(braid_fst_fwrite("abc", 1, 3, now), 0U);
  EXPECT_EQ(braid_fst_take_error(), ENOSPC);
  EXPECT_EQ(braid_fst_take_error(), 0) << "it is told once";
  EXPECT_EQ(braid_fst_fputc('d', now), EOF);
  EXPECT_EQ(braid_fst_take_error(), ENOSPC);
  braid_fst_fclose(now);
  EXPECT_EQ(braid_fst_take_error(), EIO) << "its own mark stands, and nobody knows why";
  std::FILE* later = full(true);
  EXPECT_EQ(braid_fst_fwrite("abc", 1, 3, later), 3U);
  EXPECT_EQ(braid_fst_take_error(), 0);
  EXPECT_NE(braid_fst_fflush(later), 0);
  EXPECT_EQ(braid_fst_take_error(), ENOSPC);
  std::fclose(later);
  std::FILE* last = full(true);
  braid_fst_fputc('d', last);
  EXPECT_NE(braid_fst_fclose(last), 0);
  EXPECT_EQ(braid_fst_take_error(), ENOSPC);
  gzFile packed = gzopen("/dev/full", "w");
  gzwrite(packed, "abc", 3);
  EXPECT_NE(braid_fst_gzclose(packed), Z_OK);
  EXPECT_NE(braid_fst_take_error(), 0);
}

TEST(FstFiles, KeepTheFirstOfSeveralFailures) {
  std::FILE* file = full(false);
  braid_fst_fwrite("abc", 1, 3, file);  // no room
  braid_fst_fclose(file);               // its mark: as above
  EXPECT_EQ(braid_fst_take_error(), ENOSPC);
}

/// What a failed write has left out is zeros.
TEST(FstFiles, ReadZerosBehindTheEnd) {
  const std::string name = temporary_file("fst_short");
  std::FILE* file = std::fopen(name.c_str(), "w");
  braid_fst_fwrite("abc", 1, 3, file);
  braid_fst_fclose(file);
  const int read_from = open(name.c_str(), O_RDONLY);
  std::string bytes(5, 'x');
  EXPECT_EQ(braid_fst_read(read_from, bytes.data(), 3), 3);
  EXPECT_EQ(bytes, "abcxx");
  EXPECT_EQ(braid_fst_take_error(), 0);
  lseek(read_from, 1, SEEK_SET);
  EXPECT_EQ(braid_fst_read(read_from, bytes.data(), 4), 4);
  EXPECT_EQ(bytes, std::string("bc\0\0x", 5));
  EXPECT_EQ(braid_fst_take_error(), EIO);
  close(read_from);
}

}  // namespace
}  // namespace braid::test::fst_files_test
