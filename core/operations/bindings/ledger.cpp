// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/bindings/ledger.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace hw::bindings::balances {

namespace {

using Kind = Relation::Kind;
// All assumed, and tried on the emulated pods of tests/watch: long enough for swings of a job, short enough to tell a sensor within minutes.
constexpr double kDriftS = 300;                            ///< over which they are averaged to see a drift
constexpr double kNewestS = 8;                             ///< over which swings of a job even out
constexpr double kLearnS = 60, kLearnLongS = 300;          ///< after which what is usual is known
constexpr double kForgetS = 7200;                          ///< in which what is usual follows (assumed: a drift that counts is faster)
constexpr std::int64_t kAfterRestMs = 180'000;             ///< what is stored leaves, pumps find their speed (assumed)
constexpr double kOpen = 0.5, kStays = 0.7, kMended = 0.3; ///< of what is allowed: in question from there on; broken still; mended at once
constexpr std::int64_t kStaysMs = 60'000;                  ///< between the two it is mended after so long
constexpr std::int64_t kLingersMs = 10'000;                ///< a sensor stays named, while what it contradicts stands
constexpr std::int64_t kSaidMs = 1000;                     ///< between a value and the second that it counts in
constexpr double kLeapForgetS = 60, kMayLeap = 2;          ///< a sensor that did so twice proves nothing of others
constexpr double kSeldomS = 2;                             ///< between values, from which on what happens between them is not seen
constexpr double kQuiet = 0.15;                            ///< of what is allowed: what differs by less between readings is as if it were read always
constexpr double kSigmas = 4, kAlias = 1.5;             ///< that means may be off by chance; because readings fall in step with what swings (assumed)
constexpr double kSpreadTimes = 8, kFarSpreads = 2;     ///< so much longer their spread is learned; what is further off counts as this (assumed)
constexpr double kLeastSpread = 0.05;                   ///< of what is allowed (assumed)
constexpr double kLeastReadings = 6;                    ///< of what is averaged
constexpr double kApartSpreads = 2, kSettles = 3;       ///< from which it is another level; so many times what is averaged over (assumed)
constexpr std::int64_t kOnItsWayMs = 60'000;            ///< until what is mixed arrives where it is used (assumed)
constexpr std::int64_t kLagMs = 90'000;                 ///< that a sensor may lag behind what it is held against (assumed)
constexpr std::int64_t kAtOnceMs = 3000;                ///< heard so close together, values are of one moment
constexpr std::int64_t kSharesMs = 10'000;              ///< so often what most places of a loop agree on is looked for
constexpr double kShareS = 120, kSteady = 0.03;         ///< after which, and while both averages differ by no more
constexpr double kOtherShare = 0.08, kSameShare = 0.05; ///< from which the assumed share is wrong; to which it is right
constexpr double kMostShare = 1.06;                     ///< of the power: more than all of it is a matter of sensors
constexpr std::size_t kAgree = 3;                       ///< places at least
constexpr std::size_t kMost = 200;                      ///< broken relations that are looked through in one second
const double kNothing = std::nan("");

double medianIn(std::vector<double> values)
{
    const auto middle = values.begin() + std::ptrdiff_t(values.size() / 2);
    std::ranges::nth_element(values, middle);
    return *middle;
}

void nearer(Terms& mean, const Terms& now, double seconds, double time)
{
    const double part = std::isnan(mean.left) ? 1 : 1 - std::exp(-seconds / std::max(time, seconds));
    if (part == 1)
        mean = now;
    else
        mean.left += (now.left - mean.left) * part, mean.right += (now.right - mean.right) * part;
}

} // namespace

Ledger::Ledger(const Figures& design, const Bound& bound, const PlausibilityLimits& limits)
    : m_bound(bound), m_limits(limits), m_all(allOf(design, bound)), m_standing(m_all.relations.size()), m_medians(m_all.pools.size()),
      m_isTouched(m_all.relations.size(), 0), m_poolTouched(m_all.pools.size(), 0)
{
    for (RelationState& s : m_standing) s.newest = s.mean = s.longMean = {kNothing, kNothing};
}

void Ledger::touch(PointNo point)
{
    if (const auto of = m_all.of.find(point); of != m_all.of.end())
        for (const std::uint32_t number : of->second)
            if (!m_isTouched[number]) m_isTouched[number] = 1, m_touched.push_back(number);
    if (const auto pools = m_all.poolOf.find(point); pools != m_all.poolOf.end())
        for (const std::uint32_t pool : pools->second) {
            if (m_poolTouched[pool]) continue;
            m_poolTouched[pool] = 1;
            for (const std::uint32_t number : m_all.relationsOfPool[pool])
                if (!m_isTouched[number]) m_isTouched[number] = 1, m_touched.push_back(number);
        }
}

void Ledger::learn(RelationState& s, const Terms& terms, double residual, double allowed, double seconds)
{
    if (!(std::max(std::abs(terms.left), std::abs(terms.right)) > 4 * allowed) || !(std::abs(terms.right) > 0) ||
        (s.learnedS > kLearnS && std::abs(residual) > kOpen * allowed))
        return;
    s.learnedS += seconds;
    const double now = terms.left / terms.right, over = s.learnedS < kLearnLongS ? s.learnedS : kForgetS;
    s.ratio = s.learnedS <= seconds ? now : s.ratio + (now - s.ratio) * std::min(1.0, seconds / over);
}

/// Nothing is learned from what is bad.
bool Ledger::isSound(const Relation& r) const
{
    return std::ranges::none_of(r.points, [&](PointNo p) { return m_found.contains(p) || m_leaps.contains(p); });
}

/// The same of what carries little, apart: what is usual there says nothing of more.
void Ledger::learnCoarse(RelationState& s, const Terms& terms, double seconds)
{
    if (!(terms.right > 0) || (s.coarseS >= kLearnS && std::abs(s.look.residual) > kOpen * s.look.allowed)) return;
    s.coarseS += seconds;
    s.coarseRatio += (terms.left / terms.right - s.coarseRatio) * std::min(1.0, seconds / std::min(s.coarseS, kLearnLongS));
}

/// Averages of a slow relation; over the longer time half as much is allowed, of what is usual.
void Ledger::average(const Relation& r, RelationState& s, const Terms& now, double seconds)
{
    s.meanS += seconds, s.longS += seconds;
    nearer(s.newest, now, seconds, kNewestS);
    nearer(s.mean, now, seconds, std::min(s.meanS, kHeatLagS)), nearer(s.longMean, now, seconds, std::min(s.longS, kDriftS));
    s.look = {s.mean.left - s.mean.right, allowedOf(r, s.mean, m_limits), true};
    const double allowed = allowedOf(r, s.longMean, m_limits) / 2, residual = s.longMean.left - s.ratio * s.longMean.right;
    const bool known = s.learnedS >= kLearnLongS && s.longS >= kLearnLongS;
    if (known && std::abs(residual) / allowed > std::abs(s.look.residual) / s.look.allowed) s.look = {residual, allowed, true};
    const bool usual = known ? std::abs(residual) <= kOpen * allowed : s.learnedS < kLearnLongS && std::abs(s.look.residual) <= s.look.allowed;
    if (usual && isSound(r)) learn(s, s.longMean, 0, allowed, seconds);
}

/// The relation as it is with another share; averages go along.
void Ledger::setShare(std::uint32_t number, double share)
{
    Relation& r = m_all.relations[number];
    RelationState& s = m_standing[number];
    if (!(r.share > 0) || share == r.share) return;
    const double by = share / std::exchange(r.share, share);
    for (Terms* terms : {&s.newest, &s.mean, &s.longMean}) terms->right *= by;
    s.ratio /= by;
}

/// What is wrong at one place is a sensor; where most places of a loop take the same share more or less than assumed, it is the design.
void Ledger::learnShares()
{
    for (const auto& [key, numbers] : m_all.alike) {
        if (std::get<0>(key) != Kind::Heat) continue;
        std::vector<double> all; // of what is assumed
        double assumed = 0;
        for (const std::uint32_t number : numbers) {
            const Relation& r = m_all.relations[number];
            const RelationState& s = m_standing[number];
            if (!r.slow || !s.known || s.longS < kShareS || !(s.longMean.right > 0) || !(s.mean.right > 0)) continue;
            const double longer = s.longMean.left / s.longMean.right, now = s.mean.left / s.mean.right;
            if (!(std::abs(now - longer) <= kSteady * longer)) continue;
            all.push_back(longer * r.share / r.assumed), assumed = std::max(assumed, r.assumed);
        }
        if (all.size() < kAgree) continue;
        const double usual = medianIn(all);
        for (double& one : all) one = std::abs(one - usual);
        if (medianIn(all) > kSteady * usual) continue; // they do not agree
        const bool other = std::abs(usual - 1) > kOtherShare && usual * assumed <= kMostShare, same = std::abs(usual - 1) < kSameShare;
        if (!other && !same) continue;
        for (const std::uint32_t number : numbers)
            if (m_all.relations[number].slow) setShare(number, m_all.relations[number].assumed * (other ? usual : 1));
    }
}

std::vector<LiquidShare> Ledger::shares() const
{
    std::vector<LiquidShare> out;
    for (const auto& [key, numbers] : m_all.alike) {
        if (std::get<0>(key) != Kind::Heat) continue;
        LiquidShare share;
        for (const std::uint32_t number : numbers) {
            const Relation& r = m_all.relations[number];
            const RelationState& s = m_standing[number];
            if (!r.slow || r.share == r.assumed || !s.known || std::isnan(s.mean.left + s.mean.right)) continue;
            if (share.places++ == 0) share.entity = r.entity;
            share.assumed += r.assumed, share.measured += r.share;
            share.assumedW += s.mean.right * r.assumed / r.share, share.measuredW += s.mean.left;
        }
        if (share.places == 0) continue;
        share.assumed /= double(share.places), share.measured /= double(share.places);
        out.push_back(share);
    }
    return out;
}

Ledger::Seldom Ledger::seldomOf(const Relation& r, std::int64_t nowMs, const Terms& terms, const Value& fast, const Known& known) const
{
    Seldom out;
    if (r.kind == Kind::Water || r.kind == Kind::Mix) return out;
    const double allowed = allowedOf(r, terms, m_limits);
    double squares = 0, quiet = 0;
    Seldom ofQuiet; // many that differ little differ much together: they follow one job
    const auto add = [&](Seldom& to, const LastReading& reading) {
        to.any = true, to.everyS = std::max(to.everyS, reading.everyS), to.together = to.together && nowMs - reading.movedMs <= kSaidMs;
    };
    for (std::size_t i = 0; i < r.points.size(); ++i) {
        const LastReading reading = known(r.points[i]);
        if (std::isnan(reading.everyS)) {
            out.unknown = true;
            continue;
        }
        const double by = std::abs(slopeOf(r, i, fast)) * reading.step;
        if (reading.everyS <= kSeldomS) continue;
        squares += by * by;
        if (by <= kQuiet * allowed) quiet += by;
        add(by <= kQuiet * allowed ? ofQuiet : out, reading);
    }
    if (quiet > kQuiet * allowed) out.any = true, out.everyS = std::max(out.everyS, ofQuiet.everyS), out.together = out.together && ofQuiet.together;
    out.spread = std::sqrt(squares);
    return out;
}

/// Means over many readings follow a sensor that goes wrong only slowly. Where the difference stays at another level for longer than what lags and
/// swings can explain, means begin with it.
void Ledger::findLevel(const Relation& r, RelationState& s, const Terms& terms, double residual, const Seldom& seldom, double seconds,
                       std::int64_t nowMs) const
{
    auto& a = s.apart;
    const bool began = a.seconds > 0;
    if (!began) {
        a.from = s.residual;
        a.limit = allowedOf(r, terms, m_limits) + kApartSpreads * std::sqrt(std::max(0.0, s.square - s.residual * s.residual));
    }
    const double off = residual - a.from;
    const bool same = !began || off * (a.residual - a.from) > 0;
    if (s.sampledS < kLeastReadings * seldom.everyS || !(std::abs(off) > a.limit) || !same) {
        a = {};
        return;
    }
    a.seconds += seconds;
    const double part = seconds / a.seconds;
    if (!began)
        a.mean = terms;
    else
        a.mean.left += (terms.left - a.mean.left) * part, a.mean.right += (terms.right - a.mean.right) * part;
    a.residual += (residual - a.residual) * part, a.square += (residual * residual - a.square) * part;
    if (a.seconds < std::max(double(kLagMs) / 1000 + 2 * seldom.everyS, kLeastReadings * seldom.everyS)) return;
    s.mean = a.mean, s.residual = a.residual, s.square = a.square, s.sampledS = a.seconds;
    s.levelMs = nowMs - std::int64_t(a.seconds * 1000);
    a = {};
}

/// By its means: what they are off by chance becomes less with each reading; readings may fall in step with what swings. Where all are of one moment,
/// how much they differ is learned over longer, and what is far from the rest counts little: a sensor that goes wrong is no chance.
void Ledger::averageSampled(const Relation& r, RelationState& s, const Terms& terms, const Seldom& seldom, double seconds, bool atOneMoment,
                            std::int64_t nowMs)
{
    if (!s.sampled) {
        s.newest = s.longMean = {kNothing, kNothing}, s.longS = 0;
        s.mean = terms, s.meanS = s.sampledS = 0, s.residual = s.square = s.usual = s.usualSquare = 0;
        s.apart = {}, s.levelMs = -1;
    }
    s.sampled = true;
    const double over = std::clamp(kReadings * seldom.everyS, kHeatLagS, kLongestS);
    s.sampledS += seconds;
    if (s.sampledS > kSettles * over) s.levelMs = -1; // each sensor's own mean is at that level by then
    const auto partOf = [&](double time) { return 1 - std::exp(-seconds / std::max(std::min(s.sampledS, time), seconds)); };
    nearer(s.mean, terms, seconds, std::min(s.sampledS, over));
    const double residual = terms.left - (r.learns ? s.ratio : 1) * terms.right;
    if (r.slow) findLevel(r, s, terms, residual, seldom, seconds, nowMs);
    s.residual += (residual - s.residual) * partOf(over), s.square += (residual * residual - s.square) * partOf(over);
    const bool learned = s.sampledS >= kLeastReadings * seldom.everyS;
    const double most = kFarSpreads * std::max(std::sqrt(s.usualSquare), kLeastSpread * allowedOf(r, s.mean, m_limits));
    const double off = learned ? std::clamp(residual - s.usual, -most, most) : residual - s.usual;
    const double part = learned ? 1 - std::exp(-seconds / (kSpreadTimes * over)) : partOf(over);
    s.usual += off * part, s.usualSquare += (off * off * (1 - part) - s.usualSquare) * part;
    const double newest = std::max(0.0, s.square - s.residual * s.residual);
    const double spread = std::sqrt(atOneMoment ? std::min(newest, s.usualSquare) : newest);
    const double chance = spread * std::sqrt(seldom.everyS / (2 * std::min(s.sampledS, over)));
    s.look = {s.residual,
              allowedOf(r, s.mean, m_limits) + kSigmas * chance + kAlias * (atOneMoment ? std::min(seldom.spread, 2 * spread) : seldom.spread),
              s.levelMs < 0};
    s.known = s.sampledS >= std::max(kHeatLagS, kLeastReadings * seldom.everyS) && (!r.learns || s.learnedS >= kLearnS);
    if (r.learns && isSound(r)) learn(s, s.mean, s.residual, s.look.allowed, seconds);
}

void Ledger::settle(RelationState& s, bool doubtful, std::int64_t nowMs)
{
    const double strain = s.known ? std::abs(s.look.residual) / s.look.allowed : 0;
    if (strain > (s.broken ? kStays : 1)) s.brokeMs = nowMs;
    s.broken = s.brokeMs == nowMs || (s.broken && strain > kMended && nowMs - s.brokeMs < kStaysMs);
    s.open = strain > kOpen || doubtful;
    s.times = s.broken ? s.times + 1 : 0;
    if (!s.broken)
        s.sinceMs = -1;
    else if (s.sinceMs < 0)
        s.sinceMs = nowMs;
}

void Ledger::update(std::uint32_t number, std::int64_t nowMs, const Value& fast, const Known& known)
{
    const Relation& r = m_all.relations[number];
    RelationState& s = m_standing[number];
    const bool water = r.kind == Kind::Water;
    const Terms terms = termsOf(r, fast, water ? m_medians[r.pool].value : r.kind == Kind::Mix ? m_medians[r.pool].takers : 0);
    const double seconds = s.lastMs < 0 ? 1 : std::clamp(double(nowMs - s.lastMs) / 1000, 0.0, 100.0);
    s.lastMs = nowMs;
    const auto isRead = [&](std::uint32_t other) {
        return std::ranges::none_of(m_all.relations[other].points, [&](PointNo p) { return std::isnan(fast(p)); });
    };
    const bool spare = r.insteadOf != Relation::kNone && isRead(r.insteadOf);
    const bool nothing = spare || std::isnan(terms.left + terms.right), rests = !nothing && restsOf(r, terms, fast);
    if (rests) s.restMs = nowMs;
    if (nothing || rests || (s.restMs >= 0 && nowMs - s.restMs < kAfterRestMs)) {
        s.known = s.broken = s.open = false, s.sinceMs = -1;
        s.newest = s.mean = s.longMean = {kNothing, kNothing}, s.meanS = s.longS = 0;
        return;
    }
    const Seldom seldom = seldomOf(r, nowMs, terms, fast, known);
    if (seldom.unknown) {
        s.known = s.broken = s.open = false, s.sinceMs = -1;
        return;
    }
    s.seldom = seldom.any;
    if (seldom.any && seldom.together) s.togetherMs = nowMs;
    if (seldom.any && (r.slow || !seldom.together)) {
        const bool waits = s.togetherMs >= 0 && double(nowMs - s.togetherMs) < 3000 * seldom.everyS;
        if (waits && !r.slow) return; // until all is read at one moment again
        averageSampled(r, s, terms, seldom, seconds, waits, nowMs);
        settle(s, false, nowMs);
        if (s.broken && s.sinceMs == nowMs && s.levelMs >= 0) s.sinceMs = s.levelMs;
        return;
    }
    if (std::exchange(s.sampled, false)) s.newest = s.mean = s.longMean = {kNothing, kNothing}, s.meanS = s.longS = 0;
    s.known = true;
    bool doubtful = false; // of now, before averages show it
    if (r.slow) {
        average(r, s, terms, seconds);
        if (std::abs(terms.left - terms.right) > allowedOf(r, terms, m_limits)) s.offMs = nowMs;
        doubtful = std::abs(s.newest.left - s.newest.right) > kOpen * allowedOf(r, s.newest, m_limits);
    } else {
        const bool coarse = isCoarse(r, terms) && s.learnedS < kLearnS;
        s.look = {terms.left - (coarse ? s.coarseRatio : r.learns ? s.ratio : 1) * terms.right, allowedOf(r, terms, m_limits), false};
        if (water && !r.source) s.look.allowed += m_medians[r.pool].spread;
        if (r.learns) s.known = coarse ? s.coarseS >= kLearnS : s.learnedS >= kLearnS;
        if (coarse && isSound(r)) learnCoarse(s, terms, seconds);
        if (water) s.look.usual = s.look.residual;
        if (!water) {
            if (s.learnedS >= kLearnS) s.look.usual = terms.left - s.ratio * terms.right;
            if (isSound(r)) learn(s, terms, r.learns || std::isnan(s.look.usual) ? s.look.residual : s.look.usual, s.look.allowed, seconds);
        }
    }
    settle(s, doubtful, nowMs);
}

/// Whether it is broken for long enough, and by what was said since then. What said that nothing flows has nothing more to say.
bool Ledger::ripe(std::uint32_t number, std::int64_t nowMs, const Value& fast, const Known& known) const
{
    const RelationState& s = m_standing[number];
    if (!s.broken || double(nowMs - s.sinceMs) < m_limits.holdS * 1000) return false;
    if (m_all.relations[number].kind == Kind::Mix && nowMs - s.sinceMs < kOnItsWayMs) return false;
    if (s.seldom && !s.sampled && s.times < 2) return false; // one reading may be of a moment of change
    const auto& points = m_all.relations[number].points;
    const std::int64_t from = s.sinceMs - kSaidMs - (s.look.slow ? std::int64_t(kHeatLagS * 1000) : 0); // that it broke, averages show later
    if (!std::ranges::all_of(points, [&](PointNo p) { return known(p).heardMs >= from || fast(p) == 0 || std::isnan(fast(p)); })) return false;
    // One that says the same is not heard for a while; where several are silent, they may be dead.
    return s.look.slow || std::ranges::count_if(points, [&](PointNo p) { return known(p).heardMs <= s.sinceMs && fast(p) != 0; }) <= 1;
}

/// A sensor that leaps breaks what it stands in time and again, and mends it; one that is stuck does so while all else moves.
void Ledger::countLeaps(std::span<const std::uint32_t> began, std::int64_t nowMs, const Culprits& culprits, const Value& fast, const Known& known)
{
    std::map<PointNo, std::size_t> times;
    for (const std::uint32_t number : began) {
        const auto its = culprits.candidates(number, {began.begin(), began.end()});
        const PointNo one = culprits.likeliest(number, its, {began.begin(), began.end()});
        if (one == kNoPoint) continue;
        const bool atOnce = std::ranges::all_of(m_all.relations[number].points,
                                                [&](PointNo p) { return p == one || nowMs - known(p).heardMs <= kAtOnceMs || fast(p) == 0; });
        const std::int64_t stillMs = nowMs - known(one).movedMs;
        const bool lags = infoOf(m_bound.points[one].measure).unit == "°C" && stillMs > kAtOnceMs &&
                          stillMs < kLagMs; // what moved was something else, and it may follow
        if (atOnce && !lags && times.emplace(one, number).second) {
            Leaps& leaps = m_leaps[one];
            if (leaps.count == 0) leaps.firstMs = nowMs;
            leaps.still = leaps.count > 0 && known(one).movedMs <= leaps.atMs;
            leaps.count = leaps.count * std::exp(-double(nowMs - leaps.atMs) / 1000 / kLeapForgetS) + 1, leaps.atMs = nowMs;
            const Look& look = m_standing[number].look;
            const Relation& r = m_all.relations[number];
            const auto sensor = std::size_t(std::ranges::find(r.points, one) - r.points.begin());
            leaps.by = std::abs(look.residual / slopeOf(r, sensor, fast));
        }
    }
    for (auto at = m_leaps.begin(); at != m_leaps.end();) {
        Leaps& leaps = at->second;
        const double count = leaps.count * std::exp(-double(nowMs - leaps.atMs) / 1000 / kLeapForgetS);
        const bool moved = leaps.still && known(at->first).movedMs > leaps.atMs; // it was stuck, or away
        const bool stays = leaps.stands && leaps.still;
        leaps.stands = stays || count >= double(m_limits.jumps) * (leaps.stands ? 0.4 : 0.7);
        at = moved || (!stays && count < 0.2) ? m_leaps.erase(at) : std::next(at);
    }
}

/// What a bad sensor said is in averages still; once it is right again, `all` of them begin again.
void Ledger::startAnew(PointNo point, bool all)
{
    for (const std::uint32_t number : m_all.relationsOf(point)) {
        RelationState& s = m_standing[number];
        s.longMean = {kNothing, kNothing}, s.longS = 0;
        if (!all) continue;
        s.newest = s.mean = {kNothing, kNothing}, s.meanS = 0;
        if (m_all.relations[number].slow) s.broken = s.open = false, s.sinceMs = -1;
    }
}

void Ledger::judge(std::int64_t nowMs, const Value& fast, const Value& slow, const Known& known, const std::set<PointNo>& bad)
{
    const auto clean = [&](std::uint32_t number) {
        return std::ranges::none_of(m_all.relations[number].points, [&](PointNo p) { return bad.contains(p); });
    };
    Culprits culprits(
        m_all, m_bound,
        [&](std::uint32_t number) { return m_standing[number].known && clean(number) ? std::optional(m_standing[number].look) : std::nullopt; }, fast,
        slow);
    std::vector<std::uint32_t> broken, open;
    for (const std::uint32_t number : m_off) {
        if (!clean(number)) continue;
        if (ripe(number, nowMs, fast, known) && broken.size() < kMost) broken.push_back(number);
        if (m_standing[number].open && open.size() < kMost) open.push_back(number);
    }
    std::set<PointNo> named;
    for (const auto& [point, found] : m_found) named.insert(point);
    std::map<PointNo, Found> now;
    for (Contradiction& c : culprits.of(broken, named)) {
        if (c.relations.empty()) continue;
        const Kind kind = m_all.relations[c.relations.front()].kind;
        const auto was = m_found.find(c.bad);
        std::int64_t since = nowMs;
        for (const std::uint32_t number : c.relations) since = std::min(since, m_standing[number].sinceMs);
        if (was != m_found.end()) since = was->second.sinceMs;
        const PointNo point = c.bad;
        now[point] = {std::move(c), kind == Kind::Meter || kind >= Kind::Current, since, nowMs};
    }
    std::set<PointNo> lingering; // swings hide what they contradict for some seconds
    for (const auto& [point, found] : m_found) {
        const auto& its = found.contradiction.relations;
        const bool stands = std::ranges::any_of(its, [&](std::uint32_t number) { return m_standing[number].broken; });
        if (!bad.contains(point) && stands && nowMs - found.lastMs < kLingersMs && now.try_emplace(point, found).second) lingering.insert(point);
    }
    const auto dropNew = [&](PointNo gone) { // averages still have what it said
        std::erase_if(now, [&](const auto& entry) {
            return !m_found.contains(entry.first) &&
                   std::ranges::find(entry.second.contradiction.against, gone) != entry.second.contradiction.against.end();
        });
    };
    for (const PointNo point : lingering) dropNew(point);
    for (const auto& [point, found] : now)
        if (!m_found.contains(point)) startAnew(point, false);
    for (const auto& [point, found] : m_found) {
        if (now.contains(point)) continue;
        startAnew(point, true);
        dropNew(point);
    }
    m_found = std::move(now);
    m_disputed.clear();
    Culprits fresh(
        m_all, m_bound,
        [&](std::uint32_t number) -> std::optional<Look> {
            const RelationState& s = m_standing[number];
            if (!s.known || !clean(number)) return std::nullopt;
            Look look = s.look;
            if (s.open && std::abs(look.residual) <= look.allowed) look.allowed = 0.99 * std::abs(look.residual); // as if it were so
            return look;
        },
        fast, slow);
    for (const std::uint32_t number : open)
        for (const auto& [point, count] : fresh.candidates(number, open)) m_disputed.insert(point);
}

void Ledger::second(std::int64_t nowMs, const Value& fast, const Value& slow, const Known& known, const std::set<PointNo>& bad)
{
    for (std::uint32_t pool = 0; pool < m_poolTouched.size(); ++pool)
        if (m_poolTouched[pool]) m_medians[pool] = medianOf(m_all.pools[pool], fast), m_poolTouched[pool] = 0;
    for (const std::uint32_t number : m_off)
        if (!m_isTouched[number]) m_isTouched[number] = 1, m_touched.push_back(number); // what is old by now says nothing
    std::ranges::sort(m_touched);
    if (nowMs % kSharesMs == 0) learnShares();
    std::vector<std::uint32_t> began;
    for (const std::uint32_t number : m_touched) {
        RelationState& s = m_standing[number];
        const bool was = s.broken;
        update(number, nowMs, fast, known);
        if (s.broken && !was && !s.look.slow) began.push_back(number);
        m_isTouched[number] = 0;
        if (s.broken || s.open)
            m_off.insert(number);
        else
            m_off.erase(number);
    }
    m_touched.clear();
    if (m_off.empty() && m_leaps.empty()) {
        m_found.clear(), m_disputed.clear();
        return;
    }
    if (began.size() > kMost) began.resize(kMost);
    const Culprits culprits(
        m_all, m_bound, [&](std::uint32_t number) { return m_standing[number].known ? std::optional(m_standing[number].look) : std::nullopt; }, fast,
        slow);
    countLeaps(began, nowMs, culprits, fast, known);
    std::set<PointNo> all = bad;
    for (const auto& [point, leaps] : m_leaps)
        if (leaps.stands || leaps.count >= kMayLeap) all.insert(point);
    judge(nowMs, fast, slow, known, all);
    for (const auto& [point, leaps] : m_leaps)
        if (leaps.count > 1.5) m_disputed.insert(point);
}

/// Points have other numbers now, and relations too; what is known of those that stay is kept.
void Ledger::follow(const Ledger& was, const std::vector<PointNo>& now)
{
    std::map<std::pair<Kind, std::vector<PointNo>>, std::uint32_t> known;
    std::map<std::uint32_t, std::uint32_t> numbers;
    for (std::uint32_t i = 0; i < m_all.relations.size(); ++i) known.emplace(std::pair(m_all.relations[i].kind, m_all.relations[i].points), i);
    for (std::uint32_t i = 0; i < was.m_all.relations.size(); ++i) {
        std::vector<PointNo> points = was.m_all.relations[i].points;
        for (PointNo& p : points) p = now[p];
        const auto at = known.find({was.m_all.relations[i].kind, points});
        if (at == known.end()) continue;
        m_standing[at->second] = was.m_standing[i], numbers[i] = at->second;
        if (Relation& r = m_all.relations[at->second]; r.assumed == was.m_all.relations[i].assumed) r.share = was.m_all.relations[i].share;
        if (was.m_off.contains(i)) m_off.insert(at->second);
    }
    for (const Pool& pool : m_all.pools)
        for (const Pool::Member& member : pool.members) touch(member.point);
    for (const auto& [point, leaps] : was.m_leaps)
        if (now[point] != kNoPoint) m_leaps.emplace(now[point], leaps);
    for (auto [point, found] : was.m_found) {
        if (now[point] == kNoPoint) continue;
        found.contradiction.bad = now[point];
        std::vector<std::uint32_t> relations;
        for (const std::uint32_t number : found.contradiction.relations)
            if (const auto to = numbers.find(number); to != numbers.end()) relations.push_back(to->second);
        found.contradiction.relations = std::move(relations);
        for (PointNo& p : found.contradiction.against) p = now[p];
        std::erase(found.contradiction.against, kNoPoint);
        m_found.emplace(now[point], std::move(found));
    }
}

std::map<PointNo, Ledger::Leaping> Ledger::leaping(const Known& known) const
{
    std::map<PointNo, Leaping> out;
    for (const auto& [point, leaps] : m_leaps) {
        const LastReading heard = known(point);
        if (leaps.stands && (!leaps.still || heard.heardMs > leaps.firstMs)) out[point] = {leaps.still, leaps.by, leaps.firstMs};
    }
    return out;
}

bool Ledger::vouches(PointNo point, double step, const Value& fast) const
{
    const auto of = m_all.of.find(point);
    return of != m_all.of.end() && std::ranges::any_of(of->second, [&](std::uint32_t number) {
               const Relation& r = m_all.relations[number];
               const RelationState& s = m_standing[number];
               if (r.slow && s.restMs >= 0 && !s.known) return true; // it has just begun to flow again
               const std::int64_t offMs = r.slow ? s.offMs : s.brokeMs;
               if (r.kind == Kind::Water || !s.known || (offMs >= 0 && s.lastMs - offMs < kStaysMs)) return false;
               const auto sensor = std::size_t(std::ranges::find(r.points, point) - r.points.begin());
               return r.slow || std::abs(slopeOf(r, sensor, fast) * step) > 1.5 * s.look.allowed;
           });
}

} // namespace hw::bindings::balances
