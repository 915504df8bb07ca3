// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/foundation/model/fingerprint.h"

#include "core/foundation/base/hash.h"

#include <algorithm>
#include <array>
#include <map>

namespace hw {

namespace {

constexpr std::array<std::string_view, 4> kForPeople = {"name", "label", "color", "overridden"};

class Sum {
public:
    void add(std::string_view text) { m_value = hash64(text, hash64(std::to_string(text.size()), m_value)); }
    void add(std::uint64_t number) { m_value = hash64({reinterpret_cast<const char*>(&number), sizeof number}, m_value); }
    [[nodiscard]] std::uint64_t value() const { return m_value; }

private:
    std::uint64_t m_value = 0;
};

/// Rows of a chunk up to the last living one. What stands behind it is default values of rows that are gone.
std::uint32_t livingRows(const TableBase& table, std::uint32_t chunk)
{
    const std::uint32_t first = chunk << kChunkBits;
    std::uint32_t rows = std::min(kChunkRows, table.nextId() - first);
    while (rows > 0 && !table.alive(first + rows - 1)) --rows;
    return rows;
}

/// Of the first `rows` values of a chunk: what stands behind them must not matter.
std::uint64_t chunkHash(const ColumnBase& column, std::uint32_t index, std::uint32_t rows)
{
    if (const auto* texts = dynamic_cast<const ValueColumn<std::string>*>(&column)) {
        Sum sum;
        for (const auto& text : texts->chunkValues(index).first(rows)) sum.add(text);
        return sum.value();
    }
    const ChunkPtr chunk = column.chunk(index);
    std::string bytes; // every value as wide as the next
    column.encode(*chunk, bytes);
    return hash64(std::string_view(bytes).substr(0, bytes.size() / chunk->rows() * rows));
}

/// By key: the order in which settings were made says nothing.
void addSettings(Sum& sum, const Settings& settings)
{
    std::map<std::string_view, std::string_view> values;
    settings.forEach([&](SettingId id) { values[settings.key[id]] = settings.value[id]; });
    for (const auto& [key, value] : values) {
        if (key == "project.name") continue;
        sum.add(key);
        sum.add(value);
    }
}

} // namespace

std::uint64_t FingerprintCache::compute(const Snapshot& snapshot, const Snapshot* before, const std::vector<Hashes>& known,
                                        std::vector<Hashes>& found)
{
    Sum sum;
    addSettings(sum, snapshot.settings);
    const auto tables = snapshot.tables();
    const auto tablesBefore = before ? before->tables() : tables;
    std::size_t column = 0;
    for (std::size_t t = 0; t < tables.size(); ++t) {
        const TableBase& table = *tables[t];
        const auto columns = table.columnList(), columnsBefore = tablesBefore[t]->columnList();
        const std::size_t first = column;
        column += columns.size();
        found.resize(column);
        if (table.empty() || &table == &snapshot.settings || &table == &snapshot.waivers || &table == &snapshot.removals) continue;
        sum.add(table.name());
        for (std::uint32_t chunk = 0; (chunk << kChunkBits) < table.nextId(); ++chunk) {
            const std::uint32_t rows = livingRows(table, chunk);
            if (rows == 0) continue;
            const bool sameRows = before && chunk < columnsBefore.front()->chunkCount() && rows == livingRows(*tablesBefore[t], chunk);
            sum.add(chunk);
            sum.add(rows);
            for (std::size_t c = 0; c < columns.size(); ++c) {
                if (std::ranges::find(kForPeople, columns[c]->name()) != kForPeople.end()) continue;
                Hashes& hashes = found[first + c];
                hashes.resize(chunk + 1, 0);
                const bool same = sameRows && first + c < known.size() && chunk < known[first + c].size() &&
                                  columns[c]->chunkIdentity(chunk) == columnsBefore[c]->chunkIdentity(chunk);
                hashes[chunk] = same ? known[first + c][chunk] : chunkHash(*columns[c], chunk, rows);
                sum.add(columns[c]->name());
                sum.add(hashes[chunk]);
            }
        }
    }
    return sum.value();
}

std::uint64_t FingerprintCache::of(const SnapshotPtr& snapshot)
{
    if (snapshot == m_last) return m_lastValue;
    std::vector<Hashes> found;
    m_lastValue = compute(*snapshot, m_last.get(), m_known, found);
    m_known = std::move(found);
    m_last = snapshot;
    return m_lastValue;
}

std::uint64_t designFingerprint(const Snapshot& snapshot)
{
    std::vector<FingerprintCache::Hashes> found;
    return FingerprintCache::compute(snapshot, nullptr, {}, found);
}

std::string fingerprintText(std::uint64_t fingerprint)
{
    std::string text(16, '0');
    for (std::size_t i = text.size(); i-- > 0; fingerprint >>= 4) text[i] = "0123456789abcdef"[fingerprint & 15];
    return text;
}

} // namespace hw
