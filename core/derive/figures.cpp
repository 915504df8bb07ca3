// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derive/figures.h"

namespace hw {

namespace {

Error cancelled() { return {ErrorCode::Cancelled, "figures", "stopped", {}}; }

/// Which parts of the figures a change reaches. Columns that nothing here depends on (names, keys,
/// colours, waivers …) reach none.
struct Reach {
    bool parts = false, placement = false, wiring = false, cables = false, places = false, loads = false, fabric = false;

    explicit Reach(const ChangeSet& c)
    {
        const auto any = [&](auto... column) { return (c.touches(column) || ...); };
        const bool racks = c.touchesAlive<Racks>() || any(&Racks::row), rows = c.touchesAlive<Rows>() || any(&Rows::hall),
                   halls = c.touchesAlive<Halls>() || any(&Halls::building), buildings = c.touchesAlive<Buildings>(),
                   devices = c.touchesAlive<Devices>(), tiers = c.touchesAlive<Tiers>() || any(&Tiers::kind),
                   ports = c.touchesAlive<Ports>() || any(&Ports::device, &Ports::medium),
                   links = c.touchesAlive<Links>() || any(&Links::from, &Links::to);
        parts = c.touches<PartTypes>();
        placement = racks || rows || halls || buildings || c.touchesAlive<Trays>() ||
                    any(&Buildings::x, &Buildings::y, &Buildings::sizeX, &Buildings::sizeY, &Buildings::sizeZ) ||
                    any(&Halls::x, &Halls::y, &Halls::sizeX, &Halls::sizeY, &Halls::sizeZ) || any(&Rows::x, &Rows::y, &Rows::angle) ||
                    any(&Racks::type, &Racks::along, &Racks::across) ||
                    any(&Trays::row, &Trays::hall, &Trays::x1, &Trays::y1, &Trays::z1, &Trays::x2, &Trays::y2, &Trays::z2, &Trays::plane);
        wiring = links || any(&Links::cable) || ports || any(&Ports::cage) || devices || any(&Devices::rack, &Devices::plane) ||
                 c.touchesAlive<Cables>() || any(&Cables::medium);
        cables = wiring || any(&Cables::type, &Cables::length) || c.touches<Cages>() || any(&Ports::rate) || any(&Devices::type, &Devices::u);
        places = racks || rows || halls || buildings;
        loads = devices || any(&Devices::type, &Devices::tier, &Devices::rack, &Devices::hall) || tiers;
        fabric = c.touchesAlive<Networks>() || any(&Networks::planes, &Networks::rails) || tiers || any(&Tiers::network, &Tiers::level) || devices ||
                 any(&Devices::tier, &Devices::pod, &Devices::segment) || ports || any(&Ports::network, &Ports::rate, &Ports::role) || links ||
                 any(&Links::role);
    }
};

template <class T>
bool same(const std::shared_ptr<const T>& a, const std::shared_ptr<const T>& b)
{
    return a == b || (a && b && *a == *b);
}

} // namespace

Result<FiguresPtr> computeFigures(SnapshotPtr snapshot, const Progress& progress)
{
    auto result = std::make_shared<Figures>();
    const Snapshot& s = *snapshot;
    const auto go = [&](double fraction, std::string_view step) {
        progress.report(fraction, step);
        return !progress.stopRequested();
    };
    auto parts = ProjectParts::of(s.partTypes);
    if (!parts) return tl::unexpected(parts.error());
    result->parts = *parts;
    if (!go(0.05, "Placing")) return tl::unexpected(cancelled());
    result->placement = Placement::compute(s, **parts);
    if (!go(0.1, "Routing")) return tl::unexpected(cancelled());
    auto routing = Routing::compute(s, **parts, *result->placement);
    if (!routing) return tl::unexpected(routing.error());
    result->routing = *routing;
    if (!go(0.4, "Cables")) return tl::unexpected(cancelled());
    result->cabling = Cabling::compute(s, **parts, *result->placement, *result->routing);
    if (!go(0.7, "Power")) return tl::unexpected(cancelled());
    result->power = PowerFigures::compute(s, **parts, *result->cabling);
    if (!go(0.8, "Networks")) return tl::unexpected(cancelled());
    result->fabric = FabricFigures::compute(s, **parts);
    progress.report(1.0, "Figures");
    result->snapshot = std::move(snapshot);
    return FiguresPtr(std::move(result));
}

Result<FiguresPtr> updateFigures(const FiguresPtr& before, SnapshotPtr after, const ChangeSet& changes)
{
    Reach reach(changes);
    if (reach.parts) return computeFigures(std::move(after));
    reach.cables |= Cabling::slackOf(*before->snapshot) != Cabling::slackOf(*after);

    auto result = std::make_shared<Figures>(*before);
    const Snapshot& s = *after;
    const ProjectParts& parts = *result->parts;
    if (reach.placement) result->placement = Placement::update(*before->placement, s, parts, changes);

    std::vector<std::uint32_t> changedPairs;
    if (reach.wiring) {
        auto routing = Routing::compute(s, parts, *result->placement);
        if (!routing) return tl::unexpected(routing.error());
        result->routing = *routing;
    } else if (reach.placement) {
        result->routing = Routing::moved(*before->routing, s, parts, *result->placement, changedPairs);
    }

    std::vector<CableId> refitted;
    if (reach.cables)
        result->cabling = Cabling::compute(s, parts, *result->placement, *result->routing);
    else if (!changedPairs.empty())
        result->cabling = Cabling::moved(*before->cabling, s, parts, *result->placement, *result->routing, changedPairs, &refitted);

    if (reach.cables || reach.loads || reach.places)
        result->power = PowerFigures::compute(s, parts, *result->cabling);
    else if (!refitted.empty())
        result->power = PowerFigures::refitted(*before->power, s, parts, *before->cabling, *result->cabling, refitted);

    if (reach.fabric) result->fabric = FabricFigures::compute(s, parts);
    result->snapshot = std::move(after);
    return FiguresPtr(std::move(result));
}

bool sameFigures(const Figures& a, const Figures& b)
{
    return same(a.placement, b.placement) && same(a.routing, b.routing) && same(a.cabling, b.cabling) && same(a.power, b.power) &&
           same(a.fabric, b.fabric);
}

} // namespace hw
