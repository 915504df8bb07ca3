// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest> // first: moc reads the others on its own

#include "core/derived/impact/study.h"
#include "simulation/emulation/thermal.h"
#include "tests/emulation/pod.h"

#include <algorithm>
#include <cmath>
#include <random>

using namespace hw;
using namespace hw::emulation;

namespace {

/// A hall of NVL72 racks whose chillers are cooled by water, behind pumps, headers and towers.
impact::ModelPtr condenserHall()
{
    static const auto catalog = Catalog::load(HW_RESOURCES "/catalog").value();
    const auto design =
        Template::parse(
            "template: t\nextends: nvl72\nlayout: {headers: single, cdu_rejector: none, chiller: chiller-water-1500kw, valve: valve-dn150}\n",
            "t.yaml", HW_RESOURCES "/templates")
            .value();
    Snapshot s(*instantiate(design, design.complete({{"segments", "4"}}).value(), catalog).value());
    s.putSetting("impact.trips", "off");
    return impact::Model::of(computeFigures(std::make_shared<const Snapshot>(std::move(s))).value()).value();
}

/// Heat that loops and cabinets keep in the first moment: of the hall that is emulated at design load, and of a failure.
struct Kept {
    std::vector<double> loops, cabinets; ///< W, by loop of cabinets or air, by taker
};

Kept emulated(const impact::Model& m, const std::vector<DeviceId>& lost, const std::vector<LinkId>& shut)
{
    Thermal thermal(m);
    const std::vector<double> share(m.s->devices.nextId(), 1);
    const std::vector<char> powered(m.s->devices.nextId(), 1);
    std::vector<HallEvent> happenings;
    thermal.lose(lost, shut);
    thermal.advance(1000, share, powered, happenings);
    Kept kept;
    for (std::size_t l = 0; l < thermal.loops().size(); ++l)
        kept.loops.push_back(thermal.chain().loops[l].kind == LoopKind::Facility ? 0 : thermal.loops()[l].storedJ);
    for (const auto& taker : thermal.takers()) kept.cabinets.push_back(taker.storedJ);
    return kept;
}

Kept failed(const impact::Model& m, impact::Study& study, const std::vector<DeviceId>& lost, const std::vector<LinkId>& shut)
{
    std::vector<impact::Failing> failing;
    for (const DeviceId id : lost) failing.push_back({ref(id), -1, -1});
    for (const LinkId id : shut) failing.push_back({ref(id), -1, -1});
    Kept kept{std::vector<double>(m.coolant.loops.size(), 0), {}};
    for (const auto& spell : study.lose(failing).coolant.spells)
        if (!spell.stands && spell.fromMs == 0 && spell.lastsMs > 0)
            kept.loops[spell.loop] = double(m.coolant.loops[spell.loop].most) * 1e-6 / (double(spell.lastsMs) / 1000);
    return kept;
}

} // namespace

class TestKeptHeat : public QObject {
    Q_OBJECT
private slots:
    /// The emulated loops warm up by the heat of those of their own pumps that run, too, and by nothing else. Random losses of chillers, towers,
    /// pumps, headers, CDUs, fan walls and shut pipes before and behind the chillers.
    void emulatorAndImpactAgree()
    {
        const auto model = condenserHall();
        const impact::Model& m = *model;
        impact::Study study(model);
        const CoolingChain& chain = *m.coolant.chain;
        std::vector<DeviceId> units, behind;
        for (const CoolingUnit& unit : chain.units) {
            if (unit.element == CoolingElement::Manifold) continue;
            const std::int32_t in = unit.feeds >= 0 ? unit.feeds : unit.takes;
            units.push_back(unit.device);
            if (in >= 0 && m.coolant.flow.condenser[std::size_t(in)]) behind.push_back(unit.device);
        }
        std::vector<LinkId> ways;
        for (const auto& [link, loop] : m.coolant.flow.ways)
            if (chain.loops[loop].kind == LoopKind::Facility) ways.push_back(link);
        QVERIFY(behind.size() > 5 && ways.size() > 10);
        std::mt19937 random(11);
        int warm = 0, ofCondenser = 0;
        for (int round = 0; round < 120; ++round) {
            std::vector<DeviceId> lost;
            std::vector<LinkId> shut;
            const auto& from = round % 2 ? behind : units;
            for (unsigned n = 1 + random() % 8; n-- > 0;) lost.push_back(from[random() % from.size()]);
            for (unsigned n = random() % 4; n-- > 0;) shut.push_back(ways[random() % ways.size()]);
            std::ranges::sort(lost), std::ranges::sort(shut);
            lost.erase(std::unique(lost.begin(), lost.end()), lost.end()), shut.erase(std::unique(shut.begin(), shut.end()), shut.end());
            const Kept here = emulated(m, lost, shut), there = failed(m, study, lost, shut);
            for (std::size_t l = 0; l < here.loops.size(); ++l) {
                double pumps = 0; // W
                for (const CoolingUnit& unit : chain.units)
                    if (unit.element == CoolingElement::Cdu && unit.feeds == std::int32_t(l) && !std::ranges::binary_search(lost, unit.device))
                        pumps += unit.ownW;
                const double more = here.loops[l] - there.loops[l], rounded = 1e-3 * there.loops[l] + 5;
                QVERIFY2(more >= -rounded && more <= pumps + rounded,
                         (chain.loops[l].name + " round " + std::to_string(round) + ": " + std::to_string(here.loops[l]) + " emulated, " +
                          std::to_string(there.loops[l]) + " foretold")
                             .c_str());
                warm += here.loops[l] > 5, ofCondenser += round % 2 && here.loops[l] > 5;
            }
        }
        QVERIFY2(warm > 40 && ofCondenser > 15, (std::to_string(warm) + " " + std::to_string(ofCondenser)).c_str());
    }
};

QTEST_GUILESS_MAIN(TestKeptHeat)
#include "test_kept_heat.moc"
