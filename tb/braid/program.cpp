#include <fmt/format.h>

#include <algorithm>
#include <boost/program_options.hpp>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <system_error>

#include "models/engine/watchdog.h"
#include "models/experiment/simulation.h"
#include "routing/base/input_error.h"
#include "tb/braid/commands.h"
#include "tb/braid/manual.h"

namespace braid::tb {
namespace {

namespace po = boost::program_options;

po::variables_map parse(int argc, char* argv[]) {
  po::options_description all;
  for (const Flag& flag : flags()) {
    const std::string name = flag.name + (flag.letter.empty() ? "" : "," + flag.letter);
    if (flag.argument.empty()) {
      all.add_options()(name.c_str(), "");
    } else if (flag.name == "set") {
      all.add_options()("set", po::value<std::vector<std::string>>());
    } else {
      all.add_options()(name.c_str(), po::value<std::string>());
    }
  }
  all.add_options()("command", po::value<std::string>())("argument", po::value<std::vector<std::string>>());
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
  for (const Flag& flag : flags()) {
    if (flag.key.empty() || values.count(flag.name) == 0) continue;
    // A number goes as it stands there: one that is none is told so by the key.
    const std::string value =
        flag.argument == "FILE" ? file_of(values, flag.name) : values[flag.name].as<std::string>();
    options.settings.push_back(flag.key + "=" + (flag.quoted ? in_quotes(value) : value));
  }
  options.json = file_of(values, "json");
  options.quiet = values.count("quiet") != 0;
  options.check = values.count("check") != 0;
  options.toml = file_of(values, "toml");
  options.dot = file_of(values, "dot");
  if (values.count("mesh") != 0) options.mesh = values["mesh"].as<std::string>();
  if (values.count("network") != 0) options.network = values["network"].as<std::string>();
  return options;
}

GraphOptions graph_options_of(const po::variables_map& values, const std::vector<std::string>& files) {
  for (const Flag& flag : flags()) {
    const bool known = flag.of_graph || flag.name == "json" || flag.name == "quiet";
    if (!known && values.count(flag.name) != 0) {
      throw InputError("--" + flag.name + ": expected braid run; see braid --help");
    }
  }
  return {files, file_of(values, "json"), file_of(values, "graphml"), file_of(values, "dot"),
          values.count("quiet") != 0};
}

void check_flags_of_graph(const po::variables_map& values, const std::string& command) {
  for (const Flag& flag : flags()) {
    if (command == "partition" && flag.name == "dot") continue;
    if (flag.of_graph && values.count(flag.name) != 0) {
      throw InputError("--" + flag.name + ": expected braid graph; see braid --help");
    }
  }
}

int dispatch(const po::variables_map& values) {
  if (values.count("version") != 0) {
    fmt::print("braid {}\n", BRAID_VERSION);
    return kSuccess;
  }
  if (values.count("help") != 0 || values.count("command") == 0) {
    fmt::print("{}", manual());
    return values.count("help") != 0 ? kSuccess : kBadInput;
  }
  const std::string command = values["command"].as<std::string>();
  std::vector<std::string> arguments;
  if (values.count("argument") != 0) arguments = values["argument"].as<std::vector<std::string>>();
  if (command == "list" && arguments.size() <= 1) return list_axis(arguments.empty() ? "" : arguments.front());
  const std::vector<std::string> known{"check", "circuits", "graph", "list", "partition", "paths", "run"};
  if (std::find(known.begin(), known.end(), command) == known.end()) {
    throw InputError(unknown_name("command", command, known));
  }
  if (command == "graph" && !arguments.empty()) return show_graph(graph_options_of(values, arguments));
  if (arguments.size() != 1) throw InputError("braid " + command + ": expected one argument; see braid --help");
  check_flags_of_graph(values, command);
  const Options options = options_of(values, arguments.front());
  if (options.check && command != "paths") throw InputError("--check: expected braid paths; see braid --help");
  if (values.count("layouts") != 0 && command != "circuits") {
    throw InputError("--layouts: expected braid circuits; see braid --help");
  }
  if (command == "partition") return show_partition(options);
  if (!options.toml.empty()) throw InputError("--toml: expected braid partition; see braid --help");
  if (command == "run") return run_experiment(options);
  if (command == "check") return check_experiment_file(options);
  if (command == "circuits") return show_circuits(options);
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
  } catch (const std::system_error& e) {
    const bool printing = std::ferror(stdout) != 0;
    return complain(kFailure, printing ? "standard output: cannot be written: " + e.code().message() : e.what());
  } catch (const std::bad_alloc&) {
    return complain(kFailure, "there is no memory left for this network or this run: expected a smaller one");
  } catch (const std::exception& e) {
    return complain(kFailure, e.what());
  }
}

}  // namespace braid::tb
