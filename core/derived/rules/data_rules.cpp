// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/figures/device_draw.h"
#include "core/derived/rules/functions.h"
#include "core/foundation/base/language.h"
#include "core/foundation/model/places.h"
#include "core/foundation/model/setting_values.h"
#include "core/foundation/money/price_book.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

namespace hw::rules {

namespace {

/// Rows of one table that share a name; empty names are allowed.
template <class TableT, class Say>
void duplicatesIn(const TableT& table, std::string_view kind, std::vector<Finding>& out, Say&& say)
{
    std::unordered_map<std::string_view, typename TableT::IdType> first;
    std::map<std::string_view, std::vector<EntityRef>> doubled;
    first.reserve(table.size());
    table.forEach([&](auto id) {
        const std::string& name = table.name[id];
        if (name.empty()) return;
        const auto [known, isNew] = first.emplace(name, id);
        if (isNew) return;
        auto& all = doubled[name];
        if (all.empty()) all.push_back(ref(known->second));
        all.push_back(ref(id));
    });
    for (auto& [name, entities] : doubled)
        out.push_back({.message = say(entities.size(), name), .entities = std::move(entities), .id = findingId("D1", {kind, name})});
}

/// Share of a place's load that rests on assumed figures, and the part types with the most of it.
struct Assumed {
    Milliwatts total, assumed;
    std::map<PartTypeId, Milliwatts> types;
    void add(PartTypeId type, Milliwatts load, bool isAssumed)
    {
        total += load;
        if (!isAssumed || load.count() == 0) return;
        assumed += load;
        types[type] += load;
    }
    [[nodiscard]] Text text(const ProjectParts& parts) const
    {
        std::vector<std::pair<Milliwatts, PartTypeId>> order;
        for (const auto& [type, load] : types) order.emplace_back(-load, type);
        std::ranges::sort(order);
        std::vector<std::string> slugs;
        for (std::size_t i = 0; i < order.size() && i < 3; ++i) slugs.push_back(parts[order[i].second].slug);
        Text names = listedNames(slugs);
        if (order.size() > 3) names = i18np(order.size() - 3, "{1} and {0} more", "{1} and {0} more", names);
        const double percent = total.count() ? 100.0 * double(assumed.count()) / double(total.count()) : 0.0;
        return percent > 99.5 ? i18n("all of this load is from assumed values ({})", names)
                              : i18n("{:.0f} % of this load is from assumed values ({})", percent, names);
    }
};

/// Over the limit, or below it by less than `percent`.
bool isClose(double loadW, Milliwatts limit, double percent) { return limit.count() > 0 && loadW > toWatts(limit) * (1.0 - percent / 100.0); }

/// Devices of every part type, without what feeds and cools the load: that is no load itself.
std::vector<std::int64_t> usedTypes(const Snapshot& s)
{
    std::vector<std::int64_t> used(s.partTypes.nextId());
    s.devices.forEach([&](DeviceId d) {
        const TierKind kind = s.tiers.kind[s.devices.tier[d]];
        if (kind != TierKind::Power && kind != TierKind::Cooling) ++used[s.devices.type[d].value];
    });
    return used;
}

} // namespace

std::vector<Finding> duplicateNames(const RuleInput& input)
{
    const Snapshot& s = input.snapshot();
    std::vector<Finding> out;
    duplicatesIn(s.networks, "network", out,
                 [](std::size_t n, std::string_view name) { return i18np(n, "{:L} network is named {}", "{:L} networks are named {}", name); });
    duplicatesIn(s.buildings, "building", out,
                 [](std::size_t n, std::string_view name) { return i18np(n, "{:L} building is named {}", "{:L} buildings are named {}", name); });
    duplicatesIn(s.halls, "hall", out,
                 [](std::size_t n, std::string_view name) { return i18np(n, "{:L} hall is named {}", "{:L} halls are named {}", name); });
    duplicatesIn(s.rows, "row", out,
                 [](std::size_t n, std::string_view name) { return i18np(n, "{:L} row is named {}", "{:L} rows are named {}", name); });
    duplicatesIn(s.racks, "rack", out,
                 [](std::size_t n, std::string_view name) { return i18np(n, "{:L} rack is named {}", "{:L} racks are named {}", name); });
    duplicatesIn(s.trays, "tray", out,
                 [](std::size_t n, std::string_view name) { return i18np(n, "{:L} tray is named {}", "{:L} trays are named {}", name); });
    duplicatesIn(s.devices, "device", out,
                 [](std::size_t n, std::string_view name) { return i18np(n, "{:L} device is named {}", "{:L} devices are named {}", name); });
    return together(std::move(out), labels(input));
}

std::vector<Finding> assumedValues(const RuleInput& input)
{
    const Snapshot& s = input.snapshot();
    const double percent = input.threshold(kCloseResult);
    std::vector<Assumed> buildings(s.buildings.nextId());
    std::map<PartTypeId, Assumed> racks; // racks close to their limit, by rack type
    std::map<PartTypeId, std::vector<EntityRef>> closeRacks;
    std::vector<std::uint8_t> rackIsClose(s.racks.nextId());
    s.racks.forEach([&](RackId rack) {
        const Milliwatts limit = rackPowerLimit(s, input.parts(), rack);
        if (limit.count() == 0 || !isClose(toWatts(input.figures.power->rack(rack).at(input.basis)), limit, percent)) return;
        rackIsClose[rack.value] = 1;
        closeRacks[s.racks.type[rack]].push_back(ref(rack));
    });
    s.devices.forEach([&](DeviceId d) {
        const PartTypeId type = s.devices.type[d];
        const Milliwatts load = input.figures.power->device(d).at(input.basis);
        const bool assumed = drawOf(input.parts().device(type), input.basis).assumed();
        if (const auto building = buildingOf(s, d)) buildings[(*building).value].add(type, load, assumed);
        if (const auto rack = s.devices.rack[d]; rack && rackIsClose[(*rack).value]) racks[s.racks.type[*rack]].add(type, load, assumed);
    });
    std::vector<Finding> out;
    const SiteLimit counts = siteLimit(input);
    s.buildings.forEach([&](BuildingId b) {
        const Milliwatts limit = s.buildings.itLimit[b];
        const double load = counts.loadW(input.figures.power->building(b).at(input.basis));
        if (!isClose(load, limit, percent) || buildings[b.value].assumed.count() == 0) return;
        out.push_back({.severity = Severity::Warning,
                       .message = i18n("{} is at {:.1f} % of its limit of {}; {}", input.name(ref(b)), 100.0 * load / toWatts(limit),
                                       powerText(limit), buildings[b.value].text(input.parts())),
                       .entities = {ref(b)},
                       .id = findingId("D3", {"P15", input.subject(ref(b))})});
    });
    for (const auto& [type, assumed] : racks) {
        if (assumed.assumed.count() == 0) continue;
        auto& entities = closeRacks[type];
        out.push_back({.severity = Severity::Warning,
                       .message = i18np(entities.size(), "{:L} rack of type {} is within {:.3g} % of the power limit; {}",
                                        "{:L} racks of type {} are within {:.3g} % of the power limit; {}", input.parts()[type].slug, percent,
                                        assumed.text(input.parts())),
                       .entities = std::move(entities),
                       .id = findingId("D3", {"P14", input.parts()[type].slug})});
    }
    return out;
}

std::vector<Finding> missingValues(const RuleInput& input)
{
    const Snapshot& s = input.snapshot();
    const auto used = usedTypes(s);
    std::vector<Finding> out;
    s.partTypes.forEach([&](PartTypeId type) {
        if (used[type.value] == 0) return;
        const DeviceSpec& spec = input.parts().device(type);
        std::vector<Text> missing;
        if (spec.weight.value.count() <= 0) missing.push_back(i18n("weight"));
        if (spec.design.value.count() <= 0 && spec.panel.positions == 0) missing.push_back(i18n("power"));
        if (spec.airflow.empty()) missing.push_back(i18n("airflow"));
        if (missing.empty()) return;
        const std::string slug = input.parts()[type].slug;
        out.push_back({.severity = Severity::Warning,
                       .message = i18n("{} ({:L} in the design): missing {}", slug, used[type.value], listed(missing)),
                       .entities = {ref(type)},
                       .id = findingId("D4", {slug})});
    });
    return out;
}

/// What D4 says of a type in use is not said twice.
std::vector<Finding> partLint(const RuleInput& input)
{
    const PartTypes& table = input.snapshot().partTypes;
    const auto used = usedTypes(input.snapshot());
    const Language english; // ids are the same in every language
    std::vector<Finding> out;
    table.forEach([&](PartTypeId type) {
        std::vector<LintIssue> issues;
        const std::string& slug = table.slug[type];
        if (const auto part = Catalog::parse(table.definition[type], slug, &issues); !part) issues.push_back({part.error().where, part.error().what});
        for (const auto& issue : issues) {
            if (used[type.value] > 0 && (issue.what == i18n("no airflow given") || issue.what == i18n("no weight given"))) continue;
            out.push_back({.severity = Severity::Warning,
                           .message = i18n("{}: {}", issue.where, issue.what),
                           .entities = {ref(type)},
                           .id = findingId("D5", {slug, english.words(issue.what)})});
        }
    });
    return out;
}

/// A finding for each currency that parts of the design are priced in and that has no rate: every total leaves them out.
std::vector<Finding> unratedPrices(const RuleInput& input)
{
    const Snapshot& s = input.snapshot();
    const PriceBook book(s, input.parts());
    std::set<PartTypeId> used;
    s.devices.forEach([&](DeviceId id) { used.insert(s.devices.type[id]); });
    s.racks.forEach([&](RackId id) { used.insert(s.racks.type[id]); });
    std::map<std::string, std::vector<EntityRef>> byCurrency;
    for (const PriceId id : book.withoutRate()) byCurrency[s.prices.currency[id]].push_back(ref(id));
    for (const PartTypeId type : used)
        if (book.of(type).noRate) byCurrency[kCatalogCurrency].push_back(ref(type));
    std::vector<Finding> out;
    for (auto& [currency, entities] : byCurrency)
        out.push_back(
            {.severity = Severity::Warning,
             .message = i18np(entities.size(),
                              "{:L} price is in {} without an exchange rate to {}: totals exclude it; set currency.{}.rate, .date and .source",
                              "{:L} prices are in {} without an exchange rate to {}: totals exclude them; set currency.{}.rate, .date and .source",
                              currency, settingOf(s, "project.currency"), currency),
             .entities = std::move(entities),
             .id = findingId("D8", {currency})});
    return out;
}

} // namespace hw::rules
