// The memory that modules, ports and channels take: some hundred objects a router, each by itself on the heap.
#pragma once

#include <cstddef>
#include <cstdint>

namespace braid::models::stages {

/// What this process has on its heap; 0 where nobody counts (AddressSanitizer).
std::uint64_t heap_bytes();
/// Throws InputError unless there is room for as many modules, of which the first has been made and takes `bytes_each`.
void check_room_for_modules(std::size_t modules, std::uint64_t bytes_each);
/// Asks the operating system to lay what is on the heap by now on huge pages. What a cycle touches of a router's
/// modules is some kilobytes of a hundred: on pages of 4 kB their addresses cost more than they do. Where it cannot
/// nothing happens.
void gather_heap_on_huge_pages();

}  // namespace braid::models::stages
