// GPGPU-Sim's InterconnectInterface over libbraid_icnt: the calls of its wrapper (src/gpgpu-sim/icnt_wrapper.cc), with
// the names and the meaning that they have there. The wrapper includes mem_fetch.h and then this file, instead of the
// two of intersim2 (docs/gpgpusim.md). What the library refuses ends the simulator with one line on stderr and
// status 2.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <sstream>
#include <string>

#include "models/icnt/icnt.h"

namespace braid {
namespace models {
namespace icnt {

// The simulator's names. NOLINTBEGIN(readability-identifier-naming)
/// `Request`: the simulator's mem_fetch, whose get_type() says the kind.
template <class Request>
class GpgpusimInterface {
 public:
  static GpgpusimInterface* New(const char* file) { return new GpgpusimInterface(file != nullptr ? file : ""); }

  void CreateInterconnect(unsigned shaders, unsigned memories) {
    guarded([&] { network_.reset(new Interconnect(file_, shaders, memories)); });
  }
  void Init() { network_->init(); }
  bool HasBuffer(unsigned device, unsigned bytes) const {
    bool room = false;
    guarded([&] { room = network_->has_buffer(device, bytes); });
    return room;
  }
  void Push(unsigned from, unsigned to, void* data, unsigned bytes) {
    guarded([&] { network_->push(from, to, data, bytes, kind(*static_cast<Request*>(data))); });
  }
  void* Pop(unsigned device) {
    void* data = nullptr;
    guarded([&] { data = network_->pop(device); });
    return data;
  }
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
  // NOLINTEND(readability-identifier-naming)

 private:
  explicit GpgpusimInterface(const std::string& file) : file_(file) {}

  template <class Call>
  static void guarded(Call call) {
    try {
      call();
    } catch (const Error& error) {
      std::fprintf(stderr, "%s\n", error.what());
      std::exit(2);
    }
  }
  /// By the simulator's own names of its four types of requests.
  static Kind kind(const Request& request) {
    switch (request.get_type()) {
      case READ_REQUEST:
        return kReadRequest;
      case WRITE_REQUEST:
        return kWriteRequest;
      case READ_REPLY:
        return kReadReply;
      default:
        return kWriteReply;
    }
  }

  std::string file_;
  std::unique_ptr<Interconnect> network_;
};

}  // namespace icnt
}  // namespace models
}  // namespace braid

// The wrapper's own names. Of no linkage, since intersim2's objects may be in the same program and have the same.
namespace {
using InterconnectInterface = braid::models::icnt::GpgpusimInterface<mem_fetch>;
InterconnectInterface* g_icnt_interface = nullptr;
}  // namespace
