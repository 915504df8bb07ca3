// SPDX-License-Identifier: GPL-3.0-or-later
// Tags that an inventory has put on objects. Kept as settings of each tag: "tag.SLUG.name", ".color", ".on".
#pragma once

#include "core/foundation/model/snapshot.h"

#include <set>
#include <string>
#include <vector>

namespace hw {

struct ObjectTag {
    std::string slug, name;
    std::string color;      ///< "3b82f6"; empty: not stated
    std::set<EntityRef> on; ///< living rows
    friend bool operator==(const ObjectTag&, const ObjectTag&) = default;
};

/// All tags that something has, by slug.
[[nodiscard]] std::vector<ObjectTag> objectTags(const Snapshot& snapshot);
/// Names of the tags of one object, by slug.
[[nodiscard]] std::vector<std::string> tagNamesOf(const Snapshot& snapshot, EntityRef entity);
/// Writes a tag in place of the one of this slug; only what differs is written. On nothing: it is removed.
void putObjectTag(Snapshot& snapshot, const ObjectTag& tag);

/// "racks:3,7-12;devices:1": tables and ids. Broken pieces, and rows that do not live, are left out.
[[nodiscard]] std::string taggedText(const std::set<EntityRef>& on);
[[nodiscard]] std::set<EntityRef> readTagged(const Snapshot& snapshot, std::string_view text);

} // namespace hw
