// Who gets which virtual channel at an output. Routing gives every packet one output, so each output port is allocated
// by itself, and only where a packet waits and a channel is free.
#include "models/icnt/round_robin.h"
#include "models/icnt/routers.h"

namespace braid::models::icnt {

void Routers::allocate_channels() {
  const bool islip = configuration_.vc_allocator.kind == AllocatorKind::kIslip;
  to_allocate_.each([this, islip](std::size_t port) {
    const std::size_t before = vc_grants_.size();
    if (vcs_ == 1) {
      allocate_only_channel(static_cast<std::uint32_t>(port));
    } else if (allocate_lone(static_cast<std::uint32_t>(port))) {
      return;  // with a grant or without: what follows is for several
    } else if (islip) {
      allocate_islip(static_cast<std::uint32_t>(port));
    } else {
      allocate_input_first(static_cast<std::uint32_t>(port));
    }
    if (vc_grants_.size() == before) to_allocate_.erase(port);  // until a channel is free, or another packet waits
  });
}

/// What either allocator comes to where there is nothing to choose but the input.
void Routers::allocate_only_channel(std::uint32_t output) {
  if (free_[output] == 0 || waiting_.empty(output)) return;
  const unsigned place = waiting_.next(output, vc_output_turn_[output]);
  vc_output_turn_[output] = after(place, channels_);
  vc_grants_.push_back({first_channel_[output] + place, output});
}

/// What either allocator comes to where one packet waits: it gets the next free channel in turn. False: none or several
/// wait.
bool Routers::allocate_lone(std::uint32_t output) {
  unsigned waiting = 0, range = 0;
  for (unsigned each = 0; each < ranges_; ++each)
    if (!waiting_.empty(std::size_t{output} * ranges_ + each)) {
      waiting += waiting_.size(std::size_t{output} * ranges_ + each);
      range = each;
    }
  if (waiting != 1) return false;
  const std::uint64_t open = free_[output] & range_masks_[range];
  if (open == 0) {
    to_allocate_.erase(output);
    return true;
  }
  const std::uint32_t input = first_channel_[output] + waiting_.next(std::size_t{output} * ranges_ + range, 0);
  grant(output, input, next_channel(output, input, open));
  return true;
}

/// Of these channels at an output, the next in the input channel's turn.
unsigned Routers::next_channel(std::uint32_t output, std::uint32_t input, std::uint64_t open) const {
  const std::uint32_t first = (output << shift_) - first_channel_[output];  // the port's first channel in its router
  const std::uint32_t turn = vc_input_turn_[input];
  return turn < first || turn >= first + vcs_ ? lowest(open) : PortSets::next(&open, 1, turn - first);
}

/// A grant that both turns move on for.
void Routers::grant(std::uint32_t output, std::uint32_t input, unsigned vc) {
  const std::uint32_t channel = (output << shift_) + vc;
  vc_grants_.push_back({input, channel});
  vc_output_turn_[channel] = after(inputs_[input].place, channels_);
  vc_input_turn_[input] = after(channel - first_channel_[output], channels_);
}

/// Input channels that wait at this output, may have this channel and are not among the grants from `since` on, as
/// words; nullptr: none.
const std::uint64_t* Routers::wanting(std::uint32_t output, unsigned vc, std::size_t since) {
  const std::uint64_t* found = nullptr;
  for (unsigned range = 0; range < ranges_; ++range) {
    const std::size_t set = std::size_t{output} * ranges_ + range;
    if (waiting_.empty(set) || (range_masks_[range] >> vc & 1) == 0) continue;
    const std::uint64_t* bits = waiting_.bits(set);
    if (found != nullptr)
      for (unsigned word = 0; word < waiting_.words(); ++word) scratch_[word] = bits[word] | found[word];
    found = found == nullptr ? bits : scratch_.data();
  }
  if (found == nullptr || since == vc_grants_.size()) return found;
  std::uint64_t any = 0;
  for (unsigned word = 0; word < waiting_.words(); ++word) scratch_[word] = found[word];
  for (std::size_t grant = since; grant < vc_grants_.size(); ++grant) {
    const std::uint32_t place = inputs_[vc_grants_[grant].input].place;
    scratch_[place / 64] &= ~(std::uint64_t{1} << place % 64);
  }
  for (const std::uint64_t word : scratch_) any |= word;
  return any != 0 ? scratch_.data() : nullptr;
}

/// Each free channel grants to the next input channel in turn, each input channel accepts the next output channel in
/// turn; turns move on where the first round's grant is accepted.
void Routers::allocate_islip(std::uint32_t output) {
  const std::uint32_t base = first_channel_[output];
  const std::size_t since = vc_grants_.size();
  std::uint64_t open = free_[output];
  for (unsigned round = 0; round < configuration_.vc_allocator.iterations && open != 0; ++round) {
    const std::size_t before = vc_grants_.size();
    std::uint64_t granting = 0;
    for (std::uint64_t left = open; left != 0; left &= left - 1) {
      const unsigned vc = lowest(left);
      const std::uint64_t* bits = wanting(output, vc, since);
      if (bits == nullptr) continue;
      chosen_[vc] = base + PortSets::next(bits, waiting_.words(), vc_output_turn_[(output << shift_) + vc]);
      granting |= std::uint64_t{1} << vc;
    }
    while (granting != 0) open &= ~(std::uint64_t{1} << accept(output, granting, round == 0));
    if (vc_grants_.size() == before) return;
  }
}

/// The input channel that the first of these channels has been granted to takes one of its grants. Returns that
/// channel.
unsigned Routers::accept(std::uint32_t output, std::uint64_t& granting, bool turns) {
  const std::uint32_t first =
      (output << shift_) - first_channel_[output];  // the port's first channel within its router
  unsigned best = lowest(granting);
  const std::uint32_t input = chosen_[best];
  const std::uint32_t turn = vc_input_turn_[input];
  for (std::uint64_t left = granting; left != 0; left &= left - 1) {
    const unsigned vc = lowest(left);
    if (chosen_[vc] != input) continue;
    granting &= ~(std::uint64_t{1} << vc);
    if (distance(first + vc, turn, channels_) < distance(first + best, turn, channels_)) best = vc;
  }
  if (turns) {
    grant(output, input, best);
  } else {
    vc_grants_.push_back({input, (output << shift_) + best});
  }
  return best;
}

/// Each input channel asks for the next free output channel in turn, each output channel takes the next that asks in
/// turn.
void Routers::allocate_input_first(std::uint32_t output) {
  const std::uint32_t base = first_channel_[output];
  std::uint64_t asked = 0;
  for (unsigned range = 0; range < ranges_; ++range) {
    const std::size_t set = std::size_t{output} * ranges_ + range;
    const std::uint64_t open = free_[output] & range_masks_[range];
    if (waiting_.empty(set) || open == 0) continue;
    PortSets::each(waiting_.bits(set), waiting_.words(), [&](unsigned place) {
      const unsigned vc = next_channel(output, base + place, open);
      const std::uint32_t vc_turn = vc_output_turn_[(output << shift_) + vc];
      if ((asked >> vc & 1) == 0 ||
          distance(place, vc_turn, channels_) < distance(chosen_[vc] - base, vc_turn, channels_))
        chosen_[vc] = base + place;
      asked |= std::uint64_t{1} << vc;
    });
  }
  for (; asked != 0; asked &= asked - 1) {
    const unsigned vc = lowest(asked);
    grant(output, chosen_[vc], vc);
  }
}

void Routers::take_channels() {
  for (const Grant& grant : vc_grants_) {
    Input& input = inputs_[grant.input];
    waiting_.erase(input.waits_at, input.place);
    free_[port_of(grant.output)] &= ~bit_of(grant.output);
    outputs_[grant.output].owner = grant.input;
    input.channel = grant.output;
    if (outputs_[grant.output].credits != 0) request(grant.input);
  }
  vc_grants_.clear();
}

}  // namespace braid::models::icnt
