// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "core/derived/cooling/chain.h"
#include "core/derived/figures/nodes.h"
#include "core/foundation/catalog/entity.h"
#include "core/foundation/model/places.h"
#include "core/operations/bindings/balances.h"
#include "core/operations/bindings/plausibility.h"
#include "tests/bindings/desk.h"

#include <cmath>
#include <deque>
#include <functional>
#include <random>
#include <set>

using namespace hw;
using namespace hw::bindings;
using hw::test::BoundDesk;
using Kind = ImplausibleSensor::Kind;

namespace {

/// Sensors at points of a design, and what they say second by second.
struct Hall {
    FiguresPtr figures;
    std::shared_ptr<Bound> bound = std::make_shared<Bound>();
    std::vector<double> values;
    std::mt19937 random{3};
    std::int64_t nowMs = 10'000'000, skewMs = 0; ///< skew: of the sources' clock
    bool oneByOne = false;
    std::unique_ptr<Plausibility> judge;

    explicit Hall(FiguresPtr design, std::vector<bindings::Point> points) : figures(std::move(design))
    {
        std::ranges::sort(points);
        bound->points = std::move(points);
        values.assign(bound->points.size(), std::nan(""));
        judge = std::make_unique<Plausibility>(figures, bound);
    }
    [[nodiscard]] PointNo at(EntityRef entity, Measure measure, const std::string& element = "") const
    {
        return bound->find({entity, measure, element});
    }
    void set(EntityRef entity, Measure measure, double value, const std::string& element = "") { values[at(entity, measure, element)] = value; }

    /// Seconds with noise of ±`share` of each value; `change` may put anything else into them. The doubts at the end.
    std::vector<ImplausibleSensor> run(int seconds, double share, const std::function<void(int, std::vector<double>&)>& change = {})
    {
        std::vector<ImplausibleSensor> doubts;
        for (int second = 0; second < seconds; ++second) {
            nowMs += 1000;
            std::vector<double> said = values;
            for (double& value : said) value *= 1 + share * (double(random() % 2001) / 1000 - 1);
            if (change) change(second, said);
            std::vector<PointSample> samples;
            for (PointNo p = 0; p < said.size(); ++p)
                if (!std::isnan(said[p])) samples.push_back({p, nowMs + skewMs, said[p], true});
            if (oneByOne)
                for (const PointSample& sample : samples) judge->take({&sample, 1});
            else
                judge->take(samples);
            doubts = judge->judge(nowMs);
        }
        return doubts;
    }
};

bool names(const std::vector<ImplausibleSensor>& doubts, Kind kind, PointNo point)
{
    return doubts.size() == 1 && doubts[0].kind == kind && doubts[0].point == point && !doubts[0].what.empty();
}
std::string said(const Hall& hall, const std::vector<ImplausibleSensor>& doubts)
{
    std::string out = std::to_string(doubts.size());
    for (const ImplausibleSensor& d : doubts)
        out += "; " + entityName(*hall.figures->snapshot, *hall.figures->parts, hall.bound->points[d.point].entity) + " " +
               std::string(wordOf(hall.bound->points[d.point].measure)) + " " + words(d.what);
    return out;
}

} // namespace

class PlausibilityTest : public QObject {
    Q_OBJECT

    std::unique_ptr<BoundDesk> m_liquid;
    std::vector<RackId> m_racks; ///< of one loop

    /// Racks of one loop with sensors that agree: 60 kW each, 12 K.
    Hall racks(Measure heat = Measure::Heat)
    {
        std::vector<bindings::Point> points;
        for (const RackId rack : m_racks)
            for (const Measure m : {Measure::Flow, Measure::SupplyTemperature, Measure::ReturnTemperature, heat})
                points.push_back({ref(rack), m, ""});
        Hall hall(m_liquid->figures, points);
        for (const Place& place : places(hall)) {
            hall.values[place.supply] = 30, hall.values[place.back] = 42;
            hall.values[place.flow] = 60'000 / balances::heatOf(place.coolant, 1, 30, 42);
            hall.values[place.heat] = 60'000 / place.share;
        }
        return hall;
    }
    struct Place {
        PointNo flow, supply, back, heat;
        double share;
        bool slow;
        std::string coolant;
    };
    static std::vector<Place> places(const Hall& hall)
    {
        std::vector<Place> out;
        for (const auto& r : balances::allOf(*hall.figures, *hall.bound).relations)
            if (r.kind == balances::Relation::Kind::Heat)
                out.push_back({r.points[0], r.points[1], r.points[2], r.points[3], r.share, r.slow, r.coolant});
        return out;
    }

private slots:
    void initTestCase()
    {
        m_liquid = std::make_unique<BoundDesk>("nvl72");
        const CoolingChain& chain = m_liquid->figures->get<CoolingChainNode>();
        std::map<std::int32_t, std::set<RackId>> loops;
        for (const CooledLoad& taker : chain.takers)
            if (taker.rack && taker.loop >= 0) loops[taker.loop].insert(*taker.rack);
        for (const auto& [loop, racks] : loops)
            if (racks.size() > m_racks.size()) m_racks.assign(racks.begin(), racks.end());
        QVERIFY(m_racks.size() >= 4);
    }

    /// A liter of water a minute takes 69.3 W a kelvin (ρ cp of 4.16 MJ/m³K at 30 °C).
    void heatByHand()
    {
        QVERIFY(std::abs(balances::heatOf("water", 100, 25, 35) - 69'300) < 400);
        QVERIFY(balances::heatOf("pg25", 100, 25, 35) < balances::heatOf("water", 100, 25, 35));
        QVERIFY(balances::heatOf("water", 100, 35, 25) < 0);
    }

    void soundRacks()
    {
        Hall hall = racks();
        const auto doubts = hall.run(120, 0.01);
        QVERIFY2(doubts.empty(), said(hall, doubts).c_str());
    }

    void brokenHeatSensors_data()
    {
        QTest::addColumn<int>("measure");
        QTest::addColumn<double>("factor");
        QTest::newRow("flow half") << int(Measure::Flow) << 0.5;
        QTest::newRow("flow much") << int(Measure::Flow) << 1.7;
        QTest::newRow("supply warm") << int(Measure::SupplyTemperature) << 1.2;
        QTest::newRow("return cold") << int(Measure::ReturnTemperature) << 0.85;
        QTest::newRow("heat high") << int(Measure::Heat) << 1.3;
        QTest::newRow("heat low") << int(Measure::Heat) << 0.6;
    }
    void brokenHeatSensors()
    {
        QFETCH(int, measure);
        QFETCH(double, factor);
        Hall hall = racks();
        const PointNo bad = hall.at(ref(m_racks[1]), Measure(measure));
        QVERIFY(hall.run(30, 0.01).empty());
        const double right = hall.values[bad];
        hall.values[bad] *= factor;
        QVERIFY(hall.run(5, 0.01).empty()); // not before it lasts
        const auto doubts = hall.run(15, 0.01);
        QVERIFY2(names(doubts, Kind::Heat, bad), said(hall, doubts).c_str());
        QVERIFY(std::abs(doubts[0].expected - right) < 0.1 * right);
        QCOMPARE(doubts[0].against.size(), std::size_t(3));
        hall.values[bad] = right;
        QVERIFY(hall.run(3, 0.01).empty()); // and it ends
    }

    /// Against power, which becomes heat with delay: swings of the load are no doubt, a broken flow meter is.
    void heatOfPower()
    {
        Hall hall = racks(Measure::ActivePower);
        const auto all = places(hall);
        QCOMPARE(all.size(), m_racks.size());
        QVERIFY(all[0].slow && all[0].share > 0.3 && all[0].share <= 1);
        const auto swings = [&](int second, std::vector<double>& now) {
            for (const auto& h : all) now[h.heat] *= second / 5 % 2 ? 1.25 : 0.75;
        };
        const auto quiet = hall.run(120, 0.005, swings);
        QVERIFY2(quiet.empty(), said(hall, quiet).c_str());
        hall.values[all[2].flow] *= 0.4;
        const auto doubts = hall.run(180, 0.005, swings);
        QVERIFY2(names(doubts, Kind::Heat, all[2].flow), said(hall, doubts).c_str());
    }

    void oldValuesSayNothing()
    {
        Hall hall = racks();
        const PointNo bad = hall.at(ref(m_racks[0]), Measure::Flow);
        hall.values[bad] *= 0.5;
        QCOMPARE(hall.run(20, 0.01).size(), std::size_t(1));
        hall.values[bad] = std::nan(""); // nothing comes any more
        QVERIFY(hall.run(260, 0.01).empty());
    }

    void impossibleValues()
    {
        Hall hall = racks();
        const PointNo bad = hall.at(ref(m_racks[0]), Measure::ReturnTemperature);
        const auto doubts = hall.run(1, 0.01, [&](int, std::vector<double>& now) { now[bad] = 327.67; });
        QVERIFY2(names(doubts, Kind::Impossible, bad), said(hall, doubts).c_str());
        QVERIFY(hall.run(1, 0.01).empty());
    }

    void stuckSensor()
    {
        Hall hall = racks();
        const PointNo bad = hall.at(ref(m_racks[3]), Measure::SupplyTemperature);
        const auto doubts = hall.run(60, 0.003, [&](int, std::vector<double>& now) { now[bad] = 30.2; });
        QVERIFY2(names(doubts, Kind::Stuck, bad), said(hall, doubts).c_str());
        QVERIFY(hall.run(2, 0.003).empty());
        // A source that speaks on change repeats it seldom.
        const auto seldom = hall.run(60, 0.003, [&](int second, std::vector<double>& now) { now[bad] = second % 25 ? std::nan("") : 30.2; });
        QVERIFY2(names(seldom, Kind::Stuck, bad), said(hall, seldom).c_str());
        // Where nothing moves, nothing is stuck.
        Hall still = racks();
        QVERIFY(still.run(60, 0).empty());
    }

    void jumpingSensor()
    {
        Hall hall = racks();
        const PointNo bad = hall.at(ref(m_racks[2]), Measure::SupplyTemperature);
        QVERIFY(hall.run(60, 0.003).empty());
        const auto leap = [&](int second, std::vector<double>& now) { now[bad] += second % 2 ? 6 : -6; };
        auto doubts = hall.run(12, 0.003, leap);
        std::erase_if(doubts, [](const ImplausibleSensor& d) { return d.kind == Kind::Heat; });
        QVERIFY2(names(doubts, Kind::Jumping, bad), said(hall, doubts).c_str());
        QVERIFY(hall.run(150, 0.003).empty());
        // Now and then is enough.
        doubts = hall.run(80, 0.003, [&](int second, std::vector<double>& now) { now[bad] += second % 10 == 5 ? 9 : 0; });
        QVERIFY2(names(doubts, Kind::Jumping, bad), said(hall, doubts).c_str());
        QVERIFY(hall.run(150, 0.003).empty());
        // One step of all is the load, not a sensor.
        for (double& value : hall.values) value *= 1.15;
        auto after = hall.run(20, 0.003);
        std::erase_if(after, [](const ImplausibleSensor& d) { return d.kind == Kind::Heat; });
        QVERIFY2(after.empty(), said(hall, after).c_str());
        // What leaves a machine swings with its job; only its heat can tell that the sensor is bad.
        Hall other = racks();
        const PointNo warm = other.at(ref(m_racks[2]), Measure::ReturnTemperature);
        QVERIFY(other.run(60, 0.003).empty());
        auto swings = other.run(40, 0.003, [&](int second, std::vector<double>& now) { now[warm] += second % 2 ? 6 : -6; });
        std::erase_if(swings, [](const ImplausibleSensor& d) { return d.kind == Kind::Heat; });
        QVERIFY2(swings.empty(), said(other, swings).c_str());
    }

    /// A large job swings the air of its hall and of no other: none of its sensors leaps by itself.
    void aHallThatSwings()
    {
        const BoundDesk desk("hpn", {{"pods", 8}, {"segments", 1}});
        const Snapshot& s = *desk.figures->snapshot;
        std::vector<bindings::Point> points;
        std::map<HallId, std::vector<EntityRef>> halls;
        s.devices.forEach([&](DeviceId id) {
            const CoolingUnit* unit = desk.figures->get<CoolingChainNode>().unit(id);
            if (!unit || unit->element != CoolingElement::FanWall) return;
            halls[*hallOf(s, id)].push_back(ref(id));
            points.push_back({ref(id), Measure::AirInlet, ""});
        });
        QCOMPARE(halls.size(), std::size_t(8));
        Hall hall(desk.figures, std::move(points));
        for (double& value : hall.values) value = 36;
        const auto& swinging = halls.begin()->second;
        QVERIFY(hall.run(60, 0.002).empty());
        const auto doubts = hall.run(120, 0.002, [&](int second, std::vector<double>& now) {
            for (const EntityRef wall : swinging) now[hall.at(wall, Measure::AirInlet)] += second % 6 < 4 ? 0 : -4;
        });
        QVERIFY2(doubts.empty(), said(hall, doubts).c_str());
        const PointNo bad = hall.at(swinging.front(), Measure::AirInlet);
        const auto one = hall.run(120, 0.002, [&](int second, std::vector<double>& now) { now[bad] += second % 6 < 4 ? 0 : -4; });
        QVERIFY2(names(one, Kind::Jumping, bad), said(hall, one).c_str());
    }

    void meters()
    {
        const FiguresPtr& figures = m_liquid->figures;
        std::vector<bindings::Point> points;
        figures->snapshot->devices.forEach([&](DeviceId id) {
            if (figures->parts->device(figures->snapshot->devices.type[id]).power.element != PowerElement::None)
                points.push_back({ref(id), Measure::ActivePower, ""});
        });
        Hall hall(figures, points);
        const auto all = balances::allOf(*figures, *hall.bound);
        const auto meter =
            std::ranges::find_if(all.relations, [](const auto& r) { return r.kind == balances::Relation::Kind::Meter && r.points.size() > 4; });
        QVERIFY(meter != all.relations.end());
        const PointNo parent = meter->points[0];
        const std::vector<PointNo> children(meter->points.begin() + 1, meter->points.end());
        double sum = 0;
        for (const PointNo child : children) sum += hall.values[child] = 50'000;
        hall.values[parent] = sum + meter->lossW;
        QVERIFY(hall.run(40, 0.01).empty());
        hall.values[parent] *= 0.7; // the parent is wrong: all its children agree
        auto doubts = hall.run(20, 0.01);
        QVERIFY2(names(doubts, Kind::Meter, parent), said(hall, doubts).c_str());
        hall.values[parent] = sum + meter->lossW;
        QVERIFY(hall.run(2, 0.01).empty());
        hall.values[children[1]] = double(children.size()) * 8'000; // one child is
        doubts = hall.run(20, 0.01);
        QVERIFY2(names(doubts, Kind::Meter, children[1]), said(hall, doubts).c_str());
        QVERIFY(std::abs(doubts[0].expected - 50'000) < 12'000);
    }

    /// A source whose clock is an hour off is judged all the same.
    void skewedClock()
    {
        for (const std::int64_t hour : {-3'600'000, 3'600'000}) {
            Hall hall = racks();
            hall.skewMs = hour;
            QVERIFY(hall.run(30, 0.01).empty());
            const PointNo bad = hall.at(ref(m_racks[1]), Measure::Flow);
            hall.values[bad] *= 0.5;
            const auto doubts = hall.run(20, 0.01);
            QVERIFY2(names(doubts, Kind::Heat, bad), said(hall, doubts).c_str());
        }
    }

    /// Power that swings, read at moments of their own: strips against their rack, flow and temperatures against power. Nothing of it is a bad
    /// sensor, a meter that says a thousandth is; values that are kept between readings and dated now are no news.
    void readAtMomentsOfTheirOwn_data()
    {
        QTest::addColumn<int>("seconds");
        QTest::addColumn<bool>("cached");
        QTest::addColumn<bool>("together");
        for (const int seconds : {10, 30, 60})
            for (const bool cached : {false, true}) QTest::addRow("%d s%s", seconds, cached ? ", cached" : "") << seconds << cached << false;
        QTest::addRow("60 s, each rack in one poll") << 60 << false << true;
    }
    /// In one poll what returns from a rack is as warm as the power that is read with it: a return sensor 8 K high is found, however power swings.
    void readAtMomentsOfTheirOwn()
    {
        QFETCH(int, seconds);
        QFETCH(bool, cached);
        QFETCH(bool, together);
        const FiguresPtr& figures = m_liquid->figures;
        std::vector<bindings::Point> points;
        for (const RackId rack : m_racks)
            for (const Measure m : {Measure::Flow, Measure::SupplyTemperature, Measure::ReturnTemperature, Measure::ActivePower})
                points.push_back({ref(rack), m, ""});
        const Snapshot& s = *figures->snapshot;
        s.devices.forEach([&](DeviceId id) {
            const auto rack = s.devices.rack[id];
            if (rack && std::ranges::find(m_racks, *rack) != m_racks.end() &&
                figures->parts->device(s.devices.type[id]).power.element != PowerElement::None)
                points.push_back({ref(id), Measure::ActivePower, ""});
        });
        Hall hall(figures, points);
        const auto all = balances::allOf(*figures, *hall.bound);
        std::map<PointNo, double> planned; // of what swings
        std::size_t meters = 0;
        for (const auto& r : all.relations) {
            if (r.kind == balances::Relation::Kind::Heat) {
                hall.values[r.points[1]] = 30, hall.values[r.points[2]] = 42, planned[r.points[3]] = 60'000 / r.share;
                hall.values[r.points[0]] = 60'000 / balances::heatOf(r.coolant, 1, 30, 42);
            }
            if (r.kind != balances::Relation::Kind::Meter) continue;
            ++meters;
            const double whole = planned.contains(r.points[0]) ? planned[r.points[0]] : 90'000;
            for (std::size_t i = 1; i < r.points.size(); ++i) planned[r.points[i]] = (whole - r.lossW) / double(r.points.size() - 1);
        }
        QVERIFY(meters > 3);
        std::map<PointNo, int> phase, fresh;
        std::mt19937 random{5};
        for (PointNo p = 0; p < points.size(); ++p) phase[p] = int(random() % unsigned(seconds)), fresh[p] = -1;
        if (together)
            for (PointNo p = 0; p < points.size(); ++p) phase[p] = phase[hall.bound->pointsOf(hall.bound->points[p].entity).first];
        std::vector<double> kept(points.size(), std::nan(""));
        int clock = 0;
        PointNo wrong = kNoPoint;
        const auto read = [&](int, std::vector<double>& now) { // iterations of 5.3 s, a fifth of each at 35 %
            ++clock;
            const double at = std::fmod(double(clock), 5.3) / 5.3, load = at < 0.8 ? 1.16 : 0.36;
            for (const auto& [p, watts] : planned) now[p] = watts * load * (p == wrong ? 0.001 : 1);
            if (together)
                for (PointNo p = 0; p < now.size(); ++p)
                    if (hall.bound->points[p].measure == Measure::ReturnTemperature) now[p] = 30 + 12 * load + (p == wrong ? 8 : 0);
            for (PointNo p = 0; p < now.size(); ++p) {
                if (clock % seconds == phase[p]) kept[p] = now[p];
                now[p] = cached || clock % seconds == phase[p] ? kept[p] : std::nan("");
            }
        };
        for (int minute = 0; minute < 20; ++minute) {
            const auto doubts = hall.run(60, 0.002, read);
            QVERIFY2(doubts.empty(), said(hall, doubts).c_str());
        }
        wrong = hall.at(ref(m_racks[1]), together ? Measure::ReturnTemperature : Measure::ActivePower);
        const auto doubts = hall.run(std::max((together ? 12 : 20) * seconds, 600) + 120, 0.002, read);
        QVERIFY2(std::ranges::any_of(doubts, [&](const auto& d) { return d.point == wrong; }), said(hall, doubts).c_str());
    }

    /// Where the load is steady nothing moves, and nothing is stuck; what returns forty seconds later neither.
    void steadyRacksAndLaggingReturns()
    {
        Hall hall = racks();
        const auto steady = [&](int, std::vector<double>& now) {
            for (const Measure m : {Measure::Flow, Measure::SupplyTemperature, Measure::ReturnTemperature, Measure::Heat})
                for (const std::size_t i : {0u, 1u}) now[hall.at(ref(m_racks[i]), m)] = hall.values[hall.at(ref(m_racks[i]), m)];
        };
        const auto still = hall.run(300, 0.003, steady);
        QVERIFY2(still.empty(), said(hall, still).c_str());
        Hall lags = racks();
        const auto all = places(lags);
        std::deque<double> before;
        int clock = 0;
        const auto late = [&](int, std::vector<double>& now) { // steps of a quarter every 90 s; sensors of 0.1 K
            const double load = clock++ / 90 % 2 ? 1.25 : 1;
            before.push_back(load);
            if (before.size() > 41) before.pop_front();
            for (const auto& h : all) {
                now[h.heat] = 60'000 * load, now[h.supply] = 30;
                now[h.back] = std::round((30 + 12 * before.front()) * 10) / 10, now[h.flow] = lags.values[h.flow];
            }
        };
        for (int i = 0; i < 15; ++i)
            for (const auto& d : lags.run(60, 0, late)) QVERIFY2(d.kind != Kind::Stuck && d.kind != Kind::Jumping, words(d.what).c_str());
    }

    /// What says that it has no number says nothing: others are not held against what it said before.
    void noNumbers()
    {
        Hall hall = racks();
        QVERIFY(hall.run(60, 0.005).empty());
        for (const auto& h : places(hall)) hall.values[h.heat] *= 1.4, hall.values[h.flow] *= 1.4;
        std::vector<PointSample> none;
        for (const auto& h : places(hall)) none.push_back({h.flow, hall.nowMs + 1, std::nan(""), true});
        hall.judge->take(none);
        const auto doubts = hall.run(60, 0.005, [&](int, std::vector<double>& now) {
            for (const auto& h : places(hall)) now[h.flow] = std::nan("");
        });
        QVERIFY2(doubts.empty(), said(hall, doubts).c_str());
    }

    /// One of several chillers says four kelvin more, and what it feeds is no warmer: its sensor.
    void aSourceBesideOthers()
    {
        std::vector<bindings::Point> points;
        const CoolingChain& chain = m_liquid->figures->get<CoolingChainNode>();
        std::vector<EntityRef> chillers, takers;
        for (const CoolingUnit& unit : chain.units) {
            if (unit.parts() && unit.element == CoolingElement::Chiller) chillers.push_back(ref(unit.device));
            if (unit.parts() && unit.element == CoolingElement::Cdu) takers.push_back(ref(unit.device));
        }
        QVERIFY(chillers.size() >= 2 && takers.size() >= 3);
        for (const EntityRef e : chillers)
            for (const Measure m : {Measure::Flow, Measure::SupplyTemperature, Measure::ReturnTemperature}) points.push_back({e, m, ""});
        for (const EntityRef e : takers)
            for (const Measure m : {Measure::Flow, Measure::SupplyTemperature}) points.push_back({e, m, "primary"});
        Hall hall(m_liquid->figures, points);
        for (const EntityRef e : chillers)
            hall.set(e, Measure::Flow, 900), hall.set(e, Measure::SupplyTemperature, 20), hall.set(e, Measure::ReturnTemperature, 28);
        for (const EntityRef e : takers) hall.set(e, Measure::Flow, 200, "primary"), hall.set(e, Measure::SupplyTemperature, 20.1, "primary");
        QVERIFY(hall.run(180, 0.001).empty());
        const PointNo bad = hall.at(chillers[1], Measure::SupplyTemperature);
        hall.values[bad] += 4;
        QVERIFY(hall.run(20, 0.001).empty());
        QVERIFY(hall.judge->disputed().contains(bad)); // until it is decided
        auto doubts = hall.run(60, 0.001);
        QVERIFY2(names(doubts, Kind::Heat, bad), said(hall, doubts).c_str());
        hall.values[bad] -= 4;
        QVERIFY(hall.run(90, 0.001).empty());
    }

    void limitsAreSettings()
    {
        BoundDesk desk("nvl72");
        QVERIFY(plausibilityLimits(desk.s()) == PlausibilityLimits());
        QCOMPARE(
            desk.edit(
                R"({"do": "set-setting", "key": "telemetry.heat_percent", "value": 25}, {"do": "set-setting", "key": "telemetry.stuck_samples", "value": 4})"),
            std::string());
        QCOMPARE(plausibilityLimits(desk.s()).heatShare, 0.25);
        QCOMPARE(plausibilityLimits(desk.s()).stuckSamples, 4);
    }

    /// The same samples give the same doubts, in whatever portions they come.
    void portionsDoNotMatter()
    {
        Hall a = racks(), b = racks();
        b.oneByOne = true;
        const PointNo bad = a.at(ref(m_racks[1]), Measure::Flow);
        a.values[bad] *= 0.5, b.values[bad] *= 0.5;
        const auto x = a.run(30, 0.01), y = b.run(30, 0.01);
        QVERIFY(!x.empty());
        QCOMPARE(x.size(), y.size());
        for (std::size_t i = 0; i < x.size(); ++i)
            QVERIFY(x[i].point == y[i].point && x[i].sinceMs == y[i].sinceMs && words(x[i].what) == words(y[i].what));
    }
};

QTEST_GUILESS_MAIN(PlausibilityTest)
#include "test_plausibility.moc"
