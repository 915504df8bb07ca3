// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/monitoring/detectors/lost_coolant.h"

#include "core/derived/cooling/chain.h"
#include "core/derived/figures/nodes.h"
#include "core/foundation/model/setting_values.h"
#include "core/operations/bindings/balances.h"
#include "core/operations/monitoring/incident/alarm_texts.h"

#include <algorithm>
#include <cmath>

namespace hw::monitoring {

using bindings::PointNo;

namespace {

constexpr double kStillLost = 0.5;                                        ///< of that, until it is over
constexpr double kBalanceMeanS = 60, kSeldomBalanceMeanS = 600;           ///< over which flows are averaged; where they swing between readings
constexpr std::int64_t kFoundMs = 60'000;                                 ///< that it is over
constexpr double kUsualShareS = 120, kUsualForgetS = 3600, kUsualOff = 2; ///< in which meters show how they differ; times what may be lost
constexpr double kSwingPart = 1.5;                                        ///< of what flows swing by between readings, that their means may be off

class LostCoolant final : public Detector {
public:
    explicit LostCoolant(const DetectorScene& scene)
        : m_chain(scene.figures.get<CoolingChainNode>()), m_bound(scene.bound),
          m_lostShare(shareSetting(*scene.figures.snapshot, "watch.coolant_loss_percent")),
          m_lostLpm(numberSetting(*scene.figures.snapshot, "watch.coolant_loss_lpm")),
          m_holdMs(msSetting(*scene.figures.snapshot, "watch.coolant_loss_s"))
    {
        for (auto& relation : bindings::balances::allOf(scene.figures, scene.bound).relations) {
            if (relation.kind != bindings::balances::Relation::Kind::Split || relation.loop < 0) continue;
            if (m_chain.loops[std::size_t(relation.loop)].kind != LoopKind::Liquid) continue; // facility water has bypasses
            m_loops.push_back({relation.loop, std::move(relation.points), relation.first});
        }
    }

    std::map<std::string, Detection> second(std::int64_t atMs, const Readings& readings) override
    {
        std::map<std::string, Detection> found;
        for (Loop& loop : m_loops) {
            look(loop, atMs, readings);
            if (!loop.stands) continue;
            const std::string& name = m_chain.loops[std::size_t(loop.loop)].name;
            Detection d;
            d.entity = m_bound.points[loop.points.front()].entity, d.sinceMs = loop.sinceMs, d.covers = loop.points;
            for (std::size_t i = 0; i < loop.first; ++i) d.symptoms.push_back(m_bound.points[loop.points[i]].entity);
            std::ranges::sort(d.covers);
            d.what = i18n("{}: {} supplied, {} received: check for a leak or an open bypass", name,
                          valueText(bindings::Measure::Flow, float(loop.supplied)), valueText(bindings::Measure::Flow, float(loop.received)));
            found.emplace(name, std::move(d));
        }
        return found;
    }

private:
    struct Loop {
        std::int32_t loop = -1;
        std::vector<PointNo> points{}; ///< flows into it, then those out of it
        std::size_t first = 0;
        double supplied = 0, received = 0, meanS = 0; ///< averaged over so long
        double usual = 0, usualS = 0;                 ///< of what is supplied, that meters differ by
        std::int64_t lastMs = -1, sinceMs = -1, goneMs = -1;
        bool stands = false;
    };

    void look(Loop& loop, std::int64_t atMs, const Readings& readings) const
    {
        const double seconds = loop.lastMs < 0 ? 1 : std::clamp(double(atMs - loop.lastMs) / 1000, 0.0, 60.0);
        loop.lastMs = atMs;
        double in = 0, out = 0, squares = 0;
        bool seldom = false;
        for (std::size_t i = 0; i < loop.points.size(); ++i) {
            const PointNo p = loop.points[i];
            const double flow = double(readingOf(readings, p, atMs)), swing = double(readings.swing[p]) * flow;
            (i < loop.first ? in : out) += flow;
            squares += swing * swing, seldom = seldom || readings.swing[p] > 0;
        }
        if (std::isnan(in + out + squares) || !(in > m_lostLpm)) { // a meter has no reading, or is bad
            loop.meanS = 0, loop.sinceMs = loop.stands ? loop.sinceMs : -1;
            return;
        }
        const double over = seldom ? kSeldomBalanceMeanS : kBalanceMeanS;
        loop.meanS += seconds;
        const double part = std::min(1.0, seconds / std::min(loop.meanS, over));
        loop.supplied += (in - loop.supplied) * part, loop.received += (out - loop.received) * part;
        if (loop.meanS < over / 2) return;
        const double off = (loop.supplied - loop.received) / loop.supplied, least = std::max(m_lostShare, m_lostLpm / loop.supplied),
                     may = least + kSwingPart * std::sqrt(squares) / loop.supplied;
        const bool known = loop.usualS >= kUsualShareS;
        if (!known || std::abs(off - loop.usual) < may / 2) { // how meters differ
            loop.usualS += seconds;
            loop.usual += (std::clamp(off, -kUsualOff * least, kUsualOff * least) - loop.usual) *
                          std::min(1.0, seconds / (known ? kUsualForgetS : loop.usualS));
        }
        if (!known) return;
        if (off - loop.usual > may * (loop.stands ? kStillLost : 1)) {
            loop.goneMs = -1;
            if (loop.sinceMs < 0) loop.sinceMs = atMs;
            loop.stands = loop.stands || atMs - loop.sinceMs >= m_holdMs;
        } else if (!loop.stands) {
            loop.sinceMs = -1;
        } else {
            if (loop.goneMs < 0) loop.goneMs = atMs;
            if (atMs - loop.goneMs >= kFoundMs) loop.stands = false, loop.sinceMs = loop.goneMs = -1;
        }
    }

    const CoolingChain& m_chain;
    const bindings::Bound& m_bound;
    double m_lostShare, m_lostLpm; ///< more than before, of what is supplied
    std::int64_t m_holdMs;         ///< longer than a bad meter stays unknown
    std::vector<Loop> m_loops;
};

} // namespace

std::unique_ptr<Detector> makeLostCoolant(const DetectorScene& scene) { return std::make_unique<LostCoolant>(scene); }

} // namespace hw::monitoring
