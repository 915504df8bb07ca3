// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/foundation/model/snapshot.h"

#include "core/foundation/base/spelling.h"

#include <algorithm>

namespace hw {

namespace {

std::optional<SettingId> findSetting(const Settings& settings, std::string_view key)
{
    return inEitherSpelling(key, [&](std::string_view one) {
        std::optional<SettingId> found;
        settings.forEach([&](SettingId id) {
            if (settings.key[id] == one) found = id;
        });
        return found;
    });
}

bool sameTable(const TableBase& a, const TableBase& b)
{
    if (a.size() != b.size()) return false;
    const auto columnsA = a.columnList(), columnsB = b.columnList();
    const std::uint32_t rows = std::max(a.nextId(), b.nextId());
    for (std::uint32_t chunk = 0; (chunk << kChunkBits) < rows; ++chunk) {
        for (std::size_t c = 0; c < columnsA.size(); ++c) {
            if (columnsA[c]->chunkIdentity(chunk) == columnsB[c]->chunkIdentity(chunk)) continue;
            const auto x = columnsA[c]->chunk(chunk), y = columnsB[c]->chunk(chunk);
            for (std::uint32_t i = 0; i < kChunkRows; ++i) {
                const std::uint32_t row = (chunk << kChunkBits) + i;
                if (a.alive(row) != b.alive(row)) return false;
                if (a.alive(row) && !columnsA[c]->same(x.get(), y.get(), i)) return false;
            }
        }
    }
    return true;
}

} // namespace

std::string Snapshot::setting(std::string_view key, std::string_view fallback) const
{
    const auto id = findSetting(settings, key);
    return id ? settings.value[*id] : std::string(fallback);
}

void Snapshot::putSetting(std::string_view key, std::string_view value)
{
    auto id = findSetting(settings, key);
    if (!id) {
        id = settings.insert();
        settings.key.set(*id, std::string(key));
    } else if (settings.value[*id] == value) {
        return;
    }
    settings.value.set(*id, std::string(value));
}

const Snapshot& schemaSnapshot()
{
    static const Snapshot empty;
    return empty;
}

bool sameContent(const Snapshot& a, const Snapshot& b)
{
    const auto tablesA = a.tables(), tablesB = b.tables();
    return std::equal(tablesA.begin(), tablesA.end(), tablesB.begin(), [](const TableBase* x, const TableBase* y) { return sameTable(*x, *y); });
}

} // namespace hw
