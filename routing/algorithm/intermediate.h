// Packets that go by an intermediate place (Valiant, "A scheme for fast parallel communication", SIAM J. Computing
// 11(2), 1982). No packet carries the place: it is a function of source, destination and of what the packet drew when
// it was made (RouteQuery::draw), which every router works out again. Whether the packet has been there, its VC says.
#pragma once

#include <string>

#include "routing/algorithm/routing_algorithm.h"
#include "routing/base/random.h"

namespace braid::routing {

/// Of a pair's packets, as many kinds.
constexpr std::uint32_t kIntermediateDraws = 256;

/// Bits of a pair of nodes, as good as drawn.
inline std::uint64_t bits_of_pair(const RouteQuery& q) {
  return mix64((std::uint64_t{q.source.value} << 32 | q.destination.value) + 1);
}

/// The number of the packet's intermediate among `places`. The 256 kinds of a pair's packets are dealt out evenly, from
/// a start of the pair's own: where 256 is a multiple of `places`, each is as likely; else a pair prefers some by one
/// kind, another pair others; of more than 256 places each pair has 256, evenly apart.
inline std::uint64_t intermediate_of(const RouteQuery& q, std::uint64_t places) {
  const auto start = static_cast<std::uint64_t>((Uint128{bits_of_pair(q)} * (places * kIntermediateDraws)) >> 64);
  return (q.draw * places + start) / kIntermediateDraws % places;
}

/// Which way round rings where both are as long: a bit a dimension, on the way to the intermediate (0 to 7) and from
/// there (8 to 15).
inline std::uint32_t tie_bits(const RouteQuery& q) {
  return static_cast<std::uint32_t>(mix64(bits_of_pair(q) + q.draw) & 0xffff);
}

/// Throws InputError for routers whose VCs are not what a packet's way has been told by.
inline void require_hybrid_routers(const char* algorithm, const Configuration& configuration) {
  const Configuration::Given* given = configuration.find("router.architecture");
  if (given == nullptr || given->value == OptionValue(std::string("hybrid"))) return;
  throw InputError("routing algorithm \"" + std::string(algorithm) + "\" needs router.architecture = \"hybrid\"");
}

}  // namespace braid::routing
