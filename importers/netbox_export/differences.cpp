// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/netbox_export/differences.h"

#include "core/derived/geometry/frame.h"
#include "core/design/edit/edits.h"
#include "core/design/edit/edits_create.h"
#include "core/design/edit/fields.h"
#include "core/design/edit/lookup.h"
#include "core/foundation/model/references.h"
#include "core/foundation/model/tags.h"

#include <charconv>
#include <cmath>

#include <fmt/format.h>

namespace hw::netbox {

namespace {

using nlohmann::json;

/// What a person can compare; the rest belongs to everybody or follows from it.
bool isListed(std::size_t table)
{
    const std::string_view name = tableList()[table].name;
    return !tableList()[table].shared && name != "dcim/cable-bundles";
}

std::string nameOfTable(std::size_t table) { return std::string(tableList()[table].name).substr(std::string_view("dcim/").size()); }

std::optional<double> numberOf(const json& value)
{
    if (value.is_number()) return value.get<double>();
    if (!value.is_string()) return {};
    char* end = nullptr;
    const std::string text = value.get<std::string>();
    const double number = std::strtod(text.c_str(), &end);
    return !text.empty() && *end == 0 ? std::optional(number) : std::nullopt;
}

/// Whether NetBox's value of a field can be put into the design.
bool fitsDesign(EntityRef source, const std::string& field, const json& value)
{
    switch (source.kind) {
    case EntityKind::Rack:
        return field == "serial" || field == "name" ||
               ((field == "custom_fields.hall_x_mm" || field == "custom_fields.hall_y_mm") && numberOf(value));
    case EntityKind::Device:
        if (field == "serial" || field == "name") return true;
        if (field == "rack") return value.is_number_integer();
        if (field == "position") return numberOf(value).has_value();
        return (field == "custom_fields.hall_x_mm" || field == "custom_fields.hall_y_mm") && numberOf(value).has_value();
    case EntityKind::Cable: return field == "length" && numberOf(value).has_value();
    default: return false;
    }
}

/// The name of an item for people: that of a type is its model.
std::string shownItem(const Item& item)
{
    const auto model = item.body.find("model");
    return model != item.body.end() && model->is_string() ? model->get<std::string>() : item.name;
}

std::string joined(const std::vector<std::string>& names)
{
    std::string out;
    for (const auto& name : names) out += (out.empty() ? "" : ", ") + name;
    return out;
}

/// Tags of both sides as one row. That of exports says nothing of an object and is left out.
void addTags(const Session& session, const Step& step, std::vector<Difference>& rows)
{
    const auto& items = session.inventory.items;
    const Item& item = items[step.item];
    const json theirs = step.kept.value("tags", json::array());
    std::vector<std::string> ours, there;
    std::set<std::string> mine, other;
    for (const json& one : theirs) there.push_back(one.value("name", "")), other.insert(one.value("slug", ""));
    for (const json& one : item.body.value("tags", json::array())) {
        const Item& tag = items[one.value("$", std::size_t(0))];
        if (tag.name != kExportTag) ours.push_back(tag.name), mine.insert(tag.body.value("slug", ""));
    }
    if (mine == other) return;
    rows.push_back({DifferenceKind::Differs, item.table, item.name, "tags", joined(ours), joined(there), step.item, step.id, theirs,
                    !std::ranges::includes(other, mine), item.source.kind != EntityKind::None});
}

void addFields(const Session& session, const Step& step, std::vector<Difference>& rows)
{
    const Item& item = session.inventory.items[step.item];
    const auto add = [&](const std::string& field, const json& ours, const json& theirs, bool toNetbox = true) {
        const std::string last = field.substr(field.rfind('.') + 1);
        const auto own = item.body.find(field); // what is not in NetBox yet has no id
        const bool named = own != item.body.end() && own->is_object() && own->contains("$") && ours == 0;
        rows.push_back({DifferenceKind::Differs, item.table, item.name, field,
                        named ? shownItem(session.inventory.items[own->value("$", std::size_t(0))]) : session.sync->shown(last, ours),
                        session.sync->shown(last, theirs), step.item, step.id, theirs, toNetbox, fitsDesign(item.source, field, theirs)});
    };
    if (step.kept.contains("tags")) addTags(session, step, rows);
    for (const auto& [name, value] : step.changes.items()) {
        const auto was = step.was.find(name);
        if (name == "tags") continue;
        if (name == "custom_fields") {
            for (const auto& [field, wanted] : value.items())
                add("custom_fields." + field, wanted, was != step.was.end() && was->contains(field) ? (*was)[field] : json());
        } else
            add(name, value, was == step.was.end() ? json() : *was);
    }
    for (const auto& [field, theirs] : step.kept.items())
        if (field != "tags") add(field, "", theirs, false);
}

/// The tags of an object become those that NetBox has.
void takeTags(Snapshot& design, EntityRef entity, const json& theirs)
{
    std::map<std::string, ObjectTag> tags; // by slug
    for (ObjectTag& tag : objectTags(design)) tags.emplace(tag.slug, std::move(tag));
    std::set<std::string> changed;
    for (auto& [slug, tag] : tags)
        if (tag.on.erase(entity) > 0) changed.insert(slug);
    for (const json& one : theirs) {
        const std::string slug = one.value("slug", "");
        if (slug.empty()) continue;
        ObjectTag& tag = tags[slug];
        if (tag.slug.empty()) tag = {slug, one.value("name", slug), one.value("color", ""), {}};
        tag.on.insert(entity), changed.insert(slug);
    }
    for (const auto& slug : changed) putObjectTag(design, tags[slug]);
}

} // namespace

std::vector<Difference> differencesOf(const Session& session)
{
    std::vector<Difference> rows;
    for (std::size_t table = 0; table < tableList().size(); ++table) {
        if (!isListed(table)) continue;
        for (const std::size_t index : session.inventory.ofTable[table]) {
            const Step& step = session.sync->steps()[index];
            const Item& item = session.inventory.items[index];
            if (step.action == Action::Create) {
                const bool removable = item.source.kind == EntityKind::Rack || item.source.kind == EntityKind::Device;
                rows.push_back({DifferenceKind::DesignOnly, table, item.name, {}, item.name, {}, index, 0, {}, true, removable});
            } else if (step.action == Action::Conflict)
                rows.push_back({DifferenceKind::Conflict, table, item.name, {}, item.name, words(step.why), index, step.id, {}, false, false});
            else
                addFields(session, step, rows);
        }
        for (const Stranger& one : session.sync->strangers())
            if (one.table == table) rows.push_back({DifferenceKind::NetboxOnly, table, one.name, {}, {}, one.name, 0, one.id, {}, false, false});
    }
    return rows;
}

nlohmann::ordered_json differencesJson(const Session& session, std::span<const Difference> rows)
{
    nlohmann::ordered_json out{{"schema", "hallwright.netbox-diff/1"},
                               {"server", session.client->url()},
                               {"netbox", session.status.version},
                               {"differences", rows.size()},
                               {"rows", nlohmann::ordered_json::array()}};
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const Difference& row = rows[i];
        nlohmann::ordered_json one{{"row", i + 1}, {"table", nameOfTable(row.table)}, {"name", row.name}, {"kind", hw::wordOf(row.kind)}};
        if (!row.field.empty()) one["field"] = row.field;
        one["design"] = row.kind == DifferenceKind::NetboxOnly ? nlohmann::ordered_json() : nlohmann::ordered_json(row.design);
        one["netbox"] = row.kind == DifferenceKind::DesignOnly ? nlohmann::ordered_json() : nlohmann::ordered_json(row.netbox);
        if (row.id != 0) one["netbox_id"] = row.id;
        one["take"] = nlohmann::ordered_json::array();
        if (row.toNetbox) one["take"].push_back("design");
        if (row.toDesign) one["take"].push_back("netbox");
        out["rows"].push_back(std::move(one));
    }
    return out;
}

std::string differencesText(std::span<const Difference> rows)
{
    std::string out;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const Difference& row = rows[i];
        const std::string what = words(tableList()[row.table].what);
        Text text;
        switch (row.kind) {
        case DifferenceKind::DesignOnly: text = i18n("{}: {} is in the design only", what, row.name); break;
        case DifferenceKind::NetboxOnly: text = i18n("{}: {} is in NetBox only", what, row.name); break;
        case DifferenceKind::Conflict: text = i18n("{}: {} conflicts: {}", what, row.name, row.netbox); break;
        case DifferenceKind::Differs:
            text = i18n("{}: {}, {}: design {}, NetBox {}", what, row.name, row.field, row.design, row.netbox.empty() ? "–" : row.netbox);
            break;
        }
        out += fmt::format("{:>6}  {}\n", i + 1, words(text));
    }
    out += words(rows.empty() ? i18n("No differences between the design and NetBox.") : i18np(rows.size(), "{:L} difference", "{:L} differences")) +
           '\n';
    return out;
}

PlainTable differencesTable(std::span<const Difference> rows)
{
    PlainTable table{
        "NetBox", // no text: a name
        {{"row", 6}, {"kind", 12}, {"table", 16}, {"name", 30}, {"field", 24}, {"design", 30}, {"netbox", 30}, {"netbox_id", 10}, {"take", 16}},
        rows.size(),
        {}};
    table.each = [all = std::vector<Difference>(rows.begin(), rows.end())](const PlainTable::Take& take) -> Result<void> {
        for (std::size_t i = 0; i < all.size(); ++i) {
            const Difference& row = all[i];
            const auto cell = [](std::string text) { return text.empty() ? PlainTable::Cell() : PlainTable::Cell(std::move(text)); };
            const bool both = row.toNetbox && row.toDesign;
            const std::string sides = both ? "design, netbox" : row.toNetbox ? "design" : row.toDesign ? "netbox" : ""; // no text: words of --take
            const PlainTable::Cell cells[] = {double(i + 1),
                                              cell(std::string(hw::wordOf(row.kind))),
                                              cell(nameOfTable(row.table)),
                                              cell(row.name),
                                              cell(row.field),
                                              cell(row.design),
                                              cell(row.netbox),
                                              row.id != 0 ? PlainTable::Cell(double(row.id)) : PlainTable::Cell(),
                                              cell(sides)};
            if (const auto taken = take(cells); !taken) return taken;
        }
        return {};
    };
    return table;
}

Result<std::set<std::size_t>> chosenRows(std::string_view text, std::span<const Difference> rows, bool Difference::*able)
{
    std::set<std::size_t> chosen;
    if (text == "all") {
        for (std::size_t i = 0; i < rows.size(); ++i)
            if (rows[i].*able) chosen.insert(i);
        return chosen;
    }
    for (std::size_t at = 0; at <= text.size();) {
        const auto end = std::min(text.find(',', at), text.size());
        const std::string_view part = text.substr(at, end - at);
        std::size_t first = 0, last = 0;
        const char* to = part.data() + part.size();
        auto read = std::from_chars(part.data(), to, first);
        last = first;
        if (read.ec == std::errc() && read.ptr != to && *read.ptr == '-') read = std::from_chars(read.ptr + 1, to, last);
        if (read.ec != std::errc() || read.ptr != to || first < 1 || last < first || last > rows.size())
            return fail(ErrorCode::Usage, "--take " + std::string(part), i18n("no such row (1 to {})", rows.size()),
                        i18n("list rows as {}, or all", "1,4-6"));
        for (std::size_t row = first; row <= last; ++row) {
            const Difference& one = rows[row - 1];
            if (!(one.*able))
                return fail(ErrorCode::Refused, fmt::format("--take {}", row),
                            i18n("this side of {} {} cannot be applied", words(tableList()[one.table].what), one.name),
                            able == &Difference::toDesign ? i18n("change the design manually, or import it from NetBox")
                                                          : i18n("change it in NetBox"));
            chosen.insert(row - 1);
        }
        at = end + 1;
    }
    return chosen;
}

Result<void> takeFromNetbox(Transaction& transaction, const Session& session, std::span<const Difference> rows, const std::set<std::size_t>& chosen)
{
    std::map<int, RackId> racks; // of NetBox
    for (const std::size_t index : session.inventory.ofTable[tableIndex("dcim/racks")])
        if (const int id = session.sync->steps()[index].id; id != 0) racks[id] = RackId(session.inventory.items[index].source.id);
    std::vector<EntityRef> gone;
    std::map<std::uint32_t, std::pair<Maybe<RackId>, std::optional<int>>> moved; // devices: rack and unit
    for (const std::size_t row : chosen) {
        const Difference& one = rows[row];
        const Item& item = session.inventory.items[one.item];
        const EntityRef entity = item.source;
        const auto named = [&](const Error& error) {
            return fail(error.code, fmt::format("--take {} ({})", row + 1, one.name), i18n("{}: {}", error.where, error.what), error.todo);
        };
        const auto refuse = [&](Text what) {
            return fail(ErrorCode::Refused, fmt::format("--take {} ({})", row + 1, one.name), std::move(what), i18n("change the design manually"));
        };
        Result<void> done;
        const auto parts = ProjectParts::of(transaction->partTypes);
        if (!parts) return tl::unexpected(parts.error());
        if (one.kind == DifferenceKind::DesignOnly)
            gone.push_back(entity);
        else if (one.field == "tags")
            takeTags(*transaction, entity, one.value);
        else if (one.field == "serial") {
            edit::Lookup lookup(transaction.preview());
            const std::string serial = one.value.is_string() ? one.value.get<std::string>() : std::string();
            done =
                edit::setField(transaction, **parts, lookup, entity, "serial", serial.empty() ? std::optional<std::string>() : std::optional(serial));
        } else if (one.field == "name")
            done = edit::renameEntity(transaction, entity, one.value.is_string() ? one.value.get<std::string>() : std::string());
        else if (one.field == "custom_fields.hall_x_mm" || one.field == "custom_fields.hall_y_mm") {
            const bool x = one.field.ends_with("x_mm");
            const double ours = numberOf(item.body["custom_fields"].value(x ? "hall_x_mm" : "hall_y_mm", json())).value_or(0);
            const auto by = std::int64_t(std::llround(*numberOf(one.value) - ours));
            done = edit::moveEntity(transaction, entity, x ? by : 0, x ? 0 : by);
        } else if (one.field == "rack") {
            const auto rack = racks.find(one.value.get<int>());
            if (rack == racks.end()) return refuse(i18n("the rack is not in the design"));
            moved[entity.id].first = rack->second;
        } else if (one.field == "position") {
            const double unit = *numberOf(one.value);
            if (unit < 1 || unit > 100 || std::abs(unit - std::round(unit)) > 1e-6) return refuse(i18n("position {} is not a whole rack unit", unit));
            moved[entity.id].second = int(std::lround(unit));
        } else if (one.field == "length") {
            const std::string unit = session.sync->steps()[one.item].was.value("length_unit", json("m")).is_string()
                                         ? session.sync->steps()[one.item].was.value("length_unit", "m")
                                         : "m";
            const std::map<std::string, double> millimeters{{"km", 1e6}, {"m", 1000}, {"cm", 10}, {"mi", 1609344}, {"ft", 304.8}, {"in", 25.4}};
            const auto factor = millimeters.find(unit);
            if (factor == millimeters.end()) return refuse(i18n("unknown length unit: {}", unit));
            done = edit::setCableLength(transaction, CableId(entity.id), std::llround(*numberOf(one.value) * factor->second));
        } else
            return refuse(i18n("this field cannot be transferred"));
        if (!done) return named(done.error());
    }
    for (const auto& [device, place] : moved) {
        const DeviceId id(device);
        const auto parts = ProjectParts::of(transaction->partTypes);
        if (!parts) return tl::unexpected(parts.error());
        const auto rack = place.first ? place.first : transaction->devices.rack[id];
        if (!rack) continue;
        const int u = place.second ? *place.second : transaction->devices.u[id];
        if (const auto done = edit::placeDevice(transaction, **parts, id, *rack, u); !done) return done;
    }
    if (gone.empty()) return {};
    edit::Lookup lookup(transaction.preview());
    const auto removed = edit::remove(transaction, lookup, gone);
    return removed ? Result<void>() : tl::unexpected(removed.error());
}

Result<exchange::ImportPlan> planFromNetbox(const Session& session, std::span<const Difference> rows, const std::set<std::size_t>& chosen,
                                            const SnapshotPtr& base)
{
    exchange::ImportPlan plan;
    plan.name = i18n("Take values from NetBox");
    Document document(base);
    {
        auto transaction = document.begin(words(plan.name));
        if (const auto done = takeFromNetbox(transaction, session, rows, chosen); !done) return tl::unexpected(done.error());
        transaction.commit();
    }
    plan.facts.push_back(i18np(chosen.size(), "{:L} row taken from NetBox", "{:L} rows taken from NetBox"));
    plan.base = base, plan.after = document.snapshot();
    return plan;
}

Wanted wantedBy(const Session& session, std::span<const Difference> rows, const std::set<std::size_t>& chosen)
{
    Wanted wanted;
    const auto& items = session.inventory.items;
    std::vector<std::size_t> open;
    for (const std::size_t row : chosen) {
        const Difference& one = rows[row];
        auto& fields = wanted[one.item];
        if (!one.field.empty()) fields.insert(one.field);
        open.push_back(one.item);
    }
    std::set<std::size_t> seen(open.begin(), open.end());
    const std::function<void(const json&)> need = [&](const json& body) { // what it refers to has to be there
        if (body.is_object())
            if (const auto item = body.find("$"); item != body.end()) {
                const auto index = item->get<std::size_t>();
                if (seen.insert(index).second) open.push_back(index);
                return;
            }
        if (body.is_structured())
            for (const json& one : body) need(one);
    };
    // components of types that are needed
    std::map<std::size_t, std::vector<std::size_t>> ofType;
    for (std::size_t i = 0; i < items.size(); ++i)
        if (const auto type = items[i].body.find("device_type"); type != items[i].body.end() && tableList()[items[i].table].shared)
            ofType[type->value("$", std::size_t(0))].push_back(i);
    while (!open.empty()) {
        const std::size_t index = open.back();
        open.pop_back();
        if (session.sync->steps()[index].action == Action::Create) wanted.try_emplace(index);
        need(items[index].body);
        for (const auto* side : {&items[index].a, &items[index].b})
            for (const Termination& end : *side)
                if (seen.insert(end.owner).second) open.push_back(end.owner);
        if (const auto parts = ofType.find(index); parts != ofType.end())
            for (const std::size_t one : parts->second)
                if (seen.insert(one).second) open.push_back(one);
    }
    for (std::size_t i = 0; i < items.size(); ++i) // components that a cable ends at
        if (const auto device = items[i].body.find("device");
            device != items[i].body.end() && seen.contains(device->value("$", std::size_t(0))) && session.sync->steps()[i].action == Action::Create)
            for (const std::size_t cable : session.inventory.ofTable[tableIndex("dcim/cables")])
                if (wanted.contains(cable))
                    for (const auto* side : {&items[cable].a, &items[cable].b})
                        for (const Termination& end : *side)
                            if (end.owner == device->value("$", std::size_t(0)) && end.name == items[i].body.value("name", "")) wanted.try_emplace(i);
    std::set<std::string> fields; // custom fields that NetBox lacks
    for (const auto& [item, chosenFields] : wanted)
        if (const auto own = items[item].body.find("custom_fields"); own != items[item].body.end())
            for (const auto& [name, value] : own->items()) fields.insert(name);
    for (const std::size_t item : session.inventory.ofTable[tableIndex("extras/custom-fields")])
        if (fields.contains(items[item].name) && session.sync->steps()[item].action == Action::Create) wanted.try_emplace(item);
    return wanted;
}

Result<void> takeFromDesign(Session& session, std::span<const Difference> rows, const std::set<std::size_t>& chosen, const Target& target,
                            const std::filesystem::path& project, const Progress& progress)
{
    const Wanted wanted = wantedBy(session, rows, chosen);
    return writeTo(session, target, project, progress, &wanted);
}

} // namespace hw::netbox
