// GPGPU-Sim's interface: the kinds of its requests, and that each of its calls is the network's.
#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <iostream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

// What a simulator has before it includes the interface. NOLINTBEGIN(readability-identifier-naming)
namespace {
enum mf_type { READ_REQUEST = 7, WRITE_REQUEST, READ_REPLY, WRITE_ACK };
class mem_fetch {
 public:
  explicit mem_fetch(mf_type type) : type_(type) {}
  mf_type get_type() const { return type_; }

 private:
  mf_type type_;
};
}  // namespace
// NOLINTEND(readability-identifier-naming)

#include "models/icnt/gpgpusim.h"
#include "tb/tests/models/icnt/configurations.h"
#include "tb/tests/support/bench.h"

namespace braid::models::icnt {
namespace {

/// A crossbar of 15 shaders and 12 memories in a file; each kind of packets has a channel of its own, in the order of
/// Kind.
std::unique_ptr<InterconnectInterface> interface_of_four_channels(const std::string& name) {
  std::string text = crossbar(27, with_vcs(4));
  unsigned vc = 0;
  for (const char* kind : {"read_request", "write_request", "read_reply", "write_reply"}) {
    const std::string number = std::to_string(vc++);
    text += std::string(kind) + "_begin_vc = " + number + "; " + kind + "_end_vc = " + number + ";";
  }
  const std::string file = test::temporary_file(name);
  std::ofstream(file) << text;
  g_icnt_interface = InterconnectInterface::New(file.c_str());
  g_icnt_interface->CreateInterconnect(15, 12);
  g_icnt_interface->Init();
  return std::unique_ptr<InterconnectInterface>(g_icnt_interface);
}

/// pop() takes turns among channels from the first one on: what was pushed in another order comes in that of Kind.
TEST(GpgpusimInterface, SendsEachTypeOfRequestAsItsKind) {
  const auto network = interface_of_four_channels("kinds.icnt");
  std::vector<mem_fetch> requests{mem_fetch(WRITE_ACK), mem_fetch(READ_REPLY), mem_fetch(WRITE_REQUEST),
                                  mem_fetch(READ_REQUEST)};
  for (unsigned shader = 0; shader < 4; ++shader) network->Push(shader, 15, &requests[shader], 40);
  EXPECT_TRUE(network->Busy());
  for (int cycle = 0; cycle < 40; ++cycle) network->Advance();
  for (const mf_type type : {READ_REQUEST, WRITE_REQUEST, READ_REPLY, WRITE_ACK}) {
    const auto* const next = static_cast<const mem_fetch*>(network->Pop(15));
    ASSERT_NE(next, nullptr) << type;
    EXPECT_EQ(next->get_type(), type);
  }
  EXPECT_EQ(network->Pop(15), nullptr);
  EXPECT_FALSE(network->Busy());
}

/// Nine flits of input_buffer_size; a flit has 40 bytes.
TEST(GpgpusimInterface, SaysWhetherThereIsRoom) {
  const auto network = interface_of_four_channels("room.icnt");
  EXPECT_EQ(network->GetFlitSize(), 40U);
  mem_fetch request(READ_REQUEST);
  for (int packet = 0; packet < 9; ++packet) {
    ASSERT_TRUE(network->HasBuffer(0, 40)) << packet;
    EXPECT_EQ(network->HasBuffer(0, 80), packet < 8) << packet;
    network->Push(0, 15, &request, 40);
  }
  EXPECT_FALSE(network->HasBuffer(0, 40));
  EXPECT_TRUE(network->HasBuffer(1, 40)) << "another device's";
}

/// A count that Init() begins anew, on standard output; the state of devices in the simulator's file.
TEST(GpgpusimInterface, PrintsWhatTheNetworkSaysOfItself) {
  const auto network = interface_of_four_channels("shown.icnt");
  mem_fetch request(READ_REQUEST);
  network->Push(2, 15, &request, 80);
  std::FILE* const file = std::tmpfile();
  ASSERT_NE(file, nullptr);
  network->DisplayState(file);
  ASSERT_EQ(std::fseek(file, 0, SEEK_SET), 0);
  char line[100] = "";
  EXPECT_NE(std::fgets(line, sizeof line, file), nullptr);
  EXPECT_STREQ(line, "braid_icnt device 2: 2 flits to inject\n");
  EXPECT_EQ(std::fgets(line, sizeof line, file), nullptr) << "of no other device";
  std::fclose(file);
  network->Advance();
  const auto shown = [&](bool overall) {
    std::ostringstream text;
    std::streambuf* const before = std::cout.rdbuf(text.rdbuf());
    if (overall) {
      network->DisplayOverallStats();
    } else {
      network->DisplayStats();
    }
    std::cout.rdbuf(before);
    return text.str();
  };
  EXPECT_EQ(shown(false).rfind("braid_icnt subnet 0: 1 cycles, 1 packets (2 flits) pushed, 0 complete", 0), 0U);
  EXPECT_EQ(shown(true), shown(false));
  network->Init();
  EXPECT_EQ(shown(true).rfind("braid_icnt subnet 0: 0 cycles, 0 packets (0 flits) pushed, 0 complete", 0), 0U);
}

/// What cannot work ends the simulator: a line on stderr, status 2.
TEST(GpgpusimInterface, EndsTheSimulatorWithALine) {
  const auto network = interface_of_four_channels("ends.icnt");
  mem_fetch request(READ_REQUEST);
  const auto two = testing::ExitedWithCode(2);
  EXPECT_EXIT(InterconnectInterface::New(nullptr)->CreateInterconnect(1, 1), two, ": cannot be read");
  EXPECT_EXIT(network->HasBuffer(27, 8), two, "device 27, expected 0 to 26");
  EXPECT_EXIT(network->Push(0, 1, &request, 8), two, "from device 0 to device 1: ");
  EXPECT_EXIT(network->Pop(27), two, "device 27, expected 0 to 26");
}

}  // namespace
}  // namespace braid::models::icnt
