// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/edit/fields.h"

#include "core/design/edit/kinds.h"
#include "core/design/edit/places.h"
#include "core/design/edit/special_fields.h"
#include "core/foundation/base/spelling.h"
#include "core/foundation/base/trim.h"
#include "core/foundation/model/text_values.h"
#include "core/foundation/money/price_book.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>

#include <fmt/format.h>

namespace hw::edit {

namespace {

struct Measure {
    std::string_view suffix, unit; ///< of column names, and for people
};

constexpr Measure kMeasures[] = {{"_mm", "mm"}, {"_mw", "mW"}, {"_gbps", "Gb/s"}, {"_deg", "°"}, {"_kg_m2", "kg/m²"}};

const Measure* measureOf(std::string_view column)
{
    for (const auto& m : kMeasures)
        if (column.ends_with(m.suffix)) return &m;
    return nullptr;
}

constexpr std::int64_t kMoneyUnit = 10'000, kLargestSum = 1'000'000'000 * kMoneyUnit;

/// What can be set of a column, from its type and traits; nothing where nobody sets it.
template <class ColumnT>
std::optional<Field> fieldOf(const ColumnT& column)
{
    using V = typename ColumnT::Value;
    const ColumnTraits& traits = column.traits();
    if (traits.fixed) return std::nullopt;
    Field field;
    field.column = column.name();
    if (const auto* measure = measureOf(column.name())) field.unit = measure->unit;
    field.least = traits.least, field.most = traits.most, field.step = traits.step;
    if constexpr (kIsReference<ColumnT>) {
        field.kind = FieldKind::Reference;
        field.refersTo = kKindOf<typename ReferenceOf<ColumnT>::Table>;
        field.optional = ReferenceOf<ColumnT>::kOptional;
    } else if constexpr (Worded<V>) {
        field.kind = FieldKind::Choice;
        field.words = kWords<V>;
    } else if constexpr (!std::is_same_v<V, std::string>) {
        field.kind = column.name() == "color" ? FieldKind::Color : FieldKind::Number;
        if (field.least == 0 && field.most == 0) {
            if constexpr (std::is_integral_v<V>)
                field.least = std::numeric_limits<V>::min(), field.most = std::int64_t(std::numeric_limits<V>::max());
            else
                field.most = std::is_same_v<V, Money> ? kLargestSum : column::kFarthest;
        }
        field.money = std::is_same_v<V, Money>;
        const auto in = [&](std::initializer_list<std::string_view> names) { return std::ranges::find(names, field.column) != names.end(); };
        field.fromZero = in({"pod", "segment", "rail", "plane", "cell"});
        field.zeroIsNone = in({"it_limit_mw", "power_limit_mw", "contract_mw", "floor_load_kg_m2", "clear_height_mm", "height_mm", "length_mm",
                               "domain", "accelerator_rate_gbps", "lead_days"});
    }
    return field;
}

tl::unexpected<Error> refused(const Field& field, Text what, Text todo)
{
    return fail(ErrorCode::Refused, field.column, std::move(what), std::move(todo));
}

/// Shortest text in the largest unit that shows the number whole: 35000000 mW → 35 kW.
std::string shown(std::int64_t number, const Measure& measure, const UnitPreference& preference = {})
{
    if (measure.unit == "°") return fmt::format("{} °", number);
    if (measure.unit == "mW" && number == 0) return "0 kW"; // as limits are given
    if (measure.unit == "mm" && preference.feet) return feetText(double(number));
    const auto units = writtenUnits(measure.unit);
    const WrittenUnit* best = &units.front();
    for (const WrittenUnit& unit : units)
        if (!unit.onlyTyped && unit.size >= best->size && std::abs(number) >= std::int64_t(unit.size) &&
            number % std::max<std::int64_t>(1, std::int64_t(unit.size / 1000)) == 0)
            best = &unit;
    return fmt::format("{:.10g} {}", double(number) / best->size, measure.unit == "Gb/s" ? (best->size > 1 ? "Tb/s" : "Gb/s") : best->name);
}

Text ranged(const Field& field)
{
    if (field.money) return i18n("specify an amount from {} to {}", field.least / kMoneyUnit, field.most / kMoneyUnit);
    const auto [least, most] = fieldRange(field);
    if (field.step > 1) return i18n("specify {} to {}, in multiples of {}", least, most, field.step);
    return i18n("specify {} to {}", least, most);
}

Result<std::int64_t> readNumber(const Field& field, std::string_view text)
{
    std::int64_t number = 0;
    if (field.kind == FieldKind::Color && text.starts_with('#')) {
        const auto [end, error] = std::from_chars(text.data() + 1, text.data() + text.size(), number, 16);
        if (error != std::errc() || end != text.data() + text.size() || text.size() != 7)
            return refused(field, i18n("'{}' is not a color", text), i18n("use the form #rrggbb"));
    } else if (field.money) {
        const auto sum = readMoney(text);
        if (!sum) return refused(field, i18n("'{}' is not a valid amount", text), ranged(field));
        number = sum->count();
    } else {
        const auto read = readQuantity(text, field.unit);
        if (!read) return refused(field, read.error().what, read.error().todo.empty() ? ranged(field) : read.error().todo);
        number = *read;
    }
    if (number < field.least || number > field.most || number % field.step != 0)
        return refused(field, i18n("{} is out of range", text), ranged(field));
    return number;
}

/// The value of a column that a text stands for.
template <class V>
struct Reader {
    const Field& field;
    const ProjectParts& parts;
    Lookup& lookup;

    Result<V> read(const std::optional<std::string>& text) const
    {
        if constexpr (!std::is_void_v<typename Reference<V>::Table>) {
            return reference(text);
        } else {
            if (!text) return refused(field, i18n("a value is required"), field.kind == FieldKind::Number ? ranged(field) : i18n("give a value"));
            if constexpr (std::is_same_v<V, std::string>) {
                return checkPlainText(field.column, *text).transform([&] { return *text; });
            } else if constexpr (Worded<V>) {
                if (const auto word = fromWord<V>(*text)) return *word;
                return refused(field, i18n("'{}' is not a valid value", *text), i18n("choose from {}", listedNames(field.words)));
            } else {
                const auto number = readNumber(field, *text);
                if (!number) return tl::unexpected(number.error());
                if constexpr (std::is_integral_v<V>)
                    return V(*number);
                else
                    return V(decltype(std::declval<V>().count())(*number));
            }
        }
    }

private:
    Result<V> reference(const std::optional<std::string>& text) const
    {
        using Target = typename Reference<V>::Table;
        if (!text) {
            if constexpr (Reference<V>::kOptional) return V();
            return refused(field, i18n("a value is required"), i18n("give a value"));
        }
        const auto found = lookup.find(parts, *text, kKindOf<Target>);
        if (!found) return fail(ErrorCode::Refused, *text, i18n("name not found"), i18n("see `report` for names"));
        if (found->kind != kKindOf<Target>)
            return refused(field, i18n("{} is a different type of object", *text), i18n("specify a {}", kindText(kKindOf<Target>)));
        return V(Id<Target>(found->id));
    }
};

} // namespace

std::pair<std::string, std::string> fieldRange(const Field& field, const UnitPreference& preference)
{
    const auto* measure = measureOf(field.column);
    const auto text = [&](std::int64_t number) { return measure && number != 0 ? shown(number, *measure, preference) : std::to_string(number); };
    return {text(field.least), text(field.most)};
}

std::string inUnitShown(std::string_view asTyped, std::string_view asShown)
{
    const std::string typed = ungrouped(asTyped), shown = ungrouped(asShown);
    const auto tailOf = [](std::string_view text) -> std::optional<std::string_view> { // behind a number; none: it is no number
        text = trimmed(text);
        double number = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
        if (error != std::errc()) return std::nullopt;
        return trimmed(text.substr(std::size_t(end - text.data())));
    };
    const auto own = tailOf(typed), seen = tailOf(shown);
    if (!own || !own->empty() || !seen || seen->empty()) return std::string(asTyped);
    return fmt::format("{} {}", trimmed(typed), *seen);
}

Result<std::int64_t> readQuantity(std::string_view given, std::string_view unit)
{
    const auto value = readInUnit(given, unit);
    if (!value) return tl::unexpected(value.error());
    const double whole = std::round(*value);
    if (std::abs(whole) > 9e15) return fail(ErrorCode::Refused, std::string(given), i18n("'{}' is out of range", given), {});
    const char last = trimmed(given).back(); // there is a number
    if (whole != *value && ((last >= '0' && last <= '9') || last == '.'))
        return fail(ErrorCode::Refused, std::string(given), i18n("'{}' is not an integer", given), {});
    return std::int64_t(whole);
}

const std::vector<Field>& fieldsOf(EntityKind kind)
{
    static const auto all = [] {
        std::map<EntityKind, std::vector<Field>> fields;
        schemaSnapshot().eachTable([&](const auto& table) {
            using T = std::decay_t<decltype(table)>;
            if constexpr (kKindOf<T> != EntityKind::None)
                eachColumn(table, [&](const auto& column, std::size_t) {
                    if (auto field = fieldOf(column)) fields[kKindOf<T>].push_back(std::move(*field));
                });
        });
        return fields;
    }();
    static const std::vector<Field> none;
    const auto found = all.find(kind);
    return found != all.end() ? found->second : none;
}

/// Labels of columns whose names are not the words of the trade.
static constexpr std::pair<std::string_view, TextId> kWrittenLabels[] = {{"it_limit", TextId("IT limit")},
                                                                         {"per_metre", TextId("Price per meter")},
                                                                         {"lead_days", TextId("Lead time, days")},
                                                                         {"serial", TextId("Serial number")}};

Text fieldLabel(const Field& field)
{
    std::string label = field.column;
    if (const auto* measure = measureOf(label)) label.resize(label.size() - measure->suffix.size());
    for (const auto& [column, written] : kWrittenLabels)
        if (label == column) return resourceText(std::string(written.id));
    std::ranges::replace(label, '_', ' ');
    if (label[0] >= 'a' && label[0] <= 'z') label[0] = char(label[0] - 'a' + 'A');
    return resourceText(label);
}

const Field* findField(EntityKind kind, std::string_view column)
{
    for (const Field& field : fieldsOf(kind)) {
        if (sameName(field.column, column)) return &field;
        const auto* measure = measureOf(field.column);
        if (measure && field.column.size() == column.size() + measure->suffix.size() && field.column.starts_with(column)) return &field;
    }
    return nullptr;
}

std::string fieldText(const Snapshot& s, const ProjectParts& parts, EntityRef entity, const Field& field, const UnitPreference& preference)
{
    std::string text;
    visitEntity(s, entity, [&](const auto& table, auto id) {
        eachColumn(table, [&](const auto& column, std::size_t) {
            using C = std::decay_t<decltype(column)>;
            if (column.name() != field.column) return;
            if constexpr (kIsReference<C>) {
                using Target = typename ReferenceOf<C>::Table;
                if constexpr (kKindOf<Target> != EntityKind::None)
                    if (const auto raw = rawOf(column[id]); raw != kNoRow) text = entityName(s, parts, ref(Id<Target>(raw)));
            } else if (field.kind == FieldKind::Color) {
                std::uint32_t rgb = 0;
                (void)text::fromText(column.rowText(id.value), rgb);
                text = fmt::format("#{:06x}", rgb);
            } else {
                text = column.rowText(id.value);
                std::int64_t number = 0;
                if (field.money && text::fromText(text, number))
                    text = fmt::format("{:.14g}", double(number) / kMoneyUnit);
                else if (const auto* measure = measureOf(field.column); measure && text::fromText(text, number))
                    text = shown(number, *measure, preference);
            }
        });
    });
    return text;
}

std::string formText(const Snapshot& s, const ProjectParts& parts, EntityRef entity, const Field& field, const UnitPreference& preference)
{
    if (field.zeroIsNone && fieldNumber(s, entity, field) == 0) return {};
    if (!field.fromZero) return fieldText(s, parts, entity, field, preference);
    const auto number = fieldNumber(s, entity, field);
    return number && *number >= 0 ? std::to_string(*number + 1) : std::string();
}

std::optional<std::string> fromForm(const Field& field, std::string_view given, std::string_view shown, const UnitPreference& preference)
{
    const std::string_view typed = trimmed(given);
    if (field.kind == FieldKind::Reference && typed.empty()) return std::nullopt;
    if (field.zeroIsNone && typed.empty()) return "0";
    if (field.fromZero) {
        if (typed.empty()) return "-1";
        std::int64_t number = 0;
        const auto [end, error] = std::from_chars(typed.data(), typed.data() + typed.size(), number);
        if (error != std::errc() || end != typed.data() + typed.size()) return std::string(typed);
        return std::to_string(number > 0 ? number - 1 : -2); // there is no number 0: out of range
    }
    if (field.kind != FieldKind::Number) return std::string(typed);
    if (!shown.empty() || !field.zeroIsNone) return inUnitShown(typed, shown);
    return inUnitShown(typed, field.unit == "mm" ? (preference.feet ? "1 ft" : "1 m")
                                                 : quantityText(0, field.unit)); // nothing is shown: as such values are entered
}

std::optional<std::int64_t> fieldNumber(const Snapshot& s, EntityRef entity, const Field& field)
{
    std::optional<std::int64_t> found;
    if (field.kind != FieldKind::Number) return found;
    visitEntity(s, entity, [&](const auto& table, auto id) {
        eachColumn(table, [&](const auto& column, std::size_t) {
            std::int64_t number = 0;
            if (column.name() == field.column && text::fromText(column.rowText(id.value), number)) found = number;
        });
    });
    return found;
}

std::string quantityText(std::int64_t number, std::string_view unit, const UnitPreference& preference)
{
    for (const auto& measure : kMeasures)
        if (measure.unit == unit) return shown(number, measure, preference);
    return std::to_string(number);
}

namespace {

tl::unexpected<Error> noField(EntityKind kind, std::string_view column)
{
    std::vector<std::string> names;
    for (const Field& field : fieldsOf(kind)) names.push_back(field.column);
    if (names.empty()) return fail(ErrorCode::Usage, std::string(column), i18n("this object has no columns that can be set"), i18n("omit it"));
    return fail(ErrorCode::Usage, std::string(column), i18n("a {} has no settable column with this name", kindText(kind)),
                i18n("choose from {}", listedNames(names)));
}

/// Writes the value and marks what was changed by hand.
template <class TableT, class IdT, class ColumnT, class V>
void write(TableT& table, IdT id, ColumnT& column, V value)
{
    if (column[id] == value) return;
    column.set(id, std::move(value));
    if constexpr (requires { table.overridden[id] | std::uint32_t(); }) {
        using Bits = typename std::decay_t<decltype(table.overridden)>::Value;
        table.overridden.set(id, Bits(table.overridden[id] | column.traits().keptBy));
    }
}

} // namespace

Result<void> setField(Transaction& t, const ProjectParts& parts, Lookup& lookup, EntityRef entity, std::string_view name,
                      const std::optional<std::string>& value)
{
    Snapshot& s = *t;
    if (!living(s, entity))
        return fail(ErrorCode::Refused, std::string(name), i18n("belongs to an object that does not exist"), i18n("specify another object"));
    const Field* field = findField(entity.kind, name);
    if (!field) return noField(entity.kind, name);
    if (field->column == "name") return renameEntity(t, entity, value.value_or(std::string()), &lookup);
    if (auto special = setSpecially(t, parts, lookup, entity, *field, value)) return *special;
    Result<void> done;
    visitEntity(s, entity, [&](auto& table, auto id) {
        eachColumn(table, [&](auto& column, std::size_t) {
            if (column.name() != field->column) return;
            using V = typename std::decay_t<decltype(column)>::Value;
            auto read = Reader<V>{*field, parts, lookup}.read(value);
            if (!read)
                done = tl::unexpected(read.error());
            else
                write(table, id, column, std::move(*read));
        });
    });
    return done;
}

} // namespace hw::edit
