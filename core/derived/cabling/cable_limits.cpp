// SPDX-License-Identifier: GPL-3.0-or-later
// What bounds a choice beside rate and plugs: loss, panels, polarity; and what else could have been chosen.
#include "core/derived/cabling/cable_choice.h"
#include "core/derived/cabling/cable_reason.h"

#include <algorithm>
#include <limits>
#include <tuple>

namespace hw {

namespace {

/// Alike but for which side the pairs come out on.
bool alike(const CableSpec& a, const CableSpec& b)
{
    const auto all = [](const CableSpec& c) {
        return std::tie(c.medium, c.connector, c.legConnector, c.trunks, c.legs, c.fibers, c.positions, c.fits);
    };
    return all(a) == all(b);
}

/// A cord that carries all of a breakout's fibers on from a panel.
bool carriesOn(const CableSpec& cord, const CableSpec& breakout)
{
    return cord.legs == 1 && cord.trunks == 1 && cord.positions == 1 && cord.crosses && cord.fits.empty() && breakout.fits.empty() &&
           breakout.trunks == 1 && cord.medium == breakout.medium && cord.connector == breakout.connector && cord.legConnector == cord.connector &&
           cord.fibers >= breakout.fibers;
}

} // namespace

void CableChoice::learnCords()
{
    for (const PartTypeId id : m_cables) {
        const CableSpec& cable = m_parts.cable(id);
        Cord cord{id, {}, {}, cable.crosses, cable.stocked};
        if (cable.legs == 1) cord.undivided = id;
        for (const PartTypeId other : m_cables) {
            const CableSpec& spec = m_parts.cable(other);
            if (!cord.other && spec.crosses != cable.crosses && alike(spec, cable)) cord.other = other;
            if (!cord.undivided && carriesOn(spec, cable)) cord.undivided = other;
        }
        m_cords.push_back(std::move(cord));
    }
    std::sort(m_cords.begin(), m_cords.end(), [](const Cord& a, const Cord& b) { return a.type < b.type; });
}

const CableChoice::Cord* CableChoice::cord(PartTypeId type) const
{
    const auto at = std::lower_bound(m_cords.begin(), m_cords.end(), type, [](const Cord& c, PartTypeId id) { return c.type < id; });
    return at != m_cords.end() && at->type == type ? &*at : nullptr;
}

bool CableChoice::crosses(PartTypeId type) const
{
    const Cord* known = cord(type);
    return !known || known->crosses;
}

Maybe<PartTypeId> CableChoice::otherPolarity(PartTypeId type) const
{
    const Cord* known = cord(type);
    return known ? known->other : Maybe<PartTypeId>();
}

Maybe<PartTypeId> CableChoice::undivided(PartTypeId type) const
{
    const Cord* known = cord(type);
    return known ? known->undivided : Maybe<PartTypeId>();
}

std::int32_t CableChoice::boughtLength(Maybe<PartTypeId> type, std::int32_t neededMm) const
{
    const Cord* known = type ? cord(*type) : nullptr;
    if (known) {
        const auto stocked = std::lower_bound(known->stocked.begin(), known->stocked.end(), Millimeters(neededMm));
        if (stocked != known->stocked.end()) return stocked->count();
    }
    return (neededMm + 999) / 1000 * 1000;
}

std::int32_t CableChoice::longestBought(std::uint32_t cableClass, std::int32_t neededMm) const
{
    std::int32_t longest = (neededMm + 999) / 1000 * 1000;
    for (const Option& option : m_tables[cableClass].options) longest = std::max(longest, boughtLength(option.type, neededMm));
    return longest;
}

bool CableChoice::suits(const CableClass& key, PartTypeId id) const
{
    if (key.type == id) return true;
    const CableSpec& cable = m_parts.cable(id);
    if (cable.positions > 1 || !cable.crosses) return false;
    if (!key.panel) return true;
    if (m_parts.device(*key.panel).panel.connector != cable.connector || !undivided(id)) return false;
    return !key.trunk || m_parts.cable(*key.trunk).medium == cable.medium;
}

std::int32_t CableChoice::withinLoss(const CableClass& key, const CableSpec& cable, const TransceiverSpec& a, const TransceiverSpec& b,
                                     std::int32_t reachMm) const
{
    const auto budget = lossBudget(a, b, cable.medium);
    const std::int32_t each = m_loss.perKilometer(cable.medium, a.signal);
    if (!budget || each <= 0 || reachMm <= 0) return reachMm;
    const std::int64_t left = *budget - key.jointsMdb - m_loss.atModules * m_loss.pair(a.connector);
    if (left <= 0) return std::min(reachMm, 1); // it works in principle, and over no way
    return std::int32_t(std::min<std::int64_t>(reachMm, left * 1'000'000 / each));
}

std::int32_t CableChoice::limitOf(std::uint32_t cableClass, const Decision& decision) const
{
    for (const Option& option : m_tables[cableClass].options)
        if (option.type == decision.type && option.modules == Modules{decision.moduleFrom, decision.moduleTo}) return option.reachMm;
    return 0;
}

std::vector<CableChoice::Candidate> CableChoice::candidates(std::uint32_t cableClass, std::int32_t neededMm) const
{
    std::vector<Candidate> all;
    for (const Option& option : m_tables[cableClass].options) {
        const auto stocked = std::lower_bound(option.stocked.begin(), option.stocked.end(), Millimeters(neededMm));
        Candidate c{option.type, option.modules.from, option.modules.to, 0, option.reachMm, {}, false, stocked != option.stocked.end()};
        c.lengthMm = c.stocked ? stocked->count() : (neededMm + 999) / 1000 * 1000;
        c.cost = Money(option.fixed.count() + option.perMeter.count() * c.lengthMm / 1000);
        c.reached = c.lengthMm <= option.reachMm;
        all.push_back(c);
    }
    // As `evaluate` ranks them; the order of the options, which is that of the slugs, decides among equals.
    std::stable_sort(all.begin(), all.end(), [](const Candidate& a, const Candidate& b) {
        const auto rank = [](const Candidate& c) {
            return std::tuple(c.reached ? (c.stocked ? 0 : 1) : 2, c.reached ? 0 : -c.limitMm, c.cost.count());
        };
        return rank(a) < rank(b);
    });
    return all;
}

} // namespace hw
