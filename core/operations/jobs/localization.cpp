// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/jobs/localization.h"

#include "core/derived/figures/figures.h"
#include "core/derived/topology/nic_ports.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace hw::jobs {

namespace {

constexpr double kFarRank = 1.15;                            ///< of the median of all ranks (assumed: ranks of one job differ by less)
constexpr double kOfIteration = 0.02;                        ///< of the reference, that a difference must be to count (assumed)
constexpr double kFarAlone = 1.3, kOfIterationAlone = 0.002; ///< the same while the job as a whole is not slow
constexpr double kHostShare = 0.5;                           ///< of a host's ranks that are slow: it is the host, not a GPU
constexpr double kManyHosts = 0.25;                          ///< of all hosts: it is no host, but what they share

struct Outlier {
    int rank = 0, gpu = 0;
    Maybe<DeviceId> host;
    double value = 0;
    std::int64_t sinceMs = 0;
};

/// Since when the readings of a rank are above the limit without a break; of one that is below it just now, since the first of late. 0: no readings.
std::int64_t aboveSince(const JobSeries* all, JobMeasure measure, double limit)
{
    const auto at = all ? all->find(measure) : JobSeries::const_iterator();
    if (!all || at == all->end() || at->second.empty()) return 0;
    const auto& series = at->second;
    const auto above = [&](const JobReading& one) { return one.value > limit; };
    auto last = std::find_if(series.rbegin(), series.rend(), above);
    if (last == series.rend()) return series.back().timeMs;
    while (std::next(last) != series.rend() && above(*std::next(last))) ++last;
    return last->timeMs;
}

JobMeasure measureOf(double RankTimes::*what)
{
    return what == &RankTimes::computeS ? JobMeasure::ComputeTime : what == &RankTimes::sendS ? JobMeasure::SendTime : JobMeasure::DataWait;
}

class Locating {
public:
    Locating(const Figures& f, const JobState& job, const std::vector<RankTimes>& ranks) : m_f(f), m_s(*f.snapshot), m_job(job), m_ranks(ranks)
    {
        for (const auto& one : ranks)
            if (one.host) ++m_ofHost[*one.host];
    }

    std::vector<JobCause> find()
    {
        computing();
        sending();
        waiting();
        checkpoints();
        std::ranges::stable_sort(m_out, std::greater(), &JobCause::extraS);
        if (m_out.empty() && (m_job.slow || m_job.stalled)) unlocated();
        return std::move(m_out);
    }

private:
    std::vector<Outlier> outliers(double RankTimes::*what, double& median) const
    {
        std::vector<double> all;
        for (const auto& one : m_ranks)
            if (one.*what >= 0) all.push_back(one.*what);
        median = medianOf(all);
        std::vector<Outlier> out;
        if (all.size() < 3) return out;
        const double far = m_job.slow ? kFarRank : kFarAlone, least = (m_job.slow ? kOfIteration : kOfIterationAlone) * m_job.referenceS;
        for (const auto& one : m_ranks)
            if (one.*what > far * median && one.*what - median > least)
                out.push_back(
                    {one.rank, one.gpu, one.host, one.*what, aboveSince(one.series, measureOf(what), std::max(far * median, median + least))});
        return out;
    }
    static double worst(const std::vector<Outlier>& some)
    {
        double most = 0;
        for (const auto& one : some) most = std::max(most, one.value);
        return most;
    }
    static std::int64_t since(const std::vector<Outlier>& some)
    {
        std::int64_t first = 0;
        for (const auto& one : some)
            if (one.sinceMs > 0 && (first == 0 || one.sinceMs < first)) first = one.sinceMs;
        return first;
    }
    static std::vector<int> numbers(const std::vector<Outlier>& some)
    {
        std::vector<int> out;
        for (const auto& one : some) out.push_back(one.rank);
        return out;
    }
    std::map<DeviceId, std::vector<Outlier>> byHost(const std::vector<Outlier>& some) const
    {
        std::map<DeviceId, std::vector<Outlier>> out;
        for (const auto& one : some)
            if (one.host) out[*one.host].push_back(one);
        return out;
    }
    bool isHost(DeviceId host, std::size_t slow) const
    {
        const auto all = m_ofHost.find(host);
        return slow > 1 && all != m_ofHost.end() && double(slow) >= kHostShare * all->second;
    }
    std::string name(DeviceId id) const { return m_s.devices.name[id]; }

    void computing()
    {
        double median = -1;
        const auto slow = outliers(&RankTimes::computeS, median);
        for (const auto& [host, ranks] : byHost(slow)) {
            const double most = worst(ranks), extra = most - median;
            if (isHost(host, ranks.size())) {
                m_out.push_back(
                    {CauseKind::Host,
                     ref(host),
                     {},
                     numbers(ranks),
                     extra,
                     i18n("{}: {} ranks compute {:.3g} s per iteration (median of all ranks: {:.3g} s)", name(host), ranks.size(), most, median),
                     i18n("check its power cap, cooling and CPU settings, or replace the host"),
                     {},
                     since(ranks)});
                continue;
            }
            for (const auto& one : ranks)
                m_out.push_back({CauseKind::Gpu,
                                 ref(host),
                                 "gpu" + std::to_string(one.gpu),
                                 {one.rank},
                                 one.value - median,
                                 i18n("{} GPU {}: rank {} computes {:.3g} s per iteration (median of all ranks: {:.3g} s)", name(host), one.gpu,
                                      one.rank, one.value, median),
                                 i18n("check clock, power cap and temperature of the GPU"),
                                 {},
                                 one.sinceMs});
        }
        const double planned = m_job.plan && m_job.slow ? m_job.plan->computeS : 0;
        const double all = median >= 0 ? median : m_job.computeS > 0 ? m_job.computeS : -1;
        if (planned > 0 && all > kSlow * planned)
            m_out.push_back({CauseKind::AllCompute,
                             {},
                             {},
                             {},
                             all - planned,
                             i18n("{}: all ranks compute {:.3g} s per iteration (simulated: {:.3g} s)", m_job.name, all, planned),
                             i18n("check GPU clocks, power caps and coolant temperature of the hall"),
                             {},
                             m_job.slowSinceMs});
    }

    /// The port behind which the NIC of a GPU is: GPUs and NICs in the order of their numbers.
    EntityRef nicOf(DeviceId host, int gpu, std::string& shown)
    {
        std::map<int, std::vector<PortId>> cards;
        m_s.ports.forEach([&](PortId port) {
            const auto network = m_s.ports.network[port];
            if (m_s.ports.device[port] != host || !network || m_s.networks.kind[*network] != NetworkKind::Backend) return;
            cards[m_nics.of(m_s, port).rail].push_back(port);
        });
        if (cards.empty()) return ref(host);
        const int gpus = std::max(1, m_f.parts->device(m_s.devices.type[host]).accelerators);
        auto card = cards.begin();
        std::advance(card, std::clamp(gpu * int(cards.size()) / gpus, 0, int(cards.size()) - 1));
        for (const PortId port : card->second) shown += (shown.empty() ? "" : ", ") + entityName(m_s, *m_f.parts, ref(port));
        return ref(card->second.front());
    }

    void sending()
    {
        double median = -1;
        const auto slow = outliers(&RankTimes::sendS, median);
        const auto hosts = byHost(slow);
        const double planned = m_job.plan && m_job.slow ? m_job.plan->sendS : 0;
        const bool many = !m_job.hosts.empty() && double(hosts.size()) > kManyHosts * double(m_job.hosts.size()) && hosts.size() > 2;
        if (!many)
            for (const auto& [host, ranks] : hosts)
                for (const auto& one : ranks) {
                    std::string shown;
                    const EntityRef port = nicOf(host, one.gpu, shown);
                    m_out.push_back({CauseKind::Link,
                                     port,
                                     {},
                                     {one.rank},
                                     one.value - median,
                                     i18n("{}: rank {} sends for {:.3g} s per iteration (median of all ranks: {:.3g} s)",
                                          shown.empty() ? name(host) : shown, one.rank, one.value, median),
                                     i18n("check the NIC for PCIe link width and speed, lost lanes, a faulty cable and packet loss"),
                                     {},
                                     one.sinceMs});
                }
        const double all = many ? worst(slow) : median >= 0 ? median : m_job.sendS;
        if (many || (planned > 0 && all > kFarRank * planned && all - planned > kOfIteration * m_job.referenceS))
            m_out.push_back({CauseKind::Network,
                             {},
                             {},
                             numbers(slow),
                             all - (planned > 0 ? planned : std::max(0.0, median)),
                             many ? i18n("{}: ranks on {} hosts send for up to {:.3g} s per iteration (median of all ranks: {:.3g} s)", m_job.name,
                                         hosts.size(), all, median)
                                  : i18n("{}: all ranks send for {:.3g} s per iteration (simulated: {:.3g} s)", m_job.name, all, planned),
                             i18n("check the switches and links that these hosts share"),
                             {},
                             many ? since(slow) : m_job.slowSinceMs});
    }

    void waiting()
    {
        double median = -1;
        const auto slow = outliers(&RankTimes::dataWaitS, median);
        const double all = median >= 0 ? median : m_job.dataWaitS;
        if (all > (kSlow - 1) * m_job.referenceS) {
            m_out.push_back(
                {CauseKind::Storage,
                 {},
                 {},
                 {},
                 all,
                 i18n("{}: ranks wait {:.3g} s for data per iteration ({:.3g} % of the reference)", m_job.name, all, all / m_job.referenceS * 100),
                 i18n("check the storage nodes, their links and the data loader workers"),
                 {},
                 m_job.slowSinceMs});
            return;
        }
        for (const auto& [host, ranks] : byHost(slow))
            m_out.push_back(
                {CauseKind::HostData,
                 ref(host),
                 {},
                 numbers(ranks),
                 worst(ranks) - median,
                 i18n("{}: its ranks wait {:.3g} s for data per iteration (median of all ranks: {:.3g} s)", name(host), worst(ranks), median),
                 i18n("check its storage network port, its CPU load and its data loader workers"),
                 {},
                 since(ranks)});
    }

    void checkpoints()
    {
        const double planned = m_job.plan ? m_job.plan->checkpointS : 0;
        if (!(planned > 0) || m_job.checkpointS <= 1.5 * planned) return;
        m_out.push_back({CauseKind::Checkpoint,
                         {},
                         {},
                         {},
                         m_job.checkpointS - planned,
                         i18n("{}: a checkpoint takes {:.3g} s (planned: {:.3g} s)", m_job.name, m_job.checkpointS, planned),
                         i18n("check the storage nodes and the frontend network"),
                         {},
                         m_job.slowSinceMs});
    }

    void unlocated()
    {
        const bool blind = m_ranks.empty();
        JobCause cause;
        cause.extraS = std::max(0.0, m_job.iterationS - m_job.referenceS);
        cause.sinceMs = m_job.slowSinceMs;
        cause.what =
            m_job.stalled ? i18n("{}: no iteration for {:.3g} times the usual duration", m_job.name, 3.0)
            : blind ? i18n("{}: {:.3g} s per iteration (reference: {:.3g} s); no per-rank channels", m_job.name, m_job.iterationS, m_job.referenceS)
                    : i18n("{}: {:.3g} s per iteration (reference: {:.3g} s); no difference between ranks", m_job.name, m_job.iterationS,
                           m_job.referenceS);
        cause.remedy = blind ? i18n("export compute, send and data wait times per rank") : i18n("check the active alarms of the hall");
        m_out.push_back(std::move(cause));
    }

    const Figures& m_f;
    const Snapshot& m_s;
    const JobState& m_job;
    const std::vector<RankTimes>& m_ranks;
    std::map<DeviceId, int> m_ofHost;
    NicPorts m_nics{*m_f.parts};
    std::vector<JobCause> m_out;
};

} // namespace

double medianOf(std::vector<double> values)
{
    if (values.empty()) return -1;
    const auto middle = values.begin() + std::ptrdiff_t(values.size() / 2);
    std::ranges::nth_element(values, middle);
    return *middle;
}

std::vector<JobCause> causesOf(const Figures& design, const JobState& job, const std::vector<RankTimes>& ranks)
{
    return Locating(design, job, ranks).find();
}

} // namespace hw::jobs
