#include "models/observe/wave_file.h"

#include <fmt/format.h>
#include <fstapi.h>

#include <cerrno>
#include <cstring>
#include <optional>
#include <vector>

#include "models/observe/fst_files.h"
#include "models/observe/output_file.h"
#include "routing/base/break_off.h"
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

/// The writer goes back to what it has written.
void check_seekable(const std::string& file, bool through) {
  if (through) throw InputError({file, 0, 0}, "an .fst file cannot go to a device or a pipe: expected a regular file");
}

/// Times in a waveform: in ns, or in ps if a cycle is no whole number of ns.
bool in_ns(std::uint64_t period_ps) { return period_ps % 1000 == 0; }

/// Declares signals in nested scopes: `enter(name)` and `leave()` go from one signal's scope to the next one's.
template <class Enter, class Leave, class Declare>
void declare_in_scopes(std::deque<Signal>& signals, const Enter& enter, const Leave& leave, const Declare& declare) {
  std::vector<std::string> open;
  for (Signal& s : signals) {
    routing::BreakOff::look();
    const std::vector<std::string> scopes = scope_parts(s.scope);
    std::size_t common = 0;
    while (common < open.size() && common < scopes.size() && open[common] == scopes[common]) ++common;
    for (; open.size() > common; open.pop_back()) leave();
    for (; open.size() < scopes.size(); open.push_back(scopes[open.size()])) enter(scopes[open.size()]);
    declare(s);
  }
  for (; !open.empty(); open.pop_back()) leave();
}

/// A VCD as SystemC's own tracing writes it, in the scope SystemC, too. That tracing looks at no result of a write, and
/// opens its file under its final name.
class VcdFile final : public WaveFile {
 public:
  VcdFile(const std::string& file, std::uint64_t period_ps) : output_(file), period_ps_(period_ps) {}
  void declare(std::deque<Signal>& signals) override {
    std::ostream& out = output_.out();
    out << "$version\n Braid " BRAID_VERSION "\n$end\n$timescale\n 1 " << (in_ns(period_ps_) ? "ns" : "ps")
        << "\n$end\n$scope module SystemC $end\n";
    declare_in_scopes(
        signals, [&](const std::string& scope) { out << "$scope module " << scope << " $end\n"; },
        [&] { out << "$upscope $end\n"; },
        [&](Signal& s) {
          signals_.push_back({&s, code_of(signals_.size()), s.value});
          out << fmt::format("$var wire {} {} {}", s.bits, signals_.back().code, s.name);
          if (s.bits > 1) out << fmt::format(" [{}:0]", s.bits - 1);
          out << " $end\n";
        });
    out << "$upscope $end\n$enddefinitions $end\n";
  }
  void write(std::uint64_t cycle) override {
    const std::uint64_t time = wave_time(cycle, period_ps_);
    if (!begun_) begin(time == 0);
    bool changed = false;
    for (Written& w : signals_) {
      if (w.signal->value == w.last) continue;
      if (!changed) output_.out() << '#' << time << '\n';
      changed = true;
      w.last = w.signal->value;
      put(w);
    }
    last_cycle_ = cycle;
    (void)output_.error();  // while errno is that of the write
  }
  void check() override {
    if (output_.error() != 0) output_.finish();
  }
  void finish() override {
    if (!begun_) begin(false);
    if (last_cycle_)
      output_.out() << '#' << wave_time(*last_cycle_ + 1, period_ps_) << '\n';  // its values last so long
    output_.finish();
  }

 private:
  struct Written {
    const Signal* signal;
    std::string code;
    std::uint64_t last;
  };
  /// Of printable characters other than blanks, the shortest first.
  static std::string code_of(std::size_t number) {
    constexpr std::size_t kFirst = '!', kCount = '~' - '!' + 1;
    std::string code;
    for (++number; number > 0; number = (number - 1) / kCount) {
      code += static_cast<char>(kFirst + (number - 1) % kCount);
    }
    return code;
  }
  /// The values at time 0: those of now, or those that the signals were declared with.
  void begin(bool now) {
    begun_ = true;
    output_.out() << "$dumpvars\n";
    for (Written& w : signals_) {
      if (now) w.last = w.signal->value;
      put(w);
    }
    output_.out() << "$end\n";
  }
  void put(const Written& w) {
    if (w.signal->bits == 1) {
      output_.out() << (w.last & 1) << w.code << '\n';
    } else {
      output_.out() << fmt::format("b{:b} {}\n", w.last, w.code);
    }
  }
  OutputFile output_;
  std::uint64_t period_ps_;
  std::vector<Written> signals_;
  bool begun_ = false;
  std::optional<std::uint64_t> last_cycle_;
};

class FstFile final : public WaveFile {
 public:
  FstFile(const std::string& file, std::uint64_t period_ps) : place_(file), period_ps_(period_ps) {
    (void)braid_fst_take_error();
    errno = 0;
    writer_ = fstWriterCreate(place_.name().c_str(), 1);
    if (writer_ == nullptr) {
      throw InputError({file, 0, 0}, std::string("cannot be written: ") + std::strerror(errno == 0 ? EIO : errno));
    }
    fstWriterSetTimescale(writer_, in_ns(period_ps) ? -9 : -12);
  }
  FstFile(const FstFile&) = delete;
  FstFile& operator=(const FstFile&) = delete;
  ~FstFile() override {
    if (writer_ != nullptr) fstWriterClose(writer_);
  }
  void declare(std::deque<Signal>& signals) override {
    declare_in_scopes(
        signals,
        [&](const std::string& scope) { fstWriterSetScope(writer_, FST_ST_VCD_MODULE, scope.c_str(), nullptr); },
        [&] { fstWriterSetUpscope(writer_); },
        [&](Signal& s) {
          const fstHandle handle =
              fstWriterCreateVar(writer_, FST_VT_VCD_REG, FST_VD_IMPLICIT, s.bits, s.name.c_str(), 0);
          signals_.push_back({&s, handle, ~s.value});
        });
  }
  void write(std::uint64_t cycle) override {
    fstWriterEmitTimeChange(writer_, wave_time(cycle, period_ps_));
    for (Written& w : signals_) {
      if (w.signal->value == w.last) continue;
      w.last = w.signal->value;
      fstWriterEmitValueChange64(writer_, w.handle, w.signal->bits, w.last);
    }
  }
  void check() override {}  // what it holds in memory is written at the end
  void finish() override {
    fstWriterClose(writer_);
    writer_ = nullptr;
    place_.finish(braid_fst_take_error());
  }

 private:
  struct Written {
    const Signal* signal;
    fstHandle handle;
    std::uint64_t last;
  };
  PendingFile place_;
  void* writer_ = nullptr;
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
  claim_output(file, kWaveFiles);
  if (ends_with(file, ".fst")) check_seekable(file, is_written_through(file));
}

std::unique_ptr<WaveFile> open_wave_file(const std::string& file, std::uint64_t period_ps) {
  check_wave_file(file);
  if (ends_with(file, ".vcd")) return std::make_unique<VcdFile>(file, period_ps);
  return std::make_unique<FstFile>(file, period_ps);
}

}  // namespace braid::models
