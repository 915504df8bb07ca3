// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/prediction/hazard.h"

#include "core/foundation/model/setting_values.h"
#include "core/foundation/settings/registry.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numbers>

namespace hw::prediction {

namespace {

constexpr double kDayMs = 86'400'000;
/// Counts that hosts without a fault usually stay below: a sign counts in these units (assumed).
constexpr Counts kUsual = {1, 50, 1, 50, 1000, 1, 4};

constexpr double kUsualHalfLifeDays = 30; ///< of the counts that make a host's usual rate (assumed)
constexpr double kPriorDays = 10;         ///< without signs, which a host is taken to have behind it (assumed)
constexpr double kScatter = 2;            ///< standard deviations of a Poisson count that are no excess (assumed)

double daysFrom(std::int64_t from, std::int64_t to) { return double(std::max<std::int64_t>(0, to - from)) / kDayMs; }

/// `read`: the number of a setting.
template <class Read>
HazardModel modelBy(Read read)
{
    HazardModel out;
    out.perHostYear = read("prediction.base_per_host_year");
    out.weights = {read("prediction.weight_xid"),          read("prediction.weight_ecc_corrected"), read("prediction.weight_ecc_uncorrected"),
                   read("prediction.weight_pcie_replays"), read("prediction.weight_link_errors"),   read("prediction.weight_flaps"),
                   read("prediction.weight_hot_hours")};
    out.halfLifeDays = read("prediction.half_life_days"), out.horizonDays = read("prediction.horizon_days");
    out.threshold = read("prediction.threshold_percent") / 100, out.hotC = read("prediction.hot_c");
    return out;
}

} // namespace

Text titleOf(Sign sign)
{
    switch (sign) {
    case Sign::Xid: return i18n("XID errors");
    case Sign::EccCorrected: return i18n("corrected ECC errors");
    case Sign::EccUncorrected: return i18n("uncorrected ECC errors");
    case Sign::PcieReplays: return i18n("PCIe replays");
    case Sign::LinkErrors: return i18n("link errors");
    case Sign::Flaps: return i18n("link flaps");
    case Sign::HotHours: return i18n("hours above the temperature limit");
    }
    return {};
}

HazardModel HazardModel::of(const Snapshot& snapshot)
{
    return modelBy([&](const char* key) { return numberSetting(snapshot, key); });
}

HazardModel HazardModel::standard()
{
    return modelBy([](const char* key) {
        const std::string text = defaultOf(key);
        double value = 0;
        std::from_chars(text.data(), text.data() + text.size(), value);
        return value;
    });
}

double HazardModel::ratio(const Counts& counts) const
{
    double power = 0;
    for (std::size_t i = 0; i < kSigns; ++i) power += weights[i] * std::log1p(std::max(0.0, counts[i]) / kUsual[i]);
    return std::exp(std::min(power, 60.0)); // beyond that the failure is certain
}

double HazardModel::probability(const Counts& counts) const { return -std::expm1(-perHostYear / 365 * horizonDays * ratio(counts)); }

void Signs::add(Sign sign, std::int64_t ms, double count, double halfLifeDays)
{
    if (!(count >= 0) || !std::isfinite(count)) return;
    if (m_startMs == 0) m_startMs = m_clearMs = m_atMs = ms;
    if (count == 0) return;
    const double days = daysFrom(m_atMs, ms), recent = std::exp2(-days / halfLifeDays), old = std::exp2(-days / kUsualHalfLifeDays);
    for (double& one : m_recent) one *= recent;
    for (double& one : m_long) one *= old;
    m_recent[std::size_t(sign)] += count, m_long[std::size_t(sign)] += count;
    m_atMs = std::max(m_atMs, ms);
    if (m_firstMs == 0) m_firstMs = ms;
}

Counts Signs::excess(std::int64_t ms, double halfLifeDays) const
{
    Counts out{};
    if (m_firstMs == 0) return out;
    const double since = daysFrom(m_atMs, ms), recent = std::exp2(-since / halfLifeDays), old = std::exp2(-since / kUsualHalfLifeDays);
    // days that decayed sums stand for: the integral of 2^(-t / half-life)
    const auto weightDays = [&](std::int64_t from, double half) {
        return half / std::numbers::ln2 * -std::expm1(-std::numbers::ln2 * daysFrom(from, ms) / half);
    };
    const double recentDays = weightDays(m_clearMs, halfLifeDays), usualDays = weightDays(m_startMs, kUsualHalfLifeDays);
    for (std::size_t i = 0; i < kSigns; ++i) {
        const double count = m_recent[i] * recent;
        const double usual = std::max(0.0, m_long[i] * old - count) / (std::max(0.0, usualDays - recentDays) + kPriorDays);
        out[i] = std::max(0.0, count - usual * recentDays - kScatter * std::sqrt(usual * weightDays(m_clearMs, halfLifeDays / 2)));
    }
    return out;
}

void Signs::clear(std::int64_t ms) { m_recent = {}, m_clearMs = std::max(m_clearMs, ms), m_firstMs = 0; }

} // namespace hw::prediction
