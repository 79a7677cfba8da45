// The memory that modules, ports and channels take: some hundred objects a router, each by itself on the heap.
#pragma once

#include <cstddef>
#include <cstdint>

namespace braid::models::stages {

/// What this process has on its heap; 0 where nobody counts (AddressSanitizer).
std::uint64_t heap_bytes();
/// Throws InputError unless there is room for as many modules, of which the first has been made and takes `bytes_each`.
void check_room_for_modules(std::size_t modules, std::uint64_t bytes_each);

}  // namespace braid::models::stages
