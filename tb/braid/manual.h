// The manual, `braid --help`: made of the flags that the program parses and of the axes that the registries have.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace braid::tb {

/// What may stand on the command line beside command and argument.
struct Flag {
  std::string name;      ///< without dashes
  std::string letter;    ///< for short, or empty
  std::string argument;  ///< "FILE"; empty: none
  std::string text;
  std::string key = {};                    ///< of the experiment, that it sets
  bool quoted = false;                     ///< ... to a text
  std::vector<std::string> commands = {};  ///< that know it; none: all
  bool repeatable = false;
  bool written = false;  ///< the file; of the experiment's keys they say so themselves
};
const std::vector<Flag>& flags();

/// The commands, each with what it does.
const std::vector<std::pair<std::string, std::string>>& command_summaries();

std::string manual();

}  // namespace braid::tb
