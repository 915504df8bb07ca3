// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/model/column.h"

namespace hw {

/// A table without its row type: a name, columns, and which rows live. Column 0 is always `alive`.
class TableBase {
public:
    explicit TableBase(const char* name) : m_name(name) {}
    virtual ~TableBase() = default;
    TableBase(const TableBase&) = default;
    TableBase& operator=(const TableBase&) = default;

    [[nodiscard]] std::string_view name() const { return m_name; }
    [[nodiscard]] std::uint32_t nextId() const { return m_nextId; } ///< ids below were given out at some time
    [[nodiscard]] std::uint32_t size() const { return m_size; }     ///< living rows
    [[nodiscard]] bool empty() const { return m_size == 0; }
    [[nodiscard]] virtual std::vector<const ColumnBase*> columnList() const = 0;
    [[nodiscard]] virtual std::vector<ColumnBase*> columnList() = 0;
    [[nodiscard]] virtual bool alive(std::uint32_t row) const = 0;
    [[nodiscard]] virtual EntityKind rowKind() const = 0; ///< None: its rows are no entities

    /// For storage, undo and text import: ids are given back exactly as they were.
    void restoreCounters(std::uint32_t nextId, std::uint32_t size)
    {
        m_nextId = nextId;
        m_size = size;
    }
    [[nodiscard]] virtual bool insertAt(std::uint32_t row) = 0; ///< false when the row lives already

protected:
    const char* m_name;
    std::uint32_t m_nextId = 0;
    std::uint32_t m_size = 0;
};

/// Common part of every table: giving out ids, erasing, walking the living rows.
template <class Derived>
class Table : public TableBase {
public:
    using IdT = Id<Derived>;
    using IdType = IdT;
    using TableBase::TableBase;

    Column<IdT, std::uint8_t> aliveFlags{"alive"};

    /// A new row with default values; set its columns afterward.
    IdT insert()
    {
        const IdT id(m_nextId++);
        self().withColumns([&](auto&... column) { (column.extendTo(m_nextId), ...); });
        aliveFlags.set(id, 1);
        ++m_size;
        return id;
    }

    /// Erased rows keep their id for ever; their values go back to the defaults.
    void erase(IdT id)
    {
        self().withColumns([&](auto&... column) { (column.resetRow(id.value), ...); });
        --m_size;
    }

    [[nodiscard]] EntityKind rowKind() const override { return kKindOf<Derived>; }
    [[nodiscard]] bool contains(IdT id) const { return alive(id.value); }
    [[nodiscard]] bool alive(std::uint32_t row) const override
    {
        const std::uint32_t chunk = row >> kChunkBits;
        if (chunk >= aliveFlags.chunkCount()) return false;
        const auto values = aliveFlags.chunkValues(chunk);
        return (row & (kChunkRows - 1)) < values.size() && values[row & (kChunkRows - 1)] != 0;
    }

    /// Calls f(id) for every living row in the order of ids.
    template <class F>
    void forEach(F&& f) const
    {
        for (std::uint32_t chunk = 0; chunk < aliveFlags.chunkCount(); ++chunk) {
            const auto values = aliveFlags.chunkValues(chunk);
            for (std::uint32_t i = 0; i < values.size(); ++i)
                if (values[i]) f(IdT((chunk << kChunkBits) + i));
        }
    }

    [[nodiscard]] std::vector<IdT> ids() const
    {
        std::vector<IdT> result;
        result.reserve(m_size);
        forEach([&](IdT id) { result.push_back(id); });
        return result;
    }

    [[nodiscard]] std::vector<const ColumnBase*> columnList() const override
    {
        return self().withColumns([](const auto&... c) { return std::vector<const ColumnBase*>{&c...}; });
    }
    [[nodiscard]] std::vector<ColumnBase*> columnList() override
    {
        return self().withColumns([](auto&... c) { return std::vector<ColumnBase*>{&c...}; });
    }
    [[nodiscard]] bool insertAt(std::uint32_t row) override
    {
        if (alive(row)) return false;
        m_nextId = std::max(m_nextId, row + 1);
        self().withColumns([&](auto&... column) { (column.extendTo(row + 1), ...); });
        aliveFlags.set(IdT(row), 1);
        ++m_size;
        return true;
    }

private:
    Derived& self() { return static_cast<Derived&>(*this); }
    const Derived& self() const { return static_cast<const Derived&>(*this); }
};

/// Lists the columns of a table, in the order in which they are stored; tables.cpp does not compile when one is missing. From
/// it follows `withColumns(f)`: f(column...), all of them at once. No tuple: what walks columns is compiled for every table.
/// A template, and constructors in tables.cpp, so that a reader of the model does not compile its writing side.
#define HW_COLUMNS(...)                                                                                                                              \
    template <class F>                                                                                                                               \
    auto withColumns(F&& f)                                                                                                                          \
    {                                                                                                                                                \
        return f(aliveFlags, __VA_ARGS__);                                                                                                           \
    }                                                                                                                                                \
    template <class F>                                                                                                                               \
    auto withColumns(F&& f) const                                                                                                                    \
    {                                                                                                                                                \
        return f(aliveFlags, __VA_ARGS__);                                                                                                           \
    }

} // namespace hw
