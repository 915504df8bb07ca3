// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/monitoring/evidence/part_silence.h"

#include <algorithm>
#include <limits>
#include <tuple>
#include <utility>

namespace hw::monitoring {

using bindings::PointNo;

namespace {

constexpr std::uint32_t kNoPart = ~0u;
constexpr std::int64_t kLatePart = 3, kLatePartMs = 5000; ///< times its longest interval of late, and so much (assumed)
constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max() / 8;
constexpr std::size_t kLeastReadings = 2; ///< of a part: a single sensor may be at fault

/// When a part was heard last, and how often it is.
struct Heard {
    std::int64_t lastMs = -1, everyMs = 0;
    std::size_t points = 0;
};

} // namespace

void PartSilence::design(const Plans& plans, const bindings::Bound& bound)
{
    m_parts.clear(), m_part.assign(plans.points.size(), kNoPart), m_paces.assign(plans.points.size(), 0);
    std::vector<std::tuple<std::uint32_t, std::int16_t, PointNo>> all;
    for (PointNo p = 0; p < plans.points.size(); ++p) {
        const Plan& plan = plans.points[p];
        if (plan.signal != Signal::Part || bound.points[p].measure == bindings::Measure::Xid) continue;
        all.emplace_back(plan.target, plan.part, p);
        m_paces[p] = bound.points[p].measure == bindings::Measure::ActivePower;
    }
    std::ranges::sort(all);
    for (const auto& [device, number, p] : all) {
        if (m_parts.empty() || m_parts.back().device != device || m_parts.back().number != number) m_parts.push_back({device, number});
        m_parts.back().points.push_back(p), m_part[p] = std::uint32_t(m_parts.size() - 1);
    }
}

std::vector<PointNo> PartSilence::second(std::int64_t atMs, std::span<const PointNo> dirty, const Silence& silence)
{
    std::vector<std::uint32_t> devices;
    for (const PointNo p : dirty)
        if (p < m_part.size() && m_part[p] != kNoPart) devices.push_back(m_parts[m_part[p]].device);
    std::ranges::sort(devices);
    devices.erase(std::unique(devices.begin(), devices.end()), devices.end());
    const auto heard = [&](const Part& part) {
        Heard out{-1, kNever, 0};
        for (const PointNo p : part.points) {
            if (silence.lastMs(p) < 0) continue;
            ++out.points, out.lastMs = std::max(out.lastMs, silence.denies(p) ? atMs : silence.lastMs(p)); // one that has no value answers
            if ((m_paces[p] || silence.repeats(p)) && silence.longestMs(p) > 0) out.everyMs = std::min(out.everyMs, silence.longestMs(p));
        }
        return out;
    };
    std::vector<PointNo> out;
    for (const std::uint32_t device : devices) {
        const auto its = std::ranges::equal_range(m_parts, device, {}, &Part::device);
        std::vector<Heard> all;
        for (const Part& part : its) all.push_back(heard(part));
        for (std::size_t i = 0; i < all.size(); ++i) {
            Part& part = its[i];
            const Heard& one = all[i];
            const bool late = one.points >= kLeastReadings && one.everyMs < kNever && atMs - one.lastMs > kLatePart * one.everyMs + kLatePartMs;
            const auto goOn =
                std::ranges::count_if(all, [&](const Heard& other) { return other.lastMs > one.lastMs + (kLatePart - 1) * one.everyMs; });
            if (!late || 2 * std::size_t(goOn) < all.size()) {
                part.silent = false;
                continue;
            }
            if (std::exchange(part.silent, true)) continue;
            for (const PointNo p : part.points)
                if (silence.lastMs(p) >= 0) out.push_back(p);
        }
    }
    std::ranges::sort(out);
    return out;
}

} // namespace hw::monitoring
