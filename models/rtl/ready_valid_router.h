// For routers of users' whose links are READY/VALID, with one virtual channel: on Braid's side of a link there are
// credits. A buffer before each input takes what the sender has credits for; READY of an output is a credit that is
// left.
//
//   class MyRouter final : public ReadyValidRouter {
//     void reset_pins(const RouterSite& site) override;
//     void settle(const Offers& rx, std::uint32_t tx_ready) override;
//     std::uint32_t rx_ready() const override;
//     Offers tx() const override;
//     void clock_pins() override;
//   };
#pragma once

#include <array>
#include <cstdint>
#include <deque>

#include "models/rtl/wires.h"

namespace braid::models::hybrid {

class ReadyValidRouter : public WiredRouter {
 public:
  /// As the manifest has them. `depth`: flits of the buffer before each input.
  ReadyValidRouter(std::uint32_t ports, std::uint32_t depth) : ports_(ports), depth_(depth) {}

  void reset_wires(const RouterSite& site) final {
    links_.fill({});
    for (Link& link : links_) link.credits = depth_;
    reset_pins(site);
  }
  void clock_wires(const WireInputs& in, WireOutputs& out) final;

 protected:
  /// VALID, last flit of its packet, data: of one link in one cycle.
  struct Offer {
    bool valid = false, last = false;
    FlitData data = {};
  };
  using Offers = std::array<Offer, kMaxPinPorts>;

  /// Holds reset, for as many cycles as it takes; sets what is constant from then on.
  virtual void reset_pins(const RouterSite& site) = 0;
  /// Sets the inputs of a cycle, READY one bit a port, and lets them settle: rx_ready() and tx() are then read.
  virtual void settle(const Offers& rx, std::uint32_t tx_ready) = 0;
  virtual std::uint32_t rx_ready() const = 0;
  virtual Offers tx() const = 0;
  /// The clock edge.
  virtual void clock_pins() = 0;

 private:
  struct Link {
    std::deque<FlitWires> buffer;   ///< before the input
    std::uint32_t credits = 0;      ///< of the output
    bool packet_under_way = false;  ///< on the output: the next flit is no head
  };

  std::uint32_t ports_, depth_;
  std::array<Link, kMaxPinPorts> links_;
};

inline void ReadyValidRouter::clock_wires(const WireInputs& in, WireOutputs& out) {
  Offers rx;
  std::uint32_t tx_ready = 0;
  for (std::uint32_t p = 0; p < ports_; ++p) {
    Link& link = links_[p];
    if (in.links[p].valid) link.buffer.push_back(in.links[p]);
    link.credits += in.credits[p] & 1U;
    if (!link.buffer.empty()) rx[p] = {true, link.buffer.front().tail, link.buffer.front().data};
    if (link.credits > 0) tx_ready |= 1U << p;
  }
  settle(rx, tx_ready);
  const std::uint32_t ready = rx_ready();
  const Offers offered = tx();
  for (std::uint32_t p = 0; p < ports_; ++p) {
    Link& link = links_[p];
    const bool taken = rx[p].valid && (ready >> p & 1) != 0, sent = offered[p].valid && link.credits > 0;
    if (taken) link.buffer.pop_front();
    out.credits[p] = taken ? 1 : 0;
    out.links[p].valid = sent;
    if (!sent) continue;
    out.links[p] = {true, !link.packet_under_way, offered[p].last, 0, offered[p].data};
    link.packet_under_way = !offered[p].last;
    --link.credits;
  }
  clock_pins();
}

}  // namespace braid::models::hybrid
