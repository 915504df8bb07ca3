// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sizing/parts_of_size.h"
#include "core/sizing/wrapped.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

namespace hw::sizing {

namespace {

std::string ratio(double value) { return fmt::format("{:.3g}:1", value); }

std::string lossText(const FailureImpact& f)
{
    return f.tier.empty() ? "-" : fmt::format("{:.2f} %{}", 100 * f.acceleratorShare, f.jobStops ? " stop" : "");
}

/// "racks 393 of 400 (98 %)"
std::string usesText(const SizedDesign& d)
{
    std::string text;
    for (const auto& use : d.limits)
        text += fmt::format("{}{} {} of {} ({:.0f} %)", text.empty() ? "" : ", ", use.name, use.taken, use.limit, 100 * use.share);
    return text;
}

void writeTable(std::string& out, const SizeAnswer& answer)
{
    const bool gpus = std::all_of(answer.designs.begin(), answer.designs.end(), [](const auto& d) { return d.acceleratorClass == "gpu"; });
    out += fmt::format("    {:>3} {:<25} {:>9} {:>5} {:>8} {:>7} {:>9} {:>9} {:>13}\n", "", "design", gpus ? "GPUs" : "accel.", "tiers", "switches",
                       "ratio", "power", answer.designs.front().currency, "access loss");
    for (std::size_t i = 0; i < answer.designs.size(); ++i) {
        const auto& d = answer.designs[i];
        std::set<int> levels;
        for (const auto& tier : d.tiers) levels.insert(tier.level);
        out += fmt::format("  {} {:>3} {:<25} {:>9} {:>5} {:>8} {:>7} {:>9} {:>9} {:>13}\n", d.pareto ? "*" : " ", i + 1,
                           d.templateName.substr(0, 25), grouped(d.accelerators), levels.size(), grouped(d.switches), ratio(d.oversubscription),
                           powerText(toWatts(d.powerAtBasis())), moneyText(toCurrency(d.price.total)), lossText(d.failure));
        std::string under = d.acceleratorClass == "gpu" ? std::string() : className(d.acceleratorClass);
        for (const auto& part : {d.variant, usesText(d)})
            if (!part.empty()) under += (under.empty() ? "" : "; ") + part;
        if (!under.empty()) out += wrapped("          " + under, 10);
    }
    out += "  * Pareto-optimal in price, switches, oversubscription, loss of an access switch, power and\n"
           "    number, against designs of the same class of accelerators that are as fast and as well connected\n"
           "    access loss: accelerators hit by losing one access switch; stop: a job over all of them stops\n";
}

void writeDetails(std::string& out, const SizedDesign& d, std::size_t number)
{
    out += fmt::format("\n{}. {}{}\n", number, d.title, d.variant.empty() ? "" : ": " + d.variant);
    const auto value = [&](const char* label, const std::string& text) { out += wrapped(fmt::format("  {:<15} {}", label, text), 18); };
    std::string text;
    for (const auto& tier : d.tiers)
        text += fmt::format("{}{} {} ({})", text.empty() ? "" : ", ", grouped(tier.switches), tier.label, ratio(tier.oversubscription));
    if (d.railsApart) text += "; rails apart: what crosses them, as All-to-All does, goes through the hosts";
    value("switches", text + (d.tierNote.empty() ? "" : "; " + d.tierNote));
    value("servers", fmt::format("{} {} of {:.4g} TFLOPS and {:.4g}G an accelerator{}", grouped(d.servers), d.serverType, d.teraflops, d.accessGbps,
                                 d.backupServers ? fmt::format(" and {} backup", grouped(d.backupServers)) : ""));
    value("racks", grouped(d.racks) + (d.racksEstimated ? " (estimate)" : ""));
    if (!d.limits.empty()) value("limits", usesText(d));
    if (!d.binding.empty()) value("ends because", d.binding);
    text.clear();
    for (const auto& [slug, n] : d.cabling.transceivers) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", grouped(n), slug);
    value("transceivers", (text.empty() ? "none" : text) + " (estimate)");
    value("cables", fmt::format("{} links in {} physical cables, about {} km, the longest about {:.0f} m{}", grouped(d.links), grouped(d.cables),
                                grouped((d.cabling.lengthMm + 500'000) / 1'000'000), double(d.cabling.longestMm) / 1000,
                                d.cabling.beyondReach ? fmt::format("; {} beyond the reach of the parts", grouped(d.cabling.beyondReach)) : ""));
    text.clear();
    for (const auto& p : d.ports)
        if (p.left() > 0)
            text += fmt::format("{}{} of {} {} {}G", text.empty() ? "" : ", ", grouped(p.left()), grouped(p.total), p.tier, p.rate.count());
    value("ports left", text.empty() ? "none" : text);
    value("price", fmt::format("{} {}; {:.0f} % at assumed prices, {:.1f} % rests on estimated lengths", moneyText(toCurrency(d.price.total)),
                               d.currency, 100 * d.price.assumedShare(), 100 * d.price.estimatedShare()));
    const auto& f = d.failure;
    value("access switch",
          f.tier.empty() ? "no switch that servers attach to"
                         : fmt::format("losing one of {} takes {:.3f} % of the NIC ports and hits {} accelerators ({:.2f} %); {}",
                                       grouped(f.switches), 100 * f.nicPortShare, grouped(f.accelerators), 100 * f.acceleratorShare,
                                       f.jobStops ? "the job stops" : fmt::format("the job goes on, {:.0f} % left to those", 100 * f.bandwidthLeft)));
    value("growth", fmt::format("the same design grows to {} ({:.2f} x){}{}", grouped(d.reach),
                                d.accelerators ? double(d.reach) / double(d.accelerators) : 0.0, d.reachLimit.empty() ? "" : ": ", d.reachLimit));
    text.clear();
    for (const auto& note : d.schedulers) text += fmt::format("{}{} nodes, {}", text.empty() ? "" : "; ", grouped(note.nodes), note.limit);
    if (!text.empty()) value("scheduler", fmt::format("{} servers are more than {}", grouped(d.servers + d.backupServers), text));
}

} // namespace

std::string sizeText(const SizeAnswer& answer)
{
    std::string out = answer.request.accelerators > 0 ? fmt::format("{} accelerators", grouped(answer.request.accelerators))
                                                      : std::string("As many accelerators as fit");
    out += answer.designs.empty() ? ": no design answers this\n" : fmt::format(": {} designs\n\n", answer.designs.size());
    if (!answer.designs.empty()) writeTable(out, answer);
    for (std::size_t i = 0; i < answer.designs.size() && answer.designs[i].pareto; ++i) writeDetails(out, answer.designs[i], i + 1);
    bool heading = false;
    for (std::size_t i = 0; i < answer.designs.size(); ++i) {
        if (answer.designs[i].pareto) continue;
        if (!std::exchange(heading, true)) out += "\nDominated\n";
        const auto& d = answer.designs[i];
        out += wrapped(fmt::format("  {}. {}{}", i + 1, d.explanation, d.binding.empty() ? "" : "; ends because " + d.binding), 5);
    }
    if (!answer.refused.empty()) out += "\nNot feasible\n";
    for (const auto& r : answer.refused)
        out += wrapped(fmt::format("  {}{}: {}", r.templateName, r.variant.empty() ? "" : " (" + r.variant + ")", r.reason), 4);
    if (!answer.tierLimits.empty()) out += "\nReach\n";
    for (const auto& l : answer.tierLimits)
        out += wrapped(fmt::format("  {} tier{}: at least {} accelerators ({}{})", l.tiers, l.tiers == 1 ? "" : "s", grouped(l.reach), l.templateName,
                                   l.variant.empty() ? "" : ", " + l.variant),
                       4);
    return out;
}

} // namespace hw::sizing
