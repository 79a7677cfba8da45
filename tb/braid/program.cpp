#include <fmt/format.h>

#include <algorithm>
#include <boost/program_options.hpp>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>

#include "models/engine/watchdog.h"
#include "models/experiment/simulation.h"
#include "routing/base/input_error.h"
#include "tb/braid/commands.h"

namespace braid::tb {
namespace {

namespace po = boost::program_options;

constexpr const char* kManual = R"(NAME
    braid - routers that carry streams and packets over one network

SYNOPSIS
    braid run EXPERIMENT.toml [--set section.key=value]... [--json FILE] [--trace FILE] [--log FILE] [--threads N]
              [--quiet]
    braid check EXPERIMENT.toml [--set section.key=value]...
    braid paths EXPERIMENT.toml [--set section.key=value]... [--json FILE]
    braid list [AXIS]

COMMANDS
    run     Simulates the experiment and prints its figures.
    check   Reads and elaborates the experiment without running it.
    paths   Shows routes, circuits and link loads as a map.
    list    Names what each axis offers (topologies, routing, patterns, …); without AXIS all of them; `list keys` names
            every key, `list configuration` and `list figures` print their references, `list schema` the JSON
            schema of results.

OPTIONS
    --set section.key=value   Overrides one key of the experiment. Repeatable.
    --json FILE               Writes the results as JSON (docs/results.schema.json); - is standard output.
    --trace FILE              Writes a waveform (.vcd or .fst) and a GTKWave save file beside it.
    --log FILE                Writes one line for every packet (.csv or .parquet; docs/packet-log.md).
    --threads N               Cuts the network over N threads; the results are the same.
    --quiet                   No progress bar and no table.
    --help, --version

EXIT STATUS
    0  done    1  failure    2  bad input, nothing written    3  deadlock or livelock    130  interrupted

EXAMPLES
    braid run tb/experiments/mesh_uniform.toml --set traffic.rate_flits_per_node_cycle=0.3
    braid run tb/experiments/fm_radio.toml --trace setup.vcd --json results.json
)";

po::variables_map parse(int argc, char* argv[]) {
  po::options_description all;
  all.add_options()("help,h", "")("version", "")("quiet,q", "")("set", po::value<std::vector<std::string>>())(
      "json", po::value<std::string>())("trace", po::value<std::string>())("log", po::value<std::string>())(
      "threads", po::value<std::string>())("command", po::value<std::string>())("argument",
                                                                                po::value<std::vector<std::string>>());
  po::positional_options_description positional;
  positional.add("command", 1).add("argument", -1);
  po::variables_map values;
  po::store(po::command_line_parser(argc, argv).options(all).positional(positional).run(), values);
  po::notify(values);
  return values;
}

/// The file that an option names; "" without the option.
std::string file_of(const po::variables_map& values, const std::string& option) {
  if (values.count(option) == 0) return "";
  const std::string file = values[option].as<std::string>();
  if (file.empty()) throw InputError("--" + option + ": expected the name of a file");
  return file;
}

/// As TOML writes a text of one line.
std::string in_quotes(const std::string& text) {
  std::string all = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') all += '\\';
    all += c;
  }
  return all + "\"";
}

Options options_of(const po::variables_map& values, const std::string& experiment) {
  Options options;
  options.experiment = experiment;
  if (values.count("set") != 0) options.settings = values["set"].as<std::vector<std::string>>();
  for (const std::string option : {"trace", "log"}) {
    const std::string file = file_of(values, option);
    if (!file.empty()) options.settings.push_back(option + ".file=" + in_quotes(file));
  }
  if (values.count("threads") != 0) {  // as it stands there: a number that is not one is told so by the key
    options.settings.push_back("simulation.threads=" + values["threads"].as<std::string>());
  }
  options.json = file_of(values, "json");
  options.quiet = values.count("quiet") != 0;
  return options;
}

int dispatch(const po::variables_map& values) {
  if (values.count("version") != 0) {
    fmt::print("braid {}\n", BRAID_VERSION);
    return kSuccess;
  }
  if (values.count("help") != 0 || values.count("command") == 0) {
    fmt::print("{}", kManual);
    return values.count("help") != 0 ? kSuccess : kBadInput;
  }
  const std::string command = values["command"].as<std::string>();
  std::vector<std::string> arguments;
  if (values.count("argument") != 0) arguments = values["argument"].as<std::vector<std::string>>();
  if (command == "list" && arguments.size() <= 1) return list_axis(arguments.empty() ? "" : arguments.front());
  const std::vector<std::string> known{"check", "list", "paths", "run"};
  if (std::find(known.begin(), known.end(), command) == known.end()) {
    throw InputError(unknown_name("command", command, known));
  }
  if (arguments.size() != 1) throw InputError("braid " + command + ": expected one argument; see braid --help");
  const Options options = options_of(values, arguments.front());
  if (command == "run") return run_experiment(options);
  if (command == "check") return check_experiment_file(options);
  return show_paths(options);
}

int complain(int status, const std::string& message) {
  fmt::print(stderr, "braid: {}\n", message);
  return status;
}

/// What was printed may still be in a buffer, and the disk behind it full.
int flushed(int status) {
  errno = 0;
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return status;
  return complain(kFailure, std::string("standard output: cannot be written: ") + std::strerror(errno));
}

}  // namespace

int run_program(int argc, char* argv[]) {
  setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 1);
  try {
    return flushed(dispatch(parse(argc, argv)));
  } catch (const po::error& e) {
    return complain(kBadInput, InputError(std::string(e.what()) + "; see braid --help").what());
  } catch (const InputError& e) {
    return complain(kBadInput, e.what());
  } catch (const models::DeadlockError& e) {
    return complain(kDeadlock, e.what());
  } catch (const models::Interrupted&) {
    return complain(kInterrupted, "interrupted; nothing was written");
  } catch (const std::bad_alloc&) {
    return complain(kFailure, "there is no memory left for this network or this run: expected a smaller one");
  } catch (const std::exception& e) {
    return complain(kFailure, e.what());
  }
}

}  // namespace braid::tb
