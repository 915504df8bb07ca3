// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace hw {

/// Bits of `overridden`: what the user changed by hand and a regeneration must keep.
namespace overridden {
inline constexpr std::uint32_t kName = 1, kPlace = 2, kRemoved = 4, kType = 8, kWiring = 16, kLength = 32, kMedium = 64, kLimit = 128, kValues = 256,
                               kSize = 512;
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
    Group,  ///< a row that lists this one besides its parent
    ByHand, ///< only ever set by hand: a regeneration leaves it alone
};

/// What is known of a column, stated where it is declared and nowhere else.
struct ColumnTraits {
    ColumnRole role = ColumnRole::Value;
    std::uint32_t keptBy = 0;         ///< bit of `overridden` that keeps the user's value in a regeneration
    std::int32_t fallback = 0;        ///< of new rows, and of files that lack the column (numbers, quantities, enums)
    std::int64_t least = 0, most = 0; ///< what a person may set a number to, in the column's unit; both 0: anything that it can hold
    std::int32_t step = 1;            ///< a multiple of this
    bool fixed = false;               ///< no person sets it: it follows from other edits
    std::int8_t listed = 0;           ///< rows of one parent are listed by this column: 1 upwards, -1 downwards
};

/// The traits that many columns share.
namespace column {
inline constexpr std::int64_t kFarthest = 100'000'000, kLargest = 10'000'000; ///< mm: 100 km from an origin, 10 km across
inline constexpr ColumnTraits kKey{.role = ColumnRole::Key, .fixed = true};
inline constexpr ColumnTraits kName{.role = ColumnRole::Name, .keptBy = overridden::kName};
inline constexpr ColumnTraits kOverridden{.role = ColumnRole::Overridden, .fixed = true};
inline constexpr ColumnTraits kFixed{.fixed = true};
inline constexpr ColumnTraits kParent{.role = ColumnRole::Parent, .fixed = true};
inline constexpr ColumnTraits kPlacedIn{.role = ColumnRole::Parent, .keptBy = overridden::kPlace}; ///< a parent that an edit can change
inline constexpr ColumnTraits kX{.role = ColumnRole::X, .keptBy = overridden::kPlace, .least = -kFarthest, .most = kFarthest};
inline constexpr ColumnTraits kY{.role = ColumnRole::Y, .keptBy = overridden::kPlace, .least = -kFarthest, .most = kFarthest};
inline constexpr ColumnTraits kPlace{.keptBy = overridden::kPlace, .least = -kFarthest, .most = kFarthest}; ///< another part of a place
inline constexpr ColumnTraits kChosenPlace{.keptBy = overridden::kPlace};                                   ///< a part of a place that has words
inline constexpr ColumnTraits kAngle{.keptBy = overridden::kPlace, .least = 0, .most = 270, .step = 90};
inline constexpr ColumnTraits kUnit{.keptBy = overridden::kPlace, .fixed = true}; ///< a rack unit: `place` sets it
inline constexpr ColumnTraits kSize{.keptBy = overridden::kSize, .least = 1, .most = kLargest};
inline constexpr ColumnTraits kType{.keptBy = overridden::kType, .fixed = true};                               ///< `retype` sets it
inline constexpr ColumnTraits kLimit{.keptBy = overridden::kLimit, .least = 0, .most = 1'000'000'000'000'000}; ///< mW: 1 TW
inline constexpr ColumnTraits kByHand{.role = ColumnRole::ByHand};
/// An attribute that the template gives and a person may change, in a range if it is a number.
constexpr ColumnTraits value(std::int64_t least = 0, std::int64_t most = 0) { return {.keptBy = overridden::kValues, .least = least, .most = most}; }
inline constexpr ColumnTraits kGroup{.role = ColumnRole::Group, .fixed = true};
/// The same column, by which rows of one parent are listed: 1 upwards, -1 downwards.
constexpr ColumnTraits listedBy(ColumnTraits traits, std::int8_t direction)
{
    traits.listed = direction;
    return traits;
}
} // namespace column

} // namespace hw
