#include "routing/base/break_off.h"

#include <utility>

namespace braid::routing {

thread_local const OnProgress* BreakOff::innermost = nullptr;

BreakOff::BreakOff(OnProgress asked) : asked_(std::move(asked)), outer_(innermost) { innermost = &asked_; }

BreakOff::~BreakOff() { innermost = outer_; }

}  // namespace braid::routing
