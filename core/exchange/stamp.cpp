// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/stamp.h"

#include <charconv>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <optional>

#include <fmt/format.h>
#include <sys/stat.h>

namespace hw {
namespace {

std::optional<std::int64_t> statedSeconds()
{
    const char* stated = std::getenv("SOURCE_DATE_EPOCH");
    if (!stated) return std::nullopt;
    std::int64_t seconds = 0;
    const char* end = stated + std::strlen(stated);
    const auto [at, error] = std::from_chars(stated, end, seconds);
    if (error != std::errc() || at != end) return std::nullopt;
    return seconds;
}

std::int64_t secondsOf(const std::filesystem::path& file)
{
    struct stat state {};
    if (!file.empty() && stat(file.c_str(), &state) == 0) return state.st_mtime;
    return std::chrono::duration_cast<std::chrono::seconds>(std::chrono::system_clock::now().time_since_epoch()).count();
}

} // namespace

std::string Stamp::date() const
{
    const std::time_t time = seconds;
    std::tm parts{};
    gmtime_r(&time, &parts);
    return fmt::format("{:04}-{:02}-{:02}", parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday);
}

Stamp stampOf(const Snapshot& snapshot, const std::filesystem::path& file)
{
    const auto stated = statedSeconds();
    return {snapshot.setting("project.name"), snapshot.revision, stated ? *stated : secondsOf(file)};
}

Text stampText(const Stamp& stamp)
{
    if (stamp.project.empty()) return i18n("revision {} · {}", stamp.revision, stamp.date());
    return i18n("{} · revision {} · {}", stamp.project, stamp.revision, stamp.date());
}

} // namespace hw
