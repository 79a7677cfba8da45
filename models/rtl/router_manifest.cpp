#include "models/rtl/router_manifest.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "models/rtl/wires.h"

namespace braid::models::hybrid {
namespace {

namespace json = boost::json;

constexpr std::uint32_t kMostTableNodes = 65536;  // as many as a destination of 16 bits names
constexpr const char* kExpectedManifest = "; expected a manifest as CMake's braid_rtl_router() writes it";

SourcePosition manifest_position(const std::string& file, const std::string& text, std::size_t at) {
  const auto begin = text.begin(), end = text.begin() + static_cast<std::ptrdiff_t>(std::min(at, text.size()));
  const auto lines = static_cast<std::size_t>(std::count(begin, end, '\n'));
  const std::size_t line_begin = lines == 0 ? 0 : text.rfind('\n', std::min(at, text.size()) - 1) + 1;
  return {file, lines + 1, at - line_begin + 1};
}

json::object parsed_manifest(const std::string& file) {
  std::ifstream stream(file);
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  if (!stream) throw InputError({file, 0, 0}, "cannot be read");
  json::stream_parser parser;
  json::error_code error;
  const std::size_t read = parser.write_some(text, error);
  if (!error) parser.finish(error);
  if (error || read < text.size()) {
    throw InputError(manifest_position(file, text, read),
                     "not well-formed JSON: " + (error ? error.message() : "more text after it") + kExpectedManifest);
  }
  const json::value all = parser.release();
  if (!all.is_object()) throw InputError({file, 1, 1}, std::string("no JSON object") + kExpectedManifest);
  return all.as_object();
}

/// The fields of a manifest, each checked.
class ManifestFields {
 public:
  ManifestFields(std::string file, const json::object& fields, std::string within)
      : file_(std::move(file)), fields_(fields), within_(std::move(within)) {}

  bool has(const char* name) const { return fields_.contains(name); }
  std::string text(const char* name) const {
    const json::value* value = fields_.if_contains(name);
    if (value == nullptr || !value->is_string() || value->as_string().empty()) wrong(name, "a text");
    return std::string(value->as_string());
  }
  std::uint32_t integer(const char* name, std::uint32_t least, std::uint32_t most) const {
    const json::value* value = fields_.if_contains(name);
    const std::int64_t* number = value == nullptr ? nullptr : value->if_int64();
    if (number == nullptr || *number < least || *number > most) {
      wrong(name, fmt::format("an integer, {} to {}", least, most));
    }
    return static_cast<std::uint32_t>(*number);
  }
  const json::object& object(const char* name) const {
    const json::value* value = fields_.if_contains(name);
    if (value == nullptr || !value->is_object()) wrong(name, "an object");
    return value->as_object();
  }

 private:
  [[noreturn]] void wrong(const char* name, const std::string& expected) const {
    const json::value* value = fields_.if_contains(name);
    const std::string found = value == nullptr ? "is missing" : "= " + one_line(json::serialize(*value));
    throw InputError({file_, 0, 0}, fmt::format("{}{} {}: expected {}", within_, name, found, expected));
  }

  std::string file_;
  const json::object& fields_;
  std::string within_;
};

void read_hybrid(const ManifestFields& fields, RouterShape& shape) {
  shape.arbiter = fields.text("arbiter");
  shape.buffer_bypass = fields.integer("bypass", 0, 1) != 0;
  shape.circuits = fields.integer("circuits", 0, 1) != 0;
  shape.circuit_depth = fields.integer("circuit_depth", 1, 64);
  shape.circuit_lanes = fields.integer("circuit_lanes", 1, 16);
  if (fields.has("vc_allocator")) shape.vc_allocator = fields.text("vc_allocator");
  if (fields.has("switch_allocator")) shape.switch_allocator = fields.text("switch_allocator");
  if (fields.has("islip_iterations")) shape.islip_iterations = fields.integer("islip_iterations", 1, 16);
  if (fields.has("table_nodes")) shape.table_nodes = fields.integer("table_nodes", 2, kMostTableNodes);
}

std::string describe_circuits(const RouterShape& s) {
  if (!s.circuits) return "no circuits";
  return fmt::format("circuits of {} flits{}", s.circuit_depth,
                     s.circuit_lanes == 1 ? "" : fmt::format(", {} a local port", s.circuit_lanes));
}

std::string describe_buffers(const RouterShape& s) {
  return fmt::format("{} ports, {} VCs of {} flits{}, {}", s.ports, s.vcs, s.depth,
                     s.buffer_bypass ? " with bypass" : "", describe_circuits(s));
}

/// The table's room is the RTL's own: of a foreign router nobody knows it.
std::string describe_routing(const RouterShape& s) {
  return s.by_table() ? fmt::format("table of {} nodes", s.table_nodes) : s.routing;
}

/// The arbiter and, where it is not the usual one, who uses it: "matrix, VA and SA by iSLIP in 2 iterations".
std::string describe_allocators(const RouterShape& s) {
  if (!s.has_islip()) return s.arbiter;
  const bool both = s.vc_allocator == s.switch_allocator;
  return fmt::format("{}, {} by iSLIP in {} iteration{}", s.arbiter,
                     both                        ? "VA and SA"
                     : s.vc_allocator == "islip" ? "VA"
                                                 : "SA",
                     s.islip_iterations, s.islip_iterations == 1 ? "" : "s");
}

bool same_allocators(const RouterShape& a, const RouterShape& b) {
  return a.arbiter == b.arbiter && a.vc_allocator == b.vc_allocator && a.switch_allocator == b.switch_allocator &&
         a.islip_iterations == b.islip_iterations;
}

}  // namespace

std::string describe(const RouterShape& s) {
  return fmt::format("{}, {}, {}", describe_buffers(s), describe_routing(s), describe_allocators(s));
}

std::string RouterManifest::describe() const {
  return fmt::format("{} ({}{}{})", name, describe_buffers(shape), any_routing ? "" : ", " + describe_routing(shape),
                     any_arbiter ? "" : ", " + describe_allocators(shape));
}

bool RouterManifest::fits(const RouterShape& s) const {
  const bool pins = shape.ports == s.ports && shape.vcs == s.vcs && shape.depth == s.depth &&
                    shape.flit_width >= s.flit_width && (any_routing || shape.routing == s.routing);
  if (any_arbiter) return pins && !s.circuits;
  return pins && same_allocators(shape, s) && shape.buffer_bypass == s.buffer_bypass && shape.circuits == s.circuits &&
         (!s.by_table() || shape.table_nodes >= s.table_nodes) &&
         (!s.circuits || (shape.circuit_depth == s.circuit_depth && shape.circuit_lanes == s.circuit_lanes));
}

RouterManifest read_manifest(const std::string& file) {
  const json::object all = parsed_manifest(file);
  const ManifestFields top(file, all, "");
  RouterManifest manifest;
  manifest.name = top.text("name");
  manifest.file = file;
  manifest.library = (std::filesystem::path(file).parent_path() / top.text("library")).string();
  manifest.build = top.text("build");
  const ManifestFields shape(file, top.object("shape"), "shape.");
  manifest.shape.ports = shape.integer("ports", 2, kMaxPinPorts);
  manifest.shape.vcs = shape.integer("vcs", 1, 16);
  manifest.shape.depth = shape.integer("depth", 1, 64);
  manifest.shape.flit_width = shape.integer("flit_width", 16, 64 * kMostFlitWords);
  manifest.any_routing = !shape.has("routing");
  manifest.any_arbiter = !shape.has("arbiter");
  if (!manifest.any_routing) manifest.shape.routing = shape.text("routing");
  if (!manifest.any_arbiter) read_hybrid(shape, manifest.shape);
  return manifest;
}

std::vector<RouterManifest> manifests_in(const std::string& folder) {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() == ".json") files.push_back(entry.path().string());
  }
  std::sort(files.begin(), files.end());
  std::vector<RouterManifest> manifests;
  for (const std::string& file : files) manifests.push_back(read_manifest(file));
  return manifests;
}

}  // namespace braid::models::hybrid
