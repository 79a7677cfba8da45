// Shaders read from memories over the nine calls of calls.h: each has one read under way, to the memories in turn.
#include <cstdint>
#include <cstdlib>
#include <deque>
#include <iostream>
#include <vector>

#include "calls.h"

namespace {

struct Request {
  std::uint32_t kind;
  unsigned shader, memory;
  unsigned made;
};

constexpr unsigned kCycles = 10000, kAddress = 8, kLine = 136;  // bytes

}  // namespace

int main(int words, char** word) {
  if (words != 4) {
    std::cerr << "gpu_network FILE.icnt SHADERS MEMORIES\n";
    return 2;
  }
  const unsigned shaders = std::strtoul(word[2], nullptr, 10), memories = std::strtoul(word[3], nullptr, 10);
  net_create(word[1], shaders, memories);
  net_init();
  std::vector<Request> requests(shaders);
  std::vector<bool> under_way(shaders);
  std::vector<std::deque<Request*>> answers(memories);
  unsigned reads = 0, wrong = 0, round_trips = 0;
  for (unsigned cycle = 0; cycle < kCycles || net_busy(); ++cycle) {
    for (unsigned shader = 0; shader < shaders; ++shader)
      if (auto* const reply = static_cast<Request*>(net_pop(shader))) {
        wrong += reply != &requests[shader] || reply->kind != 2;
        round_trips += cycle - reply->made;
        ++reads;
        under_way[shader] = false;
      }
    for (unsigned memory = 0; memory < memories; ++memory) {
      const unsigned device = shaders + memory;
      if (!answers[memory].empty() && net_has_buffer(device, kLine)) {
        net_push(device, answers[memory].front()->shader, answers[memory].front(), kLine);
        answers[memory].pop_front();
      }
      if (auto* const request = static_cast<Request*>(net_pop(device))) {
        wrong += request->memory != memory || request->kind != 0;
        request->kind = 2;
        answers[memory].push_back(request);
      }
    }
    for (unsigned shader = 0; shader < shaders && cycle < kCycles; ++shader)
      if (!under_way[shader] && net_has_buffer(shader, kAddress)) {
        requests[shader] = {0, shader, (shader + reads) % memories, cycle};
        under_way[shader] = true;
        net_push(shader, shaders + requests[shader].memory, &requests[shader], kAddress);
      }
    net_transfer();
  }
  std::cout << reads << " reads, " << wrong << " wrong, mean round trip " << double(round_trips) / reads << " cycles\n";
  net_display_stats();
}
