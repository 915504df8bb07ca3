// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/bindings/culprits.h"

#include <algorithm>
#include <cmath>

namespace hw::bindings::balances {

namespace {

using Kind = Relation::Kind;
// All assumed, and tried on the emulated pods of tests/watch.
constexpr double kStillOff = 0.3;   ///< of what is allowed: one that was broken is so until then
constexpr double kSettled = 0.2;    ///< of what a sensor is wrong by, its average has still to go
constexpr double kSettledOwn = 0.5; ///< and of what it says: a factor magnifies the rest
constexpr double kMendsTo = 0.4;    ///< of what is allowed: a correction mends what it brings to less
constexpr double kSure = 12,
                 kClear = 3;    ///< the noise of usual ratios is a twelfth of what is allowed; a sum of squares less by so much decides (assumed)
constexpr double kApartK = 1.5; ///< between sources of one loop, as between sensors in one water (assumed)
constexpr double kOdd = 3, kOddShare = 0.05; ///< so many times what neighbors differ by, or this share of their middle (assumed)

double middle(std::vector<double> values)
{
    const auto at = values.begin() + std::ptrdiff_t(values.size() / 2);
    std::ranges::nth_element(values, at);
    return *at;
}

/// How far a value is from the middle of its neighbors, in what they differ by; -1: too few.
double farFrom(double value, const std::vector<double>& neighbors, double least)
{
    if (neighbors.size() < 2) return -1;
    const double usual = middle(neighbors);
    std::vector<double> off;
    for (const double n : neighbors) off.push_back(std::abs(n - usual));
    return std::abs(value - usual) / std::max({least, middle(off), std::abs(usual) * 1e-6, 1e-12});
}

bool contains(const std::vector<std::uint32_t>& all, std::uint32_t one) { return std::ranges::find(all, one) != all.end(); }

} // namespace

Culprits::Culprits(const All& all, const Bound& bound, Looks looks, Value fast, Value slow)
    : m_all(all), m_bound(bound), m_looks(std::move(looks)), m_fast(std::move(fast)), m_slow(std::move(slow))
{
}

/// What is wrong with a sensor is a factor, but of temperatures, and of one that says nothing flows.
bool Culprits::isFactor(PointNo point) const
{
    return infoOf(m_bound.points[point].measure).unit != "°C" && std::abs(m_fast(point)) > 1e-6 && std::abs(m_slow(point)) > 1e-6;
}

std::optional<Look> Culprits::lookOf(std::uint32_t number) const
{
    auto look = m_looks(number);
    if (!look || m_by.empty()) return look;
    const Relation& r = m_all.relations[number];
    const Value& value = look->slow ? m_slow : m_fast;
    for (std::size_t i = 0; i < r.points.size(); ++i)
        if (const auto by = m_by.find(r.points[i]); by != m_by.end()) {
            const double now = value(r.points[i]);
            // Averages in which it was right for a while say nothing.
            const double fast = m_fast(r.points[i]), wrong = std::abs(corrected(r.points[i], fast, by->second.by) - fast);
            const double most = isFactor(r.points[i]) ? std::min(kSettled * wrong, kSettledOwn * std::abs(fast)) : kSettled * wrong;
            if (look->slow && !by->second.slow && std::abs(now - fast) > most) return std::nullopt;
            const double slope = slopeOf(r, i, value), more = slope * (corrected(r.points[i], now, by->second.by) - now);
            look->residual += more, look->usual += more;
            look->allowed += std::abs(slope) * by->second.half * (isFactor(r.points[i]) ? std::abs(now) : 1);
        }
    return look;
}

/// The corrections of a sensor with which a relation holds; none: whatever it said would not do.
std::optional<Culprits::Band> Culprits::bandOf(std::uint32_t number, PointNo point, const Look& look, double part) const
{
    const Relation& r = m_all.relations[number];
    const Value& value = look.slow ? m_slow : m_fast;
    const auto sensor = std::size_t(std::ranges::find(r.points, point) - r.points.begin());
    const double slope = slopeOf(r, sensor, value), now = value(point);
    if (!(std::abs(slope) > 1e-9)) return std::nullopt;
    const double right = now - look.residual / slope, half = look.allowed / std::abs(slope) * part;
    const MeasureInfo& info = infoOf(m_bound.points[point].measure);
    const bool ofCoolant = info.unit == "°C" && (r.kind == Kind::Heat || r.kind == Kind::Exchange); // flows, and takes heat along
    const double least = ofCoolant ? std::max(info.least, 0.0) : info.unit == "°C" ? info.least : 0, most = info.most > 0 ? info.most : 1e12;
    if (!(right + half >= least) || !(right - half <= most)) return std::nullopt;
    if (!isFactor(point)) return Band{right - half - now, right + half - now};
    const double a = (right - half) / now, b = (right + half) / now;
    return Band{std::min(a, b), std::max(a, b)};
}

/// The one correction that mends most of what is broken and leaves alone what holds. Averages hold against averages: what broke a moment ago is
/// not in them yet.
Culprits::Mended Culprits::mends(PointNo point, bool slow, const std::vector<std::uint32_t>& broken) const
{
    Band kept{-1e300, 1e300};
    std::vector<Band> wanted; ///< those by what is in the same water first: it says what the sensor should, a balance only how several differ
    std::size_t byWater = 0;
    bool surely = false; // what is in a water has its temperature, whatever else fits together
    const auto isCorrected = [&](std::uint32_t number) {
        return !m_by.empty() && std::ranges::any_of(m_all.relations[number].points, [&](PointNo p) { return m_by.contains(p); });
    };
    const auto waits = [&](PointNo p) { return p != point && m_waiting.contains(p); };
    for (const std::uint32_t number : m_all.relationsOf(point)) {
        if (!m_waiting.empty() && std::ranges::any_of(m_all.relations[number].points, waits)) continue;
        const auto look = lookOf(number);
        if (!look || (look->slow && !slow)) continue;
        const bool fresh = !isCorrected(number), listed = contains(broken, number), its = listed || !fresh;
        const bool off = std::abs(look->residual) > look->allowed * (listed && fresh ? kStillOff : 1);
        if (off && !its) continue; // not yet for long enough
        const auto band = bandOf(number, point, *look, off ? kMendsTo : 1);
        if (off) {
            const Relation& r = m_all.relations[number];
            if (band) wanted.insert(r.kind == Kind::Water ? wanted.begin() + std::ptrdiff_t(byWater++) : wanted.end(), *band);
            surely = surely || (r.kind == Kind::Water && !r.source);
        } else if (band) {
            kept = {std::max(kept.least, band->least), std::min(kept.most, band->most)};
        }
    }
    if (surely) kept = {-1e300, 1e300};
    Mended best;
    for (const Band& one : wanted) {
        Band common{std::max(one.least, kept.least), std::min(one.most, kept.most)};
        if (common.least > common.most) continue;
        int count = 1;
        const Band* narrowest = &one;
        for (const Band& other : wanted) {
            const Band both{std::max(common.least, other.least), std::min(common.most, other.most)};
            if (&other == &one || both.least > both.most) continue;
            common = both, ++count;
            if (other.most - other.least < narrowest->most - narrowest->least) narrowest = &other;
        }
        const double exact = std::clamp((narrowest->least + narrowest->most) / 2, common.least, common.most);
        if (count > best.count) best = {count, (common.least + common.most) / 2, (common.most - common.least) / 2, exact, false};
    }
    return best;
}

/// By averages, too, where they show it already.
Culprits::Mended Culprits::mended(PointNo point, const std::vector<std::uint32_t>& broken) const
{
    const Mended fast = mends(point, false, broken);
    Mended all = mends(point, true, broken);
    all.slow = true;
    return all.count > fast.count ? all : fast;
}

std::vector<std::pair<PointNo, int>> Culprits::candidates(std::uint32_t relation, const std::vector<std::uint32_t>& broken) const
{
    std::vector<std::pair<PointNo, int>> out;
    const auto look = lookOf(relation);
    if (!look) return out;
    for (const PointNo point : m_all.relations[relation].points)
        if (!m_by.contains(point))
            if (const Mended m = mends(point, look->slow, broken); m.count > 0) out.emplace_back(point, m.count);
    return out;
}

/// How far a sensor, or what it says for each of what another (`over`) says, is from the same of neighbors.
double Culprits::oddness(const Relation& r, std::size_t sensor, std::size_t over) const
{
    const bool ratio = over < r.points.size();
    const auto of = [&](const Relation& one) {
        return ratio ? m_fast(one.points[sensor]) / std::max(1.0, m_fast(one.points[over]) * one.share) : m_fast(one.points[sensor]);
    };
    std::vector<double> neighbors;
    const auto like = m_all.alike.find({r.kind, r.loop, r.entity.kind});
    for (const std::uint32_t number : like == m_all.alike.end() ? std::span<const std::uint32_t>() : std::span(like->second)) {
        const Relation& other = m_all.relations[number];
        if (other.entity == r.entity || std::ranges::any_of(other.points, [&](PointNo p) { return !(m_fast(p) > 0); })) continue;
        if (const double value = of(other); !std::isnan(value)) neighbors.push_back(value);
    }
    const bool warm = infoOf(m_bound.points[r.points[sensor]].measure).unit == "°C";
    const double least = warm ? (sensor % 3 == 1 ? 0.5 : 1.0) : neighbors.size() < 2 ? 0 : std::abs(middle(neighbors)) * kOddShare;
    return farFrom(of(r), neighbors, least);
}

/// Of meters: the child that would be among its neighbors again, else the one over all of them.
PointNo Culprits::oddMeter(std::uint32_t number, const std::vector<PointNo>& best) const
{
    const Relation& r = m_all.relations[number];
    const auto look = lookOf(number);
    std::vector<PointNo> fits;
    for (std::size_t i = 1; i < r.points.size() && r.points.size() > 3; ++i) {
        if (std::ranges::find(best, r.points[i]) == best.end()) continue;
        std::vector<double> others;
        for (std::size_t j = 1; j < r.points.size(); ++j)
            if (j != i) others.push_back(m_fast(r.points[j]));
        const double usual = middle(others), now = m_fast(r.points[i]), mended = now + look->residual;
        if (std::abs(mended - usual) < 0.3 * std::abs(now - usual)) fits.push_back(r.points[i]);
    }
    if (fits.size() == 1) return fits.front();
    return std::ranges::find(best, r.points[0]) != best.end() ? r.points[0] : kNoPoint;
}

/// Of sources: the one that is away from the others, and with them once it is corrected.
PointNo Culprits::oddSource(std::uint32_t number, const std::vector<PointNo>& best) const
{
    const Relation& r = m_all.relations[number];
    const auto look = lookOf(number);
    PointNo odd = kNoPoint;
    double furthest = kApartK;
    for (std::size_t i = 0; i < r.first; ++i) {
        const double slope = slopeOf(r, i, m_fast), now = m_fast(r.points[i]);
        if (std::ranges::find(best, r.points[i]) == best.end() || !(slope > 0)) continue;
        std::vector<double> others;
        for (std::size_t j = 0; j < r.first; ++j)
            if (j != i && m_fast(r.points[r.first + j]) > 0) others.push_back(m_fast(r.points[j]));
        if (others.empty()) continue;
        const double usual = middle(others), mended = now - look->residual / slope;
        if (std::abs(now - usual) > furthest && std::abs(mended - usual) < 0.5 * std::abs(now - usual))
            furthest = std::abs(now - usual), odd = r.points[i];
    }
    return odd;
}

/// Of those that mend most, the one that stands out: temperatures by themselves, flow and heat by what they are to each other, and then the one
/// of them that is further from its like. Without neighbors it is the flow meter, which fails most often (assumed).
PointNo Culprits::oddestOf(std::uint32_t number, const std::vector<PointNo>& best) const
{
    const Relation& r = m_all.relations[number];
    if (r.kind == Kind::Meter) return oddMeter(number, best);
    if (r.kind == Kind::Mix) return oddSource(number, best);
    const auto first = std::ranges::find_if(r.points, [&](PointNo p) { return std::ranges::find(best, p) != best.end(); });
    if (r.kind == Kind::Current || r.kind == Kind::Apparent) return first == r.points.end() ? best.front() : *first; // power before its factors
    if (r.kind != Kind::Heat && r.kind != Kind::Exchange) return r.kind == Kind::Split ? kNoPoint : best.front();
    const auto isBest = [&](std::size_t i) { return i < r.points.size() && std::ranges::find(best, r.points[i]) != best.end(); };
    const bool alone = r.insteadOf != Relation::kNone; // its neighbors are measured otherwise
    const double ratio = alone ? -1 : oddness(r, 0, 3);
    PointNo odd = kNoPoint;
    double oddest = std::max(kOdd, ratio);
    for (std::size_t i = 0; i < r.points.size(); ++i) {
        const bool warm = infoOf(m_bound.points[r.points[i]].measure).unit == "°C";
        if (!warm || !isBest(i)) continue;
        if (const double one = oddness(r, i, ~std::size_t(0)); one > oddest) odd = r.points[i], oddest = one;
    }
    if (odd != kNoPoint && (ratio >= 0 || alone)) return odd;
    if (isBest(0) && isBest(3) && ratio >= 0) return oddness(r, 3, ~std::size_t(0)) > oddness(r, 0, ~std::size_t(0)) ? r.points[3] : r.points[0];
    return isBest(0) ? r.points[0] : isBest(3) ? r.points[3] : best.front();
}

/// How far from usual relations are with a correction, in squares of their noise.
double Culprits::strangeness(PointNo point, double by, const std::set<std::uint32_t>& relations) const
{
    double sum = 0;
    for (const std::uint32_t number : relations) {
        const auto look = lookOf(number);
        if (!look || look->slow || std::isnan(look->usual)) continue;
        const Relation& r = m_all.relations[number];
        double off = look->usual;
        if (const auto at = std::ranges::find(r.points, point); at != r.points.end()) {
            const double now = m_fast(point);
            off += slopeOf(r, std::size_t(at - r.points.begin()), m_fast) * (corrected(point, now, by) - now);
        }
        const double sigmas = off / look->allowed * kSure;
        sum += std::min(sigmas * sigmas, 100.0);
    }
    return sum;
}

/// Of several that would do, those with which all around them is as it usually is.
std::vector<PointNo> Culprits::mostUsual(const std::vector<PointNo>& best, std::uint32_t relation, const std::vector<std::uint32_t>& broken) const
{
    std::set<std::uint32_t> around;
    for (const PointNo point : best) around.insert(m_all.relationsOf(point).begin(), m_all.relationsOf(point).end());
    const auto look = lookOf(relation);
    if (!look) return best;
    std::vector<std::pair<double, PointNo>> all;
    for (const PointNo point : best) all.emplace_back(strangeness(point, mends(point, look->slow, broken).by, around), point);
    std::ranges::sort(all);
    std::vector<PointNo> out;
    for (const auto& [strange, point] : all)
        if (strange < all.front().first + kClear) out.push_back(point);
    return out;
}

PointNo Culprits::likeliest(std::uint32_t number, const std::vector<std::pair<PointNo, int>>& candidates,
                            const std::vector<std::uint32_t>& broken) const
{
    int most = 0;
    for (const auto& [point, count] : candidates) most = std::max(most, count);
    std::vector<PointNo> best;
    for (const auto& [point, count] : candidates)
        if (count == most) best.push_back(point);
    if (best.size() > 1) best = mostUsual(best, number, broken);
    if (best.empty()) return kNoPoint;
    return best.size() == 1 ? best.front() : oddestOf(number, best);
}

Contradiction Culprits::blame(PointNo point, const Mended& mended, const std::vector<std::uint32_t>& broken)
{
    Contradiction c{point, {}, m_fast(point), corrected(point, m_fast(point), mended.exact), {}};
    m_by[point] = mended;
    for (const std::uint32_t number : broken) {
        const auto& points = m_all.relations[number].points;
        if (std::ranges::find(points, point) == points.end()) continue;
        if (const auto look = lookOf(number); !look || std::abs(look->residual) > look->allowed) continue;
        c.relations.push_back(number);
        for (const PointNo other : points)
            if (other != point && std::ranges::find(c.against, other) == c.against.end()) c.against.push_back(other);
    }
    return c;
}

std::vector<Contradiction> Culprits::of(std::vector<std::uint32_t> broken, const std::set<PointNo>& named)
{
    m_by.clear();
    std::vector<Contradiction> out;
    // First by what none of the others stands in, as far as that says something.
    m_waiting = named;
    for (const bool alone : {true, false}) {
        for (const PointNo point : named) {
            if (m_by.contains(point)) continue;
            if (const Mended m = mended(point, broken); m.count > 0) out.push_back(blame(point, m, broken)), m_waiting.erase(point);
        }
        if (alone) m_waiting.clear();
    }
    for (Contradiction& c : out) // what another is corrected by may mend more
        for (const std::uint32_t number : broken) {
            const auto& points = m_all.relations[number].points;
            if (std::ranges::find(points, c.bad) == points.end() || contains(c.relations, number)) continue;
            if (const auto look = lookOf(number); look && std::abs(look->residual) <= look->allowed) c.relations.push_back(number);
        }
    while (true) {
        std::uint32_t fewest = 0;
        std::vector<std::pair<PointNo, int>> its;
        for (const std::uint32_t number : broken) {
            const auto look = lookOf(number);
            if (!look || std::abs(look->residual) <= look->allowed) continue;
            auto some = candidates(number, broken);
            // Where flows in and out differ and nothing else is wrong with any of them, coolant is lost: no meter is bad.
            if (m_all.relations[number].kind == Kind::Split && std::ranges::none_of(some, [](const auto& c) { return c.second > 1; })) continue;
            if (!some.empty() && (its.empty() || some.size() < its.size())) fewest = number, its = std::move(some);
        }
        if (its.empty()) return out;
        const PointNo bad = likeliest(fewest, its, broken);
        if (bad == kNoPoint) {
            std::erase(broken, fewest); // several would do as well
            continue;
        }
        out.push_back(blame(bad, mended(bad, broken), broken));
    }
}

} // namespace hw::bindings::balances
