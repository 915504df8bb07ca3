// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/id.h"
#include "core/base/units.h"

#include <atomic>
#include <charconv>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace hw {

/// An optional id as a column stores it: four bytes. Converts to and from `std::optional`.
template <class IdT>
class Maybe {
public:
    constexpr Maybe() = default;
    constexpr Maybe(IdT id) : m_raw(id.value) {}
    constexpr Maybe(std::nullopt_t) {}
    constexpr Maybe(std::optional<IdT> id) : m_raw(id ? id->value : kNone) {}
    [[nodiscard]] constexpr bool has_value() const { return m_raw != kNone; }
    constexpr explicit operator bool() const { return has_value(); }
    constexpr IdT operator*() const { return IdT(m_raw); }
    constexpr operator std::optional<IdT>() const { return has_value() ? std::optional(IdT(m_raw)) : std::nullopt; }
    friend constexpr bool operator==(Maybe, Maybe) = default;
    friend constexpr bool operator==(Maybe a, IdT b) { return a.m_raw == b.value && b.value != kNone; }

private:
    static constexpr std::uint32_t kNone = 0xFFFFFFFFu;
    std::uint32_t m_raw = kNone;
};

/// Text form of stored values, for the diffable export. `fromText` gives nothing for malformed text.
namespace text {
inline std::string toText(const std::string& v) { return v; }
template <class T> requires std::is_integral_v<T>
std::string toText(T v) { return std::to_string(v); }
template <class T> requires std::is_enum_v<T>
std::string toText(T v) { return std::to_string(std::underlying_type_t<T>(v)); }
template <class Tag> std::string toText(Id<Tag> v) { return std::to_string(v.value); }
template <class IdT> std::string toText(Maybe<IdT> v) { return v ? std::to_string((*v).value) : "-"; }
template <class U, class R> std::string toText(Quantity<U, R> v) { return std::to_string(v.count()); }

template <class T> requires std::is_integral_v<T>
bool fromText(std::string_view s, T& v)
{
    auto [end, error] = std::from_chars(s.data(), s.data() + s.size(), v);
    return error == std::errc() && end == s.data() + s.size();
}
inline bool fromText(std::string_view s, std::string& v) { v = s; return true; }
template <class T> requires std::is_enum_v<T>
bool fromText(std::string_view s, T& v)
{
    std::underlying_type_t<T> raw{};
    if (!fromText(s, raw)) return false;
    v = T(raw);
    return true;
}
template <class Tag> bool fromText(std::string_view s, Id<Tag>& v) { return fromText(s, v.value); }
template <class IdT> bool fromText(std::string_view s, Maybe<IdT>& v)
{
    if (s == "-") { v = Maybe<IdT>(); return true; }
    IdT id;
    if (!fromText(s, id)) return false;
    v = id;
    return true;
}
template <class U, class R> bool fromText(std::string_view s, Quantity<U, R>& v)
{
    R raw{};
    if (!fromText(s, raw)) return false;
    v = Quantity<U, R>(raw);
    return true;
}
} // namespace text

inline constexpr std::uint32_t kChunkBits = 12;
inline constexpr std::uint32_t kChunkRows = 1u << kChunkBits; ///< rows per column chunk

/// Up to kChunkRows consecutive values of one column. Shared between snapshots, changesets and the
/// storage queue, and never written once shared.
class ChunkBase {
public:
    virtual ~ChunkBase() = default;
    [[nodiscard]] virtual std::size_t rows() const = 0;
    [[nodiscard]] virtual std::size_t bytes() const = 0;
};
using ChunkPtr = std::shared_ptr<const ChunkBase>;

template <class T>
class Chunk final : public ChunkBase {
public:
    std::vector<T> values;
    [[nodiscard]] std::size_t rows() const override { return values.size(); }
    [[nodiscard]] std::size_t bytes() const override
    {
        std::size_t total = sizeof(*this) + values.capacity() * sizeof(T);
        if constexpr (std::is_same_v<T, std::string>)
            for (const auto& s : values) total += s.capacity() > 15 ? s.capacity() : 0;
        return total;
    }
};

/// A column without its value type: what changesets, storage and text export work with.
class ColumnBase {
public:
    explicit ColumnBase(const char* name) : m_name(name) {}
    virtual ~ColumnBase() = default;
    ColumnBase(const ColumnBase&) = default;
    ColumnBase& operator=(const ColumnBase&) = default;

    [[nodiscard]] std::string_view name() const { return m_name; }
    [[nodiscard]] virtual std::uint32_t chunkCount() const = 0;
    [[nodiscard]] virtual ChunkPtr chunk(std::uint32_t index) const = 0; ///< null past the end
    [[nodiscard]] virtual const void* chunkIdentity(std::uint32_t index) const = 0;
    virtual void putChunk(std::uint32_t index, const ChunkPtr& chunk) = 0; ///< a null at the end shortens
    virtual void extendTo(std::uint32_t rows) = 0;
    virtual void resetRow(std::uint32_t row) = 0;
    /// True where both chunks hold a value at `offset` and it is the same, or neither holds one.
    [[nodiscard]] virtual bool same(const ChunkBase* a, const ChunkBase* b, std::uint32_t offset) const = 0;
    virtual void encode(const ChunkBase& chunk, std::string& out) const = 0;   ///< little-endian bytes, all rows
    [[nodiscard]] virtual ChunkPtr decode(std::string_view bytes) const = 0;   ///< null when malformed
    [[nodiscard]] virtual std::string rowText(std::uint32_t row) const = 0;
    [[nodiscard]] virtual bool setRowText(std::uint32_t row, std::string_view text) = 0;

private:
    const char* m_name;
};

/// One attribute of all rows of a table, in chunks. Reading is a shift, a mask and two loads.
/// Writing copies a chunk that somebody else still sees; that is what makes snapshots free.
template <class IdT, class T>
class Column final : public ColumnBase {
public:
    using ColumnBase::ColumnBase;
    using Value = T;

    [[nodiscard]] const T& operator[](IdT id) const { return m_chunks[id.value >> kChunkBits]->values[id.value & (kChunkRows - 1)]; }
    [[nodiscard]] std::span<const T> chunkValues(std::uint32_t index) const { return m_chunks[index]->values; }

    void set(IdT id, T value)
    {
        auto& chunk = writable(id.value >> kChunkBits);
        chunk.values[id.value & (kChunkRows - 1)] = std::move(value);
    }

    [[nodiscard]] std::uint32_t chunkCount() const override { return std::uint32_t(m_chunks.size()); }
    [[nodiscard]] ChunkPtr chunk(std::uint32_t i) const override { return i < m_chunks.size() ? m_chunks[i] : nullptr; }
    [[nodiscard]] const void* chunkIdentity(std::uint32_t i) const override { return i < m_chunks.size() ? m_chunks[i].get() : nullptr; }

    void putChunk(std::uint32_t index, const ChunkPtr& chunk) override
    {
        if (!chunk) {
            if (index < m_chunks.size()) m_chunks.resize(index);
            return;
        }
        if (index >= m_chunks.size()) m_chunks.resize(index + 1);
        m_chunks[index] = std::const_pointer_cast<Chunk<T>>(std::static_pointer_cast<const Chunk<T>>(chunk));
    }

    void extendTo(std::uint32_t rows) override
    {
        if (rows == 0) return;
        const std::uint32_t last = (rows - 1) >> kChunkBits;
        while (m_chunks.size() <= last) {
            if (!m_chunks.empty()) fill(std::uint32_t(m_chunks.size() - 1), kChunkRows);
            m_chunks.push_back(std::make_shared<Chunk<T>>());
        }
        fill(last, ((rows - 1) & (kChunkRows - 1)) + 1);
    }

    void resetRow(std::uint32_t row) override { set(IdT(row), T{}); }

    [[nodiscard]] bool same(const ChunkBase* a, const ChunkBase* b, std::uint32_t offset) const override
    {
        const bool inA = a && offset < a->rows(), inB = b && offset < b->rows();
        if (!inA || !inB) return inA == inB;
        return static_cast<const Chunk<T>*>(a)->values[offset] == static_cast<const Chunk<T>*>(b)->values[offset];
    }

    void encode(const ChunkBase& chunk, std::string& out) const override
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

    [[nodiscard]] ChunkPtr decode(std::string_view bytes) const override
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

    [[nodiscard]] std::string rowText(std::uint32_t row) const override { return text::toText((*this)[IdT(row)]); }
    [[nodiscard]] bool setRowText(std::uint32_t row, std::string_view s) override
    {
        T value{};
        if (!text::fromText(s, value)) return false;
        set(IdT(row), std::move(value));
        return true;
    }

private:
    Chunk<T>& writable(std::uint32_t index)
    {
        auto& chunk = m_chunks[index];
        if (chunk.use_count() != 1) {
            auto copy = std::make_shared<Chunk<T>>();
            copy->values.reserve(index + 1 == m_chunks.size() ? std::size_t(kChunkRows) : chunk->values.size());
            copy->values = chunk->values;
            chunk = std::move(copy);
        } else {
            std::atomic_thread_fence(std::memory_order_acquire); // the last other reader let go elsewhere
        }
        return *chunk;
    }

    void fill(std::uint32_t index, std::uint32_t rows)
    {
        if (m_chunks[index]->values.size() < rows) writable(index).values.resize(rows);
    }

    std::vector<std::shared_ptr<Chunk<T>>> m_chunks;
};

} // namespace hw
