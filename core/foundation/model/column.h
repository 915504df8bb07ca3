// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/base/units.h"
#include "core/foundation/model/column_info.h"
#include "core/foundation/model/table_list.h"

#include <atomic>
#include <cstddef>
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

/// Plain values (numbers, words, quantities, ids) side by side, each of so many bytes.
class PlainChunk final : public ChunkBase {
public:
    explicit PlainChunk(std::uint32_t width) : m_width(width) {}
    [[nodiscard]] std::size_t rows() const override { return m_bytes.size() / m_width; }
    [[nodiscard]] std::size_t bytes() const override { return sizeof(*this) + m_bytes.capacity(); }
    [[nodiscard]] std::uint32_t width() const { return m_width; } ///< bytes of a value
    [[nodiscard]] const std::byte* row(std::size_t offset) const { return m_bytes.data() + offset * m_width; }
    template <class T>
    [[nodiscard]] const T* values() const
    {
        return reinterpret_cast<const T*>(m_bytes.data());
    }

private:
    friend class PlainColumn;
    std::uint32_t m_width;
    std::vector<std::byte> m_bytes;
};

class TextChunk final : public ChunkBase {
public:
    std::vector<std::string> values;
    [[nodiscard]] std::size_t rows() const override { return values.size(); }
    [[nodiscard]] std::size_t bytes() const override;
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
    /// The kind of entity that the values refer to, and the entity of one row; None for other values, unset ones, and rows that are no entities.
    [[nodiscard]] virtual EntityKind refersTo() const { return EntityKind::None; }
    [[nodiscard]] virtual EntityRef reference(std::uint32_t) const { return {}; }
    [[nodiscard]] virtual std::int64_t number(std::uint32_t) const { return 0; } ///< of a number or quantity, in its unit; 0 for other values

private:
    const char* m_name;
    ColumnTraits m_traits;
};

/// A column of plain values: everything but their text, compiled once for all of them.
class PlainColumn : public ColumnBase {
public:
    [[nodiscard]] std::uint32_t chunkCount() const final { return std::uint32_t(m_chunks.size()); }
    [[nodiscard]] ChunkPtr chunk(std::uint32_t index) const final;
    [[nodiscard]] const void* chunkIdentity(std::uint32_t index) const final;
    void putChunk(std::uint32_t index, const ChunkPtr& chunk) final;
    void extendTo(std::uint32_t rows) final;
    void resetRow(std::uint32_t row) final;
    [[nodiscard]] bool same(const ChunkBase* a, const ChunkBase* b, std::uint32_t offset) const final;
    [[nodiscard]] std::size_t valueBytes() const final { return m_width; }
    void encode(const ChunkBase& chunk, std::string& out) const final;
    [[nodiscard]] ChunkPtr decode(std::string_view bytes) const final;

protected:
    PlainColumn(const char* name, ColumnTraits traits, std::uint32_t width, const void* fallback);
    [[nodiscard]] const PlainChunk& plain(std::uint32_t index) const { return *m_chunks[index]; }
    /// The bytes of a chunk that nobody else sees.
    std::byte* writable(std::uint32_t index)
    {
        if (m_chunks[index].use_count() != 1)
            unshare(index);
        else
            std::atomic_thread_fence(std::memory_order_acquire); // the last other reader let go elsewhere
        return m_chunks[index]->m_bytes.data();
    }

private:
    void unshare(std::uint32_t index);
    void fill(std::uint32_t index, std::uint32_t rows);

    std::uint32_t m_width;
    std::byte m_fallback[8] = {};
    std::vector<std::shared_ptr<PlainChunk>> m_chunks;
};

/// The values of one attribute of all rows, in chunks; what does not depend on whose rows they are.
/// Their text is compiled once per T in column_values.cpp, where a new T is listed.
template <class T>
class ValueColumn : public PlainColumn {
public:
    static_assert(std::is_trivially_copyable_v<T> && std::has_unique_object_representations_v<T> && sizeof(T) <= 8);
    using Value = T;
    explicit ValueColumn(const char* name, ColumnTraits traits = {}) : ValueColumn(name, traits, fallbackOf(traits)) {}

    [[nodiscard]] std::span<const T> chunkValues(std::uint32_t index) const { return {plain(index).template values<T>(), plain(index).rows()}; }
    [[nodiscard]] const T& at(std::uint32_t row) const { return plain(row >> kChunkBits).template values<T>()[row & (kChunkRows - 1)]; }
    void put(std::uint32_t row, T value) { reinterpret_cast<T*>(writable(row >> kChunkBits))[row & (kChunkRows - 1)] = value; }

    [[nodiscard]] std::string rowText(std::uint32_t row) const final;
    [[nodiscard]] bool setRowText(std::uint32_t row, std::string_view text) final;
    [[nodiscard]] EntityKind refersTo() const final;
    [[nodiscard]] EntityRef reference(std::uint32_t row) const final;
    [[nodiscard]] std::int64_t number(std::uint32_t row) const final;

private:
    ValueColumn(const char* name, ColumnTraits traits, T fallback) : PlainColumn(name, traits, sizeof(T), &fallback) {}
    static T fallbackOf(const ColumnTraits& traits)
    {
        if constexpr (std::is_integral_v<T> || std::is_enum_v<T>)
            return T(traits.fallback);
        else if constexpr (requires(T t) { t.count(); })
            return T(decltype(std::declval<T>().count())(traits.fallback));
        else
            return T{};
    }
};

template <>
class ValueColumn<std::string> : public ColumnBase {
public:
    using ColumnBase::ColumnBase;
    using Value = std::string;

    [[nodiscard]] std::span<const std::string> chunkValues(std::uint32_t index) const { return m_chunks[index]->values; }
    [[nodiscard]] const std::string& at(std::uint32_t row) const { return m_chunks[row >> kChunkBits]->values[row & (kChunkRows - 1)]; }
    void put(std::uint32_t row, std::string value) { writable(row >> kChunkBits)[row & (kChunkRows - 1)] = std::move(value); }

    [[nodiscard]] std::uint32_t chunkCount() const final { return std::uint32_t(m_chunks.size()); }
    [[nodiscard]] ChunkPtr chunk(std::uint32_t index) const final;
    [[nodiscard]] const void* chunkIdentity(std::uint32_t index) const final;
    void putChunk(std::uint32_t index, const ChunkPtr& chunk) final;
    void extendTo(std::uint32_t rows) final;
    void resetRow(std::uint32_t row) final;
    [[nodiscard]] bool same(const ChunkBase* a, const ChunkBase* b, std::uint32_t offset) const final;
    [[nodiscard]] std::size_t valueBytes() const final { return 0; }
    void encode(const ChunkBase& chunk, std::string& out) const final;
    [[nodiscard]] ChunkPtr decode(std::string_view bytes) const final;
    [[nodiscard]] std::string rowText(std::uint32_t row) const final { return at(row); }
    [[nodiscard]] bool setRowText(std::uint32_t row, std::string_view text) final;

private:
    std::vector<std::string>& writable(std::uint32_t index);

    std::vector<std::shared_ptr<TextChunk>> m_chunks;
};

/// One attribute of all rows of a table. Reading is a shift, a mask and two loads.
/// Writing copies a chunk that somebody else still sees; that is what makes snapshots free.
template <class IdT, class T>
class Column final : public ValueColumn<T> {
public:
    using ValueColumn<T>::ValueColumn;

    [[nodiscard]] const T& operator[](IdT id) const { return this->at(id.value); }
    void set(IdT id, T value) { this->put(id.value, std::move(value)); }
};

} // namespace hw
