#include "models/observe/wave_file.h"

#include <fmt/format.h>
#include <fstapi.h>

#include <systemc>
#include <vector>

#include "models/observe/output_file.h"
#include "routing/base/input_error.h"

namespace braid::models {

std::vector<std::string> scope_parts(const std::string& scope) {
  std::vector<std::string> parts(1);
  for (const char c : scope) {
    if (c == '.') {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

namespace {

/// Times in a waveform: in ns, or in ps if a cycle is no whole number of ns.
bool in_ns(std::uint64_t period_ps) { return period_ps % 1000 == 0; }

/// SystemC writes a VCD by itself whenever simulated time moves on.
class VcdFile final : public WaveFile {
 public:
  VcdFile(const std::string& file, std::uint64_t period_ps)
      : trace_(sc_core::sc_create_vcd_trace_file(file.substr(0, file.size() - 4).c_str())) {
    sc_core::sc_report_handler::set_actions(sc_core::SC_INFO, sc_core::SC_DO_NOTHING);  // keeps standard output clean
    trace_->set_time_unit(1, in_ns(period_ps) ? sc_core::SC_NS : sc_core::SC_PS);
  }
  ~VcdFile() override { sc_core::sc_close_vcd_trace_file(trace_); }
  void declare(std::deque<Signal>& signals) override {
    for (Signal& s : signals) sc_core::sc_trace(trace_, s.value, s.scope + "." + s.name, static_cast<int>(s.bits));
  }
  void write(std::uint64_t) override {}

 private:
  sc_core::sc_trace_file* trace_;
};

class FstFile final : public WaveFile {
 public:
  FstFile(const std::string& file, std::uint64_t period_ps)
      : writer_(fstWriterCreate(file.c_str(), 1)), period_ps_(period_ps) {
    if (writer_ == nullptr) throw InputError({file, 0, 0}, "cannot be written");
    fstWriterSetTimescale(writer_, in_ns(period_ps) ? -9 : -12);
  }
  ~FstFile() override { fstWriterClose(writer_); }
  void declare(std::deque<Signal>& signals) override {
    std::vector<std::string> open;  // scopes
    for (Signal& s : signals) {
      const std::vector<std::string> scopes = scope_parts(s.scope);
      std::size_t common = 0;
      while (common < open.size() && common < scopes.size() && open[common] == scopes[common]) ++common;
      for (; open.size() > common; open.pop_back()) fstWriterSetUpscope(writer_);
      for (; open.size() < scopes.size(); open.push_back(scopes[open.size()])) {
        fstWriterSetScope(writer_, FST_ST_VCD_MODULE, scopes[open.size()].c_str(), nullptr);
      }
      const fstHandle handle = fstWriterCreateVar(writer_, FST_VT_VCD_REG, FST_VD_IMPLICIT, s.bits, s.name.c_str(), 0);
      signals_.push_back({&s, handle, ~s.value});
    }
  }
  void write(std::uint64_t cycle) override {
    fstWriterEmitTimeChange(writer_, wave_time(cycle, period_ps_));
    for (Written& w : signals_) {
      if (w.signal->value == w.last) continue;
      w.last = w.signal->value;
      fstWriterEmitValueChange64(writer_, w.handle, w.signal->bits, w.last);
    }
  }

 private:
  struct Written {
    const Signal* signal;
    fstHandle handle;
    std::uint64_t last;
  };
  void* writer_;
  std::uint64_t period_ps_;
  std::vector<Written> signals_;
};

bool ends_with(const std::string& text, const std::string& end) {
  return text.size() > end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

}  // namespace

std::string packet_text(std::uint64_t number) {
  if (number == 0) return "-";
  return fmt::format("{}.{}", (number >> 32) - 1, number & UINT32_MAX);
}

std::uint64_t wave_time(std::uint64_t cycle, std::uint64_t period_ps) {
  return cycle * (in_ns(period_ps) ? period_ps / 1000 : period_ps);
}

void check_wave_file(const std::string& file) {
  if (!ends_with(file, ".vcd") && !ends_with(file, ".fst")) {
    throw InputError({file, 0, 0}, "a waveform is a .vcd or an .fst file");
  }
  check_writable(file);
}

std::unique_ptr<WaveFile> open_wave_file(const std::string& file, std::uint64_t period_ps) {
  check_wave_file(file);
  if (ends_with(file, ".vcd")) return std::make_unique<VcdFile>(file, period_ps);
  return std::make_unique<FstFile>(file, period_ps);
}

}  // namespace braid::models
