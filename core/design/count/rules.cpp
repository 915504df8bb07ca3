// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/count/rules.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

namespace hw::count {

namespace {

constexpr std::int64_t kMostCombinations = std::int64_t(1) << 40;

std::size_t groupNumberOf(const LinkSpec& spec, const Tier& tier, bool from)
{
    for (std::size_t i = 0; i < tier.groups.size(); ++i)
        if (tier.groups[i].ports.name == (from ? spec.fromGroup : spec.toGroup)) return i;
    throw bound::noPortGroup(spec, from);
}

} // namespace

Rule::Rule(const LinkSpec& spec, std::size_t from, std::size_t to, std::vector<std::unique_ptr<Tier>>& tiers, Scope& constants)
    : bound::Rule(spec, tiers[from]->set, tiers[to]->set, constants), m_fromNumber(from), m_toNumber(to),
      m_fromGroup(groupNumberOf(spec, *tiers[from], true)), m_toGroup(groupNumberOf(spec, *tiers[to], false)), m_from(*tiers[from]), m_to(*tiers[to])
{
}

/// What decides whether a link is there, at these parameters.
void Rule::refreshConditions()
{
    m_conditions = m_whenMask | m_from.set.conditions();
    for (std::size_t i = 0; i < m_targets.size(); ++i)
        if (m_to.set.conditions() >> i & 1) m_conditions |= m_targets[i].needs;
    m_read = m_readFixed | m_conditions;
}

void Rule::refresh(bool absent)
{
    m_links = m_work = 0;
    m_uneven = false;
    if (absent) return;
    bound::Rule::refresh();
    refreshConditions();
    checkTargets();
    if (spread())
        countSpread();
    else
        countLinks();
    countWork();
}

void Rule::countLinks()
{
    walk(0, [&](std::int64_t weight) { m_links += weight; });
}

std::int64_t Rule::spreadPorts() const { return portsToDeal(m_from.groups[m_fromGroup].ports.perDevice); }

/// Every device of the lower tier that has a target deals out its ports, however many targets there are.
void Rule::countSpread()
{
    struct Dealt {
        std::int64_t targets = 0, ports = 0;
    };
    std::map<std::vector<std::int64_t>, Dealt> dealt; // by lower combination that is walked
    const Mask walked = m_conditions | m_spreadMask;
    std::int64_t copies = 1;
    for (std::size_t v = 0; v < lowerVariables(); ++v)
        if (!(walked >> v & 1)) copies *= m_extents[v];
    walk(walked, [&](std::int64_t weight) {
        std::vector<std::int64_t> key;
        for (std::size_t v = 0; v < lowerVariables(); ++v) key.push_back(walked >> v & 1 ? lower(v) : 0);
        auto& own = dealt[key];
        if (own.targets == 0) own.ports = spreadPorts();
        own.targets += weight / copies;
    });
    for (const auto& [key, own] : dealt) {
        m_links += own.ports * copies;
        m_uneven = m_uneven || own.ports % own.targets != 0;
    }
}

void Rule::countWork()
{
    std::int64_t loops = 1;
    for (std::size_t v = lowerVariables() + free().size(); v < m_extents.size(); ++v) loops *= m_extents[v];
    Mask mask = m_from.set.conditions();
    for (std::size_t i = 0; i < m_targets.size(); ++i)
        if (m_to.set.conditions() >> i & 1) mask |= m_targets[i].needs;
    if (loops == 0) loops = 1; // no links then
    walkRaw(mask, [&](std::int64_t weight) {
        if (!present(true)) return;
        m_work += loopsMoveTarget() ? weight : weight / loops;
        if (!spread() && !loopsMoveTarget() && !outside() && present(false)) m_work += weight;
    });
}

/// Each coordinate of the target by itself must stay inside its set for every link.
void Rule::checkTargets()
{
    if (m_from.members == 0) return;
    for (const auto i : free())
        if (m_to.set.extents()[i] == 0) return;
    const std::size_t lower = lowerVariables();
    for (std::size_t i = 0; i < m_targets.size(); ++i) {
        const Target& target = m_targets[i];
        const std::int64_t extent = m_to.set.extents()[i];
        if (target.variable && *target.variable >= lower) continue;
        if (target.variable && m_from.set.extents()[*target.variable] <= extent) continue;
        const auto leaves = [&] { return m_scope.slot(lower + i) < 0 || m_scope.slot(lower + i) >= double(extent); };
        const auto refuse = [&] { throw bound::noTarget(m_spec, m_to.set.coordinates()[i], std::int64_t(m_scope.slot(lower + i)), extent); };
        bool out = false; // first without asking which links are there: mostly none leaves the set
        walkRaw(target.needs | m_from.set.conditions(), [&](std::int64_t) { out = out || (leaves() && present(true)); });
        if (out)
            walkRaw(target.needs | m_conditions, [&](std::int64_t) {
                if (leaves() && present(true) && when()) refuse();
            });
    }
}

void Rule::assignTier(bool from)
{
    Set& set = tier(from).set;
    const std::size_t first = from ? 0 : m_from.set.coordinates().size();
    for (std::size_t i = 0; i < set.coordinates().size(); ++i) set.assign(i, std::int64_t(m_scope.slot(first + i)));
}

/// Lower and upper tier may be one set or share parents, so each gets its coordinates back before it is asked.
bool Rule::present(bool from)
{
    if (!tier(from).set.conditional()) return true;
    assignTier(from);
    return tier(from).set.present();
}

/// Where its target is not, it was refused by checkTargets, unless `when` leaves it out.
bool Rule::holds() { return present(true) && !outside() && present(false) && when(); }

std::int64_t Rule::combinations() const
{
    std::int64_t total = 1;
    for (const auto extent : m_extents) {
        if (extent == 0) return 0;
        total = std::min(total * extent, kMostCombinations);
    }
    return total;
}

bool Rule::at(std::int64_t n)
{
    for (std::size_t i = m_extents.size(); i-- > 0;) {
        assign(i, n % m_extents[i]);
        n /= m_extents[i];
    }
    follow(all());
    return holds();
}

void Rule::checkIndices()
{
    if (m_links == 0) return;
    const auto network = [&](bool from) { return group(from).ports.network; };
    if (medium() == Medium::Data && (network(true).empty() || network(false).empty())) throw bound::noNetwork(m_spec, network(true).empty());
    if (medium() == Medium::Data && network(true) != network(false)) throw bound::twoNetworks(m_spec, network(true), network(false));
    checkIndex(true);
    checkIndex(false);
    const auto &a = group(true).ports, &b = group(false).ports;
    if (a.rate != b.rate)
        throw refusal(m_spec.where,
                      i18n("a {} Gb/s port of '{}' is connected to a {} Gb/s port of '{}'", a.rate.count(), m_spec.from, b.rate.count(), m_spec.to),
                      i18n("break out the ports so that the speeds match"));
}

void Rule::checkIndex(bool from)
{
    const auto& ports = group(from).ports;
    const auto inside = [&](std::int64_t wanted) { return wanted >= 0 && wanted < ports.perDevice; };
    const auto refuse = [&](std::int64_t wanted) {
        throw refusal(m_spec.where,
                      i18n("{} has {} '{}' ports, but this rule requires port {}", tier(from).fixed.label, ports.perDevice, ports.name, wanted + 1),
                      i18n("use fewer links or a device with more ports"));
    };
    if (!hasIndex(from)) {
        if (m_links > tier(from).members * ports.perDevice) refuse(ports.perDevice);
        return;
    }
    bool fits = true; // first without asking which links are there: mostly all would fit
    walkRaw(indexMask(from), [&](std::int64_t) { fits = fits && inside(index(from)); });
    if (!fits)
        walk(indexMask(from), [&](std::int64_t) {
            if (!inside(index(from))) refuse(index(from));
        });
}

} // namespace hw::count
