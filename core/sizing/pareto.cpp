// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sizing/parts_of_size.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include <fmt/format.h>

namespace hw::sizing {

std::array<double, 9> SizedDesign::objectives() const
{
    return {toCurrency(price.total), double(switches),       oversubscription, failure.rank(), toWatts(powerAtBasis()),
            sizeObjective,           railsApart ? 1.0 : 0.0, -teraflops,       -accessGbps};
}

/// Accelerators of different classes do not run each other's jobs, so neither beats the other.
bool dominates(const SizedDesign& a, const SizedDesign& b)
{
    if (a.acceleratorClass != b.acceleratorClass) return false;
    const auto x = a.objectives(), y = b.objectives();
    bool better = false;
    for (std::size_t i = 0; i < x.size(); ++i) {
        if (x[i] > y[i]) return false;
        better = better || x[i] < y[i];
    }
    return better;
}

namespace {

std::string percentLess(double better, double worse)
{
    const double percent = worse > 0 ? 100.0 * (worse - better) / worse : 0.0;
    return percent < 0.1 ? std::string("under 0.1 %") : fmt::format("{:.1f} %", percent);
}

/// "cheaper by 12.0 %, 64 switches fewer, ...": what the better one has over the other.
std::string advantages(const SizedDesign& better, const SizedDesign& worse)
{
    const auto a = better.objectives(), b = worse.objectives();
    std::string text;
    const auto add = [&](const std::string& piece) { text += (text.empty() ? "" : ", ") + piece; };
    if (a[0] < b[0]) add(percentLess(a[0], b[0]) + " cheaper");
    if (a[1] < b[1]) add(fmt::format("{} switches fewer", grouped(worse.switches - better.switches)));
    if (a[2] < b[2]) add(fmt::format("{:.3g}:1 instead of {:.3g}:1", a[2], b[2]));
    if (a[3] < b[3]) {
        if (worse.failure.jobStops && !better.failure.jobStops)
            add("no job stops when an access switch fails");
        else
            add(fmt::format("an access switch takes {:.2f} % of the accelerators instead of {:.2f} %", 100 * better.failure.acceleratorShare,
                            100 * worse.failure.acceleratorShare));
    }
    if (a[4] < b[4]) add(percentLess(a[4], b[4]) + " less power");
    if (a[5] < b[5]) add(fmt::format("{} accelerators instead of {}", grouped(better.accelerators), grouped(worse.accelerators)));
    if (a[6] < b[6]) add("rails are joined");
    if (a[7] < b[7]) add(fmt::format("{:.4g} TFLOPS an accelerator instead of {:.4g}", better.teraflops, worse.teraflops));
    if (a[8] < b[8]) add(fmt::format("{:.4g}G an accelerator instead of {:.4g}G", better.accessGbps, worse.accessGbps));
    return text;
}

std::string nameOf(const SizedDesign& design) { return design.templateName + (design.variant.empty() ? "" : " (" + design.variant + ")"); }

} // namespace

/// A dominated design names the cheapest Pareto-optimal one that is nowhere worse; as dominance is
/// transitive and the designs are finite, there is one.
void rank(std::vector<SizedDesign>& designs)
{
    for (auto& design : designs) {
        design.pareto = std::none_of(designs.begin(), designs.end(), [&](const SizedDesign& other) { return dominates(other, design); });
        design.dominatedBy.reset();
        design.explanation.clear();
    }
    const auto order = [](const SizedDesign& d) { // what is asked for as "GPUs" stands before anything else
        return std::make_tuple(!d.pareto, d.acceleratorClass != "gpu", std::cref(d.acceleratorClass), std::min(d.sizeObjective, 0.0),
                               d.price.total.count(), std::cref(d.templateName), std::cref(d.parameters));
    };
    std::stable_sort(designs.begin(), designs.end(), [&](const SizedDesign& a, const SizedDesign& b) { return order(a) < order(b); });
    for (auto& design : designs) {
        if (design.pareto) continue;
        for (std::size_t i = 0; i < designs.size() && designs[i].pareto; ++i)
            if (dominates(designs[i], design)) {
                design.dominatedBy = i;
                design.explanation = fmt::format("{} is nowhere worse: {}", nameOf(designs[i]), advantages(designs[i], design));
                break;
            }
    }
}

} // namespace hw::sizing
