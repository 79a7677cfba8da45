#include "models/families/hybrid/output_buffers.h"

#include "models/fabric/bits.h"

namespace braid::models::hybrid {

OutputBuffers::OutputBuffers(const BankView& bank, RouterRange range, std::uint32_t limit, std::uint32_t room)
    : first_port_(range.first * bank.port_stride()),
      limit_(limit),
      bits_(bits_for(room)),
      mask_((1U << bits_) - 1),
      queues_(range.size() * bank.port_stride()),
      flits_(zeroed<Flit>(queues_.size() << bits_)),
      full_(queues_.size()) {
  waiting_.resize(queues_.size());
}

void OutputBuffers::look() {
  if (limit_ == 0) return;
  for (std::size_t i = 0; i < queues_.size(); ++i) full_[i] = queues_[i].count >= limit_;
}

void OutputBuffers::push(PortIndex out, const Flit& flit) {
  const std::size_t i = out - first_port_;
  at(i, queues_[i].first + queues_[i].count++) = flit;
  waiting_.insert(i);
}

void OutputBuffers::checkpoint(Checkpoint& c) {
  c.part("output buffers");
  c.each(queues_);
  c.array(flits_.get(), queues_.size() << bits_);
  if (!c.restoring()) return;
  for (std::size_t i = 0; i < queues_.size(); ++i) {
    c.index(queues_[i].count, std::uint64_t{mask_} + 2, "number of flits in an output buffer");
    queues_[i].count == 0 ? waiting_.erase(i) : waiting_.insert(i);
  }
}

void OutputBuffers::check_restored(const Checkpoint& c, const BankView& bank) const {
  for (const Queue& q : queues_) c.index(q.first, std::uint64_t{mask_} + 1, "place in an output buffer");
  for_each([&](PortIndex out, const Flit& flit) {
    c.packet(flit.packet());
    c.index(flit.vc(), bank.vcs(), "lane");
    c.expect(bank.links[out].target != kNone, "a flit that waits for no link");
  });
}

}  // namespace braid::models::hybrid
