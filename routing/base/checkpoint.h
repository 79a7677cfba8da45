// What a component holds from one cycle to the next, saved to a checkpoint and restored from it by one function, so
// that neither way can forget what the other knows:
//
//   void checkpoint(Checkpoint& c) { c(pointer_, credits_, random_); }
//
// Values only. What elaboration makes of the same configuration (sizes of tables, references, whatever never changes)
// is not in it, and pointers cannot be.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <boost/pfr/core.hpp>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

#include "routing/base/ids.h"

namespace braid {

/// Bytes that are not this component's, or a component that cannot be saved.
class CheckpointError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class Checkpoint {
 public:
  /// Saves.
  Checkpoint() = default;
  /// Restores from what another saved; `bytes` outlive it.
  explicit Checkpoint(std::string_view bytes) : restoring_(true), left_(bytes) {}
  Checkpoint(const Checkpoint&) = delete;
  Checkpoint& operator=(const Checkpoint&) = delete;

  bool restoring() const { return restoring_; }
  const std::string& bytes() const { return saved_; }

  /// Saves or restores each: a number, an enum, a type with `checkpoint(Checkpoint&)`, a struct of public members
  /// without pointers, or a standard container, pair, optional or unique_ptr of such. Containers become as long as they
  /// were; a type with checkpoint() in them that cannot be made from nothing stays, and has to be as many (each()).
  /// Throws CheckpointError.
  template <class... T>
  void operator()(T&... items) {
    (item(items), ...);
  }
  /// The items that elaboration has made: as many as there were. Pointers to items are followed.
  template <class Items>
  void each(Items& items) {
    count(items.size());
    if constexpr (kPlainArray<Items>) {
      raw(items.data(), items.size() * sizeof(typename Items::value_type));
      look_at_all(items.data(), items.size());
      return;
    }
    for (auto&& one : items) {
      if constexpr (IsUniquePointer<std::decay_t<decltype(one)>>::value) {
        item(*one);
      } else {
        item(one);
      }
    }
  }
  /// `size` plain values, as many as elaboration gave; stretches of zeros cost nothing and touch no memory.
  template <class T>
  void array(T* values, std::size_t size) {
    static_assert(kPlain<T>);
    count(size);
    sparse(reinterpret_cast<char*>(values), size * sizeof(T));
    look_at_all(values, size);
  }
  /// A number that has to be what it was.
  void count(std::uint64_t made) {
    std::uint64_t saved = made;
    plain(saved);
    if (saved != made) throw CheckpointError(std::to_string(saved) + " items, here are " + std::to_string(made));
  }
  // What is restored may have been damaged, or made by hand: nothing of it is an index before it has been looked at.
  // Every NodeId, RouterId and bool is, where it is read; what else a component uses as one it asks here.
  /// So many nodes and routers there are; without this call any.
  void set_network(std::size_t nodes, std::size_t routers) {
    nodes_ = nodes;
    routers_ = routers;
  }
  /// Packets' slots; set by their store.
  void set_packets(std::uint64_t slots) { packets_ = slots; }
  void packet(std::uint64_t slot) const { index(slot, packets_, "packet"); }
  /// Throws CheckpointError unless `value` is below `end`, the number of things of that name. While saving too: then
  /// the network is not what it should be.
  static void index(std::uint64_t value, std::uint64_t end, const char* thing) {
    if (value >= end) no_such(thing, value, end);
  }
  /// Throws CheckpointError unless it is so.
  static void expect(bool holds, const char* what) {
    if (!holds) refuse(std::string("no network is in such a state: ") + what);
  }
  /// The number of items of a container that this does not know: `size`, or what it was if so many can still come.
  std::uint64_t length(std::size_t size) { return size_of(size, 1); }
  /// Names what follows: who reads something else notices.
  void part(std::string_view name);
  /// Here is something that cannot be saved. Throws CheckpointError.
  [[noreturn]] static void refuse(const std::string& what) { throw CheckpointError(what); }
  /// After the last item has been restored. Throws CheckpointError if bytes are left.
  void finish() const;

 private:
  template <class T, class = void>
  struct HasCheckpoint : std::false_type {};
  template <class T>
  struct HasCheckpoint<T, std::void_t<decltype(std::declval<T&>().checkpoint(std::declval<Checkpoint&>()))>>
      : std::true_type {};
  template <class T>
  struct IsUniquePointer : std::false_type {};
  template <class T, class D>
  struct IsUniquePointer<std::unique_ptr<T, D>> : std::true_type {};
  template <class T>
  struct Type {};
  template <class T>
  static constexpr bool plain_of(Type<T>) {
    constexpr bool kNumber = std::is_arithmetic_v<T> || std::is_enum_v<T>;
    constexpr bool kBytes = !HasCheckpoint<T>::value && !std::is_pointer_v<T> && std::is_trivially_copyable_v<T> &&
                            std::has_unique_object_representations_v<T>;
    if constexpr (kBytes && !kNumber && std::is_aggregate_v<T>) {
      return all_plain(static_cast<T*>(nullptr), std::make_index_sequence<boost::pfr::tuple_size_v<T>>());
    } else {
      return kNumber || kBytes;
    }
  }
  template <class T, std::size_t n>
  static constexpr bool plain_of(Type<std::array<T, n>>) {
    return plain_of(Type<T>());
  }
  template <class T, std::size_t... i>
  static constexpr bool all_plain(T*, std::index_sequence<i...>) {
    return (plain_of(Type<boost::pfr::tuple_element_t<i, T>>()) && ...);
  }
  /// Its bytes are its value: what the same network saves again are the same bytes, so none may be padding, and no
  /// member a pointer.
  template <class T>
  static constexpr bool kPlain = plain_of(Type<T>());

  template <class T>
  struct IsPlainArray : std::false_type {};
  template <class T, class A>
  struct IsPlainArray<std::vector<T, A>> : std::bool_constant<!std::is_same_v<T, bool> && kPlain<T>> {};
  template <class T>
  static constexpr bool kPlainArray = IsPlainArray<T>::value;

  /// Is there a bool, NodeId or RouterId in it?
  template <class T>
  static constexpr bool looked_at(Type<T>) {
    if constexpr (std::is_same_v<T, bool> || std::is_same_v<T, NodeId> || std::is_same_v<T, RouterId>) {
      return true;
    } else if constexpr (std::is_aggregate_v<T>) {
      return any_looked_at(static_cast<T*>(nullptr), std::make_index_sequence<boost::pfr::tuple_size_v<T>>());
    } else {
      return false;
    }
  }
  template <class T, std::size_t n>
  static constexpr bool looked_at(Type<std::array<T, n>>) {
    return looked_at(Type<T>());
  }
  template <class T, std::size_t... i>
  static constexpr bool any_looked_at(T*, std::index_sequence<i...>) {
    return (looked_at(Type<boost::pfr::tuple_element_t<i, T>>()) || ...);
  }
  /// A value that is read is one of its type's: a byte that is neither 0 nor 1 is no bool.
  template <class T>
  void look_at(const T& value) const {
    if constexpr (std::is_same_v<T, bool>) {
      index(*reinterpret_cast<const unsigned char*>(&value), 2, "truth value");
    } else if constexpr (std::is_same_v<T, NodeId>) {
      index(value.value, nodes_, "node");
    } else if constexpr (std::is_same_v<T, RouterId>) {
      index(value.value, routers_, "router");
    } else if constexpr (looked_at(Type<T>())) {
      boost::pfr::for_each_field(value, [this](const auto& member) { this->look_at(member); });
    }
  }
  template <class T, std::size_t n>
  void look_at(const std::array<T, n>& values) const {
    look_at_all(values.data(), n);
  }
  template <class T>
  void look_at_all(const T* values, std::size_t size) const {
    if constexpr (looked_at(Type<T>())) {
      if (!restoring_) return;
      for (std::size_t i = 0; i < size; ++i) look_at(values[i]);
    }
  }

  template <class T>
  void item(T& value) {
    if constexpr (HasCheckpoint<T>::value) {
      value.checkpoint(*this);
    } else if constexpr (kPlain<T>) {
      plain(value);
    } else {
      static_assert(std::is_aggregate_v<T>, "give it a member function checkpoint(Checkpoint&)");
      boost::pfr::for_each_field(value, [this](auto& member) { this->item(member); });
    }
  }
  template <class T, class A>
  void item(std::vector<T, A>& items) {
    if constexpr (kPlain<T>) {
      items.resize(size_of(items.size(), sizeof(T)));
      raw(items.data(), items.size() * sizeof(T));
      look_at_all(items.data(), items.size());
    } else {
      grown(items);
    }
  }
  void item(std::vector<bool>& bits);
  void item(std::string& text) {
    text.resize(size_of(text.size(), 1));
    raw(text.data(), text.size());
  }
  template <class T>
  void item(std::deque<T>& items) {
    grown(items);
  }
  template <class T, std::size_t n>
  void item(std::array<T, n>& items) {
    for (T& one : items) item(one);
  }
  template <class T, std::size_t n>
  void item(T (&items)[n]) {
    for (T& one : items) item(one);
  }
  template <class T>
  void item(std::atomic<T>& value) {
    T now = value.load();
    item(now);
    value.store(now);
  }
  template <class A, class B>
  void item(std::pair<A, B>& both) {
    item(both.first);
    item(both.second);
  }
  template <class... T>
  void item(std::tuple<T...>& all) {
    std::apply([this](T&... each) { (*this)(each...); }, all);
  }
  template <class T>
  void item(std::optional<T>& value) {
    bool there = value.has_value();
    plain(there);
    if (there != value.has_value()) there ? (void)value.emplace() : value.reset();
    if (there) item(*value);
  }
  /// One that is there in this run and was not, or the other way round, is made from nothing, or goes.
  template <class T>
  void item(std::unique_ptr<T>& value) {
    bool there = value != nullptr;
    plain(there);
    if (there != (value != nullptr)) {
      if constexpr (std::is_default_constructible_v<T>) {
        value = there ? std::make_unique<T>() : nullptr;
      } else {
        throw CheckpointError("a part of another configuration");
      }
    }
    if (there) item(*value);
  }
  template <class K, class V, class C>
  void item(std::map<K, V, C>& items) {
    keyed(items);
  }
  /// Saved by their keys' order. That of a walk may be another one afterwards: whoever walks them must not care.
  template <class K, class V, class H>
  void item(std::unordered_map<K, V, H>& items) {
    keyed(items);
  }
  template <class K, class C>
  void item(std::set<K, C>& items) {
    std::vector<K> keys(items.begin(), items.end());
    item(keys);
    items = std::set<K, C>(keys.begin(), keys.end());
  }

  template <class Items>
  void keyed(Items& items) {
    const std::size_t size = size_of(items.size(), 1);
    if (!restoring_) {
      std::vector<typename Items::value_type*> sorted;
      for (auto& one : items) sorted.push_back(&one);
      std::sort(sorted.begin(), sorted.end(), [](auto* a, auto* b) { return a->first < b->first; });
      for (auto* one : sorted) {
        auto copy = one->first;
        (*this)(copy, one->second);
      }
      return;
    }
    items.clear();
    for (std::size_t i = 0; i < size; ++i) {
      typename Items::key_type key{};
      item(key);
      item(items[key]);
    }
  }
  template <class Items>
  void grown(Items& items) {
    items.resize(size_of(items.size(), 1));
    for (auto& one : items) item(one);
  }
  template <class T>
  void plain(T& value) {
    raw(&value, sizeof(T));
    if (restoring_) look_at(value);
  }
  [[noreturn]] static void no_such(const char* thing, std::uint64_t value, std::uint64_t end);
  /// Of a container: what it is, or what it was if so many can still come.
  std::size_t size_of(std::size_t size, std::size_t least_bytes);
  void raw(void* memory, std::size_t bytes);
  void sparse(char* memory, std::size_t bytes);

  bool restoring_ = false;
  std::string saved_;
  std::string_view left_;
  std::uint64_t nodes_ = ~std::uint64_t{0}, routers_ = nodes_, packets_ = nodes_;
};

}  // namespace braid
