// What is looked at of a checkpoint's file before its registers: how large it is, who wrote it, its lines.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "models/experiment/checkpoint_file.h"
#include "tb/tests/support/bench.h"
#include "tb/tests/support/complaint.h"

namespace braid::test::checkpoint_header_test {
namespace {

std::string said_of(const std::string& file) {
  const std::string all = complaint([&] { (void)models::read_checkpoint(file, uniform_mesh(0.1, 2, 2)); });
  EXPECT_EQ(all.rfind(file + ": ", 0), 0U) << all;
  return all.substr(std::min(file.size() + 2, all.size()));
}

/// The same checkpoint with another program's name in its second line.
std::string said_of_program(const std::string& name) {
  const std::string file = temporary_file("program.ckpt");
  models::write_checkpoint(file, uniform_mesh(0.1, 2, 2), 1, "r");
  std::stringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  std::string all = text.str();
  const std::string key = "\"program\":\"";
  const std::size_t begin = all.find(key) + key.size(), end = all.find('"', begin);
  all.replace(begin, end - begin, name);
  std::ofstream(file, std::ios::binary) << all;
  const std::string said = said_of(file);
  std::filesystem::remove(file);
  return said;
}

/// Signs that print, from the blank to the tilde, are said; a name with any other is none.
TEST(CheckpointHeader, SaysWhoWroteItInSignsThatPrint) {
  for (const std::string good : {" ", "~", " a~", "!}", ""}) {
    const std::string said = said_of_program(good);
    EXPECT_EQ(said.rfind("was made by " + good + ", this is ", 0), 0U) << said;
    const std::string end = ": expected one of the same version";
    ASSERT_GT(said.size(), end.size());
    EXPECT_EQ(said.substr(said.size() - end.size()), end);
  }
  const std::string damaged =
      "is damaged: its second line is not what it should be; expected a checkpoint as braid wrote it";
  for (const std::string wrong : {"\\u001f", "\\u007f", "a\\u0080", "\\n", "~\\t"}) {
    EXPECT_EQ(said_of_program(wrong), damaged) << wrong;
  }
}

/// A file that ends within its first lines.
TEST(CheckpointHeader, IsWhole) {
  const std::string file = temporary_file("cut.ckpt");
  const auto said = [&](const std::string& text) {
    std::ofstream(file, std::ios::binary) << text;
    return said_of(file);
  };
  const std::string none = "is no checkpoint: expected a file that braid run --checkpoint has made";
  const std::string line =
      "is damaged: its second line is not what it should be; expected a checkpoint as braid wrote it";
  EXPECT_EQ(said(""), none);
  EXPECT_EQ(said("braid checkpoint"), none);
  EXPECT_EQ(said("braid checkpoint 1"), line);
  EXPECT_EQ(said("braid checkpoint 1\n"), line);
  EXPECT_EQ(said("braid checkpoint 1\n{}"), line);
  EXPECT_EQ(said("braid checkpoint 1\n{\"program\":\"p\",\"bytes\":1}\nchecksum"), line) << "of no configuration";
  EXPECT_EQ(said("braid checkpoint 1\n{\"program\":\"p\",\"bytes\":-1,\"configuration\":{}}\n"), line);
  EXPECT_EQ(
      said("braid checkpoint 1\n{\"program\":\"p\",\"bytes\":1,\"configuration\":{}}\n").rfind("was made by p", 0), 0U);
  std::filesystem::remove(file);
}

}  // namespace
}  // namespace braid::test::checkpoint_header_test
