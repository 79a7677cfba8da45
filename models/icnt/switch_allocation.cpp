// Who crosses the switch. An input channel asks while it has a flit, an output channel and a credit; requests stand
// until one of these is gone, so that losers cost nothing.
#include "models/icnt/round_robin.h"
#include "models/icnt/routers.h"

namespace braid::models::icnt {

void Routers::request(std::uint32_t input) {
  const Input& at = inputs_[input];
  const unsigned own = own_input_[at.from];
  if (ready_[at.from] == 0) to_cross_.insert(at.from);
  ready_[at.from] |= bit_of(input);
  if (!requests_.has(at.to, own) && requests_.insert(at.to, own)) to_switch_.insert(at.to);
}

void Routers::withdraw(std::uint32_t input) {
  const Input& at = inputs_[input];
  ready_[at.from] &= ~bit_of(input);
  if (ready_[at.from] == 0) to_cross_.erase(at.from);
  for (std::uint64_t left = ready_[at.from]; left != 0; left &= left - 1)
    if (inputs_[input - vc_of(input) + lowest(left)].to == at.to) return;  // another of its channels asks for it
  if (requests_.erase(at.to, own_input_[at.from])) to_switch_.erase(at.to);
}

void Routers::allocate_switch() {
  if (one_vc_) {
    switch_one_request_an_input();
  } else if (configuration_.switch_allocator.kind == AllocatorKind::kIslip) {
    switch_islip();
  } else {
    switch_input_first();
  }
}

/// What either allocator comes to where an input has one channel: whatever an output grants is accepted.
void Routers::switch_one_request_an_input() {
  to_switch_.each([this](std::size_t to) {
    const unsigned place = requests_.next(to, switch_output_turn_[to]);
    switch_output_turn_[to] = after(place, expanded_inputs_);
    switch_grants_.push_back({first_input_[to] + place, static_cast<std::uint32_t>(to)});
  });
}

/// Each output grants to the next input in turn, each input accepts the next output in turn; turns move on where the
/// first round's grant is accepted.
void Routers::switch_islip() {
  for (unsigned round = 0; round < configuration_.switch_allocator.iterations; ++round) {
    to_switch_.each([this](std::size_t to) { grant_switch(static_cast<std::uint32_t>(to)); });
    if (switch_touched_.empty()) break;
    for (const std::uint32_t from : switch_touched_) {
      const std::uint32_t to = switch_choice_[from];
      switch_choice_[from] = kNone;
      accept_switch(from, to);
      if (round != 0) continue;
      switch_output_turn_[to] = after(own_input_[from], expanded_inputs_);
      switch_input_turn_[from] = after(own_output_[to], expanded_outputs_);
    }
    switch_touched_.clear();
  }
}

inline void Routers::choose_nearest(std::uint32_t at, std::uint32_t candidate, const std::vector<std::uint32_t>& own,
                                    unsigned turn, unsigned places) {
  std::uint32_t& choice = switch_choice_[at];
  if (choice == kNone) {
    switch_touched_.push_back(at);
    choice = candidate;
  } else if (distance(own[candidate], turn, places) < distance(own[choice], turn, places)) {
    choice = candidate;
  }
}

void Routers::grant_switch(std::uint32_t to) {
  if (matched_output_[to] != 0) return;
  const std::uint32_t base = first_input_[to];
  const unsigned first = requests_.next(to, switch_output_turn_[to]);
  unsigned place = first;
  while (matched_input_[base + place] != 0) {  // in an earlier round
    place = requests_.next(to, after(place, expanded_inputs_));
    if (place == first) return;
  }
  const std::uint32_t from = base + place;
  choose_nearest(from, to, own_output_, switch_input_turn_[from], expanded_outputs_);
}

/// Each input asks for the next output in turn, each output takes the next that asks in turn.
void Routers::switch_input_first() {
  to_cross_.each([this](std::size_t each) {
    const auto from = static_cast<std::uint32_t>(each);
    const std::uint32_t to = next_output(from);
    choose_nearest(to, from, own_input_, switch_output_turn_[to], expanded_inputs_);
  });
  for (const std::uint32_t to : switch_touched_) {
    const std::uint32_t from = switch_choice_[to];
    switch_choice_[to] = kNone;
    accept_switch(from, to);
    switch_output_turn_[to] = after(own_input_[from], expanded_inputs_);
    switch_input_turn_[from] = after(own_output_[to], expanded_outputs_);
  }
  switch_touched_.clear();
}

/// Of those that this input's channels ask for, the next in turn.
std::uint32_t Routers::next_output(std::uint32_t from) const {
  const std::uint32_t base = from / configuration_.input_speedup << shift_;
  std::uint32_t found = kNone;
  for (std::uint64_t left = ready_[from]; left != 0; left &= left - 1) {
    const std::uint32_t to = inputs_[base + lowest(left)].to;
    if (found == kNone || distance(own_output_[to], switch_input_turn_[from], expanded_outputs_) <
                              distance(own_output_[found], switch_input_turn_[from], expanded_outputs_))
      found = to;
  }
  return found;
}

/// Of an input's channels that ask for this output, the next in turn crosses.
void Routers::accept_switch(std::uint32_t from, std::uint32_t to) {
  const std::uint32_t base = from / configuration_.input_speedup << shift_;
  std::uint32_t found = kNone;
  for (std::uint64_t left = ready_[from]; left != 0; left &= left - 1) {
    const unsigned vc = lowest(left);
    if (inputs_[base + vc].to != to) continue;
    if (found == kNone || distance(vc, switch_vc_turn_[from], vcs_) < distance(found, switch_vc_turn_[from], vcs_))
      found = vc;
  }
  switch_vc_turn_[from] = (found + configuration_.input_speedup) % vcs_;
  if (configuration_.switch_allocator.iterations > 1) matched_input_[from] = matched_output_[to] = 1;
  switch_grants_.push_back({base + found, to});
}

void Routers::cross_switch() {
  for (const Grant& grant : switch_grants_) {
    if (configuration_.switch_allocator.iterations > 1)
      matched_input_[inputs_[grant.input].from] = matched_output_[grant.output] = 0;
    send(grant.input);
  }
  switch_grants_.clear();
}

void Routers::send(std::uint32_t channel) {
  Input& input = inputs_[channel];
  Output& output = outputs_[input.channel];
  crossing_.push_back({input.channel, input.packets.first});
  --output.credits;
  --input.flits;
  const std::uint32_t port = port_of(channel);
  if (configuration_.input_speedup == 1) {
    give_credit(port, bit_of(channel));
  } else {
    if (credit_vcs_[port] == 0) credit_ports_.push_back(port);
    credit_vcs_[port] |= bit_of(channel);
  }
  if (--input.left != 0) {
    if (input.flits == 0 || output.credits == 0) withdraw(channel);
    return;
  }
  withdraw(channel);
  output.owner = kNone;
  if (!configuration_.wait_for_tail_credit) free_channel(input.channel);
  input.channel = kNone;
  packets_.drop_first(input.packets);
  if (input.packets.count != 0) begin_packet(channel);
}

}  // namespace braid::models::icnt
