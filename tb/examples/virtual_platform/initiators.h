// The two initiators: a trace player that goes through a list of accesses one after the other, and a DMA engine that
// copies blocks from one memory to the other. Both keep a time of their own (TLM-2.0's quantum keeper), so that calls
// may run ahead of the simulation; in the cycle-accurate style the network waits, and they never do.
#pragma once

#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/tlm_quantumkeeper.h>

#include <cstdint>
#include <fstream>
#include <stdexcept>
#include <string>
#include <systemc>
#include <tlm>
#include <vector>

class Initiator : public sc_core::sc_module {
 public:
  tlm_utils::simple_initiator_socket<Initiator> socket{"socket"};

  /// Transactions so far, and when the program was over.
  std::uint64_t transactions = 0;
  bool over = false;
  sc_core::sc_time end;

 protected:
  SC_HAS_PROCESS(Initiator);
  explicit Initiator(const sc_core::sc_module_name& name) : sc_module(name) { SC_THREAD(run); }
  virtual void program() = 0;

  void access(tlm::tlm_command command, std::uint64_t address, std::vector<unsigned char>& data) {
    tlm::tlm_generic_payload p;
    p.set_command(command);
    p.set_address(address);
    p.set_data_ptr(data.data());
    p.set_data_length(static_cast<unsigned>(data.size()));
    p.set_streaming_width(static_cast<unsigned>(data.size()));
    sc_core::sc_time time = keeper_.get_local_time();
    socket->b_transport(p, time);
    keeper_.set(time);
    if (!p.is_response_ok()) throw std::runtime_error(std::string(name()) + ": " + p.get_response_string());
    if (keeper_.need_sync()) keeper_.sync();
    ++transactions;
  }
  void pause(const sc_core::sc_time& time) { keeper_.inc(time); }

 private:
  void run() {
    keeper_.reset();
    program();
    keeper_.sync();
    over = true;
    end = sc_core::sc_time_stamp();
  }
  tlm_utils::tlm_quantumkeeper keeper_;
};

/// Lines `NS read|write ADDRESS BYTES`: pause, then access; what is written is counted up from the line's number.
class TracePlayer final : public Initiator {
 public:
  TracePlayer(const sc_core::sc_module_name& name, const std::string& file) : Initiator(name), file_(file) {}

 private:
  void program() override {
    std::ifstream trace(file_);
    if (!trace) throw std::runtime_error(file_ + ": cannot be read");
    double ns = 0;
    std::string what;
    std::uint64_t address = 0, bytes = 0;
    for (unsigned line = 1; trace >> ns >> what >> std::hex >> address >> std::dec >> bytes; ++line) {
      pause(sc_core::sc_time(ns, sc_core::SC_NS));
      std::vector<unsigned char> data(bytes);
      for (std::size_t i = 0; i < bytes; ++i) data[i] = static_cast<unsigned char>(line + i);
      access(what == "write" ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND, address, data);
    }
    if (!trace.eof()) throw std::runtime_error(file_ + ": expected lines NS read|write ADDRESS BYTES");
  }
  std::string file_;
};

/// Fills a block, then copies it from here to there and back again, a word more each time.
class DmaEngine final : public Initiator {
 public:
  DmaEngine(const sc_core::sc_module_name& name, std::uint64_t here, std::uint64_t there, unsigned blocks)
      : Initiator(name), here_(here), there_(there), blocks_(blocks) {}

 private:
  static constexpr std::uint64_t kBlock = 64;
  void program() override {
    std::vector<unsigned char> data(kBlock);
    for (std::size_t i = 0; i < kBlock; ++i) data[i] = static_cast<unsigned char>(3 * i + 1);
    access(tlm::TLM_WRITE_COMMAND, here_, data);
    for (unsigned b = 0; b < blocks_; ++b) {
      access(tlm::TLM_READ_COMMAND, here_ + b * kBlock, data);
      for (unsigned char& byte : data) byte = static_cast<unsigned char>(5 * byte + b);
      access(tlm::TLM_WRITE_COMMAND, there_ + b * kBlock, data);
      access(tlm::TLM_READ_COMMAND, there_ + b * kBlock, data);
      access(tlm::TLM_WRITE_COMMAND, here_ + (b + 1) * kBlock, data);
      pause(sc_core::sc_time(20, sc_core::SC_NS));
    }
  }
  std::uint64_t here_, there_;
  unsigned blocks_;
};
