// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/monitoring/detectors/silent_loss.h"
#include "tests/monitoring/emulated.h"
#include "tests/monitoring/reported.h"

#include <QTest>

using namespace hw;

/// A job that was simulated on the sample pod and goes on in the emulated one: a link that carries less is reported; what makes all of them carry
/// less, or what a failure takes away, is not told link by link.
class TestSimulated : public QObject {
    Q_OBJECT
    FiguresPtr m_pod;
    std::vector<float> m_gbps; ///< by directed link: every link of the backend at 40 % of its rate

    struct Run {
        Emulated hall;
        monitoring::Monitor watch;
        Reported told;
    };
    [[nodiscard]] std::unique_ptr<Run> begun() const
    {
        emulation::Options options;
        options.pollS = 10, options.linkGbps = m_gbps;
        auto run = std::make_unique<Run>(Run{Emulated(m_pod, options), {}, {}});
        run->watch.design(m_pod, run->hall.bound());
        run->watch.simulated(m_gbps);
        return run;
    }
    void goOn(Run& run, int seconds) const
    {
        note(run.told, run.hall.watch(run.watch, seconds), *m_pod, int((run.hall.nowMs() - run.hall.hall().startMs()) / 1000));
    }

private slots:
    void initTestCase()
    {
        m_pod = designOf("nvl72", {{"segments", "1"}});
        const Snapshot& s = *m_pod->snapshot;
        m_gbps.assign(2 * std::size_t(s.links.nextId()), 0);
        s.links.forEach([&](LinkId id) {
            const auto network = s.ports.network[s.links.from[id]];
            if (!network || s.networks.kind[*network] != NetworkKind::Backend) return;
            m_gbps[2 * id.value] = m_gbps[2 * id.value + 1] = 0.4f * float(s.ports.rate[s.links.from[id]].count());
        });
    }

    /// Both peers of a NIC in a ring count half of what its link loses; where all lose alike, it is what all use; what is counted is not silent.
    void silentLossIsPlaced()
    {
        emulation::Options options;
        options.facility = options.gpus = false;
        const Emulated hall(m_pod, options);
        const bindings::Bound& bound = *hall.bound();
        const auto plans = monitoring::Plans::of(*m_pod, bound);
        monitoring::SilentLoss losses(*m_pod, bound, plans);
        monitoring::Readings readings;
        readings.resize(bound.points.size());
        const std::int64_t now = 1'800'000'000'000;
        std::vector<bindings::PointNo> counters;
        for (bindings::PointNo p = 0; p < bound.points.size(); ++p) {
            readings.arrived[p] = now;
            if (bound.points[p].measure == bindings::Measure::Transmit) readings.values[p] = 100e9f;
            if (plans.points[p].criterion != monitoring::Criterion::Retransmits) continue;
            readings.values[p] = 0;
            if (bound.points[p].element.empty()) counters.push_back(p);
        }
        QVERIFY(counters.size() > 10);
        const float lost = 1e-3f * 100e9f / (4096 * 8);
        readings.values[counters[0]] = lost, readings.values[counters[5]] = readings.values[counters[9]] = lost / 2;
        auto found = losses.look(readings, now, 1e-5, {});
        QCOMPARE(found.size(), std::size_t(1));
        QVERIFY(found[0].at.kind == EntityKind::Link);
        const Snapshot& s = *m_pod->snapshot;
        const LinkId link(found[0].at.id);
        const PortId nic(bound.points[counters[0]].entity.id);
        QVERIFY(s.links.from[link] == nic || s.links.to[link] == nic);
        QVERIFY(losses.look(readings, now, 1e-5, {(*s.ports.network[nic]).value}).empty());
        for (const bindings::PointNo p : counters) readings.values[p] = lost;
        found = losses.look(readings, now, 1e-5, {});
        QCOMPARE(found.size(), std::size_t(1));
        QVERIFY(found[0].at.kind == EntityKind::Network);
        QVERIFY(losses.look(readings, now, 2e-3, {}).empty());
    }

    void whatIsTold_data()
    {
        QTest::addColumn<std::string>("deed");
        QTest::addColumn<std::vector<std::string>>("told");
        QTest::addColumn<int>("within"); // seconds
        using Set = std::vector<std::string>;
        QTest::newRow("a job that goes on, and saves itself") << std::string() << Set{} << 0;
        QTest::newRow("a card behind a slow slot") << std::string("degrade g01-rack1-tray01:nic1 gbps=50")
                                                   << Set{"low-performance g01-rack1-tray01:nic1 transmit"} << 150;
        QTest::newRow("a server") << std::string("fail g01-rack1-tray02") << Set{"cause of g01-rack1-tray02"} << 15;
        QTest::newRow("a leaf") << std::string("fail g01-leaf-rail1-1") << Set{"cause of g01-leaf-rail1-1"} << 45;
        QTest::newRow("packets lost on a link, which nothing counts")
            << std::string("silent-loss g01-rack1-tray01:nic1 percent=1")
            << Set{"packet-loss g01-rack1-tray01:nic1 – g01-leaf-rail1-1:port1 retransmits"} << 150;
        QTest::newRow("packets lost in a leaf, which nothing counts")
            << std::string("silent-loss g01-leaf-rail1-1 percent=0.2") << Set{"packet-loss g01-leaf-rail1-1 retransmits"} << 150;
        QTest::newRow("lanes") << std::string("degrade g01-rack1-tray01:nic1 lanes=1")
                               << Set{"low-performance g01-rack1-tray01:nic1 – g01-leaf-rail1-1:port1 link-lanes"} << 60;
    }
    void whatIsTold()
    {
        QFETCH(std::string, deed);
        QFETCH(std::vector<std::string>, told);
        QFETCH(int, within);
        const auto run = begun();
        goOn(*run, 330);
        QVERIFY2(run->told.empty(), listOf(run->told).c_str());
        if (!deed.empty()) run->hall.deed(deed);
        for (int second = 1; second <= 300; ++second) goOn(*run, 1);
        std::vector<std::string> names;
        for (const auto& [what, second] : run->told) {
            names.push_back(what);
            QVERIFY2(second - 330 <= within, listOf(run->told).c_str());
        }
        QVERIFY2(names == told, listOf(run->told).c_str());
        QVERIFY2(run->watch.frame()->deviations.size() <= 1, "one fault is told once at a time");
        run->hall.deed("restore");
        goOn(*run, 400);
        QVERIFY2(run->told.size() == told.size(), listOf(run->told).c_str());
        QVERIFY2(run->watch.frame()->deviations.empty() && run->watch.frame()->alarms.empty(), "what is mended stands no longer");
    }

    /// Every server behind a slow slot: it is the job that is slow, told once, of the network; no link is named.
    void aSlowJobIsToldOnce()
    {
        const auto run = begun();
        goOn(*run, 100);
        run->watch.simulated(std::vector<float>(m_gbps.size(), 0));
        auto twice = m_gbps;
        for (float& gbps : twice) gbps *= 2;
        run->watch.simulated(twice);
        goOn(*run, 400);
        QCOMPARE(run->told.size(), std::size_t(1));
        QVERIFY2(run->told.begin()->first == "low-link-load backend transmit", listOf(run->told).c_str());
        const auto frame = run->watch.frame();
        QCOMPARE(frame->deviations.size(), std::size_t(1));
        QVERIFY(std::abs(frame->deviations.front().share - 0.5) < 0.02);
        run->watch.simulated(m_gbps);
        goOn(*run, 200);
        QVERIFY(run->watch.frame()->deviations.empty());
    }
};

QTEST_GUILESS_MAIN(TestSimulated)
#include "test_simulated.moc"
