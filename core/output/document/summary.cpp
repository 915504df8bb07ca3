// SPDX-License-Identifier: GPL-3.0-or-later
// What a director reads: one page.
#include "core/output/document/parts.h"

#include "core/derived/cooling/chain.h"
#include "core/foundation/model/label.h"
#include "core/output/exchange/bom_total.h"
#include "core/output/report/amounts.h"
#include "core/output/report/network_view.h"

#include <algorithm>
#include <map>

namespace hw::document {
namespace {

using namespace amounts;

/// Millions read better than digits on a page that is skimmed.
Text shortMoney(Money sum, const std::string& currency)
{
    const double value = toCurrency(sum);
    if (std::abs(value) >= 1e9) return i18n("{:.2f} B {}", value / 1e9, currency);
    if (std::abs(value) >= 1e6) return i18n("{:.1f} M {}", value / 1e6, currency);
    return i18n("{} {}", wholeMoney(sum), currency);
}

Text ratioText(const FabricFigures::Network& network)
{
    return peersAtTop(network) ? i18n("{:.4g}:1 across the tiers", network.oversubscriptionEndToEnd)
                               : i18n("{:.4g}:1", network.oversubscriptionEndToEnd);
}

const FabricFigures::Network* mainOf(const Input& in)
{
    const auto& networks = in.figures.fabric->networks();
    const NetworkId main = in.figures.get<RackKindsNode>().main;
    const auto at = std::ranges::find(networks, main, &FabricFigures::Network::id);
    return at == networks.end() ? nullptr : &*at;
}

Tone findingsTone(const CheckResult& findings) { return findings.errors ? Tone::Bad : findings.warnings ? Tone::Warning : Tone::Good; }

/// "A design for 15,360 accelerators in 1,920 servers and 480 racks …"
Text whatItIs(const Input& in)
{
    const Report& r = in.report;
    if (r.racks.total == 0 && r.servers.active == 0) return i18n("Empty design: no equipment placed.");
    const Text machines = i18n("{} in {} and {}", i18np(r.accelerators.active, "{:L} accelerator", "{:L} accelerators"),
                               i18np(r.servers.active, "{:L} server", "{:L} servers"), i18np(r.racks.total, "{:L} rack", "{:L} racks"));
    const Text buildings = i18np(std::int64_t(in.snapshot().buildings.size()), "{:L} building", "{:L} buildings");
    const Text it = powerText(r.power.campusAtBasis()), facility = powerText(r.power.facilityW());
    const Text draw = r.power.pueComputed ? i18n("It draws {} of IT power and {} of facility power, including losses and cooling (PUE {:.2f}).", it,
                                                 facility, r.power.pue)
                                          : i18n("IT power is {}, facility power {} at a constant PUE of {:.2f}.", it, facility, r.power.pue);
    const Text what = i18n("Design for {} in {}.", machines, buildings);
    if (r.accelerators.backup == 0) return together({what, draw});
    return together({what, i18np(r.accelerators.backup, "{:L} standby accelerator.", "{:L} standby accelerators."), draw});
}

Table networksTable(const Input& in)
{
    Table table;
    table.caption = i18n("Networks");
    table.columns = {{i18n("Network"), 2},         {i18n("Switches"), 1, true}, {i18n("Links"), 1, true}, {i18n("Oversubscription"), 1.4, true},
                     {i18n("Bisection"), 1, true}, {i18n("Verification"), 2.2}};
    for (const auto& network : in.figures.fabric->networks()) {
        std::int64_t switches = 0, links = 0;
        for (const auto& tier : network.tiers) switches += tier.switches;
        for (const auto& link : network.links) links += link.active + link.backup;
        const auto proof = std::ranges::find(in.report.proofs, network.id, &NetworkProof::network);
        const bool proven = proof != in.report.proofs.end() && proof->hasCables();
        const auto* worst = proven ? proof->worstBisection() : nullptr;
        const Snapshot& s = in.snapshot();
        Table::Row row{{labelText(s.networks, network.id), grouped(switches), grouped(links), ratioText(network),
                        worst ? percent(worst->fraction()) : verbatim("–")}};
        row.cells.push_back(!proven          ? Cell(i18n("no cables"), Tone::Dim)
                            : proof->holds() ? Cell(i18n("connected, correctly wired"), Tone::Good)
                                             : Cell(i18n("failed, see the network section"), Tone::Bad));
        table.rows.push_back(std::move(row));
    }
    return table;
}

void addFindingRisks(const Input& in, std::vector<Points::Point>& points)
{
    std::map<std::string, std::int64_t> errors;
    for (const Finding& f : in.findings.findings)
        if (!f.waived && f.severity == Severity::Error) ++errors[f.rule];
    std::vector<std::pair<std::string, std::int64_t>> most(errors.begin(), errors.end());
    std::ranges::stable_sort(most, std::greater(), [](const auto& e) { return e.second; });
    constexpr std::size_t kMostRules = 3;
    for (std::size_t i = 0; i < most.size() && i < kMostRules; ++i) {
        const Rule* rule = findRule(most[i].first);
        points.push_back(
            {i18np(most[i].second, "{1}: {0:L} error (rule {2})", "{1}: {0:L} errors (rule {2})", rule ? Text(rule->title) : Text(), most[i].first),
             Tone::Bad});
    }
    if (in.findings.waived > 0)
        points.push_back({i18np(std::int64_t(in.findings.waived), "{:L} finding waived; see Findings and waivers",
                                "{:L} findings waived; see Findings and waivers"),
                          Tone::Warning});
}

void addPowerRisks(const Input& in, std::vector<Points::Point>& points)
{
    const auto& power = in.report.power;
    if (power.unfedDevices > 0)
        points.push_back(
            {i18np(power.unfedDevices, "{:L} device without a utility path on every feed", "{:L} devices without a utility path on every feed"),
             Tone::Bad});
    if (power.darkOnSingleLoss > 0)
        points.push_back({i18np(power.darkOnSingleLoss, "{:L} device loses power after a single failure in the power chain",
                                "{:L} devices lose power after a single failure in the power chain"),
                          Tone::Warning});
    for (const PowerLevel& level : power.levels)
        if (!level.fits())
            points.push_back({i18n("{}: {} would carry {} of {} in the worst case", level.name, level.worst,
                                   powerText(std::max(level.load, level.failover)), powerText(level.capacity)),
                              Tone::Bad});
        else if (level.capacity.count() > 0 && std::max(level.load, level.failover) * 100 > level.capacity * 95)
            points.push_back({i18n("{}: {} reaches {} of its capacity in the worst case", level.name, level.worst,
                                   percent(toWatts(std::max(level.load, level.failover)) / toWatts(level.capacity))),
                              Tone::Warning});
    if (in.report.site.limit.count() > 0 && !in.report.site.fits) points.push_back({i18n("Building power limit exceeded"), Tone::Bad});
}

/// A loop's headers that all of its flow passes: what shuts one of them stops all of it, however many units are to spare.
void addSingleHeaders(const Input& in, const CoolingLoop& loop, std::vector<Points::Point>& points)
{
    const double flow = loop.lpm * loop.heatW / (loop.heatW + (loop.kind == LoopKind::Facility ? loop.ownW : 0)); // the rest is for pumps' own heat
    const Snapshot& s = *in.figures.snapshot;
    std::vector<std::string> headers;
    for (const DeviceId id : loop.members) {
        const CoolingUnit* unit = in.figures.get<CoolingChainNode>().unit(id);
        if (unit && unit->element == CoolingElement::Header && flow > 0 && unit->lpm >= 0.99 * flow) headers.push_back(s.devices.name[id]);
    }
    if (!headers.empty())
        points.push_back({i18n("Cooling {}: the entire heat load of {} passes through {}; closing any one of them stops the loop", loop.name,
                               powerText(loop.heatW), listedNames(headers)),
                          Tone::Warning});
}

void addCoolingRisks(const Input& in, std::vector<Points::Point>& points)
{
    const CoolingChain& chain = in.figures.get<CoolingChainNode>();
    for (const CoolingLoop& loop : chain.loops) {
        if (loop.heatW <= 0 || loop.sources.empty()) continue;
        if (!loop.carries())
            points.push_back({i18n("Cooling {}: capacity below the heat load of {}", loop.name, powerText(loop.heatW)), Tone::Bad});
        else if (loop.worstW < loop.heatW)
            points.push_back({i18n("Cooling {}: {} of {} uncooled after the worst single failure", loop.name, powerText(loop.heatW - loop.worstW),
                                   powerText(loop.heatW)),
                              Tone::Warning});
        addSingleHeaders(in, loop, points);
    }
    if (!chain.unfed.empty())
        points.push_back({i18np(std::int64_t(chain.unfed.size()), "{:L} liquid-cooled device is not connected to a loop",
                                "{:L} liquid-cooled devices are not connected to a loop"),
                          Tone::Bad});
}

void addCableRisks(const Input& in, std::vector<Points::Point>& points)
{
    const auto& fiber = in.report.fiber;
    if (fiber.noRoute > 0) points.push_back({i18np(fiber.noRoute, "{:L} cable has no tray route", "{:L} cables have no tray route"), Tone::Bad});
    if (fiber.reachExceeded > 0)
        points.push_back(
            {i18np(fiber.reachExceeded, "{:L} cable exceeds the reach of its optics", "{:L} cables exceed the reach of their optics"), Tone::Bad});
    for (const auto& proof : in.report.proofs)
        if (proof.hasCables() && !proof.holds()) points.push_back({i18n("Network {}: verification failed", proof.name), Tone::Bad});
}

void addMoneyRisks(const Input& in, std::vector<Points::Point>& points)
{
    const Bom& bom = in.bom;
    if (bom.assumedShare() > 0.2)
        points.push_back({i18n("{} of the cost is based on assumed prices; request quotes", percent(bom.assumedShare())), Tone::Warning});
    if (bom.unpriced > 0)
        points.push_back({i18np(bom.unpriced, "{:L} bill-of-materials line is unpriced and counts as zero",
                                "{:L} bill-of-materials lines are unpriced and count as zero"),
                          Tone::Warning});
    if (Text missing = withoutRateText(bom.withoutRate); !missing.empty()) points.push_back({std::move(missing), Tone::Bad});
    if (const auto left = bom.linksLeftOut(); left > 0)
        points.push_back(
            {i18np(left, "{:L} link is excluded from the total: no suitable parts", "{:L} links are excluded from the total: no suitable parts"),
             Tone::Warning});
}

Points risks(const Input& in)
{
    constexpr std::size_t kMost = 9; // of one page
    Points list;
    addFindingRisks(in, list.points);
    addPowerRisks(in, list.points);
    addCoolingRisks(in, list.points);
    addCableRisks(in, list.points);
    addMoneyRisks(in, list.points);
    std::ranges::stable_partition(list.points, [](const auto& p) { return p.tone == Tone::Bad; });
    if (list.points.size() > kMost) {
        const auto more = std::int64_t(list.points.size() - kMost + 1);
        list.points.resize(kMost - 1);
        list.points.push_back({i18np(more, "and {:L} more in the sections below", "and {:L} more in the sections below"), Tone::Dim});
    }
    if (list.points.empty()) list.points.push_back({i18n("None found by rules, verification and budgets."), Tone::Good});
    return list;
}

Facts costFacts(const Input& in)
{
    const Bom& bom = in.bom;
    return {{{i18n("Priced"), i18n("{} {}", wholeMoney(bom.quoted()), bom.currency)},
             {i18n("Assumed"), i18n("{} {}", wholeMoney(bom.assumed), bom.currency), bom.assumed.count() ? Tone::Warning : Tone::Plain},
             {i18n("Total"), totalText(bom.total, bom.withoutRate, i18n("{} {}", wholeMoney(bom.total), bom.currency))}}};
}

} // namespace

Tiles keyFigures(const Input& in)
{
    const Report& r = in.report;
    Tiles tiles;
    tiles.tiles = {
        {grouped(r.accelerators.active), i18n("accelerators"), r.accelerators.backup ? i18n("plus {:L} backup", r.accelerators.backup) : Text()},
        {powerText(r.power.campusAtBasis()), i18n("IT power"), i18n("{} facility", powerText(r.power.facilityW()))},
        {i18n("{:.2f}", r.power.pue), i18n("PUE"),
         r.power.pueComputed  ? i18n("calculated from losses")
         : r.power.pueAssumed ? i18n("constant, assumed")
                              : i18n("constant")},
        {grouped(r.racks.total), i18n("racks"), i18np(r.servers.active, "{:L} server", "{:L} servers")}};
    if (const auto* network = mainOf(in))
        tiles.tiles.push_back(
            {i18n("{:.4g}:1", network->oversubscriptionEndToEnd), i18n("oversubscription"), verbatim(in.snapshot().networks.name[network->id])});
    tiles.tiles.push_back({totalText(in.bom.total, in.bom.withoutRate, shortMoney(in.bom.total, in.bom.currency)), i18n("cost"),
                           i18n("{} assumed", percent(in.bom.assumedShare()))});
    tiles.tiles.push_back({grouped(std::int64_t(in.findings.errors)), i18n("errors"),
                           i18np(std::int64_t(in.findings.warnings), "{:L} warning", "{:L} warnings"), findingsTone(in.findings)});
    if (r.site.limit.count() > 0)
        tiles.tiles.push_back({percent(std::abs(r.site.spareShare)), r.site.spareShare >= 0 ? i18n("power headroom") : i18n("over the power limit"),
                               i18n("limit {}", powerText(r.site.limit)), r.site.fits ? Tone::Plain : Tone::Bad});
    return tiles;
}

Section summarySection(const Input& in)
{
    Section section{i18n("Summary"), 1, "summary", {}};
    section.blocks.push_back(Paragraph{whatItIs(in), Paragraph::Style::Lead});
    section.blocks.push_back(keyFigures(in));
    if (!in.figures.fabric->networks().empty()) section.blocks.push_back(networksTable(in));
    section.blocks.push_back(Paragraph{i18n("Cost"), Paragraph::Style::Heading});
    section.blocks.push_back(costFacts(in));
    section.blocks.push_back(Paragraph{i18n("Main risks"), Paragraph::Style::Heading});
    section.blocks.push_back(risks(in));
    return section;
}

} // namespace hw::document
