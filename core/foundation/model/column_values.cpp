// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/foundation/model/tables.h"
#include "core/foundation/model/text_values.h"

#include <cstring>

namespace hw {

namespace {

template <class ChunkT>
ChunkPtr chunkAt(const std::vector<std::shared_ptr<ChunkT>>& chunks, std::uint32_t index)
{
    return index < chunks.size() ? chunks[index] : nullptr;
}

/// Puts `chunk` at `index`, or shortens where it is null.
template <class ChunkT>
void put(std::vector<std::shared_ptr<ChunkT>>& chunks, std::uint32_t index, const ChunkPtr& chunk)
{
    if (!chunk) {
        if (index < chunks.size()) chunks.resize(index);
        return;
    }
    if (index >= chunks.size()) chunks.resize(index + 1);
    chunks[index] = std::const_pointer_cast<ChunkT>(std::static_pointer_cast<const ChunkT>(chunk));
}

/// True where both hold a value at `offset` (`equal` compares them), or neither does.
template <class Equal>
bool sameAt(const ChunkBase* a, const ChunkBase* b, std::uint32_t offset, Equal&& equal)
{
    const bool inA = a && offset < a->rows(), inB = b && offset < b->rows();
    return inA && inB ? equal() : inA == inB;
}

template <class Table>
constexpr EntityKind kindOf(Id<Table>)
{
    return kKindOf<Table>;
}
template <class IdT>
constexpr EntityKind kindOf(Maybe<IdT>)
{
    return kindOf(IdT());
}
template <class T>
constexpr EntityKind kindOf(T)
{
    return EntityKind::None;
}

} // namespace

PlainColumn::PlainColumn(const char* name, ColumnTraits traits, std::uint32_t width, const void* fallback) : ColumnBase(name, traits), m_width(width)
{
    std::memcpy(m_fallback, fallback, width);
}

ChunkPtr PlainColumn::chunk(std::uint32_t index) const { return chunkAt(m_chunks, index); }
const void* PlainColumn::chunkIdentity(std::uint32_t index) const { return index < m_chunks.size() ? m_chunks[index].get() : nullptr; }
void PlainColumn::putChunk(std::uint32_t index, const ChunkPtr& chunk) { put(m_chunks, index, chunk); }

void PlainColumn::extendTo(std::uint32_t rows)
{
    if (rows == 0) return;
    const std::uint32_t last = (rows - 1) >> kChunkBits;
    while (m_chunks.size() <= last) {
        if (!m_chunks.empty()) fill(std::uint32_t(m_chunks.size() - 1), kChunkRows);
        m_chunks.push_back(std::make_shared<PlainChunk>(m_width));
    }
    fill(last, ((rows - 1) & (kChunkRows - 1)) + 1);
}

void PlainColumn::resetRow(std::uint32_t row)
{
    std::memcpy(writable(row >> kChunkBits) + std::size_t(row & (kChunkRows - 1)) * m_width, m_fallback, m_width);
}

bool PlainColumn::same(const ChunkBase* a, const ChunkBase* b, std::uint32_t offset) const
{
    const auto value = [&](const ChunkBase* chunk) { return static_cast<const PlainChunk*>(chunk)->row(offset); };
    return sameAt(a, b, offset, [&] { return std::memcmp(value(a), value(b), m_width) == 0; });
}

void PlainColumn::encode(const ChunkBase& chunk, std::string& out) const
{
    const auto& bytes = static_cast<const PlainChunk&>(chunk).m_bytes;
    out.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

ChunkPtr PlainColumn::decode(std::string_view bytes) const
{
    if (bytes.size() % m_width != 0 || bytes.size() / m_width > kChunkRows) return nullptr;
    auto chunk = std::make_shared<PlainChunk>(m_width);
    const auto* first = reinterpret_cast<const std::byte*>(bytes.data());
    chunk->m_bytes.assign(first, first + bytes.size());
    return chunk;
}

void PlainColumn::unshare(std::uint32_t index)
{
    auto& chunk = m_chunks[index];
    auto copy = std::make_shared<PlainChunk>(m_width);
    copy->m_bytes.reserve(index + 1 == m_chunks.size() ? std::size_t(kChunkRows) * m_width : chunk->m_bytes.size());
    copy->m_bytes = chunk->m_bytes;
    chunk = std::move(copy);
}

void PlainColumn::fill(std::uint32_t index, std::uint32_t rows)
{
    const std::size_t had = m_chunks[index]->rows();
    if (had >= rows) return;
    (void)writable(index);
    auto& bytes = m_chunks[index]->m_bytes;
    bytes.resize(std::size_t(rows) * m_width);
    for (std::size_t row = had; row < rows; ++row) std::memcpy(bytes.data() + row * m_width, m_fallback, m_width);
}

template <class T>
std::string ValueColumn<T>::rowText(std::uint32_t row) const
{
    return text::toText(at(row));
}

template <class T>
bool ValueColumn<T>::setRowText(std::uint32_t row, std::string_view s)
{
    T value{};
    if (!text::fromText(s, value)) return false;
    put(row, value);
    return true;
}

template <class T>
EntityKind ValueColumn<T>::refersTo() const
{
    return kindOf(T());
}

template <class T>
EntityRef ValueColumn<T>::reference(std::uint32_t row) const
{
    if constexpr (kindOf(T()) == EntityKind::None)
        return {};
    else if constexpr (requires(T v) { v.has_value(); })
        return at(row).has_value() ? ref(*at(row)) : EntityRef{};
    else
        return ref(at(row));
}

template <class T>
std::int64_t ValueColumn<T>::number(std::uint32_t row) const
{
    if constexpr (std::is_integral_v<T>)
        return std::int64_t(at(row));
    else if constexpr (requires(T t) { t.count(); })
        return std::int64_t(at(row).count());
    else
        return 0;
}

std::size_t TextChunk::bytes() const
{
    std::size_t total = sizeof(*this) + values.capacity() * sizeof(std::string);
    for (const auto& s : values) total += s.capacity() > 15 ? s.capacity() : 0;
    return total;
}

using TextColumn = ValueColumn<std::string>;

ChunkPtr TextColumn::chunk(std::uint32_t index) const { return chunkAt(m_chunks, index); }
const void* TextColumn::chunkIdentity(std::uint32_t index) const { return index < m_chunks.size() ? m_chunks[index].get() : nullptr; }
void TextColumn::putChunk(std::uint32_t index, const ChunkPtr& chunk) { hw::put(m_chunks, index, chunk); }

void TextColumn::extendTo(std::uint32_t rows)
{
    if (rows == 0) return;
    const std::uint32_t last = (rows - 1) >> kChunkBits;
    const auto fill = [&](std::uint32_t index, std::uint32_t to) {
        if (m_chunks[index]->values.size() < to) writable(index).resize(to);
    };
    while (m_chunks.size() <= last) {
        if (!m_chunks.empty()) fill(std::uint32_t(m_chunks.size() - 1), kChunkRows);
        m_chunks.push_back(std::make_shared<TextChunk>());
    }
    fill(last, ((rows - 1) & (kChunkRows - 1)) + 1);
}

void TextColumn::resetRow(std::uint32_t row) { put(row, {}); }

bool TextColumn::same(const ChunkBase* a, const ChunkBase* b, std::uint32_t offset) const
{
    return sameAt(a, b, offset, [&] { return static_cast<const TextChunk*>(a)->values[offset] == static_cast<const TextChunk*>(b)->values[offset]; });
}

void TextColumn::encode(const ChunkBase& chunk, std::string& out) const
{
    for (const auto& s : static_cast<const TextChunk&>(chunk).values) {
        const auto size = std::uint32_t(s.size());
        out.append(reinterpret_cast<const char*>(&size), sizeof size);
        out.append(s);
    }
}

ChunkPtr TextColumn::decode(std::string_view bytes) const
{
    auto chunk = std::make_shared<TextChunk>();
    while (!bytes.empty()) {
        std::uint32_t size = 0;
        if (bytes.size() < sizeof size) return nullptr;
        std::memcpy(&size, bytes.data(), sizeof size);
        bytes.remove_prefix(sizeof size);
        if (bytes.size() < size || chunk->values.size() == kChunkRows) return nullptr;
        chunk->values.emplace_back(bytes.substr(0, size));
        bytes.remove_prefix(size);
    }
    return chunk;
}

bool TextColumn::setRowText(std::uint32_t row, std::string_view s)
{
    put(row, std::string(s));
    return true;
}

std::vector<std::string>& TextColumn::writable(std::uint32_t index)
{
    auto& chunk = m_chunks[index];
    if (chunk.use_count() != 1) {
        auto copy = std::make_shared<TextChunk>();
        copy->values.reserve(index + 1 == m_chunks.size() ? std::size_t(kChunkRows) : chunk->values.size());
        copy->values = chunk->values;
        chunk = std::move(copy);
    } else
        std::atomic_thread_fence(std::memory_order_acquire); // the last other reader let go elsewhere
    return chunk->values;
}

// Every type of value that a column holds: ids of all tables, and what stands here.
#define HW_IDS(Table, member, One, stored)                                                                                                           \
    template class ValueColumn<One##Id>;                                                                                                             \
    template class ValueColumn<Maybe<One##Id>>;
HW_TABLES(HW_IDS, HW_IDS)
#undef HW_IDS
template class ValueColumn<BuildingKind>;
template class ValueColumn<Carries>;
template class ValueColumn<Containment>;
template class ValueColumn<DeviceRole>;
template class ValueColumn<Face>;
template class ValueColumn<FloorKind>;
template class ValueColumn<GateResult>;
template class ValueColumn<Gbps>;
template class ValueColumn<KilogramsPerSquareMeter>;
template class ValueColumn<LinkRole>;
template class ValueColumn<Medium>;
template class ValueColumn<Millimeters>;
template class ValueColumn<Milliwatts>;
template class ValueColumn<Money>;
template class ValueColumn<NetworkKind>;
template class ValueColumn<PartKind>;
template class ValueColumn<PhaseChoice>;
template class ValueColumn<PortRole>;
template class ValueColumn<PowerSide>;
template class ValueColumn<RoomKind>;
template class ValueColumn<Stage>;
template class ValueColumn<StructureKind>;
template class ValueColumn<TierKind>;
template class ValueColumn<TrayKind>;
template class ValueColumn<Trust>;
template class ValueColumn<Witness>;
template class ValueColumn<std::int16_t>;
template class ValueColumn<std::int32_t>;
template class ValueColumn<std::uint16_t>;
template class ValueColumn<std::uint32_t>;
template class ValueColumn<std::uint8_t>;
#ifdef HW_MORE_VALUES
HW_MORE_VALUES
#endif

} // namespace hw
