// Commands of the program that are written in Python (scripts/braid/explore): their door is here, so that the manual
// and completion know them; what they do is there.
#pragma once

#include <string>
#include <vector>

#include "tb/braid/manual.h"

namespace braid::tb {

struct PythonCommand {
  std::string name;
  std::string arguments;  ///< of the manual's synopsis
  std::string text;
};
const std::vector<PythonCommand>& python_commands();
bool is_python_command(const std::string& word);

/// These flags, and those of the commands of Python. A flag that both have gets the commands of both.
std::vector<Flag> with_python_flags(std::vector<Flag> flags);

/// Python with the command line takes this process's place. Throws std::runtime_error where there is none.
[[noreturn]] void run_python(char* argv[]);

}  // namespace braid::tb
