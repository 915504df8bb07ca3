// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/monitoring/detectors/exchanged.h"

#include "core/derived/figures/nodes.h"

#include <algorithm>
#include <cmath>

namespace hw::monitoring {

using bindings::Measure;
using bindings::PointNo;

namespace {

constexpr std::int64_t kLookMs = 10'000;                              ///< so often
constexpr double kMeanS = 60, kSeldomMeanS = 600;                     ///< over which both sides are averaged; where they are read seldom and swing
constexpr std::int64_t kStandsMs = 60'000, kSeldomStandsMs = 240'000; ///< that it lasts (assumed)
constexpr double kOff = 0.12, kFits = 0.5;                            ///< of the larger: they contradict each other; of that: they fit (assumed)
constexpr std::size_t kLeastAlike = 3;                                ///< to know what is usual

/// What is said of something, and what is measured of it elsewhere.
struct Told {
    EntityRef entity;
    std::uint32_t group = 0; ///< only those of one group are held against each other
    std::vector<PointNo> own, other;
    std::vector<PointNo> covers; ///< what follows from it, too
    double ownMean = 0, otherMean = 0, meanS = 0;
    bool seldom = false;
};

/// One kind of such things.
struct Family {
    std::vector<Told> all;
    double off = kOff;
    bool scaled = false; ///< other over own is usually not 1, but alike
    bool heat = false;   ///< own is a flow; other: power, supply, return
    std::string_view key;
    TextId what;                                                       ///< of {0} and {1}
    std::map<std::pair<std::size_t, std::size_t>, std::int64_t> since; ///< pairs that fit crosswise
};

class Exchanged final : public Detector {
public:
    explicit Exchanged(const DetectorScene& scene) : m_scene(scene)
    {
        m_families.push_back(racks());
        m_families.push_back(flows());
    }

    std::map<std::string, Detection> second(std::int64_t atMs, const Readings& readings) override
    {
        if (atMs - m_lookedMs >= kLookMs) {
            const double seconds = m_lookedMs < 0 ? double(kLookMs) / 1000 : std::min(double(atMs - m_lookedMs) / 1000, 60.0);
            m_lookedMs = atMs;
            for (Family& family : m_families) look(family, atMs, seconds, readings);
        }
        std::map<std::string, Detection> found;
        for (const Family& family : m_families)
            for (const auto& [pair, since] : family.since) {
                const Told &a = family.all[pair.first], &b = family.all[pair.second];
                if (atMs - since < (a.seldom || b.seldom ? kSeldomStandsMs : kStandsMs)) continue;
                Detection d;
                d.entity = a.entity, d.symptoms = {a.entity, b.entity}, d.sinceMs = since;
                for (const Told* one : {&a, &b})
                    for (const auto* points : {&one->own, &one->covers}) d.covers.insert(d.covers.end(), points->begin(), points->end());
                std::ranges::sort(d.covers);
                d.what = i18nText(family.what, nameOf(a.entity), nameOf(b.entity));
                found.emplace(std::string(family.key) + ':' + nameOf(a.entity) + ':' + nameOf(b.entity), std::move(d)); // no text: a key
            }
        return found;
    }

private:
    static Text i18nText(const TextId& what, const std::string& a, const std::string& b) { return i18n("{}: {} and {}", what, a, b); }
    [[nodiscard]] std::string nameOf(EntityRef entity) const { return entityName(*m_scene.figures.snapshot, *m_scene.figures.parts, entity); }
    [[nodiscard]] PointNo at(EntityRef entity, Measure measure, const char* element = "") const
    {
        return m_scene.bound.find({entity, measure, element});
    }

    [[nodiscard]] Family racks() const
    {
        Family family;
        family.key = "power", family.what = TextId("power meters exchanged"); // no text: a key
        const Snapshot& s = *m_scene.figures.snapshot;
        const PowerFeeds& feeds = m_scene.figures.get<PowerFeedsNode>();
        std::map<RackId, Told> of;
        std::set<RackId> partly;
        s.devices.forEach([&](DeviceId id) {
            const auto rack = s.devices.rack[id];
            if (!rack || m_scene.figures.parts->device(s.devices.type[id]).power.element == PowerElement::None) return;
            if (std::ranges::none_of(feeds.of(id), [&](const PowerFeed& feed) { return !(s.devices.rack[feed.supplier] == rack); })) return;
            const PointNo p = at(ref(id), Measure::ActivePower);
            if (p == bindings::kNoPoint)
                partly.insert(*rack);
            else
                of[*rack].other.push_back(p);
        });
        for (auto& [rack, told] : of) {
            const PointNo own = at(ref(rack), Measure::ActivePower);
            if (own == bindings::kNoPoint || partly.contains(rack)) continue;
            told.entity = ref(rack), told.own = {own}, told.group = s.racks.type[rack].value;
            for (const Measure m : {Measure::Flow, Measure::SupplyTemperature, Measure::ReturnTemperature})
                if (const PointNo p = at(ref(rack), m); p != bindings::kNoPoint) told.covers.push_back(p);
            family.all.push_back(std::move(told));
        }
        return family;
    }

    [[nodiscard]] Family flows() const
    {
        Family family;
        family.key = "flow", family.what = TextId("flow meters exchanged"), family.heat = family.scaled = true; // no text: a key
        const Snapshot& s = *m_scene.figures.snapshot;
        s.racks.forEach([&](RackId id) {
            Told told;
            told.entity = ref(id), told.group = s.racks.type[id].value;
            told.own = {at(ref(id), Measure::Flow)};
            for (const Measure m : {Measure::ActivePower, Measure::SupplyTemperature, Measure::ReturnTemperature})
                told.other.push_back(at(ref(id), m));
            for (const auto* points : {&told.own, &told.other})
                if (std::ranges::find(*points, bindings::kNoPoint) != points->end()) return;
            told.covers = told.other;
            family.all.push_back(std::move(told));
        });
        return family;
    }

    /// Both sides now; NaN where one is not known.
    [[nodiscard]] std::pair<double, double> sidesOf(const Family& family, const Told& told, std::int64_t atMs, const Readings& readings) const
    {
        const auto value = [&](PointNo p) { return double(rawReadingOf(readings, p, atMs)); };
        double own = 0, other = 0;
        if (family.heat) {
            const double rise = value(told.other[2]) - value(told.other[1]);
            return {value(told.own[0]), rise > 1 ? value(told.other[0]) / rise : std::nan("")};
        }
        for (const PointNo p : told.own) own += value(p);
        for (const PointNo p : told.other) other += value(p);
        return {own, other};
    }

    void look(Family& family, std::int64_t atMs, double seconds, const Readings& readings) const
    {
        if (family.all.size() < 2) return;
        for (Told& told : family.all) {
            const auto [own, other] = sidesOf(family, told, atMs, readings);
            if (std::isnan(own + other)) {
                told.meanS = 0;
                continue;
            }
            for (const auto* points : {&told.own, &told.other})
                for (const PointNo p : *points) told.seldom = told.seldom || readings.swing[p] > 0;
            told.meanS += seconds;
            const double part = std::min(1.0, seconds / std::min(told.meanS, told.seldom ? kSeldomMeanS : kMeanS));
            told.ownMean += (own - told.ownMean) * part, told.otherMean += (other - told.otherMean) * part;
        }
        std::map<std::uint32_t, double> scale; // by group
        if (family.scaled) scale = usualOf(family);
        const auto ready = [&](const Told& told) {
            return told.meanS >= (told.seldom ? kSeldomMeanS / 2 : kMeanS) && (!family.scaled || scale.contains(told.group));
        };
        const auto otherOf = [&](const Told& told) { return told.otherMean * (family.scaled ? scale.at(told.group) : 1); };
        const auto differ = [&](double a, double b, double by) { return std::abs(a - b) > by * std::max(std::abs(a), std::abs(b)); };
        std::vector<std::size_t> off;
        for (std::size_t i = 0; i < family.all.size(); ++i)
            if (ready(family.all[i]) && differ(family.all[i].ownMean, otherOf(family.all[i]), family.off)) off.push_back(i);
        std::map<std::size_t, std::vector<std::size_t>> partners;
        constexpr std::size_t kExchangedMost = 200; // with more of them it is something else
        for (std::size_t a = 0; a < off.size() && off.size() <= kExchangedMost; ++a)
            for (std::size_t b = a + 1; b < off.size(); ++b) {
                const Told &x = family.all[off[a]], &y = family.all[off[b]];
                if (x.group != y.group || differ(x.ownMean, otherOf(y), family.off * kFits) || differ(y.ownMean, otherOf(x), family.off * kFits))
                    continue;
                partners[off[a]].push_back(off[b]), partners[off[b]].push_back(off[a]);
            }
        std::map<std::pair<std::size_t, std::size_t>, std::int64_t> now;
        for (const auto& [one, others] : partners) // only where nothing else would fit
            if (others.size() == 1 && one < others.front() && partners[others.front()].size() == 1) {
                const std::pair pair(one, others.front());
                const auto was = family.since.find(pair);
                now[pair] = was == family.since.end() ? atMs : was->second;
            }
        for (const auto& [pair, since] : family.since) // it stands while both contradict what is measured of them, or nothing is known
            if (!now.contains(pair) && std::ranges::all_of(std::array{pair.first, pair.second}, [&](std::size_t i) {
                    const Told& told = family.all[i];
                    return atMs - since >= kStandsMs && (!ready(told) || differ(told.ownMean, otherOf(told), family.off * kFits));
                }))
                now[pair] = since;
        family.since = std::move(now);
    }

    /// Own over other of most of each group.
    [[nodiscard]] static std::map<std::uint32_t, double> usualOf(const Family& family)
    {
        std::map<std::uint32_t, std::vector<double>> ratios;
        for (const Told& told : family.all)
            if (told.meanS >= kMeanS && told.otherMean > 0 && told.ownMean > 0) ratios[told.group].push_back(told.ownMean / told.otherMean);
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
    std::vector<Family> m_families;
    std::int64_t m_lookedMs = -1;
};

} // namespace

std::unique_ptr<Detector> makeExchanged(const DetectorScene& scene) { return std::make_unique<Exchanged>(scene); }

} // namespace hw::monitoring
