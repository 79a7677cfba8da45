// Alpha scheduling (po2-message-scheduling, section 4): a message's priority is c + alpha * l, c the packets that its
// node had sent when it came, l the packets it has still to send; the lowest goes first and preempts. Alpha 0 is FIFO,
// larger alphas favour short messages, and every finite one leaves nobody waiting for ever.
#include <cmath>

#include "models/injection/schedulers/keyed_messages.h"
#include "models/injection/schedulers/message_pool.h"

namespace braid::models {
namespace {

struct AlphaOptions {
  double alpha = 4.0;                    ///< weight of a message's remaining packets against age
  std::uint32_t clock_limit = 1U << 20;  ///< the clock is scaled back when it gets there
};
const OptionTable<AlphaOptions> kTable =
    OptionTable<AlphaOptions>("message")
        .number("alpha", &AlphaOptions::alpha, 0.0, 1e6,
                "packets of waiting that a packet left counts (scheduler \"shortest_first\" is infinity)")
        .integer("clock_limit", &AlphaOptions::clock_limit, 4, 1 << 30,
                 "packets sent after which the clock is scaled back");

OptionList alpha_options() {
  OptionList list = kTable.list();
  const OptionList& pool = message_pool_options().list();
  list.insert(list.end(), pool.begin(), pool.end());
  return list;
}

constexpr double kOne = 256.0;  // registers count in 1/256 of a packet

const bool alpha_scheduler_registered = InjectionSchedulerRegistry::instance().add(
    "alpha", "message of lowest clock + alpha * packets left, preemptive (message.alpha)", alpha_options(),
    [](const SchedulerContext& o) -> std::unique_ptr<InjectionScheduler> {
      check_messages(o);
      const AlphaOptions message = kTable.read(o.configuration);
      auto messages =
          std::make_unique<KeyedMessages>(o.store, static_cast<std::uint64_t>(std::lround(message.alpha * kOne)),
                                          static_cast<std::uint64_t>(kOne), message.clock_limit);
      return from_message_pool(std::move(messages), o);
    });

}  // namespace
}  // namespace braid::models
