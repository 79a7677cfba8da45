// What others find of a waveform: GTKWave's own reader in an FST its signals, in their scopes, and the values that they
// had when; another output of the run the names of the files that stand beside it.
#include <fstapi.h>
#include <gtest/gtest.h>

#include <bitset>
#include <filesystem>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include "models/observe/output_file.h"
#include "models/observe/save_file.h"
#include "models/observe/signals.h"
#include "models/observe/wave_file.h"
#include "routing/base/run_files.h"
#include "tb/tests/support/bench.h"
#include "tb/tests/support/complaint.h"

namespace braid::test::wave_reader_test {
namespace {

using namespace models;

struct Reader {
  explicit Reader(const std::string& file) : context(fstReaderOpen(file.c_str())) {
    if (context == nullptr) return;
    while (const fstHier* item = fstReaderIterateHier(context)) {
      if (item->htyp == FST_HT_SCOPE) hierarchy.push_back(std::string("in ") + item->u.scope.name);
      if (item->htyp == FST_HT_UPSCOPE) hierarchy.emplace_back("out");
      if (item->htyp != FST_HT_VAR) continue;
      hierarchy.push_back(std::string(item->u.var.name) + " " + std::to_string(item->u.var.length));
      EXPECT_EQ(item->u.var.is_alias, 0U);
      widths[item->u.var.handle] = item->u.var.length;
      handles[item->u.var.name] = item->u.var.handle;
    }
    fstReaderSetFacProcessMaskAll(context);
    fstReaderIterBlocks(context, take, this, nullptr);
  }
  ~Reader() {
    if (context != nullptr) fstReaderClose(context);
  }
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;
  static void take(void* reader, std::uint64_t time, fstHandle handle, const unsigned char* value) {
    Reader& self = *static_cast<Reader*>(reader);
    self.values[handle][time] = std::string(reinterpret_cast<const char*>(value), self.widths[handle]);
  }
  /// As of a time: the last one that is said up to then.
  std::string at(const std::string& name, std::uint64_t time) {
    const auto& said = values[handles[name]];
    const auto after = said.upper_bound(time);
    return after == said.begin() ? "nothing" : std::prev(after)->second;
  }

  void* context;
  std::vector<std::string> hierarchy;
  std::map<std::string, fstHandle> handles;
  std::map<fstHandle, std::uint32_t> widths;
  std::map<fstHandle, std::map<std::uint64_t, std::string>> values;  // [signal][time]
};

TEST(FstFile, IsReadWithItsScopesAndTheValuesOfEachCycle) {
  const std::string name = temporary_file("values.fst");
  SignalTable table;
  Signal* const one = table.add("r.p", "one", 1);
  Signal* const three = table.add("r", "three", 3);
  Signal* const packet = table.add_packet("q", "packet");
  three->value = 2;
  const auto file = open_wave_file(name, 2000);
  file->declare(table.signals());
  const auto write = [&](std::uint64_t cycle, std::uint64_t a, std::uint64_t b, std::uint64_t c) {
    one->value = a;
    three->value = b;
    packet->value = c;
    file->write(cycle);
  };
  const std::uint64_t number = packet_number(3, 5);
  write(5, 1, 2, number);
  write(6, 1, 7, number);
  write(9, 0, 7, 0);
  file->finish();
  Reader reader(name);
  ASSERT_NE(reader.context, nullptr);
  EXPECT_EQ(reader.hierarchy,
            (std::vector<std::string>{"in r", "in p", "one 1", "out", "three 3", "out", "in q", "packet 52", "out"}));
  const std::string bits = std::bitset<kPacketBits>(number).to_string(), none(kPacketBits, '0');
  EXPECT_EQ(reader.at("one", 10), "1");
  EXPECT_EQ(reader.at("one", 17), "1");
  EXPECT_EQ(reader.at("one", 18), "0");
  EXPECT_EQ(reader.at("three", 10), "010") << "as it was declared";
  EXPECT_EQ(reader.at("three", 11), "010");
  EXPECT_EQ(reader.at("three", 12), "111");
  EXPECT_EQ(reader.at("packet", 10), bits);
  EXPECT_EQ(reader.at("packet", 17), bits);
  EXPECT_EQ(reader.at("packet", 18), none);
}

/// Of each kind of names the two that it may have, whatever the width of those that were there before; no others.
TEST(ValueNames, AreClaimedSoThatNoOtherOutputIsTheirs) {
  const std::string wave = std::filesystem::absolute(temporary_file("claimed.vcd")).lexically_normal().string();
  const std::string stem = wave.substr(0, wave.size() - 4);
  const SignalValues states{"states", {"idle", "busy"}};
  SignalTable table;
  table.add("s", "plain", 5);
  table.add_named("s", "state", 5, states);
  table.add_named("s", "other", 5, states);
  table.add_packet("s", "packet");
  RunFiles files;
  const RunFiles::Scope scope(files);
  ValueNames(wave).claim(table.signals());
  const auto claim = [&](const std::string& ending) {
    return complaint([&] { claim_output(stem + ending, "log.file"); });
  };
  for (const std::string ending : {".states.txt", ".states.2.txt", ".packets.txt", ".packets.13.txt"}) {
    EXPECT_EQ(claim(ending),
              stem + ending + ": trace.file and log.file would write the same file: expected a file " + "for each");
  }
  for (const std::string ending : {".states.1.txt", ".packets.1.txt", ".plain.txt", ".txt", ".vcd"}) {
    EXPECT_EQ(claim(ending), "") << ending;
  }
}

}  // namespace
}  // namespace braid::test::wave_reader_test
