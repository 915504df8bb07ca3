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
        const auto any = [&](const char* table, std::initializer_list<const char*> columns) {
            for (const char* column : columns)
                if (c.touchesColumn(table, column)) return true;
            return false;
        };
        parts = any("part_types", {"alive", "slug", "kind", "definition"});
        placement = any("buildings", {"alive", "x_mm", "y_mm", "size_x_mm", "size_y_mm", "size_z_mm"})
                    || any("halls", {"alive", "building", "x_mm", "y_mm", "size_x_mm", "size_y_mm", "size_z_mm"})
                    || any("rows", {"alive", "hall", "x_mm", "y_mm", "angle_deg"})
                    || any("racks", {"alive", "row", "type", "along_mm", "across_mm"})
                    || any("trays", {"alive", "row", "hall", "x1_mm", "y1_mm", "z1_mm", "x2_mm", "y2_mm", "z2_mm", "plane"});
        wiring = any("links", {"alive", "from", "to", "cable"}) || any("ports", {"alive", "device", "cage", "medium"})
                 || any("devices", {"alive", "rack", "plane"}) || any("cables", {"alive", "medium"});
        cables = wiring || any("cables", {"type", "length_mm"}) || any("cages", {"alive", "device", "number", "split", "module"})
                 || any("ports", {"rate_gbps"}) || any("devices", {"type", "u"});
        places = any("racks", {"alive", "row"}) || any("rows", {"alive", "hall"}) || any("halls", {"alive", "building"}) || any("buildings", {"alive"});
        loads = any("devices", {"alive", "type", "tier", "rack", "hall"}) || any("tiers", {"alive", "kind"});
        fabric = any("networks", {"alive", "planes", "rails"}) || any("tiers", {"alive", "kind", "network", "level"})
                 || any("devices", {"alive", "tier", "pod", "segment"}) || any("ports", {"alive", "device", "network", "rate_gbps", "role", "medium"})
                 || any("links", {"alive", "from", "to", "role"});
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
    if (reach.cables) result->cabling = Cabling::compute(s, parts, *result->placement, *result->routing);
    else if (!changedPairs.empty())
        result->cabling = Cabling::moved(*before->cabling, s, parts, *result->placement, *result->routing, changedPairs, &refitted);

    if (reach.cables || reach.loads || reach.places) result->power = PowerFigures::compute(s, parts, *result->cabling);
    else if (!refitted.empty()) result->power = PowerFigures::refitted(*before->power, s, parts, *before->cabling, *result->cabling, refitted);

    if (reach.fabric) result->fabric = FabricFigures::compute(s, parts);
    result->snapshot = std::move(after);
    return FiguresPtr(std::move(result));
}

bool sameFigures(const Figures& a, const Figures& b)
{
    return same(a.placement, b.placement) && same(a.routing, b.routing) && same(a.cabling, b.cabling) && same(a.power, b.power) && same(a.fabric, b.fabric);
}

} // namespace hw
