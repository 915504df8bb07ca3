// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/layout/plan.h"

#include <algorithm>

#include <fmt/format.h>

namespace hw::layout {

namespace {

constexpr std::int32_t kCableRoomMm = 100; ///< behind or before a device in its rack (assumed)
constexpr double kWeightShare = 0.9;       ///< of a rack's load rating, as rule S2 wants it

/// Fills racks of one type one after the other.
class Packer {
public:
    Packer(Plan& plan, const Survey& survey, const Parts& parts, std::string keyStem, std::vector<std::uint32_t>& into)
        : m_plan(plan), m_survey(survey), m_parts(parts), m_stem(std::move(keyStem)), m_into(into)
    {
    }

    /// What a rack of this type takes at most; 0 = no limit.
    struct Limits {
        std::int64_t units = 0, powerMw = 0, grams = 0, cables = 0, groups = 0;
    };
    [[nodiscard]] Limits limitsOf(const std::string& type) const
    {
        const auto& rack = m_parts.rack(type);
        return {rack.heightU, rack.powerLimit.value.count(), std::int64_t(kWeightShare * double(rack.maxWeight.value.count())), 0, 0};
    }

    /// A new rack where `more` does not fit beside what is in the open one; refuses what no empty rack takes.
    PlannedRack& rackFor(const std::string& type, const Limits& limits, const Demand& more, bool fresh, DeviceId asks)
    {
        if (m_open && !fresh && m_plan.racks[m_into.back()].type == type && m_groups < limits.groups)
            noteLimit(type, limits, sum(m_plan.racks[m_into.back()].demand, more));
        const bool open =
            m_open && !fresh && m_plan.racks[m_into.back()].type == type && fits(limits, sum(m_plan.racks[m_into.back()].demand, more), m_groups + 1);
        if (!open) {
            if (!fits(limits, more, 1)) refuse(type, limits, more, asks);
            PlannedRack rack{.key = fmt::format("rack.auto/{}={}", m_stem, m_into.size()), .type = type};
            rack.width = m_parts.rack(type).width.value.count();
            m_into.push_back(std::uint32_t(m_plan.racks.size()));
            m_plan.racks.push_back(std::move(rack));
            m_groups = 0;
            m_open = true;
        }
        ++m_groups;
        auto& rack = m_plan.racks[m_into.back()];
        rack.demand += more;
        return rack;
    }

    /// Puts a device at a unit of the newest rack, counted from 1.
    void put(DeviceId id, int u)
    {
        const auto& device = m_parts.device(m_survey.type[id.value]);
        auto& rack = m_plan.racks[m_into.back()];
        const auto& spec = m_parts.rack(rack.type);
        if (device.depth.value.count() + kCableRoomMm > spec.depth.value.count())
            throw refusal(m_plan.options.where,
                          i18n("{} of {} is {} mm deep, but {} provides only {} mm", m_parts.slug(m_survey.type[id.value]), m_survey.name(id),
                               device.depth.value.count(), rack.type, spec.depth.value.count() - kCableRoomMm),
                          i18n("specify a deeper rack under 'layout'"));
        rack.devices.emplace_back(id, u);
        m_plan.rackOf[id.value] = m_into.back();
    }
    [[nodiscard]] int units(DeviceId id) const { return int(m_survey.demand[id.value].units); }

private:
    static Demand sum(Demand a, const Demand& b) { return a += b; }
    static bool fits(const Limits& limits, const Demand& d, std::int64_t groups)
    {
        const auto within = [](std::int64_t value, std::int64_t limit) { return limit <= 0 || value <= limit; };
        return d.units <= limits.units && within(powerOf(d), limits.powerMw) && within(d.grams, limits.grams) && within(groups, limits.groups) &&
               (within(d.cables, limits.cables) || groups == 1);
    }
    /// A rack that is full before it has the servers that were asked for: which limit of it closes it.
    void noteLimit(const std::string& type, const Limits& limits, const Demand& with)
    {
        Text why;
        const auto kW = [](std::int64_t mw) { return double(mw) / 1e6; };
        if (with.units > limits.units)
            why = i18n("next device does not fit: total {} U, limit {} U", with.units, limits.units);
        else if (limits.powerMw > 0 && powerOf(with) > limits.powerMw)
            why = i18n("next device does not fit: total {:.1f} kW, limit {:.1f} kW", kW(powerOf(with)), kW(limits.powerMw));
        else if (limits.grams > 0 && with.grams > limits.grams)
            why = i18n("next device does not fit: total {:.0Lf} kg, limit {:.0Lf} kg", double(with.grams) / 1e3, double(limits.grams) / 1e3);
        if (!why.empty()) m_plan.noteFewer(i18n("{} of {} in a {}: {}", m_groups, limits.groups, type, why));
    }
    [[noreturn]] void refuse(const std::string& type, const Limits& limits, const Demand& more, DeviceId asks) const
    {
        const std::string name = m_survey.name(asks);
        Text what;
        if (limits.units < more.units)
            what = i18n("{} needs {} U including its associated equipment, but {} has {} U", name, more.units, type, limits.units);
        else if (limits.powerMw > 0 && limits.powerMw < powerOf(more))
            what = i18n("{} draws {:.1f} kW including its associated equipment, but {} allows {:.1f} kW", name, double(powerOf(more)) / 1e6, type,
                        double(limits.powerMw) / 1e6);
        else
            what = i18n("{} weighs {:.0Lf} kg including its associated equipment, but {} carries {:.0Lf} kg", name, double(more.grams) / 1e3, type,
                        double(limits.grams) / 1e3);
        throw refusal(m_plan.options.where, std::move(what), i18n("specify another rack under 'layout', or fewer servers per rack"));
    }

    Plan& m_plan;
    const Survey& m_survey;
    const Parts& m_parts;
    std::string m_stem;
    std::vector<std::uint32_t>& m_into;
    std::int64_t m_groups = 0;
    bool m_open = false;
};

/// Units of a rack group from the bottom: half of the power shelves, half of the servers, switches and the rest,
/// servers, power shelves; one or two switches stand on top of the rack instead.
void stack(Packer& packer, const RackGroup& whole, const Survey& survey, int heightU)
{
    RackGroup group;
    group.servers = whole.servers, group.switches = whole.switches;
    for (const DeviceId id : whole.others) (survey.kind(id.value) == TierKind::Power ? group.others : group.switches).push_back(id);
    int u = 1;
    const auto pile = [&](const std::vector<DeviceId>& devices, std::size_t from, std::size_t to) {
        for (std::size_t i = from; i < to; ++i) {
            packer.put(devices[i], u);
            u += packer.units(devices[i]);
        }
    };
    const bool onTop = group.switches.size() <= 2;
    const std::size_t servers = onTop ? group.servers.size() : (group.servers.size() + 1) / 2, others = (group.others.size() + 1) / 2;
    pile(group.others, 0, others);
    pile(group.servers, 0, servers);
    if (!onTop) pile(group.switches, 0, group.switches.size());
    pile(group.servers, servers, group.servers.size());
    pile(group.others, others, group.others.size());
    int top = heightU + 1;
    if (onTop)
        for (const DeviceId id : group.switches) packer.put(id, top -= packer.units(id));
}

/// Servers stand from the lowest unit up, each with what belongs to it; several servers with a switch of their
/// own have a rack of their own.
void packServers(Plan& plan, Block& block, const Survey& survey, const Parts& parts)
{
    const Options& o = plan.options;
    Packer packer(plan, survey, parts, block.key + "/n", block.serverRacks);
    bool closed = false; // the newest rack has switches of its own
    for (const auto& group : block.groups) {
        const std::string& type = group.demand.liquidMw > 0 ? o.liquidRack : o.rack;
        auto limits = packer.limitsOf(type);
        limits.groups = o.serversPerRack;
        const bool own = group.servers.size() > 1 && !(group.switches.empty() && group.others.empty());
        const auto& rack = packer.rackFor(type, limits, group.demand, own || closed, group.servers.front());
        closed = own;
        if (own) {
            if (const auto n = std::int64_t(group.servers.size()); o.serversPerRack > 0 && n != o.serversPerRack)
                plan.noteFewer(i18n("{} instead of {} in a {} that also holds the servers' switches or power shelves", n, o.serversPerRack, type));
            stack(packer, group, survey, int(limits.units));
            continue;
        }
        int u = int(rack.demand.units - group.demand.units) + 1;
        for (const auto* devices : {&group.servers, &group.switches, &group.others})
            for (const DeviceId id : *devices) {
                packer.put(id, u);
                u += packer.units(id);
            }
    }
}

/// Which of the two switches of a pair this is, where its tier counts them by a coordinate `side`.
int sideOf(const Survey& survey, std::uint32_t device)
{
    const auto& names = survey.tierOf(device).coordinates;
    const auto found = std::ranges::find(names, "side");
    return found == names.end() ? 0 : int(survey.coordinatesOf(device)[std::size_t(found - names.begin())] % 2);
}

/// Network racks: planes of the lower and of the upper half never share one, nor do the sides of a pair, so that no rack takes both
/// ports of a NIC; switches stand in the middle of the rack's height.
void packSwitches(Plan& plan, const std::vector<DeviceId>& switches, const std::string& stem, std::vector<std::uint32_t>& into, const Survey& survey,
                  const Parts& parts)
{
    const Options& o = plan.options;
    std::int16_t planes = 0;
    for (const DeviceId id : switches) planes = std::max(planes, std::int16_t(survey.plane[id.value] + 1));
    const auto half = [&](DeviceId id) {
        if (planes > 1 && survey.plane[id.value] >= 0) return 2 * survey.plane[id.value] >= planes ? 1 : 0;
        return sideOf(survey, id.value);
    };
    std::vector<DeviceId> order(switches);
    std::ranges::stable_sort(order, {}, [&](DeviceId id) { return std::pair(half(id), survey.tierOf(id.value).level); });
    Packer packer(plan, survey, parts, stem, into);
    auto limits = packer.limitsOf(o.networkRack);
    const auto height = limits.units;
    limits.units = std::min(limits.units, o.networkUnits);
    limits.cables = o.cablesPerRack;
    const std::size_t first = into.size();
    for (std::size_t i = 0; i < order.size(); ++i) {
        const auto& demand = survey.demand[order[i].value];
        auto single = limits;
        single.units = std::max(limits.units, std::min(demand.units, height)); // a switch taller than the usual share has a rack of its own
        const auto& rack = packer.rackFor(o.networkRack, demand.units > limits.units ? single : limits, demand,
                                          i > 0 && half(order[i]) != half(order[i - 1]), order[i]);
        packer.put(order[i], int(rack.demand.units - demand.units) + 1);
    }
    for (std::size_t i = first; i < into.size(); ++i) {
        auto& rack = plan.racks[into[i]];
        const int shift = int(height - rack.demand.units) / 2;
        for (auto& [id, u] : rack.devices) u += shift;
    }
}

} // namespace

void packBlock(Plan& plan, Block& block, const Survey& survey, const Parts& parts)
{
    packServers(plan, block, survey, parts);
    packSwitches(plan, block.switches, block.key + "/net", block.networkRacks, survey, parts);
}

void packNetwork(Plan& plan, PlannedHall& hall, const Survey& survey, const Parts& parts)
{
    const std::string stem = hall.key.substr(hall.key.find('/') + 1);
    std::vector<DeviceId> switches;
    std::vector<std::uint32_t> others;
    Packer packer(plan, survey, parts, stem + "/other", others);
    for (const DeviceId id : hall.network) {
        if (survey.kind(id.value) == TierKind::Switch) {
            switches.push_back(id);
            continue;
        }
        const auto& demand = survey.demand[id.value];
        const std::string& type = demand.liquidMw > 0 ? plan.options.liquidRack : plan.options.rack;
        const auto& rack = packer.rackFor(type, packer.limitsOf(type), demand, false, id);
        packer.put(id, int(rack.demand.units - demand.units) + 1);
    }
    packSwitches(plan, switches, stem + "/net", hall.networkRacks, survey, parts);
    hall.networkRacks.insert(hall.networkRacks.end(), others.begin(), others.end());
}

} // namespace hw::layout
