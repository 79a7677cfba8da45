// Routers in RTL by their folders: which is found, in which order, and what is said where none is, or it is not as it
// should be. The router is tb/tests/plugins/wormhole.cpp; users' own in SystemVerilog: tb/examples/own_router.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>

#include "tb/tests/support/bench.h"
#include "tb/tests/support/places.h"
#include "tb/tests/support/program.h"

namespace braid::test::rtl_test {
namespace {

namespace fs = std::filesystem;

const std::string kRouters = kRouterFolder;
constexpr const char* kShape = R"({"ports": 5, "vcs": 2, "depth": 4, "flit_width": 64})";

/// A 4x4 mesh of the wormhole's shape.
std::string mesh(const std::string& more = "") {
  return experiment("mesh_uniform") +
         " --set topology.width=4 --set topology.height=4 --set router.vcs=2 --set router.buffer_depth=4"
         " --set router.implementation=rtl --set simulation.measure_cycles=3000 " +
         more;
}
std::string in(const std::string& folder) { return " --rtl " + folder; }

std::string folder(const std::string& name) {
  std::string made = temporary_file(name);
  fs::create_directories(made);
  return made;
}
void write(const std::string& file, const std::string& bytes) { std::ofstream(file, std::ios::binary) << bytes; }
/// A folder with a manifest whose library is not built.
std::string unbuilt(const std::string& name, const std::string& shape = kShape) {
  const std::string made = folder(name);
  write(made + "/" + name + ".json", R"({"name": ")" + name + R"(", "library": "none.so", "build": "make )" + name +
                                         R"(", "shape": )" + shape + "}");
  return made;
}
/// The wormhole's folder, its library with another text of the same length in it; or cut to so many bytes.
std::string changed(const std::string& name, const std::string& from, const std::string& to) {
  const std::string made = folder(name);
  std::string bytes = content(kRouters + "/wormhole.so");
  const std::size_t at = bytes.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  EXPECT_EQ(from.size(), to.size());
  for (std::size_t i = at; i != std::string::npos; i = bytes.find(from, i + to.size()))
    bytes.replace(i, from.size(), to);
  write(made + "/wormhole.so", bytes);
  fs::copy_file(kRouters + "/wormhole.json", made + "/wormhole.json");
  return made;
}

/// What `braid check` says against it: one line, status 2.
std::string refusal(const std::string& arguments, const std::string& before = "") {
  const Ended ended = braid("check " + arguments, before);
  EXPECT_EQ(ended.status, 2) << ended.output;
  EXPECT_EQ(std::count(ended.output.begin(), ended.output.end(), '\n'), 1) << ended.output;
  return ended.output;
}
void expect_refusal(const std::string& arguments, const std::string& text, const std::string& before = "") {
  const std::string said = refusal(arguments, before);
  EXPECT_NE(said.find(text), std::string::npos) << said << "lacks " << text;
}
void expect_not_built(const std::string& arguments, const std::string& name, const std::string& before = "") {
  expect_refusal(arguments, "the Verilated router " + name + " fits and is not built; build it: make " + name, before);
}

TEST(Rtl, AUsersRouterRunsInPlaceOfModelledOnes) {
  for (const char* routers : {"all", "1,1 2,1"}) {
    const boost::json::object all = results(mesh(in(kRouters) + " --set router.rtl_routers='\"" + routers + "\"'"));
    EXPECT_TRUE(all.at("conservation").at("holds").as_bool()) << routers;
    EXPECT_GT(all.at("conservation").at("packets_delivered").to_number<int>(), 500) << routers;
    EXPECT_EQ(all.at("configuration").at("router").at("rtl_folder").as_string(), kRouters);
  }
}

/// What is in flight is counted at the pins, so every schedule and number of threads gives the same account.
TEST(Rtl, AUsersRouterRunsOnEveryScheduleAndOnThreads) {
  std::set<std::string> hashes;
  for (const char* how : {"schedule=static", "schedule=process_per_stage", "threads=2", "threads=3"}) {
    const boost::json::object all = results(mesh(in(kRouters) + " --set simulation." + how));
    EXPECT_TRUE(all.at("conservation").at("holds").as_bool()) << how;
    hashes.emplace(all.at("packet_hash").as_string());
  }
  EXPECT_EQ(hashes.size(), 1U);
}

TEST(Rtl, ARouterThatIsNotBuiltIsNamedWithItsCommand) { expect_not_built(mesh(in(unbuilt("absent"))), "absent"); }

TEST(Rtl, WhereNoneFitsAllAreListed) {
  expect_refusal(mesh(in(kRouters) + " --set router.vcs=3"),
                 "no Verilated router has 5 ports, 3 VCs of 4 flits, no circuits, x_first, round_robin; there are: "
                 "wormhole (5 ports, 2 VCs of 4 flits, no circuits, x_first)");
  expect_refusal(mesh(in(kRouters) + " --set routing.algorithm=y_first"), "there are: wormhole (");
  expect_refusal(mesh(in(folder("empty"))), "there are: none; looked in ");
  expect_refusal(mesh(in(unbuilt("narrow", R"({"ports": 5, "vcs": 2, "depth": 4, "flit_width": 32})"))),
                 "there are: none");
}

TEST(Rtl, WhatRoutersOfHwCannotBeIsSaidFirst) {
  expect_refusal(mesh(in(folder("void")) + " --set router.switch_allocator=wavefront"), "has two kinds of allocators");
  expect_refusal(mesh(in(folder("void")) + " --set router.switch_allocator=islip"),
                 "SA by iSLIP in 1 iteration; there");
}

TEST(Rtl, AFolderThatIsMissingIsSaid) {
  expect_refusal(mesh(in("/no/such")), "router.rtl_folder = \"/no/such\": no such folder");
  expect_refusal(mesh(" --set router.rtl_folder=/no/such"), "router.rtl_folder = \"/no/such\": no such folder");
  expect_refusal(mesh(), "BRAID_RTL_PATH = \"/no/such\": no such folder", "BRAID_RTL_PATH=/no/such ");
  expect_refusal(mesh(" --rtl ''"), "--rtl: expected the name of a folder");
}

TEST(Rtl, OneFolderIsLookedInWhereItIsNamed) {
  const std::string option = unbuilt("of_the_option"), key = unbuilt("of_the_key"), path = unbuilt("of_the_path");
  const std::string given = mesh(" --set router.rtl_folder=" + key), environment = "BRAID_RTL_PATH=" + path + " ";
  expect_not_built(given + in(option), "of_the_option", environment);
  expect_not_built(given, "of_the_key", environment);
  expect_not_built(mesh(), "of_the_path", environment);
  expect_refusal(mesh(in(folder("nothing"))), "there are: none", environment);
}

TEST(Rtl, TheEnvironmentsFoldersAreLookedInInTheirOrder) {
  const std::string one = unbuilt("one"), two = unbuilt("two");
  expect_not_built(mesh(), "one", "BRAID_RTL_PATH=" + one + ":" + two + " ");
  expect_not_built(mesh(), "two", "BRAID_RTL_PATH=:" + two + ":" + one + " ");
  const std::string other = unbuilt("other", R"({"ports": 5, "vcs": 8, "depth": 4, "flit_width": 64})");
  expect_not_built(mesh(), "two", "BRAID_RTL_PATH=" + other + ":" + two + " ");
}

TEST(Rtl, TheProgramsOwnFoldersComeLast) {
  const std::string prefix = folder("prefix"), program = prefix + "/bin/braid";
  fs::create_directories(prefix + "/bin");
  fs::copy_file(kProgram, program);
  const auto said = [&](const std::string& before) {
    const std::string file = prefix + "/said";
    const std::string command = before + program + " check " + mesh() + " > " + file + " 2>&1";
    EXPECT_NE(std::system(command.c_str()), 0);  // NOLINT(bugprone-command-processor)
    return content(file);
  };
  EXPECT_NE(said("").find("there are: none; looked in no folder"), std::string::npos) << said("");
  fs::create_directories(prefix + "/lib/braid");
  fs::rename(unbuilt("installed"), prefix + "/lib/braid/rtl");
  EXPECT_NE(said("").find("router installed fits"), std::string::npos) << said("");
  fs::rename(unbuilt("beside"), prefix + "/bin/rtl");
  EXPECT_NE(said("").find("router beside fits"), std::string::npos) << said("");
  EXPECT_NE(said("BRAID_RTL_PATH=" + unbuilt("path") + " ").find("router path fits"), std::string::npos);
}

TEST(Rtl, TheKeysFolderIsRelativeToTheExperimentAndTheOptionsToHere) {
  const std::string here = folder("here");
  write(here + "/mesh.toml",
        "[topology]\nwidth = 4\nheight = 4\n[router]\nvcs = 2\nbuffer_depth = 4\n"
        "implementation = \"rtl\"\nrtl_folder = \"mine\"\n[traffic]\n"
        "rate_flits_per_node_cycle = 0.1\n");
  fs::rename(unbuilt("in_mine"), here + "/mine");
  expect_not_built(here + "/mesh.toml", "in_mine");
  fs::rename(unbuilt("in_yours"), here + "/yours");
  expect_not_built("mesh.toml --rtl yours", "in_yours", "cd " + here + " && ");
  fs::create_directories(here + "/below");
  expect_not_built("../mesh.toml --rtl ../yours", "in_yours", "cd " + here + "/below && ");
}

TEST(Rtl, OneOfAnotherBraidIsRefusedWithTheCommandThatBuildsItAnew) {
  const std::string said = refusal(mesh(in(changed("other", "(interface ", "(interfacf "))));
  EXPECT_NE(said.find("other/wormhole.so: was built against Braid " BRAID_VERSION " (interfacf "), std::string::npos)
      << said;
  EXPECT_NE(said.find(": build it again: "), std::string::npos) << said;
  EXPECT_NE(said.find(" rtl_wormhole\n"), std::string::npos) << said;
}

TEST(Rtl, ALibraryThatIsNoneIsRefused) {
  expect_refusal(mesh(in(changed("plain", "braid_router_stamp=", "braid_plugin_stamp="))),
                 "wormhole.so: is no router in RTL for Braid: expected a library made by braid_rtl_router()");
  expect_refusal(mesh(in(changed("nameless", "braid_make_router", "braid_fake_router"))),
                 "wormhole.so: has no function braid_make_router");
  const std::string cut = changed("cut", "braid_make_router", "braid_make_router");
  const std::string bytes = content(cut + "/wormhole.so");
  write(cut + "/wormhole.so", bytes.substr(0, bytes.find("braid_router_stamp=") + 100));
  expect_refusal(mesh(in(cut)), "wormhole.so: ends too early: expected a whole library");
}

TEST(Rtl, AManifestThatIsDamagedIsToldWithItsPlace) {
  const std::string bad = unbuilt("bad");
  const std::string good = content(bad + "/bad.json");
  const auto expect = [&](const std::string& text, const std::string& said) {
    write(bad + "/bad.json", text);
    expect_refusal(mesh(in(bad)), "bad.json" + said);
  };
  expect("{\n  \"name\": \"bad\",,\n}", ":2:17: not well-formed JSON: ");
  expect(good.substr(0, good.size() - 1), ":1:");
  expect(good + "x", ":1:" + std::to_string(good.size() + 1) + ": not well-formed JSON: ");
  expect("[1]", ":1:1: no JSON object; expected a manifest as CMake's braid_rtl_router() writes it");
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string text = good;
    return text.replace(text.find(from), from.size(), to);
  };
  expect(with("\"build\"", "\"biuld\""), ": build is missing: expected a text");
  expect(with("\"none.so\"", "7"), ": library = 7: expected a text");
  expect(with("\"vcs\": 2", "\"vcs\": 17"), ": shape.vcs = 17: expected an integer, 1 to 16");
  expect(with("\"ports\": 5", "\"ports\": 9"), ": shape.ports = 9: expected an integer, 2 to 8");
  expect(with("\"depth\": 4", "\"depth\": \"4\""), ": shape.depth = \"4\": expected an integer, 1 to 64");
  expect(with("\"shape\"", "\"shapes\""), ": shape is missing: expected an object");
}

TEST(Rtl, LockstepNeedsRegisters) {
  expect_refusal(mesh(in(kRouters) + " --set router.implementation=lockstep"),
                 "router.implementation = \"lockstep\": the registers of wormhole cannot be seen; expected \"rtl\"");
}

TEST(Rtl, TheFolderIsAKeyOfRoutersInRtlOnly) {
  expect_refusal(mesh(in(kRouters) + " --set router.implementation=model"),
                 "router.rtl_folder belongs to router.implementation = ");
}

}  // namespace
}  // namespace braid::test::rtl_test
