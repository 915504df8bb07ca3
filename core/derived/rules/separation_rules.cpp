// SPDX-License-Identifier: GPL-3.0-or-later
// K4: data beside power. K7: what ought to be apart in one tray.
#include "core/derived/figures/tray_load.h"
#include "core/derived/rules/functions.h"
#include "core/derived/rules/groups.h"
#include "core/foundation/model/places.h"

#include <algorithm>
#include <cmath>

namespace hw::rules {

namespace {

/// A run of tray or busway: a box, and the direction in which it is long.
struct Run {
    Box box;
    bool alongX = true;
    EntityRef who;
    Maybe<HallId> hall{};
    bool barrier = false; ///< of metal
};

bool longInX(const Box& box) { return box.high.x - box.low.x >= box.high.y - box.low.y; }

/// Trays that carry cables of a medium.
std::vector<Run> trayRuns(const RuleInput& input, Medium medium)
{
    const Snapshot& s = input.snapshot();
    const auto& loads = input.figures.get<TrayLoadNode>();
    std::vector<Run> runs;
    s.trays.forEach([&](TrayId id) {
        // Data trays count before cables are in them; what is for any medium counts as one, but for feeders only where some run in it.
        const Carries carries = s.trays.carries[id];
        const bool here =
            medium == Medium::Data ? carries == Carries::Any || carries == Carries::Data : loads[id.value].of[std::size_t(medium)].cables > 0;
        if (!here) return;
        const TrayLine& line = input.figures.placement->tray(id);
        const TraySpec& spec = input.parts().tray(s.trays.type[id]);
        const auto row = s.trays.row[id];
        Box box{{std::min(line.a.x, line.b.x), std::min(line.a.y, line.b.y), std::min(line.a.z, line.b.z)},
                {std::max(line.a.x, line.b.x), std::max(line.a.y, line.b.y), std::max(line.a.z, line.b.z)}};
        const bool alongX = longInX(box);
        const std::int32_t half = spec.width.value.count() / 2;
        (alongX ? box.low.y : box.low.x) -= half, (alongX ? box.high.y : box.high.x) += half;
        box.high.z += spec.height.value.count();
        runs.push_back({box, alongX, ref(id), row ? Maybe<HallId>(s.rows.hall[*row]) : s.trays.hall[id], s.trays.barrier[id] != 0});
    });
    return runs;
}

std::vector<Run> powerRuns(const RuleInput& input)
{
    const Snapshot& s = input.snapshot();
    std::vector<Run> runs;
    s.devices.forEach([&](DeviceId id) {
        if (s.devices.rack[id] || input.parts().device(s.devices.type[id]).power.element != PowerElement::Busway) return;
        const Box box = input.figures.placement->device(s, input.parts(), id);
        runs.push_back({box, longInX(box), ref(id), hallOf(s, id)});
    });
    for (Run& run : trayRuns(input, Medium::Power)) runs.push_back(std::move(run));
    return runs;
}

std::int32_t gapBetween(std::int32_t lowA, std::int32_t highA, std::int32_t lowB, std::int32_t highB)
{
    return std::max({0, lowA - highB, lowB - highA});
}

std::int32_t overlapOf(std::int32_t lowA, std::int32_t highA, std::int32_t lowB, std::int32_t highB)
{
    return std::min(highA, highB) - std::max(lowA, lowB);
}

/// Distance of two runs that lie beside each other for `least` mm or more.
std::optional<double> distanceBeside(const Run& a, const Run& b, double least)
{
    if (a.alongX != b.alongX) return {}; // they cross
    const std::int32_t beside =
        a.alongX ? overlapOf(a.box.low.x, a.box.high.x, b.box.low.x, b.box.high.x) : overlapOf(a.box.low.y, a.box.high.y, b.box.low.y, b.box.high.y);
    if (beside < least) return {};
    const std::int32_t across = a.alongX ? gapBetween(a.box.low.y, a.box.high.y, b.box.low.y, b.box.high.y)
                                         : gapBetween(a.box.low.x, a.box.high.x, b.box.low.x, b.box.high.x);
    return std::hypot(across, gapBetween(a.box.low.z, a.box.high.z, b.box.low.z, b.box.high.z));
}

} // namespace

std::vector<Finding> powerBesideData(const RuleInput& input)
{
    const double apart = input.threshold(kSeparation), least = input.threshold(kRunBeside);
    Groups groups(input, "K4");
    const auto trays = trayRuns(input, Medium::Data);
    std::map<std::uint32_t, std::vector<const Run*>> byHall;
    for (const Run& run : trays)
        if (run.hall) byHall[(*run.hall).value].push_back(&run);
    for (const Run& power : powerRuns(input)) {
        if (!power.hall) continue;
        for (const Run* data : byHall[(*power.hall).value]) {
            if (data->who == power.who || data->barrier || power.barrier) continue;
            const auto distance = distanceBeside(power, *data, least);
            if (!distance || *distance >= apart) continue;
            const std::string group = input.subject(ref(*power.hall));
            groups.add(group, power.who, Severity::Warning, apart - *distance, [&] {
                groups.also(group, {data->who});
                return i18n("{} runs {:.0f} mm from {}; required separation of power and data: {:.0f} mm", input.name(power.who), *distance,
                            input.name(data->who), apart);
            });
            break; // one tray is enough to name the busway or ladder
        }
    }
    const Snapshot& s = input.snapshot();
    const auto& loads = input.figures.get<TrayLoadNode>();
    s.trays.forEach([&](TrayId id) {
        const TrayLoad& load = loads[id.value];
        if (s.trays.barrier[id] || load.of[std::size_t(Medium::Data)].cables == 0 || load.of[std::size_t(Medium::Power)].cables == 0) return;
        groups.add("inside", ref(id), Severity::Warning, apart,
                   [&] { return i18n("{} carries power and data without a metal barrier between them", input.name(ref(id))); });
    });
    return groups.findings();
}

namespace {

/// The network and plane of a cable between two switches of a network with several planes.
struct PlaneOf {
    NetworkId network;
    std::int16_t plane = -1;
};

std::optional<PlaneOf> planeOf(const Snapshot& s, LinkId link)
{
    const PortId from = s.links.from[link], to = s.links.to[link];
    const auto network = s.ports.network[from];
    if (!network || s.ports.medium[from] != Medium::Data || s.networks.planes[*network] < 2) return {};
    const DeviceId a = s.ports.device[from], b = s.ports.device[to];
    if (s.tiers.kind[s.devices.tier[a]] != TierKind::Switch || s.tiers.kind[s.devices.tier[b]] != TierKind::Switch) return {};
    const std::int16_t plane = std::max(s.devices.plane[a], s.devices.plane[b]);
    return plane < 0 ? std::nullopt : std::optional(PlaneOf{*network, plane});
}

/// By tray section: the first plane met in it, and another one.
struct Met {
    std::int16_t first = -1, other = -1;
};

} // namespace

std::vector<Finding> planesTogether(const RuleInput& input)
{
    const Snapshot& s = input.snapshot();
    const Routing& routing = *input.figures.routing;
    std::map<NetworkId, std::vector<Met>> met;
    std::map<std::pair<NetworkId, std::int16_t>, char> seen; // of one pair
    for (std::uint32_t pair = 0; pair < routing.pairs().size(); ++pair) {
        seen.clear();
        for (const CableId cable : input.figures.cabling->cablesOfPair(pair)) {
            for (const LinkId link : input.figures.cabling->linksOf(cable)) // a trunk may carry several
                if (const auto plane = planeOf(s, link)) seen[{plane->network, plane->plane}] = 1;
        }
        if (seen.empty()) continue;
        for (const std::uint32_t section : routing.sectionsOf(pair))
            for (const auto& [of, one] : seen) {
                auto& sections = met[of.first];
                sections.resize(routing.sections().size());
                Met& m = sections[section];
                if (m.first < 0)
                    m.first = of.second;
                else if (m.first != of.second)
                    m.other = of.second;
            }
    }
    Groups groups(input, "K7");
    for (const auto& [network, sections] : met) {
        std::vector<Met> trays(s.trays.nextId());
        for (std::size_t i = 0; i < sections.size(); ++i)
            if (const auto tray = routing.sections()[i].tray; tray && sections[i].other >= 0) trays[(*tray).value] = sections[i];
        s.trays.forEach([&](TrayId tray) {
            const Met& m = trays[tray.value];
            if (m.other < 0) return;
            const auto row = s.trays.row[tray];
            const Maybe<HallId> hall = row ? Maybe<HallId>(s.rows.hall[*row]) : s.trays.hall[tray];
            groups.add(input.subject(ref(network)) + '|' + (hall ? input.subject(ref(*hall)) : std::string("campus")), ref(tray), Severity::Warning,
                       0, [&] {
                           return i18n("{} carries cables between switches of planes {} and {} of {}: both fail together", input.name(ref(tray)),
                                       std::min(m.first, m.other) + 1, std::max(m.first, m.other) + 1, input.name(ref(network)));
                       });
        });
    }
    return together(groups.findings(), switchesCutOff(input), sidesTogether(input), feedersTogether(input));
}

} // namespace hw::rules
