// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/geometry/routing.h"

#include "core/derived/geometry/routing_by_hand.h"
#include "core/derived/geometry/routing_ways.h"
#include "core/derived/topology/cable_runs.h"
#include "core/foundation/model/places.h"
#include "core/foundation/model/setting_values.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <tuple>
#include <unordered_map>

namespace hw {

namespace {

struct DevicePlace {
    std::uint32_t rack = Routing::kNoPair;
    std::int16_t plane = -1;
};

struct PairKey {
    RackId a, b;
    std::int16_t plane = -1;
    std::int32_t byHand = -1;
    friend auto operator<=>(const PairKey&, const PairKey&) = default;
};

struct PairKeyHash {
    std::size_t operator()(const PairKey& k) const noexcept
    {
        const std::uint64_t mixed = (std::uint64_t(k.a.value) << 32 | k.b.value) * 0x9E3779B97F4A7C15ull + std::uint16_t(k.plane) +
                                    (std::uint64_t(std::uint32_t(k.byHand + 1)) << 16);
        return std::size_t((mixed ^ (mixed >> 29)) * 0xBF58476D1CE4E5B9ull >> 16);
    }
};

/// Gathers the rack pairs that data cables join; numbers them in the order of (a, b, plane).
class PairCollector {
public:
    explicit PairCollector(const Snapshot& snapshot) : m_snapshot(snapshot), m_runs(snapshot), m_byHand(snapshot) { placeDevices(); }

    void run()
    {
        const auto& links = m_snapshot.links;
        m_pairOfLink.assign(links.nextId(), Routing::kNoPair);
        m_pairOfCable.assign(m_snapshot.cables.nextId(), Routing::kNoPair);
        std::vector<char> seen(m_pairOfCable.size(), 0);
        links.forEach([&](LinkId link) {
            const auto cable = links.cable[link];
            if (!cable || m_snapshot.cables.medium[*cable] != Medium::Data) return;
            const std::uint32_t pair = pairOf(link, *cable);
            m_pairOfLink[link.value] = pair;
            if (!std::exchange(seen[(*cable).value], 1)) m_pairOfCable[(*cable).value] = pair;
        });
        pairRuns();
        sortPairs();
    }

    std::vector<Routing::Pair> takePairs()
    {
        std::vector<Routing::Pair> pairs;
        pairs.reserve(m_keys.size());
        for (const PairKey& k : m_keys) pairs.push_back({k.a, k.b, k.plane, 0, 0, 0, k.byHand});
        return pairs;
    }
    std::shared_ptr<const std::vector<std::uint32_t>> takeRuns()
    {
        return m_pairOfRun.empty() ? nullptr : std::make_shared<const std::vector<std::uint32_t>>(std::move(m_pairOfRun));
    }
    std::shared_ptr<const std::vector<HandWay>> takeByHand() { return m_byHand.take(); }
    std::vector<DeviceId> takeStands() { return std::move(m_stands); }
    std::shared_ptr<const std::vector<std::uint32_t>> takeLinks()
    {
        return std::make_shared<const std::vector<std::uint32_t>>(std::move(m_pairOfLink));
    }
    std::shared_ptr<const std::vector<std::uint32_t>> takeCables()
    {
        return std::make_shared<const std::vector<std::uint32_t>>(std::move(m_pairOfCable));
    }

private:
    void placeDevices()
    {
        const auto& d = m_snapshot.devices;
        m_places.resize(d.nextId());
        d.forEach([&](DeviceId id) {
            const auto rack = d.rack[id];
            m_places[id.value] = {rack ? (*rack).value : Routing::kNoPair, d.plane[id]};
        });
        m_snapshot.links.forEach([&](LinkId link) {
            const auto cable = m_snapshot.links.cable[link];
            if (!cable || m_snapshot.cables.medium[*cable] != Medium::Data) return;
            for (const PortId port : {m_snapshot.links.from[link], m_snapshot.links.to[link]})
                if (const DeviceId id = m_snapshot.ports.device[port]; !d.rack[id] && hallOf(m_snapshot, id)) m_stands.push_back(id);
        });
        std::ranges::sort(m_stands);
        m_stands.erase(std::unique(m_stands.begin(), m_stands.end()), m_stands.end());
        for (std::uint32_t i = 0; i < m_stands.size(); ++i) m_places[m_stands[i].value].rack = m_snapshot.racks.nextId() + i;
    }

    /// The cables behind panels. One that many links share goes where its first run goes.
    void pairRuns()
    {
        if (m_runs.empty()) return;
        const auto& runs = m_snapshot.runs;
        m_pairOfRun.assign(runs.nextId(), Routing::kNoPair);
        m_snapshot.cables.forEach([&](CableId cable) {
            for (const RunId run : m_runs.on(cable)) {
                const LinkId link = runs.link[run];
                const std::int16_t plane = planeOf(placeOf(m_snapshot.links.from[link]), placeOf(m_snapshot.links.to[link]));
                const std::uint32_t pair =
                    pairOf(m_places[runs.panel[run].value].rack, m_places[m_runs.endOf(m_snapshot, run).value].rack, plane, cable);
                m_pairOfRun[run.value] = pair;
                if (run == m_runs.on(cable).front()) m_pairOfCable[cable.value] = pair;
            }
        });
    }

    [[nodiscard]] DevicePlace placeOf(PortId port) const { return m_places[m_snapshot.ports.device[port].value]; }
    static std::int16_t planeOf(const DevicePlace& a, const DevicePlace& b)
    {
        if (a.plane >= 0 && b.plane >= 0 && a.plane != b.plane) return -1; // mis-wired: any tray will do
        return a.plane < 0 ? b.plane : a.plane;
    }

    std::uint32_t pairOf(LinkId link, CableId cable)
    {
        const auto& links = m_snapshot.links;
        const DevicePlace a = placeOf(links.from[link]), b = placeOf(links.to[link]);
        const std::uint32_t end = m_runs.empty() ? b.rack : m_places[m_runs.firstEnd(m_snapshot, link).value].rack;
        return pairOf(a.rack, end, planeOf(a, b), cable);
    }

    std::uint32_t pairOf(std::uint32_t a, std::uint32_t b, std::int16_t plane, CableId cable)
    {
        if (a == Routing::kNoPair || b == Routing::kNoPair || a == b) return Routing::kNoPair;
        const std::int32_t byHand = m_byHand.empty() ? -1 : m_byHand.of(cable, a > b);
        const PairKey key{RackId(std::min(a, b)), RackId(std::max(a, b)), plane, byHand};
        if (m_last != Routing::kNoPair && m_keys[m_last] == key) return m_last;
        const auto [it, fresh] = m_numbers.try_emplace(key, std::uint32_t(m_keys.size()));
        if (fresh) m_keys.push_back(key);
        return m_last = it->second;
    }

    void sortPairs()
    {
        std::vector<std::uint32_t> order(m_keys.size()), place(m_keys.size());
        for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
        std::sort(order.begin(), order.end(), [&](auto x, auto y) { return m_keys[x] < m_keys[y]; });
        std::vector<PairKey> sorted;
        sorted.reserve(order.size());
        for (std::uint32_t i = 0; i < order.size(); ++i) {
            place[order[i]] = i;
            sorted.push_back(m_keys[order[i]]);
        }
        m_keys = std::move(sorted);
        for (auto* numbers : {&m_pairOfLink, &m_pairOfCable, &m_pairOfRun})
            for (std::uint32_t& n : *numbers)
                if (n != Routing::kNoPair) n = place[n];
    }

    const Snapshot& m_snapshot;
    CableRuns m_runs;
    ManualRoutes m_byHand;
    std::vector<DevicePlace> m_places;
    std::vector<DeviceId> m_stands; ///< in no rack
    std::vector<PairKey> m_keys;
    std::unordered_map<PairKey, std::uint32_t, PairKeyHash> m_numbers;
    std::uint32_t m_last = Routing::kNoPair;
    std::vector<std::uint32_t> m_pairOfLink, m_pairOfCable, m_pairOfRun;
};

} // namespace

namespace {

/// Cross-section of the thinnest data cable of the project, in µm².
std::int64_t leastArea(const Snapshot& s, const ProjectParts& parts)
{
    std::int64_t least = 0;
    s.partTypes.forEach([&](PartTypeId id) {
        if (s.partTypes.kind[id] != PartKind::Cable) return;
        const CableSpec& spec = parts.cable(id);
        const std::int64_t area = crossSectionUm2(spec);
        if (spec.medium != "power" && spec.medium != "coolant" && area > 0 && (least == 0 || area < least)) least = area;
    });
    return least;
}

/// What every tray takes, in µm².
std::vector<std::int64_t> roomOfTrays(const Snapshot& s, const ProjectParts& parts)
{
    const double share = std::min(numberSetting(s, "rule.k1.full_percent", 50.0), 100.0) / 100;
    std::vector<std::int64_t> room(s.trays.nextId(), 0);
    s.trays.forEach([&](TrayId id) {
        const TraySpec& spec = parts.tray(s.trays.type[id]);
        const double area = double(spec.width.value.count()) * spec.height.value.count() * std::max<std::int16_t>(s.trays.count[id], 1);
        room[id.value] = std::llround(area * share * 1e6);
    });
    return room;
}

} // namespace

std::int64_t crossSectionUm2(const CableSpec& cable)
{
    const double diameterUm = 1000.0 * cable.diameter.value.count();
    return std::llround(std::numbers::pi / 4 * diameterUm * diameterUm);
}

void Routing::solve(const Snapshot& snapshot, const ProjectParts& parts, const Placement& placement, Medium medium,
                    std::span<const RouteState> stands)
{
    auto ways = std::make_shared<RoutingPaths>();
    ways->graph = TrayGraph::build(snapshot, placement, medium);
    std::vector<char> wanted; // of other media few racks have any, and every hook cuts its tray
    if (medium != Medium::Data) {
        wanted.assign(snapshot.racks.nextId(), 0);
        for (const Pair& pair : m_pairs)
            for (const RackId end : {pair.a, pair.b})
                if (end.value < wanted.size()) wanted[end.value] = 1;
    }
    hookRacks(snapshot, placement, *ways, medium, medium == Medium::Data ? nullptr : &wanted);
    if (!stands.empty()) hookStands(snapshot, placement, stands, *ways, medium);
    solvePairs(m_pairs, *ways);
    if (m_handWays) solveByHand(m_pairs, *m_handWays, *ways);
    makeSections(placement, *ways, m_sections);
    m_detours = respectCapacity(m_pairs, *m_areas, roomOfTrays(snapshot, parts), *ways);
    m_racks.resize(snapshot.racks.nextId());
    for (std::uint32_t r = 0; r < m_racks.size(); ++r) m_racks[r] = placement.rack(RackId(r));
    for (const RouteState& stand : stands) m_racks.push_back(stand.box);
    m_ways = std::move(ways);
}

void Routing::solveData(const Snapshot& snapshot, const ProjectParts& parts, const Placement& placement)
{
    std::vector<RouteState> stands;
    for (const DeviceId id : m_stands) stands.push_back({placement.device(snapshot, parts, id), hallOf(snapshot, id), snapshot.devices.row[id]});
    solve(snapshot, parts, placement, Medium::Data, stands);
}

Maybe<DeviceId> Routing::standAt(RackId end) const
{
    const std::size_t racks = m_racks.size() - m_stands.size();
    return end.value < racks || end.value >= m_racks.size() ? Maybe<DeviceId>() : Maybe<DeviceId>(m_stands[end.value - racks]);
}

Maybe<RackId> Routing::endOf(const Snapshot& snapshot, DeviceId device) const
{
    if (const auto rack = snapshot.devices.rack[device]) return rack;
    const auto at = std::ranges::lower_bound(m_stands, device);
    if (at == m_stands.end() || *at != device) return {};
    return RackId(std::uint32_t(m_racks.size() - m_stands.size()) + std::uint32_t(at - m_stands.begin()));
}

namespace {

/// Cross-section of each pair's cables, all as the thinnest, in µm².
std::shared_ptr<const std::vector<std::int64_t>> leastAreas(std::size_t pairs, std::span<const std::uint32_t> pairOfCable, std::int64_t least)
{
    std::vector<std::int64_t> areas(pairs, 0);
    for (const std::uint32_t pair : pairOfCable)
        if (pair != Routing::kNoPair) areas[pair] += least;
    return std::make_shared<const std::vector<std::int64_t>>(std::move(areas));
}

/// Which pairs of a whole the cables of a part of it still join, with new numbers in the old order.
class PairsOfPart {
public:
    PairsOfPart(const Routing& whole, const Snapshot& part) : m_number(whole.pairs().size(), Routing::kNoPair)
    {
        ofLink.assign(part.links.nextId(), Routing::kNoPair);
        ofCable.assign(part.cables.nextId(), Routing::kNoPair);
        part.links.forEach([&](LinkId link) {
            ofLink[link.value] = whole.pairOfLink(link);
            if (const auto cable = part.links.cable[link]; cable && ofCable[(*cable).value] == Routing::kNoPair)
                ofCable[(*cable).value] = ofLink[link.value];
        });
        ofRun.assign(part.runs.nextId(), Routing::kNoPair);
        std::vector<char> seen(ofCable.size(), 0);
        part.runs.forEach([&](RunId run) {
            ofRun[run.value] = whole.pairOfRun(run);
            if (const CableId cable = part.runs.cable[run]; !std::exchange(seen[cable.value], 1)) ofCable[cable.value] = ofRun[run.value];
        });
        renumber();
    }

    std::vector<std::uint32_t> ofLink, ofCable, ofRun, kept; ///< kept: numbers in the whole, ascending
    [[nodiscard]] std::uint32_t numberOf(std::uint32_t pair) const { return m_number[pair]; }

private:
    void renumber()
    {
        for (const auto* numbers : {&ofLink, &ofCable, &ofRun})
            for (const std::uint32_t pair : *numbers)
                if (pair != Routing::kNoPair) m_number[pair] = 0;
        for (std::uint32_t pair = 0; pair < m_number.size(); ++pair)
            if (m_number[pair] == 0) m_number[pair] = std::uint32_t(kept.size()), kept.push_back(pair);
        for (auto* numbers : {&ofLink, &ofCable, &ofRun})
            for (std::uint32_t& pair : *numbers)
                if (pair != Routing::kNoPair) pair = m_number[pair];
    }

    std::vector<std::uint32_t> m_number; ///< by pair of the whole
};

} // namespace

std::shared_ptr<const Routing> Routing::ofPart(const Routing& whole, const Snapshot& part, const ProjectParts& parts)
{
    auto result = std::make_shared<Routing>(whole);
    PairsOfPart of(whole, part);
    auto ways = std::make_shared<RoutingPaths>(*whole.m_ways);
    result->m_pairs.clear(), ways->routes.clear();
    for (const std::uint32_t pair : of.kept) {
        result->m_pairs.push_back(whole.m_pairs[pair]);
        ways->routes.push_back(whole.m_ways->routes[pair]);
    }
    std::erase_if(result->m_detours, [&](const Detour& d) { return of.numberOf(d.pair) == kNoPair; });
    for (Detour& detour : result->m_detours) detour.pair = of.numberOf(detour.pair);
    result->m_ways = std::move(ways);
    result->m_areas = leastAreas(result->m_pairs.size(), of.ofCable, leastArea(part, parts));
    result->m_pairOfLink = std::make_shared<const std::vector<std::uint32_t>>(std::move(of.ofLink));
    result->m_pairOfCable = std::make_shared<const std::vector<std::uint32_t>>(std::move(of.ofCable));
    if (whole.m_pairOfRun) result->m_pairOfRun = std::make_shared<const std::vector<std::uint32_t>>(std::move(of.ofRun));
    return result;
}

Result<std::shared_ptr<const Routing>> Routing::compute(const Snapshot& snapshot, const ProjectParts& parts, const Placement& placement)
{
    auto result = std::make_shared<Routing>();
    PairCollector collector(snapshot);
    collector.run();
    result->m_pairs = collector.takePairs();
    result->m_pairOfCable = collector.takeCables();
    result->m_pairOfLink = collector.takeLinks();
    result->m_pairOfRun = collector.takeRuns();
    result->m_handWays = collector.takeByHand();
    result->m_stands = collector.takeStands();
    result->m_areas = leastAreas(result->m_pairs.size(), *result->m_pairOfCable, leastArea(snapshot, parts));
    result->solveData(snapshot, parts, placement);
    return std::shared_ptr<const Routing>(std::move(result));
}

std::shared_ptr<const Routing> Routing::moved(const Routing& before, const Snapshot& after, const ProjectParts& parts, const Placement& placement,
                                              std::vector<std::uint32_t>& changedPairs)
{
    auto result = std::make_shared<Routing>();
    result->m_pairs = before.m_pairs;
    result->m_pairOfCable = before.m_pairOfCable;
    result->m_pairOfLink = before.m_pairOfLink;
    result->m_pairOfRun = before.m_pairOfRun;
    result->m_handWays = before.m_handWays;
    result->m_areas = before.m_areas;
    result->m_stands = before.m_stands;
    result->solveData(after, parts, placement);
    changedPairs.clear();
    for (std::uint32_t i = 0; i < result->m_pairs.size(); ++i)
        if (result->m_pairs[i] != before.m_pairs[i]) changedPairs.push_back(i);
    return result;
}

std::shared_ptr<const Routing> Routing::lines(const Snapshot& snapshot, const ProjectParts& parts, const Placement& placement, Medium medium,
                                              std::span<const RouteState> stands, std::vector<Pair> pairs, std::vector<std::int64_t> areasUm2)
{
    auto result = std::make_shared<Routing>();
    result->m_pairs = std::move(pairs);
    result->m_areas = std::make_shared<const std::vector<std::int64_t>>(std::move(areasUm2));
    result->solve(snapshot, parts, placement, medium, stands);
    return result;
}

void Routing::measure(const Snapshot& snapshot, const Placement& placement, std::vector<Pair>& pairs)
{
    RoutingPaths ways;
    ways.graph = TrayGraph::build(snapshot, placement);
    hookRacks(snapshot, placement, ways);
    solvePairs(pairs, ways);
}

bool operator==(const Routing& a, const Routing& b)
{
    const auto same = [](const auto& x, const auto& y) { return x == y || (x && y && *x == *y); };
    return a.m_pairs == b.m_pairs && a.m_stands == b.m_stands && a.m_sections == b.m_sections && a.m_racks == b.m_racks && same(a.m_ways, b.m_ways) &&
           same(a.m_areas, b.m_areas) && a.m_detours == b.m_detours && same(a.m_pairOfCable, b.m_pairOfCable) &&
           same(a.m_pairOfLink, b.m_pairOfLink) && same(a.m_pairOfRun, b.m_pairOfRun) && same(a.m_handWays, b.m_handWays);
}

} // namespace hw
