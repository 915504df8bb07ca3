// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/impact/impact_output.h"
#include "tests/impact/heat_hall.h"

#include <QTest>

#include <cmath>

#include <nlohmann/json.hpp>

using namespace hw;
using namespace hw::impact;

namespace {

ModelPtr modelOf(const Snapshot& s) { return Model::of(computeFigures(std::make_shared<const Snapshot>(s)).value()).value(); }

std::vector<Failing> devices(const std::vector<DeviceId>& ids)
{
    std::vector<Failing> out;
    for (const DeviceId id : ids) out.push_back({ref(id), -1, -1});
    return out;
}

/// A design, its chain, and what fails in it.
struct Case {
    explicit Case(HeatHall& hall) : model(modelOf(hall.s)), study(model) {}

    Effect lose(const std::vector<DeviceId>& ids) { return study.lose(devices(ids)); } ///< a copy: the study has one
    nlohmann::ordered_json json(const std::vector<DeviceId>& ids) { return impactJson(study, devices(ids)); }
    [[nodiscard]] const CoolingLoop& loop(const std::string& name) const { return HeatHall::loopOf(*model->coolant.chain, name); }
    [[nodiscard]] std::uint32_t place(const std::string& name) const { return std::uint32_t(&loop(name) - model->coolant.chain->loops.data()); }
    /// The only spell of a loop.
    [[nodiscard]] const CoolantInterval& spell(const Effect& e, const std::string& name) const
    {
        const CoolantInterval* found = nullptr;
        for (const auto& spell : e.coolant.spells)
            if (spell.loop == place(name)) {
                if (found) throw std::runtime_error("two spells");
                found = &spell;
            }
        if (!found) throw std::runtime_error("no spell");
        return *found;
    }

    ModelPtr model;
    Study study;
};

double afterOf(const nlohmann::ordered_json& json, const std::string& because)
{
    for (const auto& row : json["cascade"])
        if (row["because"].get<std::string>().find(because) != std::string::npos) return row["after_s"].get<double>();
    return -1;
}
bool hasReserve(const nlohmann::ordered_json& json, const std::string& what)
{
    return std::ranges::any_of(json["redundancy_lost"], [&](const auto& row) { return row["what"].template get<std::string>() == what; });
}
bool near(double a, double b, double share = 1e-3) { return std::abs(a - b) <= share * std::max(std::abs(a), std::abs(b)); }

} // namespace

/// 28 cabinets of 112 kW to liquid and 28 kW to air; four CDUs of 1.3 MW, three fan walls of 450 kW, two pumps of facility water, four chillers.
class TestHeat : public QObject {
    Q_OBJECT
private slots:
    /// N+1: nothing is hot, the reserve is gone.
    void oneCduOfFour()
    {
        HeatHall h;
        Case c(h);
        const Effect& e = c.lose({h.cdus[0]});
        QVERIFY(e.hot.empty() && e.coolant.spells.empty());
        QCOMPARE(e.loss.coolingShort.count(), std::int64_t(0));
        QCOMPARE(e.loss.coolingLost.count(), std::int64_t(1'300'000'000));
        QCOMPARE(e.loss.gpusLost.active, std::int64_t(0));
        QCOMPARE(e.loss.redundancyLost, std::int64_t(1));
        const auto json = c.json({h.cdus[0]});
        QVERIFY(hasReserve(json, "hall liquid: N instead of N+1"));
        QVERIFY(json["ride_through_s"].is_null() && json["ride_through_of"].is_null());
        QCOMPARE(json["cascade"].size(), std::size_t(1));
        QCOMPARE(json["cascade"][0]["because"].get<std::string>(), std::string("failed: 1300.0 kW of cooling capacity lost"));
    }

    /// 3.14 MW less what two carry stays in the loop, which warms up as one: all racks get too hot when its coolant is at its limit.
    void twoCdusOfFour()
    {
        HeatHall h;
        Case c(h);
        const Effect& e = c.lose({h.cdus[0], h.cdus[1]});
        const double missing = toWatts(e.loss.coolingShort);
        QVERIFY2(missing > 3'136'000 - 2 * 1'300'000 - 1 && missing < 3'136'000 + 40'000 - 2 * 1'250'000, std::to_string(missing).c_str());
        const double lasts = c.loop("hall liquid").storedJ / missing;
        QCOMPARE(e.hot.size(), std::size_t(28));
        for (const std::int64_t ms : e.hotMs) QVERIFY2(near(double(ms) / 1000, lasts), std::to_string(lasts).c_str());
        QCOMPARE(e.loss.gpusLost.active, std::int64_t(28 * 72));
        const auto json = c.json({h.cdus[0], h.cdus[1]});
        QCOMPARE(json["ride_through_of"].get<std::string>(), std::string("coolant"));
        QVERIFY(near(json["ride_through_s"].get<double>(), lasts));
        QVERIFY(near(json["cooling_short_w"].get<double>(), missing));
        QVERIFY(near(afterOf(json, "28 racks overheated: 2,016 GPUs"), lasts));
        QCOMPARE(afterOf(json, "until 45 °C"), 0.0);
        // Half of the heat short, twice the time: three lost keep about three times as much of it.
        const Effect& three = c.lose({h.cdus[0], h.cdus[1], h.cdus[2]});
        QVERIFY(near(double(three.hotMs[0]) / 1000, c.loop("hall liquid").storedJ / toWatts(three.loss.coolingShort)));
        QVERIFY(toWatts(three.loss.coolingShort) > missing + 1'200'000);
    }

    /// No pump moves the coolant: every cabinet has its own 27 L, 112 kW and 15 K for that.
    void allCdus()
    {
        HeatHall h;
        Case c(h);
        const Effect& e = c.lose(h.cdus);
        const CooledLoad& taker = c.model->coolant.chain->takers.front();
        QCOMPARE(taker.liters, 15.0);
        const double lasts = (taker.liters + 12) * 60 * c.loop("hall liquid").wattsPerLpmK * 15 / 112'000;
        QVERIFY2(lasts > 14 && lasts < 15, std::to_string(lasts).c_str());
        QCOMPARE(e.hot.size(), std::size_t(28));
        QVERIFY(near(double(e.hotMs[0]) / 1000, lasts));
        const CoolantInterval& spell = c.spell(e, "hall liquid");
        QVERIFY(spell.stands);
        QCOMPARE(spell.cabinets, std::int64_t(28));
        QCOMPARE(spell.heat.count(), std::int64_t(28) * 112'000'000);
        // What states no liters lasts by the margin of planners, a setting.
        h.change("c-cabinet", "  liters: {value: 15, unit: \"L\", source: t, confidence: A}\n", "");
        h.change("c-manifold", "  liters: {value: 12, unit: \"L\", source: t, confidence: A}\n", "");
        Case bare(h);
        QCOMPARE(bare.lose(h.cdus).hotMs[0], std::int64_t(15'000));
        h.s.putSetting("impact.cabinet_margin_s", "4");
        Case less(h);
        QCOMPARE(less.lose(h.cdus).hotMs[0], std::int64_t(4'000));
    }

    /// A header takes its racks along, and the CDUs behind it; the other row is left with two CDUs for 1.57 MW.
    void aHeader()
    {
        HeatHall h;
        Case c(h);
        const Effect& e = c.lose({h.headers[0]});
        QCOMPARE(e.hot.size(), std::size_t(14));
        for (std::size_t i = 0; i < h.cabinets.size(); ++i) QCOMPARE(std::ranges::binary_search(e.hot, h.cabinets[i]), i % 2 == 0);
        QCOMPARE(c.spell(e, "hall liquid").cabinets, std::int64_t(14));
        QCOMPARE(e.loss.coolingShort.count(), std::int64_t(14) * 112'000'000);
    }

    /// A link that fails is its valve shut: of two hoses one is enough, both are one rack.
    void hoses()
    {
        HeatHall h;
        Case c(h);
        std::vector<Failing> shut;
        h.s.links.forEach([&](LinkId id) {
            if (h.s.ports.device[h.s.links.from[id]] == h.manifolds[3]) shut.push_back({ref(id), -1, -1});
        });
        QCOMPARE(shut.size(), std::size_t(2));
        QVERIFY(c.study.lose(shut[0]).hot.empty());
        const Effect& e = c.study.lose(shut);
        QCOMPARE(e.hot, std::vector<DeviceId>{h.cabinets[3]});
        const auto json = impactJson(c.study, shut);
        QCOMPARE(json["cascade"][0]["because"].get<std::string>(), std::string("failed: shut off"));
        QCOMPARE(json["gpus_lost"].get<int>(), 72);
        // Its manifold alike; the joint of the headers costs nothing.
        QCOMPARE(c.lose({h.manifolds[3]}).hot, std::vector<DeviceId>{h.cabinets[3]});
        QVERIFY(c.study.lose(Failing{ref(h.joint), -1, -1}).hot.empty());
    }

    /// One of two pumps in a CDU is spare; both are the CDU.
    void pumpsInside()
    {
        HeatHall h;
        Case c(h);
        const auto pump = [&](const std::string& name) { return findFailing(*c.model, name).value(); };
        const auto json = impactJson(c.study, std::array{pump("cdu1:pump1")});
        QCOMPARE(json["failed"][0].get<std::string>(), std::string("cdu1:pump1"));
        QVERIFY(hasReserve(json, "1 of 2 internal pumps left"));
        QCOMPARE(json["cooling_lost_w"].get<double>(), 0.0);
        const auto both = impactJson(c.study, std::array{pump("cdu1:pump1"), pump("cdu1:pump2")});
        QCOMPARE(both["cooling_lost_w"].get<double>(), 1'300'000.0);
        QVERIFY(hasReserve(both, "hall liquid: N instead of N+1"));
        const std::array with{pump("cdu1:pump1"), pump("cdu1:pump2"), pump("cdu2")};
        const auto short_ = c.lose({h.cdus[0], h.cdus[1]}).loss.coolingShort;
        QVERIFY(c.study.lose(with).loss.coolingShort == short_);
        QVERIFY(!findFailing(*c.model, "cdu1:pump3") && !findFailing(*c.model, "fan1:pump1"));
        h.change("c-cdu", "  spares: 1\n", "");
        Case none(h);
        QCOMPARE(none.study.lose(pump("cdu1:pump1")).loss.coolingLost.count(), std::int64_t(1'300'000'000));
    }

    /// Facility water that stands does not help; when only the chillers are out, its liters do.
    void facilityPumpsAndChillers()
    {
        HeatHall h;
        Case c(h);
        const Effect& pumps = c.lose(h.pumps);
        const double own = c.loop("hall liquid").storedJ;
        const CoolantInterval still = c.spell(pumps, "hall liquid");
        QVERIFY(!still.stands);
        QVERIFY(near(double(still.lastsMs) / 1000, own / toWatts(still.heat)));
        QVERIFY(c.lose({h.pumps[0]}).coolant.spells.empty());
        const Effect& chillers = c.lose(h.chillers);
        const CoolantInterval warm = c.spell(chillers, "hall liquid");
        const CoolingLoop& water = c.loop("hall facility"); // its air bears 10 K, coolant 15 K
        QCOMPARE(water.limitK, 10.0);
        const double perKelvin = own / 15 + water.storedJ / 10;
        QVERIFY(near(double(warm.lastsMs) / 1000, 15 * perKelvin / water.heatW));
        QVERIFY(near(double(c.spell(chillers, "hall air").lastsMs) / 1000, 10 * perKelvin / water.heatW));
        QVERIFY(near(water.rideThroughS, 10 * perKelvin / water.heatW));
        QVERIFY(warm.lastsMs > still.lastsMs);
        QCOMPARE(chillers.hot.size(), std::size_t(28));
    }

    /// Two of three fan walls: 450 kW of 784 kW go, the air lasts 120 s at all of its heat.
    void fanWallsBeyondTheSpare()
    {
        HeatHall h;
        Case c(h);
        QVERIFY(c.lose({h.fans[0]}).hot.empty());
        const Effect& e = c.lose({h.fans[0], h.fans[1]});
        const CoolantInterval& spell = c.spell(e, "hall air");
        QVERIFY(near(double(spell.lastsMs) / 1000, 120 * c.loop("hall air").heatW / toWatts(spell.heat)));
        QCOMPARE(e.hot.size(), std::size_t(28));
        const auto json = c.json({h.fans[0], h.fans[1]});
        QCOMPARE(json["ride_through_of"].get<std::string>(), std::string("air"));
        QCOMPARE(afterOf(json, "until 35 °C"), 0.0);
        h.s.putSetting("impact.air_margin_s", "0"); // the volume of air alone
        Case volume(h);
        QVERIFY(near(double(volume.spell(volume.lose({h.fans[0], h.fans[1]}), "hall air").lastsMs) / 1000,
                     volume.loop("hall air").storedJ / toWatts(spell.heat)));
    }

    /// Utility lost: all rides on battery and generator, the chillers start again after 600 s; the water warms up meanwhile.
    void utilityLost()
    {
        HeatHall h;
        Case c(h);
        const Effect& e = c.lose({h.utility});
        QVERIFY(e.dark.empty());
        QCOMPARE(e.coolant.restarts.size(), std::size_t(4));
        QCOMPARE(e.coolant.restarts[0].toMs, std::int64_t(10'000));
        QCOMPARE(e.coolant.restarts[0].readyMs, std::int64_t(610'000));
        const CoolantInterval& spell = c.spell(e, "hall air");
        QVERIFY(spell.lastsMs < 610'000 && spell.lastsMs < c.spell(e, "hall liquid").lastsMs);
        QCOMPARE(e.loss.gpusLost.active, std::int64_t(28 * 72));
        QCOMPARE(e.hotMs[0], spell.lastsMs);
        const auto json = c.json({h.utility});
        QCOMPARE(json["ride_through_of"].get<std::string>(), std::string("air"));
        QCOMPARE(afterOf(json, "4 cooling units without power for 10 s, full capacity restored 10.0 min later: 6000.0 kW of cooling lost until then"),
                 0.0);
        // Chillers that are back in time: nothing is lost, and by how much.
        h.change("c-chiller", "restart: {value: 600", "restart: {value: 20");
        Case quick(h);
        const Effect& kept = quick.lose({h.utility});
        QVERIFY(kept.hot.empty());
        QCOMPARE(kept.loss.gpusLost.active, std::int64_t(0));
        const CoolantInterval& back = quick.spell(kept, "hall liquid");
        QCOMPARE(back.toMs, std::int64_t(30'000));
        QVERIFY(std::abs(back.leftMs - (back.lastsMs - 30'000)) <= 1);
        QCOMPARE(afterOf(quick.json({h.utility}), "full heat removal of hall liquid restored"), 30.0);
        // Of chillers that state nothing: a setting.
        h.change("c-chiller", "  restart: {value: 20, unit: \"s\", source: t, confidence: A}\n", "");
        Case planned(h);
        QCOMPARE(planned.lose({h.utility}).coolant.restarts[0].readyMs, std::int64_t(610'000));
        h.s.putSetting("impact.chiller_restart_s", "0");
        Case none(h);
        QVERIFY(none.lose({h.utility}).coolant.restarts.empty());
    }

    /// Pumps without UPS stand until the generator runs: 10 s are less than what a cabinet holds, 20 s are more.
    void pumpsWithoutUps()
    {
        HeatHall h({}, false);
        h.change("c-chiller", "restart: {value: 600", "restart: {value: 1");
        Case c(h);
        const Effect& e = c.lose({h.utility});
        QVERIFY(e.hot.empty());
        const auto stood = std::ranges::find_if(e.coolant.spells, [](const auto& spell) { return spell.stands; });
        QVERIFY(stood != e.coolant.spells.end());
        QCOMPARE(stood->toMs, std::int64_t(10'000));
        QVERIFY(std::abs(stood->leftMs - (stood->lastsMs - 10'000)) <= 1);
        QCOMPARE(afterOf(c.json({h.utility}), "coolant flow through all cabinets of hall liquid restored"), 10.0);
        h.s.putSetting("impact.generator_start_s", "20");
        Case late(h);
        const Effect& lost = late.lose({h.utility});
        QCOMPARE(lost.loss.gpusLost.active, std::int64_t(28 * 72));
        QCOMPARE(lost.hotMs[0], lost.coolant.spells.front().lastsMs);
    }

    /// A battery that empties before a generator is there: pumps stop then, and the cabinets' time counts from there.
    void afterTheBattery()
    {
        HeatHall h;
        h.change("h-ups", "value: 500,", "value: 1,");
        Case c(h);
        const Effect& e = c.lose({h.utility, h.generator});
        QVERIFY(e.course.rideThroughMs.has_value());
        QVERIFY(!e.hot.empty());
        const auto stood = std::ranges::find_if(e.coolant.spells, [](const auto& spell) { return spell.stands; });
        QVERIFY(stood != e.coolant.spells.end());
        QVERIFY(std::abs(stood->fromMs - *e.course.rideThroughMs) <= 1);
        QVERIFY(stood->lastsMs < 14'500); // the loop had warmed up without chillers
    }

    /// Pairs that share a loop: two CDUs, a CDU and a pump inside another, a chiller and what feeds the others.
    void pairsOfALoop()
    {
        HeatHall h;
        h.change("c-cdu", "  spares: 1\n", "");
        const DeviceId feed = h.add("feed", h.powerTier, "h-board");
        h.feed(feed, h.utility);
        h.s.links.forEach([&](LinkId id) {
            if (h.s.ports.device[h.s.links.from[id]] == h.chillers[0] && h.s.ports.medium[h.s.links.from[id]] == Medium::Power)
                h.s.ports.device.set(h.s.links.to[id], feed);
        });
        const auto model = modelOf(h.s);
        const auto ranked = rankPairs(model).value();
        QCOMPARE(ranked.untried, std::int64_t(0));
        const auto has = [&](const std::string& a, const std::string& b) {
            return std::ranges::any_of(ranked.pairs, [&](const RankedPair& p) {
                const std::string first = nameOf(*model, p.a), second = nameOf(*model, p.b);
                return (first == a && second == b) || (first == b && second == a);
            });
        };
        QVERIFY(has("cdu1", "cdu2") && has("cdu3", "cdu4"));
        QVERIFY(has("cdu1", "cdu2:pump1"));
        QVERIFY(has("pump1", "pump2"));
        QVERIFY(has("chiller2", "feed"));
        QVERIFY(has("fan1", "fan2"));
        QVERIFY(!has("cdu1", "fan1"));
        const auto singles = rankSingles(model).value();
        QVERIFY(std::ranges::any_of(singles, [&](const Ranked& r) { return nameOf(*model, r.element) == "cdu1:pump2"; }));
    }
};

QTEST_GUILESS_MAIN(TestHeat)
#include "test_heat.moc"
