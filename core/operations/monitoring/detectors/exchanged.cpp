// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/monitoring/detectors/exchanged.h"

#include "core/derived/figures/nodes.h"

#include <algorithm>
#include <cmath>

namespace hw::monitoring {

using bindings::Measure;
using bindings::PointNo;

namespace {

constexpr std::int64_t kLookMs = 10'000;          ///< so often
constexpr double kMeanS = 60, kSeldomMeanS = 600; ///< over which both sides are averaged; where they are read seldom and swing
constexpr double kNewS = 120;                     ///< over which what is much too much is seen sooner (assumed)
constexpr double kMuch = 0.3, kFitsMuch = 0.3;    ///< of the larger: a contradiction that no swing makes; of it: they fit (assumed)
constexpr double kAnother = 3;                    ///< times as much or as little, against what else is measured: another thing is read (assumed)
constexpr double kNone = 0.02, kNext = 0.05;      ///< of what is read on the other side: nothing, next to nothing (assumed)
constexpr double kFits = 0.5;                     ///< of what is a contradiction: they fit (assumed)
constexpr double kReadings = 2;                   ///< of a counter, after which both ends agree again (assumed)
constexpr float kMostRate = 1.05f;                ///< of a link's rate: a rate beyond is of a counter that is another one's
constexpr std::size_t kMostAtOnce = 4;            ///< racks whose flows contradict their heat, or a quarter of all (assumed)
constexpr double kFlowMoves = 0.3;                ///< of a flow, beyond the control of a valve (assumed)
constexpr std::size_t kLeastAlike = 3;            ///< to know what is usual

/// One thing that is said of something, and the same measured elsewhere.
struct Side {
    std::vector<PointNo> own, other;
    double scale = 1; ///< of other: for what is not measured of it
    float most = 0;   ///< that own can be; 0: no limit
    double ownMean = 0, otherMean = 0, meanS = 0, readyS = kMeanS;
    double ownNew = 0, otherNew = 0, newS = 0; ///< over the last minutes
    [[nodiscard]] bool ready() const { return !own.empty() && meanS >= readyS; }
    [[nodiscard]] bool readyNew() const { return !own.empty() && newS >= kNewS; }
};

/// What is said of something, and what is measured of it elsewhere.
struct Told {
    EntityRef entity;
    std::uint32_t group = 0;     ///< only those of one group are held against each other
    std::vector<Side> sides;     ///< of two of a group that are compared, each with that of the same number
    std::vector<PointNo> covers; ///< what follows from it, too
    bool seldom = false;
};

/// One kind of such things.
struct Family {
    std::vector<Told> all;
    double off = 0;       ///< of the larger: they contradict each other
    bool scaled = false;  ///< other over own is usually not 1, but alike
    bool heat = false;    ///< own is a flow; other: power, supply, return
    bool counted = false; ///< rates of counters: nothing happens between readings that they do not say
    std::string_view key;
    TextId what; ///< of {0} and {1}
    struct Found {
        std::int64_t sinceMs = 0;
        bool much = false; ///< by what was read lately
    };
    std::map<std::pair<std::size_t, std::size_t>, Found> since; ///< pairs that fit crosswise
};

class Exchanged final : public Detector {
public:
    explicit Exchanged(const DetectorScene& scene) : m_scene(scene), m_holdMs(msSetting(*scene.figures.snapshot, "watch.swapped_s"))
    {
        m_families.push_back(racks());
        m_families.push_back(flows());
        m_families.push_back(hosts());
        for (Family& family : m_families)
            family.off = shareSetting(*scene.figures.snapshot, family.counted ? "watch.swapped_traffic_percent" : "watch.swapped_percent");
    }

    std::map<std::string, Detection> second(std::int64_t atMs, const Readings& readings) override
    {
        if (atMs - m_lookedMs >= kLookMs) {
            const double seconds = m_lookedMs < 0 ? double(kLookMs) / 1000 : std::min(double(atMs - m_lookedMs) / 1000, 60.0);
            m_lookedMs = atMs;
            for (Family& family : m_families) look(family, atMs, seconds, readings);
        }
        std::map<std::string, Detection> out;
        for (const Family& family : m_families)
            for (const auto& [pair, found] : family.since) {
                const Told &a = family.all[pair.first], &b = family.all[pair.second];
                if (atMs - found.sinceMs < standsMs(family, a, b, found.much)) continue;
                Detection d;
                d.entity = a.entity, d.symptoms = {a.entity, b.entity}, d.sinceMs = found.sinceMs;
                for (const Told* one : {&a, &b}) {
                    d.covers.insert(d.covers.end(), one->covers.begin(), one->covers.end());
                    for (const Side& side : one->sides) d.covers.insert(d.covers.end(), side.own.begin(), side.own.end());
                }
                std::ranges::sort(d.covers);
                d.what = i18nText(family.what, nameOf(a.entity), nameOf(b.entity));
                out.emplace(std::string(family.key) + ':' + nameOf(a.entity) + ':' + nameOf(b.entity), std::move(d)); // no text: a key
            }
        return out;
    }

private:
    /// Required duration: halved where means restart with each change, four times as long where readings are infrequent and the difference is small.
    [[nodiscard]] std::int64_t standsMs(const Family& family, const Told& a, const Told& b, bool much) const
    {
        return much ? m_holdMs : family.counted ? m_holdMs / 2 : a.seldom || b.seldom ? 4 * m_holdMs : m_holdMs;
    }
    static Text i18nText(const TextId& what, const std::string& a, const std::string& b) { return i18n("{}: {} and {}", what, a, b); }
    [[nodiscard]] std::string nameOf(EntityRef entity) const { return entityName(*m_scene.figures.snapshot, *m_scene.figures.parts, entity); }
    [[nodiscard]] PointNo at(EntityRef entity, Measure measure, const char* element = "") const
    {
        return m_scene.bound.find({entity, measure, element});
    }

    [[nodiscard]] Family racks() const
    {
        Family family;
        family.key = "power", family.what = TextId("power meters swapped"); // no text: a key
        const Snapshot& s = *m_scene.figures.snapshot;
        const PowerFeeds& feeds = m_scene.figures.get<PowerFeedsNode>();
        std::map<RackId, Side> of;
        std::map<RackId, std::pair<double, double>> planned; // W, of all inlets and of those with a meter
        const PowerChain& chain = powerChain(m_scene.figures, powerBasisOf(s));
        s.devices.forEach([&](DeviceId id) {
            const auto rack = s.devices.rack[id];
            if (!rack || m_scene.figures.parts->device(s.devices.type[id]).power.element == PowerElement::None) return;
            if (std::ranges::none_of(feeds.of(id), [&](const PowerFeed& feed) { return !(s.devices.rack[feed.supplier] == rack); })) return;
            const PointNo p = at(ref(id), Measure::ActivePower);
            auto& [whole, measured] = planned[*rack];
            whole += toWatts(chain.load(id));
            if (p == bindings::kNoPoint) return;
            measured += toWatts(chain.load(id));
            of[*rack].other.push_back(p);
        });
        s.racks.forEach([&](RackId rack) {
            if (m_scene.figures.power->rack(rack).at(powerBasisOf(s)).count() <= 0) of[rack].other.clear(); // it draws nothing: that is known
        });
        for (auto& [rack, side] : of) {
            const PointNo own = at(ref(rack), Measure::ActivePower);
            const auto& [whole, measured] = planned[rack];
            if (own == bindings::kNoPoint || (whole > 0 && !(measured > 0))) continue;
            side.scale = whole > 0 ? whole / measured : 1; // inlets share the load as planned
            Told told;
            told.entity = ref(rack); // of any type: what is said and what is measured of a rack are of one size
            side.own = {own}, told.sides.push_back(std::move(side));
            for (const Measure m : {Measure::Flow, Measure::SupplyTemperature, Measure::ReturnTemperature})
                if (const PointNo p = at(ref(rack), m); p != bindings::kNoPoint) told.covers.push_back(p);
            family.all.push_back(std::move(told));
        }
        return family;
    }

    [[nodiscard]] Family flows() const
    {
        Family family;
        family.key = "flow", family.what = TextId("flow meters swapped"), family.heat = family.scaled = true; // no text: a key
        const Snapshot& s = *m_scene.figures.snapshot;
        s.racks.forEach([&](RackId id) {
            Told told;
            told.entity = ref(id), told.group = s.racks.type[id].value;
            Side side;
            side.own = {at(ref(id), Measure::Flow)};
            for (const Measure m : {Measure::ActivePower, Measure::SupplyTemperature, Measure::ReturnTemperature})
                side.other.push_back(at(ref(id), m));
            for (const auto* points : {&side.own, &side.other})
                if (std::ranges::find(*points, bindings::kNoPoint) != points->end()) return;
            told.covers = side.other;
            told.sides.push_back(std::move(side));
            family.all.push_back(std::move(told));
        });
        return family;
    }

    /// What hosts say that they send, and what arrives at the other ends of their links. The ports of hosts of one type follow each other alike.
    [[nodiscard]] Family hosts() const
    {
        Family family;
        family.key = "host", family.what = TextId("host telemetry swapped"), family.counted = true; // no text: a key
        const Snapshot& s = *m_scene.figures.snapshot;
        const DesignIndex& index = m_scene.figures.get<IndexNode>();
        s.devices.forEach([&](DeviceId id) {
            if (s.tiers.kind[s.devices.tier[id]] != TierKind::Server) return;
            Told told;
            told.entity = ref(id), told.group = s.devices.type[id].value;
            bool any = false;
            for (const PortId port : index.portsOfDevice[id.value]) {
                if (s.ports.medium[port] != Medium::Data) continue;
                Side& side = told.sides.emplace_back();
                const auto peer = index.peerOf(s, port);
                const PointNo own = at(ref(port), Measure::Transmit), other = peer ? at(ref(*peer), Measure::Receive) : bindings::kNoPoint;
                if (own == bindings::kNoPoint || other == bindings::kNoPoint) continue;
                side.own = {own}, side.other = {other}, side.most = kMostRate * 1e9f * float(s.ports.rate[port].count()), any = true;
                if (const PointNo back = at(ref(port), Measure::Receive); back != bindings::kNoPoint) told.covers.push_back(back);
            }
            if (any) family.all.push_back(std::move(told));
        });
        return family;
    }

    /// Both sides now; NaN where one is not known.
    [[nodiscard]] static std::pair<double, double> sidesOf(const Family& family, const Side& side, std::int64_t atMs, const Readings& readings)
    {
        const auto value = [&](PointNo p) { return double(rawReadingOf(readings, p, atMs)); };
        double own = 0, other = 0;
        if (family.heat) {
            const double rise = value(side.other[2]) - value(side.other[1]);
            return {value(side.own[0]), rise > 1 ? value(side.other[0]) / rise : std::nan("")};
        }
        for (const PointNo p : side.own) own += value(p);
        std::size_t known = 0;
        for (const PointNo p : side.other)
            if (const double one = value(p); !std::isnan(one)) other += one, ++known;
        if (side.other.empty()) return {own, 0};
        if (2 * known <= side.other.size()) return {own, std::nan("")};
        return {own, other * side.scale * double(side.other.size()) / double(known)}; // those that are read stand for the others
    }

    static void average(const Family& family, Told& told, std::int64_t atMs, double seconds, const Readings& readings)
    {
        for (Side& side : told.sides) {
            if (side.own.empty()) continue;
            const auto [own, other] = sidesOf(family, side, atMs, readings);
            if (std::isnan(own + other) || (family.counted && isStale(side, atMs, readings))) {
                side.meanS = side.newS = 0;
                continue;
            }
            if (side.most > 0 && own > double(side.most)) continue;
            for (const auto* points : {&side.own, &side.other})
                for (const PointNo p : *points) told.seldom = told.seldom || (!family.counted && readings.swing[p] > 0);
            const auto jumps = [&](double now, double mean) { return std::abs(now - mean) > family.off * std::max(now, mean); };
            const bool moved = family.heat && side.meanS > 0 && std::abs(own - side.ownMean) > kFlowMoves * std::max(own, side.ownMean);
            if (moved) side.meanS = 0; // what is warm by then is of the flow before
            const double least = kNone * std::max({own, other, side.ownMean, side.otherMean, 1e-9});
            const auto some = [&](double value) { return std::max(value, least); }; // one may be of what draws nothing
            const double ratio = some(own) * some(side.otherMean) / (some(other) * some(side.ownMean));
            if (side.meanS > 0 && (ratio > kAnother || ratio * kAnother < 1)) side.meanS = 0; // a mean of both sizes says nothing for minutes
            if (family.counted && (jumps(own, side.ownMean) || jumps(other, side.otherMean))) side.meanS = 0;
            side.meanS += seconds, side.readyS = readyS(family, told, side, readings);
            const double part = std::min(1.0, seconds / std::min(side.meanS, told.seldom || family.counted ? kSeldomMeanS : kMeanS));
            side.ownMean += (own - side.ownMean) * part, side.otherMean += (other - side.otherMean) * part;
            side.newS += seconds;
            const double newPart = std::min(1.0, seconds / std::min(side.newS, kNewS));
            side.ownNew += (own - side.ownNew) * newPart, side.otherNew += (other - side.otherNew) * newPart;
        }
    }
    /// A source that speaks on change says nothing of a counter that stands still: its last rate is of before.
    [[nodiscard]] static bool isStale(const Side& side, std::int64_t atMs, const Readings& readings)
    {
        return std::ranges::any_of(std::array{side.own[0], side.other[0]},
                                   [&](PointNo p) { return readings.gaps[p] < 0 || atMs - readings.arrived[p] > 2 * readings.gaps[p] + kLookMs; });
    }
    /// After which means of a side say something.
    [[nodiscard]] static double readyS(const Family& family, const Told& told, const Side& side, const Readings& readings)
    {
        if (!family.counted) return told.seldom ? kSeldomMeanS / 2 : kMeanS;
        double every = 0;
        for (const auto* points : {&side.own, &side.other})
            for (const PointNo p : *points) every = std::max(every, double(readings.gaps[p]) / 1000);
        return std::clamp(kReadings * every, kMeanS, kSeldomMeanS);
    }

    /// What is said of one and what is measured of another, over what is known of both.
    struct Pair {
        double said = 0, measured = 0;
        bool any = false;
    };
    [[nodiscard]] static Pair compared(const Told& said, const Told& measured, double scale, bool lately)
    {
        Pair out;
        for (std::size_t i = 0; i < std::min(said.sides.size(), measured.sides.size()); ++i) {
            const Side &a = said.sides[i], &b = measured.sides[i];
            if (lately ? !a.readyNew() || !b.readyNew() : !a.ready() || !b.ready()) continue;
            out.said += lately ? a.ownNew : a.ownMean, out.measured += (lately ? b.otherNew : b.otherMean) * scale, out.any = true;
        }
        return out;
    }
    [[nodiscard]] static bool differ(const Pair& c, double by)
    {
        return std::abs(c.said - c.measured) > by * std::max(std::abs(c.said), std::abs(c.measured));
    }

    /// Whether two differ by next to nothing of what is read of the one: of what draws nothing any more, a mean is never quite so.
    [[nodiscard]] static bool isNone(const Pair& own, const Pair& c)
    {
        return std::abs(c.said - c.measured) < kNext * std::max(std::abs(own.said), std::abs(own.measured));
    }

    void look(Family& family, std::int64_t atMs, double seconds, const Readings& readings) const
    {
        if (family.all.size() < 2) return;
        for (Told& told : family.all) average(family, told, atMs, seconds, readings);
        std::map<std::uint32_t, double> scale; // by group
        if (family.scaled) scale = usualOf(family);
        const auto against = [&](const Told& said, const Told& measured, bool lately) {
            const auto by = scale.find(said.group);
            if (family.scaled && by == scale.end()) return Pair{};
            return compared(said, measured, family.scaled ? by->second : 1, lately);
        };
        const auto fits = [&](const Told& said, const Told& measured) {
            const Pair c = against(said, measured, false);
            return c.any && (!differ(c, family.off * kFits) || isNone(against(said, said, false), c));
        };
        const auto contradicts = [&](const Told& told, double by, bool lately) {
            const Pair c = against(told, told, lately);
            return c.any && differ(c, by);
        };
        std::vector<std::size_t> off, much;
        for (std::size_t i = 0; i < family.all.size(); ++i) {
            const Told& told = family.all[i];
            if (contradicts(told, family.off, false)) off.push_back(i);
            if (told.seldom && !family.heat && contradicts(told, kMuch, true)) much.push_back(i);
        }
        if (family.heat && off.size() > std::max(kMostAtOnce, family.all.size() / 4)) { // the loop is disturbed
            family.since.clear();
            return;
        }
        std::map<std::pair<std::size_t, std::size_t>, Family::Found> now;
        const auto add = [&](const std::vector<std::pair<std::size_t, std::size_t>>& pairs, bool isMuch) {
            for (const auto& pair : pairs) {
                const auto was = family.since.find(pair);
                now.try_emplace(pair, was == family.since.end() ? Family::Found{atMs, isMuch} : was->second);
            }
        };
        add(onlyPairs(family, off, fits), false);
        add(onlyPairs(family, much,
                      [&](const Told& said, const Told& measured) {
                          const Pair own = against(said, said, true), c = against(said, measured, true);
                          const double contradiction = std::abs(own.said - own.measured) / std::max(std::abs(own.said), std::abs(own.measured));
                          return c.any && (!differ(c, kFitsMuch * contradiction) || isNone(own, c));
                      }),
            true);
        for (const auto& [pair, found] : family.since) // it stands while both contradict what is measured of them, or nothing is known
            if (!now.contains(pair) && std::ranges::all_of(std::array{pair.first, pair.second}, [&](std::size_t i) {
                    const Told& told = family.all[i];
                    return atMs - found.sinceMs >= standsMs(family, told, told, found.much) && !fits(told, told);
                }))
                now[pair] = found;
        family.since = std::move(now);
    }
    /// Of those that contradict what is measured of them, pairs that fit crosswise, where nothing else would fit.
    template <typename Fits>
    [[nodiscard]] static std::vector<std::pair<std::size_t, std::size_t>> onlyPairs(const Family& family, const std::vector<std::size_t>& off,
                                                                                    const Fits& fits)
    {
        std::map<std::size_t, std::vector<std::size_t>> partners;
        constexpr std::size_t kExchangedMost = 200; // with more of them it is something else
        for (std::size_t a = 0; a < off.size() && off.size() <= kExchangedMost; ++a)
            for (std::size_t b = a + 1; b < off.size(); ++b) {
                const Told &x = family.all[off[a]], &y = family.all[off[b]];
                if (x.group != y.group || !fits(x, y) || !fits(y, x)) continue;
                partners[off[a]].push_back(off[b]), partners[off[b]].push_back(off[a]);
            }
        std::vector<std::pair<std::size_t, std::size_t>> out;
        for (const auto& [one, others] : partners)
            if (others.size() == 1 && one < others.front() && partners[others.front()].size() == 1) out.emplace_back(one, others.front());
        return out;
    }

    /// Own over other of most of each group.
    [[nodiscard]] static std::map<std::uint32_t, double> usualOf(const Family& family)
    {
        std::map<std::uint32_t, std::vector<double>> ratios;
        for (const Told& told : family.all)
            for (const Side& side : told.sides)
                if (side.meanS >= kMeanS && side.otherMean > 0 && side.ownMean > 0) ratios[told.group].push_back(side.ownMean / side.otherMean);
        std::map<std::uint32_t, double> out;
        for (auto& [group, all] : ratios) {
            if (all.size() < kLeastAlike) continue;
            const auto middle = all.begin() + std::ptrdiff_t(all.size() / 2);
            std::ranges::nth_element(all, middle);
            out[group] = *middle;
        }
        return out;
    }

    DetectorScene m_scene;
    std::int64_t m_holdMs;
    std::vector<Family> m_families;
    std::int64_t m_lookedMs = -1;
};

} // namespace

std::unique_ptr<Detector> makeExchanged(const DetectorScene& scene) { return std::make_unique<Exchanged>(scene); }

} // namespace hw::monitoring
