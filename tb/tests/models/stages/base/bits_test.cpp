// Bits of any width, bit by bit, and the signals that a testbench puts on a module's ports. One case a process (SystemC
// elaborates once).
#include "models/stages/base/bits.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <string>

#include "models/stages/base/bit_ports.h"
#include "models/stages/base/register_channel.h"
#include "tb/tests/support/bench.h"
#include "tb/tests/support/graphs.h"

namespace braid::test::bits_test {
namespace {

using models::stages::Bits;
using models::stages::InBits;
using models::stages::OutBits;
using models::stages::PortSignals;
using models::stages::RegisterChannel;

constexpr unsigned kWidth = 130;  // five words of SystemC's

bool pattern(unsigned i) { return (i * i + i / 7) % 3 == 0; }
Bits patterned() {
  Bits bits(kWidth);
  for (unsigned i = 0; i < kWidth; ++i) bits.set(i, pattern(i));
  return bits;
}

constexpr unsigned kPlaces[] = {0, 1, 31, 32, 33, 63, 64, 65, 66}, kWidths[] = {0, 1, 2, 31, 32, 33, 63, 64};

TEST(Bits, GiveAnyFieldAsTheirBitsAre) {
  const Bits bits = patterned();
  for (const unsigned low : kPlaces) {
    for (const unsigned width : kWidths) {
      std::uint64_t wanted = 0;
      for (unsigned i = 0; i < width; ++i) wanted |= std::uint64_t{pattern(low + i)} << i;
      EXPECT_EQ(bits.field(low, width), wanted) << width << " from " << low;
    }
  }
}

/// Those of the field become the value's, whatever it has above them; the others stay.
TEST(Bits, TakeAFieldAndKeepTheOthers) {
  for (const unsigned low : kPlaces) {
    for (const unsigned width : kWidths) {
      for (const std::uint64_t value : {std::uint64_t{0}, ~std::uint64_t{0}, std::uint64_t{0x123456789abcdef0}}) {
        Bits bits = patterned();
        bits.set(low, width, value);
        for (unsigned i = 0; i < kWidth; ++i) {
          const bool inside = i >= low && i < low + width;
          ASSERT_EQ(bits[i], inside ? (value >> (i - low) & 1) != 0 : pattern(i))
              << width << " from " << low << ", " << i;
        }
      }
    }
  }
}

TEST(Bits, AreMadeOfAValue) {
  EXPECT_EQ(Bits(4, 0b0110).text(), "4'b0110");
  EXPECT_EQ(Bits(4, 0b110110).text(), "4'b0110") << "of as many bits";
  EXPECT_EQ(Bits(3).text(), "3'b000");
  EXPECT_EQ(Bits().width(), 0U);
  EXPECT_EQ(Bits(0, 5).field(0, 0), 0U);
  EXPECT_FALSE(Bits(0, 5).any());
  EXPECT_EQ(Bits(32, 0xfedcba98).word(), 0xfedcba98U);
  EXPECT_EQ(Bits(5, 0b10011).word(), 0b10011U);
  std::ostringstream out;
  out << Bits(2, 2);
  EXPECT_EQ(out.str(), "2'b10");
}

TEST(Bits, AreSetClearedAndCompared) {
  Bits bits(40);
  EXPECT_FALSE(bits.any());
  bits.set(39);
  EXPECT_TRUE(bits.any() && bits[39] && !bits[38]);
  EXPECT_NE(bits, Bits(40));
  bits.set(39, false);
  EXPECT_EQ(bits, Bits(40));
  EXPECT_NE(bits, Bits(41)) << "as many";
  bits.set(0, 40, ~std::uint64_t{0});
  bits.clear();
  EXPECT_EQ(bits, Bits(40));
  Bits other(40, 7);
  const Bits& same = other;
  other = same;
  EXPECT_EQ(other.word(), 7U);
  bits = other;
  EXPECT_EQ(bits.field(0, 40), 7U);
}

// ---------------------------------------------------------------- signals on ports

struct Module : sc_core::sc_module {
  explicit Module(const sc_core::sc_module_name& name) : sc_module(name) {}
  InBits wide_i{"wide_i", 70}, flag_i{"flag_i", 1}, any_i{"any_i"};
  OutBits result_o{"result_o", 5}, valid_o{"valid_o", 1};
};

TEST(PortSignals, AreAsWideAsThePortSaysOrAsTheTestDoes) {
  Module module("module");
  PortSignals signals(module, 9);
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  EXPECT_EQ(signals.read("wide_i").width(), 70U);
  EXPECT_EQ(signals.read("flag_i").width(), 1U);
  EXPECT_EQ(signals.read("any_i").width(), 9U);
  EXPECT_EQ(signals.read("result_o").width(), 5U);
  signals.resize("any_i", 12);
  signals.set("wide_i", 66, 3, 0b101);
  signals.set("wide_i", 2);
  signals.set("flag_i", 0);
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  EXPECT_EQ(module.any_i.read(), Bits(12));
  EXPECT_EQ(module.wide_i.read().field(0, 64), 4U);
  EXPECT_EQ(module.wide_i.read().field(64, 6), 0b010100U) << "beside what was set before";
  EXPECT_TRUE(module.flag_i.read()[0]);
  signals.set("wide_i", 2, false);
  signals.clear("flag_i");
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  EXPECT_EQ(module.wide_i.read().field(0, 64), 0U);
  EXPECT_TRUE(module.wide_i.read().any());
  EXPECT_EQ(module.flag_i.read(), Bits(1));
}

TEST(PortSignals, LeaveAPortThatIsBound) {
  Module module("module");
  sc_core::sc_signal<Bits> own("own", Bits(70, 6));
  module.wide_i(own);
  PortSignals signals(module, 1);
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  EXPECT_EQ(module.wide_i.read().field(0, 64), 6U);
  EXPECT_THROW((void)signals.read("wide_i"), std::out_of_range);
}

/// GTKWave's rows: inputs, then outputs, each by its name; the range of those that are wider than a bit.
TEST(PortSignals, AreSavedAsRowsOfAWaveform) {
  Module module("module");
  const PortSignals signals(module, 3);
  const std::string stem = temporary_file("rows");
  signals.save(stem);
  std::ifstream in(stem + ".gtkw");
  const std::string rows{std::istreambuf_iterator<char>(in), {}};
  EXPECT_EQ(rows, "[dumpfile] \"" + stem + ".vcd\"\n" +
                      "@200\n-inputs\n@22\nSystemC.any_i[2:0]\nSystemC.flag_i\nSystemC.wide_i[69:0]\n" +
                      "@200\n-outputs\n@22\nSystemC.result_o[4:0]\nSystemC.valid_o\n");
  std::remove((stem + ".gtkw").c_str());
}

/// A bank of one register.
class Register final : public models::stages::Bank {
 public:
  std::uint64_t value = 5;
  RegisterChannel channel(const char* name, unsigned width) {
    return {name, width, *this, [this, width](Bits& b) { b.set(0, width, value); },
            [this, width](const Bits& b) { value = b.field(0, width); }};
  }
};

/// In one direction as in the other; a port that does not say its width takes any.
TEST(Widths, OfPortsAreThoseOfTheirChannels) {
  Register bank;
  RegisterChannel four = bank.channel("four", 4), five = bank.channel("five", 5), seventy = bank.channel("seventy", 70);
  RegisterChannel one = bank.channel("one", 1);
  struct Ports : sc_core::sc_module {
    explicit Ports(const sc_core::sc_module_name& name) : sc_module(name) {}
    InBits in_i{"in_i", 5};
    OutBits out_o{"out_o", 5};
    InBits any_i{"any_i"};
  } right("right"), wrong_in("wrong_in"), wrong_out("wrong_out");
  right.in_i(five), right.out_o(five), right.any_i(seventy);
  wrong_in.in_i(four), wrong_in.out_o(five), wrong_in.any_i(one);
  wrong_out.in_i(five), wrong_out.out_o(four), wrong_out.any_i(one);
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  EXPECT_EQ(complaint([&] { models::stages::check_widths(right); }), "");
  EXPECT_EQ(complaint([&] { models::stages::check_widths(wrong_in); }),
            "wrong_in.in_i: a port of 5 bits is bound to a signal of 4");
  EXPECT_EQ(complaint([&] { models::stages::check_widths(wrong_out); }),
            "wrong_out.out_o: a port of 5 bits is bound to a signal of 4");
}

/// Whoever stands outside of the kernel's phases writes at once.
TEST(RegisterChannel, TakesAtOnceWhatItIsToldTo) {
  Register bank;
  RegisterChannel channel = bank.channel("channel", 8), reader("reader", 8, bank, [](Bits& b) { b.set(0, 8, 77); });
  EXPECT_STREQ(channel.kind(), "register_channel");
  EXPECT_EQ(channel.width(), 8U);
  EXPECT_EQ(&channel.bank(), &bank);
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  channel.load(Bits(8, 12));
  EXPECT_EQ(bank.value, 12U);
  EXPECT_EQ(channel.get_data_ref().field(0, 8), 12U);
  channel.take_at_once();
  channel.write(Bits(8, 13));
  EXPECT_EQ(bank.value, 13U);
  reader.load(Bits(8, 3));
  reader.write(Bits(8, 3));
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  EXPECT_EQ(reader.read().field(0, 8), 77U) << "nobody writes it";
  EXPECT_EQ(bank.value, 13U);
}

/// Whoever has read it, a waveform say, finds there what it is when a cycle is over, bit by bit anew.
TEST(RegisterChannel, ShowsWhoHasReadItWhatItIsWhenACycleIsOver) {
  Register bank;
  {
    RegisterChannel gone = bank.channel("gone", 8);
    EXPECT_EQ(gone.read().word(), 5U);
  }
  RegisterChannel place("place", 8, bank, [&bank](Bits& b) { b.set(static_cast<unsigned>(bank.value)); });
  RegisterChannel nobodys("nobodys", 8, bank, [](Bits&) { ADD_FAILURE() << "nobody has read it"; });
  const Bits& seen = place.read();
  EXPECT_EQ(seen.text(), "8'b00100000");
  bank.value = 2;
  EXPECT_EQ(seen.text(), "8'b00100000") << "in the cycle";
  RegisterChannel::settle_watched();
  EXPECT_EQ(seen.text(), "8'b00000100");
  EXPECT_EQ(&place.read(), &seen);
  EXPECT_FALSE(place.event()) << "nobody waits for it";
}

}  // namespace
}  // namespace braid::test::bits_test
