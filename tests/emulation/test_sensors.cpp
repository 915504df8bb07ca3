// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "tests/emulation/pod.h"

#include <cmath>
#include <set>

#include <nlohmann/json.hpp>

using namespace hw;
using namespace hw::emulation;

namespace {

const std::string kNic = "g01-rack1-tray01:nic1";

Options often()
{
    Options options;
    options.pollS = 1;
    return options;
}

/// How many values of an entity a run says.
template <class F>
std::size_t said(Pod& pod, int seconds, F&& its)
{
    std::size_t n = 0;
    pod.run(seconds, [&](const auto& values) {
        for (const Value& value : values) n += its(pod.hall->sensors()[value.sensor]);
    });
    return n;
}

} // namespace

class TestSensors : public QObject {
    Q_OBJECT
private slots:
    /// Counters never fall, whatever happens to links and servers on the way.
    void countersRise()
    {
        Pod pod(often());
        std::map<SensorNo, double> last;
        std::size_t rises = 0;
        const auto check = [&](const auto& values) {
            for (const Value& value : values) {
                const Reading r = pod.hall->sensors()[value.sensor].reading;
                if (r < Reading::ReceivedOctets || r > Reading::ReceiveDrops) continue;
                QVERIFY(value.value >= last[value.sensor]);
                rises += value.value > last[value.sensor];
                last[value.sensor] = value.value;
            }
        };
        pod.run(10, check);
        const std::vector<std::string> lines{"fail " + kNic,
                                             "degrade g01-rack1-tray02:nic1 lanes=1",
                                             "drop-packets g01-leaf-rail1-1 percent=2",
                                             "fail g01-leaf-rail2-1",
                                             "fail g01-rack3-tray01",
                                             "restore",
                                             "misconfigure g01-rack1-tray03:nic1 gbps=100"};
        for (const std::string& line : lines) {
            QCOMPARE(pod.act(line), std::string());
            pod.run(8, check);
        }
        QVERIFY(rises > 10'000);
    }

    void linksFailAndDegrade()
    {
        Pod pod;
        pod.run(40);
        const double rate = pod.truth(kNic, Reading::LinkRate);
        QCOMPARE(rate, 400e9);
        QCOMPARE(pod.truth(kNic, Reading::LinkLanes), 4.0);
        QCOMPARE(pod.act("degrade " + kNic + " lanes=1"), std::string());
        pod.run(2);
        QCOMPARE(pod.truth(kNic, Reading::LinkRate), 100e9);
        QCOMPARE(pod.truth(kNic, Reading::LinkLanes), 1.0);
        QVERIFY(pod.truth(kNic, Reading::ReceiveErrors) > 0);
        QCOMPARE(pod.act("restore " + kNic, "misconfigure " + kNic + " gbps=200"), std::string());
        pod.run(2);
        QCOMPARE(pod.truth(kNic, Reading::LinkRate), 200e9);
        QCOMPARE(pod.act("restore " + kNic, "fail " + kNic), std::string());
        pod.run(1);
        const double octets = pod.truth(kNic, Reading::SentOctets);
        pod.run(5);
        QCOMPARE(pod.truth(kNic, Reading::LinkUp), 0.0);
        QCOMPARE(pod.truth(kNic, Reading::LinkRate), 0.0);
        QCOMPARE(pod.truth(kNic, Reading::SentOctets), octets);
        QCOMPARE(pod.truth("g01-rack1-tray01:nic2", Reading::LinkUp), 1.0);
    }

    /// One job without end: links carry what they are told while it goes on, servers that have no part in it idle, one that died joins again.
    void linksCarryWhatTheyAreTold()
    {
        const auto figures = podFigures();
        const Snapshot& s = *figures->snapshot;
        const auto port = PortId((*findEntity(s, *figures->parts, kNic)).id);
        emulation::Options options;
        options.linkGbps.assign(2 * std::size_t(s.links.nextId()), 0);
        std::optional<LinkId> link;
        s.links.forEach([&](LinkId id) {
            if (s.ports.device[s.links.from[id]] == s.ports.device[port]) options.linkGbps[2 * id.value] = 100;
            if (s.links.from[id] == port) link = id;
        });
        QVERIFY(bool(link));
        options.linkGbps[2 * link->value + 1] = 30;
        Pod pod(options, figures);
        const auto octetsIn = [&](int seconds, Reading reading) {
            const double before = pod.truth(kNic, reading);
            pod.run(seconds);
            return 8e-9 * (pod.truth(kNic, reading) - before) / seconds;
        };
        const auto near = [](double is, double should) { return std::abs(is - should) < 0.05 * should; };
        pod.run(5);
        QVERIFY(near(octetsIn(300, Reading::SentOctets), 100 * (1 - 0.9 * 8 / 300))); // less while it is saved
        QVERIFY(near(octetsIn(300, Reading::ReceivedOctets), 30 * (1 - 0.9 * 8 / 300)));
        QCOMPARE(pod.truth("g01-rack3-tray01", Reading::HostPower), pod.truth("g01-rack3-tray02", Reading::HostPower));
        QVERIFY(pod.truth("g01-rack1-tray01", Reading::HostPower) > pod.truth("g01-rack3-tray02", Reading::HostPower));
        QCOMPARE(pod.act("fail g01-rack1-tray01"), std::string());
        pod.run(20);
        QVERIFY(std::isnan(pod.truth(kNic, Reading::SentOctets)));
        QCOMPARE(pod.act("restore"), std::string());
        pod.run(200);
        QVERIFY(octetsIn(60, Reading::SentOctets) > 80);
    }

    /// A card behind a slow slot keeps its rate and gets less through; what is sent at one end arrives at the other.
    void slowSlotsAndLosses()
    {
        Pod pod;
        pod.run(40);
        const impact::Model& m = pod.hall->model();
        const auto peer = m.index->peerOf(*m.s, PortId(pod.entity(kNic).id));
        QVERIFY(bool(peer));
        const auto arrives = [&] { return pod.hall->truth(*pod.hall->find(ref(*peer), Reading::ReceivedOctets)); };
        const auto sentIn = [&](int seconds) {
            const double before = pod.truth(kNic, Reading::SentOctets);
            pod.run(seconds);
            return pod.truth(kNic, Reading::SentOctets) - before;
        };
        const double whole = sentIn(30);
        QVERIFY(whole > 1e9);
        QCOMPARE(arrives(), pod.truth(kNic, Reading::SentOctets));
        QCOMPARE(pod.act("degrade " + kNic + " gbps=50"), std::string());
        pod.run(1);
        QCOMPARE(pod.truth(kNic, Reading::LinkRate), 400e9);
        QVERIFY(sentIn(30) <= 50e9 / 8 * 30);
        QCOMPARE(pod.act("restore " + kNic, "drop-packets " + kNic + " percent=3"), std::string());
        pod.run(30);
        QVERIFY(pod.truth(kNic, Reading::ReceiveDrops) > 1000);
        QCOMPARE(pod.truth("g01-rack1-tray01:nic2", Reading::ReceiveDrops), 0.0);
    }

    /// What is down does not answer, and says so once.
    void deadServersAreSilent()
    {
        Pod pod(often());
        pod.run(5);
        const EntityRef tray = pod.entity("g01-rack1-tray01");
        QCOMPARE(pod.act("fail g01-rack1-tray01"), std::string());
        std::size_t fell = 0;
        const std::size_t n = said(pod, 6, [&](const Sensor& s) { return s.entity == tray; });
        QCOMPARE(n, std::size_t(0));
        QCOMPARE(pod.act("restore"), std::string());
        pod.run(3);
        QCOMPARE(pod.act("fail g01-rack1-tray01"), std::string());
        pod.run(3, [&](const auto&) {
            for (const SensorNo no : pod.hall->fellSilent()) fell += pod.hall->sensors()[no].entity == tray;
        });
        QCOMPARE(fell, std::size_t(17)); // four of each GPU, and its own power
        QVERIFY(std::isnan(pod.truth("g01-rack1-tray01", Reading::GpuPower, 0)));
    }

    void saysWhatChangedAndAllAgain()
    {
        Pod pod;
        std::map<SensorNo, std::pair<std::int64_t, double>> last;
        std::size_t again = 0, same = 0;
        pod.run(230, [&](const auto& values) {
            SensorNo before = 0;
            for (const Value& value : values) {
                QVERIFY(value.sensor >= before);
                before = value.sensor;
                if (const auto was = last.find(value.sensor); was != last.end() && was->second.second == value.value) {
                    QVERIFY(value.timeMs - was->second.first >= Hall::kSayAgainMs);
                    ++again;
                } else if (was != last.end()) {
                    ++same;
                }
                last[value.sensor] = {value.timeMs, value.value};
            }
        });
        QVERIFY(again > 1000 && same > 10'000);
        QCOMPARE(last.size(), pod.hall->sensors().size()); // everything said something
        for (const auto& [no, said] : last)
            QVERIFY(pod.hall->nowMs() - said.first <= Hall::kSayAgainMs + 90'000); // and lately: ports are read every 90 s
    }

    void sensorsFail()
    {
        Options options;
        options.startMs = 1'000'000;
        Pod pod(options);
        pod.run(10);
        const EntityRef rack = pod.entity("hall1-c1-r1-01"), other = pod.entity("hall1-c1-r1-02");
        const auto power = [&](const Sensor& s) { return s.entity == rack && s.reading == Reading::ActivePower; };
        QCOMPARE(pod.act("sensor-missing hall1-c1-r1-01 reading=active-power"), std::string());
        QCOMPARE(said(pod, 10, power), std::size_t(0));
        QCOMPARE(pod.act("restore hall1-c1-r1-01", "sensor-stuck hall1-c1-r1-01"), std::string());
        QVERIFY(said(pod, 1, power) <= 1);
        QCOMPARE(said(pod, 20, [&](const Sensor& s) { return s.entity == rack; }), std::size_t(0));
        QVERIFY(said(pod, 10, [&](const Sensor& s) { return s.entity == other; }) > 20);
        QCOMPARE(pod.act("restore", "sensor-offset hall1-c1-r1-01 reading=active-power by=50000"), std::string());
        double off = 0;
        pod.run(5, [&](const auto& values) {
            for (const Value& value : values)
                if (power(pod.hall->sensors()[value.sensor])) off = value.value - pod.hall->truth(value.sensor);
        });
        QVERIFY(off > 48'000 && off < 52'000);
        QCOMPARE(pod.act("restore", "gap for_s=8"), std::string());
        QCOMPARE(said(pod, 7, [](const Sensor&) { return true; }), std::size_t(0));
        QVERIFY(said(pod, 2, [](const Sensor&) { return true; }) > 500);
    }

    /// Each device at an interval and phase of its own, all of its values together, changed or not; servers keep their pace.
    void metersArePolled()
    {
        Options options;
        options.metersFromS = 10, options.metersToS = 60;
        Pod pod(options);
        std::map<EntityRef, std::set<std::int64_t>> times;
        std::map<std::int64_t, std::size_t> ofRack;
        const EntityRef rack = pod.entity("hall1-c1-r1-01");
        pod.run(200, [&](const auto& values) {
            for (const Value& value : values) {
                const Sensor& sensor = pod.hall->sensors()[value.sensor];
                if (sensor.entity.kind == EntityKind::Rack) times[sensor.entity].insert(value.timeMs);
                if (sensor.entity == rack) ++ofRack[value.timeMs];
            }
        });
        std::set<std::int64_t> intervals, first;
        for (const auto& [entity, at] : times) {
            const std::vector<std::int64_t> all(at.begin(), at.end());
            QVERIFY(all.size() >= 3);
            for (std::size_t i = 2; i < all.size(); ++i) QCOMPARE(all[i] - all[i - 1], all[1] - all[0]);
            intervals.insert(all[1] - all[0]), first.insert(all[0]);
        }
        QVERIFY(intervals.size() > 3 && first.size() > 3);
        QVERIFY(*intervals.begin() >= 10'000 && *intervals.rbegin() <= 60'000);
        for (const auto& [at, count] : ofRack) QCOMPARE(count, std::size_t(8)); // power, air, coolant, leak
    }

    void sensorsAnswerWithoutNumbers()
    {
        Pod pod;
        pod.run(5);
        const EntityRef rack = pod.entity("hall1-c1-r1-01");
        const auto nothing = [&](int seconds) {
            std::size_t n = 0;
            pod.run(seconds, [&](const auto& values) {
                for (const Value& v : values) n += std::isnan(v.value) && pod.hall->sensors()[v.sensor].entity == rack;
            });
            return n;
        };
        QCOMPARE(pod.act("sensor-nan hall1-c1-r1-01 reading=flow for_s=4"), std::string());
        QCOMPARE(nothing(4), std::size_t(3)); // from the next second on
        QCOMPARE(nothing(4), std::size_t(0));
        QCOMPARE(pod.act("sensor-missing hall1-c1-r1-01 reading=flow", "sensor-nan percent=100"), std::string());
        QCOMPARE(said(pod, 3, [&](const Sensor& s) { return s.entity == rack && s.reading == Reading::Flow; }), std::size_t(0)); // silent before
        QVERIFY(nothing(1) >= 6);
        QCOMPARE(pod.act("sensor-offset hall1-c1-r1-01 reading=flow by=5"), std::string());
        QCOMPARE(said(pod, 3, [&](const Sensor& s) { return s.entity == rack && s.reading == Reading::Flow; }), std::size_t(0)); // silent still
        const Naming naming(*pod.hall);
        for (const Reading reading : {Reading::LinkUp, Reading::LinkRate, Reading::ActivePower}) {
            const auto any = std::ranges::find(pod.hall->sensors(), reading, &Sensor::reading);
            QVERIFY(any != pod.hall->sensors().end());
            QVERIFY(std::isnan(naming.said(SensorNo(any - pod.hall->sensors().begin()), std::nan("")))); // and no state either
        }
        QCOMPARE(numberOrNull(std::nan("")), std::string("null"));
        QCOMPARE(numberOrNull(46.5), std::string("46.5"));
    }

    /// Exchanged wires: each says what the other measures, at the host and at its ports.
    void sensorsAreExchanged()
    {
        Pod pod(often());
        pod.run(30);
        const SensorNo one = *pod.hall->find(pod.entity("hall1-c1-r1-01"), Reading::ActivePower),
                       other = *pod.hall->find(pod.entity("hall1-c1-r1-04"), Reading::ActivePower);
        QCOMPARE(pod.act("sensor-swap hall1-c1-r1-01 with=hall1-c1-r1-04 reading=active-power", "sensor-swap g01-rack1-tray01 with=g01-rack3-tray01"),
                 std::string());
        const SensorNo port = *pod.hall->find(pod.entity("g01-rack1-tray01:nic1"), Reading::SentOctets);
        std::map<SensorNo, double> last;
        std::size_t octets = 0;
        pod.run(4, [&](const auto& values) {
            for (const Value& v : values) {
                last[v.sensor] = v.value;
                if (v.sensor != port) continue;
                QCOMPARE(v.value, pod.truth("g01-rack3-tray01:nic1", Reading::SentOctets));
                ++octets;
            }
        });
        QVERIFY(octets > 0);
        QVERIFY(std::abs(pod.hall->truth(one) - pod.hall->truth(other)) > 1000);
        QVERIFY(std::abs(last.at(one) - pod.hall->truth(other)) < 0.02 * pod.hall->truth(other));
        QVERIFY(std::abs(last.at(other) - pod.hall->truth(one)) < 0.02 * pod.hall->truth(one));
        QVERIFY(pod.act("sensor-swap hall1-c1-r1-01 with=hall1-c1-row1-busway1").find("do not have the same sensors") != std::string::npos);
        QVERIFY(pod.act("sensor-swap hall1-c1-r1-01").find("requires with") != std::string::npos);
        QVERIFY(pod.act("sensor-swap hall1-c1-r1-01 with=rack-77").find("rack-77") != std::string::npos);
    }

    /// Times of one gateway, or of a share of all; values are as they are.
    void clocksAreWrong()
    {
        Options options = often();
        options.startMs = 1'000'000'000;
        Pod pod(options);
        pod.run(3);
        const EntityRef busway = pod.entity("hall1-c1-row1-busway1");
        std::map<EntityRef, std::set<std::int64_t>> off;
        const auto look = [&](int seconds) {
            off.clear();
            pod.run(seconds, [&](const auto& values) {
                for (const Value& v : values) off[pod.hall->sensors()[v.sensor].entity].insert(v.timeMs - options.startMs - pod.hall->nowMs());
            });
        };
        QCOMPARE(pod.act("clock-shift hall1-c1-row1-busway1 by=-3600 for_s=5"), std::string());
        look(4);
        QCOMPARE(off[busway], std::set<std::int64_t>{-3'600'000});
        QCOMPARE(off[pod.entity("hall1-c1-row1-busway2")], std::set<std::int64_t>{0});
        look(4);
        QVERIFY(off[busway].contains(0));
        QCOMPARE(pod.act("clock-shift percent=10 by=86400 for_s=1"), std::string());
        look(1);
        const auto shifted = std::ranges::count_if(off, [](const auto& one) { return one.second.contains(86'400'000); });
        const double share = double(shifted) / double(off.size());
        QVERIFY(share > 0.05 && share < 0.15);
        QVERIFY(std::ranges::all_of(off, [](const auto& one) { return one.second.size() == 1; })); // an entity has one clock
    }

    void countersBeginAnew()
    {
        Pod pod(often());
        pod.run(40);
        const SensorNo no = *pod.hall->find(pod.entity(kNic), Reading::SentOctets);
        std::vector<double> values;
        const auto run = [&](int seconds) {
            pod.run(seconds, [&](const auto& all) {
                for (const Value& v : all)
                    if (v.sensor == no) values.push_back(v.value);
            });
        };
        run(10);
        QVERIFY(values.size() > 1);
        const double before = values.back();
        QVERIFY(before > 0);
        QCOMPARE(pod.act("reset-counters g01-rack1-tray01"), std::string());
        values.clear();
        run(30);
        QVERIFY(values.size() > 1 && values.front() == 0 && values.back() > 0);
        QVERIFY(std::ranges::is_sorted(values));
        QVERIFY(pod.act("reset-counters hall1-c1-r1-01").find("has no such sensor") != std::string::npos);
    }

    /// The same 5 % of them with one seed.
    void someSensorsAreMissing()
    {
        Pod pod(often()), twin(often());
        std::set<SensorNo> all, left, alike;
        const auto into = [](std::set<SensorNo>& set) {
            return [&set](const auto& values) {
                for (const Value& v : values) set.insert(v.sensor);
            };
        };
        pod.run(4, into(all));
        QCOMPARE(pod.act("sensor-missing percent=5") + twin.act("sensor-missing percent=5"), std::string());
        pod.run(101, into(left));
        twin.run(101, into(alike));
        const double missing = 1 - double(left.size()) / double(all.size());
        QVERIFY(missing > 0.045 && missing < 0.055);
        QCOMPARE(left, alike);
    }

    void channelsAreRenamed()
    {
        Pod pod;
        const Naming naming(*pod.hall);
        const SensorNo no = *pod.hall->find(pod.entity("hall1-c1-r1-01"), Reading::ActivePower),
                       neighbor = *pod.hall->find(pod.entity("hall1-c1-r1-01"), Reading::Flow);
        const std::string before = naming.topic(no), other = naming.topic(neighbor);
        QCOMPARE(pod.act("rename-channel hall1-c1-r1-01 reading=active-power to=_v2"), std::string());
        pod.run(1);
        QCOMPARE(naming.topic(no), before + "_v2");
        QCOMPARE(naming.topic(neighbor), other);
        QCOMPARE(pod.act("restore"), std::string());
        pod.run(1);
        QCOMPARE(naming.topic(no), before);
    }

    /// Topics and series are each sensor's own, and metadata as the guide wants them.
    void namesAreWhole()
    {
        Pod pod;
        const Naming naming(*pod.hall);
        std::set<std::string> topics, series;
        for (SensorNo no = 0; no < pod.hall->sensors().size(); ++no) {
            QVERIFY(topics.insert(naming.topic(no)).second);
            std::string labels = naming.metric(no);
            for (const auto& [key, value] : naming.labels(no)) labels += "," + key + "=" + value;
            QVERIFY2(series.insert(labels).second, labels.c_str());
            if (!naming.isPoint(no)) continue;
            const auto metadata = nlohmann::json::parse(naming.metadata(no));
            const bool bare = metadata["pointType"] == "PowerFactor";
            QCOMPARE(metadata.contains("engUnit") + metadata.contains("stateText"), bare ? 0 : 1);
            QCOMPARE(metadata.contains("rackLocationId") + metadata.contains("objectId") + metadata.contains("associateId"), 1);
            QVERIFY(!(metadata.contains("associateId") && metadata.contains("servesId")));
            QCOMPARE(metadata.contains("phase"), metadata["pointType"] == "PhaseCurrent");
        }
        const auto busway = nlohmann::json::parse(naming.metadata(*pod.hall->find(pod.entity("hall1-c1-row1-busway1"), Reading::ActivePower)));
        QVERIFY(std::ranges::find(busway["servesId"], "g01-rack1-shelf1") != busway["servesId"].end());
        QVERIFY(std::ranges::find(busway["servesId"], "g01-rack1-shelf2") == busway["servesId"].end()); // of side B
        const auto meter = pod.hall->find(pod.entity("hall1-c1-row1-busway1"), Reading::ActivePower);
        QCOMPARE(naming.said(*meter, 250'000), 250.0); // kW
    }
};

QTEST_GUILESS_MAIN(TestSensors)
#include "test_sensors.moc"
