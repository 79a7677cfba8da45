#include "models/observe/save_file.h"

#include <fmt/format.h>

namespace braid::models {

SaveFile::SaveFile(const std::string& waveform)
    : stem_(waveform.substr(0, waveform.rfind('.'))),
      root_(waveform.substr(stem_.size()) == ".vcd" ? "SystemC." : ""),
      name_(stem_ + ".gtkw"),
      out_(name_) {
  out_ << "[dumpfile] \"" << waveform << "\"\n[timestart] 0\n[size] 1600 900\n";
}

void SaveFile::show(const Signal& signal) {
  if (signal.values == nullptr) {
    out_ << "@24\n";
  } else {
    out_ << "@2022\n^1 " << values_file(*signal.values) << "\n";
  }
  write_path(signal);
}

void SaveFile::show_hex(const Signal& signal) {
  out_ << fmt::format("@22\n+{{{} {}}} ", signal.scope, signal.name);
  write_path(signal);
}

void SaveFile::write_path(const Signal& signal) {
  out_ << root_ << signal.scope << "." << signal.name;
  if (signal.bits > 1) out_ << fmt::format("[{}:0]", signal.bits - 1);
  out_ << "\n";
}

std::string SaveFile::values_file(const SignalValues& values) {
  const std::string name = stem_ + "." + values.name + ".txt";
  if (!written_.insert(&values).second) return name;
  std::ofstream out(name);
  std::size_t value = 0;
  for (const std::string& text : values.values) out << fmt::format("{:x} {}\n", value++, text);
  return name;
}

}  // namespace braid::models
