// Random traffic for one router on its wires: plays all its neighbours and nodes. All that it does is legal; within
// that it sends, stalls, sets circuits up and tears them down without pause. One random stream, so the same from the
// same seed.
#pragma once

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "models/pins/lone_router.h"
#include "models/rtl/wires.h"
#include "routing/base/random.h"

namespace braid::test {

class WireStimulus {
 public:
  using Kind = models::hybrid::ControlKind;

  WireStimulus(const models::pins::RouterPlace& place, std::uint32_t flit_width, std::uint64_t seed)
      : place_(place),
        words_((flit_width + 63) / 64),
        last_mask_(~std::uint64_t{0} >> (64 * words_ - flit_width)),
        codec_(place.shape, place.topology, store_),
        random_(seed, "wires") {
    reset();
  }

  void reset() {
    for (std::uint32_t p = 0; p < place_.shape.ports; ++p) {
      lanes_[p].assign(place_.wired(p) ? place_.lanes(p) : 0, {});
      for (std::uint32_t l = 0; l < lanes_[p].size(); ++l) lanes_[p][l].credits = place_.depth(l);
    }
    circuits_.clear();
    phase_ = Phase::kIdle;
    asked_ = -1;
    load_ = 10 + random_.below(91);
    returns_ = 10 + random_.below(91);
  }

  /// What the router has on its pins during a cycle, what it gets in the next.
  models::hybrid::WireInputs step(const models::hybrid::WireOutputs& out) {
    models::hybrid::WireInputs in;
    for (std::uint32_t p = 0; p < place_.shape.ports; ++p) {
      receive(p, out, in);
      if (random_.below(100) < load_) send(p, in.links[p]);
    }
    if (place_.options.circuits) set_up(out, in);
    return in;
  }

  std::map<std::string, std::uint64_t> seen;  ///< how often what happened

 private:
  struct Lane {
    std::uint32_t credits = 0, owed = 0, left = 0;  // left: flits of the packet under way
  };
  struct Circuit {
    std::uint32_t port = 0, circuit = 0;
    int quiet_cycles = -1;  // -1: in use; else since its last flit
  };
  enum class Phase { kIdle, kSearching, kTearingDown };

  void receive(std::uint32_t p, const models::hybrid::WireOutputs& out, models::hybrid::WireInputs& in) {
    if (out.links[p].valid) {
      ++lanes_[p].at(out.links[p].lane).owed;
      ++seen[out.links[p].lane < place_.options.vcs ? "packet flits" : "circuit flits"];
    }
    for (std::uint32_t l = 0; l < lanes_[p].size(); ++l) {
      lanes_[p][l].credits += out.credits[p] >> l & 1;
      if (lanes_[p][l].owed == 0 || random_.below(100) >= returns_) continue;  // several lanes at once, too
      --lanes_[p][l].owed;
      in.credits[p] |= 1U << l;
    }
  }

  bool may_send(std::uint32_t p, std::uint32_t l) const {
    if (l < place_.options.vcs) return true;
    return std::any_of(circuits_.begin(), circuits_.end(), [&](const Circuit& c) {
      return c.port == p && place_.options.vcs + c.circuit == l && c.quiet_cycles < 0;
    });
  }

  void send(std::uint32_t p, models::hybrid::FlitWires& link) {
    if (lanes_[p].empty()) return;
    const auto first = static_cast<std::uint32_t>(random_.below(lanes_[p].size()));
    for (std::uint32_t i = 0; i < lanes_[p].size(); ++i) {
      const auto l = static_cast<std::uint32_t>((first + i) % lanes_[p].size());
      Lane& lane = lanes_[p][l];
      if (lane.credits == 0 || !may_send(p, l)) continue;
      --lane.credits;
      link.valid = true;
      link.lane = l;
      link.head = lane.left == 0;
      if (link.head) lane.left = static_cast<std::uint32_t>(1 + random_.below(6));
      link.tail = --lane.left == 0;
      for (std::uint32_t w = 0; w < words_; ++w) link.data[w] = random_();
      if (link.head && l < place_.options.vcs)
        link.data[0] = (link.data[0] & ~std::uint64_t{0xffff}) | codec_.code(reachable(p, l));
      link.data[words_ - 1] &= last_mask_;
      return;
    }
  }

  NodeId reachable(std::uint32_t port, std::uint32_t lane) {
    NodeId to = destination();
    while (!place_.leads_on(port, lane, to)) to = destination();
    return to;
  }
  NodeId destination() { return NodeId{static_cast<std::size_t>(random_.below(place_.topology.node_count()))}; }
  bool local(std::uint32_t p) const { return place_.kind(p) == routing::PortKind::kLocal; }

  void message(models::hybrid::WireInputs& in, std::uint32_t port, std::uint32_t circuit, Kind kind) {
    models::hybrid::ControlWires& wires = local(port) ? in.request : in.control;
    wires = {true, port, kind, search_, codec_.code(target_), circuit};
  }

  void set_up(const models::hybrid::WireOutputs& out, models::hybrid::WireInputs& in) {
    for (Circuit& c : circuits_) c.quiet_cycles += c.quiet_cycles >= 0 ? 1 : 0;
    if (out.outcome) return end(out.success);
    if (out.control.valid) return answer(out.control);
    if (phase_ == Phase::kIdle && random_.below(4) == 0) return begin(in);
    if (phase_ == Phase::kSearching && asked_ >= 0 && random_.below(3) == 0) {
      const bool yes = random_.below(2) == 0;
      ++seen[yes ? "acknowledged" : "refused"];
      message(in, static_cast<std::uint32_t>(asked_), 0, yes ? Kind::kAcknowledge : Kind::kBacktrack);
      asked_ = -1;
    }
  }

  void answer(const models::hybrid::ControlWires& m) {
    if (m.kind == Kind::kProbe) {
      asked_ = static_cast<int>(m.port);
    } else {
      end(m.kind != Kind::kBacktrack);
    }
  }

  void begin(models::hybrid::WireInputs& in) {
    if (!circuits_.empty() && random_.below(2) == 0) {
      Circuit& c = circuits_[static_cast<std::size_t>(random_.below(circuits_.size()))];
      if (c.quiet_cycles < 0) {
        c.quiet_cycles = 0;
        return;
      }
      if (c.quiet_cycles < 3) return;
      subject_ = {c.port, c.circuit};
      phase_ = Phase::kTearingDown;
      target_ = NodeId{0};
      message(in, c.port, c.circuit, Kind::kTearDown);
      return;
    }
    const auto p = static_cast<std::uint32_t>(random_.below(place_.shape.ports));
    if (!place_.wired(p)) return;
    const auto c = static_cast<std::uint32_t>(random_.below(place_.lanes(p) - place_.options.vcs));
    const bool used = std::any_of(circuits_.begin(), circuits_.end(),
                                  [&](const Circuit& o) { return o.port == p && o.circuit == c; });
    if (used || search_ == 0xffff) return;
    ++search_;
    subject_ = {p, c};
    target_ = destination();
    phase_ = Phase::kSearching;
    message(in, p, c, Kind::kProbe);
  }

  void end(bool success) {
    ++seen[phase_ == Phase::kTearingDown ? "torn down" : success ? "set up" : "failed"];
    if (phase_ == Phase::kTearingDown) {
      const auto gone = [&](const Circuit& c) { return std::make_pair(c.port, c.circuit) == subject_; };
      lanes_[subject_.first][place_.options.vcs + subject_.second].left = 0;
      circuits_.erase(std::remove_if(circuits_.begin(), circuits_.end(), gone), circuits_.end());
    } else if (success) {
      circuits_.push_back({subject_.first, subject_.second});
    }
    phase_ = Phase::kIdle;
    asked_ = -1;
  }

  const models::pins::RouterPlace& place_;
  std::uint32_t words_;
  std::uint64_t last_mask_;
  models::PacketStore store_;
  models::hybrid::FlitCodec codec_;
  Random random_;
  std::uint64_t load_ = 50, returns_ = 50;  // percent
  std::array<std::vector<Lane>, models::hybrid::kMaxPinPorts> lanes_;
  std::vector<Circuit> circuits_;
  Phase phase_ = Phase::kIdle;
  std::pair<std::uint32_t, std::uint32_t> subject_;  // of the search or tear-down under way
  NodeId target_{0};
  std::uint32_t search_ = 0;
  int asked_ = -1;  // the neighbour there has a probe to answer
};

}  // namespace braid::test
