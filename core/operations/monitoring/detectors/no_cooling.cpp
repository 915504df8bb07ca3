// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/monitoring/detectors/no_cooling.h"

#include "core/operations/monitoring/incident/alarm_texts.h"

#include <algorithm>
#include <cmath>

namespace hw::monitoring {

using bindings::Measure;
using bindings::PointNo;

namespace {

constexpr float kCoolsAgain = 0.25f;     ///< of its usual rise, above the threshold
constexpr float kLeastRiseK = 2;         ///< minimum usual rise for the comparison to be significant (assumed)
constexpr float kRiseShare = 1.0f / 120; ///< by which each second moves what is usual
constexpr int kRiseKnownS = 30;          ///< after which it is known
constexpr float kCirculates = 0.3f;      ///< of its usual flow or speed

class NoCooling final : public Detector {
public:
    explicit NoCooling(const DetectorScene& scene)
        : m_scene(scene), m_noRise(float(shareSetting(*scene.figures.snapshot, "watch.no_cooling_percent"))),
          m_holdMs(msSetting(*scene.figures.snapshot, "watch.no_cooling_s"))
    {
        const CoolingChain& chain = scene.figures.get<CoolingChainNode>();
        for (const CoolingUnit& unit : chain.units) {
            if (!unit.parts() || unit.takes < 0 || unit.feeds < 0 || unit.element == CoolingElement::Chiller) continue;
            const bool air = unit.airM3s > 0 || unit.capacityM3s > 0;
            Unit one{unit.device, unit.feeds};
            const auto at = [&](Measure measure) { return pointOf(scene.bound, {ref(unit.device), measure, ""}); };
            one.supply = at(air ? Measure::AirOutlet : Measure::SupplyTemperature),
            one.back = at(air ? Measure::AirInlet : Measure::ReturnTemperature);
            one.flow = at(air ? Measure::AirFlow : Measure::Flow);
            if (one.flow == bindings::kNoPoint) one.flow = at(air ? Measure::FanSpeed : Measure::PumpSpeed);
            if (one.supply != bindings::kNoPoint && one.back != bindings::kNoPoint && one.flow != bindings::kNoPoint) m_units.push_back(one);
        }
    }

    std::map<std::string, Detection> second(std::int64_t atMs, const Readings& readings) override
    {
        for (Unit& unit : m_units) read(unit, atMs, readings);
        std::map<std::string, Detection> found;
        for (const Unit& unit : m_units) {
            if (unit.sinceMs < 0 || atMs - unit.sinceMs < m_holdMs) continue;
            const bool others = std::ranges::any_of(m_units, [&](const Unit& o) { return o.loop == unit.loop && o.cools; });
            if (!others) continue; // the loop itself is not cooled: causes tell of that
            Detection d;
            d.entity = ref(unit.id), d.sinceMs = unit.sinceMs, d.symptoms = {ref(unit.id)};
            d.covers = {unit.supply, unit.back};
            for (const char* element : {"", "primary"})
                for (const Measure measure : {Measure::Flow, Measure::SupplyTemperature, Measure::ReturnTemperature, Measure::ValvePosition})
                    if (const PointNo p = pointOf(m_scene.bound, {ref(unit.id), measure, element}); p != bindings::kNoPoint) d.covers.push_back(p);
            std::ranges::sort(d.covers);
            const auto twice = std::ranges::unique(d.covers);
            d.covers.erase(twice.begin(), twice.end());
            const std::string name = entityName(*m_scene.figures.snapshot, *m_scene.figures.parts, ref(unit.id));
            d.alike = behind(unit);
            std::string valves;
            for (const std::string& one : d.alike) valves += (valves.empty() ? "" : ", ") + one; // no text: names
            d.what =
                valves.empty()
                    ? i18n("{} circulates but does not cool (supply {:.1f} °C, return {:.1f} °C; usual difference {:.1f} K): check the valves of "
                           "its facility water",
                           name, unit.supplyC, unit.backC, unit.usualK)
                    : i18n("{} circulates but does not cool (supply {:.1f} °C, return {:.1f} °C; usual difference {:.1f} K): check {}", name,
                           unit.supplyC, unit.backC, unit.usualK, valves);
            found.emplace(name, std::move(d));
        }
        return found;
    }

private:
    struct Unit {
        DeviceId id;
        std::int32_t loop = -1;
        PointNo supply = bindings::kNoPoint, back = bindings::kNoPoint, flow = bindings::kNoPoint;
        float usualK = 0, usualFlow = 0, supplyC = 0, backC = 0;
        int knownS = 0;
        bool cools = false;
        std::int64_t sinceMs = -1;
    };

    /// Pipes and valves through which water comes to this unit alone, nearest first.
    [[nodiscard]] std::vector<std::string> behind(const Unit& unit) const
    {
        constexpr std::size_t kMost = 6;
        const CoolingChain& chain = m_scene.figures.get<CoolingChainNode>();
        const Snapshot& s = *m_scene.figures.snapshot;
        const std::int32_t loop = chain.unit(unit.id)->takes;
        std::vector<std::string> names;
        DeviceId at = unit.id;
        Maybe<DeviceId> from;
        while (names.size() < kMost) {
            const CoolantPath* next = nullptr;
            std::size_t ways = 0;
            for (const CoolantPath& way : chain.ways) {
                if (way.loop != loop || (way.taker != at && way.feeder != at)) continue;
                const DeviceId other = way.taker == at ? way.feeder : way.taker;
                if (from && other == *from) continue;
                next = &way, ++ways;
            }
            if (ways != 1 || !next->link) break;
            const PortId a = s.links.from[*next->link], b = s.links.to[*next->link];
            names.push_back(entityName(s, *m_scene.figures.parts, ref(s.ports.device[a] == at ? a : b)));
            from = at, at = next->taker == at ? next->feeder : next->taker;
            const CoolingUnit* passed = chain.unit(at);
            if (!passed || passed->parts() || passed->element != CoolingElement::Valve) break;
            names.push_back(s.devices.name[at]);
        }
        return names;
    }

    void read(Unit& unit, std::int64_t atMs, const Readings& readings) const
    {
        unit.supplyC = readingOf(readings, unit.supply, atMs), unit.backC = readingOf(readings, unit.back, atMs);
        const float flow = readingOf(readings, unit.flow, atMs), rise = unit.backC - unit.supplyC;
        unit.cools = false;
        if (std::isnan(rise) || std::isnan(flow)) {
            unit.sinceMs = -1;
            return;
        }
        const bool known = unit.knownS >= kRiseKnownS && unit.usualK >= kLeastRiseK;
        const bool circulates = flow > 0 && flow >= kCirculates * unit.usualFlow;
        if (known && circulates && rise < m_noRise * unit.usualK) {
            if (unit.sinceMs < 0) unit.sinceMs = atMs;
        } else if (!circulates || rise > (m_noRise + kCoolsAgain) * unit.usualK) {
            unit.sinceMs = -1;
        }
        unit.cools = circulates && rise > (m_noRise + kCoolsAgain) * unit.usualK;
        if (unit.sinceMs >= 0 || !(flow > 0) || !(rise > 0)) return;
        const float part = unit.knownS == 0 ? 1 : kRiseShare;
        unit.usualK += part * (rise - unit.usualK), unit.usualFlow += part * (flow - unit.usualFlow);
        ++unit.knownS;
    }

    DetectorScene m_scene;
    float m_noRise; ///< of its usual rise: it takes nothing out
    std::int64_t m_holdMs;
    std::vector<Unit> m_units;
};

} // namespace

std::unique_ptr<Detector> makeNoCooling(const DetectorScene& scene) { return std::make_unique<NoCooling>(scene); }

} // namespace hw::monitoring
