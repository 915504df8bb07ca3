// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/reliability/prediction_trial.h"

#include "simulation/random.h"
#include "simulation/reliability/faults.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace hw::sim {
inline namespace reliability {

namespace {

using prediction::Counts;
using prediction::kSigns;
using prediction::Sign;
using prediction::Signs;

constexpr std::int64_t kDayMs = 86'400'000;

/// Failing component of a host; signs per day: xid, corrected and uncorrected ECC, PCIe replays, link errors, flaps, hot hours (assumed).
enum class Part : std::uint8_t { Memory, Gpu, Network, Cooling, Board, None };
constexpr Counts kAnnounced[] = {{0.5, 200, 0.5, 1, 0, 0, 0}, {2, 5, 0.1, 20, 0, 0, 0},    {0, 0, 0, 2, 2000, 2, 0},
                                 {0.5, 5, 0, 1, 0, 0, 8},     {0.3, 5, 0, 100, 0, 0, 0.2}, {}};
constexpr Counts kUsual = {0.005, 2, 0.001, 1, 20, 0.01, 0.1}; ///< of a host without a fault
constexpr double kHostSpread = 0.8, kFaultSpread = 0.8;        ///< standard deviation of the logarithm of both, from host to host and fault to fault
constexpr double kBenignShare = 0.5;                           ///< of the rate of signs before a fault

/// By the components of the Llama 3 log; other than hardware: no signs.
Part partOf(const std::string& component)
{
    const auto is = [&](std::string_view word) { return component.find(word) != std::string::npos; };
    if (is("thermal")) return Part::Cooling;
    if (is("HBM3") || is("SRAM")) return Part::Memory;
    if (is("GPU")) return Part::Gpu;
    if (is("cable") || is("NIC")) return Part::Network;
    if (is("SSD") || is("Power supply") || is("chassis") || is("I/O") || is("CPU") || is("System memory")) return Part::Board; // no text
    return Part::None;
}

class SignDraw : public Random {
public:
    using Random::Random;
    double poisson(double mean)
    {
        if (!(mean > 0)) return 0;
        if (mean > 50) return std::max(0.0, std::round(mean + std::sqrt(mean) * normal()));
        double product = uniform(), count = 0;
        for (const double limit = std::exp(-mean); product > limit; ++count) product *= uniform();
        return count;
    }
    double normal()
    {
        const double u = std::max(uniform(), 0x1p-53);
        return std::sqrt(-2 * std::log(u)) * std::cos(2 * std::numbers::pi * uniform());
    }
    Part part()
    {
        const auto& causes = llama3Causes();
        double at = uniform() * faultsOf(causes);
        for (const auto& cause : causes)
            if ((at -= cause.faults) < 0) return partOf(cause.component);
        return Part::None;
    }
};

/// One host from day to day.
class Playing {
public:
    Playing(const PredictionCase& c, const prediction::HazardModel& model, std::uint64_t host)
        : m_case(c), m_model(model), m_random(c.seed, host), m_usual(std::exp(kHostSpread * m_random.normal()))
    {
        nextFault(0);
        nextBenign(0);
    }

    /// From `day` to the next; adds to what is known of predictions.
    void pass(int day, prediction::Quality& quality)
    {
        const double end = day + 1;
        while (m_fault < end) {
            ++quality.faults, ++quality.missed;
            m_signs.clear(msOf(m_fault));
            nextFault(m_fault);
        }
        const auto at = msOf(end);
        for (std::size_t i = 0; i < kSigns; ++i) {
            double rate = kUsual[i] * m_usual;
            if (m_announced && m_fault - m_lead < end)
                rate += kAnnounced[std::size_t(m_part)][i] * m_strength * std::min(1.0, end - (m_fault - m_lead));
            if (m_benign < end) rate += kBenignShare * kAnnounced[std::size_t(m_benignPart)][i];
            m_signs.add(Sign(i), at, m_random.poisson(rate), m_model.halfLifeDays);
        }
        if (m_benign < end) nextBenign(end);
        if (!m_model.predicts(m_signs.excess(at, m_model.halfLifeDays))) return;
        if (m_fault <= end + m_model.horizonDays) {
            ++quality.faults, ++quality.right;
            quality.warningH += 24 * (m_fault - end);
            nextFault(end);
        } else {
            ++quality.falseAlarms;
        }
        m_signs.clear(at); // checked
    }

    [[nodiscard]] PredictionTrial::Host state() const
    {
        const auto at = msOf(m_case.days);
        return {m_signs.excess(at, m_model.halfLifeDays), m_signs.firstMs() > 0 ? double(at - m_signs.firstMs()) / double(kDayMs) : 0,
                m_fault - m_case.days};
    }

    /// For the ranking: how likely it fails as of the end of `day`.
    [[nodiscard]] double ratio(int day) const { return m_model.ratio(m_signs.excess(msOf(day + 1), m_model.halfLifeDays)); }
    [[nodiscard]] bool failsAfter(int day) const { return m_fault <= day + 1 + m_model.horizonDays; }
    [[nodiscard]] bool hasSignsOfFault(int day) const { return m_announced && m_fault - m_lead < day + 1; }

private:
    static std::int64_t msOf(double days) { return std::int64_t(days * double(kDayMs)); }
    void nextFault(double from)
    {
        m_fault = from + m_random.exponential(365 / m_model.perHostYear);
        m_part = m_random.part();
        m_announced = m_part != Part::None && m_random.uniform() < m_case.announcedShare;
        m_lead = std::min(m_random.exponential(m_case.leadDays), m_fault - from);
        m_strength = std::exp(kFaultSpread * m_random.normal());
    }
    void nextBenign(double from)
    {
        m_benign = m_case.benignPerHostYear > 0 ? from + m_random.exponential(365 / m_case.benignPerHostYear) : INFINITY;
        m_benignPart = Part(m_random.below(std::uint64_t(Part::None)));
    }

    const PredictionCase& m_case;
    const prediction::HazardModel& m_model;
    SignDraw m_random;
    double m_usual = 1;
    double m_fault = 0, m_lead = 0, m_strength = 1, m_benign = 0; ///< days
    Part m_part = Part::None, m_benignPart = Part::None;
    bool m_announced = false;
    Signs m_signs;
};

constexpr int kRankedFrom = 30, kRankedEvery = 7; ///< days of the ranking

/// Precision of the first hosts of the ranking, on the same history without drains.
std::vector<PredictionTrial::Top> topsOf(const PredictionCase& c, prediction::HazardModel model)
{
    model.threshold = 2; // drains nothing
    struct Seen {
        double ratio = 0;
        bool fails = false, signs = false;
    };
    std::vector<std::vector<Seen>> days;
    prediction::Quality unused;
    for (int host = 0; host < c.hosts; ++host) {
        Playing playing(c, model, std::uint64_t(host));
        for (int day = 0; day < c.days; ++day) {
            playing.pass(day, unused);
            if (day < kRankedFrom || day % kRankedEvery != 0) continue;
            const auto at = std::size_t(day / kRankedEvery);
            if (days.size() <= at) days.resize(at + 1);
            const bool fails = playing.failsAfter(day);
            days[at].push_back({playing.ratio(day), fails, fails && playing.hasSignsOfFault(day)});
        }
    }
    std::erase_if(days, [](const auto& day) { return day.empty(); });
    std::vector<PredictionTrial::Top> out;
    if (days.empty()) return out;
    for (auto& day : days) std::ranges::stable_sort(day, std::greater(), &Seen::ratio);
    for (const int hosts : {10, 50}) {
        PredictionTrial::Top top{std::min(hosts, c.hosts)};
        for (const auto& day : days) {
            const auto first = std::size_t(top.hosts);
            const double fails = double(std::ranges::count(day, true, &Seen::fails));
            const double shown = std::min(double(top.hosts), double(std::ranges::count(day, true, &Seen::signs)));
            const double others = double(day.size()) - shown;
            top.precision +=
                double(std::count_if(day.begin(), day.begin() + std::ptrdiff_t(first), [](const Seen& s) { return s.fails; })) / top.hosts;
            top.limit += (shown + (others > 0 ? (top.hosts - shown) * (fails - shown) / others : 0)) / top.hosts;
            top.atRandom += fails / double(day.size());
        }
        const auto n = double(days.size());
        top.precision /= n, top.limit /= n, top.atRandom /= n;
        if (out.empty() || out.back().hosts < top.hosts) out.push_back(top);
    }
    return out;
}

} // namespace

Result<PredictionTrial> tryPrediction(const PredictionCase& c, const prediction::HazardModel& model, const Progress& progress)
{
    PredictionTrial out;
    for (int host = 0; host < c.hosts; ++host) {
        if (progress.stopRequested()) return fail(ErrorCode::Canceled, "fault-prediction", i18n("stopped"), i18n("no result"));
        Playing playing(c, model, std::uint64_t(host));
        for (int day = 0; day < c.days; ++day) playing.pass(day, out.quality);
        out.hosts.push_back(playing.state());
    }
    if (out.quality.right > 0) out.quality.warningH /= out.quality.right;
    if (c.tops) out.tops = topsOf(c, model);
    return out;
}

Result<prediction::Prediction> emulatedPrediction(const Figures& design, int days, std::uint64_t seed, const Progress& progress)
{
    prediction::Prediction out;
    out.model = prediction::HazardModel::of(*design.snapshot);
    const auto hosts = prediction::gpuHosts(design);
    PredictionCase c;
    c.hosts = int(hosts.size()), c.days = days, c.seed = seed;
    const auto trial = tryPrediction(c, out.model, progress);
    if (!trial) return tl::unexpected(trial.error());
    out.quality = trial->quality;
    for (std::size_t i = 0; i < hosts.size(); ++i) {
        const auto& one = trial->hosts[i];
        prediction::Likely host;
        host.host = hosts[i], host.name = design.snapshot->devices.name[hosts[i]], host.counts = one.counts;
        host.ratio = out.model.ratio(one.counts), host.probability = out.model.probability(one.counts),
        host.predicted = out.model.predicts(one.counts);
        host.failed = one.faultInDays <= out.model.horizonDays;
        out.hosts.push_back(std::move(host));
    }
    prediction::rank(out.hosts);
    return out;
}

} // namespace reliability
} // namespace hw::sim
