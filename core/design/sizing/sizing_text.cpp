// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/sizing/facility_of_size.h"
#include "core/design/sizing/parts_of_size.h"
#include "core/design/sizing/supply_of_size.h"
#include "core/design/sizing/wrapped.h"

#include <algorithm>
#include <array>
#include <set>

#include <fmt/format.h>

namespace hw::sizing {

namespace {

Text ratio(double value) { return i18n("{:.3g}:1", value); }

Text lossText(const FailureImpact& f)
{
    if (f.tier.empty()) return verbatim("-");
    const double percent = 100 * f.acceleratorShare;
    return f.jobStops ? i18n("{:.2f} % stop", percent) : i18n("{:.2f} %", percent);
}

/// "racks 393 of 400 (98 %)"
std::vector<Text> usesOf(const SizedDesign& d)
{
    std::vector<Text> uses;
    for (const auto& use : d.limits) uses.push_back(i18n("{} {} of {} ({:.0f} %)", use.label, use.taken, use.limit, 100 * use.share));
    return uses;
}

void writeTable(std::string& out, const SizeAnswer& answer)
{
    const bool gpus = std::all_of(answer.designs.begin(), answer.designs.end(), [](const auto& d) { return d.acceleratorClass == "gpu"; });
    out += fmt::format("    {:>3} {:<25} {:>9} {:>5} {:>8} {:>7} {:>9} {:>9} {:>13}\n", "", i18n("design"), gpus ? i18n("GPUs") : i18n("accel."),
                       i18n("tiers"), i18n("switches"), i18n("ratio"), i18n("power"), answer.designs.front().currency, i18n("access loss"));
    for (std::size_t i = 0; i < answer.designs.size(); ++i) {
        const auto& d = answer.designs[i];
        std::set<int> levels;
        for (const auto& tier : d.tiers) levels.insert(tier.level);
        out += fmt::format("  {} {:>3} {:<25} {:>9} {:>5} {:>8} {:>7} {:>9} {:>9} {:>13}\n", d.pareto ? "*" : " ", i + 1,
                           d.templateName.substr(0, 25), grouped(d.accelerators), levels.size(), grouped(d.switches), ratio(d.oversubscription),
                           powerText(toWatts(d.powerAtBasis())), moneyText(toCurrency(d.price.total)), lossText(d.failure));
        std::string under = d.acceleratorClass == "gpu" ? std::string() : words(className(d.acceleratorClass));
        const std::string pue = answer.request.limits.facility ? words(i18n("PUE {:.3f}: {}", d.pue, pueSource(d))) : std::string();
        for (const auto& part : {d.variant, words(listed(usesOf(d))), pue})
            if (!part.empty()) under += (under.empty() ? "" : "; ") + part;
        if (!under.empty()) out += wrapped("          " + under, 10);
    }
    out += fmt::format("  {}\n", i18n("* Pareto-optimal in price, switch count, oversubscription, access-switch loss, power and\n    "
                                      "accelerator count, compared with designs of the same accelerator class, speed and connectivity\n    "
                                      "access loss: accelerators affected by losing one access switch; stop: a job spanning\n    "
                                      "all of them stops"));
}

Text switchesText(const SizedDesign& d)
{
    std::vector<Text> tiers;
    for (const auto& tier : d.tiers) tiers.push_back(i18n("{:L} {} ({})", tier.switches, resourceText(tier.label), ratio(tier.oversubscription)));
    Text text = listed(std::move(tiers));
    if (d.railsApart) text = i18n("{}; separate rails: cross-rail traffic such as all-to-all passes through the hosts", text);
    return d.tierNote.empty() ? text : i18n("{}; {}", text, d.tierNote);
}

Text serversText(const SizedDesign& d)
{
    return d.backupServers ? i18n("{:L} {} with {:.4g} TFLOPS and {:.4g}G per accelerator, plus {:L} backup", d.servers, d.serverType, d.teraflops,
                                  d.accessGbps, d.backupServers)
                           : i18n("{:L} {} with {:.4g} TFLOPS and {:.4g}G per accelerator", d.servers, d.serverType, d.teraflops, d.accessGbps);
}

Text transceiversText(const SizedDesign& d)
{
    std::vector<Text> types;
    for (const auto& [slug, n] : d.cabling.transceivers) types.push_back(i18n("{:L} {}", n, slug));
    return types.empty() ? i18n("none (estimate)") : i18n("{} (estimate)", listed(std::move(types)));
}

Text cablesText(const SizedDesign& d)
{
    Text pieces = i18n("{} in {}", i18np(d.links, "{:L} link", "{:L} links"), i18np(d.cables, "{:L} physical cable", "{:L} physical cables"));
    if (d.panels > 0) pieces = i18np(d.panels, "{1} via {0:L} patch panel", "{1} via {0:L} patch panels", pieces);
    const Text text = i18n("{}, about {:L} km in total, longest about {:.0f} m", pieces, (d.cabling.lengthMm + 500'000) / 1'000'000,
                           double(d.cabling.longestMm) / 1000);
    return d.cabling.beyondReach ? i18n("{}; {:L} beyond the reach of available parts", text, d.cabling.beyondReach) : text;
}

Text portsText(const SizedDesign& d)
{
    std::vector<Text> ports;
    for (const auto& p : d.ports)
        if (p.left() > 0) ports.push_back(i18n("{:L} of {:L} {} {}G", p.left(), p.total, p.tier, p.rate.count()));
    return ports.empty() ? i18n("none") : listed(std::move(ports));
}

Text failureText(const FailureImpact& f)
{
    if (f.tier.empty()) return i18n("no access switch");
    const Text then =
        f.jobStops ? i18n("the job stops") : i18n("the job continues; affected accelerators keep {:.0f} % of their bandwidth", 100 * f.bandwidthLeft);
    return i18n("losing one of {:L} removes {:.3f} % of the NIC ports and affects {:L} accelerators ({:.2f} %); {}", f.switches, 100 * f.nicPortShare,
                f.accelerators, 100 * f.acceleratorShare, then);
}

Text growthText(const SizedDesign& d)
{
    const Text text = i18n("expandable to {:L} accelerators ({:.2f}x)", d.reach, d.accelerators ? double(d.reach) / double(d.accelerators) : 0.0);
    return d.reachLimit.empty() ? text : i18n("{}: {}", text, d.reachLimit);
}

void writeDetails(std::string& out, const SizedDesign& d, std::size_t number)
{
    out += fmt::format("\n{}. {}{}\n", number, resourceText(d.title), d.variant.empty() ? "" : ": " + d.variant);
    const auto value = [&](const Text& label, const Text& text) { out += wrapped(fmt::format("  {:<15} {}", label, text), 18); };
    value(i18n("switches"), switchesText(d));
    value(i18n("servers"), serversText(d));
    value(i18n("racks"), d.racksEstimated ? i18n("{:L} (estimate)", d.racks) : grouped(d.racks));
    if (!d.limits.empty()) value(i18n("limits"), listed(usesOf(d)));
    value(i18n("facility"), i18n("{}; PUE {:.3f}: {}", powerText(toWatts(d.facility)), d.pue, pueSource(d)));
    if (const Text supply = supplyText(d); !supply.empty()) value(i18n("supply"), supply);
    if (!d.binding.empty()) value(i18n("limiting factor"), d.binding);
    value(i18n("transceivers"), transceiversText(d));
    value(i18n("cables"), cablesText(d));
    value(i18n("free ports"), portsText(d));
    value(i18n("price"), i18n("{} {}; {:.0f} % at assumed prices, {:.1f} % based on estimated lengths", moneyText(toCurrency(d.price.total)),
                              d.currency, 100 * d.price.assumedShare(), 100 * d.price.estimatedShare()));
    value(i18n("access switch"), failureText(d.failure));
    value(i18n("growth"), growthText(d));
    Text passed;
    for (const auto& note : d.schedulers) {
        const Text one = i18n("{:L} nodes, {}", note.nodes, note.limit);
        passed = passed.empty() ? one : i18n("{}; {}", passed, one);
    }
    if (!passed.empty()) value(i18n("scheduler"), i18n("{:L} servers exceed {}", d.servers + d.backupServers, passed));
}

Text headText(const SizeAnswer& answer)
{
    const std::int64_t wanted = answer.request.accelerators;
    const Text what = wanted > 0 ? i18np(wanted, "{:L} accelerator", "{:L} accelerators") : i18n("Maximum number of accelerators");
    if (answer.designs.empty()) return i18n("{}: no matching design", what);
    return i18np(answer.designs.size(), "{1}: {0} design", "{1}: {0} designs", what);
}

} // namespace

Text refusalText(Refusal refusal)
{
    switch (refusal) {
    case Refusal::Limit: return i18n("limit exceeded");
    case Refusal::Scale: return i18n("maximum scale exceeded");
    case Refusal::Requirement: return i18n("requirement not met");
    case Refusal::Wiring: return i18n("ports or parts do not match");
    }
    return {};
}

std::string_view refusalWord(Refusal refusal)
{
    constexpr std::array<std::string_view, 4> kWords{"limit", "scale", "requirement", "wiring"};
    return kWords[std::size_t(refusal)];
}

std::string sizeText(const SizeAnswer& answer)
{
    std::string out = fmt::format("{}\n", headText(answer));
    if (!answer.designs.empty()) out += '\n', writeTable(out, answer);
    for (std::size_t i = 0; i < answer.designs.size() && answer.designs[i].pareto; ++i) writeDetails(out, answer.designs[i], i + 1);
    bool heading = false;
    for (std::size_t i = 0; i < answer.designs.size(); ++i) {
        if (answer.designs[i].pareto) continue;
        if (!std::exchange(heading, true)) out += fmt::format("\n{}\n", i18n("Dominated"));
        const auto& d = answer.designs[i];
        const Text why = d.binding.empty() ? d.explanation : i18n("{}; limiting factor: {}", d.explanation, d.binding);
        out += wrapped(fmt::format("  {}. {}", i + 1, why), 5);
    }
    for (const Refusal kind : {Refusal::Limit, Refusal::Scale, Refusal::Requirement, Refusal::Wiring}) {
        const auto refused = std::ranges::count(answer.refused, kind, &RefusedDesign::kind);
        if (refused > 0) out += fmt::format("\n{}\n", i18n("Not feasible: {} ({:L})", refusalText(kind), refused));
        for (const auto& r : answer.refused)
            if (r.kind == kind)
                out += wrapped(fmt::format("  {}{}: {}", r.templateName, r.variant.empty() ? "" : " (" + r.variant + ")", r.reason), 4);
    }
    if (!answer.tierLimits.empty()) out += fmt::format("\n{}\n", i18n("Scale limits"));
    for (const auto& l : answer.tierLimits) {
        const std::string by = l.variant.empty() ? l.templateName : l.templateName + ", " + l.variant;
        out += wrapped(
            "  " + words(i18np(l.tiers, "{} tier: at least {:L} accelerators ({})", "{} tiers: at least {:L} accelerators ({})", l.reach, by)), 4);
    }
    return out;
}

} // namespace hw::sizing
