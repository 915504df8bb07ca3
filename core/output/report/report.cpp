// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/output/report/report.h"

#include "core/derived/cabling/cable_index.h"
#include "core/derived/proof/proof_node.h"
#include "core/foundation/model/setting_values.h"
#include "core/output/exchange/cable_schedule.h"
#include "core/output/report/cooling_report.h"
#include "core/output/report/network_view.h"
#include "core/output/report/power_levels.h"
#include "core/output/report/report_money.h"

#include <algorithm>
#include <fmt/format.h>

namespace hw {
namespace {

bool inPod(const Snapshot& s, BuildingId id) { return s.buildings.kind[id] == BuildingKind::Pod; }

void fillDesign(const Snapshot& s, Report& report)
{
    report.design = {s.setting("project.name"), s.setting("template.name"), {}, s.revision, today()};
    report.notes = designNotes(s);
    constexpr std::string_view kNumber = "parameter.", kChoice = "choice."; // the latter names what the number stands for
    s.settings.forEach([&](SettingId id) {
        const auto& key = s.settings.key[id];
        if (key.starts_with(kNumber)) report.design.parameters.emplace(key.substr(kNumber.size()), s.settings.value[id]);
        if (key.starts_with(kChoice)) report.design.parameters[key.substr(kChoice.size())] = s.settings.value[id];
    });
}

void fillCounts(const Figures& figures, Report& report)
{
    const auto& s = *figures.snapshot;
    std::map<PartTypeId, std::int64_t> active;
    s.devices.forEach([&](DeviceId id) {
        if (s.tiers.kind[s.devices.tier[id]] != TierKind::Server) return;
        const auto type = s.devices.type[id];
        const bool backup = s.devices.role[id] == DeviceRole::Backup;
        ++(backup ? report.servers.backup : report.servers.active);
        (backup ? report.accelerators.backup : report.accelerators.active) += figures.parts->device(type).accelerators;
        if (!backup) ++active[type];
    });
    for (const auto& [type, count] : active) {
        const auto& spec = figures.parts->device(type);
        for (const auto& [precision, rate] : spec.teraflops) {
            auto& peak = report.accelerators.peakFlops.try_emplace(precision, Fact<double>{0.0, rate.source, rate.confidence}).first->second;
            peak.value += site::peakFlops(count * spec.accelerators, rate.value);
            if (rate.assumed()) peak.confidence = Confidence::Assumed;
        }
    }
    s.racks.forEach([&](RackId id) {
        ++report.racks.total;
        ++report.racks.byType[(*figures.parts)[s.racks.type[id]].slug];
    });
}

void fillPower(const Figures& figures, Report& report)
{
    const auto& s = *figures.snapshot;
    auto& power = report.power;
    power.basis = powerBasisOf(s);
    s.devices.forEach([&](DeviceId id) {
        for (std::size_t b = 0; b < kPowerBases; ++b) power.it[b] += figures.power->device(id).power[b];
    });
    s.buildings.forEach([&](BuildingId id) {
        if (inPod(s, id)) return;
        for (std::size_t b = 0; b < kPowerBases; ++b)
            power.coreIt[b] += figures.power->building(id).power[b], power.it[b] -= figures.power->building(id).power[b];
    });
    const Pue pue = pueOf(figures, power.basis);
    power.pue = pue.value, power.pueComputed = pue.computed;
    power.facilityMw = pue.facility, power.facilityBasis = pue.basis();
    power.pueAssumed = !pue.computed && s.setting("site.pue_source").empty();
    power.facility = facilityPower(figures, power.basis);
    power.perAcceleratorW = site::wattsPerAccelerator(toWatts(power.itAtBasis()), report.accelerators.active);
    report.plant = plantSizes(figures, power.basis), report.fuel = fuelNeed(figures, power.basis);
    report.rooms = roomMasses(figures), report.noise = siteNoise(figures), report.exhaust = exhaustGap(figures);
    power.levels = powerLevels(figures, power.basis);
    addPowerChain(figures, power);
}

void fillSubstations(const Figures& figures, Report& report)
{
    const SubstationSupply stations = substationSupply(*figures.snapshot, *figures.parts, figures.get<PowerFeedsNode>());
    report.site.substations = stations;
    if (stations.stations == 0) return;
    report.site.substationReadings = {{"it", toWatts(report.power.campusAtBasis()), stations.capacityW},
                                      {"facility", report.power.facilityW(), stations.capacityW}};
    const double facilityW = report.power.facilityW();
    report.site.substationsRequired = stations.required(facilityW);
    report.site.substationSize = substationSize(*figures.snapshot);
    report.site.substationsOfSize = report.site.substationSize.required(facilityW);
    if (facilityW > 0) report.site.substationAccelerators = std::int64_t(double(report.accelerators.active) * stations.capacityW / facilityW);
}

void fillSite(const Figures& figures, Report& report)
{
    const auto& s = *figures.snapshot;
    auto& out = report.site;
    const auto& power = report.power;
    out.limitBasis = settingOf(s, "site.limit_basis") == "facility" ? "facility" : "it";
    const double pue = out.limitBasis == "facility" ? power.pue : 1.0;
    s.buildings.forEach([&](BuildingId id) {
        if (!inPod(s, id)) return;
        ++out.buildings;
        const auto limit = s.buildings.itLimit[id];
        out.limit += limit;
        if (limit.count() > 0 && toWatts(figures.power->building(id).at(power.basis)) * pue > toWatts(limit)) out.fits = false;
    });
    if (out.limit.count() > 0) {
        const double limitW = toWatts(out.limit), itW = toWatts(power.itAtBasis());
        out.spareShare = site::spareShare(itW * pue, limitW);
        const bool facility = out.limitBasis == "facility";
        out.readings = {{"it", itW, facility ? 0 : limitW}, {"facility", itW * power.pue, facility ? limitW : 0}};
        // What the limit carries when everything of the design grows in step, in whole active hosts.
        if (report.servers.active > 0)
            out.maxAccelerators =
                site::hostsAtLimit(limitW, itW / double(report.servers.active), pue) * (report.accelerators.active / report.servers.active);
    }
    fillSubstations(figures, report);
}

void addLink(Report::Run& run, std::int32_t lengthMm)
{
    ++run.cables;
    run.lengthMm += lengthMm;
}

void addCable(Report::Run& run, std::int32_t lengthMm)
{
    ++run.physicalCables;
    run.physicalLengthMm += lengthMm;
}

void fillFiber(const Figures& figures, Report& report)
{
    const auto& s = *figures.snapshot;
    auto& fiber = report.fiber;
    static const std::string kNone = "unassigned";
    std::vector<Report::Run*> byType(s.partTypes.nextId(), nullptr); // a look-up by medium per link would cost more than the rest
    const auto runOf = [&](Maybe<PartTypeId> type) -> Report::Run& {
        if (!type) return fiber.byMedium[kNone];
        auto*& run = byType[(*type).value];
        if (!run) run = &fiber.byMedium[figures.parts->cable(*type).medium];
        return *run;
    };
    std::vector<char> seen(s.cables.nextId(), 0);
    s.links.forEach([&](LinkId id) {
        if (!isDataLink(s, id)) return;
        const auto cableId = s.links.cable[id];
        const auto cable = cableId ? (*figures.cabling)[*cableId] : Cabling::Cable{};
        auto& run = runOf(cable.type);
        const auto whole = std::int32_t(figures.cabling->channelMm(s, id)); // over panels of all its cables
        addLink(fiber.all, whole);
        addLink(run, whole);
        figures.cabling->runs().eachCable(s, id, [&](CableId each) {
            const auto& one = (*figures.cabling)[each];
            if (one.partOf || std::exchange(seen[each.value], 1)) return;
            addCable(fiber.all, one.lengthMm);
            addCable(runOf(one.type), one.lengthMm);
            fiber.longestMm = std::max(fiber.longestMm, one.lengthMm);
            fiber.reachExceeded += one.reachExceeded;
            fiber.noRoute += one.noRoute;
        });
    });
    for (const auto& [type, count] : figures.cabling->transceivers()) fiber.transceivers[(*figures.parts)[type].slug] += count;
}

} // namespace

std::string CoolingLevel::redundancy() const { return spare() == 0 ? "N" : fmt::format("N{:+}", spare()); }

Report makeReport(const Figures& figures, const Bom& bom)
{
    Report report;
    fillDesign(*figures.snapshot, report);
    fillCounts(figures, report);
    fillPower(figures, report);
    fillSite(figures, report);
    fillCooling(figures, report);
    fillFiber(figures, report);
    fillMoney(figures, bom, report);
    report.headroom = headroomOf(figures);
    return report;
}

Result<Report> makeProvenReport(const Figures& figures, const Bom& bom, const Progress& progress)
{
    const auto proofs = proofOf(figures, progress);
    if (!proofs) return tl::unexpected(proofs.error());
    Report report = makeReport(figures, bom);
    report.proofs = **proofs;
    return report;
}

} // namespace hw
