// What a family says that its registers will take is what they take, array by array (that it is near what is on the
// heap then: tb/tests/models/engine/memory_estimate_test.cpp).
#include <gtest/gtest.h>

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "models/fabric/fabric.h"
#include "models/families/ideal/fabric.h"
#include "models/families/po2/fabric.h"
#include "models/families/virtual_cut_through/fabric.h"
#include "tb/tests/support/families.h"
#include "tb/tests/support/graphs.h"
#include "tb/tests/support/trees.h"

namespace braid::test::family_bytes_test {
namespace {

using models::Experiment;

template <class T>
std::uint64_t bytes_of(const std::vector<T>& values) {
  return values.size() * sizeof(T);
}

std::uint64_t said(const Bench& bench, const std::string& family) {
  return models::FabricRegistry::instance().make(family)->fabric_bytes(bench.experiment, bench.topology,
                                                                       *bench.routing);
}

/// Bytes beside the wiring: what is counted in bytes itself is left out.
void expect_of_cut_through(const Experiment& e) {
  Bench bench(e);
  const auto& bank = dynamic_cast<models::virtual_cut_through::Fabric&>(bench.network->fabric()).bank();
  const std::uint64_t packets = std::uint64_t{bank.depth()} * bank.input_port_count();
  std::uint64_t wanted = models::Wiring::bytes(bench.topology) + bytes_of(bank.routers) + bytes_of(bank.queues) +
                         bytes_of(bank.ways) + bytes_of(bank.through) + bytes_of(bank.entering) +
                         bytes_of(bank.downstream) + bytes_of(bank.flits_sent) +
                         packets * sizeof(models::virtual_cut_through::QueuedPacket);
  if (bank.has_fast_links())
    wanted += bank.input_port_count() * sizeof(std::uint32_t) + packets * sizeof(std::uint64_t);
  EXPECT_EQ(said(bench, "virtual_cut_through"), wanted);
}

TEST(FamilyBytes, OfCutThroughRoutersAreThoseOfTheirBank) {
  for (const std::uint32_t packets : {1U, 4U, 5U}) {
    Experiment e = in_family("virtual_cut_through");
    e.set("router.queue_packets", packets);
    expect_of_cut_through(e);
  }
}

TEST(FamilyBytes, OfCutThroughRoutersCountTailsWhereLinksAreFast) { expect_of_cut_through(vct_fat_tree(0.0)); }

TEST(FamilyBytes, OfPo2RoutersAreThoseOfTheirPools) {
  for (const std::uint32_t buffers : {1U, 20U, 64U}) {
    Experiment e = in_family("po2");
    e.set("po2.buffers", buffers);
    Bench bench(e);
    std::uint64_t wanted = 0;
    for (const models::po2::Router& router : models::po2::of(bench.network->fabric()).routers()) {
      wanted += sizeof router + bytes_of(router.buffers) + bytes_of(router.ports) + bytes_of(router.offers) +
                router.buffers.size() * (bench.routing->max_candidates() + 1) * sizeof(routing::Candidate);
    }
    EXPECT_EQ(said(bench, "po2"), wanted) << buffers;
  }
}

/// An empty deque has a block of 512 bytes.
TEST(FamilyBytes, OfMyrinetSwitchesAreThoseOfTheirChannels) {
  const Bench bench(in_family("myrinet"));
  const models::myrinet::Slice& slice = myrinet_of(bench).slice();
  EXPECT_EQ(said(bench, "myrinet"), models::Wiring::bytes(bench.topology) + bytes_of(slice.outputs()) +
                                        bytes_of(slice.inputs()) + bytes_of(slice.channels()) +
                                        512 * slice.channels().size());
}

/// Six numbers of each node, of which three are its ports and what it sends and takes, and what is at its receiver.
TEST(FamilyBytes, OfTheIdealNetworkAreThoseOfItsNodes) {
  struct Receiver {
    std::size_t coming, taking;
    std::deque<std::uint64_t> waiting;
  };
  const Bench bench(in_family("ideal"));
  EXPECT_EQ(bench.topology.node_count(), 64U);
  EXPECT_EQ(said(bench, "ideal"), 64 * (6 * sizeof(std::size_t) + sizeof(Receiver) + 512));
  EXPECT_EQ(models::ideal::Fabric::bytes(0), 0U);
}

/// Events skip most cycles, or all nodes share their turns: one slice, whatever is asked for. Others are cut.
TEST(FamilySlices, AreOneWhereThereIsNothingToShare) {
  for (const std::string family : {"myrinet", "ideal", "po2", "virtual_cut_through"}) {
    const Experiment e = in_family(family);
    const auto made = models::FabricRegistry::instance().make(family);
    const bool cut = family == "po2" || family == "virtual_cut_through";
    EXPECT_EQ(made->slices(e, 4, 12), cut ? 4U : 1U) << family;
    EXPECT_EQ(made->loses_links(), family == "myrinet") << family;
  }
}

}  // namespace
}  // namespace braid::test::family_bytes_test
