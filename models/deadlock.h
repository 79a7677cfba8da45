// What the watchdog says: who waits for whom.
#pragma once

#include <string>

#include "models/network.h"

namespace braid::models {

/// A cycle of waiting channels and the packets in them, one channel a line; if flits wait without a cycle among
/// channels (a consumer that never takes its stream, a reserved link that is closed to packets) the oldest waiters.
std::string describe_deadlock(const Network& network);

}  // namespace braid::models
