// What does not fit the computer's memory is refused before it is asked for: the kernel grants more than there is, and
// ends whoever uses it.
#pragma once

#include <cstdint>
#include <string>

namespace braid {

/// Bytes that this process may still take: what the computer has free, or what a limit (ulimit -v) leaves.
std::uint64_t available_bytes();

/// "1.5 GB".
std::string gigabytes(std::uint64_t bytes);

/// Throws InputError if that is more than is available: "WHAT take up to 40.0 GB, and 8.0 GB are available; expected
/// INSTEAD".
void check_room(const std::string& what, double bytes, const std::string& instead);

}  // namespace braid
