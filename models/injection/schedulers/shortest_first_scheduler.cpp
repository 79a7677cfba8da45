// Shortest first: alpha scheduling with alpha = infinity. The message with the fewest packets left goes first, of equal
// ones the older; a long message can wait for ever (po2-message-scheduling, section 4).
#include "models/injection/schedulers/keyed_messages.h"

namespace braid::models {
namespace {

const bool shortest_first_scheduler_registered = InjectionSchedulerRegistry::instance().add(
    "shortest_first", "message with the fewest packets left, preemptive; long ones may starve",
    [](const SchedulerContext& o) { return std::make_unique<KeyedMessages>(o.store, 1, 0, 0); });

}  // namespace
}  // namespace braid::models
