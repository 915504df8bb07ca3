// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/text.h"
#include "core/model/snapshot.h"

#include <cstdint>
#include <filesystem>
#include <string>

namespace hw {

/// What every drawing and report carries, so that a print can be told from an older one.
struct Stamp {
    std::string project;
    std::uint64_t revision = 0;
    std::int64_t seconds = 0;               ///< since 1970, UTC
    [[nodiscard]] std::string date() const; ///< ISO 8601: 2026-11-23
    friend bool operator==(const Stamp&, const Stamp&) = default;
};

/// The date is SOURCE_DATE_EPOCH where that is set (so that builds can be repeated), else that of the last change of `file`, else now.
[[nodiscard]] Stamp stampOf(const Snapshot& snapshot, const std::filesystem::path& file = {});
/// "HPN pod · revision 12 · 2026-11-23".
[[nodiscard]] Text stampText(const Stamp& stamp);

} // namespace hw
