// What the modules of a PO2 router are to do, written down a second time from docs/po2.md and
// docs/hardware-view/po2.md, without the family's functions: times to the cycle, blocked at N - 1 and ready at N. Each
// looks at the ports of a driven module after every edge.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "models/families/po2/options.h"
#include "models/stages/po2/site.h"
#include "tb/tests/support/driven_module.h"

namespace braid::test {

/// Whose ports a reference looks at.
class Po2Reference {
 public:
  Po2Reference(const DrivenModule& module, const models::stages::po2::Site& site)
      : module_(module), site_(site), shape_(site), options_(models::po2::options().read(site.configuration)) {}
  virtual ~Po2Reference() = default;
  /// After the edge of the cycle.
  virtual void check(std::uint64_t cycle) = 0;
  /// How often something that was blocked at N - 1 was ready at N.
  std::uint64_t turns() const { return turns_; }

 protected:
  const routing::Port& wiring(std::size_t p) const { return site_.topology.port(site_.router, PortId{p}); }
  bool leads_to_node(std::size_t p) const { return wiring(p).kind == routing::PortKind::kLocal; }
  bool leads_anywhere(std::size_t p) const { return leads_to_node(p) || wiring(p).kind == routing::PortKind::kNetwork; }

  const DrivenModule& module_;
  const models::stages::po2::Site& site_;
  const models::stages::po2::RouterShape shape_;
  const models::po2::Options options_;
  std::uint64_t turns_ = 0;
};

/// A transfer holds its port for the flits and the acknowledgement, a node's port for the overhead and the flits.
class Po2LinkReference final : public Po2Reference {
 public:
  using Po2Reference::Po2Reference;
  void check(std::uint64_t cycle) override {
    ports_.resize(shape_.ports);
    for (std::size_t p = 0; p < ports_.size(); ++p) {
      if (leads_anywhere(p) && cycle >= ports_[p].idle_from) begin(p, cycle);
      const bool idle = leads_anywhere(p) && cycle + 1 >= ports_[p].idle_from;
      turns_ += ports_[p].idle_from == cycle + 1 ? 1 : 0;
      ASSERT_EQ(module_.bit("idle_o", p), idle) << "port " << p << ", cycle " << cycle;
      ASSERT_EQ(module_.bit("sending_o", p), !idle && leads_anywhere(p) && ports_[p].sent_last) << p << " in " << cycle;
      ASSERT_EQ(module_.bit("receiving_o", p), !idle && leads_anywhere(p) && !ports_[p].sent_last)
          << p << " in " << cycle;
    }
  }

 private:
  struct Port {
    std::uint64_t idle_from = 0;
    bool sent_last = false;
  };
  void begin(std::size_t p, std::uint64_t cycle) {
    using models::stages::po2::kFlitsBits;
    const bool out = module_.bit("offer_i", p);
    const bool in = leads_to_node(p) ? module_.bit("inject_i", p) : module_.bit("far_offer_i", p);
    const bool they_begin = !module_.bit("far_sent_last_i", p) && wiring(p).peer_router < site_.router;
    const bool goes_in = in && (!out || ports_[p].sent_last || they_begin);
    if (goes_in && module_.bit("grant_i", p)) {
      const std::uint64_t more = leads_to_node(p) ? options_.inject_overhead_cycles : options_.acknowledge_cycles;
      ports_[p] = {cycle + module_.entry("in_flits_i", p, kFlitsBits) + more, false};
    } else if (!goes_in && out && module_.bit("far_grant_i", p)) {
      const std::uint64_t more = leads_to_node(p) ? options_.eject_overhead_cycles : options_.acknowledge_cycles;
      ports_[p] = {cycle + module_.entry("offer_flits_i", p, kFlitsBits) + more, true};
    }
  }
  std::vector<Port> ports_;
};

/// A packet gets the free buffer of lowest number; a buffer is free in the cycle in which its packet leaves no more. A
/// packet is refused only where there is no room for its class, or another one of its message comes in.
class Po2PoolReference final : public Po2Reference {
 public:
  using Po2Reference::Po2Reference;
  void check(std::uint64_t cycle) override {
    buffers_.resize(shape_.buffers);
    let_leave();
    for (std::size_t p = 0; p < shape_.ports; ++p) {
      if (module_.bit("grant_o", p)) take(p, cycle);
      ASSERT_EQ(module_.bit("refused_o", p), module_.bit("incoming_i", p) && !module_.bit("grant_o", p));
      if (module_.bit("refused_o", p) && !message_granted(p)) {
        const auto pool_class = static_cast<unsigned>(module_.entry("class_i", p, models::stages::po2::kClassBits));
        ASSERT_FALSE(module_.bit("free_o", pool_class)) << "refused at port " << p << ", cycle " << cycle;
      }
    }
    std::uint64_t held = 0;
    for (const Buffer& buffer : buffers_) held += buffer.taken ? 1 : 0;
    ASSERT_EQ(module_.entry("held_o", 0, shape_.held_bits()), held) << "cycle " << cycle;
    for (std::size_t b = 0; b < buffers_.size(); ++b) {
      ASSERT_EQ(module_.bit("blocking_o", b), buffers_[b].taken && !buffers_[b].leaving) << b << " in " << cycle;
    }
  }

 private:
  struct Buffer {
    bool taken = false, leaving = false, just_left = false;
  };
  void let_leave() {
    for (std::size_t b = 0; b < buffers_.size(); ++b) {
      const bool leaving = module_.bit("leaving_i", b);
      buffers_[b].just_left = buffers_[b].leaving && !leaving;
      if (buffers_[b].just_left) buffers_[b].taken = false;
      buffers_[b].leaving = leaving;
    }
  }
  void take(std::size_t p, std::uint64_t cycle) {
    ASSERT_TRUE(module_.bit("incoming_i", p)) << "port " << p << ", cycle " << cycle;
    std::size_t b = 0;
    while (b < buffers_.size() && buffers_[b].taken) ++b;
    ASSERT_LT(b, buffers_.size()) << "a packet too many, cycle " << cycle;
    ASSERT_EQ(module_.entry("buffer_o", p, shape_.buffer_bits()), b) << "port " << p << ", cycle " << cycle;
    buffers_[b].taken = true;
    turns_ += buffers_[b].just_left ? 1 : 0;
  }
  bool message_granted(std::size_t p) const {
    using models::stages::po2::kMessageBits;
    for (std::size_t other = 0; other < shape_.ports; ++other) {
      const bool same = module_.entry("message_i", other, kMessageBits) == module_.entry("message_i", p, kMessageBits);
      if (module_.bit("grant_o", other) && same) return true;
    }
    return false;
  }
  std::vector<Buffer> buffers_;
};

/// A packet waits from the cycle on in which its header is in, until it leaves. Its escape comes with the end of its
/// patience, or at once where it escapes already; never where it has arrived.
class Po2RouteReference final : public Po2Reference {
 public:
  /// `patience`: cycles; 0: nothing escapes.
  Po2RouteReference(const DrivenModule& module, const models::stages::po2::Site& site, std::uint64_t patience)
      : Po2Reference(module, site), patience_(patience) {}
  void check(std::uint64_t cycle) override {
    using namespace models::stages::po2;
    headers_.resize(shape_.buffers);
    for (std::size_t b = 0; b < headers_.size(); ++b) headers_[b].there &= !module_.bit("leaving_i", b);
    for (std::size_t p = 0; p < shape_.ports; ++p) {
      if (module_.bit("grant_i", p)) take(p, cycle);
    }
    for (std::size_t b = 0; b < headers_.size(); ++b) {
      const Header& header = headers_[b];
      const bool waits = header.there && cycle + 1 >= header.due;
      turns_ += header.there && cycle + 1 == header.due ? 1 : 0;
      ASSERT_EQ(module_.bit("waiting_o", b), waits) << "buffer " << b << ", cycle " << cycle;
      ASSERT_EQ(module_.entry("since_o", b, kCycleBits), waits ? header.due : 0) << b << " in " << cycle;
      ASSERT_EQ(module_.bit("escape_o", b), waits && cycle + 1 >= header.escapes) << b << " in " << cycle;
    }
  }

 private:
  static constexpr std::uint64_t kNever = ~std::uint64_t{0};
  struct Header {
    bool there = false;
    std::uint64_t due = 0, escapes = kNever;
  };
  void take(std::size_t p, std::uint64_t cycle) {
    using namespace models::stages::po2;
    Header header{true, cycle + options_.header_cycles + (leads_to_node(p) ? options_.inject_overhead_cycles : 0)};
    const NodeId to{module_.entry("destination_i", p, kNodeBits)};
    const bool arrived = site_.topology.router_of(to) == site_.router;
    const bool escaping = module_.entry("class_i", p, kClassBits) != models::po2::kRegular;
    if (escaping && !arrived) header.escapes = header.due;
    if (!escaping && !arrived && patience_ > 0) header.escapes = header.due + patience_;
    headers_[module_.entry("buffer_i", p, shape_.buffer_bits())] = header;
  }
  const std::uint64_t patience_;
  std::vector<Header> headers_;
};

/// A packet asks for the node's port while there is one and none is on its way in: from the cycle after it came, or
/// after the one before has gone.
class Po2SchedulerReference final : public Po2Reference {
 public:
  using Po2Reference::Po2Reference;
  void check(std::uint64_t cycle) override {
    using namespace models::stages::po2;
    ports_.resize(shape_.ports);
    for (std::size_t p = 0; p < ports_.size(); ++p) {
      if (!leads_to_node(p)) continue;
      Port& port = ports_[p];
      const bool receiving = module_.bit("receiving_i", p);
      if (port.queued && module_.bit("grant_i", p)) {
        port.on_its_way = true;
        --port.packets;
      }
      if (port.receiving && !receiving) port.on_its_way = false;
      port.receiving = receiving;
      port.packets += module_.entry("arrival_packets_i", p, 8);
      const bool queued = port.packets > 0 && !port.on_its_way;
      ASSERT_EQ(module_.bit("queued_o", p), queued) << "port " << p << ", cycle " << cycle;
      if (queued && !port.queued) {
        ++turns_;
        ASSERT_EQ(module_.entry("head_since_o", p, kCycleBits), cycle + 1) << "port " << p;
      }
      port.queued = queued;
    }
  }

 private:
  struct Port {
    std::uint64_t packets = 0;
    bool on_its_way = false, receiving = false, queued = false;
  };
  std::vector<Port> ports_;
};

}  // namespace braid::test
