// Shaders that read and write, memories that answer: traffic for a network with the calls of Interconnect. Every draw
// is a function of device and count, so that two networks are asked the same while they behave the same, and `hash`
// covers every pop: equal hashes are equal cycles.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "models/icnt/icnt.h"

namespace braid::models::icnt {

struct Load {
  unsigned shaders, memories;
  unsigned percent;           ///< chance of a request a cycle and shader
  unsigned outstanding = 64;  ///< of a shader, at most
  unsigned cycles = 4000;     ///< in which requests are made
  unsigned skew = 0;          ///< percent of requests to the first memory
};

template <class Network>
class ClosedLoop {
 public:
  ClosedLoop(Network& network, const Load& load)
      : network_(network), load_(load), shaders_(load.shaders), memories_(load.memories) {}

  void run() {
    while (step()) {
    }
  }
  /// A cycle. False: all that was sent has come, or never will.
  bool step() {
    const bool issuing = now_ < load_.cycles;
    if (!issuing && (drained() || now_ == load_.cycles + kPatience)) return false;
    cycle(issuing);
    ++now_;
    return true;
  }

  std::uint64_t hash = 0;
  unsigned requests = 0, replies = 0;
  unsigned wrong = 0;      ///< payloads that came twice, to another device or changed
  unsigned reordered = 0;  ///< behind a later packet of the same flow
  bool drained() const { return under_way_ == 0 && !network_.busy(); }

 private:
  static constexpr std::uint64_t kPatience = 20000;

  struct Packet {
    std::uint32_t kind = 0;  // the first word, as in a simulator's request
    unsigned from = 0, to = 0, number = 0, check = 0;
    unsigned sequence = 0;
    bool in_network = false;
    std::uint64_t ready = 0;
  };
  struct Shader {
    unsigned count = 0, outstanding = 0;
    Packet* waiting = nullptr;
  };

  static std::uint64_t mix(std::uint64_t x) {
    x = (x ^ (x >> 31)) * 0x7fb5d329728ea185ULL;
    x = (x ^ (x >> 27)) * 0x81dadef4bc2dd44dULL;
    return x ^ (x >> 33);
  }
  std::uint64_t draw(unsigned shader, std::uint64_t what, std::uint64_t count) const {
    return mix(mix(shader * 0x9e3779b97f4a7c15ULL + what) + count * 2654435761ULL + 1);
  }
  static unsigned bytes(unsigned kind) { return kind == 1 || kind == 2 ? 136 : 8; }

  void cycle(bool issuing) {
    for (unsigned shader = 0; shader < load_.shaders; ++shader) take_reply(shader);
    for (unsigned memory = 0; memory < load_.memories; ++memory) {
      send_reply(memory);
      if (memories_[memory].size() < 32) take_request(memory);
    }
    network_.transfer();
    for (unsigned shader = 0; shader < load_.shaders; ++shader) issue(shader, issuing);
  }

  void push(Packet& packet) {
    packet.sequence = ++pushed_[{packet.from, packet.to}];
    packet.check = packet.kind * 31 + packet.from * 7 + packet.to * 3 + packet.number;
    packet.in_network = true;
    network_.push(packet.from, packet.to, &packet, bytes(packet.kind), static_cast<Kind>(packet.kind));
  }

  Packet* pop(unsigned device) {
    auto* const packet = static_cast<Packet*>(network_.pop(device));
    if (packet == nullptr) return nullptr;
    const unsigned check = packet->kind * 31 + packet->from * 7 + packet->to * 3 + packet->number;
    wrong += !packet->in_network || packet->to != device || packet->check != check;
    packet->in_network = false;
    unsigned& last = popped_[{packet->from, packet->to}];
    reordered += packet->sequence < last;
    last = packet->sequence;
    hash = mix(hash ^ mix(now_ * 4096 + device) ^ packet->number ^ std::uint64_t{packet->from} << 32);
    return packet;
  }

  void take_reply(unsigned shader) {
    if (pop(shader) == nullptr) return;
    --shaders_[shader].outstanding;
    --under_way_;
    ++replies;
  }

  void take_request(unsigned memory) {
    Packet* const packet = pop(load_.shaders + memory);
    if (packet == nullptr) return;
    std::swap(packet->from, packet->to);
    packet->kind += 2;
    packet->ready = now_ + 40;
    memories_[memory].push_back(packet);
  }

  void send_reply(unsigned memory) {
    auto& queue = memories_[memory];
    if (queue.empty() || queue.front()->ready > now_) return;
    if (!network_.has_buffer(load_.shaders + memory, bytes(queue.front()->kind))) return;
    push(*queue.front());
    queue.pop_front();
  }

  void issue(unsigned shader, bool issuing) {
    Shader& at = shaders_[shader];
    if (issuing && at.waiting == nullptr && at.outstanding < load_.outstanding &&
        draw(shader, 0, now_) % 100 < load_.percent) {
      packets_.push_back(std::make_unique<Packet>());
      Packet& packet = *packets_.back();
      packet.kind = draw(shader, 1, at.count) % 2;
      packet.from = shader;
      packet.number = at.count;
      const bool skewed = draw(shader, 2, at.count) % 100 < load_.skew;
      packet.to = load_.shaders + (skewed ? 0 : draw(shader, 3, at.count) % load_.memories);
      ++at.count;
      ++at.outstanding;
      ++under_way_;
      ++requests;
      at.waiting = &packet;
    }
    if (at.waiting == nullptr || !network_.has_buffer(shader, bytes(at.waiting->kind))) return;
    push(*at.waiting);
    at.waiting = nullptr;
  }

  Network& network_;
  Load load_;
  std::uint64_t now_ = 0;
  unsigned under_way_ = 0;
  std::vector<Shader> shaders_;
  std::vector<std::deque<Packet*>> memories_;
  std::vector<std::unique_ptr<Packet>> packets_;
  std::map<std::pair<unsigned, unsigned>, unsigned> pushed_, popped_;
};

}  // namespace braid::models::icnt
