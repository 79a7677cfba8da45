// All architectural registers and output pins of one router at one moment, as words with names: filled by the model and
// by the RTL, compared word by word. Registers that hold nothing (a free slot, the output VC of an idle VC) are 0.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "models/rtl/router_site.h"

namespace braid::models::hybrid {

class RouterImage {
 public:
  explicit RouterImage(const RouterShape& shape);

  enum VcField { kState, kOutVc, kLastPort, kCandidates, kVaInputArbiter, kVaOutputArbiter, kVcFields };
  enum PortField {
    kCircuitLaneArbiter,    ///< of this input port's circuits; 0 where a local port has one
    kCircuitOutputArbiter,  ///< of the circuits to this output port; 0 where a local port has one
    kFreeVcs,               ///< of this output port
    kSaVcArbiter,           ///< of this input port
    kSaOutputArbiter,
    kSaAcceptArbiter,  ///< of this input port, under iSLIP
    kStValid,
    kStOutput,   ///< output port, lane there, lane at the input
    kCreditOut,  ///< pins back from this input port
    kPortFields
  };
  enum RouterField {
    kSearch,
    kSearchPort,
    kSearchTried,
    kWaiting,
    kControlLatch,
    kControlOut,
    kControlMessage,
    kOutcome,
    kRouterFields
  };
  /// A flit takes 1 + words: first what it is (1 | head << 1 | tail << 2 | lane << 8; 0: none), then its data.
  enum PortFlit { kLatch, kStFlit, kLinkOut, kPortFlits };

  std::uint64_t& vc(std::uint32_t port, std::uint32_t vc, VcField f) { return words_[vc_base(port, vc) + f]; }
  std::uint64_t& credits(std::uint32_t port, std::uint32_t lane) { return words_[credit_base(port) + lane]; }
  std::uint64_t& count(std::uint32_t port, std::uint32_t lane) {
    return words_[credit_base(port) + shape_.lanes() + lane];
  }
  /// Of what comes in on a circuit lane: 1 + the row that it goes out on; 0: none.
  std::uint64_t& circuit_out(std::uint32_t port, std::uint32_t circuit) {
    return words_[credit_base(port) + 2 * shape_.lanes() + circuit];
  }
  /// ... and of an output lane: 1 + the row that holds it.
  std::uint64_t& circuit_in(std::uint32_t port, std::uint32_t circuit) {
    return words_[credit_base(port) + 2 * shape_.lanes() + shape_.circuit_lanes + circuit];
  }
  std::uint64_t& port(std::uint32_t port, PortField f) { return words_[field_base(port) + f]; }
  std::uint64_t& router(RouterField f) { return words_[f]; }
  std::uint64_t router(RouterField f) const { return words_[f]; }
  /// Slot i, oldest first, of a lane's buffer.
  std::uint64_t* slot(std::uint32_t port, std::uint32_t lane, std::uint32_t i) {
    return &words_[slot_base(port, lane) + std::size_t{i} * flit_words_];
  }
  std::uint64_t* flit(std::uint32_t port, PortFlit f) {
    return &words_[field_base(port) + kPortFields + std::size_t{f} * flit_words_];
  }

  void clear() { std::fill(words_.begin(), words_.end(), 0); }
  const std::vector<std::uint64_t>& words() const { return words_; }
  std::size_t size() const { return words_.size(); }
  const RouterShape& shape() const { return shape_; }

  struct Name {
    std::string signal;
    int port = -1;  ///< -1: of the router
  };
  /// What a word is called: "port1.vc0.state".
  static std::vector<Name> names(const RouterShape& shape);

 private:
  std::size_t port_base(std::uint32_t p) const { return kRouterFields + std::size_t{p} * port_words_; }
  std::size_t vc_base(std::uint32_t p, std::uint32_t v) const { return port_base(p) + std::size_t{v} * kVcFields; }
  std::size_t credit_base(std::uint32_t p) const { return vc_base(p, shape_.vcs); }
  std::size_t field_base(std::uint32_t p) const { return credit_base(p) + 2 * (shape_.lanes() + shape_.circuit_lanes); }
  std::size_t slot_base(std::uint32_t p, std::uint32_t lane) const {
    const std::size_t packets = std::min(lane, shape_.vcs), circuits = lane - packets;
    return field_base(p) + kPortFields +
           (kPortFlits + packets * shape_.depth + circuits * shape_.circuit_depth) * flit_words_;
  }

  RouterShape shape_;
  std::size_t flit_words_;
  std::size_t port_words_;
  std::vector<std::uint64_t> words_;
};

/// The word that stands for "a flit is here".
constexpr std::uint64_t flit_mark(bool head, bool tail, std::uint32_t lane) {
  return 1U | (head ? 2U : 0U) | (tail ? 4U : 0U) | (std::uint64_t{lane} << 8);
}

}  // namespace braid::models::hybrid
