// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/history/telemetry_file.h"

#include <array>
#include <cstring>
#include <fstream>

#include <sqlite3.h>

namespace hw::history {

using storage::Database;
using storage::FileLock;
using storage::SqlTransaction;

namespace {

constexpr std::size_t kMostUnpacked = 4'000'000; ///< samples

std::uint32_t bigEndian(std::string_view bytes, std::size_t at)
{
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < 4; ++i) value = value << 8 | std::uint8_t(bytes[at + i]);
    return value;
}

/// What the first bytes say (SQLite's file format, section 1.3), before SQLite touches the file; an empty one may become a store.
Result<void> checkHeader(const std::filesystem::path& path)
{
    std::error_code none;
    const auto size = std::filesystem::file_size(path, none);
    if (none || size == 0) return {};
    std::string header(100, '\0');
    std::ifstream(path, std::ios::binary).read(header.data(), std::streamsize(header.size()));
    const Text other = i18n("choose another file, or move this one");
    if (!header.starts_with("SQLite format 3") || bigEndian(header, 68) != kApplicationId) // no text
        return fail(ErrorCode::Unreadable, path.string(), i18n("not a Hallwright telemetry store"), other);
    if (bigEndian(header, 60) > kForm)
        return fail(ErrorCode::Unreadable, path.string(), i18n("written by a newer version (format {})", bigEndian(header, 60)),
                    i18n("use that version"));
    const std::uint64_t page = bigEndian(header, 14) & 0xFFFF, pageSize = page == 1 ? 65536 : page;
    if (size < bigEndian(header, 28) * pageSize && !std::filesystem::exists(path.string() + "-wal"))
        return fail(ErrorCode::Unreadable, path.string(), i18n("truncated"), i18n("restore a backup, or move this file away"));
    return {};
}

} // namespace

Error damagedRow(const std::filesystem::path& path)
{
    return {ErrorCode::Unreadable, path.string(), i18n("damaged block of samples"), i18n("restore a backup, or move this file away")};
}

Error TelemetryFile::damaged() const { return damagedRow(m_path); }

Result<Database> openToRead(const std::filesystem::path& path)
{
    auto database = Database::open(path.string(), false);
    if (!database) return database;
    if (auto done = database->run("PRAGMA query_only = 1; PRAGMA cache_size = -16384; PRAGMA busy_timeout = 2000"); !done) // no text
        return tl::unexpected(done.error());
    return database;
}

Result<TelemetryFile> TelemetryFile::open(const std::filesystem::path& path, Contents& contents)
{
    if (!std::filesystem::exists(path)) std::ofstream(path, std::ios::app);
    auto lock = FileLock::acquire(path);
    if (!lock) return tl::unexpected(lock.error());
    if (auto good = checkHeader(path); !good) return tl::unexpected(good.error());
    TelemetryFile file(path, std::move(*lock));
    auto database = Database::open(path.string(), false);
    if (!database) return tl::unexpected(database.error());
    file.m_database = std::move(*database);
    sqlite3* const handle = file.m_database.handle();
    sqlite3_db_config(handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);           // until it is known to be good
    const auto tables = file.m_database.integer("SELECT count(*) FROM sqlite_master"); // no text
    if (!tables) return tl::unexpected(tables.error());
    if (*tables == 0)
        if (auto made = file.make(); !made) return tl::unexpected(made.error());
    if (auto loaded = file.load(contents); !loaded) return tl::unexpected(loaded.error());
    sqlite3_db_config(handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 0, nullptr);
    // Written at once, and to the disk when the log is folded in: what is committed outlives the program, and power that fails leaves a sound file.
    if (auto set = file.m_database.run(
            "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 0; PRAGMA journal_size_limit = 8388608;" // no text
            "PRAGMA busy_timeout = 2000; PRAGMA cache_size = -8192");
        !set)
        return tl::unexpected(set.error());
    return file;
}

Result<void> TelemetryFile::make()
{
    return m_database.run("PRAGMA page_size = 16384; PRAGMA auto_vacuum = INCREMENTAL; BEGIN IMMEDIATE;" // no text
                          "CREATE TABLE kept (raw_from_ms INTEGER NOT NULL); INSERT INTO kept VALUES (0);"
                          "CREATE TABLE channel (id INTEGER PRIMARY KEY, name TEXT NOT NULL, place INTEGER);"
                          "CREATE TABLE tail (seq INTEGER PRIMARY KEY, samples INTEGER NOT NULL, data BLOB NOT NULL);"
                          "CREATE TABLE chunk (id INTEGER PRIMARY KEY, place INTEGER NOT NULL, hour INTEGER NOT NULL, start INTEGER NOT NULL,"
                          " finish INTEGER NOT NULL, samples INTEGER NOT NULL, data BLOB NOT NULL);"
                          "CREATE INDEX chunk_place ON chunk (place, hour, start, finish, samples);"
                          "CREATE INDEX chunk_hour ON chunk (hour, samples);"
                          "CREATE TABLE minute (place INTEGER NOT NULL, hour INTEGER NOT NULL, data BLOB NOT NULL, UNIQUE (place, hour));"
                          "CREATE INDEX minute_hour ON minute (hour);"
                          "PRAGMA application_id = " +
                          std::to_string(kApplicationId) + "; PRAGMA user_version = " + std::to_string(kForm) + "; COMMIT"); // no text
}

Result<void> TelemetryFile::load(Contents& contents)
{
    const auto rawFrom = m_database.integer("SELECT raw_from_ms FROM kept"); // no text
    if (!rawFrom) return tl::unexpected(rawFrom.error());
    contents.rawFromMs = *rawFrom;
    if (auto done = loadChannels(contents); !done) return done;
    if (auto done = loadRows(contents); !done) return done;
    return loadTail(contents);
}

Result<void> TelemetryFile::loadChannels(Contents& contents)
{
    auto rows = m_database.prepare("SELECT id, name, place FROM channel ORDER BY id");
    if (!rows) return tl::unexpected(rows.error());
    for (;;) {
        const auto more = rows->step();
        if (!more) return tl::unexpected(more.error());
        if (!*more) return {};
        const ChannelId id = contents.add(std::string(rows->text(1)));
        if (rows->integer(0) != id || contents.ids.size() != contents.names.size()) return tl::unexpected(damaged());
        if (rows->integer(2) != 0) contents.hasPlace(id, rows->integer(2));
    }
}

Result<void> TelemetryFile::loadRows(Contents& contents)
{
    auto rows = m_database.prepare("SELECT place, hour, min(start), max(finish), sum(samples) FROM chunk GROUP BY place, hour");
    if (!rows) return tl::unexpected(rows.error());
    for (;;) {
        const auto more = rows->step();
        if (!more) return tl::unexpected(more.error());
        if (!*more) return {};
        contents.finish[{rows->integer(0), rows->integer(1)}] = rows->integer(3);
        contents.oldestMs = contents.samples == 0 ? rows->integer(2) : std::min(contents.oldestMs, rows->integer(2));
        contents.newestMs = std::max(contents.newestMs, rows->integer(3));
        contents.samples += std::uint64_t(rows->integer(4));
    }
}

Result<void> TelemetryFile::loadTail(Contents& contents)
{
    auto rows = m_database.prepare("SELECT seq, data FROM tail ORDER BY seq");
    if (!rows) return tl::unexpected(rows.error());
    for (;;) {
        const auto more = rows->step();
        if (!more) return tl::unexpected(more.error());
        if (!*more) return {};
        m_lastTail = rows->integer(0);
        const auto samples = unpackLoose(rows->blob(1));
        if (!samples) return tl::unexpected(damaged());
        for (const auto& sample : *samples) {
            if (sample.channel == 0 || sample.channel >= contents.channels.size()) return tl::unexpected(damaged());
            const std::int64_t at = sample.held.timeMs();
            contents.oldestMs = contents.samples == 0 ? at : std::min(contents.oldestMs, at);
            contents.newestMs = std::max(contents.newestMs, at);
            contents.active.add(sample.channel, sample.held);
            ++contents.samples;
        }
    }
}

Result<std::int64_t> TelemetryFile::append(std::span<const std::string> blocks, std::span<const std::uint64_t> samples, const Contents& contents,
                                           ChannelId from)
{
    auto transaction = SqlTransaction::begin(m_database);
    if (!transaction) return tl::unexpected(transaction.error());
    auto name = m_database.prepare("INSERT INTO channel (id, name) VALUES (?, ?)");
    if (!name) return tl::unexpected(name.error());
    for (ChannelId id = from; id <= contents.names.size(); ++id)
        if (auto done = name->bind(1, std::int64_t(id)).bind(2, std::string_view(contents.names[id - 1])).step(); !done)
            return tl::unexpected(done.error());
    auto row = m_database.prepare("INSERT INTO tail (seq, samples, data) VALUES (?, ?, ?)");
    if (!row) return tl::unexpected(row.error());
    for (std::size_t i = 0; i < blocks.size(); ++i)
        if (auto done = row->bind(1, m_lastTail + std::int64_t(i) + 1).bind(2, std::int64_t(samples[i])).bindBlob(3, blocks[i]).step(); !done)
            return tl::unexpected(done.error());
    if (auto done = transaction->commit(); !done) return tl::unexpected(done.error());
    return m_lastTail += std::int64_t(blocks.size());
}

Result<std::string> TelemetryFile::minutes(PlaceId place, std::int64_t hour)
{
    auto row = m_database.prepare("SELECT data FROM minute WHERE place = ? AND hour = ?");
    if (!row) return tl::unexpected(row.error());
    const auto found = row->bind(1, place).bind(2, hour).step();
    if (!found) return tl::unexpected(found.error());
    return *found ? std::string(row->blob(0)) : std::string();
}

Result<SqlTransaction> TelemetryFile::write(const Packed& packed, const Contents& contents)
{
    auto transaction = SqlTransaction::begin(m_database);
    if (!transaction) return transaction;
    auto placed = m_database.prepare("UPDATE channel SET place = ? WHERE id = ?");
    if (!placed) return tl::unexpected(placed.error());
    for (const auto id : packed.placed)
        if (auto done = placed->bind(1, contents.channels[id].place).bind(2, std::int64_t(id)).step(); !done) return tl::unexpected(done.error());
    auto chunk = m_database.prepare("INSERT INTO chunk (place, hour, start, finish, samples, data) VALUES (?, ?, ?, ?, ?, ?)");
    if (!chunk) return tl::unexpected(chunk.error());
    auto minute = m_database.prepare("INSERT OR REPLACE INTO minute (place, hour, data) VALUES (?, ?, ?)");
    if (!minute) return tl::unexpected(minute.error());
    for (const auto& one : packed.chunks) {
        chunk->bind(1, one.place).bind(2, one.hour).bind(3, one.startMs).bind(4, one.finishMs).bind(5, std::int64_t(one.samples));
        if (auto done = chunk->bindBlob(6, one.data).step(); !done) return tl::unexpected(done.error());
        if (auto done = minute->bind(1, one.place).bind(2, one.hour).bindBlob(3, one.minutes).step(); !done) return tl::unexpected(done.error());
    }
    auto tail = m_database.prepare("DELETE FROM tail WHERE seq <= ?");
    if (!tail) return tl::unexpected(tail.error());
    if (auto done = tail->bind(1, packed.lastTail).step(); !done) return tl::unexpected(done.error());
    return transaction;
}

Result<std::uint64_t> TelemetryFile::prune(std::int64_t rawFromMs, std::int64_t minutesFromMs)
{
    auto transaction = SqlTransaction::begin(m_database);
    if (!transaction) return tl::unexpected(transaction.error());
    const std::string hour = std::to_string(rawFromMs / kHour);
    const auto samples = m_database.integer("SELECT sum(samples) FROM chunk WHERE hour < " + hour); // no text
    if (!samples) return tl::unexpected(samples.error());
    auto done = m_database.run("DELETE FROM chunk WHERE hour < " + hour + "; DELETE FROM minute WHERE hour < " +                        // no text
                               std::to_string(minutesFromMs / kHour) + "; UPDATE kept SET raw_from_ms = " + std::to_string(rawFromMs)); // no text
    if (!done) return tl::unexpected(done.error());
    if (auto committed = transaction->commit(); !committed) return tl::unexpected(committed.error());
    m_unpacked.clear(); // numbers of rows may be used again
    m_unpackedSamples = 0;
    return std::uint64_t(*samples);
}

Result<void> TelemetryFile::shrink()
{
    const auto free = m_database.integer("PRAGMA freelist_count"), pages = m_database.integer("PRAGMA page_count"); // no text
    if (!free || !pages || *free < 1024 || *free * 4 < *pages) return {};
    return m_database.run("PRAGMA incremental_vacuum(16384)"); // no text
}

Result<bool> TelemetryFile::holds(ChannelId channel, PlaceId place, std::int64_t timeMs)
{
    auto rows = m_database.prepare("SELECT id FROM chunk WHERE place = ? AND hour = ? AND start <= ? AND finish >= ?");
    if (!rows) return tl::unexpected(rows.error());
    rows->bind(1, place).bind(2, timeMs / kHour).bind(3, timeMs).bind(4, timeMs);
    for (;;) {
        const auto more = rows->step();
        if (!more) return tl::unexpected(more.error());
        if (!*more) return false;
        const std::int64_t id = rows->integer(0);
        auto known = m_unpacked.find(id);
        if (known == m_unpacked.end()) {
            auto row = m_database.prepare("SELECT data FROM chunk WHERE id = ?");
            if (!row) return tl::unexpected(row.error());
            if (auto read = row->bind(1, id).step(); !read) return tl::unexpected(read.error());
            auto columns = unpackColumns(row->blob(0));
            if (!columns) return tl::unexpected(damaged());
            if (m_unpackedSamples > kMostUnpacked) m_unpacked.clear(), m_unpackedSamples = 0;
            for (const auto& column : *columns) m_unpackedSamples += column.held.size();
            known = m_unpacked.emplace(id, std::move(*columns)).first;
        }
        const auto column = std::ranges::lower_bound(known->second, channel, {}, &Column::channel);
        if (column == known->second.end() || column->channel != channel) continue;
        const auto held = std::ranges::lower_bound(column->held, timeMs, {}, &Held::timeMs);
        if (held != column->held.end() && held->timeMs() == timeMs) return true;
    }
}

} // namespace hw::history
