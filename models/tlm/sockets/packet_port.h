// A node of the network with TLM-1's interfaces, for those who want packets without addresses.
//
//   PacketPort port("port", simulation.engine(), NodeId{3});
//   producer.out.bind(port.send);          // sc_port<tlm::tlm_put_if<SentPacket>>
//   port.delivered.bind(monitor.arrivals); // tlm_analysis_if<DeliveredPacket>
#pragma once

#include <cstdint>
#include <systemc>
#include <tlm>

#include "models/engine/engine.h"

namespace braid::models {

struct SentPacket {
  NodeId to;
  std::uint32_t flits = 1;
  std::uint32_t tag = kNoTag;  ///< comes with it
};
struct DeliveredPacket {
  std::uint64_t cycle = 0;  ///< in which its tail came
  NodeId from;
  std::uint32_t flits = 0;
  std::uint32_t tag = kNoTag;
};

class PacketPort final : public sc_core::sc_module, private ::tlm::tlm_put_if<SentPacket> {
 public:
  sc_core::sc_export<::tlm::tlm_put_if<SentPacket>> send{"send"};
  ::tlm::tlm_analysis_port<DeliveredPacket> delivered{"delivered"};

  /// Throws InputError where there is no such node.
  PacketPort(const sc_core::sc_module_name& name, Engine& engine, NodeId node)
      : sc_module(name), engine_(engine), node_(node) {
    send.bind(*this);
    engine.on_delivery(node, [this](std::uint64_t cycle, const Packet& packet) {
      delivered.write({cycle, packet.source, packet.length_flits, packet.tag});
    });
  }

 private:
  // The source queue has room for any number, so put() never waits.
  void put(const SentPacket& packet) override { engine_.send_packet(node_, packet.to, packet.flits, packet.tag); }
  bool nb_put(const SentPacket& packet) override {
    put(packet);
    return true;
  }
  bool nb_can_put(::tlm::tlm_tag<SentPacket>*) const override { return true; }
  const sc_core::sc_event& ok_to_put(::tlm::tlm_tag<SentPacket>*) const override { return always_; }

  Engine& engine_;
  NodeId node_;
  sc_core::sc_event always_{"always"};
};

}  // namespace braid::models
