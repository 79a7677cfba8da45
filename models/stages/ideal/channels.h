// What passes between the links and the nodes of an ideal network, as channels. The one place that knows how they lie
// on ports.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "models/families/ideal/fabric.h"
#include "models/stages/base/module_list.h"
#include "models/stages/base/register_channel.h"

namespace braid::models::stages::ideal {

using InBits = sc_core::sc_in<Bits>;
using OutBits = sc_core::sc_out<Bits>;

constexpr unsigned kCountBits = 16;  ///< of flits at a node

class Channels final : public Bank {
 public:
  /// In the scope of the module that is made.
  explicit Channels(models::ideal::Fabric& fabric);

  models::ideal::Fabric& fabric() const { return fabric_; }
  // The stages' parts of a cycle. What they have done is on the channels until they do it again.
  void bring();
  void receive(NodeId node);
  void send(std::uint64_t cycle);
  /// Has the node nothing to take, and had it nothing in the last cycle?
  bool idle(NodeId node) const;

 private:
  RegisterChannel& make(const std::string& name, std::size_t width, RegisterChannel::Gather gather);
  RegisterChannel& make_count(const std::string& name, const std::size_t& count);
  void make_node(NodeId node);

  models::ideal::Fabric& fabric_;
  struct Counts {
    std::size_t comes = 0, takes = 0, held = 0;
  };
  std::vector<Counts> counts_;  // [node] of the last cycle
  ModuleList<RegisterChannel> channels_;

 public:
  /// At one node: a bit a node that a packet waits for, or a flit leaves for; flits that come, are taken and wait.
  struct AtNode {
    RegisterChannel &waits, &sends;
    RegisterChannel &comes, &takes, &held;
  };
  std::deque<AtNode> nodes;  ///< [node]
};

}  // namespace braid::models::stages::ideal
