#include "tb/braid/completion.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "models/experiment/experiment.h"
#include "models/experiment/experiment_schema.h"
#include "tb/braid/axes.h"
#include "tb/braid/commands.h"
#include "tb/braid/manual.h"
#include "tb/braid/named.h"
#include "tb/braid/new_experiment.h"
#include "tb/braid/python_commands.h"
#include "tb/braid/shell_scripts.h"
#include "tb/braid/stream_experiment.h"

namespace braid::tb {
namespace {

struct Shell {
  const char* name;
  const char* script;
};
constexpr Shell kShells[] = {{"bash", kBash}, {"zsh", kZsh}, {"fish", kFish}};

bool begins(const std::string& text, const std::string& with) { return text.rfind(with, 0) == 0; }

/// The flag that a word is; null: none.
const Flag* flag_of(const std::string& word) {
  for (const Flag& flag : flags()) {
    if (word == "--" + flag.name || (!flag.letter.empty() && word == "-" + flag.letter)) return &flag;
  }
  return nullptr;
}

bool takes_argument(const std::string& word) {
  const Flag* flag = flag_of(word);
  return flag != nullptr && !flag->argument.empty();
}

/// The words that are no options and no arguments of options.
std::vector<std::string> plain_words(const std::vector<std::string>& words) {
  std::vector<std::string> plain;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (begins(words[i], "-") || (i > 0 && takes_argument(words[i - 1]))) continue;
    plain.push_back(words[i]);
  }
  return plain;
}

std::vector<Candidate> command_words() {
  std::vector<Candidate> words;
  for (const Command& command : commands()) {
    for (const auto& [name, text] : command_summaries()) {
      if (name == command.name) words.push_back({name, text});
    }
  }
  return words;
}

/// The flags of a command; without any, those that belong to all.
std::vector<Candidate> flag_words(const std::string& command) {
  std::vector<Candidate> words;
  for (const Flag& flag : flags()) {
    const auto& of = flag.commands;
    if (!of.empty() && std::find(of.begin(), of.end(), command) == of.end()) continue;
    words.push_back({"--" + flag.name, flag.text});
  }
  return words;
}

/// The values of a key, if they are names or true and false; each behind `before`.
std::vector<Candidate> value_words(const std::string& key, const std::string& before) {
  std::vector<Candidate> words;
  const auto add = [&](const std::string& name, const std::string& text) {
    const auto same = [&](const Candidate& c) { return c.word == before + name; };
    if (std::none_of(words.begin(), words.end(), same)) words.push_back({before + name, text});
  };
  for_each_declared(models::experiment_options(), [&](const Option& option, const std::string&) {
    if (!option.is(key)) return;
    if (option.policies) {
      for (const auto& [name, text] : option.policies()) add(name, text);
    } else if (option.expected() == "true or false") {
      add("true", option.text);
      add("false", option.text);
    } else {
      for (const std::string& name : models::names_of(option)) add(name, option.text);
    }
  });
  return words;
}

/// `section.key=`, or with a value when so much stands there.
std::vector<Candidate> setting_words(const std::string& word) {
  const std::size_t equals = word.find('=');
  if (equals != std::string::npos) return value_words(word.substr(0, equals), word.substr(0, equals + 1));
  std::vector<Candidate> words;
  for_each_declared(models::experiment_options(), [&](const Option& option, const std::string&) {
    const auto same = [&](const Candidate& c) { return c.word == option.key() + "="; };
    if (std::none_of(words.begin(), words.end(), same)) words.push_back({option.key() + "=", option.text});
  });
  return words;
}

Candidates argument_of(const Flag& flag, const std::string& word) {
  if (flag.argument == "FILE") return {{}, {"any"}};
  if (flag.argument == "DIR") return {{}, {"/"}};
  if (flag.name == "set" || flag.name == "vary") return {setting_words(word), {}};
  if (flag.name == "network") {
    Candidates all;
    for (const StreamNetwork& network : stream_networks()) all.words.push_back({network.name, network.summary});
    return all;
  }
  if (!flag.key.empty()) return {value_words(flag.key, ""), {}};
  return {};
}

/// `place` counts from 0 behind the command.
Candidates argument_of(const std::string& command, std::size_t place) {
  Candidates all;
  if (command == "list" && place == 0) {
    for (const Axis& axis : axes()) all.words.push_back({axis.key, "what it offers"});
    for (const auto& [name, text] : list_words()) all.words.push_back({name, text});
  } else if (command == "completion" && place == 0) {
    for (const Shell& shell : kShells) all.words.push_back({shell.name, "its script"});
  } else if (command == "new" && place == 0) {
    for (const NewExperiment& kind : new_experiments()) all.words.push_back({kind.name, kind.summary});
  } else if (command == "graph" || (command == "partition" && place == 0)) {
    all.endings = {".str"};
  } else if (command == "new" && place == 1) {
    all.endings = {".toml"};
  } else if (command == "import" && place == 0) {
    all.words.push_back({"booksim", "BookSim 2's configuration files"});
  } else if (is_python_command(command)) {
    all.endings = {"any"};
  } else if (place == 0 && command != "schema") {
    all.endings = {".toml", ".str"};
  }
  return all;
}

}  // namespace

Candidates candidates_for(const std::vector<std::string>& words) {
  const std::string word = words.empty() ? "" : words.back();
  const std::vector<std::string> before(words.begin(), words.empty() ? words.end() : words.end() - 1);
  const std::vector<std::string> plain = plain_words(before);
  const std::string command = plain.empty() ? "" : plain.front();
  Candidates all;
  if (!before.empty() && takes_argument(before.back())) {
    all = argument_of(*flag_of(before.back()), word);
  } else if (begins(word, "-")) {
    all.words = flag_words(command);
  } else if (plain.empty()) {
    all.words = command_words();
  } else {
    all = argument_of(command, plain.size() - 1);
  }
  const auto other = [&](const Candidate& c) { return !begins(c.word, word); };
  all.words.erase(std::remove_if(all.words.begin(), all.words.end(), other), all.words.end());
  return all;
}

int print_candidates(const std::vector<std::string>& words) {
  const Candidates all = candidates_for(words);
  for (const Candidate& candidate : all.words) fmt::print("{}\t{}\n", candidate.word, candidate.text);
  if (!all.endings.empty()) fmt::print(":files\t{}\n", fmt::join(all.endings, " "));
  return kSuccess;
}

int print_completion(const Options& options) {
  fmt::print("{}", named(kShells, options.arguments.front(), "shell", "braid completion: ").script);
  return kSuccess;
}

}  // namespace braid::tb
