// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/watch/event_output.h"
#include "tests/watch/fault_table.h"

#include <QTest>

#include <cstdio>

#include <fmt/format.h>

using namespace hw;

namespace {

FaultRun fastRun()
{
    FaultRun run;
    run.options.pollS = 4;
    run.options.seed = 7;
    run.options.startMs = 1'800'000'000'000;
    return run;
}

} // namespace

/// Causes from values alone: an emulated hall, 5 % of its sensors missing, noise, jobs that swing.
class TestCauses : public QObject {
    Q_OBJECT
private slots:
    void healthy()
    {
        for (const unsigned seed : {7u, 8u}) {
            const auto figures = designOf("nvl72", {{"segments", "1"}, {"networks", "backend"}});
            FaultRun run = fastRun();
            run.options.seed = seed;
            Emulated hall(figures, run.options);
            watch::Watch watch;
            watch.design(figures, hall.bound());
            hall.missing(5);
            int alarms = 0, deviations = 0;
            for (const watch::Event& e : hall.watch(watch, 300)) {
                alarms += e.kind == watch::Event::Kind::Alarm, deviations += e.kind == watch::Event::Kind::Deviation;
                if (e.kind == watch::Event::Kind::Alarm || e.kind == watch::Event::Kind::Deviation)
                    fmt::print("{}\n", words(watch::eventText(e, *figures)));
            }
            fmt::print("healthy {}: {} alarms, {} deviations\n", seed, alarms, deviations);
        }
    }
    void table()
    {
        const auto figures = designOf("nvl72", {{"segments", "1"}, {"networks", "backend"}});
        auto cases = oneOfEachKind(figures);
        if (qEnvironmentVariableIsSet("HALLWRIGHT_PAIRS"))
            for (const FaultCase& pair : pairsOf(oneOfEachKind(figures))) cases.push_back(pair);
        std::vector<FaultFound> rows;
        for (const FaultCase& fault : cases) {
            if (qEnvironmentVariableIsSet("HALLWRIGHT_ONLY") && fault.kind.find(qgetenv("HALLWRIGHT_ONLY").toStdString()) == std::string::npos)
                continue;
            rows.push_back(tryFault(figures, fault, fastRun()));
            if (!rows.back().all) fmt::print("{}: {}\n", fault.kind, rows.back().said);
            for (const auto& at : rows.back().located) fmt::print("    {}\n", at);
        }
        fmt::print("{}", tableOf(rows));
        std::fflush(stdout);
    }
};

QTEST_GUILESS_MAIN(TestCauses)
#include "test_causes.moc"
