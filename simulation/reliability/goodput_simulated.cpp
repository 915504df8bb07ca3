// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/reliability/goodput.h"

#include "core/foundation/base/parallel.h"
#include "simulation/reliability/goodput_run.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>

namespace hw::sim {
inline namespace reliability {

namespace {

constexpr std::size_t kRuns = 256; ///< fixed, so that the result does not depend on threads

Result<void> refuse(const char* key, TextId what) { return fail(ErrorCode::Refused, key, what, i18n("correct the value")); }

Result<void> validate(const GoodputCase& c, const MonteCarloSettings& s)
{
    const auto share = [](double x) { return x >= 0 && x <= 1; };
    const auto time = [](double x) { return x >= 0 && std::isfinite(x); };
    if (!(c.mtbfS > 0) || !std::isfinite(c.mtbfS)) return refuse("mtbf", TextId("must be greater than 0"));
    if (!time(c.intervalS)) return refuse("interval", TextId("must be 0 or more"));
    if (!time(c.saveS) || !time(c.drainS)) return refuse("save", TextId("must be 0 or more"));
    if (c.saveS <= 0 && c.intervalS <= 0) return refuse("save", TextId("of 0 s has no optimum interval"));
    const auto& r = c.recovery;
    if (!time(r.detectS) || !time(r.restartS) || !time(r.initS) || !time(r.restoreS)) return refuse("recovery", TextId("must be 0 or more"));
    if (!share(c.toleratedShare) || !time(c.toleratedStallS)) return refuse("tolerated", TextId("must be a share from 0 to 1 and a duration"));
    if (!share(c.recall)) return refuse("recall", TextId("must be from 0 to 1"));
    if (!share(c.precision) || (c.recall > 0 && c.precision <= 0)) return refuse("precision", TextId("must be above 0 and no more than 1"));
    if (!time(c.plannedS) || !time(c.hostRepairS)) return refuse("hosts", TextId("must be durations of 0 or more"));
    // A fault in a recovery starts it again: e^{R/M} tries.
    if (r.totalS() * c.stoppingPerS() > 12)
        return fail(ErrorCode::Refused, "recovery", i18n("exceeds the time between faults by so much that the job never runs"),
                    i18n("shorten it or use fewer GPUs"));
    // Events that the runs have to walk through; whole intervals without one are skipped.
    const double stopping = c.stoppingPerS(), other = c.predictedPerS() + c.falseAlarmsPerS() + c.toleratedPerS();
    const double faults = stopping > 0 ? stopping : c.predictedPerS() + c.toleratedPerS();
    if (double(s.failures) * (1 + other / faults) > 2e9) return refuse("failures", TextId("require more than 2e9 events at these shares"));
    if (!time(s.timelineS) || s.timelineS > 1e6 * (c.effectiveIntervalS() + c.saveS))
        return refuse("timeline", TextId("must be no more than one million intervals"));
    if (s.failures < kRuns || s.failures > 1'000'000'000) return refuse("failures", TextId("must be from 256 to 1e9"));
    return {};
}

void pool(const std::vector<GoodputRun::Tally>& runs, GoodputResult& result)
{
    double total = 0, effective = 0;
    for (const auto& run : runs) {
        total += run.totalS();
        effective += run.seconds[0];
        for (std::size_t k = 0; k < kJobTimes; ++k) result.share[k] += run.seconds[k];
        result.stoppingFaults += run.stoppingFaults;
        result.toleratedFaults += run.toleratedFaults;
        result.predictedFaults += run.predictedFaults;
        result.falseAlarms += run.falseAlarms;
        result.saves += run.saves;
    }
    for (auto& s : result.share) s /= total;
    result.simulatedS = total;
    result.goodput = effective / total;
    double squares = 0; // of a ratio of means (W. Cochran, Sampling Techniques, 6.4)
    for (const auto& run : runs) squares += std::pow(run.seconds[0] - result.goodput * run.totalS(), 2);
    const double n = double(runs.size());
    result.standardError = std::sqrt(squares / (n * (n - 1))) / (total / n);
}

} // namespace

Result<GoodputResult> simulateGoodput(const GoodputCase& c, const MonteCarloSettings& settings, const Progress& progress)
{
    if (const auto valid = validate(c, settings); !valid) return tl::unexpected(valid.error());
    const std::uint64_t faultsEach = (settings.failures + kRuns - 1) / kRuns;
    std::vector<GoodputRun::Tally> runs(kRuns);
    GoodputResult result;
    std::atomic<std::size_t> done{0};
    using Clock = std::chrono::steady_clock;
    struct Reporter {
        bool reports;
        Clock::time_point reported;
    };
    parallelFor(
        kRuns, {.threads = unsigned(std::max(settings.threads, 0)), .stop = progress.stop},
        [](unsigned thread) {
            return Reporter{thread == 0, Clock::now()};
        },
        [&](Reporter& reporter, std::size_t i) {
            GoodputRun run(c, settings.seed, i, 0);
            if (!run.run(faultsEach, progress.stop)) return;
            runs[i] = run.tally();
            ++done;
            if (reporter.reports && Clock::now() - reporter.reported > std::chrono::milliseconds(200)) {
                reporter.reported = Clock::now();
                progress.report(double(done) / kRuns, "goodput");
            }
        });
    if (settings.timelineS > 0) { // a run of its own, so that watching changes no number
        GoodputRun watched(c, settings.seed, kRuns, settings.timelineS);
        if (watched.run(1, progress.stop)) result.timeline = watched.timeline();
    }
    if (progress.stopRequested()) return fail(ErrorCode::Canceled, "goodput", i18n("stopped"));
    pool(runs, result);
    result.intervalS = c.effectiveIntervalS();
    result.closedForm = goodputClosed(c);
    return result;
}

} // namespace reliability
} // namespace hw::sim
