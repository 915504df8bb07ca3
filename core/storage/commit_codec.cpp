// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/storage/commit_codec.h"

#include "core/storage/bytes.h"
#include "core/storage/chunk_codec.h"

namespace hw::storage {

namespace {

enum class Record : std::uint8_t { Gone = 0, Whole = 1, Rows = 2 };

std::string packRecord(const ChunkChange& change)
{
    const auto& column = *schemaSnapshot().tables()[change.table]->columnList()[change.column];
    const auto width = valueWidth(change.table, change.column);
    std::string out;
    put(out, change.table);
    put(out, change.column);
    put(out, change.chunk);
    if (!change.after) {
        put(out, std::uint8_t(Record::Gone));
        return out;
    }
    if (const auto delta = packDelta(column, change.before.get(), *change.after, width); !delta.empty()) {
        put(out, std::uint8_t(Record::Rows));
        putBytes(out, delta);
        return out;
    }
    const auto packed = packChunk(column, *change.after, width);
    put(out, std::uint8_t(Record::Whole));
    put(out, std::uint8_t(packed.codec));
    putBytes(out, packed.data);
    return out;
}

bool readRecord(ByteReader& in, const Snapshot& snapshot, ChunkChange& change)
{
    change.table = in.take<std::uint16_t>();
    change.column = in.take<std::uint16_t>();
    change.chunk = in.take<std::uint32_t>();
    const auto kind = in.take<std::uint8_t>();
    if (!in.ok() || change.table >= Snapshot::kTables || change.chunk >= (1u << 20)) return false;
    const auto columns = snapshot.tables()[change.table]->columnList();
    if (change.column >= columns.size()) return false;
    const auto& column = *columns[change.column];
    const auto width = valueWidth(change.table, change.column);
    change.before = column.chunk(change.chunk);
    switch (Record(kind)) {
    case Record::Gone: return change.before != nullptr;
    case Record::Whole: {
        const auto codec = Codec(in.take<std::uint8_t>());
        change.after = unpackChunk(column, codec, in.takeSized(), width);
        return in.ok() && change.after;
    }
    case Record::Rows:
        if (!change.before) return false;
        change.after = unpackDelta(column, *change.before, in.takeSized(), width);
        return in.ok() && change.after;
    }
    return false;
}

bool withoutGaps(const Snapshot& snapshot, const ChangeSet& changes)
{
    for (const auto& change : changes.chunks) {
        const auto& column = *snapshot.tables()[change.table]->columnList()[change.column];
        for (std::uint32_t i = 0; i < column.chunkCount(); ++i)
            if (!column.chunkIdentity(i)) return false;
    }
    return true;
}

} // namespace

const Snapshot& schemaSnapshot()
{
    static const Snapshot empty;
    return empty;
}

std::string packCommit(const ChangeSet& changes)
{
    std::string out;
    put(out, std::uint16_t(Snapshot::kTables));
    for (std::size_t t = 0; t < Snapshot::kTables; ++t) {
        put(out, changes.nextId[t]);
        put(out, changes.sizeAfter[t]);
    }
    std::vector<std::string> records(changes.chunks.size());
    inParallel(records.size(), [&](std::size_t i) { records[i] = packRecord(changes.chunks[i]); });
    put(out, std::uint32_t(records.size()));
    for (const auto& record : records) out += record;
    return out;
}

bool applyCommit(std::string_view bytes, Snapshot& snapshot)
{
    ByteReader in(bytes);
    ChangeSet changes;
    const auto tables = in.take<std::uint16_t>();
    if (tables > Snapshot::kTables) return false;
    for (std::size_t t = 0; t < tables; ++t) {
        changes.nextId[t] = in.take<std::uint32_t>();
        changes.sizeAfter[t] = in.take<std::uint32_t>();
    }
    const auto count = in.take<std::uint32_t>();
    for (std::uint32_t i = 0; in.ok() && i < count; ++i)
        if (!readRecord(in, snapshot, changes.chunks.emplace_back())) return false;
    if (!in.ok() || !in.atEnd()) return false;
    apply(changes, snapshot);
    return withoutGaps(snapshot, changes);
}

} // namespace hw::storage
