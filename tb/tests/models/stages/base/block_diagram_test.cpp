// Lists and drawings of modules are read from their bindings: which port has which channel, and what leads from whom to
// whom. One case a process (SystemC elaborates once).
#include "models/stages/base/block_diagram.h"

#include <gtest/gtest.h>

#include <deque>
#include <string>
#include <vector>

#include "models/stages/base/bit_ports.h"
#include "models/stages/base/register_channel.h"
#include "models/stages/base/step_clock.h"
#include "tb/tests/support/elaborate.h"

namespace braid::test::block_diagram_test {
namespace {

using models::stages::Bits;
using models::stages::InBits;
using models::stages::ModuleTree;
using models::stages::OutBits;
using models::stages::RegisterChannel;

class Registers final : public models::stages::Bank {};

struct Unit : sc_core::sc_module {
  explicit Unit(const sc_core::sc_module_name& name) : sc_module(name) {}
  sc_core::sc_in<bool> clk_i{"clk_i"};
  InBits first_i{"first_i"}, second_i{"second_i"};
  OutBits first_o{"first_o"}, second_o{"second_o"}, third_o{"third_o"};
};

/// Units `a` and `b` with channels between them, `a` with one to itself.
struct Room : sc_core::sc_module {
  explicit Room(const sc_core::sc_module_name& name) : sc_module(name) {
    a.clk_i(clocks[0]), b.clk_i(clocks[1]);
    a.first_i(from_outside), a.second_i(own), a.first_o(one), a.second_o(another), a.third_o(own);
    b.first_i(one), b.second_i(from_outside), b.first_o(left), b.second_o(others), b.third_o(left_too);
  }
  RegisterChannel& channel(const char* of, unsigned width) {
    return channels.emplace_back(of, width, bank, [](Bits&) {});
  }
  Registers bank;
  std::deque<RegisterChannel> channels;
  models::stages::StepClocks clocks{2};
  RegisterChannel &from_outside = channel("from_outside", 3), &own = channel("own", 9), &one = channel("one", 5),
                  &another = channel("another", 1), &left = channel("left", 7), &left_too = channel("left_too", 70);
  sc_core::sc_signal<Bits> others{"others", Bits(4)};
  Unit a{"a"}, b{"b"};
};

struct Building : sc_core::sc_module {
  explicit Building(const sc_core::sc_module_name& name) : sc_module(name) {}
  Room room{"room"};
};

/// A channel that several read is an arrow to each, several channels between two are one arrow. What none of the units
/// writes or reads comes from outside, or goes there; others' signals and clocks are not drawn, nor what stays with
/// one.
TEST(BlockDiagram, LeadsFromWriterToReader) {
  const Building building("building");
  elaborate();
  EXPECT_EQ(models::stages::block_diagram(building.room),
            "flowchart LR\n"
            "  a -- \"one 5\" --> b\n"
            "  a -- \"another 1\" --> outside\n"
            "  b -- \"left 7<br>left_too 70\" --> outside\n"
            "  outside -- \"from_outside 3\" --> a\n"
            "  outside -- \"from_outside 3\" --> b\n");
  EXPECT_EQ(models::stages::block_diagram(building), "flowchart LR\n") << "modules inside modules are not drawn";
}

std::string text(const ModuleTree& tree) {
  std::string all = tree.name + ":";
  for (const auto& port : tree.ports) {
    all += (port.output ? " out " : " in ") + port.name + " " + std::to_string(port.bits) + " <" + port.channel + ">";
  }
  for (const ModuleTree& module : tree.modules) all += "\n" + text(module);
  return all;
}

/// A clock has its name and one bit, a signal of others' no name.
TEST(ModuleTreeOfModules, HasEachPortWithItsBitsAndItsChannel) {
  const Building building("building");
  elaborate();
  const std::string room = "building.room";
  EXPECT_EQ(text(models::stages::module_tree(building)),
            "building:\n" + room + ":\n" +  //
                room + ".a: in clk_i 1 <" + room + ".clk> in first_i 3 <" + room + ".from_outside> in second_i 9 <" +
                room + ".own> out first_o 5 <" + room + ".one> out second_o 1 <" + room + ".another> out third_o 9 <" +
                room + ".own>\n" +  //
                room + ".b: in clk_i 1 <" + room + ".clk_1> in first_i 5 <" + room + ".one> in second_i 3 <" + room +
                ".from_outside> out first_o 7 <" + room + ".left> out second_o 1 <> out third_o 70 <" + room +
                ".left_too>");
}

TEST(ModuleTreeOfModules, IsOfPortsOfOneBitUnlessToldOtherwise) {
  const models::stages::PortBinding binding;
  EXPECT_EQ(binding.bits, 1U);
  EXPECT_FALSE(binding.output);
}

}  // namespace
}  // namespace braid::test::block_diagram_test
