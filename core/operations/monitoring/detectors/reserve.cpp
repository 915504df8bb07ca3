// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/monitoring/detectors/reserve.h"

#include "core/derived/figures/nodes.h"
#include "core/derived/impact/story_coolant.h"
#include "core/foundation/model/setting_values.h"
#include "core/operations/monitoring/incident/alarm_texts.h"

#include <algorithm>
#include <cmath>
#include <deque>

namespace hw::monitoring {

using bindings::Measure;
using bindings::PointNo;

namespace {

constexpr std::int64_t kStepMs = 2000;    ///< before the first fall that was seen, the discharge began at the earliest
constexpr std::int64_t kSlopeMs = 60'000; ///< over which the discharge is measured
constexpr float kRecharged = 0.3f;        ///< percent of charge above the lowest: it recharges
constexpr double kLongS = 86'400;         ///< beyond, no time is shown

/// Power equipment of a kind with a point of a measure of its own.
std::vector<std::pair<DeviceId, PointNo>> pointsOfKind(const DetectorScene& scene, PowerElement element, Measure measure)
{
    std::vector<std::pair<DeviceId, PointNo>> found;
    const Snapshot& s = *scene.figures.snapshot;
    for (PointNo p = 0; p < scene.bound.points.size(); ++p) {
        const bindings::Point& point = scene.bound.points[p];
        if (point.measure != measure || point.entity.kind != EntityKind::Device || bindings::isSetpoint(point)) continue;
        const DeviceId id(point.entity.id);
        if (!s.devices.contains(id) || scene.figures.parts->device(s.devices.type[id]).power.element != element) continue;
        found.emplace_back(id, p);
    }
    return found;
}

class OnBattery final : public Detector {
public:
    explicit OnBattery(const DetectorScene& scene) : m_scene(scene)
    {
        const Snapshot& s = *scene.figures.snapshot;
        m_leastFall = float(numberSetting(s, "watch.discharge_percent")), m_falls = int(numberSetting(s, "watch.discharge_readings"));
        m_steadyMs = msSetting(s, "watch.discharge_steady_s");
        for (const auto& [id, p] : pointsOfKind(scene, PowerElement::Ups, Measure::StateOfCharge)) m_batteries.push_back({id, p});
    }

    std::map<std::string, Detection> second(std::int64_t atMs, const Readings& readings) override
    {
        Detection all;
        double least = 0;
        std::size_t discharging = 0;
        const Battery* first = nullptr;
        for (Battery& battery : m_batteries) {
            read(battery, atMs, readings);
            if (battery.sinceMs < 0) continue;
            const double left = autonomyS(battery);
            if (!first || left < least) least = left, first = &battery;
            all.sinceMs = discharging++ == 0 ? battery.sinceMs : std::min(all.sinceMs, battery.sinceMs);
            all.symptoms.push_back(ref(battery.id)), all.covers.push_back(battery.charge);
        }
        if (!first) return {};
        all.entity = ref(first->id);
        const bool lasts = least > kLongS; // hardly anything is drawn from it
        if (!lasts) all.endsMs = atMs + std::int64_t(least * 1000);
        std::ranges::sort(all.covers);
        const std::string name = entityName(*m_scene.figures.snapshot, *m_scene.figures.parts, all.entity);
        const double charge = first->readings.back().second;
        all.what =
            lasts ? i18np(std::int64_t(discharging), "{1} on battery: charge {2:.0f} %; battery lasts more than 24 h at the measured discharge rate",
                          "{0} UPSs on battery; lowest charge: {1}, {2:.0f} %; battery lasts more than 24 h at the measured discharge rate", name,
                          charge)
                  : i18np(std::int64_t(discharging), "{1} on battery: charge {2:.0f} %, {3} left at the measured discharge rate",
                          "{0} UPSs on battery; lowest autonomy: {1}, charge {2:.0f} %, {3} left at the measured discharge rate", name, charge,
                          impact::timeText(std::int64_t(least * 1000)));
        return {{"ups", std::move(all)}};
    }

private:
    struct Battery {
        DeviceId id;
        PointNo charge;
        std::deque<std::pair<std::int64_t, float>> readings{}; ///< of the last minute, and the one before
        float lowest = 0;
        int falls = 0;
        std::int64_t fellMs = 0, sinceMs = -1, startedMs = 0, seenMs = -1;
    };

    void read(Battery& battery, std::int64_t atMs, const Readings& readings) const
    {
        const float charge = readingOf(readings, battery.charge, atMs);
        if (std::isnan(charge)) {
            battery = Battery{battery.id, battery.charge};
            return;
        }
        if (readings.arrived[battery.charge] != battery.seenMs) {
            battery.seenMs = readings.arrived[battery.charge];
            const float before = battery.readings.empty() ? charge : battery.readings.back().second;
            if (charge < before) {
                if (battery.falls++ == 0 && battery.sinceMs < 0) { // the slope is that of the discharge
                    battery.startedMs = atMs, battery.lowest = before;
                    while (battery.readings.size() > 1) battery.readings.pop_front();
                    if (!battery.readings.empty()) battery.readings.front().first = std::max(battery.readings.front().first, atMs - kStepMs);
                }
                battery.fellMs = atMs;
                if (battery.sinceMs < 0 && battery.falls >= m_falls && battery.lowest - charge >= m_leastFall) battery.sinceMs = battery.startedMs;
            } else if (charge > before) {
                battery.falls = 0;
            }
            if (battery.sinceMs >= 0) battery.lowest = std::min(battery.lowest, charge);
            battery.readings.emplace_back(atMs, charge);
            while (battery.readings.size() > 2 && battery.readings[1].first <= atMs - kSlopeMs) battery.readings.pop_front();
        }
        const bool empty = charge <= 0; // it has nothing left to fall, and is not recharged either
        if (battery.sinceMs >= 0 && !empty && (charge - battery.lowest >= kRecharged || atMs - battery.fellMs >= m_steadyMs))
            battery.sinceMs = -1, battery.falls = 0;
    }

    /// Seconds until the charge is 0 as it fell of late.
    static double autonomyS(const Battery& battery)
    {
        const auto& [fromMs, from] = battery.readings.front();
        const auto& [toMs, to] = battery.readings.back();
        const double perS = toMs > fromMs ? double(from - to) * 1000 / double(toMs - fromMs) : 0;
        return to <= 0 ? 0 : perS > 0 ? double(to) / perS : 1e9;
    }

    DetectorScene m_scene;
    float m_leastFall = 0; ///< percent of charge: more than the noise and resolution of a gauge
    int m_falls = 0;       ///< readings, each lower than the one before
    std::int64_t m_steadyMs = 0;
    std::vector<Battery> m_batteries;
};

class OnGenerator final : public Detector {
public:
    explicit OnGenerator(const DetectorScene& scene) : m_scene(scene)
    {
        const Snapshot& s = *scene.figures.snapshot;
        m_fuelH = numberSetting(s, "watch.fuel_h");
        m_loaded = float(shareSetting(s, "watch.generator_percent")), m_offMs = msSetting(s, "watch.generator_off_s");
        for (const auto& [id, p] : pointsOfKind(scene, PowerElement::Generator, Measure::ActivePower)) {
            const DeviceSpec& spec = scene.figures.parts->device(s.devices.type[id]);
            m_sets.push_back({id, p, float(double(spec.capacity.value.count()) / 1000)});
        }
    }

    std::map<std::string, Detection> second(std::int64_t atMs, const Readings& readings) override
    {
        Detection all;
        std::int64_t running = 0;
        double watts = 0;
        float highest = 0;
        for (Set& set : m_sets) {
            const float power = readingOf(readings, set.power, atMs);
            if (set.readMs >= 0 && set.sinceMs >= 0 && set.lastW > 0 && set.rated > 0)
                set.usedH += double(set.lastW / set.rated) * double(atMs - set.readMs) / 3'600'000; // of what lasts so long at its rating
            set.readMs = atMs;
            if (!std::isnan(power)) set.lastW = power;
            if (power > m_loaded * std::max(set.rated, 1.0f)) {
                if (set.sinceMs < 0) set.sinceMs = atMs;
                set.loadedMs = atMs;
            } else if (atMs - set.loadedMs >= m_offMs) {
                set.sinceMs = -1;
            }
            if (set.sinceMs < 0) continue;
            if (!std::isnan(power)) watts += double(power);
            if (running++ == 0 || power > highest) highest = power, all.entity = ref(set.id);
            all.sinceMs = running == 1 ? set.sinceMs : std::min(all.sinceMs, set.sinceMs);
            all.symptoms.push_back(ref(set.id)), all.covers.push_back(set.power);
        }
        if (running == 0) return {};
        std::ranges::sort(all.covers);
        const std::string name = entityName(*m_scene.figures.snapshot, *m_scene.figures.parts, all.entity);
        all.endsMs = fuelEndsMs(atMs);
        if (all.endsMs >= 0) {
            all.what = i18np(running, "{1} carries {2}, fuel for {3}: utility feed of its switchboard is lost or its breaker is open",
                             "{0} generator sets carry {2}, fuel for {3}: utility feeds of their switchboards are lost or their breakers are open; "
                             "highest load: {1}",
                             name, valueText(Measure::ActivePower, watts), i18n("{:.0f} h", double(all.endsMs - atMs) / 3'600'000));
            return {{"generator", std::move(all)}};
        }
        all.what = i18np(running, "{1} carries {2}: utility feed of its switchboard is lost or its breaker is open",
                         "{0} generator sets carry {2}: utility feeds of their switchboards are lost or their breakers are open; highest load: {1}",
                         name, valueText(Measure::ActivePower, watts));
        return {{"generator", std::move(all)}};
    }

private:
    struct Set {
        DeviceId id;
        PointNo power;
        float rated = 0;
        std::int64_t sinceMs = -1, loadedMs = 0, readMs = -1;
        float lastW = 0;
        double usedH = 0; ///< of its fuel, in hours at its rating
    };
    /// When the first set that runs has no fuel left at its present load; -1: not known. Sets start with full tanks (assumed).
    [[nodiscard]] std::int64_t fuelEndsMs(std::int64_t atMs) const
    {
        double least = -1;
        for (const Set& set : m_sets) {
            if (m_fuelH <= 0 || set.sinceMs < 0 || !(set.lastW > 0) || set.rated <= 0) continue;
            const double hours = std::max(0.0, m_fuelH - set.usedH) * double(set.rated / set.lastW);
            if (least < 0 || hours < least) least = hours;
        }
        return least < 0 ? -1 : atMs + std::int64_t(std::min(least, 1e5) * 3'600'000);
    }
    double m_fuelH = 0;
    float m_loaded = 0;       ///< of the rating
    std::int64_t m_offMs = 0; ///< without load, until a set counts as off: retransfer and cool-down
    DetectorScene m_scene;
    std::vector<Set> m_sets;
};

class OpenPath final : public Detector {
public:
    explicit OpenPath(const DetectorScene& scene)
        : m_scene(scene), m_open(float(shareSetting(*scene.figures.snapshot, "watch.open_path_percent"))),
          m_holdMs(msSetting(*scene.figures.snapshot, "watch.open_path_s"))
    {
        std::map<DeviceId, PointNo> power, voltage;
        for (const PowerElement element : {PowerElement::Ups, PowerElement::Transformer, PowerElement::Switchboard}) {
            for (const auto& [id, p] : pointsOfKind(scene, element, Measure::ActivePower)) power.try_emplace(id, p);
            for (const auto& [id, p] : pointsOfKind(scene, element, Measure::Voltage)) voltage.try_emplace(id, p);
        }
        const PowerFeeds& feeds = scene.figures.get<PowerFeedsNode>();
        const Snapshot& s = *scene.figures.snapshot;
        for (const auto& [consumer, load] : power)
            for (const PowerFeed& feed : feeds.of(consumer)) {
                const PowerElement element = scene.figures.parts->device(s.devices.type[feed.supplier]).power.element;
                if (element == PowerElement::Switchboard || !power.contains(feed.supplier) || !voltage.contains(feed.supplier)) continue;
                const double rated = double(scene.figures.parts->device(s.devices.type[feed.supplier]).capacity.value.count()) / 1000;
                Path path{feed.supplier, consumer, power[feed.supplier], voltage[feed.supplier], load, float(rated)};
                if (feed.link) {
                    const PortId from = s.links.from[*feed.link], to = s.links.to[*feed.link];
                    path.breaker = entityName(s, *scene.figures.parts, ref(s.ports.device[from] == feed.supplier ? from : to));
                }
                m_paths.push_back(std::move(path));
            }
    }

    std::map<std::string, Detection> second(std::int64_t atMs, const Readings& readings) override
    {
        std::map<std::string, Detection> found;
        for (Path& path : m_paths) {
            const float own = readingOf(readings, path.power, atMs), volts = readingOf(readings, path.voltage, atMs),
                        load = readingOf(readings, path.load, atMs);
            const float least = std::max(2 * m_open * path.rated, 1.0f);
            const bool carries = own > least, live = volts > kLiveVolts, open = own <= least / 2 && live && load > 2 * least;
            if (carries) path.carriedS = std::min(path.carriedS + 1, kCarriedS), path.sinceMs = -1;
            if (!live || load <= least) path.sinceMs = -1; // dead, or nothing to carry: not an open breaker
            if (open && path.carriedS >= kCarriedS && path.sinceMs < 0) path.sinceMs = atMs;
            if (path.sinceMs < 0 || atMs - path.sinceMs < m_holdMs) continue;
            Detection d;
            d.entity = ref(path.supplier), d.sinceMs = path.sinceMs;
            d.symptoms = {ref(path.supplier), ref(path.consumer)}, d.covers = {path.power};
            if (!path.breaker.empty()) d.alike = {path.breaker};
            const auto name = [&](DeviceId id) { return entityName(*m_scene.figures.snapshot, *m_scene.figures.parts, ref(id)); };
            d.what = i18n("{} is energized but carries no load, while {} carries {}: the breaker between them is open", name(path.supplier),
                          name(path.consumer), valueText(Measure::ActivePower, double(load)));
            found.emplace(name(path.supplier), std::move(d));
        }
        return found;
    }

private:
    static constexpr float kLiveVolts = 50; ///< far under every supply voltage, over what is induced in an open one (assumed)
    static constexpr int kCarriedS = 10;    ///< seconds in which it carried load, before it can lose it
    struct Path {
        DeviceId supplier, consumer;
        PointNo power, voltage, load;
        float rated = 0;
        std::string breaker{};
        int carriedS = 0;
        std::int64_t sinceMs = -1;
    };
    DetectorScene m_scene;
    float m_open;          ///< of the rating: less is no load, twice as much is
    std::int64_t m_holdMs; ///< longer than a transfer
    std::vector<Path> m_paths;
};

} // namespace

std::unique_ptr<Detector> makeOpenPath(const DetectorScene& scene) { return std::make_unique<OpenPath>(scene); }
std::unique_ptr<Detector> makeOnBattery(const DetectorScene& scene) { return std::make_unique<OnBattery>(scene); }
std::unique_ptr<Detector> makeOnGenerator(const DetectorScene& scene) { return std::make_unique<OnGenerator>(scene); }

} // namespace hw::monitoring
