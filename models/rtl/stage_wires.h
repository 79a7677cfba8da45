// One stage of the RTL behind its ports, as a library of Verilated stages makes it (tb/rtl). No header of SystemC and
// none of Verilator: they do not mix.
#pragma once

#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "models/rtl/router_library.h"

namespace braid::models::hybrid {

class WiredStage {
 public:
  enum class Kind {
    kInput,
    kWire,      ///< an output that follows the inputs of the cycle
    kRegister,  ///< ... that changes with the edge that ends it
  };
  struct Port {
    std::string name;  ///< as in hw/
    Kind kind;
    void* at;  ///< its bits, the lowest first, in so many bytes
    std::size_t bytes;
  };

  WiredStage() = default;
  WiredStage(const WiredStage&) = delete;
  WiredStage& operator=(const WiredStage&) = delete;
  virtual ~WiredStage() = default;

  /// All ports but clk_i and rst_ni.
  const std::vector<Port>& ports() const { return ports_; }
  virtual void reset() = 0;
  /// Wires follow what was put on the inputs.
  virtual void settle() = 0;
  /// The clock's edge. Throws if an assertion of the RTL has failed.
  virtual void clock() = 0;

 protected:
  template <class Wires>
  void show(const char* name, Kind kind, Wires& wires) {
    show({name, kind, &wires, sizeof wires});
  }
  void show(Port port) { ports_.push_back(std::move(port)); }

 private:
  std::vector<Port> ports_;
};

/// `stage`: the name of its module in hw/. Null: the library has none of that name.
using StageMaker = std::unique_ptr<WiredStage> (*)(const RouterManifest& manifest, const std::string& stage);
/// A stage of the manifest's library. Throws InputError as load_router().
std::unique_ptr<WiredStage> load_stage(const RouterManifest& manifest, const std::string& stage);
/// For tests: who makes stages in place of load_stage(). Returns the one before.
StageMaker set_stage_maker(StageMaker maker);
/// By load_stage(), or by whom the test has set.
std::unique_ptr<WiredStage> make_stage(const RouterManifest& manifest, const std::string& stage);

}  // namespace braid::models::hybrid
