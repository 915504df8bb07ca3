// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/design/edit/edits.h"
#include "core/foundation/base/quantity.h"

#include <span>

namespace hw::edit {

enum class FieldKind { Text, Number, Choice, Color, Reference };

/// A column that a person may set, as its declaration in core/foundation/model/tables.h says. Forms, scripts and checks are made of it.
struct Field {
    std::string column; ///< "power_limit_mw"; scripts may leave the unit out
    FieldKind kind = FieldKind::Text;
    std::string unit;                        ///< of the number that is stored: mm, mW, Gb/s, °; empty for none
    std::int64_t least = 0, most = 0;        ///< of Number and Color
    std::int32_t step = 1;                   ///< a multiple of this
    std::span<const std::string_view> words; ///< of Choice
    EntityKind refersTo = EntityKind::None;  ///< of Reference
    bool optional = false;                   ///< a reference that may be none
    bool money = false;                      ///< a sum: written in whole units of the currency, "1250.5"; `most` is in 1/10,000
    bool fromZero = false;                   ///< a coordinate of the fabric that is stored from 0 and that people count from 1; -1: has none
    bool zeroIsNone = false;                 ///< 0 stands for nothing stated, or for what is computed
};

/// The columns of a kind that `setField` changes, in the order of the table.
[[nodiscard]] const std::vector<Field>& fieldsOf(EntityKind kind);
/// What a form calls it, from the column's name: "Power limit", "Floor load".
[[nodiscard]] Text fieldLabel(const Field& field);
/// The least and most of a number, with its unit in the size that people write: "1 mm" and "10 km".
[[nodiscard]] std::pair<std::string, std::string> fieldRange(const Field& field, const UnitPreference& preference = {});
/// By the column's name, with or without its unit (_mm, _mw, _gbps, _deg); null when the kind has none.
[[nodiscard]] const Field* findField(EntityKind kind, std::string_view column);
/// What a field holds, for people and as `setField` takes it: "12.5 m", "35 kW", "pod", "row-01"; empty for none.
[[nodiscard]] std::string fieldText(const Snapshot& snapshot, const ProjectParts& parts, EntityRef entity, const Field& field,
                                    const UnitPreference& preference = {});

/// The same for forms and tables: coordinates of the fabric counted from 1, and empty where nothing is stated.
[[nodiscard]] std::string formText(const Snapshot& snapshot, const ProjectParts& parts, EntityRef entity, const Field& field,
                                   const UnitPreference& preference = {});
/// What `setField` takes for a text typed into a form or table where it says `shown`; nothing: the reference is taken away.
[[nodiscard]] std::optional<std::string> fromForm(const Field& field, std::string_view typed, std::string_view shown,
                                                  const UnitPreference& preference = {});
/// The number that a field holds, as stored; nothing for texts, words and references.
[[nodiscard]] std::optional<std::int64_t> fieldNumber(const Snapshot& snapshot, EntityRef entity, const Field& field);
/// A number in the size that people write, of a unit as `Field::unit` has it: 35000000 mW → "35 kW".
[[nodiscard]] std::string quantityText(std::int64_t number, std::string_view unit, const UnitPreference& preference = {});

/// A number with a unit, in the unit of what is stored: "35 kW" in mW, "12.5 m" in mm; a bare number is taken as it is.
[[nodiscard]] Result<std::int64_t> readQuantity(std::string_view text, std::string_view unit);
/// A number typed into a field that shows `shown`, with the unit that is seen there: "60" where it says "35 kW" is "60 kW". What has a unit, or
/// is no number, stays as it is.
[[nodiscard]] std::string inUnitShown(std::string_view typed, std::string_view shown);

/// Sets one column from text; nothing = none. Range, unit, words and references are checked: Refused, Usage for an unknown column.
[[nodiscard]] Result<void> setField(Transaction& transaction, const ProjectParts& parts, Lookup& lookup, EntityRef entity, std::string_view column,
                                    const std::optional<std::string>& value);

} // namespace hw::edit
