// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/sizing/demand.h"

#include "core/design/sizing/growth.h"
#include "core/design/template/spec.h"

#include <algorithm>
#include <cmath>

namespace hw::sizing {

namespace {

constexpr std::int64_t kLawQuarters = 40;  ///< that a law without an end is looked at
constexpr double kMostAccelerators = 1e12; ///< a law is not followed beyond it

double lawAt(const TenantDemand& t, QuarterTime time)
{
    const auto& start = t.points.front();
    const double elapsed = (t.until ? std::min(time, *t.until) : time) - start.time, periods = elapsed / t.quarters;
    double value = start.accelerators;
    switch (t.kind) {
    case TenantDemand::Kind::Multiply: value *= std::pow(t.amount, periods); break;
    case TenantDemand::Kind::Percent: value *= std::pow(1.0 + t.amount / 100.0, periods); break;
    case TenantDemand::Kind::Add: value += t.amount * periods; break;
    case TenantDemand::Kind::Steps:
    case TenantDemand::Kind::Lines: break;
    }
    return std::clamp(value, 0.0, kMostAccelerators);
}

bool isLaw(TenantDemand::Kind kind) { return kind != TenantDemand::Kind::Steps && kind != TenantDemand::Kind::Lines; }

} // namespace

double TenantDemand::at(QuarterTime time) const
{
    if (points.empty() || time < points.front().time) return 0;
    if (isLaw(kind)) return lawAt(*this, time);
    const auto next = std::upper_bound(points.begin(), points.end(), time, [](double t, const Point& p) { return t < p.time; });
    const auto& last = *std::prev(next);
    if (kind == Kind::Steps || next == points.end()) return last.accelerators;
    return last.accelerators + (next->accelerators - last.accelerators) * (time - last.time) / (next->time - last.time);
}

double TenantDemand::before(QuarterTime time) const
{
    if (points.empty() || time <= points.front().time) return 0;
    if (kind != Kind::Steps) return at(time);
    const auto next = std::lower_bound(points.begin(), points.end(), time, [](const Point& p, double t) { return p.time < t; });
    return std::prev(next)->accelerators;
}

std::int64_t DemandCurve::firstQuarter() const
{
    double first = INFINITY;
    for (const auto& t : tenants)
        if (!t.points.empty()) first = std::min(first, t.points.front().time);
    return std::isfinite(first) ? std::int64_t(std::floor(first)) : 0;
}

std::int64_t DemandCurve::lastQuarter() const
{
    std::int64_t last = firstQuarter();
    for (const auto& t : tenants) {
        if (t.points.empty()) continue;
        if (!isLaw(t.kind))
            last = std::max(last, std::int64_t(std::floor(t.points.back().time)));
        else
            last = std::max(last, t.until ? std::int64_t(std::floor(*t.until)) : std::int64_t(std::floor(t.points.front().time)) + kLawQuarters - 1);
    }
    return last;
}

/// Between two events the sum is convex (constants, straight lines, exponentials), so it is largest at an end.
double DemandCurve::peak(std::int64_t quarter, const TenantDemand* tenant) const
{
    const double begin = double(quarter), end = double(quarter + 1);
    std::vector<double> times{begin};
    const auto event = [&](double t) {
        if (t > begin && t < end) times.push_back(t);
    };
    for (const auto& t : tenants) {
        for (const auto& point : t.points) event(point.time);
        if (t.until) event(*t.until);
    }
    double most = 0;
    const auto sum = [&](double time, bool before) {
        double total = 0;
        for (const auto& t : tenants)
            if (!tenant || tenant == &t) total += before ? t.before(time) : t.at(time);
        most = std::max(most, total);
    };
    for (const double t : times) {
        sum(t, false);
        if (t > begin) sum(t, true);
    }
    sum(end, true);
    return most;
}

double DemandCurve::peak() const
{
    double most = 0;
    for (std::int64_t q = firstQuarter(); q <= lastQuarter(); ++q) most = std::max(most, peak(q));
    return most;
}

DemandAnswer meetDemand(const DemandCurve& curve, const std::vector<DesignLimit>& limits)
{
    DemandAnswer answer;
    if (curve.empty()) return answer;
    for (std::int64_t q = curve.firstQuarter(); q <= curve.lastQuarter(); ++q) {
        auto& quarter = answer.quarters.emplace_back();
        quarter.quarter = q;
        quarter.accelerators = curve.peak(q);
        for (const auto& tenant : curve.tenants) quarter.byTenant[tenant.tenant] += curve.peak(q, &tenant);
    }
    std::map<std::string, std::int64_t> filled; // by resource, of the buildings so far
    for (const auto& limit : limits) {
        Exhaustion runOut{limit, 0, std::nullopt, 0};
        std::int64_t carried = limit.accelerators;
        if (!limit.building.empty()) {
            runOut.filledBefore = filled[limit.resource];
            carried = filled[limit.resource] += limit.accelerators;
        }
        const auto passed = std::find_if(answer.quarters.begin(), answer.quarters.end(),
                                         [&](const auto& q) { return q.accelerators > double(carried) * (1 + 1e-12); });
        if (passed != answer.quarters.end()) runOut.quarter = passed->quarter, runOut.demand = passed->accelerators;
        answer.runOuts.push_back(std::move(runOut));
    }
    return answer;
}

std::optional<DesignLimit> templateLimit(const Snapshot& snapshot, const Catalog& catalog)
{
    const auto design = templateOf(snapshot);
    if (!design || design->spec().sizing.grow.empty()) return std::nullopt;
    auto counter = TemplateCounter::bind(*design, catalog);
    if (!counter) return std::nullopt;
    const GrowthPath path(*design, variantOf(*design, parametersOf(snapshot)), *counter);
    const auto last = furthest(*counter, path);
    if (!last.step) return std::nullopt;
    const std::string most = path.text(path.at(*last.step));
    return DesignLimit{"template", "", last.accelerators,
                       last.reason.empty() ? i18n("{} is expandable to {}", design->name(), most)
                                           : i18n("{} is expandable to {}: {}", design->name(), most, last.reason)};
}

Result<std::vector<GrowthStage>> growthStages(const SizedDesign& design, const Template& source, const Catalog& catalog, const DemandCurve& curve)
{
    auto counter = TemplateCounter::bind(source, catalog);
    if (!counter) return tl::unexpected(counter.error());
    const GrowthPath path(source, variantOf(source, design.parameters), *counter);
    std::vector<GrowthStage> stages;
    std::int64_t built = 0;
    for (std::int64_t q = curve.firstQuarter(); q <= curve.lastQuarter(); ++q) {
        const double demand = curve.peak(q);
        if (demand <= double(built)) continue;
        const auto grown = smallestReaching(*counter, path, std::int64_t(std::ceil(demand - 1e-9)), Shapes::FullUnits);
        if (!grown.values) {
            stages.push_back({q, demand, std::nullopt, grown.reason});
            break;
        }
        built = grown.accelerators;
        stages.push_back({q, demand, built, verbatim(path.text(*grown.values))});
    }
    return stages;
}

} // namespace hw::sizing
