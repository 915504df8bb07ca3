// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/foundation/model/changeset.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <memory>

namespace hw {

namespace {

bool aliveIn(const ChunkBase* chunk, std::uint32_t i)
{
    return chunk && i < chunk->rows() && static_cast<const PlainChunk*>(chunk)->values<std::uint8_t>()[i] != 0;
}

using ChunkMasks = std::array<std::uint64_t, kChunkRows>;

/// Sets `bit` of the rows in which the two differ. Plain values are compared many rows at a time, for most edits change one.
void markDifferences(const ColumnBase& column, const ChunkBase* before, const ChunkBase* after, std::uint64_t bit, ChunkMasks& masks)
{
    const auto each = [&](std::size_t from, std::size_t to) {
        for (std::size_t row = from; row < to; ++row)
            if (!column.same(before, after, std::uint32_t(row))) masks[row] |= bit;
    };
    const auto *a = dynamic_cast<const PlainChunk*>(before), *b = dynamic_cast<const PlainChunk*>(after);
    if (!a || !b) return each(0, kChunkRows);
    constexpr std::size_t kTogether = 64;
    const std::size_t both = std::min(a->rows(), b->rows()) / kTogether * kTogether;
    for (std::size_t row = 0; row < both; row += kTogether)
        if (std::memcmp(a->row(row), b->row(row), kTogether * a->width()) != 0) each(row, row + kTogether);
    each(both, std::max(a->rows(), b->rows()));
}

} // namespace

bool ChangeSet::touchesTable(std::size_t table) const
{
    return std::any_of(chunks.begin(), chunks.end(), [&](const ChunkChange& c) { return c.table == table; });
}

bool ChangeSet::touchesColumn(std::size_t table, std::size_t column) const
{
    return std::any_of(chunks.begin(), chunks.end(), [&](const ChunkChange& c) { return c.table == table && c.column == column; });
}

std::size_t ChangeSet::columnNumber(const TableBase& table, const ColumnBase& column)
{
    const auto columns = table.columnList();
    return std::size_t(std::find(columns.begin(), columns.end(), &column) - columns.begin());
}

RowChanges ChangeSet::rows(std::size_t table) const
{
    RowChanges result;
    const auto columns = schemaSnapshot().tables()[table]->columnList(); // for their comparisons
    std::map<std::uint32_t, std::vector<const ChunkChange*>> byChunk;
    for (const auto& change : chunks)
        if (change.table == table) byChunk[change.chunk].push_back(&change);

    constexpr std::uint64_t kFlags = 1; // of column 0: whether the row exists
    auto masks = std::make_unique<ChunkMasks>();
    for (const auto& [chunk, changes] : byChunk) {
        masks->fill(0);
        const ChunkChange* flags = nullptr;
        for (const auto* change : changes) {
            if (change->column == 0) flags = change;
            markDifferences(*columns[change->column], change->before.get(), change->after.get(), std::uint64_t(1) << change->column, *masks);
        }
        for (std::uint32_t i = 0; i < kChunkRows; ++i) {
            const std::uint64_t mask = (*masks)[i];
            if (mask == 0) continue;
            const std::uint32_t row = (chunk << kChunkBits) + i;
            if (flags) {
                const bool was = aliveIn(flags->before.get(), i), is = aliveIn(flags->after.get(), i);
                if (was != is) {
                    (is ? result.inserted : result.erased).push_back(row);
                    continue;
                }
                if (!is) continue;
            }
            if ((mask & ~kFlags) != 0) result.updated.push_back({row, mask & ~kFlags});
        }
    }
    return result;
}

std::size_t ChangeSet::bytes() const
{
    std::size_t total = sizeof(*this) + chunks.capacity() * sizeof(ChunkChange);
    for (const auto& change : chunks) total += change.before ? change.before->bytes() : 0;
    return total;
}

ChangeSet ChangeSet::inverse() const
{
    ChangeSet result = *this;
    std::swap(result.revisionBefore, result.revisionAfter);
    std::swap(result.sizeBefore, result.sizeAfter);
    std::swap(result.nextIdBefore, result.nextIdAfter);
    for (auto& change : result.chunks) std::swap(change.before, change.after);
    return result;
}

ChangeSet difference(const Snapshot& before, const Snapshot& after, std::string name)
{
    ChangeSet result;
    result.name = std::move(name);
    result.revisionBefore = before.revision;
    result.revisionAfter = after.revision;
    const auto tablesA = before.tables(), tablesB = after.tables();
    for (std::size_t t = 0; t < tablesA.size(); ++t) {
        result.sizeBefore[t] = tablesA[t]->size();
        result.sizeAfter[t] = tablesB[t]->size();
        result.nextIdBefore[t] = tablesA[t]->nextId();
        result.nextIdAfter[t] = tablesB[t]->nextId();
        const auto a = tablesA[t]->columnList(), b = tablesB[t]->columnList();
        for (std::size_t c = 0; c < a.size(); ++c) {
            const std::uint32_t count = std::max(a[c]->chunkCount(), b[c]->chunkCount());
            for (std::uint32_t i = 0; i < count; ++i)
                if (a[c]->chunkIdentity(i) != b[c]->chunkIdentity(i))
                    result.chunks.push_back({std::uint16_t(t), std::uint16_t(c), i, a[c]->chunk(i), b[c]->chunk(i)});
        }
    }
    return result;
}

void apply(const ChangeSet& changes, Snapshot& snapshot)
{
    const auto tables = snapshot.tables();
    // From the last chunk to the first, so that columns that become shorter are cut chunk by chunk.
    for (auto change = changes.chunks.rbegin(); change != changes.chunks.rend(); ++change)
        tables[change->table]->columnList()[change->column]->putChunk(change->chunk, change->after);
    for (std::size_t t = 0; t < tables.size(); ++t) tables[t]->restoreCounters(changes.nextIdAfter[t], changes.sizeAfter[t]);
}

} // namespace hw
