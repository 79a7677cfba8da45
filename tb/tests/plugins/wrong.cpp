// A plugin that does what none should: BRAID_TEST_WRONG says what (tb/tests/program/plugin_test.cpp).
#include <cstdlib>
#include <stdexcept>
#include <string>

#include "traffic/synthetic/pattern.h"

namespace {

using namespace braid;
using traffic::PatternRegistry;

bool does(const char* what) {
  const char* wanted = std::getenv("BRAID_TEST_WRONG");
  return wanted != nullptr && std::string(wanted) == what;
}

/// Throws when it has been asked often enough.
struct Late final : traffic::TrafficPattern {
  traffic::Destination destination(NodeId source, Random&) const override {
    if (++asked < 5000) return source;        // `braid check` draws some, too
    if (does("throw_number_late")) throw 42;  // NOLINT(bugprone-std-exception-baseclass)
    throw std::runtime_error("out of\nluck \x1b[31m");
  }
  mutable std::size_t asked = 0;
};

std::unique_ptr<traffic::TrafficPattern> make_wrong(const routing::Topology&, const Configuration&) {
  if (does("make_nothing")) return nullptr;
  if (does("make_number")) throw 42;  // NOLINT(bugprone-std-exception-baseclass)
  return std::make_unique<Late>();
}

bool begin() {
  if (does("throw")) throw std::runtime_error("no\nluck");
  if (does("throw_number")) throw 42;  // NOLINT(bugprone-std-exception-baseclass)
  if (does("exit")) std::exit(0);
  if (does("null")) return PatternRegistry::instance().add("wrong", "none", PatternRegistry::Factory());
  if (does("name")) return PatternRegistry::instance().add("wr\x1b[31mong", "a name", make_wrong);
  if (does("summary")) return PatternRegistry::instance().add("wrong", "two\nlines", make_wrong);
  return PatternRegistry::instance().add("wrong", "throws in the end", make_wrong);
}

const bool registered = begin();

}  // namespace
