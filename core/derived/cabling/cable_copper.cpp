// SPDX-License-Identifier: GPL-3.0-or-later
// Copper between sockets of several connectors: one assembly in place of all cables of a bundle.
#include "core/derived/cabling/cable_choice.h"

#include <algorithm>

namespace hw {

namespace {

/// Plugs of an assembly: two slugs are those of the undivided end and of the legs, one is of all.
bool plugs(const CableSpec& cable, const Interface& trunk, const Interface& leg)
{
    return !cable.fits.empty() && cable.fits.size() <= 2 && cable.fits.front() == trunk.socketSlug() && cable.fits.back() == leg.socketSlug();
}

} // namespace

std::uint32_t CableChoice::copperNumber(const CableClass& key, bool trunkFrom, int legs)
{
    const auto known =
        std::find_if(m_copper.begin(), m_copper.end(), [&](const Copper& c) { return c.trunkFrom == trunkFrom && c.legs == legs && c.key == key; });
    if (known != m_copper.end()) return known->table.options.empty() ? kNone : std::uint32_t(known - m_copper.begin());
    Copper copper{key, trunkFrom, legs, {}};
    copper.table.key = key;
    const CableEnd &trunk = trunkFrom ? key.from : key.to, &leg = trunkFrom ? key.to : key.from;
    const Interface &own = m_kinds[trunk.kind].interface, &far = m_kinds[leg.kind].interface;
    const int whole = own.rate.count() * own.perSocket(), rest = far.rate.count() * far.perSocket();
    const bool wanted = !key.from.module && !key.to.module && rest * legs == whole;
    for (const PartTypeId id : m_cables) {
        const CableSpec& cable = m_parts.cable(id);
        if (!wanted || (key.type && !(key.type == id)) || cable.trunks != 1 || cable.legs != legs || cable.rate.value.count() != whole) continue;
        if (!plugs(cable, own, far) && !(legs == 1 && plugs(cable, far, own))) continue;
        copper.table.options.push_back({id, {}, cable.reach.value.count(), cable.stocked, cable.priceFixed.value, cable.pricePerMeter.value, {}});
    }
    m_copper.push_back(std::move(copper));
    return m_copper.back().table.options.empty() ? kNone : std::uint32_t(m_copper.size() - 1);
}

std::int64_t CableChoice::costOf(const Wanted& cable, const Decision& decision) const
{
    for (const Option& option : m_tables[cable.cableClass].options)
        if (option.type == decision.type && option.modules == Modules{decision.moduleFrom, decision.moduleTo})
            return option.fixed.count() + option.perMeter.count() * decision.lengthMm / 1000;
    return 0;
}

std::optional<CableChoice::Decision> CableChoice::copperInstead(std::uint32_t copper, std::span<const Wanted> cables,
                                                                std::span<const Decision> decisions) const
{
    std::int32_t longest = 0;
    std::int64_t others = 0;
    bool bought = true, fixed = true;
    for (std::size_t i = 0; i < cables.size(); ++i) {
        fixed = fixed && cables[i].fixed && (i == 0 || cables[i].neededMm == longest);
        longest = std::max(longest, cables[i].neededMm);
        bought = bought && decisions[i].type && !decisions[i].reachExceeded;
        others += costOf(cables[i], decisions[i]);
    }
    const Option* best = nullptr;
    Decision result;
    std::int64_t least = 0;
    for (const Option& option : m_copper[copper].table.options) {
        const auto stocked = std::lower_bound(option.stocked.begin(), option.stocked.end(), Millimeters(longest));
        if (!fixed && stocked == option.stocked.end()) continue;
        const std::int32_t length = fixed ? longest : stocked->count();
        if (length > option.reachMm) continue;
        const std::int64_t cost = option.fixed.count() + option.perMeter.count() * length / 1000;
        if (best && cost >= least) continue;
        best = &option;
        least = cost;
        result = {option.type, {}, {}, length, false};
    }
    const bool byHand = m_copper[copper].key.type.has_value();
    if (!best || (bought && !byHand && others <= least)) return std::nullopt;
    return result;
}

} // namespace hw
