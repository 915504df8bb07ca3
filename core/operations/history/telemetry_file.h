// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/storage/file_lock.h"
#include "core/foundation/storage/sqlite.h"
#include "core/operations/history/contents.h"

#include <filesystem>

namespace hw::history {

/// The file of the store, "x.telemetry": SQLite with an application id of its own, write-ahead log, 16 KiB pages. Form 1:
///   kept     raw_from_ms: earlier samples were thrown away, minutes may be there
///   channel  id, name, place (null: none of its samples is packed yet)
///   tail     seq, samples, data: what came since it was last packed, as it came (packLoose)
///   chunk    place, hour (since 1970), start, finish (ms), samples, data: samples of the channels of a place (packColumns)
///   minute   place, hour, data: means, least and most of minutes (packMinutes), one row for a place and an hour
/// A sample is in the tail or in a chunk, never in both: what is packed leaves the tail in the same transaction. Everything packed is in
/// `minute` too. Readers skip tables and columns that they do not know; a form that older readers would read wrongly gets a new number.
inline constexpr std::int64_t kApplicationId = 0x48575431; // "HWT1"
inline constexpr std::int64_t kForm = 1;

struct PackedChunk {
    PlaceId place = 0;
    std::int64_t hour = 0, startMs = 0, finishMs = 0;
    std::uint64_t samples = 0;
    std::string data, minutes;
};
struct Packed {
    std::vector<PackedChunk> chunks;
    std::vector<ChannelId> placed; ///< channels that got their place
    std::int64_t lastTail = 0;     ///< tail rows up to this one are in it
};

/// The writer's side of the file. Belongs to one thread at a time.
class TelemetryFile {
public:
    /// Opens or makes it and fills `contents`. Errors (Unreadable), the file as it was: open for writing elsewhere, foreign, of a newer form,
    /// cut short, damaged.
    [[nodiscard]] static Result<TelemetryFile> open(const std::filesystem::path& path, Contents& contents);

    /// Appends rows to the tail, with the names of channels `from` and later; gives the number of the last row.
    [[nodiscard]] Result<std::int64_t> append(std::span<const std::string> blocks, std::span<const std::uint64_t> samples, const Contents& contents,
                                              ChannelId from);
    [[nodiscard]] Result<std::string> minutes(PlaceId place, std::int64_t hour); ///< empty: none
    /// Everything but the commit.
    [[nodiscard]] Result<storage::SqlTransaction> write(const Packed& packed, const Contents& contents);
    /// Throws away samples before `rawFromMs` and minutes before `minutesFromMs` (whole hours); gives the number of samples.
    [[nodiscard]] Result<std::uint64_t> prune(std::int64_t rawFromMs, std::int64_t minutesFromMs);
    [[nodiscard]] Result<void> shrink(); ///< gives some of a lot of free room back to the disk
    [[nodiscard]] Result<bool> holds(ChannelId channel, PlaceId place, std::int64_t timeMs);
    [[nodiscard]] std::int64_t lastTail() const { return m_lastTail; }
    [[nodiscard]] const std::filesystem::path& path() const { return m_path; }
    [[nodiscard]] storage::Database& database() { return m_database; }
    [[nodiscard]] Result<void> close() { return m_database.close(); }

private:
    TelemetryFile(std::filesystem::path path, storage::FileLock lock) : m_path(std::move(path)), m_lock(std::move(lock)) {}
    [[nodiscard]] Result<void> make();
    [[nodiscard]] Result<void> load(Contents& contents);
    [[nodiscard]] Result<void> loadChannels(Contents& contents);
    [[nodiscard]] Result<void> loadRows(Contents& contents);
    [[nodiscard]] Result<void> loadTail(Contents& contents);
    [[nodiscard]] Error damaged() const;

    std::filesystem::path m_path;
    storage::FileLock m_lock;
    storage::Database m_database;
    std::int64_t m_lastTail = 0;
    std::unordered_map<std::int64_t, std::vector<Column>> m_unpacked; ///< chunks that late samples were looked for in
    std::size_t m_unpackedSamples = 0;
};

/// A second connection, for readers.
[[nodiscard]] Result<storage::Database> openToRead(const std::filesystem::path& path);
[[nodiscard]] Error damagedRow(const std::filesystem::path& path);

} // namespace hw::history
