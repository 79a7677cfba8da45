// Why a pool took no packet in a cycle, told from what it showed at the cycle's start: for whoever writes a waveform.
// The routers know nothing of it.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "models/families/po2/fabric.h"

namespace braid::models::po2 {

/// Of a packet that several pools refuse the last of these is told.
enum class Refusal : std::uint8_t {
  kNone,
  kNoBuffer,     ///< none for packets of its class
  kKept,         ///< the escape buffer is kept for an older packet
  kSameMessage,  ///< a packet of its message waits there
};

class Refusals {
 public:
  explicit Refusals(const Fabric& fabric) : fabric_(fabric) {}
  /// That router's pool may be asked about.
  void watch(std::uint32_t router) { shown_[router]; }

  /// A packet that some pool refused.
  struct Answer {
    Refusal refusal = Refusal::kNone;
    std::uint64_t holder = 0;  ///< packet_number() of the one of its message that waits there; 0: none
  };
  Answer why(std::uint32_t router, PoolClass pool_class, std::uint32_t message) const;
  /// Takes what pools show for what the next cycle is judged by.
  void note();

 private:
  struct Waiting {
    std::uint32_t message;
    std::uint64_t packet;
  };
  /// What a pool shows.
  struct Shown {
    PoolUse use{};
    bool no_way_in = false;        // every port of the crossbar into it is in use
    std::vector<Waiting> waiting;  // packets that have not begun to leave, of messages
  };
  const Fabric& fabric_;
  std::map<std::uint32_t, Shown> shown_;  // [router]
};

}  // namespace braid::models::po2
