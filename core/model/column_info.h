// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace hw {

/// Bits of `overridden`: what the user changed by hand and a regeneration must keep.
namespace overridden {
inline constexpr std::uint32_t kName = 1, kPlace = 2, kRemoved = 4, kType = 8, kWiring = 16, kLength = 32, kMedium = 64, kLimit = 128;
}

/// What a column means to code that works on any table.
enum class ColumnRole : std::uint8_t {
    Value,      ///< an attribute that the template gives
    Key,        ///< by which a regeneration finds its rows again; empty: made by hand
    Name,       ///< the user's; unique among all named rows
    Overridden, ///< bits of `overridden`
    Parent,     ///< the row that holds this one. Of several the first that is set
    X,          ///< a place along the x axis of the row's frame: moved with it
    Y,
    ByHand, ///< only ever set by hand: a regeneration leaves it alone
};

/// What is known of a column, stated where it is declared and nowhere else.
struct ColumnTraits {
    ColumnRole role = ColumnRole::Value;
    std::uint32_t keptBy = 0;  ///< bit of `overridden` that keeps the user's value in a regeneration
    std::int32_t fallback = 0; ///< of new rows, and of files that lack the column (numbers, quantities, enums)
};

/// The traits that many columns share.
namespace column {
inline constexpr ColumnTraits kKey{.role = ColumnRole::Key};
inline constexpr ColumnTraits kName{.role = ColumnRole::Name, .keptBy = overridden::kName};
inline constexpr ColumnTraits kOverridden{.role = ColumnRole::Overridden};
inline constexpr ColumnTraits kParent{.role = ColumnRole::Parent};
inline constexpr ColumnTraits kPlacedIn{.role = ColumnRole::Parent, .keptBy = overridden::kPlace}; ///< a parent that an edit can change
inline constexpr ColumnTraits kX{.role = ColumnRole::X, .keptBy = overridden::kPlace};
inline constexpr ColumnTraits kY{.role = ColumnRole::Y, .keptBy = overridden::kPlace};
inline constexpr ColumnTraits kPlace{.keptBy = overridden::kPlace}; ///< another part of a place
inline constexpr ColumnTraits kType{.keptBy = overridden::kType};
inline constexpr ColumnTraits kLimit{.keptBy = overridden::kLimit};
inline constexpr ColumnTraits kByHand{.role = ColumnRole::ByHand};
} // namespace column

} // namespace hw
