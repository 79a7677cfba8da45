// The measure of compile.py: what it costs to compile this is 1. It is never run. It changes with the compiler and its
// library only, so that a sum of Braid's files over it means the same on a fast machine and on a slow one. It does what
// Braid's files make the compiler do: much of the standard library, many small closures, maps, variants, some loops.
#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

namespace reference {

using Value = std::variant<bool, std::int64_t, double, std::string, std::vector<std::uint32_t>>;

template <int n>
struct Policy {
  std::uint32_t number = n;
  double rate = n;
  std::string name = "policy";
  std::vector<std::uint32_t> nodes;
};

template <class T>
struct Table {
  std::vector<std::pair<std::string, std::function<void(T&, const Value&)>>> entries;
  template <class V, class Stored>
  Table& add(const char* name, V T::* field, Stored*) {
    entries.emplace_back(name, [field](T& t, const Value& v) { t.*field = static_cast<V>(std::get<Stored>(v)); });
    return *this;
  }
  T read(const std::map<std::string, Value>& given) const {
    T result;
    for (const auto& [name, set] : entries) {
      if (const auto found = given.find(name); found != given.end()) set(result, found->second);
    }
    return result;
  }
};

template <int n>
std::string run(const std::map<std::string, Value>& given) {
  using Options = Policy<n>;
  const auto options = Table<Options>()
                           .add("number", &Options::number, static_cast<std::int64_t*>(nullptr))
                           .add("rate", &Options::rate, static_cast<double*>(nullptr))
                           .add("name", &Options::name, static_cast<std::string*>(nullptr))
                           .add("nodes", &Options::nodes, static_cast<std::vector<std::uint32_t>*>(nullptr))
                           .read(given);
  std::map<std::array<std::uint32_t, n + 1>, std::deque<std::pair<double, std::string>>> waiting;
  std::unordered_map<std::uint64_t, std::set<std::int64_t>> seen;
  std::vector<std::uint64_t> order(options.nodes.begin(), options.nodes.end());
  std::stable_sort(order.begin(), order.end(), [](auto a, auto b) { return (a * (n + 3)) % 17 < (b * (n + 3)) % 17; });
  for (std::size_t i = 0; i < order.size(); ++i) {
    std::array<std::uint32_t, n + 1> key{};
    for (std::size_t j = 0; j <= n; ++j) key[j] = static_cast<std::uint32_t>((order[i] >> j) & 0xffU);
    waiting[key].emplace_back(options.rate * static_cast<double>(i), options.name + std::to_string(i));
    seen[order[i] % (n + 5)].insert(static_cast<std::int64_t>(i) - n);
  }
  std::ostringstream out;
  for (const auto& [key, packets] : waiting) {
    out << std::accumulate(key.begin(), key.end(), 0U) << ' ';
    for (const auto& [when, what] : packets) out << when << what << '\n';
  }
  for (const auto& [bucket, members] : seen) out << bucket << members.size();
  return out.str();
}

std::string all(const std::map<std::string, Value>& given) { return run<1>(given) + run<2>(given); }

}  // namespace reference
