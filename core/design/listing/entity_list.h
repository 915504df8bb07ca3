// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/figures/figures.h"
#include "core/design/edit/fields.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace hw {

/// A column of a table of entities: one that is stored and can be edited, or one that follows from the design.
struct ListColumn {
    std::string key;                    ///< "power_limit_mw", "location"
    Text title;                         ///< "Power limit"
    const edit::Field* field = nullptr; ///< how it is edited; null: it follows from other values
    bool number = false;                ///< sorted and summed as a number
    std::string unit{};                 ///< of `number()`: that of what is stored
    bool summed = false;                ///< a total of it says something
    bool shown = true;                  ///< unless somebody chooses otherwise
    /// Of a column without a field; null for the name.
    std::function<std::string(std::uint32_t row)> text{};
    std::function<std::optional<double>(std::uint32_t row)> value{};
};

/// One condition on a column; the text is compared without case, numbers with their units.
struct ListFilter {
    enum class Test : std::uint8_t { Contains, Equals, Differs, Less, AtMost, More, AtLeast };
    std::optional<std::size_t> column{}; ///< none: any column that is shown
    Test test = Test::Contains;
    std::string text{};
    double number = 0; ///< of Less … AtLeast, and of the others on a column of numbers
};

struct ListQuery {
    std::vector<ListFilter> filters{}; ///< all of which hold
    std::optional<std::size_t> sortBy{};
    bool descending = false;
};

/// All entities of one kind as a table. Reads the snapshot cell by cell: a list of half a million cables costs four bytes a row.
/// May be used from several threads; cables, power and places are computed with the first cell that shows them.
class EntityList {
public:
    EntityList(FiguresPtr figures, EntityKind kind, const UnitPreference& units = {});
    EntityList(const EntityList&) = delete; // its columns refer to it
    EntityList& operator=(const EntityList&) = delete;
    [[nodiscard]] EntityKind kind() const { return m_kind; }
    [[nodiscard]] const FiguresPtr& figures() const { return m_figures; }
    [[nodiscard]] const std::vector<ListColumn>& columns() const { return m_columns; }
    /// By its key, with or without the unit, or its title in any case.
    [[nodiscard]] std::optional<std::size_t> column(std::string_view name) const;

    [[nodiscard]] std::string text(std::uint32_t row, std::size_t column) const;
    /// In the unit of the column; none where it has no number.
    [[nodiscard]] std::optional<double> number(std::uint32_t row, std::size_t column) const;
    /// A number of a column for people, to four digits: a sum of lengths is "193.8 km".
    [[nodiscard]] std::string amount(double number, std::size_t column) const;

    [[nodiscard]] static std::size_t count(const Snapshot& snapshot, EntityKind kind); ///< all rows of a kind
    /// Rows in the order asked for; that of their ids without one. Error: Canceled.
    [[nodiscard]] Result<std::vector<std::uint32_t>> rows(const ListQuery& query, const Progress& progress = {}) const;

    /// Totals of the columns that are summed, over some rows; none for the others.
    [[nodiscard]] std::vector<std::optional<double>> totals(const std::vector<std::uint32_t>& rows) const;
    /// Rows that have the same text in a column, in natural order of it.
    struct Group {
        std::string text;
        std::vector<std::uint32_t> rows;
    };
    [[nodiscard]] std::vector<Group> groups(const std::vector<std::uint32_t>& rows, std::size_t column) const;

    /// Kinds that make sense as tables, the most used ones first.
    [[nodiscard]] static const std::vector<EntityKind>& kinds();

private:
    void addDerived();
    [[nodiscard]] EntityRef entity(std::uint32_t row) const { return {m_kind, row}; }
    [[nodiscard]] bool passes(const ListFilter& filter, std::uint32_t row) const;
    FiguresPtr m_figures;
    EntityKind m_kind;
    UnitPreference m_units; ///< of texts; exports are in SI units
    std::vector<ListColumn> m_columns;
};

/// Reads conditions as people type them: words (any column), `column=text`, `column!=text`, `column:text` (contains) and
/// `column>30 kW`, also with <, <=, >=; several separated by semicolons or, for plain words, spaces. Refused with the columns that there are.
[[nodiscard]] Result<std::vector<ListFilter>> readFilters(const EntityList& list, std::string_view text);

/// Writes the columns of the rows as .csv or .xlsx; numbers in the units of the headers ("power_limit_kw", "length_m").
[[nodiscard]] Result<void> writeList(const EntityList& list, const std::vector<std::uint32_t>& rows, const std::vector<std::size_t>& columns,
                                     const std::filesystem::path& file, const Progress& progress = {});
/// The same as JSON, schema hallwright.list/1.
[[nodiscard]] std::string listJson(const EntityList& list, const std::vector<std::uint32_t>& rows, const std::vector<std::size_t>& columns);

} // namespace hw
