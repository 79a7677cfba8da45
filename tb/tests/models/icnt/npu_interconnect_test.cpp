// ONNXim's and PyTorchSim's interface: each of its calls says what the network under it does.
#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "models/icnt/onnxim.h"
#include "tb/tests/models/icnt/configurations.h"
#include "tb/tests/support/bench.h"

namespace braid::models::icnt {
namespace {

struct Access {
  unsigned size;
};

struct Traits {
  static unsigned bytes(const Access* access) { return access->size; }
  static Kind kind(const Access*) { return Kind::kReadRequest; }
};

TEST(NpuInterconnect, CarriesARequestFromACoreToAMemory) {
  const std::string file = test::temporary_file("npu.icnt");
  std::ofstream(file) << crossbar(27);
  NpuInterconnect<Access, Traits> network(file, 15, 12);
  Access access{8};
  EXPECT_FALSE(network.running());
  EXPECT_TRUE(network.is_empty(20));
  EXPECT_FALSE(network.is_full(0, &access));
  network.push(0, 20, &access);
  EXPECT_TRUE(network.running());
  for (int cycle = 0; cycle < 100 && network.is_empty(20); ++cycle) {
    EXPECT_EQ(network.top(20), nullptr);
    network.cycle();
  }
  ASSERT_FALSE(network.is_empty(20));
  EXPECT_TRUE(network.is_empty(19));
  EXPECT_EQ(network.top(20), &access);
  network.pop(20);
  EXPECT_TRUE(network.is_empty(20));
  for (int cycle = 0; cycle < 100 && network.running(); ++cycle) network.cycle();
  EXPECT_FALSE(network.running());
  int pushed = 0;
  for (; pushed < 1000 && !network.is_full(1, &access); ++pushed) network.push(1, 20, &access);
  EXPECT_EQ(pushed, 9) << "input_buffer_size flits, as intersim2 has it: packets of one flit";
}

}  // namespace
}  // namespace braid::models::icnt
