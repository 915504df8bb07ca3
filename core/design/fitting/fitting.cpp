// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/fitting/fitting.h"

#include "core/derived/cooling/facility.h"
#include "core/derived/rules/functions.h"
#include "core/design/fitting/cable_bound.h"
#include "core/design/fitting/place_rules.h"
#include "core/design/fitting/room.h"
#include "core/design/layout/erase.h"
#include "core/design/template/layout_section.h"
#include "core/design/template/template.h"
#include "core/foundation/model/laid_out.h"
#include "core/foundation/model/setting_values.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

namespace hw::fitting {

namespace {

using layout::RoomLimit;

constexpr int kPowerLooks = 4; ///< layouts that are made to find out what the modules of so many draw

double thresholdOf(const Snapshot& s, const Threshold& threshold) { return numberSetting(s, threshold.setting, threshold.value); }

layout::RoomNeeds needsOf(const Snapshot& s)
{
    const auto mm = [&](const Threshold& threshold) { return std::int32_t(std::ceil(thresholdOf(s, threshold))); };
    layout::RoomNeeds needs;
    needs.front = mm(rules::kFrontAisle);
    needs.rear = std::max(mm(rules::kRearAisle), mm(rules::kRearAdvised));
    needs.passage = mm(rules::kCirculation);
    needs.egress = std::int32_t(std::floor(thresholdOf(s, rules::kEgress)));
    needs.apart = std::int32_t(std::floor(thresholdOf(s, rules::kApart)));
    needs.racksPerRow = std::max<std::int64_t>(1, std::int64_t(thresholdOf(s, rules::kRowLength)));
    return needs;
}

/// Makes the cheapest of the plans, of all that is asked for or of as much as fits.
class Fitter {
public:
    Fitter(Snapshot& working, HallId hall, const Catalog& catalog, const Progress& progress, WhereNotAll whereNotAll)
        : m_s(working), m_hall(hall), m_catalog(catalog), m_progress(progress), m_whereNotAll(whereNotAll)
    {
        m_fit.hall = working.halls.name[hall];
        m_fit.currency = settingOf(working, "project.currency");
    }

    Result<Fit> run()
    {
        const auto options = optionsOf(m_s);
        if (!options) return tl::unexpected(options.error());
        m_progress.report(0.1, words(TextId("Finding rack positions")));
        const Snapshot asked(m_s);
        auto search = layout::RoomSearch::begin(asked, m_hall, needsOf(m_s), *options, m_catalog);
        if (!search) return tl::unexpected(search.error());
        m_search = &*search;
        m_all = m_search->serverRacks();
        m_fit.accelerators = m_search->accelerators(m_all), m_fit.racks = m_search->racks(m_all);
        m_fit.fits = m_fit.racks == 0;
        if (m_fit.fits) return std::move(m_fit);
        const auto before = computeFigures(std::make_shared<const Snapshot>(m_s), m_progress);
        if (!before) return tl::unexpected(before.error());
        m_before = *before;
        auto found = look();
        if (!found) return tl::unexpected(found.error());
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
    /// A layout of so many server racks, and what is wrong with it but for power.
    struct Attempt {
        std::int64_t serverRacks = 0;
        std::optional<Made> made;
        std::vector<Limit> wrong;
        [[nodiscard]] bool good() const { return made && wrong.empty(); }
    };

    Result<void> look()
    {
        const bool inPower = mostInPower() >= m_all; // even with the largest modules
        auto whole = attempt(m_all, inPower);
        if (whole && whole->good() && !inPower && fitsPower(*whole)) whole = attempt(m_all);
        if (!whole) return tl::unexpected(whole.error());
        m_powerOfModules = shareDrawn(*whole);
        addPower();
        if (whole->good() && !binds()) {
            if (auto taken = take(*whole->made); !taken) return taken;
            m_fit.fits = true, m_fit.most = m_fit.laidOut = m_fit.accelerators;
            return {};
        }
        m_fit.limits.insert(m_fit.limits.end(), whole->wrong.begin(), whole->wrong.end());
        auto most = findMost(std::move(*whole));
        if (!most) return tl::unexpected(most.error());
        finish(*most);
        if (m_whereNotAll != WhereNotAll::AsManyAsFit || m_fit.most == 0) return {};
        auto cheapest = attempt(most->serverRacks);
        if (!cheapest) return tl::unexpected(cheapest.error());
        if (cheapest->good() && cheapest->made->totals.cost < most->made->totals.cost && fitsPower(*cheapest)) most = std::move(cheapest);
        m_fit.racks = std::int64_t(most->made->racks.size()), m_fit.laidOut = m_fit.most;
        return take(*most->made);
    }

    /// The cheapest plan that breaks no rule of places; where all do, the cheapest with what it breaks.
    Result<Attempt> attempt(std::int64_t serverRacks, bool cheapest = true)
    {
        Attempt out{serverRacks, {}, {}};
        auto plans = m_search->plans(serverRacks, m_progress, !cheapest);
        if (!plans) return tl::unexpected(plans.error());
        m_fit.arrangements += plans->tried;
        if (plans->limit) {
            out.wrong.push_back(limitOf(*plans->limit));
            return out;
        }
        std::vector<Made> made;
        for (layout::Plan& plan : plans->plans)
            if (auto done = keepByCost(made, std::move(plan)); !done) return tl::unexpected(done.error());
        for (Made& one : made) {
            std::vector<Limit> wrong;
            if (auto looked = lookAtRules(one, wrong); !looked) return tl::unexpected(looked.error());
            addReach(one, wrong);
            addHeight(one, wrong);
            const bool good = wrong.empty();
            if (!good && out.made) continue;
            out.made = std::move(one), out.wrong = std::move(wrong);
            if (good) break;
        }
        if (!cheapest || out.good()) return out;
        auto other = attempt(serverRacks, false);
        if (other && !other->good()) return out;
        return other;
    }

    /// The largest number of server racks that f(number) is true for; it is of none.
    template <class F>
    Result<std::int64_t> largest(std::int64_t below, F&& f)
    {
        std::int64_t low = 0;
        while (low + 1 < below) {
            const std::int64_t middle = (low + below) / 2;
            const Result<bool> fits = f(middle);
            if (!fits) return tl::unexpected(fits.error());
            (*fits ? low : below) = middle;
        }
        return low;
    }

    /// Those that find places at all; limits say what stands in the way of more.
    Result<std::int64_t> mostInPlace()
    {
        if (m_all == 0) return 0; // network racks alone
        const auto most = largest(m_all, [&](std::int64_t n) -> Result<bool> {
            const auto plans = m_search->plans(n, m_progress, true);
            if (!plans) return tl::unexpected(plans.error());
            return !plans->limit;
        });
        if (!most) return most;
        const auto next = m_search->plans(*most + 1, m_progress, true);
        if (!next) return tl::unexpected(next.error());
        if (next->limit) explain(limitOf(*next->limit), *most);
        return most;
    }

    /// `next`: what keeps one rack of servers more from finding a place.
    void explain(Limit next, std::int64_t most)
    {
        Limit& all = m_fit.limits.back(); // of all that is asked for
        next.accelerators = m_search->accelerators(most);
        if (all.kind != next.kind) {
            if (all.kind == Limit::Kind::Space) all.accelerators = m_search->accelerators(withRacks(std::int64_t(all.available)));
            m_fit.limits.push_back(std::move(next));
            return;
        }
        all.accelerators = next.accelerators;
        if (all.kind != Limit::Kind::Space) return;
        all.available = double(m_search->racks(most));
        all.text = spaceText(std::int64_t(all.needed), m_search->racks(most));
    }

    /// Server racks that come with so many racks altogether.
    [[nodiscard]] std::int64_t withRacks(std::int64_t racks) const
    {
        std::int64_t n = 0;
        while (n < m_all && m_search->racks(n + 1) <= racks) ++n;
        return n;
    }

    /// The largest layout that fits in every way, made and checked.
    Result<Attempt> findMost(Attempt whole)
    {
        m_progress.report(0.6, words(TextId("Finding the largest number that fits")));
        std::int64_t places = m_all;
        if (!whole.made) {
            const auto found = mostInPlace();
            if (!found) return tl::unexpected(found.error());
            places = *found;
        }
        Attempt best;
        if (whole.made && !whole.good()) return largestGood(m_all);
        for (int looks = 0; looks < kPowerLooks; ++looks) {
            const std::int64_t n = std::min(places, mostInPower());
            if (n == 0 || (best.made && n <= best.serverRacks)) return best;
            auto next = attempt(n, false);
            if (!next) return next;
            if (!next->good()) {
                addOnce(next->wrong);
                return best.made ? std::move(best) : largestGood(n);
            }
            if (fitsPower(*next)) best = std::move(*next); // else its modules draw more than was thought
        }
        return best.made ? std::move(best) : largestGood(std::min(places, mostInPower()) + 1);
    }

    void addOnce(std::vector<Limit>& limits)
    {
        for (Limit& limit : limits) {
            const bool known = std::ranges::any_of(m_fit.limits, [&](const Limit& l) { return l.binds && l.kind == limit.kind; });
            if (!known) m_fit.limits.push_back(std::move(limit));
        }
    }

    /// Fewer than `below`, each number made and checked.
    Result<Attempt> largestGood(std::int64_t below)
    {
        Attempt best;
        const auto most = largest(below, [&](std::int64_t n) -> Result<bool> {
            if (n > mostInPower()) return false;
            auto next = attempt(n, false);
            if (!next) return tl::unexpected(next.error());
            if (!next->good() || !fitsPower(*next)) return false;
            best = std::move(*next);
            return true;
        });
        if (!most) return tl::unexpected(most.error());
        return best;
    }

    /// What the project's template says about rows and parts.
    static Result<layout::Options> optionsOf(const Snapshot& s)
    {
        if (s.setting("template.text").empty()) return layout::Options{};
        return layoutOptionsOf(s);
    }

    static Text spaceText(std::int64_t needed, std::int64_t available) { return i18n("space: {:L} racks required, {:L} fit", needed, available); }

    static Limit limitOf(const RoomLimit& limit)
    {
        Limit out;
        out.needed = double(limit.needed), out.available = double(limit.available), out.binds = true;
        switch (limit.kind) {
        case RoomLimit::Kind::Space:
            out.kind = Limit::Kind::Space, out.unit = "racks";
            out.text = spaceText(limit.needed, limit.available);
            break;
        case RoomLimit::Kind::Air:
            out.kind = Limit::Kind::Air, out.unit = "fan-walls";
            out.text = i18n("air: {:L} fan walls required, wall space for {:L}", limit.needed, limit.available);
            break;
        case RoomLimit::Kind::Liquid:
            out.kind = Limit::Kind::Liquid, out.unit = "CDUs";
            out.text = i18n("liquid: {:L} coolant distribution units required, {:L} fit in the rows", limit.needed, limit.available);
            break;
        }
        return out;
    }

    /// What the first server racks may draw, with the largest modules that could plug into them: mW.
    [[nodiscard]] std::int64_t asked(std::int64_t serverRacks) const
    {
        const layout::Demand demand = m_search->demand(serverRacks);
        switch (powerBasisOf(m_s)) {
        case PowerBasis::Typical: return demand.typicalMw;
        case PowerBasis::Design: return demand.designMw;
        case PowerBasis::Nameplate: break;
        }
        return demand.nameplateMw;
    }

    /// The share of that which a layout draws with the modules that it has where it stands; what it was before where there is none.
    [[nodiscard]] double shareDrawn(const Attempt& attempt) const
    {
        const std::int64_t most = asked(attempt.serverRacks);
        if (!attempt.made || most <= 0) return m_powerOfModules;
        const PowerBasis basis = powerBasisOf(m_s);
        const auto of = [&](const Figures& figures) { return figures.get<PowerNode>().hall(m_hall).at(basis).count(); };
        return double(of(*attempt.made->figures) - of(*m_before)) / double(most);
    }

    /// A limit of power, less what stands there by now. W.
    struct PowerLimit {
        std::string where;
        double limit = 0, left = 0, pue = 1;
    };
    /// The limit of the room and of its building.
    [[nodiscard]] std::vector<PowerLimit> powerLimits() const
    {
        const BuildingId building = m_s.halls.building[m_hall];
        const PowerBasis basis = powerBasisOf(m_s);
        const PowerFigures& loads = m_before->get<PowerNode>();
        std::vector<PowerLimit> out;
        const auto add = [&](const std::string& where, Milliwatts limit, Milliwatts there, double pue) {
            if (limit.count() <= 0) return;
            const double most = double(limit.count()) / 1e3;
            out.push_back({where, most, std::max(0.0, most - double(there.count()) * pue / 1e3), pue});
        };
        add(m_s.halls.name[m_hall], m_s.halls.itLimit[m_hall], loads.hall(m_hall).at(basis), 1.0);
        const double pue = settingOf(m_s, "site.limit_basis") == "facility" ? pueOf(*m_before, basis).value : 1.0;
        add(m_s.buildings.name[building], m_s.buildings.itLimit[building], loads.building(building).at(basis), pue);
        return out;
    }
    [[nodiscard]] double drawnW(std::int64_t serverRacks, const PowerLimit& limit) const
    {
        return double(asked(serverRacks)) * m_powerOfModules * limit.pue / 1e3;
    }
    [[nodiscard]] std::int64_t mostInPower(const PowerLimit& limit) const
    {
        std::int64_t low = 0, high = m_all; // of none even what all share is too much
        while (low < high) {
            const std::int64_t middle = (low + high + 1) / 2;
            if (drawnW(middle, limit) <= limit.left)
                low = middle;
            else
                high = middle - 1;
        }
        return low;
    }
    [[nodiscard]] std::int64_t mostInPower() const
    {
        std::int64_t most = m_all;
        for (const PowerLimit& limit : powerLimits()) most = std::min(most, mostInPower(limit));
        return most;
    }

    /// With the modules that it has, which is what is known of modules from now on.
    [[nodiscard]] bool fitsPower(const Attempt& attempt)
    {
        m_powerOfModules = shareDrawn(attempt);
        return attempt.serverRacks <= mostInPower();
    }

    /// Of all that is asked for.
    void addPower()
    {
        for (const PowerLimit& limit : powerLimits()) {
            const double needed = drawnW(m_all, limit);
            if (needed <= 0) continue;
            Limit& out = m_fit.limits.emplace_back();
            out.kind = Limit::Kind::Power, out.unit = "W", out.needed = needed, out.available = limit.left;
            out.binds = needed > limit.left;
            out.text = i18n("power: {:.2f} MW required from {}, {:.2f} MW of {:.2f} MW available", needed / 1e6, limit.where, limit.left / 1e6,
                            limit.limit / 1e6);
        }
    }

    [[nodiscard]] bool binds() const
    {
        return std::ranges::any_of(m_fit.limits, [](const Limit& l) { return l.binds; });
    }

    Result<Made> make(layout::Plan plan) const
    {
        Made made{Snapshot(m_s), {}, {}, {}, plan};
        if (auto written = layout::writeRoom(made.design, std::move(plan), m_catalog); !written) return tl::unexpected(written.error());
        const auto figures = computeFigures(std::make_shared<const Snapshot>(made.design), m_progress);
        if (!figures) return tl::unexpected(figures.error());
        made.figures = *figures;
        made.totals = cableTotals(made.figures->get<PartsNode>(), made.figures->get<CablingNode>());
        for (std::uint32_t id = m_s.racks.nextId(); id < made.design.racks.nextId(); ++id) made.racks.push_back(RackId(id));
        return made;
    }

    Result<void> keepByCost(std::vector<Made>& all, layout::Plan plan)
    {
        if (m_progress.stopRequested()) return fail(ErrorCode::Canceled, m_fit.hall, i18n("canceled"));
        m_progress.report(0.5, words(TextId("Comparing layouts")));
        auto made = make(std::move(plan));
        if (!made) return tl::unexpected(made.error());
        const auto order = [](const Made& m) { return std::pair(m.totals.cost.count(), m.totals.longestMm); };
        all.insert(std::ranges::upper_bound(all, order(*made), {}, order), std::move(*made));
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
        m_s = std::move(made.design);
        return {};
    }

    /// What the rules of places find with the new rows and did not before.
    Result<void> lookAtRules(const Made& made, std::vector<Limit>& wrong)
    {
        m_progress.report(0.8, words(TextId("Checking rack positions")));
        const CheckOptions options = placeRules();
        if (m_known.empty()) {
            const auto old = check(*m_before, options, m_progress);
            if (!old) return tl::unexpected(old.error());
            for (const Finding& finding : old->findings) m_known.insert(finding.id);
            m_known.insert(std::string()); // looked at
        }
        const auto now = check(*made.figures, options, m_progress);
        if (!now) return tl::unexpected(now.error());
        for (const Finding& finding : now->findings) {
            if (finding.severity != Severity::Error || finding.waived || m_known.contains(finding.id)) continue;
            Limit& out = wrong.emplace_back();
            out.kind = finding.rule == "S3" ? Limit::Kind::Floor : Limit::Kind::Rule;
            out.text = finding.rule == "S3" ? i18n("floor load: {}", finding.message) : i18n("rule {}: {}", finding.rule, finding.message);
            out.binds = true;
        }
        return {};
    }

    /// Cables that are longer than their modules reach.
    static void addReach(const Made& made, std::vector<Limit>& wrong)
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
            Limit& out = wrong.emplace_back();
            out.kind = Limit::Kind::Reach, out.unit = "cables", out.needed = double(all), out.available = double(all - far);
            out.text = i18n("reach: {:L} of {:L} cables exceed the reach of every compatible module, up to {:.1f} m", far, all, longest / 1e3);
            out.binds = true;
        }
    }

    /// Trays that do not go under the ceiling.
    void addHeight(const Made& made, std::vector<Limit>& wrong) const
    {
        const std::int32_t clear =
            m_s.halls.clearHeight[m_hall].count() > 0 ? m_s.halls.clearHeight[m_hall].count() : m_s.halls.sizeZ[m_hall].count();
        std::int32_t highest = 0;
        for (std::uint32_t id = m_s.trays.nextId(); id < made.design.trays.nextId(); ++id) {
            const PartTypeId type = made.design.trays.type[TrayId(id)];
            highest = std::max(highest, made.design.trays.z1[TrayId(id)].count() + made.figures->get<PartsNode>().tray(type).height.value.count());
        }
        if (highest <= clear) return;
        Limit& out = wrong.emplace_back();
        out.kind = Limit::Kind::Height, out.unit = "mm", out.needed = highest, out.available = clear, out.binds = true;
        out.text = i18n("height: trays require {:.2f} m, clear height is {:.2f} m", highest / 1e3, clear / 1e3);
    }

    /// Every limit lets in at least what was laid out; what binds first first.
    void finish(const Attempt& most)
    {
        m_fit.most = most.good() ? m_search->accelerators(most.serverRacks) : 0;
        const auto power = powerLimits();
        auto next = power.begin(); // as addPower has them
        for (Limit& limit : m_fit.limits) {
            if (limit.kind == Limit::Kind::Power && next != power.end()) limit.accelerators = m_search->accelerators(mostInPower(*next++));
            limit.accelerators = limit.binds ? std::max(limit.accelerators, m_fit.most) : m_fit.accelerators;
        }
        std::ranges::stable_sort(m_fit.limits, {}, [](const Limit& l) { return std::pair(!l.binds, l.accelerators); });
        if (!m_fit.limits.empty() && m_fit.limits.front().binds) m_fit.limits.front().accelerators = m_fit.most;
    }

    Snapshot& m_s;
    HallId m_hall;
    const Catalog& m_catalog;
    const Progress& m_progress;
    WhereNotAll m_whereNotAll;
    layout::RoomSearch* m_search = nullptr;
    FiguresPtr m_before;
    std::set<std::string> m_known; ///< findings of places from before; with an empty one once they were looked for
    std::int64_t m_all = 0;        ///< server racks that are asked for
    double m_powerOfModules = 1;   ///< what devices draw with the modules that they get, of what they might with the largest
    Fit m_fit;
};

/// Whether a device has no place.
bool anythingLoose(const Snapshot& s)
{
    bool loose = false;
    s.devices.forEach([&](DeviceId id) { loose = loose || (!s.devices.rack[id] && !s.devices.row[id] && !s.devices.hall[id]); });
    return loose;
}

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
            return fail(ErrorCode::Refused, name, i18n("unknown hall"),
                        names.empty() ? i18n("import or add one") : i18n("use {}", listedNames(names)));
        if (s.halls.kind[*named] != RoomKind::Hall && s.halls.kind[*named] != RoomKind::Network)
            return fail(ErrorCode::Refused, name, i18n("racks cannot be placed in a room of this type"), i18n("specify a hall"));
        return *named;
    }
    if (halls.size() == 1) return halls.front();
    if (halls.empty()) return fail(ErrorCode::Refused, "layout", i18n("the project has no hall"), i18n("draw one, or import one with 'import dxf'"));
    return fail(ErrorCode::Refused, "layout", i18n("the project has several halls"), i18n("specify one: {}", listedNames(names)));
}

Result<Fit> layOut(Snapshot& working, HallId hall, const Catalog& catalog, const Progress& progress, WhereNotAll whereNotAll)
{
    const auto inPlan = [&](Snapshot& plan) { return Fitter(plan, hall, catalog, progress, whereNotAll).run(); };
    if (askew(working, hall) == 0) return inPlan(working);
    Snapshot plan(working);
    const auto turned = turnToWalls(plan, hall, progress);
    if (!turned && turned.error().code == ErrorCode::Refused && !anythingLoose(working)) return inPlan(working); // nothing to lay out
    if (!turned) return tl::unexpected(turned.error());
    auto fit = inPlan(plan);
    if (!fit || fit->racks == 0) return fit;
    fit->turned = *turned;
    if (fit->fits || fit->laidOut > 0) working = std::move(plan);
    return fit;
}

Result<MergeReport> changeParameters(Transaction& transaction, const ParameterValues& changed, const Catalog& catalog, const Progress& progress)
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
    auto merged = regenerate(transaction, changed, catalog, progress);
    if (!merged) return merged;
    for (const HallId hall : halls) {
        const auto fit = layOut(*transaction, hall, catalog, progress);
        if (!fit) return tl::unexpected(fit.error());
        if (!fit->fits) return fail(ErrorCode::Refused, fit->hall, fitText(*fit), i18n("choose fewer, or change the limiting factor"));
    }
    return merged;
}

} // namespace hw::fitting
