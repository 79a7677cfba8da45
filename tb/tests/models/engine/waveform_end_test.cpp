// The end of a waveform, which may come before its last cycle, and the cycles that it may have.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "models/engine/waveform.h"
#include "tb/tests/support/bench.h"
#include "tb/tests/support/complaint.h"
#include "tb/tests/support/program.h"

namespace braid::test::waveform_end_test {
namespace {

models::WaveformOptions options_of(const std::string& file) {
  models::WaveformOptions options;
  options.file = temporary_file(file);
  return options;
}

/// A run of ten cycles in which a packet is watched that is never made: what the end says, which is after a deadlock
/// (with a line of the watchdog's) or not, and whether the file is there then.
std::string said_at_the_end(const std::vector<std::string>& waiting) {
  models::Experiment e = uniform_mesh(0.0, 2, 1);
  e.set("watch.what", "packet=0.0");
  Bench bench(e);
  const models::WaveformOptions options = options_of("early.vcd");
  models::Waveform wave(*bench.network, options);
  for (std::uint64_t cycle = 0; cycle < 10; ++cycle) {
    bench.run(1);
    wave.sample(cycle);
  }
  EXPECT_NO_THROW(wave.check()) << "it may still come";
  return complaint([&] { wave.close(waiting); });
}

/// There will be no more cycles: what has not been under way was not. (After a deadlock that says enough.)
TEST(WaveformEnd, ComplainsOfAPacketThatItNeverSaw) {
  EXPECT_EQ(said_at_the_end({}),
            "watch.what: packet=0.0 is not under way in the waveform's cycles, 0 to 2000 (trace.from_cycle, "
            "trace.to_cycle)");
  EXPECT_EQ(said_at_the_end({"router 0,0 port east vc 0: waits"}), "");
}

/// Values are those of the cycle, whatever it is that changes: the row of cycles is a waveform's own.
TEST(WaveformEnd, HasEachCycleAtItsTime) {
  Bench bench(uniform_mesh(0.0, 2, 1));
  const models::WaveformOptions options = options_of("cycles.vcd");
  models::Waveform wave(*bench.network, options);
  for (std::uint64_t cycle = 0; cycle < 4; ++cycle) {
    bench.run(1);
    wave.sample(cycle);
  }
  wave.close();
  const std::string text = content(options.file);
  EXPECT_NE(text.find("\n#1\nb1 !\n#2\nb10 !\n#3\nb11 !\n#4\n"), std::string::npos)
      << text.substr(text.find("$end\n#"));
}

std::string said_of(std::uint64_t from, std::uint64_t to, const std::string& routers, const std::string& file) {
  const Bench bench(uniform_mesh(0.0, 2, 1));
  models::WaveformOptions options = options_of("checked.vcd");
  options.from_cycle = from;
  options.to_cycle = to;
  options.routers = routers;
  if (file != "checked.vcd") options.file = file;
  return complaint([&] { models::check_waveform(bench.topology, options); });
}

/// One cycle at least; where nothing is written nothing is wrong.
TEST(WaveformCheck, AsksForACycleAndForRoutersThatThereAre) {
  EXPECT_EQ(said_of(5, 5, "all", "checked.vcd"), "");
  EXPECT_EQ(said_of(6, 5, "all", "checked.vcd"), "trace.to_cycle = 5: expected trace.from_cycle = 6 or more");
  EXPECT_EQ(said_of(5, 5, "1,0 0,0", "checked.vcd"), "");
  EXPECT_NE(said_of(5, 5, "1,0 2,0", "checked.vcd").find("trace.routers: unknown router \"2,0\""), std::string::npos);
  EXPECT_EQ(said_of(5, 5, "all", "no.wave"), "no.wave: a waveform is a .vcd or an .fst file");
  EXPECT_EQ(said_of(6, 5, "2,0", ""), "");
}

}  // namespace
}  // namespace braid::test::waveform_end_test
