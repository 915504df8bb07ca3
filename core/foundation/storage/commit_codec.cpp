// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/foundation/storage/commit_codec.h"

#include "core/foundation/base/parallel.h"
#include "core/foundation/storage/bytes.h"
#include "core/foundation/storage/chunk_codec.h"

#include <utility>

namespace hw::storage {

namespace {

enum class Record : std::uint8_t { Gone = 0, Whole = 1, Rows = 2 };

std::string packRecord(const ChunkChange& change)
{
    const auto& column = *schemaSnapshot().tables()[change.table]->columnList()[change.column];
    const auto width = column.valueBytes();
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

bool readRecord(ByteReader& in, const FileSchema& schema, const Snapshot& snapshot, ChunkChange& change)
{
    const auto table = in.take<std::uint16_t>(), numberInFile = in.take<std::uint16_t>();
    change.chunk = in.take<std::uint32_t>();
    const auto kind = in.take<std::uint8_t>();
    if (!in.ok() || table >= schema.tables.size() || change.chunk >= (1u << 20)) return false;
    if (numberInFile >= schema.tables[table].columns.size()) return false;
    change.table = schema.tables[table].number;
    change.column = schema.tables[table].columns[numberInFile];
    const auto& column = *snapshot.tables()[change.table]->columnList()[change.column];
    const auto width = column.valueBytes();
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

std::string packCommit(const ChangeSet& changes)
{
    std::string out;
    put(out, std::uint16_t(Snapshot::kTables));
    for (std::size_t t = 0; t < Snapshot::kTables; ++t) {
        put(out, changes.nextIdAfter[t]);
        put(out, changes.sizeAfter[t]);
    }
    std::vector<std::string> records(changes.chunks.size());
    parallelFor(records.size(), {.block = kChunksAtATime}, [&](std::size_t i) { records[i] = packRecord(changes.chunks[i]); });
    put(out, std::uint32_t(records.size()));
    for (const auto& record : records) out += record;
    return out;
}

std::optional<ChangeSet> applyCommit(std::string_view bytes, const FileSchema& schema, Snapshot& snapshot)
{
    ByteReader in(bytes);
    ChangeSet changes;
    for (std::size_t t = 0; t < Snapshot::kTables; ++t) {
        changes.nextIdBefore[t] = changes.nextIdAfter[t] = std::as_const(snapshot).tables()[t]->nextId();
        changes.sizeBefore[t] = changes.sizeAfter[t] = std::as_const(snapshot).tables()[t]->size();
    }
    const auto tables = in.take<std::uint16_t>();
    if (tables > schema.tables.size()) return {};
    for (std::size_t t = 0; t < tables; ++t) {
        changes.nextIdAfter[schema.tables[t].number] = in.take<std::uint32_t>();
        changes.sizeAfter[schema.tables[t].number] = in.take<std::uint32_t>();
    }
    const auto count = in.take<std::uint32_t>();
    for (std::uint32_t i = 0; in.ok() && i < count; ++i)
        if (!readRecord(in, schema, snapshot, changes.chunks.emplace_back())) return {};
    if (!in.ok() || !in.atEnd()) return {};
    apply(changes, snapshot);
    schema.complete(snapshot);
    if (!withoutGaps(snapshot, changes)) return {};
    return changes;
}

} // namespace hw::storage
