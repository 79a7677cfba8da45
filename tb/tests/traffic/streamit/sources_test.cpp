// Files of a program: how many there may be, which of them are read twice, and what comments and quotes hide.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "routing/base/input_error.h"
#include "tb/tests/support/streamit.h"

namespace braid::test::sources_test {
namespace {

namespace fs = std::filesystem;

/// A folder of files, gone with this.
class Programs {
 public:
  Programs() : folder_(testing::TempDir() + std::to_string(getpid()) + "_programs") {
    fs::create_directories(folder_ / "inner");
  }
  Programs(const Programs&) = delete;
  Programs& operator=(const Programs&) = delete;
  ~Programs() { fs::remove_all(folder_); }

  void write(const std::string& name, const std::string& text) const { std::ofstream(folder_ / name) << text; }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  /// What is said of these files, without the folder's name; "" if they are a program.
  std::string said(const std::vector<std::string>& names) const {
    std::vector<std::string> files;
    for (const std::string& name : names) files.push_back(path(name));
    try {
      (void)traffic::read_streamit(files);
    } catch (const InputError& e) {
      std::string what = e.what();
      const std::string place = folder_.string() + "/";
      for (std::size_t at; (at = what.find(place)) != std::string::npos;) what.erase(at, place.size());
      return what;
    }
    return "";
  }

 private:
  fs::path folder_;
};

const std::string kMain =
    "void->void pipeline Main { add Source(); add Sink(); }\n"
    "void->float filter Source { work push 1 { push(0); } }\n"
    "float->void filter Sink { work pop 1 { pop(); } }\n";

TEST(StreamItSources, AreAThousandFilesAtMost) {
  const Programs files;
  std::string includes;
  for (int i = 1; i <= 1000; ++i) {
    const std::string name = "inner/f" + std::to_string(i) + ".str";
    files.write(name, "// nothing\n");
    includes += "include \"" + name + "\";\n";
    if (i == 999) files.write("thousand.str", includes + kMain);
  }
  files.write("more.str", includes + kMain);
  EXPECT_EQ(files.said({"thousand.str"}), "");
  EXPECT_EQ(files.said({"more.str"}), "more.str:1000:9: expected at most 1000 files");
}

/// A file that two others include, or that includes itself, is read once: its streams are not there twice.
TEST(StreamItSources, AreReadOnce) {
  const Programs files;
  files.write("main.str", "include \"inner/a.str\";\ninclude \"inner/b.str\";\n" +
                              std::string("void->void pipeline Main { add Source(); add Sink(); }\n"));
  files.write("inner/a.str", "include \"sink.str\";\nvoid->float filter Source { work push 1 { push(0); } }\n");
  files.write("inner/b.str", "include \"sink.str\";\ninclude \"b.str\";\n");
  files.write("inner/sink.str", "float->void filter Sink { work pop 1 { pop(); } }\n");
  EXPECT_EQ(files.said({"main.str"}), "") << "names are as seen from the file in which they stand";
  EXPECT_EQ(files.said({"main.str", "main.str", "inner/a.str"}), "");
  files.write("inner/twice.str", "float->void filter Sink { work pop 1 { pop(); } }\n");
  EXPECT_EQ(files.said({"main.str", "inner/twice.str"}), "inner/twice.str:1:20: stream \"Sink\" is there twice");
}

/// Where a file is wanted that is not there, and where one of them is wrong.
TEST(StreamItSources, MistakesAreSaidOfTheFileInWhichTheyStand) {
  const Programs files;
  files.write("main.str", kMain + "include \"inner/a.str\";\n");
  files.write("inner/a.str", "\n  include \"none.str\";\n");
  EXPECT_EQ(files.said({"main.str"}).rfind("inner/a.str:2:11: inner/none.str: ", 0), 0U) << files.said({"main.str"});
  files.write("inner/a.str", "\n  include \"\";\n");
  EXPECT_EQ(files.said({"main.str"}), "inner/a.str:2:11: expected the name of a file");
  files.write("inner/a.str", "\n  @");
  EXPECT_EQ(files.said({"main.str"}),
            "inner/a.str:2:3: expected a stream (in->out filter, pipeline, splitjoin or feedbackloop), not \"@\"");
  files.write("inner/a.str", "\n  /* open");
  EXPECT_EQ(files.said({"main.str"}), "inner/a.str:2:3: expected */: this comment does not end");
}

/// What stands behind comments is where it was; a quote in a comment begins no text, and no comment begins in a text.
TEST(StreamItSources, CommentsAreBlanks) {
  const Programs files;
  const std::string expected = "expected a stream (in->out filter, pipeline, splitjoin or feedbackloop), not ";
  for (const auto& [text, place] : std::vector<std::pair<std::string, std::string>>{{"@", "1:1"},
                                                                                    {"/**/@", "1:5"},
                                                                                    {"/* * / **/@", "1:11"},
                                                                                    {"/* one\n two */ @", "2:9"},
                                                                                    {"// one\n@", "2:1"},
                                                                                    {"// one /*\n  @", "2:3"},
                                                                                    {"/* // */ @", "1:10"},
                                                                                    {"/* \" */ @", "1:9"},
                                                                                    {"// ' \"\n@", "2:1"},
                                                                                    {"/*/ */ @", "1:8"}}) {
    files.write("c.str", text);
    EXPECT_EQ(files.said({"c.str"}), "c.str:" + place + ": " + expected + "\"@\"") << text;
  }
  for (const char* const texts : {"println(\"/*\");", "println(\"// \\\" /*\");", "int i = '\"'; println(1); /* */",
                                  "int i = '\\''; /* ' */", "println(\"\\\\\"); /* */"}) {
    files.write("t.str",
                "void->void pipeline Main { add Source(); add Sink(); }\n"
                "void->float filter Source { work push 1 { " +
                    std::string(texts) + " push(0); } }\nfloat->void filter Sink { work pop 1 { pop(); } }\n");
    EXPECT_EQ(files.said({"t.str"}), "") << texts;
  }
}

}  // namespace
}  // namespace braid::test::sources_test
