// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/model/snapshot.h"

namespace hw {

/// What tells a generated link from all others of its lower device: rule, upper device, number among parallel ones.
struct LinkKey {
    std::uint32_t rule, to, ordinal;
    friend auto operator<=>(const LinkKey&, const LinkKey&) = default;
};
/// The same with the lower device, ids being mine.
struct WholeLinkKey {
    std::uint32_t from;
    LinkKey rest;
    friend auto operator<=>(const WholeLinkKey&, const WholeLinkKey&) = default;
};
/// A link that a regeneration adds.
struct AddedLink {
    WholeLinkKey key;
    LinkId link;
    friend auto operator<=>(const AddedLink&, const AddedLink&) = default;
};

/// Of links that a regeneration adds between devices that were there: those that the user disconnected, which `before`
/// lacks and `base`, generated with the same parameters, has. Keys are in ids of `before`.
[[nodiscard]] std::vector<LinkId> disconnectedLinks(const Snapshot& before, const Snapshot& base, std::vector<AddedLink> links);

} // namespace hw
