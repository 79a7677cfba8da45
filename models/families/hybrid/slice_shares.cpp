// A slice whose VCs share buffers (models/families/hybrid/shared_buffers.h): what its stages do beyond those of other
// slices. A stage counts the credit of the VC that a flit or a credit is of, as ever; here are the other VCs of the
// port, whose switch requests fall when the pool's last place goes, and rise when one comes back.
#include "models/families/hybrid/shared_buffers.h"
#include "models/families/hybrid/slice.h"

namespace braid::models::hybrid {

void Slice::share_switch_grants() {
  if (shared_.forks != nullptr) copy_at_forks();
  SharedBuffers* const shared = shared_.bank.shared_buffers();
  if (shared == nullptr) return;
  const BankView& bank = shared_.bank;
  const SwitchRequestLines requests(*this, bank);
  for (const VcIndex in_vc : switch_grants_) {
    const VcIndex out_vc = bank.input_vcs[in_vc].out_vc;
    if (bank.is_circuit_lane(bank.lane_of(out_vc))) continue;
    shared->send(out_vc, [&](VcIndex other) {
      const VcIndex owner = bank.output_vcs[other].owner;
      if (owner != kNone) requests.drop(bank, owner, 1);
    });
  }
}

void Slice::commit_extras(std::uint64_t cycle) {
  if (packet_forks_ != nullptr) commit_forks();
  share_credits(cycle);
}

void Slice::share_credits(std::uint64_t cycle) {
  SharedBuffers* const shared = shared_.bank.shared_buffers();
  if (shared == nullptr) return;
  const BankView& bank = shared_.bank;
  const SwitchRequestLines requests(*this, bank);
  for_each_source(cycle, [&](const Channel::Slot& slot) {
    for (const VcIndex credit : slot.credits) {
      if (bank.is_circuit_lane(bank.lane_of(credit))) continue;
      shared->take_credit(credit, [&](VcIndex other) {
        const VcIndex owner = bank.output_vcs[other].owner;
        if (owner != kNone) requests.raise(bank, owner, bank.input_vcs[owner].count > 0);
      });
    }
  });
}

}  // namespace braid::models::hybrid
