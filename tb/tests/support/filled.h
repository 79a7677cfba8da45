// Which fields of a struct hold something when nobody has filled them.
#pragma once

#include <boost/pfr/core.hpp>
#include <cmath>
#include <cstddef>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "routing/base/ids.h"

namespace braid::test {

template <class T>
struct IsOptionalField : std::false_type {};
template <class T>
struct IsOptionalField<std::optional<T>> : std::true_type {};
template <class T, class = void>
struct IsContainerField : std::false_type {};
template <class T>
struct IsContainerField<T, std::void_t<decltype(std::declval<const T&>().empty())>> : std::true_type {};

/// Nothing is in it, as far as one can look into it from outside: no number but 0 or none at all, no item, no address.
template <class T>
bool holds_nothing(const T& value) {
  if constexpr (std::is_floating_point_v<T>) {
    return value == 0.0 || std::isnan(value);
  } else if constexpr (std::is_arithmetic_v<T>) {
    return value == T{0};
  } else if constexpr (std::is_enum_v<T>) {
    return value == static_cast<T>(0);
  } else if constexpr (std::is_pointer_v<T>) {
    return value == nullptr;
  } else if constexpr (IsOptionalField<T>::value) {
    return !value.has_value();
  } else if constexpr (IsContainerField<T>::value) {
    return value.empty();
  } else if constexpr (std::is_same_v<T, NodeId> || std::is_same_v<T, RouterId> || std::is_same_v<T, PortId>) {
    return value.value == 0;
  } else if constexpr (std::is_aggregate_v<T>) {
    bool all = true;
    boost::pfr::for_each_field(value, [&](const auto& field) { all = all && holds_nothing(field); });
    return all;
  } else {
    return true;
  }
}

/// The places of its fields, from 0, that hold something.
template <class T>
std::vector<std::size_t> filled_fields() {
  const T value{};
  std::vector<std::size_t> all;
  boost::pfr::for_each_field(value, [&](const auto& field, std::size_t i) {
    if (!holds_nothing(field)) all.push_back(i);
  });
  return all;
}

}  // namespace braid::test
