#include "routing/base/break_off.h"

#include <utility>

namespace braid::routing {

thread_local const OnProgress* BreakOff::current_ = nullptr;

BreakOff::BreakOff(OnProgress asked) : asked_(std::move(asked)), outer_(current_) { current_ = &asked_; }

BreakOff::~BreakOff() { current_ = outer_; }

}  // namespace braid::routing
