// The channels of a network, numbered: each direction of each link between routers is one.
#pragma once

#include <cstdint>
#include <vector>

#include "routing/paths/path_set.h"
#include "routing/topology/topology.h"

namespace braid::routing {

class Channels {
 public:
  struct Channel {
    RouterId from, to;
    PortId port;  ///< of `from`
  };
  explicit Channels(const Topology& topology);

  std::size_t count() const { return channels_.size(); }
  const Channel& operator[](std::size_t channel) const { return channels_[channel]; }
  /// Of a port that leads to another router.
  std::uint32_t at(RouterId router, PortId port) const { return number_[first_[router.value] + port.value]; }
  /// The channels that a path takes, in order.
  std::vector<std::uint32_t> on(RouterId from, const Path& path) const;

 private:
  std::vector<Channel> channels_;      // by router, then by port
  std::vector<std::size_t> first_;     // [router] of its ports in number_
  std::vector<std::uint32_t> number_;  // [port of any router]
};

}  // namespace braid::routing
