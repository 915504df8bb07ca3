// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/reliability/goodput_run.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace hw::sim {
inline namespace reliability {

GoodputRun::GoodputRun(const GoodputCase& job, std::uint64_t seed, std::uint64_t stream, double timelineS)
    : m_job(job), m_tauS(job.effectiveIntervalS()), m_timelineS(timelineS), m_stopRate(job.stoppingPerS()),
      m_alarmRate(job.predictedPerS() + job.falseAlarmsPerS()), m_toleratedRate(job.toleratedPerS()), m_random(seed, stream)
{
    m_stopAtS = m_random.exponential(1 / m_stopRate); // a rate of 0: never
    m_workToAlarmS = drawUntilAlarm();
    m_workToStallS = m_random.exponential(1 / m_toleratedRate);
    m_hostBackAtS.assign(std::size_t(std::max(0, job.backupHosts)), 0.0);
}

bool GoodputRun::run(std::uint64_t faults, std::stop_token stop)
{
    const bool everStops = m_stopRate > 0;
    for (;;) {
        if (stop.stop_requested()) return false;
        skipWholeIntervals();
        const bool saved = trainUntilSave();
        if (!saved) recover();
        const std::uint64_t ridden = everStops ? 0 : m_tally.predictedFaults + m_tally.toleratedFaults;
        if (saved != everStops && m_tally.stoppingFaults + ridden >= faults && m_clockS >= m_timelineS) break;
    }
    settle();
    return true;
}

/// Trains to the next save and makes it. False: a stopping fault came.
bool GoodputRun::trainUntilSave()
{
    double left = m_tauS;
    while (left > 0) {
        const double step = std::min({left, m_workToAlarmS, m_workToStallS});
        const double before = m_clockS;
        const bool whole = pass(JobTime::Effective, step);
        const double done = whole ? step : m_clockS - before;
        m_workS += done;
        left -= done;
        m_workToAlarmS -= done;
        m_workToStallS -= done;
        if (!whole) return false;
        if (m_workToStallS <= 0) {
            m_workToStallS = m_random.exponential(1 / m_toleratedRate);
            ++m_tally.toleratedFaults;
            if (!pass(JobTime::Stalled, m_job.toleratedStallS)) return false;
        }
        if (m_workToAlarmS <= 0) return planned();
    }
    return save();
}

bool GoodputRun::save()
{
    if (!pass(JobTime::Saving, m_job.saveS)) return false;
    ++m_tally.saves;
    settle();
    if (m_job.twoStage && m_job.drainS > 0)
        m_draining = Save{m_workS, m_clockS + m_job.drainS};
    else
        m_durableS = m_workS;
    return true;
}

/// A prediction: save, swap the host, go on. Without a free backup host a right one is a fault, a wrong one nothing.
bool GoodputRun::planned()
{
    m_workToAlarmS = drawUntilAlarm();
    const bool right = m_random.uniform() < m_job.precision;
    if (!hostFree()) {
        if (right) m_stopAtS = m_clockS;
        return !right;
    }
    ++(right ? m_tally.predictedFaults : m_tally.falseAlarms);
    takeHost();
    if (!pass(JobTime::Planned, m_job.plannedS)) return false;
    m_draining.reset();
    m_durableS = m_workS;
    return true;
}

/// From one fault to the next, most intervals are alike: count them instead of walking through each.
void GoodputRun::skipWholeIntervals()
{
    if (m_clockS < m_timelineS) return;
    const double cycle = m_tauS + m_job.saveS;
    const double whole = std::floor(std::min({(m_stopAtS - m_clockS) / cycle, m_workToAlarmS / m_tauS, m_workToStallS / m_tauS}) - 1);
    if (!(whole >= 1) || !std::isfinite(whole)) return;
    m_clockS += whole * cycle;
    m_workS += whole * m_tauS;
    m_workToAlarmS -= whole * m_tauS;
    m_workToStallS -= whole * m_tauS;
    m_tally.seconds[std::size_t(JobTime::Saving)] += whole * m_job.saveS;
    m_tally.saves += std::uint64_t(whole);
    m_durableS = m_workS; // the drain of the last save is over before the next (effectiveIntervalS)
    m_draining.reset();
    if (m_job.twoStage && m_job.drainS > 0) {
        m_durableS = m_workS - m_tauS;
        m_draining = Save{m_workS, m_clockS + m_job.drainS};
    }
}

void GoodputRun::settle()
{
    if (!m_draining || m_draining->durableAtS > m_clockS) return;
    m_durableS = m_draining->workS;
    m_draining.reset();
}

/// Back to the last durable save, then through the recovery as often as faults interrupt it.
void GoodputRun::recover()
{
    settle();
    m_draining.reset();
    markLost();
    m_tally.seconds[std::size_t(JobTime::Lost)] += m_workS - m_durableS;
    m_workS = m_durableS;
    for (bool working = false; !working;) {
        ++m_tally.stoppingFaults;
        m_stopAtS = m_clockS + m_random.exponential(1 / m_stopRate);
        if (!pass(JobTime::Detecting, m_job.recovery.detectS)) continue;
        waitForHost();
        working = pass(JobTime::Repairing, m_job.recovery.totalS() - m_job.recovery.detectS);
    }
}

bool GoodputRun::hostFree() const
{
    return m_job.backupHosts < 0 || std::ranges::any_of(m_hostBackAtS, [&](double back) { return back <= m_clockS; });
}

/// The host that failed is the backup to come back after its repair; with no backups at all the job waits for its own.
void GoodputRun::takeHost()
{
    if (m_job.backupHosts <= 0) return;
    *std::ranges::min_element(m_hostBackAtS) = m_clockS + m_job.hostRepairS;
}

void GoodputRun::waitForHost()
{
    if (m_job.backupHosts < 0) return;
    const double back = m_job.backupHosts == 0 ? m_clockS + m_job.hostRepairS : *std::ranges::min_element(m_hostBackAtS);
    if (const double wait = back - m_clockS; wait > 0) {
        m_stopAtS += wait; // nothing runs, nothing fails
        pass(JobTime::WaitingForHost, wait);
    }
    takeHost();
}

bool GoodputRun::pass(JobTime kind, double duration)
{
    const bool whole = m_clockS + duration < m_stopAtS;
    const double spent = whole ? duration : std::max(0.0, m_stopAtS - m_clockS);
    note(kind, spent);
    m_clockS += spent;
    if (kind != JobTime::Effective) m_tally.seconds[std::size_t(kind)] += spent; // work is booked when its fate is known
    return whole;
}

void GoodputRun::note(JobTime kind, double duration)
{
    if (m_clockS < m_timelineS && duration > 0) m_spans.push_back({{m_clockS, m_clockS + duration, kind}, m_workS});
}

/// Work behind the last durable save turns from effective to lost, and a span around that save is cut in two.
void GoodputRun::markLost()
{
    for (std::size_t i = m_spans.size(); i-- > 0;) {
        Span& s = m_spans[i];
        if (s.span.kind != JobTime::Effective) continue;
        const double workAtEnd = s.workAtStart + (s.span.toS - s.span.fromS);
        if (workAtEnd <= m_durableS + 1e-9) return;
        if (s.workAtStart >= m_durableS - 1e-9) {
            s.span.kind = JobTime::Lost;
            continue;
        }
        const double cutS = s.span.fromS + (m_durableS - s.workAtStart);
        const Span lost{{cutS, s.span.toS, JobTime::Lost}, m_durableS};
        s.span.toS = cutS;
        m_spans.insert(m_spans.begin() + std::ptrdiff_t(i) + 1, lost);
        return;
    }
}

double GoodputRun::Tally::totalS() const { return std::accumulate(seconds.begin(), seconds.end(), 0.0); }

GoodputRun::Tally GoodputRun::tally() const
{
    Tally t = m_tally;
    t.seconds[std::size_t(JobTime::Effective)] = m_workS;
    return t;
}

std::vector<JobSpan> GoodputRun::timeline() const
{
    std::vector<JobSpan> spans;
    for (const auto& [span, work] : m_spans) {
        const double toS = std::min(span.toS, m_timelineS);
        if (toS <= span.fromS) continue;
        if (!spans.empty() && spans.back().kind == span.kind)
            spans.back().toS = toS;
        else
            spans.push_back({span.fromS, toS, span.kind});
    }
    return spans;
}

} // namespace reliability
} // namespace hw::sim
