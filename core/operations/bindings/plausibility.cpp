// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/bindings/plausibility.h"

#include "core/foundation/catalog/entity.h"
#include "core/foundation/model/places.h"
#include "core/foundation/model/setting_values.h"
#include "core/operations/bindings/ledger.h"
#include "core/operations/bindings/supply_sensors.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

namespace hw::bindings {

namespace {

constexpr float kNothing = std::numeric_limits<float>::quiet_NaN();
constexpr double kManyTimes = 8;                         ///< a leap is so many times what neighbors move by (assumed)
constexpr double kForget = 60;                           ///< values over which leaps are counted
constexpr double kMeanDeltas = 64;                       ///< changes over which what neighbors move by is averaged
constexpr double kSeldomS = 2;                           ///< between values, from which on what happens between them is not seen
constexpr float kSwing = 0.03f;                          ///< of a value, from which on what happens between readings counts (assumed)
constexpr float kNewest = 0.2f;                          ///< of means over some values
constexpr int kLeastMoves = 4;                           ///< after which a mean of what swings says something
constexpr std::int64_t kSteadyMs = 120'000;              ///< without a move, after which it counts as steady: nothing is read less often (assumed)
constexpr std::int64_t kTogetherMs = 2000;               ///< between leaps of several sensors: it is the plant
constexpr double kMoreThanLeast = 1.5, kLeastMove = 0.1; ///< of the least size of a move; so much one of that size counts
constexpr double kUsual = 0.8;                           ///< of those of a kind swing less: readings may fall in step with what swings (assumed)
constexpr double kCalm = 6;                              ///< of its own usual intervals, that one must be longer (assumed)

/// The least leap that counts.
double leastLeap(Measure measure, double value)
{
    const std::string_view unit = infoOf(measure).unit;
    if (unit == "°C") return 2;
    if (unit == "Hz") return 1;
    return std::max(std::abs(value) * 0.05, unit == "kPa" ? 5.0 : 1.0);
}

/// Whether a point has inertia and moves a little all the time: leaps to and fro are the sensor's, and so is standing still. Power and current
/// leap with the load and stand still without any, and chips say whole degrees.
bool movesByItself(const Point& point)
{
    const std::string_view unit = infoOf(point.measure).unit;
    const bool inert = unit == "°C" || unit == "kPa" || unit == "L/min" || unit == "V" || unit == "Hz" || point.measure == Measure::AirFlow ||
                       point.measure == Measure::Humidity;
    return inert && point.measure != Measure::Temperature && !isSetpoint(point);
}

/// What leaves a machine is as warm as the load of the moment makes it: a job that swings makes it leap. So do pumps that follow it.
bool followsLoad(Measure measure)
{
    return measure == Measure::AirOutlet || measure == Measure::ReturnTemperature || measure == Measure::DifferentialPressure;
}

/// Points that should move alike: of one measure, of things of one kind and type in one hall.
struct Group {
    std::uint32_t size = 0;
    double moves = 0;     ///< of all of them; those of the least size, as of what is shown in steps, count little
    double least = 1e300; ///< of the size of a move
    double step = 0;      ///< mean size of a move, without leaps
    std::uint32_t steps = 0;
};

struct Sensor {
    float value = kNothing, mean = kNothing;  ///< mean: over kHeatLagS, of what balances read
    std::int64_t timeMs = 0, sameSinceMs = 0; ///< as the source dates them
    std::int64_t heardMs = 0, movedMs = 0;    ///< by our clock, whatever that of the source says
    std::uint32_t same = 0;                   ///< times that the value came
    double movesThen = 0;                     ///< of its group, at its own last move
    std::uint32_t group = 0;                  ///< 0: moves as it likes
    float leaps = 0;                          ///< counted, with forgetting
    float before = 0;                         ///< its last move, with its sign
    std::int64_t leaptMs = 0;                 ///< its last leap
    std::int64_t firstMs = 0;                 ///< when it was first heard
    std::array<float, 4> gaps{};              ///< s between the last moves
    std::uint8_t gapCount = 0, moves = 0;     ///< that are known; up to 100
    std::uint32_t family = 0, heard = 0;      ///< of one measure and kind of thing; times, up to 100
    float step = 0, steady = kNothing;        ///< means over some moves: of their size, and of the value

    /// How often what it says is new, s; NaN: not known yet. One interval that is short says little, as what is late comes in a row.
    [[nodiscard]] double everyS(std::int64_t nowMs) const
    {
        if (gapCount == 0) return nowMs - firstMs > kSteadyMs ? 0 : std::nan("");
        std::array<float, 4> sorted = gaps;
        std::sort(sorted.begin(), sorted.begin() + gapCount);
        const double longest = double(sorted[std::size_t(gapCount) - 1]);
        if (gapCount < 3) return longest <= kSeldomS || nowMs - firstMs > 2 * kSteadyMs ? longest : std::nan("");
        return double(sorted[1]);
    }
    [[nodiscard]] float stepAmong(float usual) const { return std::max(step, usual * std::abs(steady)); }
    [[nodiscard]] bool swings(double every, float usual) const { return every > kSeldomS && stepAmong(usual) > kSwing * std::abs(steady); }
    void moved(float now, std::int64_t heardMs)
    {
        if (movedMs > 0) {
            std::shift_right(gaps.begin(), gaps.end(), 1);
            gaps[0] = float(double(heardMs - movedMs) / 1000);
            gapCount = std::uint8_t(std::min<int>(gapCount + 1, 4));
        }
        moves = std::uint8_t(std::min<int>(moves + 1, 100));
        const float part = std::max(kNewest, 1 / float(moves));
        if (!std::isnan(value)) step += (std::abs(now - value) - step) * (moves <= 2 ? 1.0f : part);
        steady = std::isnan(steady) ? now : steady + (now - steady) * part;
    }
};

} // namespace

PlausibilityLimits plausibilityLimits(const Snapshot& s)
{
    PlausibilityLimits limits;
    limits.heatShare = numberSetting(s, "telemetry.heat_percent") / 100;
    limits.heatW = numberSetting(s, "telemetry.heat_least_w");
    limits.meterShare = numberSetting(s, "telemetry.meter_percent") / 100;
    limits.meterW = numberSetting(s, "telemetry.meter_least_w");
    limits.stuckSamples = int(numberSetting(s, "telemetry.stuck_samples"));
    limits.jumps = int(numberSetting(s, "telemetry.jumps"));
    limits.holdS = numberSetting(s, "telemetry.hold_s");
    limits.oldS = numberSetting(s, "telemetry.old_s");
    return limits;
}

struct Plausibility::State {
    PlausibilityLimits limits;
    BoundPtr bound;
    balances::Ledger ledger;
    SupplySensors supplies;
    std::set<PointNo> disputed; ///< as of the last `judge`
    std::vector<Sensor> sensors;
    std::vector<Group> groups{Group{}};
    std::map<std::tuple<std::uint32_t, EntityKind, std::uint32_t, Measure, std::string>, std::uint32_t> groupOf; ///< the first: its hall
    std::vector<float> usual;                   ///< by family, by how much of itself one that is read seldom differs from one value to the next
    std::map<PointNo, std::int64_t> impossible; ///< since when
    std::set<PointNo> still, leaping;           ///< that could be stuck, that could jump
    std::map<PointNo, std::int64_t> stuckSince, leapsSince;
    std::int64_t nowMs = 0;

    State(const FiguresPtr& design, BoundPtr points)
        : limits(plausibilityLimits(*design->snapshot)), bound(std::move(points)), ledger(*design, *bound, limits),
          supplies(*design, *bound, ledger.all()), sensors(bound->points.size())
    {
        const Snapshot& s = *design->snapshot;
        std::map<std::pair<Measure, EntityKind>, std::uint32_t> families;
        for (std::size_t i = 0; i < sensors.size(); ++i) {
            const Point& p = bound->points[i];
            sensors[i].family = families.try_emplace({p.measure, p.entity.kind}, std::uint32_t(families.size())).first->second;
        }
        usual.assign(families.size() + 1, 0);
        for (std::size_t i = 0; i < sensors.size(); ++i) {
            const Point& p = bound->points[i];
            if (!movesByItself(p)) continue;
            std::uint32_t type = 0;
            std::uint32_t hall = ~0u; // a job that swings moves what is in its hall, and not the others
            if (p.entity.kind == EntityKind::Device) {
                type = s.devices.type[DeviceId(p.entity.id)].value;
                if (const auto its = hallOf(s, DeviceId(p.entity.id))) hall = (*its).value;
            }
            if (p.entity.kind == EntityKind::Rack) {
                type = s.racks.type[RackId(p.entity.id)].value;
                hall = s.rows.hall[s.racks.row[RackId(p.entity.id)]].value;
            }
            const auto [at, fresh] = groupOf.try_emplace({hall, p.entity.kind, type, p.measure, p.element}, std::uint32_t(groups.size()));
            if (fresh) groups.emplace_back();
            sensors[i].group = at->second;
            ++groups[at->second].size;
        }
    }

    [[nodiscard]] double value(PointNo point) const { return isOld(point) ? double(kNothing) : double(sensors[point].value); }
    [[nodiscard]] bool isOld(PointNo point) const { return double(nowMs - sensors[point].heardMs) > limits.oldS * 1000; }

    /// The same, averaged: a value holds until the next one comes.
    [[nodiscard]] static double meanAt(const Sensor& sensor, std::int64_t heardMs)
    {
        if (std::isnan(sensor.mean)) return double(sensor.value);
        const double passed = std::max(0.0, double(heardMs - sensor.heardMs)), every = sensor.everyS(heardMs);
        const double over =
            sensor.swings(every, 0) ? std::clamp(balances::kReadings * every, balances::kHeatLagS, balances::kLongestS) : balances::kHeatLagS;
        return double(sensor.mean) + double(sensor.value - sensor.mean) * (1 - std::exp(-passed / 1000 / over));
    }
    [[nodiscard]] double meanValue(PointNo point) const { return std::isnan(value(point)) ? double(kNothing) : meanAt(sensors[point], nowMs); }

    void take(const PointSample& sample)
    {
        if (sample.point >= sensors.size() || !sample.good) return;
        Sensor& sensor = sensors[sample.point];
        if (sample.timeMs < sensor.timeMs) return; // out of order
        if (std::isnan(sample.value)) {            // what it said before holds no longer
            if (std::isnan(sensor.value)) return;
            sensor.value = sensor.mean = kNothing, sensor.timeMs = sample.timeMs;
            impossible.erase(sample.point), still.erase(sample.point), stuckSince.erase(sample.point);
            if (ledger.reads(sample.point)) ledger.touch(sample.point);
            return;
        }
        const std::int64_t heardMs = nowMs ? nowMs : sample.timeMs;
        const MeasureInfo& info = infoOf(bound->points[sample.point].measure);
        const bool bounded = info.least != 0 || info.most != 0;
        if (bounded && (sample.value < info.least || sample.value > info.most))
            impossible.try_emplace(sample.point, sample.timeMs);
        else
            impossible.erase(sample.point);
        if (sensor.group) move(sample, sensor);
        if (ledger.reads(sample.point)) {
            sensor.mean = std::isnan(sensor.value) ? float(sample.value) : float(meanAt(sensor, heardMs));
            ledger.touch(sample.point);
        }
        if (sensor.firstMs == 0) sensor.firstMs = heardMs;
        sensor.heard = std::min(sensor.heard + 1, 100u);
        if (sensor.value != float(sample.value)) sensor.moved(float(sample.value), heardMs), sensor.movedMs = heardMs;
        sensor.value = float(sample.value), sensor.timeMs = sample.timeMs, sensor.heardMs = heardMs;
    }

    /// Counts how often a sensor says the same, and how far it goes when it does not.
    void move(const PointSample& sample, Sensor& sensor)
    {
        Group& group = groups[sensor.group];
        if (std::isnan(sensor.value)) {
            sensor.same = 1, sensor.sameSinceMs = sample.timeMs, sensor.movesThen = group.moves;
            return;
        }
        const float step = float(sample.value) - sensor.value;
        if (step == 0) {
            ++sensor.same;
            if (sample.value != 0) still.insert(sample.point); // nothing flows in what is off
            sensor.leaps *= float(1 - 1 / kForget);
            return;
        }
        still.erase(sample.point);
        stuckSince.erase(sample.point);
        group.least = std::min(group.least, double(std::abs(step)));
        group.moves += std::abs(step) > kMoreThanLeast * group.least ? 1 : kLeastMove;
        sensor.same = 1, sensor.sameSinceMs = sample.timeMs, sensor.movesThen = group.moves;
        const double size = std::abs(step), usual = group.step;
        const bool known = group.steps >= 3 * group.size;
        const Measure measure = bound->points[sample.point].measure;
        // So do valves: a flow that nothing is held against may have followed its load.
        const bool follows = followsLoad(measure) || (measure == Measure::Flow && !ledger.all().of.contains(sample.point));
        const bool leap = known && !follows && size > kManyTimes * usual && size > leastLeap(measure, sample.value);
        const bool back = leap && step * sensor.before < 0;
        sensor.leaps = float(sensor.leaps * (1 - 1 / kForget) + (back ? 1 : 0));
        if (leap) sensor.before = step, sensor.leaptMs = nowMs;
        if (sensor.leaps > 0.1f) leaping.insert(sample.point);
        const double counted = known ? std::min(size, kManyTimes / 2 * std::max(usual, 1e-12)) : size;
        group.steps = std::min<std::uint32_t>(group.steps + 1, 1'000'000'000);
        group.step += (counted - group.step) / std::min(double(group.steps), kMeanDeltas);
    }

    /// What most of a kind that are read seldom swing by.
    void learnUsual()
    {
        std::vector<std::vector<float>> all(usual.size());
        for (const Sensor& sensor : sensors)
            if (sensor.gapCount > 0 && sensor.everyS(nowMs) > kSeldomS && std::abs(sensor.steady) > 1e-6f)
                all[sensor.family].push_back(sensor.step / std::abs(sensor.steady));
        for (std::size_t i = 0; i < all.size(); ++i) {
            usual[i] = 0;
            if (all[i].size() < 3) continue;
            const auto at = all[i].begin() + std::ptrdiff_t(kUsual * double(all[i].size() - 1));
            std::ranges::nth_element(all[i], at);
            usual[i] = std::min(*at, 1.0f);
        }
    }

    /// How often each of its neighbors moved since it did.
    [[nodiscard]] double movesOfNeighbors(const Sensor& sensor) const
    {
        const Group& group = groups[sensor.group];
        return group.size < 2 ? 0 : (group.moves - sensor.movesThen) / double(group.size - 1);
    }

    /// Whether it is still for longer than it usually is, while something else moves at the same place: where the load is steady, all is.
    [[nodiscard]] bool shouldMove(PointNo point) const
    {
        const Sensor& sensor = sensors[point];
        const double stillS = double(nowMs - sensor.movedMs) / 1000, own = sensor.everyS(nowMs);
        if (sensor.gapCount > 0 && stillS < kCalm * own) return false;
        const EntityRef place = bound->points[point].entity;
        bool any = false;
        const auto moves = [&](PointNo other) {
            const Sensor& mate = sensors[other];
            if (other == point || mate.group == 0 || std::isnan(mate.value)) return false;
            any = true;
            const double every = mate.everyS(nowMs), calmS = double(nowMs - mate.movedMs) / 1000;
            if (double(mate.step) <= kMoreThanLeast * groups[mate.group].least) return false; // to and fro between two values that are shown
            return mate.gapCount > 0 && calmS < 3 * every + 5 && every * limits.stuckSamples / 2 < stillS;
        };
        for (PointNo other = point; other > 0 && bound->points[other - 1].entity == place; --other)
            if (moves(other - 1)) return true;
        for (PointNo other = point + 1; other < sensors.size() && bound->points[other].entity == place; ++other)
            if (moves(other)) return true;
        return !any;
    }

    void judgeStill(std::vector<ImplausibleSensor>& out)
    {
        for (const PointNo point : still) {
            const Sensor& sensor = sensors[point];
            // A source that speaks on change only repeats itself seldom: there its neighbors must have moved more often.
            const double wanted = sensor.same >= std::uint32_t(limits.stuckSamples) ? limits.stuckSamples / 2.0 : limits.stuckSamples * 2.0;
            const bool stuck = !isOld(point) && groups[sensor.group].size >= 3 && movesOfNeighbors(sensor) >= wanted && shouldMove(point);
            if (!stuck) continue;
            const auto since = stuckSince.try_emplace(point, sensor.sameSinceMs).first->second;
            out.push_back({ImplausibleSensor::Kind::Stuck,
                           point,
                           {},
                           sensor.value,
                           double(kNothing),
                           since,
                           i18n("stuck at {} while its neighbors change", shown(point, sensor.value))});
        }
    }

    void judgeLeaps(std::vector<ImplausibleSensor>& out)
    {
        std::map<std::uint32_t, std::uint32_t> leap; // by group: what most of its neighbors do is no sensor's
        for (const PointNo point : leaping) leap[sensors[point].group] += sensors[point].leaps >= float(limits.jumps) * 0.25f;
        for (auto at = leaping.begin(); at != leaping.end();) {
            const Sensor& sensor = sensors[*at];
            const balances::Value fast = [this](PointNo point) { return value(point); };
            const bool stands = leapsSince.contains(*at);
            const bool alone = 2 * leap[sensor.group] <= std::max(groups[sensor.group].size, 2u);
            const bool plant = std::ranges::any_of(leaping, [&](PointNo other) {
                const Sensor& mate = sensors[other];
                return other != *at && mate.group == sensor.group && std::abs(mate.leaptMs - sensor.leaptMs) <= kTogetherMs &&
                       mate.leaps >= float(limits.jumps) * 0.25f;
            });
            const bool jumps =
                alone && !plant && sensor.leaps >= float(limits.jumps) * (stands ? 0.5f : 0.85f) && !ledger.vouches(*at, sensor.before, fast);
            if (!jumps) leapsSince.erase(*at);
            if (jumps) {
                const auto since = leapsSince.try_emplace(*at, sensor.timeMs).first->second;
                out.push_back({ImplausibleSensor::Kind::Jumping,
                               *at,
                               {},
                               std::abs(sensor.before),
                               groups[sensor.group].step,
                               since,
                               i18n("erratic: jumps by {}; its neighbors change by {}", shown(*at, std::abs(sensor.before)),
                                    shown(*at, groups[sensor.group].step))});
            }
            at = sensor.leaps < 0.1f ? leaping.erase(at) : std::next(at);
        }
    }

    void judgeRelations(std::vector<ImplausibleSensor>& out)
    {
        std::set<PointNo> known; // bad by themselves: what they contradict follows from that
        for (const ImplausibleSensor& doubt : out) known.insert(doubt.point);
        const balances::Value fast = [this](PointNo point) { return value(point); }, slow = [this](PointNo point) { return meanValue(point); };
        const balances::Ledger::Known heard = [this](PointNo point) {
            const Sensor& sensor = sensors[point];
            return balances::LastReading{sensor.heardMs, sensor.movedMs, sensor.everyS(nowMs), double(sensor.stepAmong(usual[sensor.family]))};
        };
        ledger.second(nowMs, fast, slow, heard, known);
        for (const auto& [point, leaps] : ledger.leaping(heard)) {
            if (known.contains(point)) continue;
            const Text what = leaps.stuck ? i18n("stuck at {} while its cross-check changes", shown(point, sensors[point].value))
                                          : i18n("erratic: jumps by {}; its cross-check does not", shown(point, leaps.by));
            const double measured = leaps.stuck ? double(sensors[point].value) : leaps.by;
            out.push_back({leaps.stuck ? ImplausibleSensor::Kind::Stuck : ImplausibleSensor::Kind::Jumping,
                           point,
                           {},
                           measured,
                           double(kNothing),
                           leaps.sinceMs,
                           what});
        }
        for (const auto& [point, found] : ledger.found()) {
            const auto& c = found.contradiction;
            const Text what = found.meters ? i18n("{} reads {}; surrounding meters indicate {}", sensorName(point), shown(point, c.measured),
                                                  shown(point, c.expected))
                                           : i18n("{} reads {}; local flow, temperatures and heat load indicate {}", sensorName(point),
                                                  shown(point, c.measured), shown(point, c.expected));
            out.push_back({found.meters ? ImplausibleSensor::Kind::Meter : ImplausibleSensor::Kind::Heat, point, c.against, c.measured, c.expected,
                           found.sinceMs, what});
        }
    }

    void judgeSupplies(std::vector<ImplausibleSensor>& out)
    {
        supplies.second(
            nowMs, [this](PointNo point) { return value(point); }, [this](PointNo point) { return sensors[point].heardMs; });
        for (const SupplySensors::Doubt& doubt : supplies.doubts()) {
            if (std::ranges::find(out, doubt.point, &ImplausibleSensor::point) != out.end()) continue;
            out.push_back({ImplausibleSensor::Kind::Heat, doubt.point, doubt.against, doubt.measured, doubt.expected, doubt.sinceMs,
                           i18n("{} reads {}; return temperatures of the loop indicate {}", sensorName(doubt.point),
                                shown(doubt.point, doubt.measured), shown(doubt.point, doubt.expected))});
        }
        disputed = ledger.disputed();
        disputed.insert(supplies.inQuestion().begin(), supplies.inQuestion().end());
    }

    /// What is measured there, within a sentence.
    [[nodiscard]] Text sensorName(PointNo point) const
    {
        switch (bound->points[point].measure) {
        case Measure::SupplyTemperature: return i18n("supply temperature sensor");
        case Measure::ReturnTemperature: return i18n("return temperature sensor");
        case Measure::AirInlet: return i18n("air inlet temperature sensor");
        case Measure::AirOutlet: return i18n("air outlet temperature sensor");
        case Measure::Flow:
        case Measure::AirFlow: return i18n("flow meter");
        case Measure::ActivePower:
        case Measure::ApparentPower:
        case Measure::Current: return i18n("power meter");
        case Measure::Heat: return i18n("heat meter");
        default: return i18n("sensor");
        }
    }

    [[nodiscard]] Text shown(PointNo point, double value) const
    {
        const std::string_view unit = infoOf(bound->points[point].measure).unit;
        const bool kilo = (unit == "W" || unit == "VA") && std::abs(value) >= 1000;
        const double number = std::round((kilo ? value / 1000 : value) * 10) / 10;
        return kilo ? i18n("{} k{}", number, unit) : i18n("{} {}", number, unit);
    }
};

Plausibility::Plausibility(const FiguresPtr& design, BoundPtr bound) : m_state(std::make_unique<State>(design, std::move(bound))) {}
Plausibility::~Plausibility() = default;
Plausibility::Plausibility(Plausibility&&) noexcept = default;
Plausibility& Plausibility::operator=(Plausibility&&) noexcept = default;

void Plausibility::take(std::span<const PointSample> samples)
{
    for (const PointSample& sample : samples) m_state->take(sample);
}

void Plausibility::follow(const Plausibility& other, const std::vector<PointNo>& now)
{
    State& s = *m_state;
    const State& was = *other.m_state;
    s.nowMs = was.nowMs;
    for (const auto& [key, group] : s.groupOf)
        if (const auto at = was.groupOf.find(key); at != was.groupOf.end()) {
            const std::uint32_t size = s.groups[group].size;
            s.groups[group] = was.groups[at->second], s.groups[group].size = size;
        }
    for (PointNo p = 0; p < now.size(); ++p) {
        if (now[p] == kNoPoint) continue;
        Sensor& sensor = s.sensors[now[p]];
        const std::uint32_t group = sensor.group, family = sensor.family;
        sensor = was.sensors[p], sensor.group = group, sensor.family = family;
    }
    const auto moved = [&](const auto& from, auto& to) {
        for (const auto& [p, value] : from)
            if (now[p] != kNoPoint) to.emplace(now[p], value);
    };
    moved(was.impossible, s.impossible), moved(was.stuckSince, s.stuckSince), moved(was.leapsSince, s.leapsSince);
    for (const PointNo p : was.still)
        if (now[p] != kNoPoint) s.still.insert(now[p]);
    for (const PointNo p : was.leaping)
        if (now[p] != kNoPoint) s.leaping.insert(now[p]);
    s.ledger.follow(was.ledger, now);
    s.supplies.follow(was.supplies, now);
}

std::vector<ImplausibleSensor> Plausibility::judge(std::int64_t atMs)
{
    State& s = *m_state;
    s.nowMs = atMs;
    if (atMs % 10'000 == 0) s.learnUsual();
    std::vector<ImplausibleSensor> out;
    for (const auto& [point, since] : s.impossible) {
        if (s.isOld(point)) continue;
        const MeasureInfo& info = infoOf(s.bound->points[point].measure);
        const double value = s.sensors[point].value;
        out.push_back({ImplausibleSensor::Kind::Impossible,
                       point,
                       {},
                       value,
                       value < info.least ? info.least : info.most,
                       since,
                       i18n("implausible: {} reads {}", info.title, s.shown(point, value))});
    }
    s.judgeStill(out);
    s.judgeLeaps(out);
    s.judgeRelations(out);
    s.judgeSupplies(out);
    std::ranges::stable_sort(out, {}, [](const ImplausibleSensor& d) { return std::pair(d.point, d.kind); });
    return out;
}

std::vector<LiquidShare> Plausibility::shares() const { return m_state->ledger.shares(); }

Pace Plausibility::paceOf(PointNo point) const
{
    const Sensor& sensor = m_state->sensors[point];
    const float usual = m_state->usual[sensor.family];
    const double every = sensor.everyS(m_state->nowMs);
    if (std::isnan(every) && sensor.heard < 2) return {0, kNothing, sensor.value}; // nobody knows
    if (std::isnan(every) && sensor.gapCount > 0) return {double(sensor.gaps[0]), kNothing, sensor.value};
    if (!sensor.swings(every, usual)) return {std::isnan(every) ? 0 : every, 0, sensor.value};
    if (sensor.moves < kLeastMoves) return {every, kNothing, sensor.value};
    return {every, std::min(1.0f, sensor.stepAmong(usual) / std::max(std::abs(sensor.steady), 1e-6f)), sensor.steady};
}

const std::set<PointNo>& Plausibility::disputed() const { return m_state->disputed; }

} // namespace hw::bindings
