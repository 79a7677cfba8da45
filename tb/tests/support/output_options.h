// What the program writes, from the tables of its options and of an experiment's keys: an option that names a file is
// taken for an output unless it stands in kInputOptions, so that the tests of outputs cover a new one, or fail.
#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "tb/braid/manual.h"
#include "tb/tests/support/bench.h"
#include "tb/tests/support/declared_keys.h"
#include "tb/tests/support/program.h"

namespace braid::test {

inline const std::set<std::string> kInputOptions{"from", "plan", "plugin", "stdin-filename"};

/// What is written where: an option of the program or a key without one, and what must stand beside it.
struct Output {
  std::string name, ending;  ///< "json"; ".csv"
  std::string words;         ///< before the file's name
};

inline const std::map<std::string, std::string>& endings() {
  static const std::map<std::string, std::string> all{{"trace", ".vcd"}, {"log", ".csv"}, {"record-trace", ".trace"}};
  return all;
}

inline Output output_of(const std::string& name, const std::string& words) {
  const auto ending = endings().find(name);
  return {name, ending == endings().end() ? ".out" : ending->second, words};
}

/// Keys that name a file which a run writes.
inline std::set<std::string> output_keys() {
  std::set<std::string> keys;
  for (const Declared& d : declared()) {
    const bool text = d.option.expected() == "text";  // "file name": what is read
    const bool place = d.option.text.find("relative to where braid runs") != std::string::npos;
    if (text && (place || d.option.name == "file")) keys.insert(d.option.key());
  }
  keys.erase("checkpoint.from");
  return keys;
}

/// Of a command, as the program's own table of options has them; keys beside them for those that run a network.
inline std::vector<Output> outputs_of(const std::string& command) {
  std::vector<Output> all;
  std::set<std::string> keys = output_keys();
  for (const tb::Flag& flag : tb::flags()) {
    const bool known =
        flag.commands.empty() || std::find(flag.commands.begin(), flag.commands.end(), command) != flag.commands.end();
    if (flag.argument != "FILE" || !known || kInputOptions.count(flag.name) != 0) continue;
    keys.erase(flag.key);
    if (flag.key.empty() || command == "run" || command == "check") {
      all.push_back(output_of(flag.name, " --" + flag.name + " "));
    }
  }
  if (command != "run" && command != "check") return all;
  for (const std::string& key : keys) {
    const std::string also =
        key == "watch.file" ? " --watch 'source=0 source=1 source=2 source=3 source=4 source=5'" : "";
    all.push_back(output_of(key, also + " --set " + key + "="));
  }
  return all;
}

/// A folder of this case alone, with a program, an experiment that runs it, and a checkpoint.
struct Folder {
  std::filesystem::path place = temporary_file("outputs");
  std::string experiment_file = place / "e.toml", program = place / "p.str", from = place / "w.ckpt";

  Folder() {
    std::filesystem::remove_all(place);
    std::filesystem::create_directories(place);
    std::filesystem::copy_file(source_file("traffic/streams/programs/fm_radio.str"), program);
    std::ofstream(experiment_file)
        << "[topology]\nwidth = 4\nheight = 4\n[stream]\ngraph = \"p.str\"\n[interface]\nswitching = \"packet\"\n"
        << "[simulation]\nmeasure_cycles = 1000\nmax_warmup_cycles = 1000\n";
  }
  ~Folder() { std::filesystem::remove_all(place); }
  std::set<std::string> names() const {
    std::set<std::string> all;
    for (const auto& entry : std::filesystem::directory_iterator(place)) all.insert(entry.path().filename());
    return all;
  }
};

}  // namespace braid::test
