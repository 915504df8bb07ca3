// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/proof/proof_output.h"
#include "core/report/network_view.h"
#include "core/report/report.h"

#include <algorithm>

#include <fmt/format.h>

namespace hw {
namespace {

/// 15360 → "15,360".
std::string grouped(std::int64_t value)
{
    auto digits = std::to_string(value < 0 ? -value : value);
    for (auto at = std::int64_t(digits.size()) - 3; at > 0; at -= 3) digits.insert(std::size_t(at), ",");
    return (value < 0 ? "-" : "") + digits;
}

std::string powerText(double watts)
{
    if (watts >= 1e6) return fmt::format("{:.2f} MW", watts / 1e6);
    if (watts >= 1e3) return fmt::format("{:.1f} kW", watts / 1e3);
    return fmt::format("{:.0f} W", watts);
}
std::string powerText(Milliwatts power) { return powerText(toWatts(power)); }

std::string flopsText(double flops)
{
    return flops >= 1e18 ? fmt::format("{:.2f} EFLOPS", flops / 1e18) : fmt::format("{:.1f} PFLOPS", flops / 1e15);
}

std::string percent(double share) { return fmt::format("{:.1f} %", share * 100); }
std::string lengthText(std::int64_t mm)
{
    return mm >= 10'000'000 ? fmt::format("{:.1f} km", double(mm) / 1e6) : fmt::format("{:.0f} m", double(mm) / 1e3);
}

/// Collects the lines of the report: headings, and values behind labels of one width.
class Writer {
public:
    void heading(const char* text) { m_out += fmt::format("\n{}\n{}\n", text, std::string(std::string_view(text).size(), '-')); }
    void value(std::string_view label, const std::string& text) { m_out += fmt::format("  {:<22} {}\n", label, text); }
    void line(const std::string& text) { m_out += "  " + text + "\n"; }
    [[nodiscard]] std::string take() { return std::move(m_out); }
    std::string m_out;
};

void writeHead(Writer& w, const Report& report)
{
    w.m_out = report.design.name.empty() ? "Design" : report.design.name;
    if (!report.design.templateName.empty()) w.m_out += fmt::format("  (template {})", report.design.templateName);
    w.m_out += "\n";
    std::string parameters;
    for (const auto& [name, value] : report.design.parameters) parameters += (parameters.empty() ? "" : ", ") + name + " " + value;
    if (!parameters.empty()) w.line(parameters);
    for (const auto& note : report.notes) w.line("note: " + note);
}

void writeCounts(Writer& w, const Report& report)
{
    w.heading("Equipment");
    w.value("Accelerators", fmt::format("{} active, {} backup", grouped(report.accelerators.active), grouped(report.accelerators.backup)));
    w.value("Servers", fmt::format("{} active, {} backup", grouped(report.servers.active), grouped(report.servers.backup)));
    std::string types;
    for (const auto& [slug, count] : report.racks.byType) types += fmt::format("{}{} {}", types.empty() ? "" : ", ", grouped(count), slug);
    w.value("Racks", grouped(report.racks.total) + (types.empty() ? "" : ": " + types));
    for (const auto& [precision, flops] : report.accelerators.peakFlops)
        w.value("Peak " + precision, flopsText(flops.value) + " dense" + (flops.assumed() ? " (assumed)" : ""));
}

/// Switches without uplinks that are joined to each other: a ring, torus, mesh or dragonfly. No ratio of tiers says what is between them.
bool peersAtTop(const FabricFigures::Network& network)
{
    return std::ranges::any_of(network.links, [&](const auto& link) {
        const auto tier = std::ranges::find(network.tiers, link.from, &FabricFigures::Tier::id);
        return link.from == link.to && tier != network.tiers.end() && tier->upGbps == 0;
    });
}

const char* connectionText(const FabricFigures::Network& network)
{
    if (network.throughServers)
        return network.connected ? "all servers connected, some only by servers that pass traffic on, which no simulation models"
                                 : "connected only if servers passed traffic on (as in BCube), which is not modelled";
    return network.connected ? "all servers connected" : "NOT all servers connected";
}

void writeNetwork(Writer& w, const FabricFigures::Network& network, const Figures& figures)
{
    const auto& s = *figures.snapshot;
    w.heading(("Network " + s.networks.name[network.id]).c_str());
    if (const int domain = s.networks.domain[network.id]; domain > 0) {
        const int rate = s.networks.acceleratorRate[network.id].count();
        w.line(fmt::format("{} accelerators a {} domain{}", grouped(domain), networkKindName(s.networks.kind[network.id]),
                           rate ? fmt::format(", {} Gb/s each and way", grouped(rate)) : std::string()));
    }
    if (network.tiers.empty()) return;
    for (const auto& uneven : unevenWiring(s, network.id)) w.line("uneven wiring: " + uneven);
    w.line(fmt::format("{} planes, {} rails, {} segments a pod, {} pods, {}", network.planes, network.rails, network.segments, network.pods,
                       connectionText(network)));
    w.line(fmt::format("{:<10} {:>8} {:>12} {:>12} {:>8} {:>12}   {}", "tier", "switches", "down Gb/s", "up Gb/s", "ratio", "with backup", "type"));
    for (const auto& tier : network.tiers) {
        if (s.tiers.kind[tier.id] == TierKind::Server) continue;
        w.line(fmt::format("{:<10} {:>8} {:>12} {:>12} {:>8.4g} {:>12.4g}   {}", s.tiers.name[tier.id], grouped(tier.switches),
                           grouped(tier.downGbps), grouped(tier.upGbps), tier.oversubscription(), tier.oversubscriptionWithBackup(),
                           typeOfTier(figures, tier.id)));
        for (const auto& count : tier.ports)
            w.line(fmt::format("  ports {:>4}G {:<7} {:>10} total {:>10} used {:>10} free", count.rate.count(), portRoleName(count.role),
                               grouped(count.total), grouped(count.used), grouped(count.total - count.used)));
    }
    for (const auto& link : network.links)
        w.line(fmt::format("links {} - {}: {} at {}G{}", tierName(s, link.from), tierName(s, link.to), grouped(link.active), link.rate.count(),
                           link.backup ? fmt::format(" and {} backup", grouped(link.backup)) : std::string()));
    w.value("End to end", fmt::format("{:.4g}:1{}", network.oversubscriptionEndToEnd,
                                      peersAtTop(network) ? " up the tiers; between switches that are joined to each other see Bisection" : ""));
}

void writePower(Writer& w, const Report& report)
{
    const auto& power = report.power;
    w.heading("Power");
    for (const auto basis : {PowerBasis::Typical, PowerBasis::Design, PowerBasis::Nameplate}) {
        const auto it = power.it[std::size_t(basis)], core = power.coreIt[std::size_t(basis)];
        w.value(fmt::format("IT, {}{}", powerBasisName(basis), basis == power.basis ? " *" : ""),
                fmt::format("{} in the pods{}, facility {}", powerText(it), core.count() ? ", " + powerText(core) + " in the core" : "",
                            powerText(toWatts(it) * power.pue)));
    }
    w.line(fmt::format("* the basis of everything below; PUE {:.2f}{}", power.pue, power.pueAssumed ? " (assumed)" : ""));
    w.value("Per accelerator", fmt::format("{:.0f} W", power.perAcceleratorW));
    w.line(fmt::format("{:<28} {:>6} {:>11} {:>11} {:>11}   {}", "level", "count", "load", "failover", "capacity", "most loaded"));
    for (const auto& level : power.levels)
        w.line(fmt::format("{:<28} {:>6} {:>11} {:>11} {:>11} {} {}", level.name, grouped(level.count), powerText(level.load),
                           powerText(level.failover), level.capacity.count() ? powerText(level.capacity) : "-", level.fits() ? " " : "!",
                           level.worst));
    if (power.cords > 0) w.line(words(i18np(power.cords, "{:L} power cord within racks", "{:L} power cords within racks")));
    if (power.unfedDevices > 0)
        w.line(words(i18np(power.unfedDevices, "! {:L} device that draws power has no way to a utility, or not on every side",
                           "! {:L} devices that draw power have no way to a utility, or not on every side")));
    if (power.darkOnSingleLoss > 0)
        w.line(words(i18np(power.darkOnSingleLoss, "! {:L} device goes dark when one element of the power chain is lost",
                           "! {:L} devices go dark when one element of the power chain is lost")));
}

void writeSite(Writer& w, const Report& report)
{
    const auto& site = report.site;
    w.heading("Site");
    w.value("Pod buildings", grouped(site.buildings));
    if (site.limit.count() > 0) {
        w.value("Limit", fmt::format("{} of {} power: {}, {} {}", powerText(site.limit), site.limitBasis == "it" ? "IT" : "facility",
                                     site.fits ? "fits" : "EXCEEDED", percent(std::abs(site.spareShare)), site.spareShare >= 0 ? "spare" : "over"));
        w.value("Carries at most", grouped(site.maxAccelerators) + " active accelerators of this design");
        for (const auto& r : site.readings)
            w.value(r.basis == "it" ? "If it means IT" : "If it means facility",
                    fmt::format("{} of {}: {}", powerText(r.loadW), powerText(r.limitW), r.fits() ? "fits" : "does not fit"));
    }
    for (const auto& r : site.substationReadings)
        w.value(r.basis == "it" ? "Substations, IT" : "Substations, facility",
                fmt::format("{} of {}: {}", powerText(r.loadW), powerText(r.limitW), r.fits() ? "fits" : "does not fit"));
}

void writeCooling(Writer& w, const Report& report)
{
    const auto& cooling = report.cooling;
    w.heading("Cooling");
    w.value("To air", fmt::format("{}, {:.0f} m3/s at {:g} K", powerText(cooling.air), cooling.airFlowM3s, cooling.airDeltaK));
    w.value("To liquid", cooling.liquid.count() ? fmt::format("{}, {:.0f} L/min of {} at {:g} K", powerText(cooling.liquid), cooling.flowLpm,
                                                              cooling.coolant, cooling.coolantDeltaK)
                                                : "nothing");
    for (const auto& level : cooling.levels)
        w.line(fmt::format("{:<36} {:>11} of {:>11}   {} of {} units needed: {}", level.name, powerText(level.load), powerText(level.capacity),
                           level.needed, level.units, level.redundancy()));
}

void writeFibre(Writer& w, const Report& report)
{
    const auto& fibre = report.fibre;
    w.heading("Cables");
    w.value("Links",
            fmt::format("{}, {} in all, the longest {}", grouped(fibre.all.cables), lengthText(fibre.all.lengthMm), lengthText(fibre.longestMm)));
    w.value("Physical cables", fmt::format("{}, {} in all", grouped(fibre.all.physicalCables), lengthText(fibre.all.physicalLengthMm)));
    for (const auto& [medium, run] : fibre.byMedium)
        w.value("  " + medium,
                fmt::format("{} links in {} cables of {}", grouped(run.cables), grouped(run.physicalCables), lengthText(run.physicalLengthMm)));
    for (const auto& [slug, count] : fibre.transceivers) w.value("  " + slug, grouped(count) + " transceivers");
    if (fibre.reachExceeded) w.value("Beyond reach", grouped(fibre.reachExceeded) + " cables");
    if (fibre.noRoute) w.value("Without a way", grouped(fibre.noRoute) + " cables");
}

void writeCost(Writer& w, const Report& report)
{
    const auto& cost = report.cost;
    w.heading("Cost");
    for (const auto& [group, sum] : cost.byGroup) w.value(group, fmt::format("{:>16} {}", grouped(sum.count() / 10000), cost.currency));
    w.value("total",
            fmt::format("{:>16} {}, {} of it at assumed prices", grouped(cost.total.count() / 10000), cost.currency, percent(cost.assumedShare)));
    for (const auto& out : cost.leftOut) w.value("left out", leftOutText(out));
}

} // namespace

std::string reportText(const Report& report, const Figures& figures)
{
    Writer w;
    writeHead(w, report);
    writeCounts(w, report);
    for (const auto& network : figures.fabric->networks()) {
        writeNetwork(w, network, figures);
        for (const auto& proof : report.proofs)
            if (proof.network == network.id)
                for (const auto& line : proofLines(proof)) w.line(line);
    }
    writePower(w, report);
    writeSite(w, report);
    writeCooling(w, report);
    writeFibre(w, report);
    writeCost(w, report);
    return w.take();
}

} // namespace hw
