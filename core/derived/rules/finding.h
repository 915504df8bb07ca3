// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/figures/power.h"
#include "core/foundation/catalog/entity.h"

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace hw {

enum class Severity : std::uint8_t { Error, Warning, Info };
[[nodiscard]] std::string_view severityName(Severity severity); ///< "error", "warning", "info"

/// What a rule has to say about the design. Data; made again by every check.
struct Finding {
    std::string rule{}; ///< id of shared rule list: N1, P15 …
    Severity severity = Severity::Error;
    Text message{};                    ///< one sentence for people, with names, numbers and units
    std::vector<EntityRef> entities{}; ///< what it is about, most important first
    std::string id{};                  ///< fingerprint: the same in every run as long as the subject is the same
    bool waived = false;
    std::string reason{}; ///< of the waiver
    friend bool operator==(const Finding&, const Finding&) = default;
};

/// The fingerprint of a finding, `RULE@subject|subject`. Subjects are entity keys (or a name where
/// there is no key), so it survives renames, moves, new ids and other findings coming and going.
/// Blanks become '_', so that it can be copied as one word.
[[nodiscard]] std::string findingId(std::string_view rule, std::initializer_list<std::string_view> subjects);

/// Marks a group of entities inside a fingerprint: `#` and six hexadecimal digits of their keys, whatever the
/// order. A waiver of a group so lapses as soon as the group grows, shrinks or changes.
[[nodiscard]] std::string groupMark(std::vector<std::string> keys);

/// The key of a device or rack for `groupMark`; a row made by hand has none and gives "#ID".
[[nodiscard]] std::string keyOrId(const std::string& key, std::uint32_t id);

/// Stable text for an entity inside a fingerprint: its key, its name without one; a port is
/// "DEVICE-KEY:PORT", a link its two ports.
[[nodiscard]] std::string subjectOf(const Snapshot& snapshot, const ProjectParts& parts, EntityRef entity);

} // namespace hw
