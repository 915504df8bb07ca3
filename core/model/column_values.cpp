// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/tables.h"
#include "core/model/text_values.h"

#include <cstring>

namespace hw {

template <class T>
ValueColumn<T>::ValueColumn(const ValueColumn&) = default;
template <class T>
ValueColumn<T>& ValueColumn<T>::operator=(const ValueColumn&) = default;
template <class T>
ValueColumn<T>::~ValueColumn() = default;

template <class T>
ChunkPtr ValueColumn<T>::chunk(std::uint32_t i) const
{
    return i < m_chunks.size() ? m_chunks[i] : nullptr;
}

template <class T>
const void* ValueColumn<T>::chunkIdentity(std::uint32_t i) const
{
    return i < m_chunks.size() ? m_chunks[i].get() : nullptr;
}

template <class T>
void ValueColumn<T>::putChunk(std::uint32_t index, const ChunkPtr& chunk)
{
    if (!chunk) {
        if (index < m_chunks.size()) m_chunks.resize(index);
        return;
    }
    if (index >= m_chunks.size()) m_chunks.resize(index + 1);
    m_chunks[index] = std::const_pointer_cast<Chunk<T>>(std::static_pointer_cast<const Chunk<T>>(chunk));
}

template <class T>
void ValueColumn<T>::extendTo(std::uint32_t rows)
{
    if (rows == 0) return;
    const std::uint32_t last = (rows - 1) >> kChunkBits;
    while (m_chunks.size() <= last) {
        if (!m_chunks.empty()) fill(std::uint32_t(m_chunks.size() - 1), kChunkRows);
        m_chunks.push_back(std::make_shared<Chunk<T>>());
    }
    fill(last, ((rows - 1) & (kChunkRows - 1)) + 1);
}

template <class T>
T ValueColumn<T>::fallback() const
{
    const std::int32_t value = traits().fallback;
    if constexpr (std::is_integral_v<T> || std::is_enum_v<T>)
        return T(value);
    else if constexpr (requires(T t) { t.count(); })
        return T(decltype(std::declval<T>().count())(value));
    else
        return T{};
}

template <class T>
void ValueColumn<T>::resetRow(std::uint32_t row)
{
    writable(row >> kChunkBits)[row & (kChunkRows - 1)] = fallback();
}

template <class T>
bool ValueColumn<T>::same(const ChunkBase* a, const ChunkBase* b, std::uint32_t offset) const
{
    const bool inA = a && offset < a->rows(), inB = b && offset < b->rows();
    if (!inA || !inB) return inA == inB;
    return static_cast<const Chunk<T>*>(a)->values[offset] == static_cast<const Chunk<T>*>(b)->values[offset];
}

template <class T>
void ValueColumn<T>::encode(const ChunkBase& chunk, std::string& out) const
{
    const auto& values = static_cast<const Chunk<T>&>(chunk).values;
    if constexpr (std::is_same_v<T, std::string>) {
        for (const auto& s : values) {
            const auto size = std::uint32_t(s.size());
            out.append(reinterpret_cast<const char*>(&size), sizeof size);
            out.append(s);
        }
    } else {
        static_assert(std::has_unique_object_representations_v<T>);
        out.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
    }
}

template <class T>
ChunkPtr ValueColumn<T>::decode(std::string_view bytes) const
{
    auto chunk = std::make_shared<Chunk<T>>();
    if constexpr (std::is_same_v<T, std::string>) {
        while (!bytes.empty()) {
            std::uint32_t size = 0;
            if (bytes.size() < sizeof size) return nullptr;
            std::memcpy(&size, bytes.data(), sizeof size);
            bytes.remove_prefix(sizeof size);
            if (bytes.size() < size || chunk->values.size() == kChunkRows) return nullptr;
            chunk->values.emplace_back(bytes.substr(0, size));
            bytes.remove_prefix(size);
        }
    } else {
        if (bytes.size() % sizeof(T) != 0 || bytes.size() / sizeof(T) > kChunkRows) return nullptr;
        chunk->values.resize(bytes.size() / sizeof(T));
        std::memcpy(static_cast<void*>(chunk->values.data()), bytes.data(), bytes.size());
    }
    return chunk;
}

template <class T>
std::string ValueColumn<T>::rowText(std::uint32_t row) const
{
    return text::toText(m_chunks[row >> kChunkBits]->values[row & (kChunkRows - 1)]);
}

template <class T>
bool ValueColumn<T>::setRowText(std::uint32_t row, std::string_view s)
{
    T value{};
    if (!text::fromText(s, value)) return false;
    writable(row >> kChunkBits)[row & (kChunkRows - 1)] = std::move(value);
    return true;
}

template <class T>
void ValueColumn<T>::unshare(std::uint32_t index)
{
    auto& chunk = m_chunks[index];
    auto copy = std::make_shared<Chunk<T>>();
    copy->values.reserve(index + 1 == m_chunks.size() ? std::size_t(kChunkRows) : chunk->values.size());
    copy->values = chunk->values;
    chunk = std::move(copy);
}

template <class T>
void ValueColumn<T>::fill(std::uint32_t index, std::uint32_t rows)
{
    if (m_chunks[index]->values.size() < rows) writable(index).resize(rows, fallback());
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
template class ValueColumn<KilogramsPerSquareMetre>;
template class ValueColumn<LinkRole>;
template class ValueColumn<Medium>;
template class ValueColumn<Millimetres>;
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
template class ValueColumn<std::string>;
template class ValueColumn<std::uint16_t>;
template class ValueColumn<std::uint32_t>;
template class ValueColumn<std::uint8_t>;
#ifdef HW_MORE_VALUES
HW_MORE_VALUES
#endif

} // namespace hw
