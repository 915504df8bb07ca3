// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/bindings/balances.h"
#include "core/physics/coolant/library.h"

#include <algorithm>
#include <cmath>

namespace hw::bindings::balances {

namespace {

using Kind = Relation::Kind;
constexpr double kSameWaterK = 1.5; ///< between sensors in one water: their own errors, and what pipes lose (assumed)
constexpr double kMixK = 0.8,
                 kLeastMixK =
                     0.12; ///< of one of the sources, by which what is mixed may differ from what arrives, once what is usual is known (assumed)
constexpr double kNoFactor = 1.5; ///< times the tolerance where the power factor is not measured: it changes with the load (assumed)
constexpr double kSmallHeat = 25; ///< times the heat at which a rack stands still: by so much it may differ where that is less (assumed)
constexpr double kShows = 0.2,
                 kCoarse =
                     0.75; ///< of a load at which meters state an accuracy: from there on a wrong unit shows; by which they may differ (assumed)
constexpr double kLeastW = 200, kLeastA = 1, kLeastLpm = 5; ///< by which what one meter says in several ways, and flows, may always differ (assumed)

/// W of a liter a minute and a kelvin.
double perLiter(const std::string& coolant, double supplyC, double returnC)
{
    const auto fluid = coolant::shippedProperties(coolant, std::clamp(std::round((supplyC + returnC) / 2), 5.0, 95.0));
    return fluid ? fluid->volumetricHeat() / 60'000 : std::nan("");
}

double sumOf(const Relation& r, std::size_t from, std::size_t to, const Value& value)
{
    double sum = 0;
    for (std::size_t i = from; i < to; ++i) sum += value(r.points[i]);
    return sum;
}

/// What becomes heat; of several inlets that share a load those that are read stand for the others.
double heatInto(const Relation& r, const Value& value)
{
    double sum = 0;
    std::size_t known = 0;
    for (std::size_t i = 3; i < r.points.size(); ++i)
        if (const double one = value(r.points[i]); !std::isnan(one)) sum += one, ++known;
    return 2 * known < r.points.size() - 3 || known == 0 ? std::nan("") : sum * double(r.points.size() - 3) / double(known);
}

double middleOf(std::vector<double> values)
{
    const auto middle = values.begin() + std::ptrdiff_t(values.size() / 2);
    std::ranges::nth_element(values, middle);
    return *middle;
}

} // namespace

double heatOf(const std::string& coolant, double lpm, double supplyC, double returnC)
{
    return lpm * perLiter(coolant, supplyC, returnC) * (returnC - supplyC);
}

Terms termsOf(const Relation& r, const Value& value, double pool)
{
    const auto at = [&](std::size_t i) { return value(r.points[i]); };
    const std::size_t size = r.points.size();
    switch (r.kind) {
    case Kind::Heat: return {heatOf(r.coolant, at(0), at(1), at(2)), heatInto(r, value) * r.share};
    case Kind::Exchange:
        return {heatOf(r.coolant, at(0), at(1), at(2)) * r.share + (size > 6 ? at(6) : 0), heatOf(r.farCoolant, at(3), at(4), at(5))};
    case Kind::Split: return {sumOf(r, 0, r.first, value), sumOf(r, r.first, size, value)};
    case Kind::Water: return {at(0), pool};
    case Kind::Mix: {
        double flow = 0, warmth = 0;
        for (std::size_t i = 0; i < r.first; ++i) flow += at(r.first + i), warmth += at(r.first + i) * at(i);
        return {flow > 0 ? warmth / flow : std::nan(""), pool};
    }
    case Kind::Meter: return {at(0), sumOf(r, 1, size, value) + r.lossW / 2};
    case Kind::Current: return {at(0), at(1) * at(2) * (size > 3 ? at(3) : 1)};
    case Kind::Apparent: return {at(0), at(1) * (size > 2 ? at(2) : 1)};
    case Kind::Phases: return {at(0), (at(1) + at(2) + at(3)) / 3};
    }
    return {};
}

double slopeOf(const Relation& r, std::size_t i, const Value& value)
{
    const auto at = [&](std::size_t n) { return value(r.points[n]); };
    const std::size_t size = r.points.size();
    const auto ofWater = [&](std::size_t first, std::size_t sensor, const std::string& coolant) {
        const double c = perLiter(coolant, at(first + 1), at(first + 2));
        return sensor == 0 ? c * (at(first + 2) - at(first + 1)) : c * at(first) * (sensor == 1 ? -1 : 1);
    };
    switch (r.kind) {
    case Kind::Heat: return i < 3 ? ofWater(0, i, r.coolant) : -r.share;
    case Kind::Exchange: return i < 3 ? ofWater(0, i, r.coolant) * r.share : i < 6 ? -ofWater(3, i - 3, r.farCoolant) : 1;
    case Kind::Split: return i < r.first ? 1 : -1;
    case Kind::Water: return 1;
    case Kind::Mix: {
        const double flow = sumOf(r, r.first, size, value);
        return i < r.first && flow > 0 ? at(r.first + i) / flow : 0;
    }
    case Kind::Meter: return i == 0 ? 1 : -1;
    case Kind::Current:
    case Kind::Apparent: {
        double product = -1;
        for (std::size_t n = 1; n < r.points.size(); ++n) product *= n == i ? 1 : at(n);
        return i == 0 ? 1 : product;
    }
    case Kind::Phases: return i == 0 ? 1 : -1.0 / 3;
    }
    return 0;
}

double allowedOf(const Relation& r, const Terms& terms, const PlausibilityLimits& limits)
{
    const double most = std::max(std::abs(terms.left), std::abs(terms.right));
    switch (r.kind) {
    case Kind::Heat:
        return std::max(r.restHeat > 0 ? std::min(limits.heatW, kSmallHeat * r.restHeat) : limits.heatW, limits.heatShare * (r.slow ? 2 : 1) * most);
    case Kind::Exchange: return std::max(limits.heatW, limits.heatShare * most);
    case Kind::Split: return std::max(kLeastLpm, limits.meterShare * most);
    case Kind::Water: return kSameWaterK;
    case Kind::Mix: return std::max(kLeastMixK, kMixK / double(std::max(r.first, 1u)));
    case Kind::Meter: return std::max(limits.meterW, limits.meterShare * most) + r.lossW / 2;
    case Kind::Current:
    case Kind::Apparent: {
        const bool factor = r.points.size() > (r.kind == Kind::Current ? 3 : 2);
        return std::max(kLeastW, (isCoarse(r, terms) ? kCoarse : limits.meterShare * (factor ? 1 : kNoFactor)) * most);
    }
    case Kind::Phases: return std::max(kLeastA, limits.meterShare * most);
    }
    return 0;
}

bool isCoarse(const Relation& r, const Terms& terms)
{
    return (r.kind == Kind::Current || r.kind == Kind::Apparent) && std::max(terms.left, terms.right) < r.restHeat;
}

bool restsOf(const Relation& r, const Terms& terms, const Value& value)
{
    switch (r.kind) {
    case Kind::Heat:
        if (r.slow) return terms.right <= r.restHeat;
        return value(r.points[0]) <= r.restFlow && terms.right <= r.restHeat;
    case Kind::Exchange: return value(r.points[0]) <= r.restFlow && value(r.points[3]) <= r.restFlow;
    case Kind::Meter: return r.storing && terms.left < 0.5 * terms.right; // its battery gives
    case Kind::Current:
    case Kind::Apparent: return std::max(terms.left, terms.right) < r.restHeat * kShows;
    default: return false;
    }
}

Median medianOf(const Pool& pool, const Value& value)
{
    std::vector<double> all, sources, takers;
    for (const Pool::Member& member : pool.members) {
        const double temperature = value(member.point), flow = member.flow == kNoPoint ? std::nan("") : value(member.flow);
        if (std::isnan(temperature) || flow <= member.restFlow) continue;
        all.push_back(temperature);
        (member.source ? sources : takers).push_back(temperature);
    }
    const double taken = takers.empty() ? std::nan("") : middleOf(takers);
    if (all.size() < 3) return {std::nan(""), 0, taken};
    const auto [least, most] = std::ranges::minmax_element(sources);
    return {middleOf(std::move(all)), sources.empty() ? 0 : *most - *least, taken};
}

} // namespace hw::bindings::balances
