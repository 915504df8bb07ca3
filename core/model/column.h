// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/units.h"
#include "core/model/column_info.h"
#include "core/model/table_list.h"

#include <atomic>
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
    explicit ColumnBase(const char* name, ColumnTraits traits = {}) : m_name(name), m_traits(traits) {}
    virtual ~ColumnBase() = default;
    ColumnBase(const ColumnBase&) = default;
    ColumnBase& operator=(const ColumnBase&) = default;

    [[nodiscard]] std::string_view name() const { return m_name; } ///< in files and scripts
    [[nodiscard]] const ColumnTraits& traits() const { return m_traits; }
    [[nodiscard]] virtual std::uint32_t chunkCount() const = 0;
    [[nodiscard]] virtual ChunkPtr chunk(std::uint32_t index) const = 0; ///< null past the end
    [[nodiscard]] virtual const void* chunkIdentity(std::uint32_t index) const = 0;
    virtual void putChunk(std::uint32_t index, const ChunkPtr& chunk) = 0; ///< a null at the end shortens
    virtual void extendTo(std::uint32_t rows) = 0;
    virtual void resetRow(std::uint32_t row) = 0;
    /// True where both chunks hold a value at `offset` and it is the same, or neither holds one.
    [[nodiscard]] virtual bool same(const ChunkBase* a, const ChunkBase* b, std::uint32_t offset) const = 0;
    [[nodiscard]] virtual std::size_t valueBytes() const = 0;                ///< of one encoded value; 0: text, which carries its length
    virtual void encode(const ChunkBase& chunk, std::string& out) const = 0; ///< little-endian bytes, all rows
    [[nodiscard]] virtual ChunkPtr decode(std::string_view bytes) const = 0; ///< null when malformed
    [[nodiscard]] virtual std::string rowText(std::uint32_t row) const = 0;
    [[nodiscard]] virtual bool setRowText(std::uint32_t row, std::string_view text) = 0;

private:
    const char* m_name;
    ColumnTraits m_traits;
};

/// The values of one attribute of all rows, in chunks; what does not depend on whose rows they are.
/// Everything but reading and writing is compiled once per T in column_values.cpp, where a new T is listed.
template <class T>
class ValueColumn : public ColumnBase {
public:
    using ColumnBase::ColumnBase;
    using Value = T;
    ValueColumn(const ValueColumn&);
    ValueColumn& operator=(const ValueColumn&);
    ~ValueColumn() override;

    [[nodiscard]] std::span<const T> chunkValues(std::uint32_t index) const { return m_chunks[index]->values; }

    [[nodiscard]] std::uint32_t chunkCount() const final { return std::uint32_t(m_chunks.size()); }
    [[nodiscard]] ChunkPtr chunk(std::uint32_t index) const final;
    [[nodiscard]] const void* chunkIdentity(std::uint32_t index) const final;
    void putChunk(std::uint32_t index, const ChunkPtr& chunk) final;
    void extendTo(std::uint32_t rows) final;
    void resetRow(std::uint32_t row) final;
    [[nodiscard]] bool same(const ChunkBase* a, const ChunkBase* b, std::uint32_t offset) const final;
    [[nodiscard]] std::size_t valueBytes() const final { return std::is_same_v<T, std::string> ? 0 : sizeof(T); }
    void encode(const ChunkBase& chunk, std::string& out) const final;
    [[nodiscard]] ChunkPtr decode(std::string_view bytes) const final;
    [[nodiscard]] std::string rowText(std::uint32_t row) const final;
    [[nodiscard]] bool setRowText(std::uint32_t row, std::string_view text) final;

protected:
    /// The values of a chunk that nobody else sees.
    std::vector<T>& writable(std::uint32_t index)
    {
        if (m_chunks[index].use_count() != 1)
            unshare(index);
        else
            std::atomic_thread_fence(std::memory_order_acquire); // the last other reader let go elsewhere
        return m_chunks[index]->values;
    }

    std::vector<std::shared_ptr<Chunk<T>>> m_chunks;

private:
    [[nodiscard]] T fallback() const; ///< of the traits
    void unshare(std::uint32_t index);
    void fill(std::uint32_t index, std::uint32_t rows);
};

/// One attribute of all rows of a table. Reading is a shift, a mask and two loads.
/// Writing copies a chunk that somebody else still sees; that is what makes snapshots free.
template <class IdT, class T>
class Column final : public ValueColumn<T> {
public:
    using ValueColumn<T>::ValueColumn;

    [[nodiscard]] const T& operator[](IdT id) const { return this->m_chunks[id.value >> kChunkBits]->values[id.value & (kChunkRows - 1)]; }
    void set(IdT id, T value) { this->writable(id.value >> kChunkBits)[id.value & (kChunkRows - 1)] = std::move(value); }
};

} // namespace hw
