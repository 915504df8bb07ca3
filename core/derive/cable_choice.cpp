// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derive/cable_choice.h"

#include <algorithm>
#include <tuple>

namespace hw {

namespace {

constexpr std::int32_t kMetre = 1000;

std::int32_t nextMetre(std::int32_t mm) { return (mm + kMetre - 1) / kMetre * kMetre; }

std::int32_t reachOn(const TransceiverSpec& module, const std::string& medium)
{
    const auto it = module.reach.find(medium);
    return it == module.reach.end() ? 0 : it->second.value.count();
}

} // namespace

CableChoice::CableChoice(const PartTypes& table, const ProjectParts& parts) : m_parts(parts)
{
    table.forEach([&](PartTypeId id) {
        if (table.kind[id] == PartKind::Cable) m_cables.push_back(id);
        else if (table.kind[id] == PartKind::Transceiver) m_modules.push_back(id);
    });
    const auto bySlug = [&](PartTypeId a, PartTypeId b) { return parts[a].slug < parts[b].slug; };
    std::sort(m_cables.begin(), m_cables.end(), bySlug);
    std::sort(m_modules.begin(), m_modules.end(), bySlug);
}

std::uint32_t CableChoice::slugNumber(const std::string& slug)
{
    const auto it = std::find(m_slugs.begin(), m_slugs.end(), slug);
    if (it != m_slugs.end()) return std::uint32_t(it - m_slugs.begin());
    m_slugs.push_back(slug);
    return std::uint32_t(m_slugs.size() - 1);
}

std::vector<PartTypeId> CableChoice::modulesFor(const CableEnd& end, std::int32_t rateGbps, bool strict) const
{
    if (end.module) return {*end.module};
    std::vector<PartTypeId> result;
    for (const PartTypeId id : m_modules) {
        const TransceiverSpec& module = m_parts.transceiver(id);
        const bool fits = std::find(module.fits.begin(), module.fits.end(), m_slugs[end.slug]) != module.fits.end();
        if (fits && (!strict || module.rate.count() == rateGbps * end.split)) result.push_back(id);
    }
    return result;
}

/// A cable that brings its own ends: no transceivers, and none may have been chosen by hand.
void CableChoice::addDirect(Table& table, PartTypeId cableId, bool strict) const
{
    const CableClass& key = table.key;
    const CableSpec& cable = m_parts.cable(cableId);
    const auto takes = [&](const CableEnd& end) { return std::find(cable.fits.begin(), cable.fits.end(), m_slugs[end.slug]) != cable.fits.end(); };
    const std::int32_t whole = key.rateGbps * std::max(key.from.split, key.to.split);
    const bool right = takes(key.from) && takes(key.to) && (cable.rate.value.count() == 0 || cable.rate.value.count() == whole)
                       && cable.legs == std::max(key.from.cages, key.to.cages);
    if (key.from.module || key.to.module || (strict && !right)) return;
    table.options.push_back({cableId, {}, {}, cable.reach.value.count(), cable.stocked, cable.priceFixed.value, cable.pricePerMetre.value});
}

void CableChoice::addOptions(Table& table, bool strict) const
{
    const CableClass& key = table.key;
    const auto from = modulesFor(key.from, key.rateGbps, strict), to = modulesFor(key.to, key.rateGbps, strict);
    const int legs = std::max(key.from.cages, key.to.cages);
    for (const PartTypeId cableId : m_cables) {
        if (key.type && !(key.type == cableId)) continue;
        const CableSpec& cable = m_parts.cable(cableId);
        if (!cable.fits.empty()) addDirect(table, cableId, strict);
        if (!cable.fits.empty() || (strict && cable.legs != legs)) continue;
        for (const PartTypeId a : from)
            for (const PartTypeId b : to) {
                const TransceiverSpec &ma = m_parts.transceiver(a), &mb = m_parts.transceiver(b);
                const std::int32_t reach = std::min(reachOn(ma, cable.medium), reachOn(mb, cable.medium));
                const bool mates = ma.connector == cable.connector && mb.connector == cable.connector;
                if (reach == 0 || (strict && !(mates && interoperate(ma, key.from.split, mb, key.to.split)))) continue;
                const Money modules = ma.price.value * key.from.cages + mb.price.value * key.to.cages;
                table.options.push_back({cableId, a, b, reach, cable.stocked, cable.priceFixed.value + modules, cable.pricePerMetre.value});
            }
    }
}

std::uint32_t CableChoice::classNumber(const CableClass& key)
{
    const auto it = std::find_if(m_tables.begin(), m_tables.end(), [&](const Table& t) { return t.key == key; });
    if (it != m_tables.end()) return std::uint32_t(it - m_tables.begin());
    Table table{key, {}, {}, {}};
    addOptions(table, true);
    // What was chosen by hand is kept even where it does not go together; the rules say so.
    if (table.options.empty() && (key.type || key.from.module || key.to.module)) addOptions(table, false);
    for (const Option& option : table.options)
        for (const Millimetres length : option.stocked) table.upTo.push_back(length.count());
    std::sort(table.upTo.begin(), table.upTo.end());
    table.upTo.erase(std::unique(table.upTo.begin(), table.upTo.end()), table.upTo.end());
    for (const std::int32_t length : table.upTo) table.decisions.push_back(evaluate(table, length, std::nullopt));
    m_tables.push_back(std::move(table));
    return std::uint32_t(m_tables.size() - 1);
}

CableChoice::Decision CableChoice::evaluate(const Table& table, std::int32_t neededMm, std::optional<std::int32_t> fixedMm)
{
    // Smaller is better: reached and stocked, reached and cut to length, then by how far it reaches.
    using Rank = std::tuple<int, std::int32_t, std::int64_t>;
    std::optional<Rank> best;
    Decision result{table.key.type, table.key.from.module, table.key.to.module, fixedMm ? *fixedMm : nextMetre(neededMm), false};
    for (const Option& option : table.options) {
        const auto stocked = std::lower_bound(option.stocked.begin(), option.stocked.end(), Millimetres(neededMm));
        const bool cut = !fixedMm && stocked == option.stocked.end();
        const std::int32_t length = fixedMm ? *fixedMm : cut ? nextMetre(neededMm) : stocked->count();
        const bool reached = length <= option.reachMm;
        const std::int64_t cost = option.fixed.count() + option.perMetre.count() * length / kMetre;
        const Rank rank = reached ? Rank{cut ? 1 : 0, 0, cost} : Rank{2, -option.reachMm, cost};
        if (best && *best <= rank) continue;
        best = rank;
        result = {option.type, option.moduleFrom, option.moduleTo, length, !reached};
    }
    return result;
}

CableChoice::Decision CableChoice::decide(std::uint32_t cableClass, std::int32_t neededMm) const
{
    const Table& table = m_tables[cableClass];
    const auto it = std::lower_bound(table.upTo.begin(), table.upTo.end(), neededMm);
    if (it == table.upTo.end()) return evaluate(table, neededMm, std::nullopt);
    return table.decisions[std::size_t(it - table.upTo.begin())];
}

CableChoice::Decision CableChoice::decideFixed(std::uint32_t cableClass, std::int32_t lengthMm) const
{
    return evaluate(m_tables[cableClass], lengthMm, lengthMm);
}

} // namespace hw
