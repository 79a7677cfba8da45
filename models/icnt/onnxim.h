// ONNXim's and PyTorchSim's Interconnect over libbraid_icnt: running, cycle, push, is_full, is_empty, top, pop and
// print_stats, for a class Request that `Traits` knows the size and the kind of:
//
//   struct Traits {
//     static unsigned bytes(const MemoryAccess* access);
//     static braid::models::icnt::Kind kind(const MemoryAccess* access);
//   };
//
// Cores are the shaders, channels of memory the memories. Throws braid::models::icnt::Error.
#pragma once

#include <cstdint>
#include <iostream>
#include <string>

#include "models/icnt/icnt.h"

namespace braid {
namespace models {
namespace icnt {

template <class Request, class Traits>
class NpuInterconnect {
 public:
  NpuInterconnect(const std::string& file, unsigned cores, unsigned memories) : network_(file, cores, memories) {}

  bool running() const { return network_.busy(); }
  void cycle() { network_.transfer(); }
  void push(std::uint32_t from, std::uint32_t to, Request* request) {
    network_.push(from, to, request, Traits::bytes(request), Traits::kind(request));
  }
  bool is_full(std::uint32_t node, Request* request) const {
    return !network_.has_buffer(node, Traits::bytes(request));
  }
  bool is_empty(std::uint32_t node) const { return top(node) == nullptr; }
  Request* top(std::uint32_t node) const { return static_cast<Request*>(network_.top(node)); }
  void pop(std::uint32_t node) { network_.pop(node); }
  void print_stats() const { network_.display_stats(std::cout); }

 private:
  Interconnect network_;
};

}  // namespace icnt
}  // namespace models
}  // namespace braid
