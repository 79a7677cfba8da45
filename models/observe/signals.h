// What a waveform is made of: parts of the model that declare signals once and set their values every cycle.
#pragma once

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "models/observe/wave_file.h"
#include "routing/base/break_off.h"

namespace braid::models {

/// The questions of every router family; others stand with the policies that answer them.
inline const Question kWherePacket{"packet", "where is this packet"};
inline const Question kWhyStalled{"stalls", "why is this port stalled"};

class SignalTable {
 public:
  /// Names are made identifiers; `scope` may have several parts, joined by dots.
  Signal* add(const std::string& scope, const std::string& name, unsigned bits) {
    return declare(scope, name, bits, nullptr);
  }
  /// A number whose values have names.
  Signal* add_named(const std::string& scope, const std::string& name, unsigned bits, const SignalValues& values) {
    return declare(scope, name, bits, &values);
  }
  /// A signal that the save file opens on; `values`, if any, gives its values names.
  Signal* add_shown(const std::string& scope, const std::string& name, unsigned bits,
                    const SignalValues* values = nullptr) {
    Signal* signal = declare(scope, name, bits, values);
    signal->shown = true;
    return signal;
  }
  /// A row of packets: packet_number() of the one that is there.
  Signal* add_packet(const std::string& scope, const std::string& name) {
    Signal* signal = declare(scope, name, kPacketBits, nullptr);
    signal->kind = Signal::Kind::kPacket;
    return signal;
  }
  /// Why the packet of the scope stays where it is.
  Signal* add_stall(const std::string& scope, const SignalValues& reasons) {
    Signal* signal = declare(scope, "stall", 4, &reasons);
    signal->kind = Signal::Kind::kStall;
    return signal->answers(kWhyStalled);
  }
  /// While it lives, scopes that are declared lie within `scope`.
  class Within {
   public:
    Within(SignalTable& table, const std::string& scope) : table_(table) { table_.within_ = scope + "."; }
    Within(const Within&) = delete;
    Within& operator=(const Within&) = delete;
    ~Within() { table_.within_.clear(); }

   private:
    SignalTable& table_;
  };
  std::deque<Signal>& signals() { return signals_; }
  const std::deque<Signal>& signals() const { return signals_; }

 private:
  Signal* declare(const std::string& scope, const std::string& name, unsigned bits, const SignalValues* values) {
    routing::BreakOff::look();  // a large network has millions of them, and each is looked at several times
    signals_.emplace_back();
    Signal& signal = signals_.back();
    signal.scope = within_ + scope;
    signal.name = name;
    signal.bits = bits;
    signal.values = values;
    return &signal;
  }
  std::deque<Signal> signals_;
  std::string within_;  // of scopes that follow: empty, or with a dot at its end
};

class SignalSource {
 public:
  virtual ~SignalSource() = default;
  /// Sets the signals' values as of `cycle`, when all registers are settled.
  virtual void sample(std::uint64_t cycle) = 0;
};

/// A name as an identifier of a waveform: everything but letters and digits becomes '_'.
inline std::string identifier(std::string name) {
  std::replace_if(name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
}

/// Where the signals of a router stand in the hierarchy, and those of one of its ports.
inline std::string router_scope(const std::string& router) { return "router_" + identifier(router); }
inline std::string port_scope(const std::string& router, const std::string& port) {
  return router_scope(router) + "." + identifier(port);
}

}  // namespace braid::models
