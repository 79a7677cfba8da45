#include "models/tlm/carrier.h"

#include <fmt/format.h>

#include <algorithm>

#include "models/tlm/styles/packet_timing.h"

namespace braid::models {
namespace {

constexpr std::uint32_t kLeastFlits = 2;  // a packet's header and something to carry

OptionList all_tlm_options() {
  OptionList all = address_map_options().list();
  for (const OptionList* list : {&style_options().list(), &tlm_options().list()}) {
    all.insert(all.end(), list->begin(), list->end());
  }
  return all;
}

const bool carrier_registered = WorkloadRegistry::instance().add(
    "tlm", "transactions of a user's TLM-2.0 initiators, in a simulation of their own", all_tlm_options(),
    [](const WorkloadContext& context) { return std::make_unique<Carrier>(context); });

}  // namespace

const OptionTable<TlmOptions>& tlm_options() {
  using T = TlmOptions;
  static const OptionTable<T> table =
      OptionTable<T>("tlm")
          .integer("flit_bytes", &T::flit_bytes, 8, 128, "of a link; a packet's first flit is its header")
          .integer("packet_flits", &T::packet_flits, kLeastFlits, 65535, "most flits of a packet, header included")
          .integer("outstanding", &T::outstanding, 1, 65536, "transactions of one initiator in network and targets")
          .integer("most_bytes", &T::most_bytes, 1, 1 << 24, "of a transaction; more is answered with a burst error")
          .integer("timeout_cycles", &T::timeout_cycles, 0, 1'000'000'000,
                   "without an answer: answered with a generic error; 0: never")
          .boolean("byte_enables", &T::byte_enables, "false: they are answered with a byte enable error")
          .boolean("dmi", &T::dmi, "targets' direct memory pointers are passed on; false: refused")
          .integers("circuits", &T::circuits,
                    "from, to, from, to ...: circuits for stream writes that ask for them; hybrid routers");
  return table;
}

Carrier::Carrier(const WorkloadContext& context)
    : configuration_(context.configuration),
      options_(tlm_options().read(context.configuration)),
      nodes_(context.topology.node_count()) {
  const std::vector<std::uint32_t>& pairs = options_.circuits;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (pairs[i] < nodes_ && pairs.size() % 2 == 0) continue;
    throw InputError(fmt::format("tlm.circuits: expected pairs of nodes, 0 to {}", nodes_ - 1));
  }
  for (std::size_t i = 0; i < pairs.size(); i += 2) circuits_.push_back({NodeId{pairs[i]}, NodeId{pairs[i + 1]}});
  if (circuits_.empty()) return;
  if (context.configuration.has_section("stream")) {
    throw InputError("tlm.circuits: a section [stream] is there, too; expected no list, or no stream program");
  }
  context.fabric.set_up_circuits(*this);
}

void Carrier::open(std::size_t slice, const std::vector<NodeId>& nodes, Outlet& outlet) {
  slices_.push_back({&outlet, {}, {}});
  slice_of_node_.resize(nodes_);
  for (const NodeId node : nodes) slice_of_node_[node.value] = static_cast<std::uint32_t>(slice);
}

std::vector<CircuitRequest> Carrier::circuits() const {
  std::vector<CircuitRequest> all;
  for (const Circuit& c : circuits_) {
    all.push_back({fmt::format("node {} -> node {}", c.from.value, c.to.value), c.from, c.to});
  }
  return all;
}

void Carrier::circuit_found(std::size_t circuit, std::size_t local_port, std::uint32_t lane) {
  circuits_[circuit].local_port = local_port;
  circuits_[circuit].lane = lane;
}

const Carrier::Circuit* Carrier::circuit_of(const Message& message) const {
  if (!message.on_circuit || !circuits_stand_) return nullptr;
  const auto found = std::find_if(circuits_.begin(), circuits_.end(),
                                  [&](const Circuit& c) { return c.from == message.from && c.to == message.to; });
  return found == circuits_.end() ? nullptr : &*found;
}

void Carrier::checkpoint(Checkpoint& c) {
  if (under_way_ > 0) Checkpoint::refuse(fmt::format("{} messages of [tlm] are under way: expected none", under_way_));
  std::uint64_t slots = messages_.size();
  c(slots);
  c.each(circuits_);
  c(circuits_stand_, free_);  // of a flow as much has arrived as was sent, whatever the count
  c.expect(free_.size() == slots, "a message that is under way");  // none is
  messages_.resize(slots);
  for (const MessageSlot slot : free_) c.index(slot, slots, "message");
}

std::uint64_t Carrier::flow_of(const Message& m) const {
  return (std::uint64_t{m.from.value} * nodes_ + m.to.value) * 2 + (m.kind == kResponse ? 1 : 0);
}

std::uint64_t Carrier::flits(std::size_t bytes) const {
  const std::uint64_t parts = std::max<std::uint64_t>((bytes + part_bytes() - 1) / part_bytes(), 1);
  return parts + (bytes + options_.flit_bytes - 1) / options_.flit_bytes;
}

MessageSlot Carrier::open_message() {
  if (free_.empty()) {
    free_.push_back(static_cast<MessageSlot>(messages_.size()));
    messages_.emplace_back();
  }
  const MessageSlot slot = free_.back();
  free_.pop_back();
  Stored& stored = messages_[slot];
  stored.message.on_circuit = false;
  stored.message.bytes.clear();
  stored.left = stored.come = 0;
  return slot;
}

void Carrier::send(MessageSlot slot, std::uint32_t rank) {
  waiting_.push_back({messages_[slot].message.from, rank, slot});
  ++under_way_;
}

void Carrier::flush(std::uint64_t cycle) {
  if (waiting_.empty()) return;
  std::stable_sort(waiting_.begin(), waiting_.end(), [](const Waiting& a, const Waiting& b) {
    return std::make_pair(a.from, a.rank) < std::make_pair(b.from, b.rank);
  });
  for (const Waiting& waiting : waiting_) make_packets(cycle, waiting.message);
  waiting_.clear();
}

void Carrier::make_packets(std::uint64_t cycle, MessageSlot slot) {
  Stored& stored = messages_[slot];
  const Message& m = stored.message;
  Outlet& outlet = *slices_[slice_of_node_[m.from.value]].outlet;
  const Circuit* circuit = circuit_of(m);
  stored.place = flows_[flow_of(m)].next_place++;
  stored.parts =
      std::max<std::uint32_t>((static_cast<std::uint32_t>(m.bytes.size()) + part_bytes() - 1) / part_bytes(), 1);
  const std::size_t port = circuit != nullptr ? circuit->local_port : outlet.next_port(m.from);
  for (std::uint32_t p = 0; p < stored.parts; ++p) {
    const std::size_t bytes = std::min<std::size_t>(m.bytes.size() - p * part_bytes(), part_bytes());
    const auto flits = static_cast<std::uint32_t>(1 + (bytes + options_.flit_bytes - 1) / options_.flit_bytes);
    const PacketSlot packet = outlet.make(cycle, m.kind, m.kind, m.from, m.to, flits);
    outlet[packet].tag = slot;
    outlet[packet].tag_sequence = p;
    if (circuit != nullptr) {
      outlet.transport().send_on_circuit(port, circuit->lane, packet);
    } else {
      outlet.transport().send(port, packet);
    }
  }
}

/// In the order of nodes, then of time: the same however the network is cut.
template <class Act>
void Carrier::for_each_part(std::vector<Part> Slice::* parts, Act act) {
  taken_.clear();
  for (Slice& slice : slices_) {
    taken_.insert(taken_.end(), (slice.*parts).begin(), (slice.*parts).end());
    (slice.*parts).clear();
  }
  if (taken_.empty()) return;
  std::stable_sort(taken_.begin(), taken_.end(), [](const Part& a, const Part& b) { return a.node < b.node; });
  std::vector<Part> now;
  now.swap(taken_);  // the user may send
  for (const Part& part : now) act(part.message);
  taken_.swap(now);
}

void Carrier::take(User& user) {
  for_each_part(&Slice::left, [&](MessageSlot slot) {
    Stored& stored = messages_[slot];
    if (++stored.left == stored.parts) user.left(stored.message);
  });
  for_each_part(&Slice::arrived, [&](MessageSlot slot) {
    Stored& stored = messages_[slot];
    if (++stored.come == stored.parts) hand_over(user, slot);
  });
}

void Carrier::hand_over(User& user, MessageSlot slot) {
  --under_way_;
  Flow& flow = flows_[flow_of(messages_[slot].message)];  // elements of the map stay where they are
  if (messages_[slot].place != flow.next_arrival) {
    flow.early.emplace(messages_[slot].place, slot);
    return;
  }
  for (MessageSlot next = slot;;) {
    ++flow.next_arrival;
    user.arrived(messages_[next].message);
    free_.push_back(next);
    if (flow.early.empty() || flow.early.begin()->first != flow.next_arrival) return;
    next = flow.early.begin()->second;
    flow.early.erase(flow.early.begin());
  }
}

}  // namespace braid::models
