// Which node a bus address leads to: ranges of the experiment (`tlm.map`), each of one node. Plain C++; the sockets ask
// it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "routing/base/ids.h"
#include "routing/base/options.h"

namespace braid::models {

struct AddressMapOptions {
  std::string map;  ///< "NODE: BASE +SIZE, ..."; empty: no address leads anywhere
};
/// In section [tlm].
const OptionTable<AddressMapOptions>& address_map_options();

/// Addresses first .. last (both included) lead to the node, as offsets from `first`.
struct AddressRange {
  std::uint64_t first = 0, last = 0;
  NodeId node;

  bool holds(std::uint64_t address) const { return first <= address && address <= last; }
  /// Are all `bytes` (at least 1) from `address` on in it?
  bool holds(std::uint64_t address, std::uint64_t bytes) const { return holds(address) && bytes - 1 <= last - address; }
};

/// `0x1000 .. 0x1fff of node 3`
std::string to_text(const AddressRange& range);

class AddressMap {
 public:
  AddressMap() = default;
  /// Reads `NODE: BASE +SIZE` entries with commas between: numbers in decimal or as 0x..., SIZE also with K, M or G
  /// (powers of 1024), `_` between digits. Throws InputError, naming the entry: not of that form, no such node, size 0,
  /// past 2^64, two ranges that overlap.
  AddressMap(const std::string& text, std::size_t nodes);

  /// Of an experiment: its `tlm.map`. Throws InputError.
  static AddressMap of(const Configuration& configuration, std::size_t nodes) {
    return {address_map_options().read(configuration).map, nodes};
  }

  /// Null: no range holds the address.
  const AddressRange* find(std::uint64_t address) const;
  /// In ascending order.
  const std::vector<AddressRange>& ranges() const { return ranges_; }
  /// Why the bytes from `address` on lead nowhere, for users: names the nearest range. Only where no range holds them
  /// all.
  std::string explain_miss(std::uint64_t address, std::uint64_t bytes) const;

 private:
  void check_overlaps() const;
  void make_buckets();
  std::vector<AddressRange> ranges_;
  // All addresses from the first range's to the last one's are cut into buckets of 2^shift_ addresses; [k]: the first
  // range that ends in bucket k or behind it.
  std::vector<std::uint32_t> buckets_;
  unsigned shift_ = 0;
};

}  // namespace braid::models
