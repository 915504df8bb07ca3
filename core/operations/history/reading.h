// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/storage/sqlite.h"
#include "core/operations/history/contents.h"
#include "core/operations/history/store.h"

#include <map>

namespace hw::history {

/// Reads a store while it is written. Any thread, one at a time.
class Reading {
public:
    Reading(const Contents& contents, storage::Database database, std::filesystem::path path)
        : m_contents(contents), m_database(std::move(database)), m_path(std::move(path))
    {
    }
    [[nodiscard]] Result<std::vector<Series>> read(std::span<const std::string> names, std::int64_t fromMs, std::int64_t toMs, std::size_t most);
    [[nodiscard]] Result<std::vector<double>> at(std::span<const std::string> names, std::int64_t timeMs, std::int64_t maxAgeMs);

private:
    using Samples = std::unordered_map<ChannelId, std::vector<Held>>;
    using Minutes = std::unordered_map<ChannelId, std::vector<Minute>>;
    /// What is asked for, with what memory has of it; the file is held at the state that fits.
    struct View {
        std::vector<ChannelId> ids;                       ///< as asked for; 0: not known
        std::map<PlaceId, std::vector<ChannelId>> places; ///< ascending
        std::map<PlaceId, std::uint32_t> channels;        ///< of those places, all
        Samples memory;
        std::int64_t rawFromMs = 0, oldestMs = 0;
    };
    /// Ends the read transaction.
    class Hold;

    [[nodiscard]] Result<View> view(std::span<const std::string> names, std::int64_t fromMs, std::int64_t toMs);
    [[nodiscard]] Result<bool> inSteps(const View& view, std::int64_t fromMs, std::int64_t toMs, std::size_t most);
    [[nodiscard]] Result<std::vector<Series>> samples(View view, std::int64_t fromMs, std::int64_t toMs, std::size_t most);
    [[nodiscard]] Result<std::vector<Series>> steps(const View& view, std::int64_t fromMs, std::int64_t toMs, std::size_t most);
    [[nodiscard]] Result<Minutes> minutes(const View& view, std::int64_t fromMs, std::int64_t toMs);
    [[nodiscard]] Result<void> newest(PlaceId place, std::vector<ChannelId> wanted, std::int64_t fromMs, std::int64_t timeMs,
                                      std::unordered_map<ChannelId, Held>& found);

    const Contents& m_contents;
    std::mutex m_mutex;
    storage::Database m_database;
    std::filesystem::path m_path;
};

} // namespace hw::history
