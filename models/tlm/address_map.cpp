#include "models/tlm/address_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>

#include "routing/base/input_error.h"

namespace braid::models {
namespace {

constexpr const char* kBlanks = " \t\r\n";

std::string_view without_blanks(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

/// Empty unless all of the text is a number below 2^64.
std::optional<std::uint64_t> address_number(std::string_view text, bool is_size) {
  std::string digits(without_blanks(text));
  digits.erase(std::remove(digits.begin(), digits.end(), '_'), digits.end());
  unsigned shift = 0;
  if (is_size && !digits.empty()) {
    const std::size_t unit = std::string_view("KMG").find(digits.back());
    if (unit != std::string_view::npos) {
      shift = 10 * (static_cast<unsigned>(unit) + 1);
      digits.pop_back();
    }
  }
  const bool hex = digits.rfind("0x", 0) == 0;
  const char* first = digits.data() + (hex ? 2 : 0);
  const char* last = digits.data() + digits.size();
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(first, last, value, hex ? 16 : 10);
  if (error != std::errc() || end != last || value > (~std::uint64_t{0} >> shift)) return std::nullopt;
  return value << shift;
}

AddressRange read_range(std::string_view entry, std::size_t nodes) {
  const auto refuse = [&](const std::string& why) {
    throw InputError(fmt::format("tlm.map: \"{}\": {}", one_line(std::string(entry)), why));
  };
  const std::size_t colon = entry.find(':'), plus = entry.find('+');
  if (colon == std::string_view::npos || plus == std::string_view::npos || plus < colon) {
    refuse("expected NODE: BASE +SIZE, as in 5: 0x8000_0000 +64K");
  }
  const auto node = address_number(entry.substr(0, colon), false);
  const auto base = address_number(entry.substr(colon + 1, plus - colon - 1), false);
  const auto size = address_number(entry.substr(plus + 1), true);
  if (!node || *node >= nodes) refuse(fmt::format("expected a node, 0 to {}", nodes - 1));
  if (!base) refuse("expected a base address below 2^64");
  if (!size || *size == 0) refuse("expected a size in bytes, at least 1, with K, M or G where wanted");
  if (*size - 1 > ~std::uint64_t{0} - *base) refuse("the range goes past 2^64");
  return {*base, *base + (*size - 1), NodeId{*node}};
}

/// From an address to the nearest of a range; 0 inside.
std::uint64_t gap(const AddressRange& range, std::uint64_t address) {
  return address < range.first ? range.first - address : address > range.last ? address - range.last : 0;
}

}  // namespace

const OptionTable<AddressMapOptions>& address_map_options() {
  static const OptionTable<AddressMapOptions> table = OptionTable<AddressMapOptions>("tlm").text(
      "map", &AddressMapOptions::map, "addresses of nodes: \"NODE: BASE +SIZE, ...\", SIZE with K, M, G");
  return table;
}

std::string to_text(const AddressRange& range) {
  return fmt::format("{:#x} .. {:#x} of node {}", range.first, range.last, range.node.value);
}

AddressMap::AddressMap(const std::string& text, std::size_t nodes) {
  if (without_blanks(text).empty()) return;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    ranges_.push_back(read_range(without_blanks(std::string_view(text).substr(begin, end - begin)), nodes));
    begin = end + 1;
  }
  std::sort(ranges_.begin(), ranges_.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  check_overlaps();
  make_buckets();
}

/// At most kBuckets a range, so that few addresses need a search in theirs.
void AddressMap::make_buckets() {
  constexpr std::uint64_t kBuckets = 4;
  const std::uint64_t first = ranges_.front().first, span = ranges_.back().last - first;
  while ((span >> shift_) >= kBuckets * ranges_.size()) ++shift_;
  std::uint32_t range = 0;
  for (std::uint64_t k = 0; k <= span >> shift_; ++k) {
    while (ranges_[range].last < first + (k << shift_)) ++range;
    buckets_.push_back(range);
  }
  buckets_.push_back(static_cast<std::uint32_t>(ranges_.size() - 1));
}

void AddressMap::check_overlaps() const {
  for (std::size_t i = 1; i < ranges_.size(); ++i) {
    if (ranges_[i].first > ranges_[i - 1].last) continue;
    throw InputError(fmt::format("tlm.map: {} and {} overlap; expected ranges apart from each other",
                                 to_text(ranges_[i - 1]), to_text(ranges_[i])));
  }
}

const AddressRange* AddressMap::find(std::uint64_t address) const {
  if (ranges_.empty() || address < ranges_.front().first || address > ranges_.back().last) return nullptr;
  const std::size_t bucket = (address - ranges_.front().first) >> shift_;
  const AddressRange* range = &ranges_[buckets_[bucket]];
  if (range->last < address) {  // one of those that begin in this bucket
    const AddressRange* const end = &ranges_[buckets_[bucket + 1]];
    range =
        std::lower_bound(range + 1, end, address, [](const AddressRange& r, std::uint64_t a) { return r.last < a; });
  }
  return range->first <= address ? range : nullptr;
}

std::string AddressMap::explain_miss(std::uint64_t address, std::uint64_t bytes) const {
  if (ranges_.empty()) return fmt::format("no node has address {:#x}: tlm.map is empty", address);
  if (const AddressRange* range = find(address)) {
    return fmt::format("{} bytes from {:#x} on go over the end of {}", bytes, address, to_text(*range));
  }
  const auto nearest = std::min_element(
      ranges_.begin(), ranges_.end(), [&](const auto& a, const auto& b) { return gap(a, address) < gap(b, address); });
  return fmt::format("no node has address {:#x}; nearest: {}", address, to_text(*nearest));
}

}  // namespace braid::models
