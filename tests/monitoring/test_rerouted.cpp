// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/monitoring/incident/event_output.h"
#include "simulation/questions/steady_loads.h"
#include "tests/monitoring/emulated.h"
#include "tests/monitoring/reported.h"

#include <QTest>

#include <algorithm>
#include <chrono>
#include <thread>

#include <fmt/format.h>

using namespace hw;

/// What a failure moves to other links is simulated again, in the hall that is emulated and for those who judge it: links are held against what
/// they should carry now, and a replay says the same however long a simulation takes.
class TestRerouted : public QObject {
    Q_OBJECT
    FiguresPtr m_pod;
    std::shared_ptr<const sim::SteadyLoads> m_sprayed, m_hashed;
    LinkId m_link;               ///< of a leaf to a spine that goes on
    std::string m_spine, m_port; ///< the spine that fails; the leaf's port of the link

    [[nodiscard]] std::shared_ptr<const sim::SteadyLoads> loadsOf(const char* selection) const
    {
        const sim::Json text = {{"schema", "hallwright.scenario/1"}, {"name", "test"}, {"workload", "permutation"}, {"path_selection", selection}};
        const auto request = sim::parseScenarioRequest(text.dump(), "test").value();
        return std::make_shared<const sim::SteadyLoads>(sim::SteadyLoads::of(request, {m_pod->snapshot, m_pod->parts}).value());
    }
    struct Run {
        Emulated hall;
        monitoring::Monitor watch;
        Reported told;
        std::string said;
    };
    enum class Judges { ByWhatIsLeft, ByWhatWas };
    [[nodiscard]] std::unique_ptr<Run> begun(const std::shared_ptr<const sim::SteadyLoads>& loads, Judges judges, int slowMs = 0) const
    {
        emulation::Options options;
        options.pollS = 5, options.linkGbps = loads->whole();
        options.loadsAfter = [loads](const impact::NetworkLoss& lost) { return loads->after(lost); };
        auto run = std::make_unique<Run>(Run{Emulated(m_pod, options), {}, {}, {}});
        run->watch.design(m_pod, run->hall.bound());
        impact::LoadsAfter after;
        if (judges == Judges::ByWhatIsLeft)
            after = [loads, slowMs](const impact::NetworkLoss& lost) {
                std::this_thread::sleep_for(std::chrono::milliseconds(slowMs));
                return loads->after(lost);
            };
        run->watch.simulated(loads->whole(), after);
        return run;
    }
    void goOn(Run& run, int seconds) const
    {
        for (int i = 0; i < seconds; ++i) {
            const auto events = run.hall.watch(run.watch, 1);
            note(run.told, events, *m_pod, int((run.hall.nowMs() - run.hall.hall().startMs()) / 1000));
            for (const auto& event : events) run.said += words(monitoring::eventText(event, *m_pod)) + '\n';
        }
    }
    [[nodiscard]] static std::size_t lowLinks(const Reported& told)
    {
        return std::size_t(std::ranges::count_if(told, [](const auto& one) { return one.first.starts_with("low-link-load"); }));
    }

private slots:
    void initTestCase()
    {
        m_pod = designOf("rail-optimized-2", {{"segments", "1"}, {"hosts_per_segment", "4"}, {"radix", "8"}, {"networks", "backend"}});
        m_sprayed = loadsOf("spray"), m_hashed = loadsOf("hash");
        const Snapshot& s = *m_pod->snapshot;
        DeviceId fails{};
        s.links.forEach([&](LinkId id) {
            const DeviceId spine = s.ports.device[s.links.to[id]];
            if (s.tiers.level[s.devices.tier[spine]] != 2 || !(m_sprayed->whole()[2 * id.value] > 0)) return;
            if (m_spine.empty()) fails = spine, m_spine = s.devices.name[spine];
            if (m_port.empty() && !(spine == fails)) m_link = id, m_port = entityName(s, *m_pod->parts, ref(s.links.from[id]));
        });
        QVERIFY(!m_spine.empty() && !m_port.empty());
    }

    /// A spine fails: what the others carry more is what they should. One of their links that gets no further than it did is reported then.
    void linksAreHeldAgainstWhatIsLeft()
    {
        const auto run = begun(m_sprayed, Judges::ByWhatIsLeft);
        goOn(*run, 120);
        QVERIFY2(run->told.empty(), listOf(run->told).c_str());
        const float before = std::max(m_sprayed->whole()[2 * m_link.value], m_sprayed->whole()[2 * m_link.value + 1]);
        run->hall.deed(fmt::format("degrade {} gbps={:.1f}", m_port, 0.85 * double(before)));
        goOn(*run, 200);
        QVERIFY2(run->told.empty(), "85 % of what it should carry is enough");
        run->hall.deed("fail " + m_spine);
        goOn(*run, 400);
        QCOMPARE(lowLinks(run->told), std::size_t(1));
        QVERIFY2(run->told.contains("cause of " + m_spine) && run->told.size() == 2, listOf(run->told).c_str());
        QVERIFY2(std::ranges::any_of(run->told, [&](const auto& one) { return one.first.starts_with("low-link-load " + m_port); }),
                 listOf(run->told).c_str());
        run->hall.deed("restore");
        goOn(*run, 400);
        QVERIFY2(run->told.size() == 2, listOf(run->told).c_str());
        QVERIFY(run->watch.frame()->deviations.empty() && run->watch.frame()->alarms.empty());
    }

    /// With hashed ways a dead leaf takes flows from links elsewhere: they carry less, as they should.
    void whatCarriesLessAsItShouldIsNotTold_data()
    {
        QTest::addColumn<bool>("left");
        QTest::newRow("by what is left") << true;
        QTest::newRow("by what was") << false;
    }
    void whatCarriesLessAsItShouldIsNotTold()
    {
        QFETCH(bool, left);
        const auto run = begun(m_hashed, left ? Judges::ByWhatIsLeft : Judges::ByWhatWas);
        goOn(*run, 120);
        QVERIFY2(run->told.empty(), listOf(run->told).c_str());
        const Snapshot& s = *m_pod->snapshot;
        run->hall.deed("fail " + s.devices.name[s.ports.device[s.links.from[m_link]]]);
        goOn(*run, 400);
        QCOMPARE(lowLinks(run->told) > 0, !left);
        if (!left) return;
        run->hall.deed("restore");
        goOn(*run, 400);
        QVERIFY2(run->told.size() == 1, listOf(run->told).c_str());
    }

    /// A server that is gone and comes back: its job goes on without it until it takes it up again.
    void aServerThatComesBack()
    {
        const auto run = begun(m_sprayed, Judges::ByWhatIsLeft);
        goOn(*run, 120);
        const Snapshot& s = *m_pod->snapshot;
        std::string host;
        s.devices.forEach([&](DeviceId id) {
            if (host.empty() && s.tiers.kind[s.devices.tier[id]] == TierKind::Server) host = s.devices.name[id];
        });
        run->hall.deed("fail " + host);
        goOn(*run, 300);
        run->hall.deed("restore");
        goOn(*run, 600);
        QVERIFY2(run->told.size() == 1 && run->told.begin()->first == "cause of " + host, listOf(run->told).c_str());
        QVERIFY(run->watch.frame()->deviations.empty() && run->watch.frame()->alarms.empty());
    }

    void aSlowSimulationSaysTheSame()
    {
        std::string said;
        for (const int slowMs : {0, 400}) {
            const auto run = begun(m_hashed, Judges::ByWhatIsLeft, slowMs);
            goOn(*run, 60);
            run->hall.deed("fail " + m_spine);
            goOn(*run, 150);
            if (said.empty()) said = run->said;
            QVERIFY(!said.empty());
            QCOMPARE(run->said, said);
        }
    }
};

QTEST_GUILESS_MAIN(TestRerouted)
#include "test_rerouted.moc"
