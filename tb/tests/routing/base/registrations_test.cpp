// Who registered what: the program, a plugin, and a name that is there twice.
#include "routing/base/registrations.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "routing/base/registry.h"
#include "tb/tests/support/complaint.h"

namespace braid::test::registrations_test {
namespace {

struct Toy {
  static const char* axis() { return "toy"; }
};
struct Game {
  static const char* axis() { return "game"; }
};
template <class T>
bool add(const std::string& name) {
  return Registry<T>::instance().add(name, "a " + name, [] { return std::make_unique<T>(); });
}

/// What check() complains of; "" if nothing.
std::string complaint() {
  try {
    Registrations::instance().check();
  } catch (const InputError& e) {
    return e.what();
  }
  return "";
}

TEST(Registrations, WhatAPluginRegistersIsNamedWithIt) {
  Registrations& all = Registrations::instance();
  EXPECT_TRUE(all.plugins().empty()) << "of a program without plugins";
  EXPECT_TRUE(add<Toy>("ball")) << "what a constant begins with";
  all.begin_plugin("/some/where/libtoys.so");
  add<Toy>("kite");
  add<Game>("kite");  // another axis: another name
  all.end_plugin();
  all.begin_plugin("libempty.so");
  all.end_plugin();
  add<Toy>("doll");
  ASSERT_EQ(all.plugins().size(), 2U);
  EXPECT_EQ(all.plugins()[0].file, "/some/where/libtoys.so");
  ASSERT_EQ(all.plugins()[0].policies.size(), 2U);
  EXPECT_EQ(all.plugins()[0].policies[0].axis, "toy");
  EXPECT_EQ(all.plugins()[0].policies[1].axis, "game");
  EXPECT_EQ(all.plugins()[0].policies[1].name, "kite");
  EXPECT_TRUE(all.plugins()[1].policies.empty());
  const auto& toys = Registry<Toy>::instance().entries();
  EXPECT_EQ(toys.at("kite").told(), "a kite (from libtoys.so)");
  EXPECT_EQ(toys.at("ball").told(), "a ball");
  EXPECT_EQ(toys.at("doll").told(), "a doll");
  EXPECT_EQ(complaint(), "");
}

TEST(Registrations, ANameThatIsThereTwiceStaysAndIsSaid) {
  struct Card {
    static const char* axis() { return "card"; }
  };
  using Cards = Registry<Card>;
  const auto add_card = [](const char* name, const char* summary) {
    return Cards::instance().add(name, summary, [] { return std::make_unique<Card>(); });
  };
  add_card("ace", "the first");
  Registrations::instance().begin_plugin("libcards.so");
  EXPECT_TRUE(add_card("ace", "the second")) << "check() complains, not who adds";
  add_card("king", "the third");
  Registrations::instance().end_plugin();
  add_card("king", "the fourth");  // another clash: the first is said
  EXPECT_EQ(Cards::instance().entries().at("ace").summary, "the first");
  EXPECT_EQ(Cards::instance().entries().at("king").origin, "libcards.so");
  EXPECT_EQ(complaint(),
            "card \"ace\" is registered twice: by the program itself and by libcards.so; expected another name for one "
            "of them");
  EXPECT_EQ(Registrations::instance().plugins().back().policies.size(), 1U) << "only what came in";
}

/// One more with each name that comes in, and none with one that does not.
TEST(Registrations, AreCounted) {
  struct Dice {
    static const char* axis() { return "dice"; }
  };
  const Registrations& all = Registrations::instance();
  const std::uint64_t before = all.count();
  EXPECT_GE(before, 1U);
  add<Dice>("six");
  EXPECT_EQ(all.count(), before + 1);
  add<Dice>("twelve");
  EXPECT_EQ(all.count(), before + 2);
  add<Dice>("six");
  EXPECT_EQ(all.count(), before + 2) << "a name that is there";
}

/// What could change a terminal is kept out, in a name and in the texts that come with it.
TEST(Registrations, AreLinesOfText) {
  const auto said = [](const std::string& name, const std::vector<std::string>& texts) {
    Registrations all;
    const bool in = all.add("toy", name, nullptr, texts);
    const std::string why = braid::test::complaint([&] { all.check(); });
    EXPECT_EQ(in, why.empty());
    EXPECT_EQ(all.count(), in ? 2U : 1U);
    return why;
  };
  const std::string lines =
      "\" of the program itself has control characters in its name or texts, or no name: expected one line of text "
      "for each";
  EXPECT_EQ(said("ball", {}), "");
  EXPECT_EQ(said("ball", {"round", "red"}), "");
  EXPECT_EQ(said("", {"round"}), "toy \"" + lines);
  EXPECT_EQ(said("a\n", {}), "toy \"a\\x0a" + lines);
  EXPECT_EQ(said("ball", {"round", "red\x1b"}), "toy \"ball" + lines);
  EXPECT_EQ(said("ball", {"\x1b", "red"}), "toy \"ball" + lines);
}

struct Sail {
  static const char* axis() { return "sail"; }
};
struct Boat {
  std::string sail = "none";
};
struct Area {
  std::uint32_t area = 1;
};

std::vector<std::string> keys_with(const OptionList& options) {
  std::vector<std::string> keys;
  for_each_declared(options, [&](const Option& option, const std::string& condition) {
    keys.push_back(option.key() + (condition.empty() ? "" : " with " + condition));
  });
  return keys;
}

/// Options are asked for before a plugin is loaded, too: `braid` reads its arguments by them.
TEST(Registrations, OptionsOfAPolicyExistFromItsRegistrationOn) {
  const auto add_sail = [](const char* name) {
    const auto area = OptionTable<Area>("boat").integer(name, &Area::area, 1, 9, "square metres");
    Registry<Sail>::instance().add(name, "a sail", area.list(), [] { return std::make_unique<Sail>(); });
  };
  const auto boat = OptionTable<Boat>("boat").policy<Registry<Sail>>("sail", &Boat::sail, "what it has", "none");
  using Keys = std::vector<std::string>;
  EXPECT_EQ(keys_with(boat.list()), (Keys{"boat.sail"}));
  add_sail("jib");
  EXPECT_EQ(keys_with(boat.list()), (Keys{"boat.sail", "boat.jib with boat.sail = \"jib\""}));
  EXPECT_EQ(keys_with(boat.list()), (Keys{"boat.sail", "boat.jib with boat.sail = \"jib\""})) << "a second time";
  OptionList ship = boat.list();
  ship.front().section = "ship";
  EXPECT_EQ(keys_with(ship), (Keys{"ship.sail", "boat.jib with ship.sail = \"jib\""})) << "a copy's are its own";
  Registry<Sail>::instance().add("lug", "another sail", [] { return std::make_unique<Sail>(); });
  EXPECT_EQ(keys_with(boat.list()), (Keys{"boat.sail", "boat.jib with boat.sail = \"jib\""})) << "without options";
  const Option& sail = boat.list().front();
  using Pairs = std::vector<std::pair<std::string, std::string>>;
  EXPECT_EQ(sail.policies(), (Pairs{{"none", "no policy"}, {"jib", "a sail"}, {"lug", "another sail"}}));
  EXPECT_EQ(sail.expected(), "one of: none, jib, lug");
  const auto said = [&](const char* name) {
    Configuration c;
    c.set("boat.sail", name, {"b.toml", 1, 8});
    return braid::test::complaint([&] { EXPECT_EQ(boat.read(c).sail, name); });
  };
  for (const char* known : {"none", "jib", "lug"}) EXPECT_EQ(said(known), "");
  EXPECT_EQ(said("jub"), "b.toml:1:8: unknown sail \"jub\" (did you mean \"jib\"?); known: none, jib, lug");
}

}  // namespace
}  // namespace braid::test::registrations_test
