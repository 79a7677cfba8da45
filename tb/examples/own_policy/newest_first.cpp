// The newest packet goes first, as where only fresh data is of use; but nobody is overtaken for ever.
#include <deque>

#include "models/injection/injection_point.h"

namespace {

using namespace braid;

struct NewestFirstOptions {
  std::uint32_t patience_packets = 16;
};
const OptionTable<NewestFirstOptions>& options() {
  static const OptionTable<NewestFirstOptions> table =
      OptionTable<NewestFirstOptions>("interface")
          .integer("patience_packets", &NewestFirstOptions::patience_packets, 1, 1000000,
                   "that may overtake the oldest packet");
  return table;
}

class NewestFirst final : public models::InjectionScheduler {
 public:
  explicit NewestFirst(const models::SchedulerContext& context)
      : patience_(options().read(context.configuration).patience_packets) {}

  void push(models::PacketSlot packet) override { waiting_.push_back(packet); }
  models::PacketSlot pop() override {
    const bool overtakes = waiting_.size() > 1 && overtaken_ < patience_;
    const models::PacketSlot packet = overtakes ? waiting_.back() : waiting_.front();
    if (overtakes) {
      waiting_.pop_back();
      ++overtaken_;
      ++overtakes_.events;
    } else {
      waiting_.pop_front();
      overtaken_ = 0;
    }
    return packet;
  }
  std::size_t size() const override { return waiting_.size(); }
  void checkpoint(Checkpoint& c) override { c(waiting_, overtaken_, overtakes_.events); }

  Report report() const override { return figures().of(*this); }
  static const FigureTable<NewestFirst>& figures() {
    static const FigureTable<NewestFirst> table = FigureTable<NewestFirst>().add(
        "overtakes", "packets/cycle", "packets of a port that go before an older one", &NewestFirst::overtakes_);
    return table;
  }

 private:
  std::deque<models::PacketSlot> waiting_;  // oldest first
  std::uint32_t patience_;
  std::uint32_t overtaken_ = 0;  // how often, the oldest
  RawCount overtakes_;
};

const bool registered = models::InjectionSchedulerRegistry::instance().add(
    "newest_first", "last in, first out, with patience", options().list(), NewestFirst::figures().list(),
    [](const models::SchedulerContext& context) { return std::make_unique<NewestFirst>(context); });

}  // namespace
