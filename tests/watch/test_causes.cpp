// SPDX-License-Identifier: GPL-3.0-or-later
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
