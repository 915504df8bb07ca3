// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/foundation/storage/chunk_codec.h"

#include "core/foundation/storage/bytes.h"

#include <cstring>
#include <zstd.h>

namespace hw::storage {

namespace {

constexpr int kZstdLevel = 1;
constexpr std::size_t kMaxRawBytes = std::size_t(1) << 30;

struct ZstdContexts {
    ZSTD_CCtx* compress = ZSTD_createCCtx();
    ZSTD_DCtx* decompress = ZSTD_createDCtx();
    ~ZstdContexts()
    {
        ZSTD_freeCCtx(compress);
        ZSTD_freeDCtx(decompress);
    }
};

ZstdContexts& contexts()
{
    thread_local ZstdContexts own;
    return own;
}

std::string compress(std::string_view raw)
{
    std::string out(ZSTD_compressBound(raw.size()), '\0');
    const auto size = ZSTD_compressCCtx(contexts().compress, out.data(), out.size(), raw.data(), raw.size(), kZstdLevel);
    out.resize(ZSTD_isError(size) ? 0 : size);
    return out;
}

bool decompress(std::string_view data, std::string& raw)
{
    const auto size = ZSTD_getFrameContentSize(data.data(), data.size());
    if (size == ZSTD_CONTENTSIZE_UNKNOWN || size == ZSTD_CONTENTSIZE_ERROR || size > kMaxRawBytes) return false;
    raw.resize(size);
    return ZSTD_decompressDCtx(contexts().decompress, raw.data(), raw.size(), data.data(), data.size()) == size;
}

/// Differences of consecutive values, then all lowest bytes, all second bytes …: ids that count up,
/// which most columns are, shrink to almost nothing.
template <class U>
void toPlanes(const std::string& raw, std::string& planes)
{
    const std::size_t rows = raw.size() / sizeof(U);
    planes.resize(raw.size());
    U last = 0;
    for (std::size_t i = 0; i < rows; ++i) {
        U value;
        std::memcpy(&value, raw.data() + i * sizeof(U), sizeof(U));
        const U difference = U(value - last);
        last = value;
        for (std::size_t b = 0; b < sizeof(U); ++b) planes[b * rows + i] = char(difference >> (8 * b));
    }
}

template <class U>
void fromPlanes(const std::string& planes, std::string& raw)
{
    const std::size_t rows = planes.size() / sizeof(U);
    raw.resize(planes.size());
    U last = 0;
    for (std::size_t i = 0; i < rows; ++i) {
        U difference = 0;
        for (std::size_t b = 0; b < sizeof(U); ++b) difference = U(difference | U(U(static_cast<unsigned char>(planes[b * rows + i])) << (8 * b)));
        last = U(last + difference);
        std::memcpy(raw.data() + i * sizeof(U), &last, sizeof(U));
    }
}

void toPlanes(const std::string& raw, std::string& planes, std::size_t width)
{
    if (width == 2)
        toPlanes<std::uint16_t>(raw, planes);
    else if (width == 4)
        toPlanes<std::uint32_t>(raw, planes);
    else
        toPlanes<std::uint64_t>(raw, planes);
}

void fromPlanes(const std::string& planes, std::string& raw, std::size_t width)
{
    if (width == 2)
        fromPlanes<std::uint16_t>(planes, raw);
    else if (width == 4)
        fromPlanes<std::uint32_t>(planes, raw);
    else
        fromPlanes<std::uint64_t>(planes, raw);
}

bool hasPlanes(std::size_t width) { return width == 2 || width == 4 || width == 8; }

/// Where each value of a chunk's encoded text starts; one more entry for the end.
std::vector<std::size_t> textOffsets(std::string_view raw)
{
    std::vector<std::size_t> offsets{0};
    for (std::size_t at = 0; at + 4 <= raw.size();) {
        std::uint32_t size = 0;
        std::memcpy(&size, raw.data() + at, sizeof size);
        at += 4 + std::size_t(size);
        offsets.push_back(at);
    }
    return offsets;
}

/// Values of `raw` with those of the delta in their places, `rows` in all.
bool patchText(const std::string& raw, ByteReader& delta, std::uint32_t rows, std::uint32_t count, std::string& out)
{
    const auto offsets = textOffsets(raw);
    const auto have = std::uint32_t(offsets.size() - 1);
    std::uint32_t next = 0; // rows written so far
    const auto keep = [&](std::uint32_t until) {
        if (until <= next) return until == next;
        const auto common = std::min(until, have);
        if (common > next) out.append(raw, offsets[next], offsets[common] - offsets[next]);
        next = std::max(next, common);
        for (; next < until; ++next) put(out, std::uint32_t(0));
        return true;
    };
    for (std::uint32_t i = 0; i < count; ++i) {
        const auto row = delta.take<std::uint16_t>();
        const auto value = delta.takeSized();
        if (!delta.ok() || row >= rows || !keep(row)) return false;
        putBytes(out, value);
        ++next;
    }
    return keep(rows);
}

} // namespace

PackedChunk packChunk(const ColumnBase& column, const ChunkBase& chunk, std::size_t width)
{
    std::string raw;
    column.encode(chunk, raw);
    std::string planes;
    if (hasPlanes(width)) toPlanes(raw, planes, width);
    std::string packed = compress(planes.empty() ? raw : planes);
    if (packed.empty() || packed.size() >= raw.size()) return {Codec::Raw, std::move(raw)};
    return {planes.empty() ? Codec::Zstd : Codec::ZstdPlanes, std::move(packed)};
}

ChunkPtr unpackChunk(const ColumnBase& column, Codec codec, std::string_view data, std::size_t width)
{
    thread_local std::string raw, planes;
    switch (codec) {
    case Codec::Raw: return column.decode(data);
    case Codec::Zstd: return decompress(data, raw) ? column.decode(raw) : nullptr;
    case Codec::ZstdPlanes:
        if (!hasPlanes(width) || !decompress(data, planes) || planes.size() % width != 0) return nullptr;
        fromPlanes(planes, raw, width);
        return column.decode(raw);
    }
    return nullptr;
}

std::string packDelta(const ColumnBase& column, const ChunkBase* before, const ChunkBase& after, std::size_t width)
{
    if (!before) return {};
    const auto rows = std::uint32_t(after.rows());
    std::vector<std::uint16_t> changed;
    for (std::uint32_t i = 0; i < rows; ++i) {
        if (column.same(before, &after, i)) continue;
        if (changed.size() >= kChunkRows / 8) return {};
        changed.push_back(std::uint16_t(i));
    }
    std::string raw;
    column.encode(after, raw);
    const auto offsets = width == 0 ? textOffsets(raw) : std::vector<std::size_t>();
    std::string out;
    put(out, rows);
    put(out, std::uint32_t(changed.size()));
    for (const auto row : changed) {
        put(out, row);
        if (width == 0)
            out.append(raw, offsets[row], offsets[row + 1u] - offsets[row]);
        else
            out.append(raw, row * width, width);
    }
    return out;
}

ChunkPtr unpackDelta(const ColumnBase& column, const ChunkBase& before, std::string_view data, std::size_t width)
{
    ByteReader delta(data);
    const auto rows = delta.take<std::uint32_t>(), count = delta.take<std::uint32_t>();
    if (!delta.ok() || rows > kChunkRows || count > rows) return nullptr;
    std::string raw;
    column.encode(before, raw);
    if (width == 0) {
        std::string out;
        if (!patchText(raw, delta, rows, count, out) || !delta.atEnd()) return nullptr;
        return column.decode(out);
    }
    raw.resize(rows * width, '\0');
    for (std::uint32_t i = 0; i < count; ++i) {
        const auto row = delta.take<std::uint16_t>();
        const auto value = delta.takeBytes(width);
        if (!delta.ok() || row >= rows) return nullptr;
        std::memcpy(raw.data() + row * width, value.data(), width);
    }
    return delta.atEnd() ? column.decode(raw) : nullptr;
}

} // namespace hw::storage
