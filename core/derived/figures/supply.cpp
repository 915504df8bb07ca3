// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/figures/supply.h"

#include "core/derived/figures/node_info.h"
#include "core/foundation/model/places.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <numbers>

namespace hw {

/// Lines without lengths, and which of them want a way through trays.
struct Supply::Plan {
    std::vector<SupplyLine> lines;
    std::array<std::vector<DeviceId>, 2> stands;     ///< in no rack, ascending; of power, of coolant
    std::array<std::vector<Routing::Pair>, 2> pairs; ///< without lengths
    std::array<std::vector<std::int64_t>, 2> areas;  ///< by pair; of the conductors that the currents need
    FeederDrops drops;
    friend bool operator==(const Plan&, const Plan&) = default;
};

namespace {

std::size_t numberOf(Medium medium) { return medium == Medium::Coolant; }

/// Decides what every link is made as.
class SupplyPlanner {
public:
    SupplyPlanner(const Snapshot& s, const ProjectParts& parts, const MediumGraph& power, const MediumGraph& coolant, const PowerFeeds& feeds)
        : m_s(s), m_parts(parts), m_power(power), m_coolant(coolant), m_feeds(feeds), m_sizes(s, parts, power)
    {
    }

    Supply::Plan run()
    {
        m_s.devices.forEach([&](DeviceId id) {
            for (const auto& arc : m_power.arcs(id))
                if (arc.up) addPower(id, arc);
            for (const auto& arc : m_coolant.arcs(id))
                if (arc.up) addCoolant(id, arc);
        });
        std::ranges::sort(m_plan.lines, {}, &SupplyLine::link);
        for (SupplyLine& line : m_plan.lines)
            if (const auto cable = m_s.links.cable[line.link]) takeByHand(*cable, line);
        for (auto& stands : m_plan.stands) {
            std::ranges::sort(stands);
            stands.erase(std::unique(stands.begin(), stands.end()), stands.end());
        }
        for (SupplyLine& line : m_plan.lines)
            if (line.pair != Routing::kNoPair) addPair(line);
        m_plan.drops = m_sizes.drops();
        return std::move(m_plan);
    }

private:
    [[nodiscard]] const DeviceSpec& spec(DeviceId id) const { return m_parts.device(m_s.devices.type[id]); }

    static SupplyLine newLine(DeviceId consumer, const MediumGraph::Arc& arc, Medium medium)
    {
        SupplyLine line;
        line.link = arc.link, line.medium = medium;
        line.consumer = consumer, line.supplier = arc.to;
        return line;
    }

    void addPower(DeviceId consumer, const MediumGraph::Arc& arc)
    {
        SupplyLine line = newLine(consumer, arc, Medium::Power);
        line.side = m_feeds.side(arc.to) ? m_feeds.side(arc.to) : m_feeds.side(consumer);
        const bool below =
            spec(arc.to).power.element == PowerElement::Busway && m_s.devices.rack[consumer] && rowOf(m_s, consumer) == rowOf(m_s, arc.to);
        line.size = below ? m_sizes.whip(consumer, arc.to) : m_sizes.feeder(consumer, arc.to);
        const bool three = line.size.phases == power::LinePhases::Three;
        if (three && phaseOf(consumer, arc.link) != 0) line.size.phases = power::LinePhases::One, line.size.volts /= std::numbers::sqrt3;
        // High voltage has a trench of its own, from the bay to the transformer.
        const bool trench = line.size.type && m_parts.cable(*line.size.type).connector == "hv-termination";
        wantWay(line, line.size.kind == SupplyKind::Feeder && !trench);
    }

    /// 1 to 3 of a way with a plug of one phase; 0: all three.
    [[nodiscard]] std::uint8_t phaseOf(DeviceId consumer, LinkId link) const
    {
        const auto ways = m_feeds.of(consumer);
        const auto way = std::ranges::find(ways, Maybe<LinkId>(link), &PowerFeed::link);
        return way == ways.end() ? 0 : way->phase;
    }

    void addCoolant(DeviceId consumer, const MediumGraph::Arc& arc)
    {
        SupplyLine line = newLine(consumer, arc, Medium::Coolant);
        const bool inRack = m_s.devices.rack[consumer] && m_s.devices.rack[consumer] == m_s.devices.rack[arc.to];
        line.size.kind = m_s.devices.rack[consumer] ? SupplyKind::Hose : SupplyKind::Pipe;
        line.size.type = partFor(arc.link);
        const bool below = line.size.kind == SupplyKind::Hose && rowOf(m_s, consumer) == rowOf(m_s, arc.to); // it hangs from a header over its row
        wantWay(line, !inRack && !below);
    }

    /// A hose or pipe whose couplings are those of both ports, either way round; by slug.
    [[nodiscard]] Maybe<PartTypeId> partFor(LinkId link)
    {
        const std::string from = couplingOf(m_s.links.from[link]), to = couplingOf(m_s.links.to[link]);
        if (from.empty() && to.empty()) return {};
        const auto [known, fresh] = m_pipes.try_emplace({from, to});
        if (!fresh) return known->second;
        const auto fits = [&](const std::string& end, const std::string& port) { return port.empty() || end == port; };
        m_s.partTypes.forEach([&](PartTypeId id) {
            if (m_s.partTypes.kind[id] != PartKind::Cable) return;
            const CableSpec& cable = m_parts.cable(id);
            if (cable.medium != "coolant") return;
            const std::string &a = cable.connector, &b = cable.legConnector;
            if (!(fits(a, from) && fits(b, to)) && !(fits(b, from) && fits(a, to))) return;
            if (!known->second || m_s.partTypes.slug[id] < m_s.partTypes.slug[*known->second]) known->second = id;
        });
        return known->second;
    }
    [[nodiscard]] std::string couplingOf(PortId port) const
    {
        const DeviceSpec& device = spec(m_s.ports.device[port]);
        const std::size_t first = device.interfaces.size() + device.inlets.size() + device.outlets.size(),
                          cage = m_s.cages.number[m_s.ports.cage[port]];
        return cage >= first && cage - first < device.cooling.ports.size() ? device.cooling.ports[cage - first].connector : std::string();
    }

    /// Without a room at either end there is no way to look for.
    void wantWay(SupplyLine& line, bool wanted)
    {
        if (wanted && hallOf(m_s, line.consumer) && hallOf(m_s, line.supplier)) {
            line.pair = 0; // numbered below
            for (const DeviceId id : {line.consumer, line.supplier})
                if (!m_s.devices.rack[id]) m_plan.stands[numberOf(line.medium)].push_back(id);
        }
        m_plan.lines.push_back(std::move(line));
    }

    void takeByHand(CableId cable, SupplyLine& line) const
    {
        if (const auto type = m_s.cables.type[cable]; type && m_s.partTypes.kind[*type] == PartKind::Cable) {
            if (line.medium == Medium::Power)
                m_sizes.take(line.size, *type);
            else
                line.size.type = type;
        }
        line.lengthMm = m_s.cables.length[cable].count();
    }

    [[nodiscard]] RackId endOf(DeviceId id, std::size_t medium) const
    {
        if (const auto rack = m_s.devices.rack[id]) return *rack;
        const auto& stands = m_plan.stands[medium];
        return RackId(m_s.racks.nextId() + std::uint32_t(std::ranges::lower_bound(stands, id) - stands.begin()));
    }

    void addPair(SupplyLine& line)
    {
        const std::size_t medium = numberOf(line.medium);
        auto& pairs = m_plan.pairs[medium];
        line.pair = std::uint32_t(pairs.size());
        Routing::Pair pair;
        pair.a = endOf(line.consumer, medium), pair.b = endOf(line.supplier, medium);
        pair.plane = std::int16_t(line.medium == Medium::Power && line.side ? line.side - 'A' : -1);
        pairs.push_back(pair);
        m_plan.areas[medium].push_back(Supply::areaOf(m_parts, line.size));
    }

    const Snapshot& m_s;
    const ProjectParts& m_parts;
    const MediumGraph &m_power, &m_coolant;
    const PowerFeeds& m_feeds;
    FeederSizes m_sizes;
    Supply::Plan m_plan;
    std::map<std::pair<std::string, std::string>, Maybe<PartTypeId>> m_pipes; ///< by the couplings of both ends
};

/// Lengths of lines.
class SupplyMeasure {
public:
    SupplyMeasure(const Snapshot& s, const ProjectParts& parts, const Placement& placement)
        : m_s(s), m_parts(parts), m_placement(placement), m_slack(Cabling::slackOf(s))
    {
    }

    /// `pair`: its way through trays; null where it needs none.
    void measure(SupplyLine& line, const Routing::Pair* pair, bool trays) const
    {
        const bool found = pair && pair->lengthMm >= 0;
        line.noWay = pair && !found && trays;
        if (found)
            line.routeMm = pair->lengthMm + dropOf(line.consumer, pair->heightA) + dropOf(line.supplier, pair->heightB);
        else if (line.size.kind == SupplyKind::Whip)
            line.routeMm = whipMm(line);
        else
            line.routeMm = straightMm(line);
        if (line.lengthMm == 0) line.lengthMm = bought(line);
    }

private:
    [[nodiscard]] Box boxOf(DeviceId id) const { return m_placement.device(m_s, m_parts, id); }
    [[nodiscard]] static Point middleOfBox(const Box& box)
    {
        return {(box.low.x + box.high.x) / 2, (box.low.y + box.high.y) / 2, (box.low.z + box.high.z) / 2};
    }

    /// Where a cable enters a device in a rack: a strip beside the rack at its top, everything else in its middle.
    [[nodiscard]] std::int32_t inletHeight(DeviceId id) const
    {
        const Box box = boxOf(id);
        if (m_parts.device(m_s.devices.type[id]).halfUnits == 0)
            return std::min(m_placement.rack(*m_s.devices.rack[id]).high.z, kRackBaseMm + m_parts.device(m_s.devices.type[id]).height.value.count());
        return (box.low.z + box.high.z) / 2;
    }
    /// From the tray over its rack down into the device; of what stands elsewhere that is part of the way.
    [[nodiscard]] std::int32_t dropOf(DeviceId id, std::int32_t height) const
    {
        return m_s.devices.rack[id] ? std::abs(height - inletHeight(id)) : 0;
    }

    /// From the busway over the rack, and to the side of it where strips hang.
    [[nodiscard]] std::int32_t whipMm(const SupplyLine& line) const
    {
        const Box busway = boxOf(line.supplier);
        const Point top = middleOfBox(m_placement.rack(*m_s.devices.rack[line.consumer]));
        const std::int32_t x = std::max({busway.low.x - top.x, 0, top.x - busway.high.x}),
                           y = std::max({busway.low.y - top.y, 0, top.y - busway.high.y});
        return x + y + std::abs(busway.low.z - inletHeight(line.consumer)) + Cabling::kPatchingMm;
    }

    /// Along the axes, from device to device.
    [[nodiscard]] std::int32_t straightMm(const SupplyLine& line) const
    {
        const auto rackA = m_s.devices.rack[line.consumer], rackB = m_s.devices.rack[line.supplier];
        if (rackA && rackA == rackB) return std::abs(inletHeight(line.consumer) - inletHeight(line.supplier)) + Cabling::kPatchingMm;
        const Box a = boxOf(line.consumer), b = boxOf(line.supplier);
        const auto gap = [](std::int32_t lowA, std::int32_t highA, std::int32_t lowB, std::int32_t highB) {
            return std::max({0, lowA - highB, lowB - highA});
        };
        return gap(a.low.x, a.high.x, b.low.x, b.high.x) + gap(a.low.y, a.high.y, b.low.y, b.high.y) + std::abs(a.high.z - b.high.z) +
               Cabling::kPatchingMm;
    }

    /// With slack; the next stocked length, or cut to the next meter.
    [[nodiscard]] std::int32_t bought(const SupplyLine& line) const
    {
        const auto needed = std::int32_t((std::int64_t(line.routeMm) * (10000 + m_slack) + 9999) / 10000);
        if (line.size.type)
            for (const Millimeters stocked : m_parts.cable(*line.size.type).stocked)
                if (stocked.count() >= needed) return stocked.count();
        return (needed + 999) / 1000 * 1000;
    }

    const Snapshot& m_s;
    const ProjectParts& m_parts;
    const Placement& m_placement;
    std::int32_t m_slack;
};

bool anyTrays(const Snapshot& s, Medium medium)
{
    bool any = false;
    s.trays.forEach([&](TrayId id) { any = any || int(s.trays.carries[id]) == int(medium) + 1; });
    return any;
}

} // namespace

power::Impedance impedanceOf(const ProjectParts& parts, const SupplyLine& line, double celsius)
{
    if (!line.size.type || line.medium != Medium::Power) return {};
    const CableSpec& cable = parts.cable(*line.size.type);
    const double each = cable.milliohms.value > 0 ? cable.milliohms.value : power::copperResistance(cable.squareMm.value);
    const double share = double(line.lengthMm) / 1000 / std::max<std::int16_t>(1, line.size.runs);
    return {power::resistanceAt(each, celsius) * share, cable.reactance.value * share};
}

std::int64_t Supply::areaOf(const ProjectParts& parts, const SupplySize& size)
{
    return size.type ? crossSectionUm2(parts.cable(*size.type)) * size.runs * (size.kind == SupplyKind::Hose || size.kind == SupplyKind::Pipe ? 2 : 1)
                     : 0;
}

void Supply::lay(const Snapshot& s, const ProjectParts& parts, const Placement& placement)
{
    m_lines = m_plan->lines;
    std::array<bool, 2> trays{};
    for (const Medium medium : {Medium::Power, Medium::Coolant}) {
        const std::size_t n = numberOf(medium);
        trays[n] = anyTrays(s, medium);
        std::vector<RouteState> stands;
        for (const DeviceId id : m_plan->stands[n]) stands.push_back({placement.device(s, parts, id), hallOf(s, id), s.devices.row[id]});
        m_routes[n] = Routing::lines(s, parts, placement, medium, stands, m_plan->pairs[n], m_plan->areas[n]);
    }
    const SupplyMeasure measure(s, parts, placement);
    for (SupplyLine& line : m_lines) {
        const std::size_t n = numberOf(line.medium);
        const Routing::Pair* pair = line.pair == Routing::kNoPair ? nullptr : &m_routes[n]->pairs()[line.pair];
        const std::int32_t chosen = line.lengthMm;
        measure.measure(line, pair, trays[n] && line.medium == Medium::Power);
        if (line.medium != Medium::Power || !m_plan->drops.widen(line.size, line.lengthMm)) continue;
        line.lengthMm = chosen; // other conductors are stocked in other lengths
        measure.measure(line, pair, trays[n]);
    }
}

std::shared_ptr<const Supply> Supply::compute(const Snapshot& s, const ProjectParts& parts, const Placement& placement, const MediumGraph& power,
                                              const MediumGraph& coolant, const PowerFeeds& feeds)
{
    auto result = std::make_shared<Supply>();
    result->m_plan = std::make_shared<const Plan>(SupplyPlanner(s, parts, power, coolant, feeds).run());
    result->lay(s, parts, placement);
    return result;
}

std::shared_ptr<const Supply> Supply::moved(const Supply& before, const Snapshot& after, const ProjectParts& parts, const Placement& placement)
{
    auto result = std::make_shared<Supply>();
    result->m_plan = before.m_plan;
    result->lay(after, parts, placement);
    return result;
}

std::shared_ptr<const Supply> Supply::ofPart(const Supply& whole, const Snapshot& part)
{
    auto result = std::make_shared<Supply>(whole);
    std::erase_if(result->m_lines, [&](const SupplyLine& line) { return !part.links.contains(line.link); });
    return result;
}

const SupplyLine* Supply::of(LinkId link) const
{
    const auto found = std::ranges::lower_bound(m_lines, link, {}, &SupplyLine::link);
    return found != m_lines.end() && found->link == link ? &*found : nullptr;
}

std::vector<std::uint32_t> Supply::sectionsOf(const SupplyLine& line) const
{
    return line.pair == Routing::kNoPair ? std::vector<std::uint32_t>() : routing(line.medium).sectionsOf(line.pair);
}

bool operator==(const Supply& a, const Supply& b)
{
    return a.m_lines == b.m_lines && *a.m_plan == *b.m_plan && *a.m_routes[0] == *b.m_routes[0] && *a.m_routes[1] == *b.m_routes[1];
}

std::shared_ptr<const Supply> SupplyNode::compute(const Now<SupplyNode>& now)
{
    return Supply::compute(now.snapshot(), now.get<PartsNode>(), now.get<PlacementNode>(), now.get<MediumNode<Medium::Power>>(),
                           now.get<MediumNode<Medium::Coolant>>(), now.get<PowerFeedsNode>());
}

std::shared_ptr<const Supply> SupplyNode::update(const Was<SupplyNode>& was, const Now<SupplyNode>& now, const ChangeSet& changes)
{
    const bool same = &was.get<PartsNode>() == &now.get<PartsNode>() && &was.get<PowerFeedsNode>() == &now.get<PowerFeedsNode>() &&
                      &was.get<MediumNode<Medium::Power>>() == &now.get<MediumNode<Medium::Power>>() &&
                      &was.get<MediumNode<Medium::Coolant>>() == &now.get<MediumNode<Medium::Coolant>>() &&
                      !Lines::touched(changes, was.snapshot(), now.snapshot());
    return same ? Supply::moved(*was.value(), now.snapshot(), now.get<PartsNode>(), now.get<PlacementNode>()) : nullptr;
}

template const NodeInfo& nodeInfo<SupplyNode>();

} // namespace hw
