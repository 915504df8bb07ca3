// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/sizing/parts_of_size.h"

#include <algorithm>
#include <cmath>
#include <functional>

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

Text percentLess(double better, double worse)
{
    const double percent = worse > 0 ? 100.0 * (worse - better) / worse : 0.0;
    return percent < 0.1 ? i18n("less than 0.1 %") : i18n("{:.1f} %", percent);
}

/// "cheaper by 12.0 %, 64 switches fewer, ...": what the better one has over the other.
Text advantages(const SizedDesign& better, const SizedDesign& worse)
{
    const auto a = better.objectives(), b = worse.objectives();
    std::vector<Text> pieces;
    const auto add = [&](Text piece) { pieces.push_back(std::move(piece)); };
    if (a[0] < b[0]) add(i18n("{} lower cost", percentLess(a[0], b[0])));
    if (a[1] < b[1]) add(i18np(worse.switches - better.switches, "{:L} fewer switch", "{:L} fewer switches"));
    if (a[2] < b[2]) add(i18n("{:.3g}:1 instead of {:.3g}:1 oversubscription", a[2], b[2]));
    if (a[3] < b[3]) {
        if (worse.failure.jobStops && !better.failure.jobStops)
            add(i18n("no job stops when an access switch fails"));
        else
            add(i18n("an access switch failure affects {:.2f} % of the accelerators instead of {:.2f} %", 100 * better.failure.acceleratorShare,
                     100 * worse.failure.acceleratorShare));
    }
    if (a[4] < b[4]) add(i18n("{} less power", percentLess(a[4], b[4])));
    if (a[5] < b[5]) add(i18n("{:L} accelerators instead of {:L}", better.accelerators, worse.accelerators));
    if (a[6] < b[6]) add(i18n("rails are interconnected"));
    if (a[7] < b[7]) add(i18n("{:.4g} TFLOPS per accelerator instead of {:.4g}", better.teraflops, worse.teraflops));
    if (a[8] < b[8]) add(i18n("{:.4g}G per accelerator instead of {:.4g}G", better.accessGbps, worse.accessGbps));
    return listed(std::move(pieces));
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
        design.explanation = {};
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
                design.explanation = i18n("{} is better or equal in every respect: {}", nameOf(designs[i]), advantages(designs[i], design));
                break;
            }
    }
}

} // namespace hw::sizing
