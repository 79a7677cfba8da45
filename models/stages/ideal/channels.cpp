#include "models/stages/ideal/channels.h"

#include <fmt/format.h>

#include <utility>

namespace braid::models::stages::ideal {

Channels::Channels(models::ideal::Fabric& fabric) : fabric_(fabric), counts_(fabric.ports().size()) {
  for (std::size_t n = 0; n < counts_.size(); ++n) make_node(NodeId{n});
}

RegisterChannel& Channels::make(const std::string& name, std::size_t width, RegisterChannel::Gather gather) {
  return channels_.add(name.c_str(), static_cast<unsigned>(width), *this, std::move(gather));
}

RegisterChannel& Channels::make_count(const std::string& name, const std::size_t& count) {
  return make(name, kCountBits, [&count](Bits& b) { b.set(0, kCountBits, count); });
}

void Channels::make_node(NodeId node) {
  const std::string of = fmt::format("node{}_", node.value);
  Counts& counts = counts_[node.value];
  nodes.push_back({make(of + "waits", counts_.size(),
                        [this, node](Bits& b) {
                          fabric_.for_each_waiting_link([&](NodeId from, NodeId to) {
                            if (from == node) b.set(to.value);
                          });
                        }),
                   make(of + "sends", counts_.size(),
                        [this, node](Bits& b) {
                          fabric_.for_each_flit_on_links([&](NodeId from, NodeId to) {
                            if (from == node) b.set(to.value);
                          });
                        }),
                   make_count(of + "comes", counts.comes), make_count(of + "takes", counts.takes),
                   make_count(of + "held", counts.held)});
}

void Channels::bring() {
  fabric_.bring();
  for (std::size_t n = 0; n < counts_.size(); ++n) counts_[n].comes = fabric_.coming(NodeId{n});
}

void Channels::receive(NodeId node) {
  Counts& counts = counts_[node.value];
  fabric_.receive(node);
  counts.takes = fabric_.taking(node);
  counts.held = fabric_.options().queue_at_receiver ? fabric_.held(node) - counts.takes : 0;
}

bool Channels::idle(NodeId node) const {
  const Counts& counts = counts_[node.value];
  return counts.comes + counts.takes + fabric_.held(node) == 0;
}

void Channels::send(std::uint64_t cycle) { fabric_.send_flits(cycle); }

}  // namespace braid::models::stages::ideal
