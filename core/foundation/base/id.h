// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <compare>
#include <cstdint>
#include <functional>

namespace hw {

/// A typed row id of the document: small, explicit to make; no other row ever gets it, but an undo gives it back to its own.
/// Its value is the row's place in its table, so a look-up is an array access. `Tag` is the table.
/// Absence is `Maybe<RackId>` in columns and `std::optional<RackId>` elsewhere, never a special id.
template <class Tag>
struct Id {
    std::uint32_t value = 0;

    constexpr Id() = default;
    constexpr explicit Id(std::uint32_t v) : value(v) {}
    friend constexpr auto operator<=>(Id, Id) = default;
};

} // namespace hw

template <class Tag>
struct std::hash<hw::Id<Tag>> {
    std::size_t operator()(hw::Id<Tag> id) const noexcept { return std::hash<std::uint32_t>{}(id.value); }
};
