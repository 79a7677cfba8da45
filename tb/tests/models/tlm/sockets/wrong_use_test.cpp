// Wrong use of the sockets: SC_ERROR with the hierarchical name and what to do. One case a process.
#include <gtest/gtest.h>

#include <array>
#include <string>

#include "models/tlm/sockets/estimated_interconnect.h"
#include "models/tlm/sockets/interconnect.h"
#include "tb/tests/support/tlm_memory.h"
#include "tb/tests/support/tlm_network.h"

namespace braid::test::wrong_use_test {
namespace {

using models::Interconnect;
using models::Simulation;
using sc_core::sc_time;

struct Bound {
  Bound() : simulation(tlm_network("hybrid")), net("net", simulation.engine()) {
    client.socket.bind(net.target(0));
    net.initiator(5).bind(far.socket);
    net.initiator(2).bind(near.socket);
  }
  std::string run(const std::function<void()>& act) {
    client.thread = act;
    return wrong_use([] { sc_core::sc_start(sc_time(1, sc_core::SC_US)); });
  }
  Simulation simulation;
  Interconnect net;
  TestClient<> client{"client"};
  TestMemory<> near{"near"}, far{"far"};
};

void expect_says(const std::string& message, const std::string& name, const std::string& what) {
  EXPECT_NE(message.find(name), std::string::npos) << message;
  EXPECT_NE(message.find(what), std::string::npos) << message;
}

TEST(WrongUseOfSockets, NullDataPointer) {
  Bound b;
  expect_says(b.run([&] { b.client.b(tlm::TLM_READ_COMMAND, 0x1000, nullptr, 4); }), "net.target_0",
              "null data pointer; set_data_ptr()");
}

TEST(WrongUseOfSockets, PayloadOverTheEndOfARange) {
  Bound b;
  std::array<unsigned char, 8> data{};
  b.client.pool.take();
  expect_says(b.run([&] {
    b.client.b(tlm::TLM_READ_COMMAND, 0x1ffc, data.data(), 4);
    b.client.b(tlm::TLM_READ_COMMAND, 0x1ffd, data.data(), 4);
  }),
              "net.target_0", "4 bytes from 0x1ffd on go over the end of 0x1000 .. 0x1fff of node 5; cut the payload");
}

TEST(WrongUseOfSockets, NoMemoryManager) {
  Bound b;
  std::uint32_t word = 0;
  tlm::tlm_generic_payload p;
  expect_says(b.run([&] {
    b.client.fill(p, tlm::TLM_READ_COMMAND, 0x1000, &word, 4);
    b.client.send(p);
  }),
              "net.target_0", "set_mm()");
}

TEST(WrongUseOfSockets, EndOfNoResponse) {
  Bound b;
  std::uint32_t word = 0;
  expect_says(b.run([&] {
    tlm::tlm_generic_payload& p = b.client.pool.take();
    b.client.fill(p, tlm::TLM_READ_COMMAND, 0x1000, &word, 4);
    tlm::tlm_phase phase = tlm::END_RESP;
    sc_time delay;
    b.client.socket->nb_transport_fw(p, phase, delay);
  }),
              "net.target_0", "END_RESP for a payload of which no BEGIN_RESP is open");
}

TEST(WrongUseOfSockets, AnUnboundSocket) {
  Bound b;
  b.net.target(3);
  expect_says(b.run([] {}), "net.target_3", "is bound to nothing; bind a module");
}

TEST(WrongUseOfSockets, ARangeWithoutATarget) {
  Simulation simulation(tlm_network("hybrid"));
  Interconnect net("net", simulation.engine());
  TestClient<> client("client");
  client.socket.bind(net.target(0));
  TestMemory<> far("far");
  net.initiator(5).bind(far.socket);
  expect_says(wrong_use([] { sc_core::sc_start(sc_core::SC_ZERO_TIME); }), "net",
              "0x8000 .. 0x8fff of node 2 leads to no target; bind one to initiator(2)");
}

TEST(WrongUseOfSockets, MoreTargetsThanRanges) {
  Bound b;
  TestMemory<> other("other");
  b.net.initiator(5).bind(other.socket);
  expect_says(b.run([] {}), "net", "node 5 has 2 targets and 1 ranges");
}

TEST(WrongUseOfSockets, AnOverlappingMap) {
  models::Experiment e = tlm_network("hybrid");
  e.set("tlm.map", "5: 0x1000 +4K, 2: 0x1fff +4K");
  Simulation simulation(e);
  expect_says(wrong_use([&] { Interconnect net("net", simulation.engine()); }), "net",
              "overlap; expected ranges apart");
}

TEST(WrongUseOfSockets, AnOverlappingMapInAnEstimate) {
  models::Experiment e = tlm_network("hybrid");
  e.set("tlm.style", "loosely_timed");
  e.set("tlm.map", "5: 0x1000 +4K, 2: 0x1fff +4K");
  const auto topology = routing::make_topology(e);
  const auto routing = routing::make_routing(topology, e);
  expect_says(wrong_use([&] { models::EstimatedInterconnect net("net", e, topology, *routing); }),
              "net: tlm.map: ", "overlap; expected ranges apart");
}

/// What `braid check` asks, without anybody who binds: the same sentence, with the place of the key.
TEST(WrongUseOfSockets, AnOverlappingMapIsSeenByACheck) {
  models::Experiment e = tlm_network("hybrid");
  EXPECT_NO_THROW(Simulation(e).check_for_users());
  e.set("tlm.map", "5: 0x1000 +4K, 2: 0x1fff +4K", {"e.toml", 7, 3});
  const Simulation simulation(e);
  try {
    simulation.check_for_users();
    FAIL() << "ranges overlap";
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(),
                 "e.toml:7:3: tlm.map: 0x1000 .. 0x1fff of node 5 and 0x1fff .. 0x2ffe of node 2 overlap; expected "
                 "ranges apart from each other");
  }
}

TEST(WrongUseOfSockets, NoSection) {
  Simulation simulation(uniform_mesh(0.1, 3, 2));
  expect_says(wrong_use([&] { Interconnect net("net", simulation.engine()); }), "net", "needs a section [tlm]");
}

TEST(WrongUseOfSockets, ASecondInterconnectOfANetwork) {
  Bound b;
  expect_says(wrong_use([&] { Interconnect second("second", b.simulation.engine()); }), "second",
              "the network has an Interconnect; expected one");
}

TEST(WrongUseOfSockets, AStyleWithoutFlits) {
  models::Experiment e = tlm_network("hybrid");
  e.set("tlm.style", "loosely_timed");
  Simulation simulation(e);
  expect_says(wrong_use([&] { Interconnect net("net", simulation.engine()); }), "net",
              "tlm.style = \"loosely_timed\" has the sockets of EstimatedInterconnect; expected \"cycle_accurate\"");
}

TEST(WrongUseOfSockets, ATargetToWhichNoAddressLeads) {
  Bound b;
  TestMemory<> other("other");
  b.net.initiator(4).bind(other.socket);
  expect_says(b.run([] {}), "net.initiator_4", "no address leads to node 4; give it a range in tlm.map");
}

TEST(WrongUseOfSockets, NoSuchNode) {
  Bound b;
  expect_says(wrong_use([&] { b.net.target(6); }), "net", "target(6): no such node; expected 0 to 5");
}

TEST(WrongUseOfSockets, AnotherWidthAtANode) {
  Bound b;
  expect_says(wrong_use([&] { b.net.target<64>(0); }), "net.target_0", "has another width or kind");
}

/// An engine made when cycles are past would miss them.
TEST(WrongUseOfSockets, AnEngineMadeTooLate) {
  Simulation simulation(tlm_network("hybrid"));
  sc_core::sc_start(sc_time(5, sc_core::SC_NS));
  expect_says(wrong_use([&] { simulation.engine(); }), "network", "5 ns");
}

TEST(CircuitsOfSockets, AreBetweenPairsOfNodesOfAHybridNetwork) {
  const auto refused = [](const models::Experiment& e) { EXPECT_THROW(Simulation{e}, InputError); };
  models::Experiment e = tlm_network("hybrid");
  e.add("tlm.circuits", std::vector<std::uint32_t>{0}, {});
  refused(e);
  e.add("tlm.circuits", std::vector<std::uint32_t>{0, 6}, {});
  refused(e);
  e = tlm_network("virtual_cut_through");
  e.add("tlm.circuits", std::vector<std::uint32_t>{0, 5}, {});
  refused(e);
}

}  // namespace
}  // namespace braid::test::wrong_use_test
