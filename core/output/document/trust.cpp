// SPDX-License-Identifier: GPL-3.0-or-later
// Which figures are known, and from where.
#include "core/output/document/parts.h"

#include "core/foundation/catalog/facts.h"
#include "core/foundation/settings/registry.h"
#include "core/output/report/amounts.h"

#include <algorithm>
#include <map>

namespace hw::document {
namespace {

using namespace amounts;

constexpr std::array kLetters{Confidence::A, Confidence::B, Confidence::Assumed, Confidence::Derived};

Text meaningOf(Confidence confidence)
{
    switch (confidence) {
    case Confidence::A: return i18n("specified by the vendor or a standard");
    case Confidence::B: return i18n("from a published paper or a secondary source");
    case Confidence::Assumed: return i18n("assumed: confirm before use");
    case Confidence::Derived: return i18n("derived from other figures");
    }
    return {};
}

/// Part types that the design has something of.
std::vector<PartTypeId> usedParts(const Input& in)
{
    const Snapshot& s = in.snapshot();
    std::vector<char> used(s.partTypes.nextId(), 0);
    s.racks.forEach([&](RackId id) { used[s.racks.type[id].value] = 1; });
    s.devices.forEach([&](DeviceId id) { used[s.devices.type[id].value] = 1; });
    s.trays.forEach([&](TrayId id) { used[s.trays.type[id].value] = 1; });
    for (const auto& [type, count] : in.figures.cabling->transceivers()) used[type.value] = 1;
    for (const auto& [key, count] : in.figures.cabling->physicalByTypeLength()) used[key.type.value] = 1;
    std::vector<PartTypeId> parts;
    s.partTypes.forEach([&](PartTypeId id) {
        if (used[id.value]) parts.push_back(id);
    });
    return parts;
}

struct Trusted {
    const Part* part;
    std::vector<StatedFact> facts;
    [[nodiscard]] std::int64_t count(Confidence c) const { return std::ranges::count(facts, c, &StatedFact::confidence); }
};

Table countsTable(const std::vector<Trusted>& parts)
{
    Table table;
    table.caption = i18n("Specified values of the part types in this design");
    table.columns = {{i18n("Basis"), 0.5}, {i18n("Meaning"), 4}, {i18n("Values"), 1, true}, {i18n("Share"), 1, true}};
    std::int64_t total = 0;
    for (const auto& part : parts) total += std::int64_t(part.facts.size());
    for (const Confidence c : kLetters) {
        std::int64_t count = 0;
        for (const auto& part : parts) count += part.count(c);
        table.rows.push_back({{Cell(verbatim(std::string(1, char(c))), c == Confidence::Assumed ? Tone::Warning : Tone::Plain), meaningOf(c),
                               grouped(count), percent(total ? double(count) / double(total) : 0)}});
    }
    return table;
}

Table partsTable(const std::vector<Trusted>& parts)
{
    Table table;
    table.columns = {{i18n("Part"), 2.4},    {i18n("A"), 0.4, true}, {i18n("B"), 0.4, true},
                     {i18n("C"), 0.4, true}, {i18n("D"), 0.4, true}, {i18n("Reviewed"), 0.9}};
    for (const auto& [part, facts] : parts) {
        const Trusted one{part, facts};
        Table::Row row{{verbatim(part->model.empty() ? part->slug : part->model)}};
        for (const Confidence c : kLetters)
            row.cells.push_back(Cell(grouped(one.count(c)), c == Confidence::Assumed && one.count(c) ? Tone::Warning : Tone::Plain));
        row.cells.push_back(verbatim(part->reviewed));
        table.rows.push_back(std::move(row));
    }
    return table;
}

/// Every value with its source, by part; of parts that agree on the source of all their values, one line.
Table sourcesTable(const std::vector<Trusted>& parts)
{
    Table table;
    table.columns = {{i18n("Basis"), 0.5}, {i18n("Value"), 2.2}, {i18n("Specified"), 1.4}, {i18n("Source"), 4}};
    for (const auto& [part, facts] : parts) {
        if (facts.empty()) continue;
        table.rows.push_back({{verbatim(part->model.empty() ? part->slug : part->model)}, RowKind::Group});
        for (const Confidence c : {Confidence::Assumed, Confidence::B, Confidence::Derived, Confidence::A}) {
            std::map<std::string, std::pair<std::vector<std::string>, std::vector<std::string>>> bySource; // keys and values
            for (const StatedFact& fact : facts)
                if (fact.confidence == c) bySource[fact.source].first.push_back(fact.key), bySource[fact.source].second.push_back(fact.value);
            for (const auto& [source, said] : bySource) {
                std::vector<std::string> values;
                std::ranges::copy_if(said.second, std::back_inserter(values), [](const std::string& v) { return !v.empty(); });
                table.rows.push_back(
                    {{Cell(verbatim(std::string(1, char(c))), c == Confidence::Assumed ? Tone::Warning : Tone::Plain), listedNames(said.first),
                      listedNames(values), source.empty() ? Cell(i18n("not specified"), Tone::Dim) : Cell(verbatim(source))}});
            }
        }
    }
    return table;
}

/// Settings that the project leaves at their default, and where that comes from.
Table settingsTable(const Snapshot& s)
{
    Table table;
    table.columns = {{i18n("Setting"), 2.4}, {i18n("Contents"), 1, true}, {i18n("From"), 4}};
    for (const Setting& setting : settingsRegistry()) {
        if (isPattern(setting.key) || setting.writer != SettingWriter::User || setting.source.empty() || setting.fallback.empty()) continue;
        if (!s.setting(setting.key).empty()) continue;
        table.rows.push_back(
            {{setting.label, verbatim(setting.unit.empty() ? setting.fallback : setting.fallback + " " + setting.unit), setting.source}});
    }
    return table;
}

Table thresholdsTable(const Snapshot& s)
{
    Table table;
    table.columns = {{i18n("Rule"), 0.5}, {i18n("Threshold"), 2.6}, {i18n("Value"), 1, true}, {i18n("From"), 3.5}};
    for (const Rule& rule : allRules())
        for (const Threshold& t : rule.thresholds) {
            const std::string own = s.setting(t.setting);
            table.rows.push_back({{verbatim(std::string(rule.id)), verbatim(std::string(t.setting)),
                                   own.empty() ? i18n("{:g} {}", t.value, Text(t.unit)) : i18n("{} {}", own, Text(t.unit)),
                                   own.empty() ? Text(t.source) : i18n("set in the project")}});
        }
    return table;
}

} // namespace

void addTrust(const Input& in, std::vector<Section>& sections)
{
    std::vector<Trusted> parts;
    for (const PartTypeId id : usedParts(in)) parts.push_back({&in.parts()[id], statedFacts(in.parts()[id])});
    std::ranges::stable_sort(parts, {}, [](const Trusted& t) { return t.part->slug; });
    Section section{i18n("Assumptions and sources"), 1, "trust", {}};
    section.blocks.push_back(countsTable(parts));
    if (!parts.empty()) section.blocks.push_back(partsTable(parts));
    sections.push_back(std::move(section));
    if (!parts.empty()) sections.push_back({i18n("Values and their sources"), 2, "trust.values", {sourcesTable(parts)}});
    if (Table settings = settingsTable(in.snapshot()); !settings.rows.empty())
        sections.push_back({i18n("Settings at their defaults"), 2, "trust.settings", {std::move(settings)}});
    sections.push_back({i18n("Rule thresholds"), 2, "trust.thresholds", {thresholdsTable(in.snapshot())}});
}

} // namespace hw::document
