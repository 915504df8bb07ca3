// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/monitoring/detectors/air.h"

#include "core/foundation/model/setting_values.h"

#include <algorithm>
#include <cmath>

namespace hw::monitoring {

using bindings::Measure;
using bindings::PointNo;

namespace {

constexpr float kAirBack = 0.1f;         ///< of the usual air, above the threshold, to count as back
constexpr float kLeastSpeed = 20;        ///< %, below which the flow per speed is not significant
constexpr float kLeastValve = 0.1f;      ///< of valve opening per fan speed, below which it says nothing of the air (assumed)
constexpr float kAirShare = 1.0f / 3600; ///< by which each second moves what is usual
constexpr int kAirKnownS = 30;           ///< after which it is known
constexpr std::size_t kAirPeers = 3;     ///< units of a type, from which their middle counts
constexpr float kAisleBackK = 0.5f;

class LowAirFlow final : public Detector {
public:
    explicit LowAirFlow(const DetectorScene& scene)
        : m_scene(scene), m_low(float(shareSetting(*scene.figures.snapshot, "watch.air_flow_percent"))),
          m_holdMs(msSetting(*scene.figures.snapshot, "watch.air_flow_s"))
    {
        for (PointNo p = 0; p < scene.bound.points.size(); ++p) {
            const bindings::Point& point = scene.bound.points[p];
            if (point.measure != Measure::AirFlow || point.entity.kind != EntityKind::Device || !point.element.empty()) continue;
            const PointNo speed = pointOf(scene.bound, {point.entity, Measure::FanSpeed, ""});
            if (speed != bindings::kNoPoint) m_units.push_back({DeviceId(point.entity.id), p, speed});
        }
        for (PointNo p = 0; p < scene.bound.points.size(); ++p) { // while no air flow is measured
            const bindings::Point& point = scene.bound.points[p];
            if (point.measure != Measure::ValvePosition || point.entity.kind != EntityKind::Device || !point.element.empty()) continue;
            const PointNo speed = pointOf(scene.bound, {point.entity, Measure::FanSpeed, ""});
            if (speed != bindings::kNoPoint)
                m_units.push_back({DeviceId(point.entity.id), p, speed, By::Valve, pointOf(scene.bound, {point.entity, Measure::AirFlow, ""})});
        }
        for (PointNo p = 0; p < scene.bound.points.size(); ++p) { // while no fan speed is measured
            const bindings::Point& point = scene.bound.points[p];
            if (point.measure != Measure::AirFlow || point.entity.kind != EntityKind::Device || !point.element.empty()) continue;
            m_units.push_back(
                {DeviceId(point.entity.id), p, bindings::kNoPoint, By::Neighbors, pointOf(scene.bound, {point.entity, Measure::FanSpeed, ""})});
        }
    }

    std::map<std::string, Detection> second(std::int64_t atMs, const Readings& readings) override
    {
        std::map<PartTypeId, std::vector<float>> ofType, flowsOfType; // air flow per fan speed; air flow
        const Snapshot& s = *m_scene.figures.snapshot;
        for (Unit& unit : m_units) {
            unit.airM3s = readingOf(readings, unit.air, atMs), unit.percent = readingOf(readings, unit.speed, atMs);
            unit.now = unit.percent >= kLeastSpeed ? unit.airM3s / unit.percent : kUnknown;
            if (unit.by == By::Valve && unit.now < kLeastValve && !(unit.usual >= kLeastValve)) unit.now = kUnknown;
            if (!std::isnan(unit.now) && unit.by == By::Speed) ofType[s.devices.type[unit.id]].push_back(unit.now);
            if (unit.by == By::Neighbors && unit.airM3s > 0) flowsOfType[s.devices.type[unit.id]].push_back(unit.airM3s);
        }
        for (auto* all : {&ofType, &flowsOfType})
            for (auto& [type, values] : *all) std::ranges::sort(values);
        for (Unit& unit : m_units)
            if (unit.by == By::Neighbors) unit.now = unit.airM3s / middleBeside(flowsOfType[s.devices.type[unit.id]], unit.airM3s);
        std::map<std::string, Detection> found;
        for (Unit& unit : m_units) {
            if (std::isnan(unit.now) || (unit.by != By::Speed && !std::isnan(readingOf(readings, unit.measured, atMs)))) {
                unit.sinceMs = -1;
                if (!std::isnan(unit.now)) learn(unit);
                continue;
            }
            const auto& peers = ofType[s.devices.type[unit.id]];
            const float middle = peers.size() >= kAirPeers ? peers[peers.size() / 2] : 0, usual = unit.knownS >= kAirKnownS ? unit.usual : 0;
            const float expected = unit.by == By::Valve ? usual * othersOf(unit) : unit.by == By::Neighbors ? usual : std::max(usual, middle);
            if (expected > 0 && unit.now < m_low * expected && unit.airM3s > 0) {
                if (unit.sinceMs < 0) unit.sinceMs = atMs;
            } else if (!(expected > 0) || unit.now > (m_low + kAirBack) * expected || unit.airM3s <= 0) {
                unit.sinceMs = -1;
                learn(unit);
            }
            if (unit.sinceMs < 0 || atMs - unit.sinceMs < m_holdMs) continue;
            Detection d;
            d.entity = ref(unit.id), d.sinceMs = unit.sinceMs, d.symptoms = {ref(unit.id)}, d.covers = {unit.air};
            if (unit.speed != bindings::kNoPoint) d.covers.push_back(unit.speed);
            std::ranges::sort(d.covers);
            const std::string name = entityName(s, *m_scene.figures.parts, ref(unit.id));
            if (unit.by == By::Neighbors)
                d.what = i18n("{}: air flow {:.1f} m³/s, {:.0f} % of the usual flow beside the other units; fan speed is not measured: check filter, "
                              "damper and fans",
                              name, unit.airM3s, 100 * unit.now / expected);
            else
                d.what = unit.by == By::Valve
                             ? i18n("{}: valve {:.0f} % open at {:.0f} % fan speed, {:.0f} % of the usual opening; air flow is not measured: "
                                    "check filter, damper and fans",
                                    name, unit.airM3s, unit.percent, 100 * unit.now / expected)
                             : i18n("{}: air flow {:.1f} m³/s at {:.0f} % fan speed, {:.0f} % of the usual flow: check filter, damper and fans", name,
                                    unit.airM3s, unit.percent, 100 * unit.now / expected);
            found.emplace(name, std::move(d));
        }
        return found;
    }

private:
    /// What the air flow, or the opening of a water valve, is compared with.
    enum class By : std::uint8_t { Speed, Valve, Neighbors };
    struct Unit {
        DeviceId id;
        PointNo air = bindings::kNoPoint, speed = bindings::kNoPoint;
        By by = By::Speed;                     ///< of Valve, air is the opening of its water valve, %
        PointNo measured = bindings::kNoPoint; ///< its air flow, or fan speed, which is compared where it is read
        float airM3s = 0, percent = 0, now = 0, usual = 0;
        int knownS = 0;
        std::int64_t sinceMs = -1;
    };
    /// A valve follows the heat: of the other units of its type, what the ratio is now over what it usually is, 1 at most; 0: there are none.
    [[nodiscard]] float othersOf(const Unit& unit) const
    {
        const auto& type = m_scene.figures.snapshot->devices.type;
        std::vector<float> others;
        for (const Unit& other : m_units)
            if (&other != &unit && other.by == By::Valve && type[other.id] == type[unit.id] && other.knownS >= kAirKnownS && !std::isnan(other.now))
                others.push_back(other.now / other.usual);
        if (others.empty()) return 0;
        const auto at = others.begin() + std::ptrdiff_t(others.size() / 2);
        std::ranges::nth_element(others, at);
        return std::min(1.0f, *at);
    }
    /// The middle of ascending air flows, m³/s, without that of one unit; NaN: of too few others.
    [[nodiscard]] static float middleBeside(const std::vector<float>& flows, float own)
    {
        const auto at = own > 0 ? std::size_t(std::ranges::lower_bound(flows, own) - flows.begin()) : flows.size();
        const std::size_t others = flows.size() - (own > 0 ? 1 : 0), middle = others / 2;
        return others + 1 < kAirPeers ? kUnknown : flows[middle < at ? middle : middle + 1];
    }
    static void learn(Unit& unit)
    {
        unit.usual += (unit.knownS == 0 ? 1 : unit.knownS < kAirKnownS ? 1.0f / kAirKnownS : kAirShare) * (unit.now - unit.usual);
        ++unit.knownS;
    }
    DetectorScene m_scene;
    float m_low;
    std::int64_t m_holdMs;
    std::vector<Unit> m_units;
};

class WarmAisle final : public Detector {
public:
    explicit WarmAisle(const DetectorScene& scene) : m_scene(scene)
    {
        const Snapshot& s = *scene.figures.snapshot;
        m_limitC = float(
            std::max(numberSetting(s, "watch.aisle_warm_c"), numberSetting(s, "cooling.air_supply_c") + numberSetting(s, "watch.aisle_above_k")));
        m_leastRacks = std::size_t(numberSetting(s, "watch.aisle_racks")), m_holdMs = msSetting(s, "watch.aisle_s");
        for (PointNo p = 0; p < scene.bound.points.size(); ++p) {
            const bindings::Point& point = scene.bound.points[p];
            if (point.measure != Measure::AirInlet || point.entity.kind != EntityKind::Rack || bindings::isSetpoint(point)) continue;
            const RackId rack(point.entity.id);
            if (s.racks.contains(rack)) m_rows[s.racks.row[rack]].points.push_back(p);
        }
    }

    std::map<std::string, Detection> second(std::int64_t atMs, const Readings& readings) override
    {
        std::map<std::string, Detection> found;
        for (auto& [id, row] : m_rows) {
            Detection d;
            float warmest = 0;
            std::set<EntityRef> racks;
            for (const PointNo p : row.points) {
                const float value = readingOf(readings, p, atMs);
                if (!(value > m_limitC - (row.stands ? kAisleBackK : 0))) continue;
                if (value > warmest) warmest = value, d.entity = m_scene.bound.points[p].entity;
                racks.insert(m_scene.bound.points[p].entity), d.covers.push_back(p);
            }
            const bool warm = racks.size() >= std::min(m_leastRacks, row.points.size());
            if (warm == row.stands)
                row.turnsMs = -1;
            else if (row.turnsMs < 0)
                row.turnsMs = atMs;
            if (row.turnsMs >= 0 && atMs - row.turnsMs >= m_holdMs) {
                if (warm) row.sinceMs = row.turnsMs;
                row.stands = warm, row.turnsMs = -1;
            }
            if (!row.stands) continue;
            if (racks.empty()) d.entity = ref(id);
            d.covers = row.points, d.symptoms.assign(racks.begin(), racks.end()), d.sinceMs = row.sinceMs;
            const std::string name = entityName(*m_scene.figures.snapshot, *m_scene.figures.parts, ref(id));
            d.entity = ref(id);
            d.what = i18np(std::int64_t(racks.size()), "{1}: air inlet of {0:L} rack up to {2:.1f} °C (warning above {3:.0f} °C, limit {4:.0f} °C)",
                           "{1}: air inlet of {0:L} racks up to {2:.1f} °C (warning above {3:.0f} °C, limit {4:.0f} °C)", name, warmest, m_limitC,
                           numberSetting(*m_scene.figures.snapshot, "cooling.air_limit_c"));
            found.emplace(name, std::move(d));
        }
        return found;
    }

private:
    struct Row {
        std::vector<PointNo> points{}; ///< ascending
        bool stands = false;
        std::int64_t turnsMs = -1, sinceMs = 0;
    };
    DetectorScene m_scene;
    float m_limitC = 27;
    std::size_t m_leastRacks = 2; ///< a single sensor may stand in a draft
    std::int64_t m_holdMs = 0;
    std::map<RowId, Row> m_rows;
};

} // namespace

std::unique_ptr<Detector> makeLowAirFlow(const DetectorScene& scene) { return std::make_unique<LowAirFlow>(scene); }
std::unique_ptr<Detector> makeWarmAisle(const DetectorScene& scene) { return std::make_unique<WarmAisle>(scene); }

} // namespace hw::monitoring
