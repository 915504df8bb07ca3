// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/impact/impact_output.h"
#include "tests/impact/random_plant.h"
#include "tests/impact/slow_clock.h"
#include "tests/rules/power_hall.h"

#include <QTest>

#include <cmath>
#include <random>

#include <nlohmann/json.hpp>

using namespace hw;
using namespace hw::impact;

namespace {

ModelPtr modelOf(const Snapshot& s) { return Model::of(computeFigures(std::make_shared<const Snapshot>(s)).value()).value(); }

std::vector<Failing> devices(std::initializer_list<DeviceId> ids)
{
    std::vector<Failing> out;
    for (const DeviceId id : ids) out.push_back({ref(id), -1, -1});
    return out;
}

/// Both sides without their utilities.
std::vector<Failing> noUtility(const PowerHall& d) { return devices({d.utility[0], d.utility[1]}); }

double afterOf(const nlohmann::ordered_json& json, const std::string& entity, const std::string& because)
{
    for (const auto& row : json["cascade"])
        if (row["entity"] == entity && row["because"].get<std::string>().find(because) != std::string::npos) return row["after_s"].get<double>();
    return -1;
}

} // namespace

/// The hall of the power rules: 10 kW in all, 5 kW a side, a battery of 2 kWh on each.
class TestCourse : public QObject {
    Q_OBJECT
private slots:
    /// A failure played through with differences is the one with the whole network computed again at every moment.
    void coursesEqualComputingAllAnew()
    {
        std::mt19937 random(11);
        int timed = 0, tripped = 0, emptied = 0, changedOver = 0, gaps = 0, late = 0, several = 0, weak = 0, poles = 0;
        for (unsigned seed = 0; seed < 120; ++seed) {
            const auto model = modelOf(test::randomPlant(seed));
            const Snapshot& s = *model->s;
            std::vector<DeviceId> plant;
            s.devices.forEach([&](DeviceId id) {
                if (s.tiers.kind[s.devices.tier[id]] == TierKind::Power) plant.push_back(id);
            });
            Study study(model);
            for (int round = 0; round < 10; ++round) {
                std::vector<Failing> failing;
                for (unsigned k = 1 + random() % 3; k-- > 0;) failing.push_back({ref(plant[random() % plant.size()]), -1, -1});
                const Effect& e = study.lose(failing);
                const test::SlowCourse expected = test::playThrough(*model, failedBy(*model, failing));
                const auto where = QStringLiteral("seed %1, round %2").arg(seed).arg(round);
                std::set<std::tuple<DeviceId, std::int64_t, std::int64_t>> spells;
                for (const auto& gap : e.course.gaps) spells.emplace(DeviceId(gap.device), gap.fromMs, gap.toMs);
                std::multiset<std::tuple<std::int64_t, int, DeviceId>> happenings;
                for (const auto& h : e.course.happenings) happenings.emplace(h.ms, int(h.what), DeviceId(h.device));
                QVERIFY2(happenings == expected.happenings, qPrintable(where));
                QVERIFY2(std::set(e.tripped.begin(), e.tripped.end()) == expected.tripped, qPrintable(where));
                QVERIFY2(spells == expected.gaps, qPrintable(where));
                QVERIFY2(e.course.rideThroughMs == expected.rideThrough, qPrintable(where));
                for (std::size_t i = 0; i < e.dark.size(); ++i)
                    if (expected.darkSince.contains(e.dark[i])) QVERIFY2(e.darkMs[i] == expected.darkSince.at(e.dark[i]), qPrintable(where));
                for (const auto& [id, since] : expected.darkSince) QVERIFY2(std::ranges::binary_search(e.dark, id), qPrintable(where));
                timed += !happenings.empty(), tripped += !expected.tripped.empty(), gaps += !spells.empty();
                several += expected.tripped.size() > 1;
                for (const auto& h : e.course.happenings)
                    emptied += h.what == CascadeEvent::What::BatteryEmpty, changedOver += h.what == CascadeEvent::What::ChangedOver,
                        weak += h.what == CascadeEvent::What::BatteryTripped, poles += h.what == CascadeEvent::What::PhaseTripped;
                for (const std::int64_t ms : e.darkMs) late += ms > 0;
            }
        }
        for (const int seen : {timed, tripped, emptied, changedOver, gaps, late, several, weak, poles}) QVERIFY(seen > 10);
    }

    /// Generators take over within what the batteries give: nothing is dark, nothing starts again.
    void utilityLossWithGenerators()
    {
        PowerHall d;
        const auto model = modelOf(d.s);
        Study study(model);
        const Effect& e = study.lose(noUtility(d));
        QCOMPARE(e.loss.devicesDark, 0);
        QCOMPARE(e.loss.devicesInterrupted, 0);
        QVERIFY(std::abs(double(*e.course.rideThroughMs) - 2 * 3'600'000 * 0.8 * 0.95 * 0.975 / 5) < 5); // 17.8 min; a milliwatt more here and there
        const auto json = impactJson(study, noUtility(d));
        QCOMPARE(afterOf(json, "generator-a", "running, carrying 5.0 kW"), 10.0);
        QCOMPARE(afterOf(json, "ups-a", "on battery, carrying 5.0 kW; battery autonomy 17.8 min"), 0.0);
        QVERIFY(std::abs(json["ride_through_s"].get<double>() - 1067.04) < 0.005);
        QCOMPARE(json["hosts_interrupted"].get<int>(), 0);
        d.s.putSetting("impact.generator_start_s", "30");
        Study later(modelOf(d.s));
        QCOMPARE(afterOf(impactJson(later, noUtility(d)), "generator-b", "running, carrying 5.0 kW"), 30.0);
    }

    /// Without generators all is dark when the batteries are empty.
    void utilityLossWithoutGenerators()
    {
        PowerHall d;
        for (const DeviceId id : d.generator) d.s.devices.tier.set(id, d.powerTier);
        auto failing = noUtility(d);
        for (const Failing& f : devices({d.generator[0], d.generator[1]})) failing.push_back(f);
        Study study(modelOf(d.s));
        const Effect& e = study.lose(failing);
        QCOMPARE(e.loss.hostsLost.active + e.loss.hostsLost.backup, 4);
        const auto host = std::ranges::find(e.dark, d.hosts[0]) - e.dark.begin();
        QVERIFY(std::abs(double(e.darkMs[std::size_t(host)]) - 1'067'040) < 5);
        // At once without batteries.
        d.change("t-ups", ", battery: {value: 2, unit: kWh, source: t, confidence: A}", "");
        Study bare(modelOf(d.s));
        const Effect& now = bare.lose(failing);
        QCOMPARE(now.loss.hostsLost.active + now.loss.hostsLost.backup, 4);
        for (const std::int64_t ms : now.darkMs) QCOMPARE(ms, std::int64_t(0));
        QVERIFY(!now.course.rideThroughMs);
    }

    /// A battery that does not last until the generators run: hosts start again. One side's is enough for nothing to happen.
    void batteriesThatAreTooSmall()
    {
        PowerHall d;
        d.change("t-ups", "value: 2, unit: kWh", "value: 0.01, unit: kWh"); // 5.3 s
        Study study(modelOf(d.s));
        const Effect& both = study.lose(noUtility(d));
        QCOMPARE(both.loss.hostsLost.active, 0);
        QCOMPARE(both.loss.hostsInterrupted.active + both.loss.hostsInterrupted.backup, 4);
        QCOMPARE(both.gaps.front().fromMs, std::int64_t(5'336)); // 10 Wh x 0.8 x 0.95 x 0.975 / 5 kW, rounded up
        QCOMPARE(both.gaps.front().toMs, std::int64_t(10'000));
        const Effect& one = study.lose(devices({d.utility[0]}));
        QCOMPARE(one.loss.devicesInterrupted, 0);
        QVERIFY(one.loss.redundancyLost > 0);
    }

    /// Side B is left with 10 kW. Its busway of 4.8 kW all the time stands behind a breaker of 6 kW, 9.2 A: at 1.667 In curve C opens after 72 s at
    /// the earliest, on the logarithmic line from an hour at 1.13 In to a second at 2.55 In.
    void overloadTakesTheOtherSideAlong()
    {
        PowerHall d;
        d.change("t-busway", "value: 60,", "value: 4.8,");
        Study study(modelOf(d.s));
        const double line = std::log(10 / 6.0 / 1.13) / std::log(2.55 / 1.13), earliest = 3600 * std::pow(1 / 3600.0, line);
        QVERIFY(std::abs(earliest - 72.1) < 0.1);
        const Effect& e = study.lose(devices({d.busway[0]}));
        QCOMPARE(e.tripped, std::vector<DeviceId>{d.busway[1]});
        QCOMPARE(e.loss.hostsLost.active, 3);
        QVERIFY(std::abs(double(e.course.endMs) - 1000 * earliest) < 2); // a milliwatt more here and there
        const auto json = impactJson(study, devices({d.busway[0]}));
        QCOMPARE(json["tripped"][0].get<std::string>(), std::string("busway-b"));
        QVERIFY(std::abs(afterOf(json, "busway-b", "trips on overload: 10.0 kW, rated 6.0 kW") - earliest) < 0.01);
        QCOMPARE(json["elements_tripped"].get<int>(), 1);
        QVERIFY(impactText(study, devices({d.busway[0]})).find("IEC 60898-1 curve C") != std::string::npos);
        for (const auto& [key, value] : {std::pair("impact.trips", "off"), std::pair("impact.trip_percent", "200")}) {
            PowerHall off;
            off.change("t-busway", "value: 60,", "value: 4.8,");
            off.s.putSetting(key, value);
            Study quiet(modelOf(off.s));
            QCOMPARE(quiet.lose(devices({off.busway[0]})).loss.hostsLost.active, 0);
        }
    }

    /// The latest bound; and a breaker that is left with its rated current carries it for good, though that is more than 80 % of it.
    void boundsAndWhatABreakerCarries()
    {
        PowerHall d;
        d.change("t-busway", "value: 60,", "value: 4.8,");
        d.s.putSetting("impact.trip_bound", "latest");
        Study late(modelOf(d.s));
        const double line = std::log(10 / 6.0 / 1.45) / std::log(2.55 / 1.45); // from an hour to 60 s
        QVERIFY(std::abs(double(late.lose(devices({d.busway[0]})).course.endMs) / (1000 * 3600 * std::pow(60 / 3600.0, line)) - 1) < 1e-4);
        for (const char* most : {"value: 8,", "value: 7.09,"}) { // 10 kW are 1.0 In, 1.128 In
            PowerHall full;
            full.change("t-busway", "value: 60,", most);
            Study study(modelOf(full.s));
            QVERIFY(study.lose(devices({full.busway[0]})).tripped.empty());
        }
        PowerHall over; // 1.135 In
        over.change("t-busway", "value: 60,", "value: 7.05,");
        Study study(modelOf(over.s));
        QCOMPARE(study.lose(devices({over.busway[0]})).tripped, std::vector<DeviceId>{over.busway[1]});
    }

    /// Of overloaded elements in line the one nearest to the loads trips, and so saves those above it.
    void theNearestToTheLoadsTrips()
    {
        PowerHall d;
        d.change("t-busway", "value: 60,", "value: 4.8,");
        d.change("t-board", "value: 50", "value: 4.8");
        Study study(modelOf(d.s));
        QCOMPARE(study.lose(devices({d.busway[0]})).tripped, std::vector<DeviceId>{d.busway[1]});
    }

    /// All strips of side B depend on L1: of its 16 kW a busway is rated for 5.33 kW on a phase, and is left with 10 kW there, 1.875 times as much.
    void onePhaseIsEnoughToTrip()
    {
        PowerHall d;
        d.change("t-busway", "value: 60,", "value: 12.8,");
        Study even(modelOf(d.s));
        QVERIFY(even.lose(devices({d.busway[0]})).tripped.empty());
        for (const auto& links : d.stripLinks) d.s.links.phase.set(links[1], PhaseChoice::L1);
        Study study(modelOf(d.s));
        QCOMPARE(study.lose(devices({d.busway[0]})).tripped, std::vector<DeviceId>{d.busway[1]});
        const double after =
            afterOf(impactJson(study, devices({d.busway[0]})), "busway-b", "trips on overload: 10.0 kW on L1, rated 5.3 kW per phase");
        QVERIFY2(std::abs(after - 22.07) < 0.02, std::to_string(after).c_str());
        QVERIFY(study.lose(devices({d.busway[1]})).tripped.empty()); // A is even
    }

    /// Half a kilowatt hour would last four minutes, but gives 3 kW at most: it cuts out under 5 kW.
    void aBatteryGivesOnlySoMuch()
    {
        PowerHall d;
        d.change("t-ups", "value: 2, unit: kWh", "value: 0.5, unit: kWh");
        auto failing = noUtility(d);
        for (const Failing& f : devices({d.generator[0], d.generator[1]})) failing.push_back(f);
        Study study(modelOf(d.s));
        const Effect& e = study.lose(failing);
        QCOMPARE(e.loss.hostsLost.active + e.loss.hostsLost.backup, 4);
        const auto host = std::ranges::find(e.dark, d.hosts[0]) - e.dark.begin();
        QCOMPARE(e.darkMs[std::size_t(host)], std::int64_t(60'000));
        QCOMPARE(afterOf(impactJson(study, failing), "ups-a", "battery cut-out: 5.0 kW load exceeds 3.0 kW continuous rating"), 60.0);
        d.s.putSetting("power.battery_kw_per_kwh", "0");
        Study unlimited(modelOf(d.s));
        const Effect& later = unlimited.lose(failing);
        const auto then = std::ranges::find(later.dark, d.hosts[0]) - later.dark.begin();
        QVERIFY(std::abs(double(later.darkMs[std::size_t(then)]) - 0.5 * 3'600'000 * 0.8 * 0.95 * 0.975 / 5) < 5);
    }

    /// What is too much already without a failure does not trip because of one.
    void whatWasOverloadedBeforeHolds()
    {
        PowerHall d;
        d.change("t-busway", "value: 60,", "value: 3,");
        Study study(modelOf(d.s));
        QVERIFY(study.lose(devices({d.busway[0]})).tripped.empty());
    }
};

QTEST_GUILESS_MAIN(TestCourse)
#include "test_course.moc"
