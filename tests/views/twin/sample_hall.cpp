// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/views/twin/sample_hall.h"

#include "core/design/template/template.h"
#include "core/foundation/base/resources.h"

#include <cstdio>
#include <cstdlib>

namespace hw::test {

namespace {

template <class T>
T orAbort(Result<T> result)
{
    if (!result) {
        std::fprintf(stderr, "%s\n", result.error().text().c_str());
        std::abort();
    }
    return std::move(*result);
}

} // namespace

SnapshotPtr hpnDesign(int pods, int segments)
{
    const auto folder = resourceFolder();
    const Catalog catalog = orAbort(Catalog::load(folder / "catalog"));
    const Template design = orAbort(Template::load(folder / "templates" / "hpn.yaml"));
    const ParameterValues values = orAbort(design.complete(ParameterValues{{"pods", pods}, {"segments", segments}}));
    return orAbort(instantiate(design, values, catalog));
}

FiguresPtr figuresOf(SnapshotPtr snapshot) { return orAbort(computeFigures(std::move(snapshot))); }

std::shared_ptr<const sim::FlowResult> pretendedLoads(const Snapshot& s, std::uint32_t frame)
{
    auto result = std::make_shared<sim::FlowResult>();
    result->revision = s.revision;
    result->loadGbps.assign(2 * std::size_t(s.links.nextId()), 0);
    result->capacityGbps.assign(result->loadGbps.size(), 0);
    s.links.forEach([&](LinkId id) {
        const PortId from = s.links.from[id];
        const auto rate = float(s.ports.rate[from].count());
        const DeviceId upper = s.ports.device[s.links.to[id]];
        const int segment = s.devices.segment[upper], level = s.tiers.level[s.devices.tier[upper]];
        for (std::uint32_t d = 0; d < 2; ++d) {
            const std::uint32_t h = (id.value * 2 + d + frame * 7919u) * 2654435761u;
            const float noise = float(h >> 16) / 65535.0f;
            const float base = level == 1 ? 0.25f + 0.04f * float(segment) : level == 2 ? 0.55f : 0.8f;
            result->capacityGbps[2 * id.value + d] = rate;
            result->loadGbps[2 * id.value + d] = rate * std::min(1.0f, base * (0.6f + 0.8f * noise));
        }
    });
    for (std::uint32_t i = 0; i < result->loadGbps.size() && result->hottest.size() < 20; i += 997)
        if (result->utilization(i) > 0.5) result->hottest.push_back({i, result->utilization(i), 1});
    return result;
}

Moved moveRow(Document& document, const FiguresPtr& before, RowId row, int dx, int dy)
{
    Transaction transaction = document.begin("Move row");
    transaction->rows.x.set(row, transaction->rows.x[row] + Millimeters(dx));
    transaction->rows.y.set(row, transaction->rows.y[row] + Millimeters(dy));
    Moved moved;
    moved.changes = transaction.commit();
    moved.figures = orAbort(updateFigures(before, document.snapshot(), *moved.changes));
    (void)moved.figures->prepare(MainNodes::infos(), {});
    return moved;
}

} // namespace hw::test
