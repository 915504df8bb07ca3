// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/monitoring/detectors/rack_dark.h"

#include "core/derived/figures/nodes.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace hw::monitoring {

using bindings::Measure;
using bindings::PointNo;

namespace {

constexpr float kLiveStripVolts = 20;    ///< more than is induced in an open one; shelves of busbars have 48 V
constexpr float kLoaded = 0.1f;          ///< of what is planned
constexpr int kLoadedS = 10;             ///< seconds in which it carried load
constexpr float kFlows = 0.3f;           ///< of the usual flow: it was cooled until then
constexpr std::int64_t kCooledMs = 3000; ///< before it lost power (assumed: an opening breaker does not stop the coolant earlier)
constexpr float kNearK = 1.5f;           ///< below the limit at which it shuts down: sensors and air are not the same everywhere (assumed)
constexpr std::size_t kLeastLoads = 2;   ///< machines in it, as one alone may have failed

class RackDark final : public Detector {
public:
    explicit RackDark(const DetectorScene& scene)
        : m_scene(scene), m_noLoad(float(shareSetting(*scene.figures.snapshot, "watch.dark_percent"))),
          m_holdMs(msSetting(*scene.figures.snapshot, "watch.dark_s"))
    {
        const Snapshot& s = *scene.figures.snapshot;
        const PowerFeeds& feeds = scene.figures.get<PowerFeedsNode>();
        const CoolingChain& chain = scene.figures.get<CoolingChainNode>();
        std::map<RackId, float> coolantLimit;
        for (const CooledLoad& taker : chain.takers) {
            if (!taker.rack || taker.loop < 0) continue;
            const CoolingLoop& loop = chain.loops[std::size_t(taker.loop)];
            float& limit = coolantLimit.try_emplace(*taker.rack, float(loop.supplyC + loop.limitK)).first->second;
            limit = std::min(limit, float(loop.supplyC + loop.limitK));
        }
        std::map<RackId, Rack> racks;
        std::map<RackId, std::size_t> loads;
        s.devices.forEach([&](DeviceId id) {
            const auto rack = s.devices.rack[id];
            if (!rack) return;
            Rack& of = racks[*rack];
            const TierKind kind = s.tiers.kind[s.devices.tier[id]];
            loads[*rack] += kind == TierKind::Server || kind == TierKind::Switch;
            of.devices.push_back(id);
            if (scene.figures.parts->device(s.devices.type[id]).power.element == PowerElement::None) return;
            if (std::ranges::none_of(feeds.of(id), [&](const PowerFeed& feed) { return !(s.devices.rack[feed.supplier] == rack); })) return;
            const PointNo power = scene.bound.find({ref(id), Measure::ActivePower, ""}), volts = scene.bound.find({ref(id), Measure::Voltage, ""});
            if (power != bindings::kNoPoint && volts != bindings::kNoPoint) of.strips.push_back({id, power, volts});
        });
        for (auto& [id, rack] : racks) {
            if (rack.strips.empty() || loads[id] < kLeastLoads) continue;
            rack.id = id;
            rack.power = scene.bound.find({ref(id), Measure::ActivePower, ""});
            for (const Measure measure : {Measure::Flow, Measure::DifferentialPressure})
                if (const PointNo p = scene.bound.find({ref(id), measure, ""}); p != bindings::kNoPoint) rack.coolant.push_back({p});
            const auto add = [&, of = ref(id)](Measure measure, float limit) {
                if (const PointNo p = scene.bound.find({of, measure, ""}); p != bindings::kNoPoint) rack.supplies.push_back({p, limit});
            };
            if (const auto limit = coolantLimit.find(id); limit != coolantLimit.end()) add(Measure::SupplyTemperature, limit->second);
            add(Measure::AirInlet, float(chain.at.airLimitC));
            for (const Strip& strip : rack.strips) rack.planned += std::max(0.0f, scene.plans.points[strip.power].planned);
            if (rack.planned > 0) m_racks.push_back(std::move(rack));
        }
    }

    std::map<std::string, Detection> second(std::int64_t atMs, const Readings& readings) override
    {
        std::map<std::string, Detection> found;
        for (Rack& rack : m_racks) {
            look(rack, atMs, readings);
            if (rack.sinceMs < 0 || rack.hot || atMs - rack.sinceMs < m_holdMs) continue;
            Detection d;
            d.entity = ref(rack.id), d.symptoms = {d.entity}, d.sinceMs = rack.sinceMs, d.settles = true;
            cover(rack, d.covers);
            d.what = i18np(std::int64_t(rack.strips.size()),
                           "{1} without power: {0} rack PDU or power shelf is energized but carries no load: check the breaker of the rack",
                           "{1} without power: {0} rack PDUs or power shelves are energized but carry no load: check the breaker of the rack",
                           nameOf(rack.id));
            found.emplace(nameOf(rack.id), std::move(d));
        }
        return found;
    }

private:
    struct Strip {
        DeviceId id;
        PointNo power, volts;
    };
    struct Coolant { ///< what shows that it flows
        PointNo point;
        float usual = kUnknown;
    };
    struct Supply { ///< how warm coolant or air comes
        PointNo point;
        float limit;
        float last = kUnknown, rose = 0; ///< rose: since the reading before
        std::int64_t lastMs = -1, everyMs = 1;
    };
    struct Rack {
        RackId id{};
        std::vector<Strip> strips{};
        std::vector<DeviceId> devices{};
        std::vector<Coolant> coolant{}; ///< the first that has a value counts
        std::vector<Supply> supplies{}; ///< temperatures of coolant and air
        PointNo power = bindings::kNoPoint;
        float planned = 0;
        int loadedS = 0;
        std::int64_t sinceMs = -1, lowFlowMs = -1;
        bool hot = false; ///< it lost its coolant before, or that or its air was as warm as it shuts down at
    };
    [[nodiscard]] std::string nameOf(RackId id) const { return entityName(*m_scene.figures.snapshot, *m_scene.figures.parts, ref(id)); }

    void look(Rack& rack, std::int64_t atMs, const Readings& readings) const
    {
        float sum = 0;
        bool live = true;
        std::size_t known = 0;
        for (const Strip& strip : rack.strips) {
            const float power = rawReadingOf(readings, strip.power, atMs), volts = rawReadingOf(readings, strip.volts, atMs);
            if (std::isnan(power) || std::isnan(volts)) continue;
            ++known, sum += power, live = live && volts > kLiveStripVolts;
        }
        if (2 * known <= rack.strips.size()) return; // nobody knows
        if (rack.sinceMs < 0) lookAtCoolant(rack, atMs, readings);
        bool warm = false;
        for (Supply& its : rack.supplies) warm = isWarm(its, atMs, readings) || warm;
        const float whole = rack.power == bindings::kNoPoint ? kUnknown : rawReadingOf(readings, rack.power, atMs);
        const bool dark = live && sum < m_noLoad * rack.planned && !(whole >= m_noLoad * rack.planned);
        if (sum > kLoaded * rack.planned) rack.loadedS = std::min(rack.loadedS + 1, kLoadedS);
        if (!dark) {
            rack.sinceMs = -1, rack.hot = false;
            if (!live) rack.loadedS = 0; // what comes back without load was dead
        } else if (rack.sinceMs < 0 && rack.loadedS >= kLoadedS) {
            rack.sinceMs = atMs, rack.hot = warm || (rack.lowFlowMs >= 0 && atMs - rack.lowFlowMs >= kCooledMs);
            rack.loadedS = 0;
        }
    }

    /// Whether it is as warm as servers shut down at, or would be by now if it went on to rise as before: it may be read seldom.
    static bool isWarm(Supply& its, std::int64_t atMs, const Readings& readings)
    {
        const float now = rawReadingOf(readings, its.point, atMs);
        if (std::isnan(now)) return false;
        if (const std::int64_t heardMs = readings.arrived[its.point]; heardMs != its.lastMs) {
            if (its.lastMs >= 0) its.rose = std::max(0.0f, now - its.last), its.everyMs = std::max<std::int64_t>(1, heardMs - its.lastMs);
            its.last = now, its.lastMs = heardMs;
        }
        const float passed = std::clamp(float(atMs - its.lastMs) / float(its.everyMs), 0.0f, 1.0f);
        return now + its.rose * passed > its.limit - kNearK;
    }

    /// Since when hardly any coolant flows.
    static void lookAtCoolant(Rack& rack, std::int64_t atMs, const Readings& readings)
    {
        std::optional<bool> low;
        for (Coolant& its : rack.coolant) {
            const float now = rawReadingOf(readings, its.point, atMs);
            if (std::isnan(now)) continue;
            const bool less = now < kFlows * its.usual;
            if (!less) its.usual = std::isnan(its.usual) ? now : its.usual + 0.02f * (now - its.usual);
            if (!low) low = less;
        }
        if (!low.value_or(false))
            rack.lowFlowMs = -1;
        else if (rack.lowFlowMs < 0)
            rack.lowFlowMs = atMs;
    }

    /// All of it, its strips and the ports of what is in it.
    void cover(const Rack& rack, std::vector<PointNo>& covers) const
    {
        const Snapshot& s = *m_scene.figures.snapshot;
        const auto add = [&](EntityRef entity) {
            const auto [first, last] = m_scene.bound.pointsOf(entity);
            for (PointNo p = first; p < last; ++p) covers.push_back(p);
        };
        add(ref(rack.id));
        const DesignIndex& index = m_scene.figures.get<IndexNode>();
        for (const DeviceId id : rack.devices) {
            add(ref(id));
            for (const PortId port : index.portsOfDevice[id.value]) {
                if (s.ports.medium[port] != Medium::Data) continue;
                add(ref(port));
                if (const auto peer = index.peerOf(s, port)) add(ref(*peer));
            }
        }
        std::ranges::sort(covers);
        const auto twice = std::ranges::unique(covers);
        covers.erase(twice.begin(), twice.end());
    }

    DetectorScene m_scene;
    float m_noLoad;        ///< of what is planned
    std::int64_t m_holdMs; ///< shorter than that of causes
    std::vector<Rack> m_racks;
};

} // namespace

std::unique_ptr<Detector> makeRackDark(const DetectorScene& scene) { return std::make_unique<RackDark>(scene); }

} // namespace hw::monitoring
