#include "models/experiment/checkpoint_file.h"

#include <braid_stamp.h>  // made by CMake: scripts/package/braid_stamp.h.in
#include <fmt/format.h>

#include <algorithm>
#include <boost/crc.hpp>
#include <boost/json.hpp>
#include <string_view>
#include <vector>

#include "models/observe/output_file.h"
#include "routing/base/text_file.h"

namespace braid::models {
namespace {

namespace json = boost::json;

constexpr const char* kFirstLine = "braid checkpoint 1";
constexpr std::uint64_t kMostBytes = std::uint64_t{16} << 30U;

std::uint32_t checksum(std::string_view bytes, std::string_view more = {}) {
  boost::crc_32_type crc;
  crc.process_bytes(bytes.data(), bytes.size());
  crc.process_bytes(more.data(), more.size());
  return crc.checksum();
}

/// A value as JSON writes it; of a file that the experiment names what is in it, of one that it writes whether it does.
std::string told(const Option& option, const OptionValue& value) {
  const auto* name = std::get_if<std::string>(&value);
  if (name != nullptr && !name->empty()) {
    if (option.is_file) return fmt::format("a file of checksum {:08x}", checksum(read_text(*name, option.text)));
    if (option.later == Option::Later::kName) return "a file";
  }
  return std::visit([](const auto& v) { return json::serialize(json::value_from(v)); }, value);
}

/// key -> value, of all that has to be the same.
json::object configuration_of(const Experiment& experiment) {
  json::object all;
  for_each_option(experiment_options(), experiment, [&](const Option& option, const OptionValue& value) {
    if (option.later != Option::Later::kAll) all[option.key()] = told(option, value);
  });
  for (std::size_t i = 1; i < experiment.classes(); ++i) {
    const std::string name = experiment.of_class(i).get<std::string>("traffic.name");
    for (const auto& [key, value] : configuration_of(experiment.of_class(i))) {
      const std::string word = key;
      if (word.compare(0, 8, "traffic.") == 0) all["traffic." + name + "." + word.substr(8)] = value;
    }
  }
  return all;
}

std::vector<std::string> differences(const json::object& then, const json::object& now) {
  std::vector<std::string> all;
  for (const auto& [key, value] : now) {
    const json::value* was = then.if_contains(key);
    if (was == nullptr) {
      all.push_back(fmt::format("{} = {} here is not chosen there", std::string(key), value.as_string().c_str()));
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

/// Takes off the first line.
std::string_view take_line(std::string_view& text) {
  const std::string_view line = text.substr(0, text.find('\n'));
  text.remove_prefix(std::min(line.size() + 1, text.size()));
  return line;
}

[[noreturn]] void damaged(const std::string& file, const std::string& why) {
  throw InputError({file, 0, 0}, "is damaged: " + why + "; expected a checkpoint as braid wrote it");
}

struct Header {
  std::string program;
  std::uint64_t bytes = 0;
  json::object configuration;
};

constexpr const char* kNoHeader = "its second line is not what it should be";

Header header_of(const std::string& file, std::string_view line) {
  try {
    const json::object fields = json::parse({line.data(), line.size()}).as_object();
    Header header{json::value_to<std::string>(fields.at("program")), fields.at("bytes").to_number<std::uint64_t>(),
                  fields.at("configuration").as_object()};
    // It is said in messages, before the checksum is looked at.
    if (std::all_of(header.program.begin(), header.program.end(), [](char c) { return c >= ' ' && c <= '~'; })) {
      return header;
    }
  } catch (const std::exception&) {  // of any of these, Boost's kinds differ with its version
    damaged(file, kNoHeader);
  }
  damaged(file, kNoHeader);
}

void check_configuration(const std::string& file, const json::object& then, const Experiment& experiment) {
  const std::vector<std::string> different = differences(then, configuration_of(experiment));
  if (different.empty()) return;
  const std::string rest = different.size() == 1 ? "" : fmt::format(" (and {} more)", different.size() - 1);
  throw InputError({file, 0, 0}, "was made under another configuration: " + different.front() + rest);
}

}  // namespace

const OptionTable<CheckpointOptions>& checkpoint_options() {
  using C = CheckpointOptions;
  static const OptionTable<C> table =
      OptionTable<C>("checkpoint")
          .text("file", &C::file, "written when the warm-up has ended, relative to where braid runs; empty: none")
          .after_warm_up()
          .text("from", &C::from, "a checkpoint where the run begins, relative to where braid runs; empty: at cycle 0")
          .after_warm_up();
  return table;
}

void write_checkpoint(const std::string& file, const Experiment& experiment, std::uint64_t cycle,
                      const std::string& registers) {
  const std::string header = json::serialize(json::object{{"program", BRAID_STAMP},
                                                          {"cycle", cycle},
                                                          {"bytes", registers.size()},
                                                          {"configuration", configuration_of(experiment)}});
  OutputFile output(file);
  output.out() << kFirstLine << '\n'
               << header << '\n'
               << fmt::format("checksum {:08x}\n", checksum(header, registers)) << registers;
  output.finish();
}

std::string read_checkpoint(const std::string& file, const Experiment& experiment) {
  const std::string all = read_file(file, "a checkpoint (braid run --checkpoint)", {kMostBytes, kFirstLine});
  std::string_view rest = all;
  if (take_line(rest) != kFirstLine) {
    throw InputError({file, 0, 0}, "is no checkpoint: expected a file that braid run --checkpoint has made");
  }
  const std::string_view line = take_line(rest), sum = take_line(rest);
  const Header header = header_of(file, line);
  if (header.program != BRAID_STAMP) {
    throw InputError({file, 0, 0}, "was made by " + header.program + ", this is " + BRAID_STAMP +
                                       ": expected one of the same version");
  }
  if (rest.size() != header.bytes) damaged(file, fmt::format("{} bytes in place of {}", rest.size(), header.bytes));
  if (sum != fmt::format("checksum {:08x}", checksum(line, rest))) damaged(file, "its checksum is another one");
  check_configuration(file, header.configuration, experiment);
  return std::string(rest);
}

}  // namespace braid::models
