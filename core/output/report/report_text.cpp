// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/proof/proof_output.h"
#include "core/output/exchange/bom_total.h"
#include "core/output/report/amounts.h"
#include "core/output/report/cooling_report.h"
#include "core/output/report/network_view.h"
#include "core/output/report/power_levels.h"
#include "core/output/report/report.h"
#include "core/output/report/report_money.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace hw {
namespace {

using namespace amounts;

/// Collects the lines of the report: headings, and values behind labels of one width.
class Writer {
public:
    void heading(const Text& text)
    {
        const std::string said = words(text);
        const auto letters = std::ranges::count_if(said, [](unsigned char c) { return (c & 0xC0) != 0x80; });
        m_out += fmt::format("\n{}\n{}\n", said, std::string(std::size_t(letters), '-'));
    }
    void value(const Text& label, const Text& text) { m_out += fmt::format("  {:<22} {}\n", label, text); }
    void line(const Text& text) { row(words(text)); }
    void row(const std::string& cells) { m_out += "  " + cells + "\n"; }
    [[nodiscard]] std::string take() { return std::move(m_out); }
    std::string m_out;
};

void writeHead(Writer& w, const Report& report)
{
    w.m_out = report.design.name.empty() ? words(i18n("Design")) : report.design.name;
    if (!report.design.templateName.empty()) w.m_out += fmt::format("  {}", i18n("(template {})", report.design.templateName));
    w.m_out += fmt::format("  {}\n", i18n("revision {}, {}", report.design.revision, report.design.date));
    std::vector<std::string> parameters;
    for (const auto& [name, value] : report.design.parameters) parameters.push_back(name + " " + value);
    if (!parameters.empty()) w.line(listedNames(parameters));
    for (const auto& note : report.notes) w.line(i18n("note: {}", note));
}

void writeCounts(Writer& w, const Report& report)
{
    w.heading(i18n("Equipment"));
    w.value(i18n("Accelerators"), i18n("{:L} active, {:L} backup", report.accelerators.active, report.accelerators.backup));
    w.value(i18n("Servers"), i18n("{:L} active, {:L} backup", report.servers.active, report.servers.backup));
    std::vector<Text> types;
    for (const auto& [slug, count] : report.racks.byType) types.push_back(i18n("{:L} {}", count, slug));
    const Text racks = grouped(report.racks.total);
    w.value(i18n("Racks"), types.empty() ? racks : i18n("{}: {}", racks, listed(types)));
    for (const auto& [precision, flops] : report.accelerators.peakFlops)
        w.value(i18n("Peak {}", precision),
                flops.assumed() ? i18n("{} dense (assumed)", flopsText(flops.value)) : i18n("{} dense", flopsText(flops.value)));
}

void writeTiers(Writer& w, const FabricFigures::Network& network, const Figures& figures)
{
    const auto& s = *figures.snapshot;
    w.row(fmt::format("{:<13} {:>8} {:>12} {:>12} {:>8} {:>13}   {}", i18n("tier"), i18n("switches"), i18n("down Gb/s"), i18n("up Gb/s"),
                      i18n("ratio"), i18n("backup in use"), i18n("type")));
    for (const auto& tier : network.tiers) {
        if (s.tiers.kind[tier.id] == TierKind::Server) continue;
        w.line(i18n("{:<13} {:>8} {:>12} {:>12} {:>8.4g} {:>13.4g}   {}", s.tiers.name[tier.id], grouped(tier.switches), grouped(tier.downGbps),
                    grouped(tier.upGbps), tier.oversubscription(), tier.oversubscriptionWithBackup(), typeOfTier(figures, tier.id)));
        for (const auto& count : tier.ports)
            w.line(i18n("  ports {:>4}G {:<7} {:>10} total {:>10} used {:>10} free", count.rate.count(), wordOf(count.role), grouped(count.total),
                        grouped(count.used), grouped(count.total - count.used)));
    }
    for (const auto& link : network.links) {
        const std::string from = tierName(s, link.from), to = tierName(s, link.to);
        w.line(link.backup ? i18n("links {} - {}: {:L} at {}G and {:L} backup", from, to, link.active, link.rate.count(), link.backup)
                           : i18n("links {} - {}: {:L} at {}G", from, to, link.active, link.rate.count()));
    }
}

void writeNetwork(Writer& w, const FabricFigures::Network& network, const NetworkProof* proof, const Figures& figures)
{
    const auto& s = *figures.snapshot;
    w.heading(i18n("Network {}", s.networks.name[network.id]));
    if (const int domain = s.networks.domain[network.id]; domain > 0) {
        const int rate = s.networks.acceleratorRate[network.id].count();
        const auto kind = wordOf(s.networks.kind[network.id]);
        w.line(rate ? i18np(domain, "{:L} accelerator per {} domain, {:L} Gb/s each per direction",
                            "{:L} accelerators per {} domain, {:L} Gb/s each per direction", kind, rate)
                    : i18np(domain, "{:L} accelerator per {} domain", "{:L} accelerators per {} domain", kind));
    }
    if (network.tiers.empty()) return;
    for (const auto& uneven : unevenWiring(s, network.id)) w.line(i18n("uneven wiring: {}", uneven));
    w.line(i18n("{}, {}, {}, {}, {}", i18np(network.planes, "{} plane", "{} planes"), i18np(network.rails, "{} rail", "{} rails"),
                i18np(network.segments, "{} segment per pod", "{} segments per pod"), i18np(network.pods, "{} pod", "{} pods"),
                connectionText(network, proof)));
    writeTiers(w, network, figures);
    w.value(i18n("Oversubscription"),
            peersAtTop(network) ? i18n("{:.4g}:1 across the tiers; for interconnected switches see Bisection", network.oversubscriptionEndToEnd)
                                : i18n("{:.4g}:1", network.oversubscriptionEndToEnd));
}

void writePower(Writer& w, const Report& report)
{
    const auto& power = report.power;
    w.heading(i18n("Power"));
    for (const auto basis : {PowerBasis::Typical, PowerBasis::Design, PowerBasis::Nameplate}) {
        const auto it = power.it[std::size_t(basis)], core = power.coreIt[std::size_t(basis)];
        const Text pods = powerText(it), facility = powerText(basis == power.basis ? power.facilityW() : toWatts(it + core) * power.pue);
        const auto name = powerBasisName(basis);
        w.value(basis == power.basis ? i18n("IT, {} *", name) : i18n("IT, {}", name),
                core.count() ? i18n("{} in the pods and {} in the core building, {} in total; campus facility power {}", pods, powerText(core),
                                    powerText(it + core), facility)
                             : i18n("{} in the pods; campus facility power {}", pods, facility));
    }
    w.line(power.pueComputed
               ? i18n("* basis of all figures below; PUE {:.3f} at the design outdoor temperature, from losses and cooling of this design", power.pue)
           : power.pueAssumed ? i18n("* basis of all figures below; constant PUE {:.2f} (assumed)", power.pue)
                              : i18n("* basis of all figures below; constant PUE {:.2f}", power.pue));
    if (power.facility.losses.count() > 0) w.value(i18n("Overhead"), lossesText(report));
    w.value(i18n("Per accelerator"), i18n("{:.0f} W", power.perAcceleratorW));
    w.row(fmt::format("{:<28} {:>6} {:>11} {:>11} {:>11}   {}", i18n("level"), i18n("count"), i18n("load"), i18n("failover"), i18n("capacity"),
                      i18n("most loaded")));
    for (const auto& level : levelsByTitle(power.levels))
        w.row(fmt::format("{:<28} {:>6} {:>11} {:>11} {:>11} {} {}", level.title, grouped(level.count), powerText(level.load),
                          powerText(level.failover), level.capacity.count() ? powerText(level.capacity) : verbatim("-"), level.fits() ? " " : "!",
                          level.worst));
    if (power.cords > 0) w.line(i18np(power.cords, "{:L} power cord within racks", "{:L} power cords within racks"));
    const SupplyTotals& supply = power.supply;
    const auto meters = [](std::int64_t mm) { return (mm + 500) / 1000; };
    if (supply.whips > 0)
        w.line(i18n("{}, {:L} m, from {} on busways", i18np(supply.whips, "{:L} whip", "{:L} whips"), meters(supply.whipMm),
                    i18np(supply.tapOffs, "{:L} tap-off box", "{:L} tap-off boxes")));
    if (supply.feeders + supply.busDucts > 0)
        w.line(i18n("{} with {}, {:L} m, longest {}; {}, {:L} m", i18np(supply.feeders, "{:L} feeder", "{:L} feeders"),
                    i18np(supply.runs, "{:L} cable", "{:L} cables"), meters(supply.feederMm), lengthText(supply.longestFeederMm),
                    i18np(supply.busDucts, "{:L} bus duct", "{:L} bus ducts"), meters(supply.busDuctMm)));
    if (supply.hoses + supply.pipes > 0)
        w.line(i18n("{}, {:L} m; {}, {:L} m", i18np(supply.hoses, "{:L} hose pair", "{:L} hose pairs"), meters(supply.hoseMm),
                    i18np(supply.pipes, "{:L} pipe pair", "{:L} pipe pairs"), meters(supply.pipeMm)));
    if (supply.withoutPart > 0)
        w.line(i18np(supply.withoutPart, "! {:L} cord, feeder or hose matches no part of the project and is missing from the bill of materials",
                     "! {:L} cords, feeders and hoses match no part of the project and are missing from the bill of materials"));
    if (supply.noWay > 0) w.line(i18np(supply.noWay, "! {:L} feeder has no tray route", "! {:L} feeders have no tray route"));
    if (power.unfedDevices > 0)
        w.line(
            i18np(power.unfedDevices, "! {:L} device without a utility path on every feed", "! {:L} devices without a utility path on every feed"));
    if (power.darkOnSingleLoss > 0)
        w.line(i18np(power.darkOnSingleLoss, "! {:L} device loses power after a single failure in the power chain",
                     "! {:L} devices lose power after a single failure in the power chain"));
}

Text readingText(const LimitReading& r)
{
    const Text load = powerText(r.loadW), limit = powerText(r.limitW);
    if (!r.limited()) return r.basis == "it" ? i18n("{}; no IT limit entered", load) : i18n("{}; no facility limit entered", load);
    return r.fits() ? i18n("{} of {}: fits", load, limit) : i18n("{} of {}: does not fit", load, limit);
}

void writeSite(Writer& w, const Report& report)
{
    const auto& site = report.site;
    const auto& power = report.power;
    w.heading(i18n("Site"));
    w.value(i18n("Pod buildings"), grouped(site.buildings));
    if (site.limit.count() > 0) {
        const Text limit = powerText(site.limit), share = percent(std::abs(site.spareShare));
        w.value(i18n("Limit"),
                i18n("{}: {}, {}", site.limitBasis == "it" ? i18n("{} of IT power", limit) : i18n("{} of facility power", limit),
                     site.fits ? i18n("fits") : i18n("EXCEEDED"), site.spareShare >= 0 ? i18n("{} spare", share) : i18n("{} over the limit", share)));
        w.value(i18n("Maximum size"),
                i18np(site.maxAccelerators, "{:L} active accelerator of this design", "{:L} active accelerators of this design"));
        for (const auto& r : site.readings) w.value(r.basis == "it" ? i18n("Pods, IT power") : i18n("Pods, facility"), readingText(r));
        if (power.coreIt[std::size_t(power.basis)].count() > 0)
            w.line(i18n("Facility power of the pods = pod IT power × PUE; campus facility power includes the core building"));
    }
    if (site.substations.stations > 0)
        w.value(i18n("Substations"), site.substations.drawn
                                         ? i18n("{:L} with {:L} transformers, {} with one transformer out in each", site.substations.stations,
                                                site.substations.transformers, powerText(site.substations.capacityW))
                                         : i18n("{:L} with {:L} transformers, {} with one transformer out in each (assumed: settings, none drawn)",
                                                site.substations.stations, site.substations.transformers, powerText(site.substations.capacityW)));
    for (const auto& r : site.substationReadings) w.value(r.basis == "it" ? i18n("Substations, IT") : i18n("Substations, facility"), readingText(r));
    if (site.substationsRequired > 0)
        w.value(i18n("Substations required"),
                i18n("{:L} of this size for the facility power; the planned number ({:L}) supports {:L} active accelerators",
                     site.substationsRequired, site.substations.stations, site.substationAccelerators));
    const auto& size = site.substationSize; // as `size` counts them; those of the design may be larger
    if (site.substationsOfSize > 0 && site.substations.transformers != site.substations.stations * size.transformers)
        w.value(i18n("Of {} × {:g} MVA each", size.transformers, size.transformerMva),
                i18np(site.substationsOfSize, "{:L} substation for the facility power, {:L} of its transformers out of service",
                      "{:L} substations for the facility power, {:L} of the transformers out of service in each", size.spare));
}

void writeCooling(Writer& w, const Report& report, const Figures& figures)
{
    const auto& cooling = report.cooling;
    w.heading(i18n("Cooling"));
    w.value(i18n("Heat to air"), i18n("{}, {:.0Lf} m³/s at {:g} K", powerText(cooling.air), cooling.airFlowM3s, cooling.airDeltaK));
    w.value(i18n("Heat to liquid"), cooling.liquid.count() ? i18n("{}, {:.0Lf} L/min of {} at {:g} K", powerText(cooling.liquid), cooling.flowLpm,
                                                                  cooling.coolant, cooling.coolantDeltaK)
                                                           : i18n("none"));
    if (const auto rule = flowRuleText(cooling)) w.value(i18n("Rule of thumb"), *rule);
    for (const Text& line : coolingLines(cooling, figures)) w.line(line);
}

void writeFiber(Writer& w, const Report& report)
{
    const auto& fiber = report.fiber;
    w.heading(i18n("Cables"));
    w.value(i18n("Links"), i18n("{:L}, {} in total, longest {}", fiber.all.cables, lengthText(fiber.all.lengthMm), lengthText(fiber.longestMm)));
    w.value(i18n("Physical cables"), i18n("{:L}, {} in total", fiber.all.physicalCables, lengthText(fiber.all.physicalLengthMm)));
    for (const auto& [medium, run] : fiber.byMedium)
        w.value(i18n("  {}", medium == "unassigned" ? i18n("unassigned") : verbatim(medium)),
                i18n("{} in {} of {}", i18np(run.cables, "{:L} link", "{:L} links"), i18np(run.physicalCables, "{:L} cable", "{:L} cables"),
                     lengthText(run.physicalLengthMm)));
    for (const auto& [slug, count] : fiber.transceivers) w.value(verbatim("  " + slug), i18np(count, "{:L} transceiver", "{:L} transceivers"));
    if (fiber.reachExceeded) w.value(i18n("Beyond reach"), i18np(fiber.reachExceeded, "{:L} cable", "{:L} cables"));
    if (fiber.noRoute) w.value(i18n("No tray route"), i18np(fiber.noRoute, "{:L} cable", "{:L} cables"));
}

Text spareText(const PlaceSpare& place)
{
    const Text power = place.power ? powerText(*place.power) : Text(TextId("no power limit"));
    const Text weight = place.weight ? i18n("{:L} kg", place.weight->count() / 1000) : Text(TextId("no weight limit"));
    return i18n("available: {}, {:L} U, {:L} ports, {}", power, place.units, place.ports, weight);
}

/// Halls; of the rows only how many take more, because a pod has dozens.
void writeHeadroom(Writer& w, const Report& report, const Figures& figures)
{
    const Headroom& headroom = report.headroom;
    if (headroom.halls.empty()) return;
    w.heading(i18n("Headroom"));
    if (headroom.server)
        w.value(i18n("Additional server"), i18n("{}: {}, {} U, {} backend ports", (*figures.parts)[*headroom.server].slug,
                                                powerText(headroom.serverPower), headroom.serverUnits, headroom.serverPorts));
    if (headroom.serversPerRack > 0)
        w.value(i18n("Servers per rack"), i18n("{}, one scale-up domain; only complete racks count", headroom.serversPerRack));
    for (const auto& hall : headroom.halls) {
        w.value(verbatim(hall.name), spareText(hall));
        if (!headroom.server) continue;
        w.line(hall.limit ? i18np(hall.servers, "  {:L} additional server fits; limiting resource: {}",
                                  "  {:L} additional servers fit; limiting resource: {}", resourceWord(*hall.limit))
                          : i18np(hall.servers, "  {:L} additional server fits", "  {:L} additional servers fit"));
    }
    if (!headroom.server) return;
    const auto open = std::ranges::count_if(headroom.rows, [](const PlaceSpare& row) { return row.servers > 0; });
    w.line(i18np(std::int64_t(open), "{:L} of {:L} rows has space for one more server", "{:L} of {:L} rows have space for one more server",
                 std::int64_t(headroom.rows.size())));
}

Text sumText(Money sum, const std::string& currency) { return verbatim(fmt::format("{:>16} {}", grouped(sum.count() / 10000), currency)); }

void writeLeadTimes(Writer& w, const Report& report, const Figures& figures)
{
    constexpr std::size_t kMost = 10;
    const auto& leads = report.cost.leadTimes;
    if (leads.empty()) return;
    w.heading(i18n("Lead times, longest first"));
    for (std::size_t i = 0; i < std::min(leads.size(), kMost); ++i) w.line(leadTimeText(*figures.snapshot, leads[i]));
    if (leads.size() > kMost) w.line(i18n("and {} more", leads.size() - kMost));
}

void writePhases(Writer& w, const Report& report)
{
    if (report.phases.size() > 1) {
        w.heading(i18n("Phases"));
        for (const auto& row : report.phases)
            w.line(i18n("{} {}{}: {:L} accelerators, {} of IT, {}", row.number, row.name, row.date.empty() ? Text() : i18n(" ({})", row.date),
                        row.accelerators, powerText(row.it),
                        totalText(row.cost, report.cost.withoutRate, i18n("{:L} {}", row.cost.count() / 10000, report.cost.currency))));
        if (totalKnown(report.cost.total, report.cost.withoutRate))
            for (const auto& row : report.phases) {
                w.line(i18n("{} cost of power {:L}, of cooling {:L}; of which pre-built for later phases: {:L} {}", row.number,
                            row.power.count() / 10000, row.cooling.count() / 10000, row.prebuilt.count() / 10000, report.cost.currency));
                const auto parts = prebuiltLines(row, report.cost.currency);
                for (std::size_t i = 1; i < parts.size(); ++i) w.line(parts[i]);
            }
    }
    if (!report.stages.begun()) return;
    w.heading(i18n("Stages"));
    const auto stage = [&](const Text& label, const StageCounts& counts) {
        w.value(label, i18n("{:L} of {:L} ordered, {:L} received, {:L} installed, {:L} live", counts.reached(Stage::Ordered), counts.total(),
                            counts.reached(Stage::Received), counts.reached(Stage::Installed), counts.reached(Stage::Live)));
    };
    stage(i18n("Racks"), report.stages.racks);
    stage(i18n("Devices"), report.stages.devices);
    stage(i18n("Cables"), report.stages.cables);
}

/// What a part of the bill is for; structures are named by what the bill has of them.
Text systemLabel(CostSystem system)
{
    return system == CostSystem::Building ? i18n("for trays, ducts and panels") : i18n("for {}", systemText(system));
}

void writeFuel(Writer& w, const FuelNeed& fuel)
{
    if (fuel.sets == 0) return;
    w.value(i18n("Fuel"), i18np(fuel.sets, "{1:L} L/h with {0:L} set at {2:.0f} % load", "{1:L} L/h with {0:L} sets at {2:.0f} % load",
                                std::llround(fuel.litersPerHour), 100 * fuel.loadW / fuel.ratedW));
    w.value(i18n("Fuel storage"),
            i18n("{} for {:g} h (92 % usable); deliveries of 30 m³: {:L}", volumeText(fuel.liters), fuel.hours, fuel.deliveries));
    if (fuel.tankHours > 0)
        w.value(i18n("Tanks of the sets"), fuel.tankHours < fuel.hours
                                               ? i18n("{}, {:.1f} h: ! bulk tanks required", volumeText(fuel.tankLiters), fuel.tankHours)
                                               : i18n("{}, {:.1f} h", volumeText(fuel.tankLiters), fuel.tankHours));
}

/// Loads of floors, noise and exhaust of plant.
void writeSite(Writer& w, const Report& report, const Figures& figures)
{
    const Snapshot& s = *figures.snapshot;
    for (const RoomMass& room : report.rooms)
        w.value(i18n("Weight, {}", s.halls.name[room.room]),
                i18n("{:.1f} t, of which {:.1f} t of water; room average {:.0Lf} kg/m²; highest footprint load {:.0Lf} kg/m² ({}, {:.1f} t)",
                     room.kg / 1000, room.liters / 1000, room.areaM2 > 0 ? room.kg / room.areaM2 : 0, room.densestKgM2, s.devices.name[room.densest],
                     room.densestKg / 1000));
    if (const auto& noise = report.noise) {
        const Text limit = noise->limitDba <= 0                 ? Text()
                           : noise->outageDba > noise->limitDba ? i18n("; limit {:.0f} dB(A): ! exceeded", noise->limitDba)
                                                                : i18n("; limit {:.0f} dB(A)", noise->limitDba);
        w.value(i18n("Noise"),
                i18n("{:.0f} dB(A) at the boundary, {:g} m from buildings and yards; {:.0f} dB(A) with all {:L} generator sets (assumed levels){}",
                     noise->normalDba, noise->boundaryM, noise->outageDba, noise->sets, limit));
    }
    if (const auto& gap = report.exhaust)
        w.value(i18n("Exhaust clearance"), i18n("{:.1f} m from {} to {} (required {:g} m){}", gap->meters, s.devices.name[gap->set],
                                                s.devices.name[gap->intake], gap->leastM, gap->tooClose() ? i18n(": ! too close") : Text()));
}

/// What stands there against what its load needs.
void writePlant(Writer& w, const Report& report, const Figures& figures)
{
    if (report.plant.empty()) return;
    w.heading(i18n("Installed and required plant"));
    for (const PlantSize& size : report.plant)
        w.value(plantPartText(size.part),
                i18np(size.count, "{:L} unit, {} installed; required {} (ratio {:.2f}), with any one unit or feed lost {} (ratio {:.2f})",
                      "{:L} units, {} installed; required {} (ratio {:.2f}), with any one unit or feed lost {} (ratio {:.2f})",
                      powerText(size.installedW), powerText(size.neededW), size.ratio(), powerText(size.worstW), size.worstRatio()));
    writeFuel(w, report.fuel);
    writeSite(w, report, figures);
    w.line(plantScopeText());
}

Text itemText(const Report::Cost::Item& item, const std::string& currency)
{
    const Text perKw = grouped(std::llround(item.perKw));
    if (!item.cost.published()) return i18n("{:>16} {} per kW of IT, not covered by the published range", perKw, currency);
    return item.ratio > 0 ? i18n("{:>16} {} per kW of IT, installed / required {:.2f}", perKw, currency, item.ratio)
                          : i18n("{:>16} {} per kW of IT", perKw, currency);
}

/// Why power costs more than published: the items beyond the required capacity, and what is left without them.
void explainPower(Writer& w, const Report::Cost& cost)
{
    const auto power = std::ranges::find(cost.published, wordOf(CostSystem::Power), [](const CostPosition& p) { return p.range.slug; });
    if (power == cost.published.end() || power->side() <= 0) return;
    std::vector<Text> items;
    CostPosition without = *power;
    for (const auto& item : cost.powerItems)
        if (const double beyond = beyondRequired(item); beyond >= 1) {
            without.perKw -= beyond;
            items.push_back(i18n("{} {:L}", powerItemText(item.cost.item), std::llround(beyond)));
        }
    if (items.empty()) return;
    w.value(i18n("redundancy and sizes"),
            i18n("{:>16} {} of it beyond the required capacity ({}); without it {:L}: {}", grouped(std::llround(power->perKw - without.perKw)),
                 cost.currency, listed(std::move(items)), std::llround(without.perKw), costSideText(without)));
}

void writeCost(Writer& w, const Report& report)
{
    const auto& cost = report.cost;
    w.heading(i18n("Cost"));
    if (!totalKnown(cost.total, cost.withoutRate)) { // nor is any part of it
        w.value(i18n("total"), totalText(cost.total, cost.withoutRate, {}));
        w.line(withoutRateText(cost.withoutRate));
        return;
    }
    for (const auto& [group, sum] : cost.byGroup)
        w.value(group == bomGroupName(Bom::Group::Sundries) ? i18n("accessories") : verbatim(group),
                sum.count() > 0 ? sumText(sum, cost.currency) : i18n("{:>16}", i18n("unpriced")));
    w.value(i18n("total"),
            totalText(cost.total, cost.withoutRate,
                      i18n("{:>16} {}, of which {} at assumed prices", wholeMoney(cost.total), cost.currency, percent(cost.assumedShare))));
    w.value(i18n("quoted or published"), sumText(cost.quoted, cost.currency));
    w.value(i18n("at assumed prices"), sumText(cost.assumed, cost.currency));
    for (const auto& system : cost.systems) w.value(systemLabel(system.system), sumText(system.total, cost.currency));
    for (const CostPosition& p : cost.published)
        w.value(i18n("{} per kW of IT", systemText(*fromWord<CostSystem>(p.range.slug))),
                i18n("{:>16} {}, published {:L} to {:L}: {}", grouped(std::llround(p.perKw)), cost.currency,
                     std::int64_t(std::llround(p.range.least)), std::int64_t(std::llround(p.range.most)), costSideText(p)));
    explainPower(w, cost);
    for (const auto& item : cost.powerItems) w.value(powerItemText(item.cost.item), itemText(item, cost.currency));
    if (!cost.unpriced.empty()) w.value(i18n("unpriced"), listedNames(cost.unpriced));
    if (const Text missing = withoutRateText(cost.withoutRate); !missing.empty()) w.line(missing);
    w.line(cost.charges);
    for (const auto& out : cost.leftOut) w.value(i18n("excluded"), leftOutText(out));
}

} // namespace

std::string reportText(const Report& report, const Figures& figures)
{
    Writer w;
    writeHead(w, report);
    writeCounts(w, report);
    for (const auto& network : figures.fabric->networks()) {
        const auto found = std::ranges::find(report.proofs, network.id, &NetworkProof::network);
        const NetworkProof* proof = found == report.proofs.end() ? nullptr : &*found;
        writeNetwork(w, network, proof, figures);
        if (proof)
            for (const auto& line : proofLines(*proof)) w.row(line);
    }
    writePower(w, report);
    writeSite(w, report);
    writeCooling(w, report, figures);
    writeFiber(w, report);
    writeHeadroom(w, report, figures);
    writePlant(w, report, figures);
    writeCost(w, report);
    writeLeadTimes(w, report, figures);
    writePhases(w, report);
    return w.take();
}

} // namespace hw
