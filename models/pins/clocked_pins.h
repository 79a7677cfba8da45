// What every module with pins does: it is clocked by clk_i and reset by rst_ni as the RTL's registers are, reads its
// pins at the rising edge, and says by name what is wrong with them.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <systemc>
#include <vector>

namespace braid::models::pins {

/// The message type of all reports (sc_report::get_msg_type()).
constexpr const char* kReportType = "/Braid/pins";

class ClockedPins : public sc_core::sc_module {
 public:
  sc_core::sc_in<bool> clk_i{"clk_i"};
  sc_core::sc_in<bool> rst_ni{"rst_ni"};

  SC_HAS_PROCESS(ClockedPins);
  explicit ClockedPins(const sc_core::sc_module_name& name);
  ~ClockedPins() override;

  /// Rising edges of clk_i out of reset since the last reset.
  std::uint64_t cycles() const { return cycles_; }

 protected:
  /// Reset has begun, or the simulation has: all outputs to 0.
  virtual void enter_reset() = 0;
  /// A rising edge out of reset: pins in, a cycle, pins out. What it throws is reported.
  virtual void clock_edge() = 0;

  /// Before elaboration ends, each pin says whether somebody has to drive it, or listen to it; `why` is for whoever
  /// forgot. One that nobody needs is tied to 0.
  template <class Pin>
  void expect(Pin& pin, bool needed, const std::string& why) {
    if (missing(pin, needed, why)) tie(pin);
  }
  /// An input that may not change in the time step of an edge before the edge is seen here. After elaboration.
  void watch(const sc_core::sc_port_base& pin) { watched_.push_back(&pin); }
  /// SC_REPORT_ERROR with this module's hierarchical name.
  void report(const std::string& what) const;
  /// The same, if nothing has been reported yet.
  void report_once(const std::string& what);
  /// One of those has changed.
  virtual void changed();

  void before_end_of_elaboration() override;
  void end_of_elaboration() override;
  void end_of_simulation() override;
  /// expect() and watch() for every pin.
  virtual void check_pins() = 0;

 private:
  template <class Pin>
  void tie(Pin& pin) {
    using Value = typename Pin::data_type;
    using Wire = sc_core::sc_signal<Value, sc_core::SC_MANY_WRITERS>;
    auto wire = std::make_shared<Wire>(sc_core::sc_gen_unique_name("tie"));
    pin.bind(*wire);
    ties_.push_back(wire);
  }
  /// Is it unbound? Reports it if it is needed.
  bool missing(sc_core::sc_port_base& pin, bool needed, const std::string& why) const;
  void edge();
  void report_missed_delta();

  std::vector<std::shared_ptr<void>> ties_;
  std::vector<const sc_core::sc_port_base*> watched_;
  bool in_reset_ = false;
  bool failed_ = false;  // a report has been made, and whoever handles reports went on
  std::uint64_t cycles_ = 0, edges_ = 0;
  // When pins last changed, and when the clock rose.
  std::uint64_t changed_at_ = ~std::uint64_t{0}, rose_at_ = ~std::uint64_t{0}, rose_in_delta_ = 0;
};

}  // namespace braid::models::pins
