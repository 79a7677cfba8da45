#include <fmt/format.h>

#include <algorithm>
#include <boost/program_options.hpp>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <new>
#include <system_error>

#include "models/engine/watchdog.h"
#include "models/experiment/simulation.h"
#include "models/observe/output_file.h"
#include "routing/base/input_error.h"
#include "routing/base/registrations.h"
#include "routing/base/run_files.h"
#include "tb/braid/commands.h"
#include "tb/braid/completion.h"
#include "tb/braid/manual.h"
#include "tb/braid/named.h"
#include "tb/braid/plugin.h"
#include "tb/braid/process.h"
#include "tb/braid/python_commands.h"

namespace braid::tb {
namespace {

namespace po = boost::program_options;

po::variables_map parse(int argc, char* argv[]) {
  po::options_description all;
  for (const Flag& flag : flags()) {
    const std::string name = flag.name + (flag.letter.empty() ? "" : "," + flag.letter);
    if (flag.argument.empty()) {
      all.add_options()(name.c_str(), "");
    } else if (flag.repeatable) {
      all.add_options()(name.c_str(), po::value<std::vector<std::string>>());
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
  std::string file = values[option].as<std::string>();
  if (file.empty()) throw InputError("--" + option + ": expected the name of a file");
  return file;
}

/// The folder that an option names, as seen from here: an experiment's own are relative to its file.
std::string folder_of(const po::variables_map& values, const std::string& option) {
  const std::string folder = values[option].as<std::string>();
  if (folder.empty()) throw InputError("--" + option + ": expected the name of a folder");
  return std::filesystem::absolute(folder).lexically_normal().string();
}

/// All that a repeatable option was given.
std::vector<std::string> all_of(const po::variables_map& values, const std::string& option) {
  return values.count(option) == 0 ? std::vector<std::string>{} : values[option].as<std::vector<std::string>>();
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

std::size_t seeds_of(const std::string& text) {
  const bool digits = !text.empty() && text.size() < 7 && text.find_first_not_of("0123456789") == std::string::npos;
  const std::size_t count = digits ? std::stoul(text) : 0;
  if (count >= 2 && count <= 100000) return count;
  throw InputError("--seeds " + one_line(text) + ": expected integer, 2 to 100000");
}

Options options_of(const po::variables_map& values, const std::vector<std::string>& arguments) {
  Options options;
  options.arguments = arguments;
  if (!arguments.empty()) options.experiment = arguments.front();
  options.settings = all_of(values, "set");
  for (const Flag& flag : flags()) {
    if (flag.key.empty() || values.count(flag.name) == 0) continue;
    // A number goes as it stands there: one that is none is told so by the key.
    const std::string value = flag.argument == "FILE"  ? file_of(values, flag.name)
                              : flag.argument == "DIR" ? folder_of(values, flag.name)
                              : flag.repeatable        ? fmt::format("{}", fmt::join(all_of(values, flag.name), " "))
                                                       : values[flag.name].as<std::string>();
    options.settings.push_back(flag.key + "=" + (flag.quoted ? in_quotes(value) : value));
  }
  for (const Flag& flag : flags()) {
    if (flag.written && values.count(flag.name) != 0) {
      options.outputs.emplace_back("--" + flag.name, file_of(values, flag.name));
    }
  }
  options.stdin_filename = file_of(values, "stdin-filename");
  options.json = file_of(values, "json");
  options.graphml = file_of(values, "graphml");
  options.dot = file_of(values, "dot");
  options.toml = file_of(values, "toml");
  options.draw = file_of(values, "draw");
  options.mermaid = file_of(values, "mermaid");
  options.paths = file_of(values, "paths");
  options.quiet = values.count("quiet") != 0;
  options.strict = values.count("strict") != 0;
  options.plugins = all_of(values, "plugin");
  if (values.count("seeds") != 0) options.seeds = seeds_of(values["seeds"].as<std::string>());
  options.check = values.count("check") != 0;
  options.lift = values.count("lift") != 0;
  options.mean_rates = fmt::format("{}", fmt::join(all_of(values, "rate"), " "));
  if (values.count("mesh") != 0) options.mesh = values["mesh"].as<std::string>();
  if (values.count("network") != 0) options.network = values["network"].as<std::string>();
  return options;
}

/// Every option belongs to the command, every argument has a place.
void check_call(const po::variables_map& values, const Command& command, const std::vector<std::string>& arguments) {
  for (const Flag& flag : flags()) {
    const std::vector<std::string>& of = flag.commands;
    if (values.count(flag.name) == 0 || of.empty()) continue;
    if (std::find(of.begin(), of.end(), command.name) == of.end()) {
      throw InputError("--" + flag.name + ": expected braid " + fmt::format("{}", fmt::join(of, ", ")) +
                       "; see braid --help");
    }
  }
  if (arguments.size() < command.least || arguments.size() > command.most) {
    const char* expected = command.most == 0    ? "no argument"
                           : command.least == 0 ? "at most one argument"
                                                : "one argument";
    throw InputError("braid " + command.name + ": expected " + expected + "; see braid --help");
  }
  if (std::find(arguments.begin(), arguments.end(), "") != arguments.end()) {
    const char* expected = command.least == 0 ? "an axis" : "a file";
    throw InputError("braid " + command.name + " \"\": expected the name of " + expected);
  }
}

/// Before anything is read: what cannot be written, two outputs to one file.
void claim_outputs(const Options& options) {
  for (const auto& [option, file] : options.outputs) {
    if (file == "-") {
      RunFiles::write(file, option);
    } else {
      models::claim_output(file, option);
    }
  }
}

int dispatch(const po::variables_map& values) {
  if (values.count("version") != 0) {
    fmt::print("braid {}\n", BRAID_VERSION);
    return kSuccess;
  }
  load_plugins(all_of(values, "plugin"));
  if (values.count("help") != 0 || values.count("command") == 0) {
    fmt::print("{}", manual());
    return values.count("help") != 0 ? kSuccess : kBadInput;
  }
  const Command& command = named(commands(), values["command"].as<std::string>(), "command");
  const std::vector<std::string> arguments = all_of(values, "argument");
  check_call(values, command, arguments);
  const Options options = options_of(values, arguments);
  claim_outputs(options);
  return command.run(options);
}

int complain(int status, const std::string& message) {
  say("braid: " + message + "\n");
  return status;
}

/// What the code of the user's own may have thrown: a line, with the plugins that may have.
std::string told(const std::string& what) { return with_plugins(one_line(what, kLongestSentence)); }

int unprinted(int error) {
  if (error == EPIPE) end_unread();
  return complain(kFailure, std::string("standard output: cannot be written: ") + std::strerror(error));
}

/// What was printed may still be in a buffer, and the disk behind it full.
int flushed(int status) {
  errno = 0;
  return std::fflush(stdout) == 0 && std::ferror(stdout) == 0 ? status : unprinted(errno);
}

int interrupted() { return complain(kInterrupted, told_of_interrupt()); }

/// One line on standard error for what was thrown.
int status_of_error() {
  try {
    throw;
  } catch (const po::error& e) {
    return complain(kBadInput, InputError(std::string(e.what()) + "; see braid --help").what());
  } catch (const InputError& e) {
    return complain(kBadInput, e.what());
  } catch (const models::DeadlockError& e) {
    return complain(kDeadlock, e.what());
  } catch (const std::system_error& e) {
    return std::ferror(stdout) != 0 ? unprinted(e.code().value()) : complain(kFailure, e.what());
  } catch (const std::bad_alloc&) {
    return complain(kFailure, "there is no memory left for this network or this run: expected a smaller one");
  } catch (const std::exception& e) {
    return complain(kFailure, told(e.what()));
  } catch (...) {
    return complain(kFailure, told("what was thrown is no std::exception"));
  }
}

/// A command of Python whose name is not the first word: who reads the rest would be Python.
int python_command_behind_options(const Options&) {
  throw InputError("expected the command first, its options behind it; see braid --help");
}

std::vector<Command> with_python_commands(std::vector<Command> all) {
  for (const PythonCommand& command : python_commands()) {
    all.push_back({command.name, python_command_behind_options, 0, 1000});
  }
  return all;
}

}  // namespace

const std::vector<Command>& commands() {
  static const std::vector<Command> all = with_python_commands({
      {"check", check_experiment_file},
      {"circuits", show_circuits},
      {"completion", print_completion},
      {"graph", show_graph, 1, 1000},
      {"list", list_axis, 0, 1},
      {"modules", show_modules, 1, 2},
      {"new", write_new_experiment, 1, 2},
      {"partition", show_partition},
      {"paths", show_paths},
      {"run", run_experiment},
      {"schema", print_experiment_schema, 0, 0},
      {"styles", show_styles},
  });
  return all;
}

bool Options::prints() const {
  const auto printed = [](const auto& output) { return output.second == "-"; };
  return !quiet && std::none_of(outputs.begin(), outputs.end(), printed);
}

int run_program(int argc, char* argv[]) {
  setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 1);
  prepare_process();
  RunFiles files;
  const RunFiles::Scope scope(files);
  const InterruptFlag flag(InterruptFlag::kNone);
  end_with_starter();
  const WatchOnExit watch;
  try {
    if (argc > 1 && std::strcmp(argv[1], kCompleteWords) == 0)
      return flushed(print_candidates({argv + 2, argv + argc}));
    if (argc > 1 && is_python_command(argv[1])) run_python(argv);
    return flushed(dispatch(parse(argc, argv)));
  } catch (const models::Interrupted&) {
    return interrupted();
  } catch (...) {
    // A wait for a pipe that a signal ended fails in its own way.
    return InterruptFlag::raised() ? interrupted() : status_of_error();
  }
}

}  // namespace braid::tb
