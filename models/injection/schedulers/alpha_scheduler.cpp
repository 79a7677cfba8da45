// Alpha scheduling (po2-message-scheduling, section 4): a message's priority is c + alpha * l, c the packets that its
// node had sent when it came, l the packets it has still to send; the lowest goes first and preempts. Alpha 0 is FIFO,
// larger alphas favour short messages, and every finite one leaves nobody waiting for ever.
#include <cmath>

#include "models/injection/schedulers/keyed_messages.h"

namespace braid::models {
namespace {

constexpr double kOne = 256.0;  // registers count in 1/256 of a packet

const bool registered = InjectionSchedulerRegistry::instance().add(
    "alpha", "message of lowest clock + alpha * packets left, preemptive (message.alpha)",
    [](const InjectionSchedulerOptions& o) -> std::unique_ptr<InjectionScheduler> {
      const MessageOptions& message = o.experiment.message;
      if (!(message.alpha >= 0.0 && message.alpha <= 1e6)) {
        throw InputError("message.alpha is out of range: expected 0 to 1e6 (scheduler \"shortest_first\" is infinity)");
      }
      return std::make_unique<KeyedMessages>(o.store, static_cast<std::uint64_t>(std::lround(message.alpha * kOne)),
                                             static_cast<std::uint64_t>(kOne), message.clock_limit);
    });

}  // namespace
}  // namespace braid::models
