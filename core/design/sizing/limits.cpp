// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/sizing/largest_fit.h"

#include <algorithm>
#include <cmath>

namespace hw::sizing {

namespace {

constexpr int kMostLooks = 16; ///< designs that are looked at whole in the search for the largest one

double worstShare(const SizedDesign& design)
{
    double worst = 0;
    for (const auto& use : design.limits) worst = std::max(worst, use.share);
    return worst;
}

LimitUse hallUse(const SizeLimits::Hall& hall, const SizedDesign& design)
{
    const double longer = std::max(hall.lengthM, hall.widthM), shorter = std::min(hall.lengthM, hall.widthM);
    double share = double(std::max<std::size_t>(design.hallsM.size(), 1));
    std::array<double, 2> largest{0, 0};
    for (const auto& size : design.hallsM) largest = {std::max(largest[0], size[0]), std::max(largest[1], size[1])};
    if (design.hallsM.size() == 1) share = std::max(largest[0] / longer, largest[1] / shorter);
    const Text taken = design.hallsM.size() == 1 ? i18n("{:.1f} x {:.1f} m", largest[0], largest[1])
                                                 : i18np(design.hallsM.size(), "{} hall, largest {:.1f} x {:.1f} m",
                                                         "{} halls, largest {:.1f} x {:.1f} m", largest[0], largest[1]);
    return {"hall", i18n("hall"), taken, i18n("{:.4g} x {:.4g} m", longer, shorter), share};
}

} // namespace

std::optional<HallRoom> roomOf(const SizeLimits& limits)
{
    if (!limits.hall) return std::nullopt;
    return HallRoom{std::int32_t(limits.hall->lengthM * 1000), std::int32_t(limits.hall->widthM * 1000)};
}

std::vector<LimitUse> limitUses(const SizeLimits& limits, const SizedDesign& design)
{
    std::vector<LimitUse> uses;
    if (limits.megawatts) {
        const double watt = toWatts(design.powerOfAll[std::size_t(design.basis)]) * (limits.facility ? design.pue : 1.0);
        uses.push_back({limits.facility ? "facility power" : "power", // no text
                        limits.facility ? i18n("facility power") : i18n("power"), powerText(watt), powerText(*limits.megawatts * 1e6),
                        watt / (*limits.megawatts * 1e6)});
    }
    if (limits.racks)
        uses.push_back({"racks", i18n("racks"), grouped(design.racks), grouped(*limits.racks), double(design.racks) / double(*limits.racks)});
    if (limits.hall) uses.push_back(hallUse(*limits.hall, design));
    return uses;
}

Text tooMuch(const SizedDesign& design)
{
    std::vector<Text> passed;
    for (const auto& use : design.limits)
        if (use.share > 1 + 1e-9) passed.push_back(i18n("{} {} of {}", use.label, use.taken, use.limit));
    return listed(std::move(passed));
}

namespace {

class FitSearch {
public:
    FitSearch(TemplateCounter& counter, const GrowthPath& path, const Describe& describe) : m_counter(counter), m_path(path), m_describe(describe) {}

    LargestFit run(std::int64_t reach)
    {
        LargestFit out;
        auto low = look(1), high = look(reach);
        if (!low || !high) {
            out.reason = m_reason;
            return out;
        }
        if (!tooMuch(*low).empty()) {
            out.tooLarge = true;
            out.reason = i18n("smallest design, {:L} accelerators, does not fit: {}", low->accelerators, tooMuch(*low));
            return out;
        }
        if (tooMuch(*high).empty()) {
            out.design = std::move(high);
            return out;
        }
        for (int looks = 0; looks < kMostLooks; ++looks) {
            const auto between = pick(*low, *high, looks % 4 == 3);
            if (!between) break;
            auto next = look(*between);
            if (!next) break;
            (tooMuch(*next).empty() ? low : high) = std::move(next);
        }
        low->binding = i18n("{} in the next larger design, {:L} accelerators", tooMuch(*high), high->accelerators);
        out.design = std::move(low);
        return out;
    }

private:
    std::optional<SizedDesign> look(std::int64_t accelerators)
    {
        const auto grown = smallestReaching(m_counter, m_path, accelerators);
        m_reason = grown.reason;
        if (!grown.values) return std::nullopt;
        auto design = m_describe(*grown.values);
        if (!design) m_reason = reasonOf(design.error());
        return design ? std::optional(std::move(*design)) : std::nullopt;
    }

    /// A number of accelerators whose smallest design lies between the two: where the limit would be passed if what a
    /// design takes grew evenly, or halfway.
    std::optional<std::int64_t> pick(const SizedDesign& low, const SizedDesign& high, bool halfway)
    {
        const double a = worstShare(low), b = worstShare(high), share = halfway || !(b > a) ? 0.5 : (1 - a) / (b - a);
        auto wanted = std::clamp(low.accelerators + std::int64_t(share * double(high.accelerators - low.accelerators)), low.accelerators + 1,
                                 high.accelerators);
        for (;;) {
            const auto grown = smallestReaching(m_counter, m_path, wanted);
            if (grown.values && grown.accelerators < high.accelerators) return grown.accelerators;
            if (wanted == low.accelerators + 1) return std::nullopt;
            wanted = std::max(low.accelerators + 1, wanted - std::max<std::int64_t>(1, (wanted - low.accelerators) / 4));
        }
    }

    TemplateCounter& m_counter;
    const GrowthPath& m_path;
    const Describe& m_describe;
    Text m_reason;
};

} // namespace

LargestFit largestFit(TemplateCounter& counter, const GrowthPath& path, std::int64_t reach, const Describe& describe)
{
    return FitSearch(counter, path, describe).run(reach);
}

} // namespace hw::sizing
