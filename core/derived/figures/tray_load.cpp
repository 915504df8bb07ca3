// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/figures/tray_load.h"

#include "core/derived/figures/node_info.h"
#include "core/derived/geometry/tray_graph.h"

#include <algorithm>

namespace hw {

namespace {

/// Loads of one medium over the sections of its routes.
using SectionLoads = std::vector<TrayLoad::Of>;

void add(TrayLoad::Of& to, const TrayLoad::Of& more) { to.cables += more.cables, to.areaUm2 += more.areaUm2, to.grams += more.grams; }

std::int64_t gramsOf(const CableSpec& cable)
{
    return cable.gramsPerMeter.value > 0 ? cable.gramsPerMeter.value : crossSectionUm2(cable) / 1'000'000;
}

SectionLoads dataLoads(const ProjectParts& parts, const Routing& routing, const Cabling& cabling)
{
    std::vector<std::optional<TrayLoad::Of>> ofType(parts.size());
    SectionLoads loads(routing.sections().size());
    for (std::uint32_t pair = 0; pair < routing.pairs().size(); ++pair) {
        TrayLoad::Of own;
        for (const CableId id : cabling.cablesOfPair(pair)) {
            const auto type = cabling[id].type;
            if (!type) {
                ++own.cables;
                continue;
            }
            auto& known = ofType[(*type).value];
            if (!known) known = TrayLoad::Of{1, crossSectionUm2(parts.cable(*type)), gramsOf(parts.cable(*type))};
            add(own, *known);
        }
        for (const std::uint32_t section : routing.sectionsOf(pair)) add(loads[section], own);
    }
    return loads;
}

SectionLoads supplyLoads(const ProjectParts& parts, const Supply& supply, Medium medium)
{
    SectionLoads loads(supply.routing(medium).sections().size());
    for (const SupplyLine& line : supply.lines()) {
        if (line.medium != medium || line.pair == Routing::kNoPair) continue;
        TrayLoad::Of own{line.size.runs, Supply::areaOf(parts, line.size), 0};
        if (line.size.type) own.grams = gramsOf(parts.cable(*line.size.type)) * line.size.runs;
        for (const std::uint32_t section : supply.sectionsOf(line)) add(loads[section], own);
    }
    return loads;
}

/// A piece of a tray: [from, to) in mm from its first end.
struct Piece {
    std::int32_t from = 0, to = 0;
    TrayLoad::Of load;
};

} // namespace

std::vector<TrayLoad> trayLoads(const Snapshot& s, const ProjectParts& parts, const Placement& placement, const Routing& routing,
                                const Cabling& cabling, const Supply& supply)
{
    std::vector<TrayLoad> loads(s.trays.nextId());
    std::vector<std::array<std::vector<Piece>, 3>> pieces(s.trays.nextId());
    const auto collect = [&](const Routing& routes, const SectionLoads& of, Medium medium) {
        for (std::size_t i = 0; i < of.size(); ++i) {
            const TraySection& section = routes.sections()[i];
            if (!section.tray || of[i].cables == 0) continue;
            const TrayLine& line = placement.tray(*section.tray);
            const std::int32_t length = lineLengthMm(line);
            std::int32_t from = lineLengthMm({line.a, section.a}), to = lineLengthMm({line.a, section.b});
            pieces[(*section.tray).value][std::size_t(medium)].push_back({std::min(from, length), std::min(to, length), of[i]});
        }
    };
    collect(routing, dataLoads(parts, routing, cabling), Medium::Data);
    for (const Medium medium : {Medium::Power, Medium::Coolant}) collect(supply.routing(medium), supplyLoads(parts, supply, medium), medium);
    for (std::size_t tray = 0; tray < loads.size(); ++tray) {
        TrayLoad& load = loads[tray];
        const auto more = [](TrayLoad::Of& most, const TrayLoad::Of& now) {
            if (std::tie(now.areaUm2, now.cables) > std::tie(most.areaUm2, most.cables)) most = now;
        };
        for (std::size_t m = 0; m < 3; ++m)
            for (const Piece& piece : pieces[tray][m]) more(load.of[m], piece.load);
        // The fullest place is where a piece of some medium begins.
        for (std::size_t m = 0; m < 3; ++m)
            for (const Piece& piece : pieces[tray][m]) {
                TrayLoad::Of all = piece.load;
                for (std::size_t other = 0; other < 3; ++other) {
                    if (other == m) continue;
                    for (const Piece& beside : pieces[tray][other])
                        if (beside.from <= piece.from && piece.from < beside.to) {
                            add(all, beside.load);
                            break;
                        }
                }
                more(load.all, all);
            }
    }
    return loads;
}

std::int32_t fillPermille(const Snapshot& s, const ProjectParts& parts, TrayId tray, const TrayLoad& load)
{
    const TraySpec& spec = parts.tray(s.trays.type[tray]);
    const std::int64_t area = std::int64_t(spec.width.value.count()) * spec.height.value.count() * std::max<std::int16_t>(s.trays.count[tray], 1);
    return area > 0 ? std::int32_t(load.all.areaUm2 / 1000 / area) : 0;
}

std::int64_t bearsGrams(const Snapshot& s, const ProjectParts& parts, TrayId tray)
{
    return std::int64_t(parts.tray(s.trays.type[tray]).bearsGramsPerMeter.value) * std::max<std::int16_t>(s.trays.count[tray], 1);
}

std::shared_ptr<const std::vector<TrayLoad>> TrayLoadNode::compute(const Now<TrayLoadNode>& now)
{
    return std::make_shared<const std::vector<TrayLoad>>(trayLoads(now.snapshot(), now.get<PartsNode>(), now.get<PlacementNode>(),
                                                                   now.get<RoutingNode>(), now.get<CablingNode>(), now.get<SupplyNode>()));
}

template const NodeInfo& nodeInfo<TrayLoadNode>();

} // namespace hw
