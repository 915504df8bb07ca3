// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/output/exchange/design_stamp.h"

#include <charconv>
#include <cstdlib>
#include <cstring>
#include <ctime>

#include <fmt/chrono.h>

namespace hw {

std::string today()
{
    std::time_t time = std::time(nullptr);
    if (const char* fixed = std::getenv("SOURCE_DATE_EPOCH")) (void)std::from_chars(fixed, fixed + std::strlen(fixed), time);
    return fmt::format("{:%Y-%m-%d}", fmt::gmtime(time));
}

DesignStamp DesignStamp::of(const Snapshot& s) { return {s.setting("project.name"), s.revision, today()}; }

Text DesignStamp::text() const
{
    return project.empty() ? i18n("revision {}, {}", revision, date) : i18n("{}, revision {}, {}", project, revision, date);
}

} // namespace hw
