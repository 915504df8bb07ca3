// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/count/survey.h"

#include <algorithm>

#include <fmt/format.h>

namespace hw::count {

namespace {

std::vector<std::size_t> stridesOf(const Set& set)
{
    std::vector<std::size_t> strides(set.extents().size(), 1);
    for (std::size_t i = strides.size(); i-- > 1;) strides[i - 1] = strides[i] * std::size_t(set.extents()[i]);
    return strides;
}

/// A coordinate that runs freely: how many values, and what a step adds to the ordinals of both ends.
struct Run {
    std::int64_t extent = 1;
    std::size_t lower = 0, upper = 0;
};

template <class F>
void forRuns(const std::vector<Run>& runs, std::size_t depth, std::size_t lower, std::size_t upper, F&& f)
{
    if (depth == runs.size()) return f(lower, upper);
    for (std::int64_t i = 0; i < runs[depth].extent; ++i)
        forRuns(runs, depth + 1, lower + std::size_t(i) * runs[depth].lower, upper + std::size_t(i) * runs[depth].upper, f);
}

} // namespace

CountedDevices::CountedDevices(std::vector<std::unique_ptr<Tier>>& tiers, std::vector<std::unique_ptr<Rule>>& rules, const TemplateCount& count,
                               layout::Parts& parts)
    : m_tiers(tiers), m_rules(rules), m_count(count), m_parts(parts), m_number(tiers.size()), m_shared(tiers.size(), 0)
{
}

layout::Survey CountedDevices::survey()
{
    for (std::size_t t = 0; t < m_tiers.size(); ++t) {
        const auto& fixed = m_tiers[t]->fixed;
        std::optional<std::uint32_t> network;
        for (std::uint32_t n = 0; n < m_count.networks.size(); ++n)
            if (m_count.networks[n].name == fixed.network) network = n;
        m_out.tiers.push_back({fixed.name, fixed.kind, std::int16_t(fixed.level), network, m_tiers[t]->set.coordinates()});
        if (m_tiers[t]->members == 0) continue;
        numberDevices(t);
        addDevices(t);
    }
    findShared();
    listTwins();
    Pairs pairs;
    for (const auto& rule : m_rules)
        if (joins(*rule)) addPairs(*rule, pairs);
    m_out.listBelow(std::move(pairs));
    const auto names = std::make_shared<layout::Survey>();
    names->tiers = m_out.tiers, names->tier = m_out.tier, names->coordinate = m_out.coordinate, names->firstCoordinate = m_out.firstCoordinate;
    m_out.name = [names](DeviceId id) { return names->key(id.value); };
    return std::move(m_out);
}

/// In the order of members, as the generator makes them.
void CountedDevices::numberDevices(std::size_t t)
{
    Set& set = m_tiers[t]->set;
    auto& numbers = m_number[t];
    numbers.assign(std::size_t(set.size()), layout::kNone);
    auto next = std::uint32_t(m_out.tier.size());
    for (std::size_t member = 0; member < numbers.size(); ++member) {
        if (set.conditional()) {
            set.assignOrdinal(member);
            if (!set.present()) continue;
        }
        numbers[member] = next++;
    }
}

void CountedDevices::addDevices(std::size_t t)
{
    Tier& tier = *m_tiers[t];
    Set& set = tier.set;
    const auto& types = set.spec().types;
    const auto pod = set.coordinate("pod"), segment = set.coordinate("segment"), plane = set.coordinate("plane");
    const std::size_t width = set.extents().size();
    std::vector<std::int32_t> at(width, 0);
    std::vector<std::optional<std::pair<PartTypeId, layout::Demand>>> known(types.size());
    std::size_t type = 0;
    if (tier.typeMask == 0) type = tier.typeNumber();
    for (std::size_t member = 0; member < m_number[t].size(); ++member) {
        if (m_number[t][member] != layout::kNone) {
            if (tier.typeMask != 0) set.assignOrdinal(member), type = tier.typeNumber();
            if (!known[type]) {
                const PartTypeId id = m_parts.use(types[type].text);
                known[type] = {id, plugged(t, id)};
            }
            const DeviceId device(m_number[t][member]);
            m_out.loose.push_back(device);
            m_out.tier.push_back(std::uint32_t(t));
            m_out.type.push_back(known[type]->first);
            m_out.demand.push_back(known[type]->second);
            const auto valueOf = [&](const std::optional<std::size_t>& coordinate) {
                return coordinate ? std::int16_t(at[*coordinate]) : std::int16_t(-1);
            };
            m_out.pod.push_back(valueOf(pod)), m_out.segment.push_back(valueOf(segment)), m_out.plane.push_back(valueOf(plane));
            m_out.firstCoordinate.push_back(std::uint32_t(m_out.coordinate.size()));
            m_out.coordinate.insert(m_out.coordinate.end(), at.begin(), at.end());
        }
        for (std::size_t i = width; i-- > 0;) {
            if (++at[i] < set.extents()[i]) break;
            at[i] = 0;
        }
    }
    if (plane) m_planes = std::max(m_planes, int(set.extents()[*plane]));
    m_out.isLoose.resize(m_out.tier.size(), 1);
    m_out.isSupport.resize(m_out.tier.size(), tier.role == DeviceRole::Support);
}

/// With the sockets that a device of the tier uses on average.
layout::Demand CountedDevices::plugged(std::size_t t, PartTypeId type) const
{
    const auto& spec = m_parts.device(type);
    layout::Demand demand = layout::demandOf(spec);
    std::vector<std::int64_t> sockets(m_tiers[t]->groups.size(), 0);
    for (const auto& rule : m_count.rules) {
        if (rule.medium != Medium::Data) continue;
        if (rule.from == t) sockets[rule.fromGroup] += rule.fromSockets;
        if (rule.to == t) sockets[rule.toGroup] += rule.toSockets;
    }
    for (std::size_t g = 0; g < sockets.size(); ++g) {
        const auto& names = m_tiers[t]->groups[g].ports.interfaces;
        if (sockets[g] == 0 || names.empty()) continue;
        const auto cage =
            std::find_if(spec.interfaces.begin(), spec.interfaces.end(), [&](const auto& interface) { return interface.name == names.front(); });
        const std::int64_t perSocket = cage == spec.interfaces.end() ? 1 : cage->perSocket();
        const std::int64_t used = (sockets[g] * perSocket + m_tiers[t]->members / 2) / m_tiers[t]->members;
        demand.cables += used;
        if (spec.opticsIncluded) continue;
        const auto optics = m_parts.opticsOf(type, std::uint16_t(cage - spec.interfaces.begin()));
        demand.designMw += optics.typicalMw * used;
        demand.nameplateMw += optics.maximumMw * used;
    }
    return demand;
}

bool CountedDevices::joins(const Rule& rule) const
{
    return rule.medium() == Medium::Data && rule.links() > 0 && rule.tierNumber(true) != rule.tierNumber(false);
}

/// Variables that decide which link there is and where it goes.
Mask CountedDevices::readBy(const Rule& rule) const
{
    Mask read = rule.conditionMask();
    for (std::size_t i = 0; i < rule.tier(false).set.coordinates().size(); ++i)
        if (!rule.identity(i)) read |= rule.needsOfTarget(i);
    return read;
}

void CountedDevices::findShared()
{
    for (std::size_t t = 0; t < m_tiers.size(); ++t) {
        const std::size_t width = m_tiers[t]->set.coordinates().size();
        m_shared[t] = width == 64 ? ~Mask(0) : (Mask(1) << width) - 1;
        m_shared[t] &= ~m_tiers[t]->set.conditions();
    }
    for (const auto& rule : m_rules) {
        if (!joins(*rule)) continue;
        const Mask read = readBy(*rule);
        for (std::size_t i = 0; i < rule->tier(false).set.coordinates().size(); ++i) {
            const auto variable = rule->identity(i);
            if (!variable || *variable < rule->lowerVariables() || (read >> *variable & 1)) m_shared[rule->tierNumber(false)] &= ~(Mask(1) << i);
        }
    }
}

void CountedDevices::listTwins()
{
    m_out.sameBelow.resize(m_out.tier.size());
    for (std::size_t t = 0; t < m_tiers.size(); ++t) {
        const Set& set = m_tiers[t]->set;
        const auto strides = stridesOf(set);
        for (std::size_t member = 0; member < m_number[t].size(); ++member) {
            const std::uint32_t device = m_number[t][member];
            if (device == layout::kNone) continue;
            std::size_t first = member;
            const auto at = m_out.coordinatesOf(device);
            for (std::size_t i = 0; i < at.size(); ++i)
                if (m_shared[t] >> i & 1) first -= std::size_t(at[i]) * strides[i];
            m_out.sameBelow[device] = m_number[t][first] == layout::kNone ? device : m_number[t][first];
        }
    }
}

void CountedDevices::addPairs(Rule& rule, Pairs& pairs) const
{
    const std::size_t from = rule.tierNumber(true), to = rule.tierNumber(false), lowerCount = rule.lowerVariables();
    const auto lowerStride = stridesOf(rule.tier(true).set), upperStride = stridesOf(rule.tier(false).set);
    const Mask read = readBy(rule);
    std::vector<Run> runs(lowerCount);
    for (std::size_t v = 0; v < lowerCount; ++v) runs[v] = {rule.extent(v), lowerStride[v], 0};
    for (std::size_t i = 0; i < upperStride.size(); ++i) {
        const auto variable = rule.identity(i);
        if (!variable || (read >> *variable & 1)) continue;
        if (*variable < lowerCount)
            runs[*variable].upper += upperStride[i];
        else if (!(m_shared[to] >> i & 1))
            runs.push_back({rule.extent(*variable), 0, upperStride[i]});
    }
    for (std::size_t v = lowerCount; v-- > 0;)
        if (read >> v & 1) runs.erase(runs.begin() + std::ptrdiff_t(v));
    const auto add = [&](std::size_t lower, std::size_t upper) {
        const std::pair pair(m_number[to][upper], m_number[from][lower]);
        if (pair.first != layout::kNone && pair.second != layout::kNone && (pairs.empty() || pairs.back() != pair)) pairs.push_back(pair);
    };
    rule.walk(read, [&](std::int64_t) {
        std::size_t lower = 0, upper = 0;
        for (std::size_t v = 0; v < lowerCount; ++v)
            if (read >> v & 1) lower += std::size_t(rule.lower(v)) * lowerStride[v];
        for (std::size_t i = 0; i < upperStride.size(); ++i) {
            const auto variable = rule.identity(i);
            if (variable && !(read >> *variable & 1)) continue;
            if (m_shared[to] >> i & 1) continue;
            upper += std::size_t(rule.upper(i)) * upperStride[i];
        }
        forRuns(runs, 0, lower, upper, add);
    });
}

std::vector<std::vector<SitePlan::Stand>> CountedDevices::emptyStands() const
{
    std::vector<std::vector<SitePlan::Stand>> stands;
    for (const auto& tier : m_tiers) stands.emplace_back(tier->absent ? 0 : std::size_t(tier->set.size()));
    return stands;
}

void CountedDevices::fill(std::vector<std::vector<SitePlan::Stand>>& stands, const layout::Plan& plan) const
{
    std::vector<SitePlan::Stand> byDevice(plan.rackOf.size());
    for (const auto& rack : plan.racks)
        for (const auto& [device, unit] : rack.devices) byDevice[device.value] = {rack.id.value, std::int16_t(unit)};
    for (std::size_t t = 0; t < m_number.size(); ++t)
        for (std::size_t member = 0; member < m_number[t].size(); ++member)
            if (m_number[t][member] != layout::kNone) stands[t][member] = byDevice[m_number[t][member]];
}

} // namespace hw::count
