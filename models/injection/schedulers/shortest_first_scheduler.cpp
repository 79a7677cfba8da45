// Shortest first: alpha scheduling with alpha = infinity. The message with the fewest packets left goes first, of equal
// ones the older; a long message can wait for ever (po2-message-scheduling, section 4).
#include "models/injection/schedulers/keyed_messages.h"
#include "models/injection/schedulers/message_pool.h"

namespace braid::models {
namespace {

const bool shortest_first_scheduler_registered = InjectionSchedulerRegistry::instance().add(
    "shortest_first", "message with the fewest packets left, preemptive; long ones may starve",
    message_pool_options().list(), [](const SchedulerContext& o) {
      check_messages(o);
      return from_message_pool(std::make_unique<KeyedMessages>(o.store, 1, 0, 0), o);
    });

}  // namespace
}  // namespace braid::models
