// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/fitting/fitting.h"

#include "core/cooling/facility.h"
#include "core/fitting/cable_bound.h"
#include "core/layout/room.h"
#include "core/model/laid_out.h"
#include "core/model/setting_values.h"
#include "core/rules/check.h"
#include "core/template/layout_section.h"
#include "core/template/template.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

namespace hw::fitting {

namespace {

using layout::RoomLimit;
using layout::RoomPlans;

constexpr const char* kPlaceRules[] = {"S1", "S2", "S3", "S4", "S5", "S8"}; ///< of what stands in a hall

/// Refuses what a hall cannot carry; else makes the cheapest of the plans.
class Fitter {
public:
    Fitter(Snapshot& working, HallId hall, const Catalogue& catalogue, const Progress& progress)
        : m_s(working), m_hall(hall), m_catalogue(catalogue), m_progress(progress)
    {
        m_fit.hall = working.halls.name[hall];
        m_fit.currency = settingOf(working, "project.currency");
    }

    Result<Fit> run()
    {
        const auto options = optionsOf(m_s);
        if (!options) return tl::unexpected(options.error());
        m_progress.report(0.1, words(TextId("Looking for places")));
        auto plans = layout::planRoom(m_s, m_hall, *options, m_catalogue, m_progress);
        if (!plans) return tl::unexpected(plans.error());
        m_fit.accelerators = plans->accelerators, m_fit.racks = plans->racks, m_fit.arrangements = plans->tried;
        m_perRack = std::max<std::int64_t>(1, plans->acceleratorsPerRack);
        m_fit.fits = plans->racks == 0;
        if (m_fit.fits) return std::move(m_fit);
        for (const RoomLimit& limit : plans->limits) addLimit(limit);
        const auto before = computeFigures(std::make_shared<const Snapshot>(m_s), m_progress);
        if (!before) return tl::unexpected(before.error());
        std::optional<Made> best;
        for (layout::Plan& plan : plans->plans)
            if (auto done = keepCheaper(best, std::move(plan)); !done) return tl::unexpected(done.error());
        addPower(**before, best ? drawn(**before, *best) : asked(plans->demand));
        if (best) {
            if (auto looked = lookAtRules(**before, *best); !looked) return tl::unexpected(looked.error());
            addReach(*best);
            addHeight(*best);
            if (!binds())
                if (auto taken = take(*best); !taken) return tl::unexpected(taken.error());
        }
        finish();
        return std::move(m_fit);
    }

private:
    struct Made {
        Snapshot design;
        std::shared_ptr<const Figures> figures;
        CableTotals totals;
        std::vector<RackId> racks;
        layout::Plan plan;
    };

    /// What the project's template says about rows and parts.
    static Result<layout::Options> optionsOf(const Snapshot& s)
    {
        if (s.setting("template.text").empty()) return layout::Options{};
        return layoutOptionsOf(s);
    }

    [[nodiscard]] std::int64_t share(double part) const
    {
        const auto racks = std::int64_t(std::floor(part * double(m_fit.accelerators) / double(m_perRack) + 1e-6));
        return std::clamp<std::int64_t>(racks * m_perRack, 0, m_fit.accelerators);
    }

    void addLimit(const RoomLimit& limit)
    {
        Limit& out = m_fit.limits.emplace_back();
        out.needed = double(limit.needed), out.available = double(limit.available);
        out.accelerators = limit.accelerators, out.binds = true;
        switch (limit.kind) {
        case RoomLimit::Kind::Space:
            out.kind = Limit::Kind::Space, out.unit = "racks";
            out.text = i18n("space: {:L} racks are needed, and {:L} find a place", limit.needed, limit.available);
            break;
        case RoomLimit::Kind::Air:
            out.kind = Limit::Kind::Air, out.unit = "fan-walls";
            out.text = i18n("air: {:L} fan walls are needed, and the walls have room for {:L}", limit.needed, limit.available);
            break;
        case RoomLimit::Kind::Liquid:
            out.kind = Limit::Kind::Liquid, out.unit = "CDUs";
            out.text = i18n("liquid: {:L} coolant distribution units are needed, and {:L} find a place in the rows", limit.needed, limit.available);
            break;
        }
    }

    /// What the devices may draw, with the largest modules that could plug into them: mW.
    [[nodiscard]] std::int64_t asked(const layout::Demand& demand) const
    {
        switch (powerBasisOf(m_s)) {
        case PowerBasis::Typical: return demand.typicalMw;
        case PowerBasis::Design: return demand.designMw;
        case PowerBasis::Nameplate: break;
        }
        return demand.nameplateMw;
    }

    /// What they draw with the modules that they have where they stand.
    [[nodiscard]] std::int64_t drawn(const Figures& before, const Made& made) const
    {
        const PowerBasis basis = powerBasisOf(m_s);
        return (made.figures->get<PowerNode>().hall(m_hall).at(basis) - before.get<PowerNode>().hall(m_hall).at(basis)).count();
    }

    /// The limit of the room and of its building, less what stands there by now.
    void addPower(const Figures& before, std::int64_t askedMw)
    {
        const BuildingId building = m_s.halls.building[m_hall];
        const PowerBasis basis = powerBasisOf(m_s);
        const PowerFigures& loads = before.get<PowerNode>();
        addPower(m_s.halls.name[m_hall], m_s.halls.itLimit[m_hall], loads.hall(m_hall).at(basis), askedMw, 1.0);
        const double pue = settingOf(m_s, "site.limit_basis") == "facility" ? pueOf(before, basis).value : 1.0;
        addPower(m_s.buildings.name[building], m_s.buildings.itLimit[building], loads.building(building).at(basis), askedMw, pue);
    }

    void addPower(const std::string& where, Milliwatts limit, Milliwatts there, std::int64_t askedMw, double pue)
    {
        if (limit.count() <= 0 || askedMw <= 0) return;
        const double needed = double(askedMw) * pue / 1e3, available = std::max(0.0, double(limit.count()) / 1e3 - double(there.count()) * pue / 1e3);
        Limit& out = m_fit.limits.emplace_back();
        out.kind = Limit::Kind::Power, out.unit = "W", out.needed = needed, out.available = available;
        out.binds = needed > available;
        out.accelerators = share(available / needed);
        out.text = i18n("power: {:.2f} MW are asked of {}, and {:.2f} MW are left of {:.2f} MW", needed / 1e6, where, available / 1e6,
                        double(limit.count()) / 1e9);
    }

    [[nodiscard]] bool binds() const
    {
        return std::ranges::any_of(m_fit.limits, [](const Limit& l) { return l.binds; });
    }

    Result<Made> make(layout::Plan plan) const
    {
        Made made{Snapshot(m_s), {}, {}, {}, plan};
        if (auto written = layout::writeRoom(made.design, std::move(plan), m_catalogue); !written) return tl::unexpected(written.error());
        const auto figures = computeFigures(std::make_shared<const Snapshot>(made.design), m_progress);
        if (!figures) return tl::unexpected(figures.error());
        made.figures = *figures;
        made.totals = cableTotals(made.figures->get<PartsNode>(), made.figures->get<CablingNode>());
        for (std::uint32_t id = m_s.racks.nextId(); id < made.design.racks.nextId(); ++id) made.racks.push_back(RackId(id));
        return made;
    }

    Result<void> keepCheaper(std::optional<Made>& best, layout::Plan plan)
    {
        if (m_progress.stopRequested()) return fail(ErrorCode::Cancelled, m_fit.hall, i18n("cancelled"));
        m_progress.report(0.5, words(TextId("Comparing layouts")));
        auto made = make(std::move(plan));
        if (!made) return tl::unexpected(made.error());
        const auto order = [](const Made& m) { return std::pair(m.totals.cost.count(), m.totals.longestMm); };
        if (!best || order(*made) < order(*best)) best = std::move(*made);
        return {};
    }

    /// The design becomes what was made.
    Result<void> take(Made& made)
    {
        const layout::PlannedHall& hall = made.plan.halls.front();
        m_fit.rows = std::int64_t(made.design.rows.size() - m_s.rows.size());
        m_fit.fanWalls = std::int64_t(hall.fanWallSpots.size()), m_fit.cdus = std::int64_t(hall.cduSpots.size());
        m_fit.cost = made.totals.cost, m_fit.longestM = double(made.totals.longestMm) / 1e3;
        const auto bound = leastCableCost(*made.figures, made.racks);
        if (!bound) return tl::unexpected(bound.error());
        m_fit.bound = std::min(*bound, m_fit.cost);
        m_fit.fits = true;
        m_s = std::move(made.design);
        return {};
    }

    /// What the rules of places find with the new rows and did not before.
    Result<void> lookAtRules(const Figures& before, const Made& made)
    {
        m_progress.report(0.8, words(TextId("Checking the places")));
        CheckOptions options;
        for (const char* rule : kPlaceRules) options.rules.emplace_back(rule);
        const auto old = check(before, options, m_progress), now = check(*made.figures, options, m_progress);
        if (!old || !now) return tl::unexpected(!old ? old.error() : now.error());
        std::set<std::string> known;
        for (const Finding& finding : old->findings) known.insert(finding.id);
        for (const Finding& finding : now->findings) {
            if (finding.severity != Severity::Error || finding.waived || known.contains(finding.id)) continue;
            Limit& out = m_fit.limits.emplace_back();
            out.kind = finding.rule == "S3" ? Limit::Kind::Floor : Limit::Kind::Rule;
            out.text = finding.rule == "S3" ? i18n("floor load: {}", finding.message) : i18n("rule {}: {}", finding.rule, finding.message);
            out.binds = true;
            out.accelerators = share(1.0 - shareOf(made, finding));
        }
        return {};
    }

    /// The share of the accelerators that stand in the racks which a finding names.
    [[nodiscard]] double shareOf(const Made& made, const Finding& finding) const
    {
        std::set<std::uint32_t> racks;
        for (const EntityRef entity : finding.entities)
            if (entity.kind == EntityKind::Rack) racks.insert(entity.id);
        std::int64_t in = 0, all = 0;
        const auto& parts = made.figures->get<PartsNode>();
        made.design.devices.forEach([&](DeviceId id) {
            const int accelerators = parts.device(made.design.devices.type[id]).accelerators;
            all += accelerators;
            if (const auto rack = made.design.devices.rack[id]; rack && racks.contains((*rack).value)) in += accelerators;
        });
        return all > 0 ? double(in) / double(all) : 1.0;
    }

    /// Cables that are longer than their modules reach.
    void addReach(const Made& made)
    {
        const Cabling& cabling = made.figures->get<CablingNode>();
        std::int64_t all = 0, far = 0;
        std::int32_t longest = 0;
        made.design.cables.forEach([&](CableId id) {
            if (made.design.cables.medium[id] != Medium::Data) return;
            ++all;
            if (!cabling[id].reachExceeded) return;
            ++far;
            longest = std::max(longest, cabling[id].lengthMm);
        });
        if (far > 0) {
            Limit& out = m_fit.limits.emplace_back();
            out.kind = Limit::Kind::Reach, out.unit = "cables", out.needed = double(all), out.available = double(all - far);
            out.text = i18n("reach: {:L} of {:L} cables are longer than any module that fits them reaches, up to {:.1f} m", far, all, longest / 1e3);
            out.accelerators = share(out.available / out.needed), out.binds = true;
        }
    }

    /// Trays that do not go under the ceiling.
    void addHeight(const Made& made)
    {
        const std::int32_t clear =
            m_s.halls.clearHeight[m_hall].count() > 0 ? m_s.halls.clearHeight[m_hall].count() : m_s.halls.sizeZ[m_hall].count();
        std::int32_t highest = 0;
        for (std::uint32_t id = m_s.trays.nextId(); id < made.design.trays.nextId(); ++id) {
            const PartTypeId type = made.design.trays.type[TrayId(id)];
            highest = std::max(highest, made.design.trays.z1[TrayId(id)].count() + made.figures->get<PartsNode>().tray(type).height.value.count());
        }
        if (highest <= clear) return;
        Limit& out = m_fit.limits.emplace_back();
        out.kind = Limit::Kind::Height, out.unit = "mm", out.needed = highest, out.available = clear, out.binds = true;
        out.text = i18n("height: trays need {:.2f} m, and {:.2f} m are clear", highest / 1e3, clear / 1e3);
    }

    void finish()
    {
        std::ranges::stable_sort(m_fit.limits, {}, [](const Limit& l) { return std::pair(!l.binds, l.accelerators); });
        m_fit.most = m_fit.accelerators;
        for (const Limit& limit : m_fit.limits)
            if (limit.binds) m_fit.most = std::min(m_fit.most, limit.accelerators);
    }

    Snapshot& m_s;
    HallId m_hall;
    const Catalogue& m_catalogue;
    const Progress& m_progress;
    std::int64_t m_perRack = 1;
    Fit m_fit;
};

} // namespace

Result<HallId> hallFor(const Snapshot& s, const std::string& name)
{
    std::vector<HallId> halls;
    std::vector<std::string> names;
    Maybe<HallId> named;
    s.halls.forEach([&](HallId id) {
        if (s.halls.name[id] == name) named = id;
        if (s.halls.kind[id] != RoomKind::Hall) return;
        halls.push_back(id);
        names.push_back(s.halls.name[id]);
    });
    if (!name.empty()) {
        if (!named)
            return fail(ErrorCode::Refused, name, i18n("no hall has this name"),
                        names.empty() ? i18n("import or add one") : i18n("use {}", listedNames(names)));
        if (s.halls.kind[*named] != RoomKind::Hall && s.halls.kind[*named] != RoomKind::Network)
            return fail(ErrorCode::Refused, name, i18n("racks do not stand in a room of this use"), i18n("name a hall"));
        return *named;
    }
    if (halls.size() == 1) return halls.front();
    if (halls.empty()) return fail(ErrorCode::Refused, "layout", i18n("the project has no hall"), i18n("draw one, or read one with 'import dxf'"));
    return fail(ErrorCode::Refused, "layout", i18n("the project has several halls"), i18n("name one: {}", listedNames(names)));
}

Result<Fit> layOut(Snapshot& working, HallId hall, const Catalogue& catalogue, const Progress& progress)
{
    return Fitter(working, hall, catalogue, progress).run();
}

Result<MergeReport> changeParameters(Transaction& transaction, const ParameterValues& changed, const Catalogue& catalogue, const Progress& progress)
{
    std::vector<HallId> halls; // those for servers first
    for (const bool network : {false, true})
        transaction->halls.forEach([&](HallId id) {
            bool laidOut = false;
            transaction->rows.forEach([&](RowId row) {
                laidOut = laidOut || (transaction->rows.hall[row] == id && (transaction->rows.overridden[row] & overridden::kLaidOut));
            });
            if (laidOut && (transaction->halls.kind[id] == RoomKind::Network) == network) halls.push_back(id);
        });
    if (!halls.empty()) layout::eraseLaidOut(*transaction);
    auto merged = regenerate(transaction, changed, catalogue, progress);
    if (!merged) return merged;
    for (const HallId hall : halls) {
        const auto fit = layOut(*transaction, hall, catalogue, progress);
        if (!fit) return tl::unexpected(fit.error());
        if (!fit->fits) return fail(ErrorCode::Refused, fit->hall, fitText(*fit), i18n("choose fewer, or change what limits them"));
    }
    return merged;
}

} // namespace hw::fitting
