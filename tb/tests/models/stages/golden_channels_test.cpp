// What every register and wire between two stages shows. Golden experiments run as modules, and each channel is read
// before every step of a cycle and behind the last: its width, how often it changed, a checksum of when and to what.
// Channels of all routers that have one name are one line. They stand in tb/golden/channels; BRAID_UPDATE_GOLDEN=1 in
// the environment writes them anew. The static schedule knows no such channels, so nothing else sees a channel that
// shows the wrong register.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <systemc>
#include <vector>

#include "models/experiment/experiment_reader.h"
#include "models/stages/base/register_channel.h"
#include "tb/tests/support/golden.h"
#include "tb/tests/support/network_of_modules.h"
#include "tb/tests/support/sanitized.h"

namespace braid::test::golden_channels_test {
namespace {

using models::stages::Bits;
using models::stages::RegisterChannel;

/// Cycles that are looked at: circuits are set up in the first ones; later the network is full.
struct Window {
  std::uint64_t begin, cycles;
};
constexpr Window kWindows[] = {{0, 200}, {2000, 100}};

/// Of each family of routers and each mechanism beside them what moves all its registers.
const std::set<std::string> kShown = {"mesh_x_first",
                                      "mesh_adaptive_saturated",
                                      "torus_drawn_halves",
                                      "stream_circuits",
                                      "mixed",
                                      "stream_pull",
                                      "cut_through_mesh",
                                      "tree_adaptive_sat_ring",
                                      "tree_by_source_sat_tree",
                                      "po2_derouting_fifo",
                                      "po2_rejections",
                                      "po2_escape",
                                      "irregular_every_switch",
                                      "irregular_balanced",
                                      "mesh_in_transit",
                                      "stream_ideal",
                                      "broadcast_line_spanning_tree",
                                      "stream_circuits_move_each"};

std::vector<Named> shown() {
  std::vector<Named> all = golden_experiments();
  all.erase(std::remove_if(all.begin(), all.end(), [](const Named& n) { return kShown.count(n.name) == 0; }),
            all.end());
  return all;
}

/// All channels below an object.
void collect(const std::vector<sc_core::sc_object*>& objects, std::vector<RegisterChannel*>& found) {
  for (sc_core::sc_object* object : objects) {
    if (auto* channel = dynamic_cast<RegisterChannel*>(object)) found.push_back(channel);
    collect(object->get_child_objects(), found);
  }
}

/// All channels of one name, numbers left out.
struct Line {
  std::set<unsigned> widths;
  std::uint64_t channels = 0, changes = 0;
  std::uint32_t checksum = 2166136261U;
  void add(std::uint64_t value) {
    for (; value != 0; value >>= 8) checksum = (checksum ^ static_cast<std::uint32_t>(value & 255)) * 16777619U;
    checksum *= 16777619U;
  }
};

struct Shown {
  const RegisterChannel* channel;
  Line* line;
  Bits last;
  std::uint64_t number;  // of its line
};

class Channels {
 public:
  Channels() {
    static const std::regex number("[0-9]+");
    std::vector<RegisterChannel*> all;
    collect(sc_core::sc_get_top_level_objects(), all);
    for (const RegisterChannel* channel : all) {
      Line& line = lines_[std::regex_replace(channel->name(), number, "#")];
      line.widths.insert(channel->width());
      shown_.push_back({channel, &line, Bits(channel->width()), line.channels++});
    }
  }
  /// What has changed since the last look.
  void look(std::uint64_t cycle) {
    for (Shown& s : shown_) look(cycle, s);
  }
  std::string text() const {
    std::ostringstream text;
    for (const auto& [name, line] : lines_) {
      text << name << ": " << line.channels << " of";
      for (const unsigned width : line.widths) text << ' ' << width;
      text << " bits, " << line.changes << " changes, " << std::hex << line.checksum << std::dec << '\n';
    }
    return text.str();
  }
  bool none() const { return shown_.empty(); }

 private:
  static void look(std::uint64_t cycle, Shown& s) {
    const Bits& now = s.channel->read();
    if (now == s.last) return;
    s.last = now;
    ++s.line->changes;
    s.line->add(cycle);
    s.line->add(s.number);
    for (unsigned low = 0; low < now.width(); low += 64) s.line->add(now.field(low, std::min(64U, now.width() - low)));
  }

  std::map<std::string, Line> lines_;
  std::vector<Shown> shown_;
};

class Channel : public testing::TestWithParam<Named> {};

TEST_P(Channel, ShowsWhatItDid) {
  NetworkOfModules modules("network", models::read_experiment(GetParam().file, GetParam().settings));
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  Channels channels;
  ASSERT_FALSE(channels.none());
  const models::Network& network = modules.network();
  for (const Window& window : kWindows) {
    while (network.now() < window.begin) modules.cycle(ProcessOrder::kMade);
    const std::uint64_t end = window.begin + (kBrief ? window.cycles / 10 : window.cycles);
    while (network.now() < end) {
      modules.cycle(ProcessOrder::kMade, [&](std::size_t) { channels.look(network.now()); });
    }
  }
  if (kBrief) return;
  expect_golden(channels.text(), "channels/" + GetParam().name + ".txt");
}
INSTANTIATE_TEST_SUITE_P(Channels, Channel, testing::ValuesIn(shown()), [](const auto& c) { return c.param.name; });

TEST(Channels, AreThoseOfGoldenExperiments) { EXPECT_EQ(shown().size(), kShown.size()); }

}  // namespace
}  // namespace braid::test::golden_channels_test
