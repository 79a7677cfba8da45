// A Myrinet-like switch, and a host at one, as modules of their units; and what belongs to none of them.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "models/stages/base/hardware_view.h"
#include "models/stages/base/module_list.h"
#include "models/stages/myrinet/host_interface.h"
#include "models/stages/myrinet/in_transit_host.h"
#include "models/stages/myrinet/output_port.h"
#include "models/stages/myrinet/routing_control_unit.h"
#include "models/stages/myrinet/slack_buffer.h"

namespace braid::models::stages::myrinet {

class Switch final : public sc_core::sc_module {
 public:
  Switch(const sc_core::sc_module_name& name, const ViewContext& context, Slice& registers, RouterId router);

 private:
  struct Port {
    Port(const ViewContext& context, Slice& registers, PortIndex port, unsigned ports, const std::string& name);
    PortChannels channels;
    SlackBuffer slack_buffer;
    RoutingControlUnit routing_control_unit;
    OutputPort output_port;
  };
  ModuleList<Port> ports_;  // those with a cable
};

class Host final : public sc_core::sc_module {
 public:
  Host(const sc_core::sc_module_name& name, const ViewContext& context, Slice& registers, std::size_t local_port);

 private:
  HostChannels channels_;
  HostInterface interface_;
  std::unique_ptr<InTransitHost> in_transit_host_;  // null: no packet rests or is held back
};

/// What cables bring, and what is due inside switches; the link that goes down; what is behind the hosts. All of it is
/// the network's, so it has no ports.
class Surroundings final : public sc_core::sc_module {
 public:
  Surroundings(const sc_core::sc_module_name& name, const ViewContext& context, Slice& registers);

 private:
  class Part final : public Stage {
   public:
    Part(const char* name, StepClock& clock, std::function<void(std::uint64_t)> run)
        : Stage(name), run_(std::move(run)) {
      clk_i(clock);
    }

   private:
    void step(std::uint64_t cycle) override { run_(cycle); }
    const std::function<void(std::uint64_t)> run_;
  };
  Part cables_, failing_link_, nodes_;
  std::unique_ptr<Part> all_hosts_;  // null: run_nodes() runs in-transit buffers
};

}  // namespace braid::models::stages::myrinet
