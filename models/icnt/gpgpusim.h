// GPGPU-Sim's InterconnectInterface over libbraid_icnt: the calls of its wrapper (src/gpgpu-sim/icnt_wrapper.cc), with
// the names and the meaning that they have there. Include it instead of intersim2/interconnect_interface.hpp, where
// mem_fetch is a complete class; docs/recipes/gpgpusim.md has the lines. What the library refuses ends the simulator
// with one line on stderr and status 2.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <sstream>
#include <string>

#include "models/icnt/icnt.h"

class InterconnectInterface {
 public:
  static InterconnectInterface* New(const char* file) { return new InterconnectInterface(file != nullptr ? file : ""); }

  void CreateInterconnect(unsigned shaders, unsigned memories) {
    guarded([&] { network_.reset(new braid::models::icnt::Interconnect(file_, shaders, memories)); });
  }
  void Init() { network_->init(); }
  bool HasBuffer(unsigned device, unsigned bytes) const {
    bool room = false;
    guarded([&] { room = network_->has_buffer(device, bytes); });
    return room;
  }
  void Push(unsigned from, unsigned to, void* data, unsigned bytes) {
    guarded([&] { network_->push(from, to, data, bytes, kind(static_cast<mem_fetch*>(data))); });
  }
  void* Pop(unsigned device) { return network_->pop(device); }
  void Advance() { network_->transfer(); }
  bool Busy() const { return network_->busy(); }
  void DisplayStats() const { network_->display_stats(std::cout); }
  void DisplayOverallStats() const { network_->display_stats(std::cout); }
  void DisplayState(std::FILE* file) const {
    std::ostringstream text;
    network_->display_state(text);
    std::fputs(text.str().c_str(), file);
  }
  unsigned GetFlitSize() const { return network_->flit_size(); }

 private:
  explicit InterconnectInterface(const std::string& file) : file_(file) {}

  template <class Call>
  static void guarded(Call call) {
    try {
      call();
    } catch (const braid::models::icnt::Error& error) {
      std::fprintf(stderr, "%s\n", error.what());
      std::exit(2);
    }
  }
  /// By the simulator's own names of its four types of requests.
  static braid::models::icnt::Kind kind(const mem_fetch* request) {
    switch (request->get_type()) {
      case READ_REQUEST:
        return braid::models::icnt::kReadRequest;
      case WRITE_REQUEST:
        return braid::models::icnt::kWriteRequest;
      case READ_REPLY:
        return braid::models::icnt::kReadReply;
      default:
        return braid::models::icnt::kWriteReply;
    }
  }

  std::string file_;
  std::unique_ptr<braid::models::icnt::Interconnect> network_;
};
