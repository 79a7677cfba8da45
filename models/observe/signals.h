// What a waveform is made of: parts of the model that declare signals once and set their values every cycle.
#pragma once

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "models/observe/wave_file.h"

namespace braid::models {

class SignalTable {
 public:
  /// Names are made identifiers; `scope` may have several parts, joined by dots.
  Signal* add(const std::string& scope, const std::string& name, unsigned bits) {
    signals_.push_back({scope, name, bits, 0, false, nullptr});
    return &signals_.back();
  }
  /// A signal that the save file opens on; `values`, if any, gives its values names.
  Signal* add_shown(const std::string& scope, const std::string& name, unsigned bits,
                    const SignalValues* values = nullptr) {
    signals_.push_back({scope, name, bits, 0, true, values});
    return &signals_.back();
  }
  std::deque<Signal>& signals() { return signals_; }
  const std::deque<Signal>& signals() const { return signals_; }

 private:
  std::deque<Signal> signals_;
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
