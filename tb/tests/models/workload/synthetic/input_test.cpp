// What a class of synthetic traffic is refused with: names, senders, subnets, what requests do not go with; in one of
// several classes as in the only one.
#include <gtest/gtest.h>

#include <string>

#include "models/experiment/experiment_reader.h"
#include "models/experiment/simulation.h"
#include "tb/tests/support/graphs.h"

namespace braid::test::synthetic_input_test {
namespace {

const std::string kMesh = "[topology]\nwidth = 2\nheight = 2\n";

std::string refusal(const std::string& text) {
  return complaint([&] { const models::Simulation simulation(models::parse_experiment(text, "e.toml")); });
}
std::string of_class(const std::string& keys, const std::string& sections = "") {
  return refusal(kMesh + sections + "[traffic]\n" + keys);
}
void expect_refused(const std::string& said, const std::string& says) {
  EXPECT_NE(said.find(says), std::string::npos) << "expected " << says << ", got " << said;
}

TEST(ClassNames, AreWordsThatAreNoOtherPackets) {
  for (const char* good : {"a", "Loads-2_b", "0", "packet"}) {
    EXPECT_EQ(of_class("name = \"" + std::string(good) + "\"\n"), "") << good;
  }
  for (const char* taken : {"packets", "circuits", "broadcasts", "all-reduces", "sat_signal"}) {
    expect_refused(of_class("name = \"" + std::string(taken) + "\"\n"),
                   "traffic.name = \"" + std::string(taken) + "\" is the name of other packets: expected another");
  }
  for (const char* wrong : {"a b", "a.b", "a/b", "a=b", "\xc3\xa4"}) {
    expect_refused(of_class("name = \"" + std::string(wrong) + "\"\n"), "expected letters, digits, _ and -");
  }
}

TEST(Senders, AreNodes) {
  EXPECT_EQ(of_class("name = \"a\"\nsenders = [3, 0]\n"), "");
  expect_refused(of_class("name = \"a\"\nsenders = [3, 0, 4]\n"), "traffic.senders: node 4: expected 0 to 3");
}

/// Each of the three ways to an account of requests, with messages and without.
TEST(Requests, OfMessagesAreNotAnsweredOneByOne) {
  const std::string replies = "request_reply = true\n", messages = "[message]\npacket_flits = 2\n";
  EXPECT_EQ(of_class(replies, messages), "");
  for (const char* account : {"outstanding = 1\n", "service_cycles = 1\n", "name = \"a\"\n"}) {
    EXPECT_EQ(of_class(replies + account), "") << account;
    expect_refused(of_class(replies + account, messages), "packets of messages are answered one by one");
  }
}

/// A request that the failed link loses would be waited for without end.
TEST(Requests, DoNotGoWithLosses) {
  const auto said = [](const std::string& keys) {
    return refusal(kMesh + "[failure]\nrouter = \"0,0\"\nport = \"east\"\ncycle = 100\n[traffic]\n" + keys);
  };
  expect_refused(said("request_reply = true\noutstanding = 1\n"),
                 "traffic.outstanding: a lost request is never answered: expected no section [failure]");
  EXPECT_EQ(said("request_reply = true\n").find("never answered"), std::string::npos) << "nobody waits for a reply";
}

/// Subnets are below their number, each once, for requests and for replies.
TEST(SubnetsOfAClass, AreThereAndEachOnce) {
  const std::string two = "[network]\nsubnets = 2\n", named = "name = \"a\"\nrequest_reply = true\n";
  EXPECT_EQ(of_class(named + "subnets = [1]\nreply_subnets = [0]\n", two), "");
  EXPECT_EQ(of_class(named + "subnets = [1, 0]\nreply_subnets = [1, 0]\n", two), "");
  for (const std::string key : {"subnets", "reply_subnets"}) {
    const std::string other = key == "subnets" ? "reply_subnets = [1]\n" : "subnets = [1]\n";
    expect_refused(of_class(named + other + key + " = [0, 2]\n", two),
                   "traffic." + key + ": subnet 2: expected 0 to 1 (network.subnets = 2)");
    expect_refused(of_class(named + other + key + " = [0, 1, 0]\n", two),
                   "traffic." + key + ": subnet 0 stands there twice: expected each once");
  }
  expect_refused(of_class("subnets = [0, 1]\n", two + "[message]\npacket_flits = 2\n"), "expected one subnet");
  expect_refused(of_class("subnets = [0, 1]\nname = \"a\"\nreply_subnets = [1]\n", two), "traffic.reply_subnets");
}

// ---------------------------------------------------------------- one of several classes

const std::string kFirst = kMesh + "[[traffic]]\nname = \"a\"\n[[traffic]]\nname = \"b\"\n";

/// What only the second class has wrong is seen, with its place.
TEST(SecondClass, IsLookedAtLikeTheFirst) {
  EXPECT_EQ(refusal(kFirst), "");
  expect_refused(refusal(kFirst + "hot_fraction = 0.5\n"), "e.toml:8:16: traffic.hot_fraction belongs to");
  expect_refused(refusal(kFirst + "priority = 256\n"),
                 "e.toml:8:12: traffic.priority = 256: expected integer, 0 to 255");
  expect_refused(refusal(kFirst + "pattern = \"unifrom\"\n"), "e.toml:8:11: unknown traffic pattern \"unifrom\"");
  expect_refused(refusal(kFirst + "priority = 1\n"),
                 "traffic.priority needs an interface.scheduler that knows classes");
  expect_refused(refusal(kFirst + "rate_flits_per_node_cycle = 1.5\n"),
                 "e.toml:8:29: traffic.rate_flits_per_node_cycle");
  expect_refused(refusal(kFirst + "process = \"saturated\"\n"), "never stops making packets");
}

TEST(SecondClass, IsSetByItsName) {
  const auto set = [](const std::string& setting) {
    return complaint([&] { (void)models::parse_experiment(kFirst, "e.toml", {setting}); });
  };
  EXPECT_EQ(set("traffic.b.flits=3"), "");
  EXPECT_EQ(set("traffic.flits=3"),
            "--set traffic.flits=3: 2 classes of traffic: expected traffic.NAME.flits, NAME one of: a, b");
  expect_refused(set("traffic.bb.flits=3"), "--set traffic.bb.flits=3: unknown class of traffic \"bb\"");
  expect_refused(set("traffic.b.priority=256"), "traffic.priority = 256: expected integer, 0 to 255");
  const models::Experiment e = models::parse_experiment(kFirst + "pattern = \"hot_spot\"\nhot_nodes = [1]\n", "e.toml",
                                                        {"traffic.b.flits=3", "traffic.b.pattern=uniform"});
  EXPECT_EQ(e.of_class(1).get<std::int64_t>("traffic.flits"), 3);
  EXPECT_NE(e.of_class(0).get<std::int64_t>("traffic.flits"), 3);
}

}  // namespace
}  // namespace braid::test::synthetic_input_test
