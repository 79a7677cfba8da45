// A router of the tests that is no router of Braid's: wormhole, X first, each packet stays on its VC, a cycle from link
// to link. Behind its pins alone, as a user's RTL is.
#include <algorithm>
#include <deque>
#include <optional>

#include "models/rtl/router_library.h"

namespace {

using namespace braid::models::hybrid;

constexpr std::uint32_t kPorts = 5, kVcs = 2, kDepth = 4;
enum Port : std::uint32_t { kEast, kWest, kNorth, kSouth, kLocal };

class Wormhole final : public WiredRouter {
 public:
  void reset_wires(const RouterSite& site) override {
    site_ = site;
    for (std::uint32_t p = 0; p < kPorts; ++p) {
      for (std::uint32_t v = 0; v < kVcs; ++v) lanes_[p][v] = Lane{};
    }
  }

  void clock_wires(const WireInputs& in, WireOutputs& out) override {
    for (std::uint32_t p = 0; p < kPorts; ++p) {
      if (in.links[p].valid) lanes_[p][in.links[p].lane].buffer.push_back(in.links[p]);
      for (std::uint32_t v = 0; v < kVcs; ++v) lanes_[p][v].credits += in.credits[p] >> v & 1;
      out.links[p].valid = false;
      out.credits[p] = 0;
    }
    ++turn_;
    std::uint32_t used = 0;  // input ports: one flit a cycle
    for (std::uint32_t o = 0; o < kPorts; ++o) send(o, used, out);
  }

 private:
  struct Lane {
    std::deque<FlitWires> buffer;       // of the input port
    std::uint32_t credits = kDepth;     // of the output port
    std::optional<std::uint32_t> from;  // the input port whose packet the output port has
  };

  std::uint32_t way(const FlitWires& head) const {
    const auto x = static_cast<std::uint32_t>(head.data[0] & 0xff),
               y = static_cast<std::uint32_t>(head.data[0] >> 8 & 0xff);
    if (x != site_.x) return x > site_.x ? kEast : kWest;
    if (y != site_.y) return y > site_.y ? kNorth : kSouth;
    return kLocal;
  }

  void send(std::uint32_t o, std::uint32_t& used, WireOutputs& out) {
    for (std::uint32_t i = 0; i < kPorts * kVcs; ++i) {
      const std::uint32_t turn = static_cast<std::uint32_t>(i + turn_) % (kPorts * kVcs), p = turn / kVcs,
                          v = turn % kVcs;
      std::deque<FlitWires>& buffer = lanes_[p][v].buffer;
      Lane& to = lanes_[o][v];
      if (buffer.empty() || to.credits == 0 || (used >> p & 1) != 0) continue;
      const FlitWires& flit = buffer.front();
      if (flit.head ? to.from.has_value() || way(flit) != o : to.from != p) continue;
      to.from = flit.tail ? std::nullopt : std::optional(p);
      --to.credits;
      used |= 1U << p;
      out.links[o] = flit;
      out.credits[p] |= 1U << v;
      buffer.pop_front();
      return;
    }
  }

  RouterSite site_;
  Lane lanes_[kPorts][kVcs];
  std::uint64_t turn_ = 0;
};

}  // namespace

extern "C" BRAID_ROUTER_EXPORT WiredRouter* braid_make_router(bool /*assertions*/) { return new Wormhole; }
