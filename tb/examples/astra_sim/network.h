// ASTRA-sim's network interface (AstraNetworkAPI: send, receive, time, schedule) over a network of Braid's that is
// stepped cycle by cycle. A cycle is a nanosecond.
#pragma once

#include <braid/models/steps/step_network.h>

#include <astra-sim/common/AstraNetworkAPI.hh>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <queue>
#include <tuple>
#include <vector>

/// What all ranks share: the network, and what is to happen at which cycle.
class SharedNetwork {
 public:
  using Handler = void (*)(void*);

  /// nodes: [rank] where it sits.
  SharedNetwork(braid::models::StepNetwork network, std::vector<std::uint32_t> nodes);

  std::size_t ranks() const { return nodes_.size(); }
  std::uint64_t now() const { return network_.now(); }
  /// A message of so many bytes: whole flits of 16 bytes, in packets of at most 16. Both handlers are called in the
  /// cycle after its last flit has come, the receiver's not before it has asked for the message.
  void send(int source, int destination, int tag, std::uint64_t bytes, Handler handler, void* argument);
  void receive(int source, int destination, int tag, Handler handler, void* argument);
  void schedule(std::uint64_t cycles, Handler handler, void* argument);
  /// Until nothing is left to happen.
  void run();

 private:
  using Channel = std::tuple<int, int, int>;  // source, destination, tag
  struct Call {
    Handler handler;
    void* argument;
    void operator()() const { handler(argument); }
  };
  struct Event {
    std::uint64_t cycle, order;
    Call call;
    bool operator>(const Event& other) const { return std::tie(cycle, order) > std::tie(other.cycle, other.order); }
  };
  struct Message {
    std::uint64_t packets_left;
    Channel channel;
    Call sent;
  };

  void arrived(const Message& message);

  braid::models::StepNetwork network_;
  std::vector<std::uint32_t> nodes_;
  std::map<std::uint32_t, Message> under_way_;  // by tag of its packets
  std::uint32_t next_tag_ = 0;
  std::map<Channel, std::uint64_t> unclaimed_;     // messages that have come, and nobody has asked for
  std::map<Channel, std::deque<Call>> receivers_;  // who has asked, in this order
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
  std::uint64_t order_ = 0;
};

/// One rank's door to it.
class BraidNetworkApi final : public AstraSim::AstraNetworkAPI {
 public:
  BraidNetworkApi(int rank, SharedNetwork& network) : AstraNetworkAPI(rank), network_(network) {}
  int sim_send(void* buffer, std::uint64_t count, int type, int destination, int tag, AstraSim::sim_request* request,
               SharedNetwork::Handler handler, void* argument) override;
  int sim_recv(void* buffer, std::uint64_t count, int type, int source, int tag, AstraSim::sim_request* request,
               SharedNetwork::Handler handler, void* argument) override;
  void sim_schedule(AstraSim::timespec_t delta, SharedNetwork::Handler handler, void* argument) override;
  AstraSim::timespec_t sim_get_time() override;

 private:
  SharedNetwork& network_;
};
