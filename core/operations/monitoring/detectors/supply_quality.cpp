// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/monitoring/detectors/supply_quality.h"

#include "core/derived/figures/nodes.h"

#include <algorithm>
#include <cmath>

namespace hw::monitoring {

using bindings::Measure;
using bindings::PointNo;

namespace {

constexpr double kBack = 0.8;              ///< of a band, to count as back in it
constexpr double kAlive = 0.2;             ///< of the usual voltage; less is dead, which causes tell of
constexpr double kUsualShare = 1.0 / 3600; ///< by which each second within the band moves the usual value: an hour
constexpr double kPeerBand = 0.08;         ///< first readings that differ more from their peers are no usual value (assumed)
constexpr float kPhaseUsed = 0.3f;         ///< of the mean of the other two: it did carry load
constexpr float kPhaseLoaded = 0.05f;      ///< of the rating, that the others carry for it to say anything (assumed)
constexpr std::size_t kLeastBehind = 2;    ///< elements behind it that are metered, at least half of which show the loss, too
constexpr int kReadingsUsed = 5;           ///< seconds in which the phase carried load

/// What is held over time of one element.
struct Held {
    std::int64_t sinceMs = -1, backMs = -1;
    bool stands = false;
    /// `out`: beyond the band; `back`: well within it.
    /// `holdMs`: that it lasts before it counts, and is gone before it does not.
    void update(std::int64_t atMs, std::int64_t holdMs, bool out, bool back)
    {
        if (out) {
            if (sinceMs < 0) sinceMs = atMs;
            backMs = -1;
            stands = stands || atMs - sinceMs >= holdMs;
        } else if (!stands) {
            sinceMs = -1;
        } else if (back) {
            if (backMs < 0) backMs = atMs;
            if (atMs - backMs >= holdMs) *this = {};
        } else {
            backMs = -1;
        }
    }
};

/// Power elements that show something, and those of them where it arises.
class SupplyDetector : public Detector {
protected:
    explicit SupplyDetector(const DetectorScene& scene)
        : m_scene(scene), m_feeds(scene.figures.get<PowerFeedsNode>()), m_holdMs(msSetting(*scene.figures.snapshot, "watch.supply_s"))
    {
    }

    [[nodiscard]] std::string nameOf(DeviceId id) const { return entityName(*m_scene.figures.snapshot, *m_scene.figures.parts, ref(id)); }
    [[nodiscard]] Maybe<DeviceId> deviceOf(PointNo p) const
    {
        const EntityRef entity = m_scene.bound.points[p].entity;
        if (entity.kind != EntityKind::Device || !m_scene.figures.snapshot->devices.contains(DeviceId(entity.id))) return {};
        return DeviceId(entity.id);
    }
    /// Those with no supplier among them, of which each feeds on in its own right.
    [[nodiscard]] std::vector<DeviceId> roots(const std::set<DeviceId>& shown) const
    {
        std::vector<DeviceId> roots;
        for (const DeviceId id : shown)
            if (std::ranges::none_of(m_feeds.of(id), [&](const PowerFeed& feed) { return isBehind(feed.supplier, shown, 0); })) roots.push_back(id);
        return roots;
    }

    [[nodiscard]] bool isFedBy(DeviceId id, DeviceId root, int depth) const
    {
        return depth < 10 && std::ranges::any_of(m_feeds.of(id), [&](const PowerFeed& feed) {
                   return feed.supplier == root || isFedBy(feed.supplier, root, depth + 1);
               });
    }

    DetectorScene m_scene;
    const PowerFeeds& m_feeds;
    std::int64_t m_holdMs;

private:
    /// Whether it, or what feeds it, is shown: elements between that nothing measures are passed.
    [[nodiscard]] bool isBehind(DeviceId id, const std::set<DeviceId>& shown, int depth) const
    {
        if (shown.contains(id)) return true;
        if (depth > 8) return false;
        return std::ranges::any_of(m_feeds.of(id), [&](const PowerFeed& feed) { return isBehind(feed.supplier, shown, depth + 1); });
    }
};

struct Metered {
    DeviceId id;
    PointNo point;
    Held held{};
    float usual = kUnknown, value = kUnknown;
};

/// A measure of power elements against a value that it usually has.
class QualityDetector : public SupplyDetector {
protected:
    QualityDetector(const DetectorScene& scene, Measure measure, double band) : SupplyDetector(scene), m_band(band)
    {
        for (PointNo p = 0; p < scene.bound.points.size(); ++p)
            if (const auto id = deviceOf(p); id && scene.bound.points[p].measure == measure && scene.bound.points[p].element.empty() &&
                                             !bindings::isSetpoint(scene.bound.points[p]))
                m_metered.push_back({*id, p});
    }
    [[nodiscard]] virtual float firstUsual(const Metered& one) const = 0;
    virtual void learn(Metered& one) const = 0;
    /// What of one place is one alarm.
    [[nodiscard]] virtual std::string placeOf(DeviceId id) const = 0;
    [[nodiscard]] virtual Text whatOf(const Metered& one, std::size_t behind) const = 0;

public:
    std::map<std::string, Detection> second(std::int64_t atMs, const Readings& readings) override
    {
        for (Metered& one : m_metered) one.value = readingOf(readings, one.point, atMs);
        std::set<DeviceId> shown;
        for (Metered& one : m_metered) {
            if (std::isnan(one.value)) {
                one.held.update(atMs, m_holdMs, false, true);
                continue;
            }
            if (std::isnan(one.usual)) one.usual = firstUsual(one);
            const double off = std::isnan(one.usual) || one.usual <= 0 ? 0 : std::abs(double(one.value) / double(one.usual) - 1);
            const bool alive = double(one.value) > kAlive * double(one.usual);
            one.held.update(atMs, m_holdMs, alive && off > m_band, !alive || off < m_band * kBack);
            if (off < m_band * kBack) learn(one);
            if (one.held.stands) shown.insert(one.id);
        }
        std::map<std::string, Detection> found;
        if (shown.empty()) return found;
        const std::vector<DeviceId> roots = this->roots(shown);
        std::map<std::string, std::size_t> most; // elements behind: standby sets that run on the same bus show it, too
        for (const Metered& one : m_metered) {
            if (!one.held.stands || !std::ranges::binary_search(roots, one.id)) continue;
            const auto behind = std::size_t(std::ranges::count_if(shown, [&](DeviceId id) { return id != one.id && isFedBy(id, one.id, 0); }));
            const std::string place = placeOf(one.id);
            const auto [at, isNew] = most.try_emplace(place, behind);
            if (!isNew && behind <= at->second) continue;
            at->second = behind;
            Detection& detection = found[place];
            detection.sinceMs = one.held.sinceMs, detection.entity = ref(one.id), detection.what = whatOf(one, shown.size() - 1);
        }
        if (found.empty()) return found;
        auto& first = found.begin()->second; // what is behind it, whichever way it is fed
        for (const Metered& one : m_metered)
            if (one.held.stands) first.symptoms.push_back(ref(one.id)), first.covers.push_back(one.point);
        std::ranges::sort(first.covers);
        return found;
    }

protected:
    [[nodiscard]] double band() const { return m_band; }
    std::vector<Metered> m_metered;

private:
    double m_band;
};

class Frequency final : public QualityDetector {
public:
    explicit Frequency(const DetectorScene& scene)
        : QualityDetector(scene, Measure::Frequency, shareSetting(*scene.figures.snapshot, "watch.frequency_percent"))
    {
    }

private:
    float firstUsual(const Metered& one) const override
    {
        return one.value < 1 ? kUnknown : std::abs(one.value - 50) <= std::abs(one.value - 60) ? 50.0f : 60.0f;
    }
    void learn(Metered&) const override {}
    std::string placeOf(DeviceId) const override { return "supply"; } // no text: a key; a grid has one frequency
    Text whatOf(const Metered& one, std::size_t behind) const override
    {
        const Text what = i18n("{}: frequency {:.2f} Hz (nominal {:.0f} Hz ± {:.3g} %)", nameOf(one.id), one.value, one.usual, 100 * band());
        return behind == 0
                   ? what
                   : i18np(std::int64_t(behind), "{1}; {0:L} downstream element also shows it", "{1}; {0:L} downstream elements also show it", what);
    }
};

class Voltage final : public QualityDetector {
public:
    explicit Voltage(const DetectorScene& scene)
        : QualityDetector(scene, Measure::Voltage, shareSetting(*scene.figures.snapshot, "watch.voltage_percent"))
    {
        for (std::size_t i = 0; i < m_metered.size(); ++i) m_peers[scene.figures.snapshot->devices.type[m_metered[i].id]].push_back(i);
    }

private:
    /// Its first reading, or what others of its type read where that is far from it.
    float firstUsual(const Metered& one) const override
    {
        if (one.value < 1) return kUnknown;
        std::vector<float> peers;
        for (const std::size_t i : m_peers.at(m_scene.figures.snapshot->devices.type[one.id]))
            if (const Metered& peer = m_metered[i]; peer.value >= 1) peers.push_back(std::isnan(peer.usual) ? peer.value : peer.usual);
        if (peers.size() < 2) return one.value;
        std::ranges::sort(peers);
        const float median = peers[peers.size() / 2]; // the higher of two: supplies sag more often than they rise
        return std::abs(double(one.value) / double(median) - 1) > kPeerBand ? median : one.value;
    }
    std::string placeOf(DeviceId id) const override
    {
        const char side = m_feeds.side(id);
        return side ? std::string("side-") + side : nameOf(id); // no text: a key
    }
    void learn(Metered& one) const override { one.usual += float(kUsualShare) * (one.value - one.usual); }
    Text whatOf(const Metered& one, std::size_t behind) const override
    {
        const Text what = i18n("{}: voltage {:.0f} V, {:.0f} % of its normal {:.0f} V (tolerance ± {:.3g} %)", nameOf(one.id), one.value,
                               100 * one.value / one.usual, one.usual, 100 * band());
        return behind == 0
                   ? what
                   : i18np(std::int64_t(behind), "{1}; {0:L} downstream element also shows it", "{1}; {0:L} downstream elements also show it", what);
    }
    std::map<PartTypeId, std::vector<std::size_t>> m_peers;
};

class PhaseLoss final : public SupplyDetector {
public:
    explicit PhaseLoss(const DetectorScene& scene)
        : SupplyDetector(scene), m_gone(float(shareSetting(*scene.figures.snapshot, "watch.phase_loss_percent")))
    {
        for (const PhaseGroup& group : scene.plans.phases)
            if (std::ranges::find(group.point, bindings::kNoPoint) == group.point.end())
                if (const auto id = deviceOf(group.point[0])) m_groups.push_back({*id, &group});
    }

    std::map<std::string, Detection> second(std::int64_t atMs, const Readings& readings) override
    {
        std::array<std::set<DeviceId>, 3> shown;
        for (Group& one : m_groups) {
            std::array<float, 3> amps{};
            for (std::size_t k = 0; k < 3; ++k) amps[k] = rawReadingOf(readings, one.group->point[k], atMs);
            for (std::size_t k = 0; k < 3; ++k) {
                Phase& phase = one.phases[k];
                const float others = (amps[(k + 1) % 3] + amps[(k + 2) % 3]) / 2; // NaN: not known
                const bool tells = others > std::max(kPhaseLoaded * one.group->rating, 0.1f);
                const bool gone = tells && phase.used >= kReadingsUsed && amps[k] < m_gone * others;
                if (tells && amps[k] > kPhaseUsed * others) phase.used = std::min(phase.used + 1, kReadingsUsed);
                phase.held.update(atMs, m_holdMs, gone, !gone);
                phase.amps = amps[k], phase.others = others, phase.tells = tells && phase.used >= kReadingsUsed;
                if (phase.held.stands) shown[k].insert(one.id);
            }
        }
        std::map<std::string, Detection> found;
        for (std::size_t k = 0; k < 3; ++k)
            if (!shown[k].empty()) add(found, k, shown[k]);
        return found;
    }

private:
    struct Phase {
        Held held{};
        int used = 0;
        float amps = 0, others = 0;
        bool tells = false; ///< it would show a loss
    };
    struct Group {
        DeviceId id;
        const PhaseGroup* group;
        std::array<Phase, 3> phases{};
    };

    void add(std::map<std::string, Detection>& found, std::size_t k, const std::set<DeviceId>& shown) const
    {
        for (const DeviceId root : roots(shown)) {
            Detection d;
            d.entity = ref(root), d.element = "l" + std::to_string(k + 1); // no text: a key
            std::size_t behind = 0, wouldTell = 0;
            for (const Group& one : m_groups) {
                const bool isRoot = one.id == root;
                if (!isRoot && (!one.phases[k].tells || !isFedBy(one.id, root, 0))) continue;
                wouldTell += !isRoot;
                if (!one.phases[k].held.stands) continue;
                behind += !isRoot;
                d.symptoms.push_back(ref(one.id));
                d.covers.insert(d.covers.end(), one.group->point.begin(), one.group->point.end());
                if (!isRoot) continue;
                d.sinceMs = one.phases[k].held.sinceMs;
                d.what = i18n("{}: phase L{} lost ({:.0f} A; the other phases carry {:.0f} A)", nameOf(root), k + 1, one.phases[k].amps,
                              one.phases[k].others);
            }
            // Its sensor alone may be bad, and on a strip a phase without load may have lost its loads.
            if (wouldTell < kLeastBehind || 2 * behind < wouldTell) continue;
            if (behind > 0)
                d.what =
                    i18np(std::int64_t(behind), "{1}; {0:L} downstream element also shows it", "{1}; {0:L} downstream elements also show it", d.what);
            std::ranges::sort(d.covers);
            found.emplace(nameOf(root) + ':' + d.element, std::move(d)); // no text: a key
        }
    }
    float m_gone; ///< of the mean of the other two
    std::vector<Group> m_groups;
};

} // namespace

std::unique_ptr<Detector> makeFrequency(const DetectorScene& scene) { return std::make_unique<Frequency>(scene); }
std::unique_ptr<Detector> makeVoltage(const DetectorScene& scene) { return std::make_unique<Voltage>(scene); }
std::unique_ptr<Detector> makePhaseLoss(const DetectorScene& scene) { return std::make_unique<PhaseLoss>(scene); }

} // namespace hw::monitoring
