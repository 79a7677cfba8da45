// A checkpoint under another configuration: what counts as another one, of keys that one of the two has not, of files
// by what is in them, and of classes of traffic by their names. (Its first lines: deadlocked_run_test.cpp.) Then what a
// network is refused with where a link goes down.
#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "models/experiment/checkpoint_file.h"
#include "models/experiment/experiment_reader.h"
#include "tb/tests/support/complaint.h"
#include "tb/tests/support/loads.h"
#include "tb/tests/support/myrinet.h"

namespace braid::test::checkpoint_differences_test {
namespace {

using models::Experiment;

/// What is said in the second experiment of a checkpoint that was made in the first; "": nothing differs.
std::string said(const Experiment& then, const Experiment& now) {
  const std::string file = temporary_file("other.ckpt");
  models::write_checkpoint(file, then, 1, "r");
  const std::string all = complaint([&] { (void)models::read_checkpoint(file, now); });
  const std::string before = file + ": was made under another configuration: ";
  if (all.empty()) return "";
  EXPECT_EQ(all.rfind(before, 0), 0U) << all;
  return all.substr(before.size());
}
void write(const std::string& file, const std::string& text) { std::ofstream(file) << text; }

/// A section [network] has its own key, and brings two to each class of traffic.
TEST(CheckpointDifferences, AreOfKeysThatOnlyOneOfThemHas) {
  const Experiment without = uniform_mesh(0.1, 2, 2);
  Experiment with = without;
  with.open("network");
  EXPECT_EQ(said(without, with), "network.subnets = 1 here is not chosen there (and 2 more)");
  EXPECT_EQ(said(with, without), "network.subnets is not chosen here (and 2 more)");
  EXPECT_EQ(said(with, with), "");
}

/// Of a file that is read what is in it counts (by its CRC-32), and not its name; of one that is written whether it is.
TEST(CheckpointDifferences, AreOfWhatIsInFiles) {
  const std::string one = temporary_file("one.txt"), other = temporary_file("other.txt");
  write(one, "0 1\n");
  write(other, "0 1\n");
  Experiment e = uniform_mesh(0.1, 2, 2);
  e.set("traffic.pattern", "permutation").set("traffic.file", one);
  Experiment renamed = e;
  renamed.set("traffic.file", other);
  EXPECT_EQ(said(e, renamed), "");
  const std::string file = temporary_file("other.ckpt");
  models::write_checkpoint(file, e, 1, "r");
  write(one, "0 2\n");
  const std::string changed = complaint([&] { (void)models::read_checkpoint(file, e); });
  EXPECT_NE(changed.find("traffic.file = a file of checksum cfaa8ff1 there, a file of checksum e487dc32 here"),
            std::string::npos)
      << changed;
  Experiment logged = e, elsewhere = e;
  logged.set("log.file", "l.csv");
  elsewhere.set("log.file", "m.csv");
  EXPECT_EQ(said(logged, elsewhere), "");
  EXPECT_EQ(said(logged, e), "log.file = a file there, \"\" here");
  EXPECT_EQ(said(e, logged), "log.file = \"\" there, a file here");
}

/// What is no class's own is told once.
TEST(CheckpointDifferences, AreOfClassesByTheirNames) {
  const auto of = [](const std::string& second, int flits, int vcs = 4) {
    return models::parse_experiment("[topology]\nwidth = 2\nheight = 2\n[router]\nvcs = " + std::to_string(vcs) +
                                        "\n[[traffic]]\nname = \"a\"\nflits = 4\n[[traffic]]\nname = \"" + second +
                                        "\"\nflits = " + std::to_string(flits) + "\n",
                                    "e.toml");
  };
  EXPECT_EQ(said(of("b", 4), of("b", 4)), "");
  EXPECT_EQ(said(of("b", 4), of("b", 5)), "traffic.b.flits = 4 there, 5 here");
  EXPECT_EQ(said(of("b", 4), of("b", 4, 2)), "router.vcs = 4 there, 2 here");
  const std::string renamed = said(of("b", 4), of("c", 4));
  EXPECT_EQ(renamed.rfind("traffic.c.", 0), 0U) << renamed;
  EXPECT_NE(renamed.find(" here is not chosen there (and "), std::string::npos) << renamed;
}

// ---------------------------------------------------------------- where a link goes down

Experiment with_failure(Experiment e, const std::string& router, const std::string& port) {
  e.open("failure");
  e.set("failure.router", router).set("failure.port", port).set("failure.cycle", 3000);
  return e;
}
std::string refused(const Experiment& e) {
  return complaint([&] { const Bench bench(e); });
}

TEST(NetworkThatLosesALink, IsOfRoutersThatBearIt) {
  Experiment e = uniform_mesh(0.0, 3, 2);
  const std::string rest = "\" cannot lose a link; expected \"myrinet\" or no section [failure]";
  EXPECT_EQ(refused(with_failure(e, "0,0", "east")), "failure.router: router.architecture = \"hybrid" + rest);
  e.set("router.architecture", "virtual_cut_through").set("router.vcs", 1);
  EXPECT_EQ(refused(with_failure(e, "0,0", "east")),
            "failure.router: router.architecture = \"virtual_cut_through" + rest);
}

TEST(NetworkThatLosesALink, HasNobodyWhoWaitsForEveryPacket) {
  Experiment e = with_failure(irregular_myrinet(8, 0.0, "balanced", "every_switch"), "s0", "link0");
  EXPECT_EQ(refused(e), "");
  e.open("stream");
  e.set("stream.graph", stream_pair(1, 1, 1, 1));
  EXPECT_EQ(refused(e), "failure.router: a stream program waits for every packet; expected a section [traffic] alone");
}

}  // namespace
}  // namespace braid::test::checkpoint_differences_test
