// Carries messages, bytes, between nodes over a network of any family: cuts them into packets and flits, puts them
// together again and hands them over in order. The workload of section [tlm]; the sockets are its user.
//
// A packet's first 8 bytes say whose part it is (message, part, flow and its count); message bytes follow. Messages of
// a flow, from one node to another in one direction of talk, are handed over in the order in which they were sent:
// what comes early by another path waits at the destination.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "models/tlm/address_map.h"
#include "models/tlm/options.h"
#include "models/workload/workload.h"

namespace braid::models {

using MessageSlot = std::uint32_t;

class Carrier final : public Workload, private CircuitUser {
 public:
  enum Kind : std::uint8_t { kRequest, kResponse, kStream };
  struct Message {
    NodeId from, to;
    Kind kind = kRequest;
    bool on_circuit = false;   ///< where one stands
    std::uint32_t handle = 0;  ///< its user's
    std::vector<std::uint8_t> bytes;
  };
  /// Takes what comes; called by take().
  class User {
   public:
    virtual ~User() = default;
    /// The last flit has left its source's interface. A message's comes before its arrival.
    virtual void left(const Message& message) = 0;
    /// All of it is at its destination, and all of its flow before it. The message is gone afterwards.
    virtual void arrived(const Message& message) = 0;
  };

  /// Throws InputError.
  explicit Carrier(const WorkloadContext& context);

  /// An empty message to be filled; its slot.
  MessageSlot open_message();
  Message& operator[](MessageSlot slot) { return messages_[slot].message; }
  /// Between cycles, by one thread: to be sent before the next cycle. Of one node, messages of a lower `rank` first, so
  /// that nothing hangs on the order in which processes run at one time.
  void send(MessageSlot slot, std::uint32_t rank);
  /// Before a cycle: makes packets of what is to be sent, created in `cycle`, the last.
  void flush(std::uint64_t cycle);
  /// Between cycles: tells the user what has left and arrived, node by node.
  void take(User& user);
  /// Messages that have not wholly arrived, those to be sent included.
  std::uint64_t under_way() const { return under_way_; }
  /// Flits of a message of so many bytes.
  std::uint64_t flits(std::size_t bytes) const;
  /// By the one who takes what comes. False: somebody else does.
  bool claim() { return !std::exchange(claimed_, true); }

  std::vector<std::string> classes() const override { return {"requests", "responses", "writes in streams"}; }
  std::vector<std::string> kinds() const override { return {"request", "response", "stream"}; }
  bool sends_packets() const override { return false; }
  bool sends_by_itself() const override { return false; }
  void check_for_users() const override { AddressMap::of(configuration_, nodes_); }
  State state() const override { return under_way_ > 0 ? State::kWaiting : State::kIdle; }
  void open(std::size_t slice, const std::vector<NodeId>& nodes, Outlet& outlet) override;
  void generate(std::size_t, std::uint64_t) override {}
  void deliver(std::size_t slice, std::uint64_t, const Packet& packet) override {
    slices_[slice].arrived.push_back({packet.destination, packet.tag});
  }
  void sent(const Packet& packet) override {
    slices_[slice_of_node_[packet.source.value]].left.push_back({packet.source, packet.tag});
  }
  /// Messages belong to sockets, which are no part of a network: there are none.
  void checkpoint(Checkpoint& c) override;

 private:
  struct Stored {
    Message message;
    std::uint64_t place = 0;                      // in its flow
    std::uint32_t parts = 0, left = 0, come = 0;  // packets
  };
  struct Waiting {  // to be sent
    NodeId from;
    std::uint32_t rank;
    MessageSlot message;
  };
  struct Part {  // of a message, at a node
    NodeId node;
    MessageSlot message;
  };
  struct Slice {
    Outlet* outlet;
    std::vector<Part> left, arrived;  // since the last take()
  };
  struct Flow {
    std::uint64_t next_place = 0, next_arrival = 0;
    std::map<std::uint64_t, MessageSlot> early;  // by place
  };
  struct Circuit {
    NodeId from, to;
    std::size_t local_port = 0;
    std::uint32_t lane = 0;
    void checkpoint(Checkpoint& c) { c(local_port, lane); }
  };

  std::vector<CircuitRequest> circuits() const override;
  void circuit_found(std::size_t circuit, std::size_t local_port, std::uint32_t lane) override;
  void set_up(bool success) override { circuits_stand_ = success; }

  const Circuit* circuit_of(const Message& message) const;
  std::uint32_t part_bytes() const { return (options_.packet_flits - 1) * options_.flit_bytes; }
  void make_packets(std::uint64_t cycle, MessageSlot slot);
  std::uint64_t flow_of(const Message& m) const;
  template <class Act>
  void for_each_part(std::vector<Part> Slice::* parts, Act act);
  void hand_over(User& user, MessageSlot slot);

  const Configuration& configuration_;
  TlmOptions options_;
  std::size_t nodes_;
  std::vector<Circuit> circuits_;
  bool circuits_stand_ = false;
  std::vector<Slice> slices_;
  std::vector<std::uint32_t> slice_of_node_;
  std::deque<Stored> messages_;  // [slot]
  std::vector<Waiting> waiting_;
  std::vector<MessageSlot> free_;
  std::unordered_map<std::uint64_t, Flow> flows_;
  std::vector<Part> taken_;
  std::uint64_t under_way_ = 0;
  bool claimed_ = false;
};

}  // namespace braid::models
