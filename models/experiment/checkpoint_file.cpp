#include "models/experiment/checkpoint_file.h"

#include <fmt/format.h>

#include <boost/crc.hpp>
#include <boost/json.hpp>
#include <fstream>
#include <iterator>
#include <vector>

#include "models/observe/output_file.h"

namespace braid::models {
namespace {

namespace json = boost::json;

constexpr const char* kFirstLine = "braid checkpoint 1";

std::uint32_t checksum(const std::string& bytes) {
  boost::crc_32_type crc;
  crc.process_bytes(bytes.data(), bytes.size());
  return crc.checksum();
}

std::string bytes_of(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) throw InputError({file, 0, 0}, "cannot be read; expected a checkpoint (braid run --checkpoint)");
  return {std::istreambuf_iterator<char>(in), {}};
}

bool says(const json::object& header, const char* key, std::uint64_t number) {
  const json::value* value = header.if_contains(key);
  if (value == nullptr || !(value->is_int64() || value->is_uint64())) return false;
  json::error_code error;
  return value->to_number<std::uint64_t>(error) == number && !error;
}

/// What a run may change after it has begun, as it does nothing before the measurement.
bool may_differ(const Option& option) {
  return option.section == "checkpoint" || option.section == "trace" || option.is("experiment.name") ||
         option.is("simulation.measure_cycles") || option.is("simulation.max_drain_cycles");
}

/// key -> value, as JSON writes it; of files their contents' checksum, too.
json::object told(const Experiment& experiment) {
  json::object all;
  for_each_option(experiment_options(), experiment, [&](const Option& option, const OptionValue& value) {
    if (may_differ(option)) return;
    std::string text = std::visit([](const auto& v) { return json::serialize(json::value_from(v)); }, value);
    const auto* name = std::get_if<std::string>(&value);
    if (option.is_file && name != nullptr && !name->empty()) {
      text += fmt::format(" of checksum {:08x}", checksum(bytes_of(*name)));
    }
    all[option.key()] = text;
  });
  return all;
}

std::vector<std::string> differences(const json::object& then, const json::object& now) {
  std::vector<std::string> all;
  for (const auto& [key, value] : now) {
    const json::value* was = then.if_contains(key);
    if (was == nullptr) {
      all.push_back(fmt::format("{} = {} is not in it", std::string(key), value.as_string().c_str()));
    } else if (*was != value) {
      all.push_back(fmt::format("{} = {} there, {} here", std::string(key),
                                was->is_string() ? was->as_string().c_str() : "?", value.as_string().c_str()));
    }
  }
  for (const auto& [key, value] : then) {
    if (!now.contains(key)) all.push_back(fmt::format("{} is not chosen here", std::string(key)));
  }
  return all;
}

void check_version(const std::string& file, const json::object& header) {
  const json::value* version = header.if_contains("version");
  const std::string made = version != nullptr && version->is_string() ? version->as_string().c_str() : "?";
  if (made == BRAID_VERSION) return;
  throw InputError({file, 0, 0}, fmt::format("made by braid {}, this is {}; expected one of the same version", made,
                                             BRAID_VERSION));
}

void check_configuration(const std::string& file, const json::object& header, const Experiment& experiment) {
  const std::vector<std::string> different = differences(header.at("configuration").as_object(), told(experiment));
  if (different.empty()) return;
  std::string rest = different.size() == 1 ? "" : fmt::format(" (and {} more)", different.size() - 1);
  throw InputError({file, 0, 0}, "made under another configuration: " + different.front() + rest);
}

}  // namespace

const OptionTable<CheckpointOptions>& checkpoint_options() {
  using C = CheckpointOptions;
  static const OptionTable<C> table =
      OptionTable<C>("checkpoint")
          .text("file", &C::file, "written when the warm-up has ended, relative to where braid runs; empty: none")
          .text("from", &C::from, "a checkpoint where the run begins, relative to where braid runs; empty: at cycle 0");
  return table;
}

void write_checkpoint(const std::string& file, const Experiment& experiment, std::uint64_t cycle,
                      const std::string& registers) {
  const json::object header{{"version", BRAID_VERSION},
                            {"cycle", cycle},
                            {"configuration", told(experiment)},
                            {"bytes", registers.size()},
                            {"checksum", checksum(registers)}};
  OutputFile output(file);
  output.out() << kFirstLine << '\n' << json::serialize(header) << '\n' << registers;
  output.finish();
}

std::string read_checkpoint(const std::string& file, const Experiment& experiment) {
  const std::string bytes = bytes_of(file);
  const std::string first = std::string(kFirstLine) + "\n";
  const std::size_t header_end = bytes.find('\n', first.size());
  if (bytes.compare(0, first.size(), first) != 0 || header_end == std::string::npos) {
    throw InputError({file, 0, 0}, "is no checkpoint: expected a file that braid run --checkpoint has made");
  }
  json::error_code error;
  const json::value header = json::parse(bytes.substr(first.size(), header_end - first.size()), error);
  const json::object* fields = header.if_object();
  if (error || fields == nullptr) throw InputError({file, 0, 0}, "is damaged: its second line is no JSON object");
  check_version(file, *fields);
  std::string registers = bytes.substr(header_end + 1);
  const json::value* configuration = fields->if_contains("configuration");
  if (configuration == nullptr || !configuration->is_object() || !says(*fields, "bytes", registers.size()) ||
      !says(*fields, "checksum", checksum(registers))) {
    throw InputError({file, 0, 0}, "is damaged: its contents are not those that were written");
  }
  check_configuration(file, *fields, experiment);
  return registers;
}

}  // namespace braid::models
