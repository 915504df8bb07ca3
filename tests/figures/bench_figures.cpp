// SPDX-License-Identifier: GPL-3.0-or-later
// Prints how long the figures of a template take from nothing and after typical edits: bench_figures [PODS [TEMPLATE]]
#include "core/derived/figures/figures.h"
#include "core/design/template/template.h"
#include "tests/figures/same_figures.h"

#include <cstdio>
#include <cstdlib>
#include <ctime>

using namespace hw;

namespace {

/// Processor time in ms: the figures use one thread, and a busy machine must not blur the numbers.
double now() { return 1000.0 * double(std::clock()) / CLOCKS_PER_SEC; }
double since(double start) { return now() - start; }

template <class F>
auto timed(const char* what, F&& f)
{
    const auto start = now();
    auto result = f();
    std::printf("%-44s %8.2f ms\n", what, since(start));
    return result;
}

void printFigures(const Figures& f)
{
    const Snapshot& s = *f.snapshot;
    std::printf("devices %u ports %u links %u cables %u racks %u trays %u pairs %zu sections %zu longest %d mm\n", s.devices.size(), s.ports.size(),
                s.links.size(), s.cables.size(), s.racks.size(), s.trays.size(), f.routing->pairs().size(), f.routing->sections().size(),
                f.cabling->longestMm());
    for (const auto& [line, n] : f.cabling->physicalByTypeLength())
        std::printf("  %-16s %7.1f m %8lld\n", (*f.parts)[line.type].slug.c_str(), line.lengthMm / 1000.0, (long long)n);
    for (const auto& [module, n] : f.cabling->transceivers()) std::printf("  %-16s %8lld\n", (*f.parts)[module].slug.c_str(), (long long)n);
    std::int64_t flagged = 0, lost = 0;
    s.cables.forEach([&](CableId id) {
        flagged += (*f.cabling)[id].reachExceeded;
        lost += (*f.cabling)[id].noRoute;
    });
    std::printf("  reach exceeded %lld, no route %lld\n", (long long)flagged, (long long)lost);
    s.buildings.forEach([&](BuildingId b) {
        const Load& l = f.power->building(b);
        std::printf("  %s: typical %.3f design %.3f nameplate %.3f MW\n", s.buildings.name[b].c_str(), toWatts(l.power[0]) / 1e6,
                    toWatts(l.power[1]) / 1e6, toWatts(l.power[2]) / 1e6);
    });
    for (const auto& n : f.fabric->networks()) {
        std::printf("  network %s planes %d rails %d segments %d pods %d end to end %.4f connected %d\n", s.networks.name[n.id].c_str(), n.planes,
                    n.rails, n.segments, n.pods, n.oversubscriptionEndToEnd, n.connected);
        for (const auto& t : n.tiers)
            std::printf("    %s %lld down %lld up %lld ratio %.4f (%.4f)\n", s.tiers.name[t.id].c_str(), (long long)t.switches, (long long)t.downGbps,
                        (long long)t.upGbps, t.oversubscription(), t.oversubscriptionWithBackup());
        for (const auto& l : n.links)
            std::printf("    %s-%s %d: %lld + %lld\n", s.tiers.name[l.from].c_str(), s.tiers.name[l.to].c_str(), l.rate.count(), (long long)l.active,
                        (long long)l.backup);
    }
}

void moveRow(const FiguresPtr& before, RowId row, std::int32_t dx, std::int32_t dy)
{
    auto next = std::make_shared<Snapshot>(*before->snapshot);
    next->rows.x.set(row, next->rows.x[row] + Millimeters(dx));
    next->rows.y.set(row, next->rows.y[row] + Millimeters(dy));
    const SnapshotPtr after = next;
    const ChangeSet changes = difference(*before->snapshot, *after, "move");
    double best = 1e9;
    FiguresPtr updated;
    for (int i = 0; i < 5; ++i) {
        const auto start = now();
        updated = updateFigures(before, after, changes).value();
        (void)updated->prepare(MainNodes::infos(), {});
        best = std::min(best, since(start));
    }
    std::size_t pairs = 0, cables = 0;
    for (std::uint32_t p = 0; p < updated->routing->pairs().size(); ++p)
        if (updated->routing->pairs()[p] != before->routing->pairs()[p]) {
            ++pairs;
            cables += updated->cabling->cablesOfPair(p).size();
        }
    std::printf("move %-20s by %d,%d: %zu pairs %zu cables    %8.2f ms  %s\n", before->snapshot->rows.name[row].c_str(), dx, dy, pairs, cables, best,
                test::sameFigures(*updated, *computeFigures(after).value()) ? "same" : "DIFFERENT");
    const auto start = now();
    const auto placement = Placement::update(*before->placement, *after, *before->parts, changes);
    const double placed = since(start);
    std::vector<std::uint32_t> changed;
    const auto routing = Routing::moved(*before->routing, *after, *before->parts, *placement, changed);
    const double routed = since(start);
    const auto cabling = Cabling::moved(*before->cabling, *after, *routing, changed);
    const double cabled = since(start);
    std::printf("    placement %.2f routing %.2f cabling %.2f ms, %zu refitted\n", placed, routed - placed, cabled - routed,
                cabling->refittedSince(*before->cabling)->size());
}

} // namespace

int main(int argc, char** argv)
{
    const std::int64_t pods = argc > 1 ? std::atoi(argv[1]) : 1;
    const auto catalog = Catalog::load(HW_RESOURCES "/catalog");
    if (!catalog) return std::fprintf(stderr, "%s\n", catalog.error().text().c_str()), 1;
    const auto design = Template::load(std::string(HW_RESOURCES "/templates/") + (argc > 2 ? argv[2] : "hpn") + ".yaml");
    if (!design) return std::fprintf(stderr, "%s\n", design.error().text().c_str()), 1;
    const auto values = design->complete(ParameterValues{{"pods", pods}});
    const auto snapshot = timed("instantiate", [&] { return instantiate(*design, *values, *catalog); });
    if (!snapshot) return std::fprintf(stderr, "%s\n", snapshot.error().text().c_str()), 1;
    const Snapshot& s = **snapshot;
    const auto parts = timed("parts", [&] { return ProjectParts::of(s.partTypes).value(); });
    const auto placement = timed("placement", [&] { return Placement::compute(s, *parts); });
    const auto routing = timed("routing", [&] { return Routing::compute(s, *parts, *placement).value(); });
    const auto cabling = timed("cabling", [&] { return Cabling::compute(s, CableIndex::build(s, *parts, *routing), *routing); });
    timed("power", [&] { return PowerFigures::compute(s, *parts, *cabling); });
    timed("fabric", [&] { return FabricFigures::compute(s, *parts); });
    const auto figures = timed("all", [&] { return computeFigures(*snapshot).value(); });
    timed("tray load", [&] { return figures->get<TrayLoadNode>(); });
    printFigures(*figures);
    for (std::uint32_t r = 0; r < s.rows.nextId(); r += std::max(1u, s.rows.nextId() / 12)) moveRow(figures, RowId(r), 600, 300);
    return 0;
}
