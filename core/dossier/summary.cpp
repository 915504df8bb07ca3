// SPDX-License-Identifier: GPL-3.0-or-later
// What a director reads: one page.
#include "core/dossier/parts.h"

#include "core/cooling/chain.h"
#include "core/exchange/bom_total.h"
#include "core/model/label.h"
#include "core/report/amounts.h"
#include "core/report/network_view.h"

#include <algorithm>
#include <map>

namespace hw::dossier {
namespace {

using namespace amounts;

/// Millions read better than digits on a page that is skimmed.
Text shortMoney(Money sum, const std::string& currency)
{
    const double value = toCurrency(sum);
    if (std::abs(value) >= 1e9) return i18n("{:.2f} bn {}", value / 1e9, currency);
    if (std::abs(value) >= 1e6) return i18n("{:.1f} M {}", value / 1e6, currency);
    return i18n("{} {}", wholeMoney(sum), currency);
}

Text ratioText(const FabricFigures::Network& network)
{
    return peersAtTop(network) ? i18n("{:.4g}:1 up the tiers", network.oversubscriptionEndToEnd) : i18n("{:.4g}:1", network.oversubscriptionEndToEnd);
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
    if (r.racks.total == 0 && r.servers.active == 0) return i18n("An empty design: nothing stands on its site yet.");
    const Text machines = i18n("{} in {} and {}", i18np(r.accelerators.active, "{:L} accelerator", "{:L} accelerators"),
                               i18np(r.servers.active, "{:L} server", "{:L} servers"), i18np(r.racks.total, "{:L} rack", "{:L} racks"));
    const Text buildings = i18np(std::int64_t(in.snapshot().buildings.size()), "{:L} building", "{:L} buildings");
    const Text it = powerText(r.power.campusAtBasis()), facility = powerText(r.power.facilityW());
    const Text draw = r.power.pueComputed ? i18n("It draws {} of IT power and {} with losses and cooling (PUE {:.2f}).", it, facility, r.power.pue)
                                          : i18n("It draws {} of IT power and {} at a constant PUE of {:.2f}.", it, facility, r.power.pue);
    const Text what = i18n("A design for {}, in {}.", machines, buildings);
    if (r.accelerators.backup == 0) return together({what, draw});
    return together({what, i18np(r.accelerators.backup, "{:L} further accelerator stands by.", "{:L} further accelerators stand by."), draw});
}

Table networksTable(const Input& in)
{
    Table table;
    table.caption = i18n("Networks");
    table.columns = {{i18n("Network"), 2},         {i18n("Switches"), 1, true}, {i18n("Links"), 1, true}, {i18n("Oversubscription"), 1.4, true},
                     {i18n("Bisection"), 1, true}, {i18n("Proof"), 2.2}};
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
                            : proof->holds() ? Cell(i18n("connected, wired soundly"), Tone::Good)
                                             : Cell(i18n("does not hold, see the network"), Tone::Bad));
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
        points.push_back({i18np(most[i].second, "{1}: {0:L} error against rule {2}", "{1}: {0:L} errors against rule {2}",
                                rule ? Text(rule->title) : Text(), most[i].first),
                          Tone::Bad});
    }
    if (in.findings.waived > 0)
        points.push_back({i18np(std::int64_t(in.findings.waived), "{:L} finding was accepted with a reason; see Findings and waivers",
                                "{:L} findings were accepted with a reason; see Findings and waivers"),
                          Tone::Warning});
}

void addPowerRisks(const Input& in, std::vector<Points::Point>& points)
{
    const auto& power = in.report.power;
    if (power.unfedDevices > 0)
        points.push_back({i18np(power.unfedDevices, "{:L} device has no way to a utility, or not on every side",
                                "{:L} devices have no way to a utility, or not on every side"),
                          Tone::Bad});
    if (power.darkOnSingleLoss > 0)
        points.push_back({i18np(power.darkOnSingleLoss, "{:L} device goes dark when one element of the power chain is lost",
                                "{:L} devices go dark when one element of the power chain is lost"),
                          Tone::Warning});
    for (const PowerLevel& level : power.levels)
        if (!level.fits())
            points.push_back({i18n("{}: {} would carry {} of {} at worst", level.name, level.worst, powerText(std::max(level.load, level.failover)),
                                   powerText(level.capacity)),
                              Tone::Bad});
        else if (level.capacity.count() > 0 && std::max(level.load, level.failover) * 100 > level.capacity * 95)
            points.push_back({i18n("{}: {} uses {} of its capacity at worst", level.name, level.worst,
                                   percent(toWatts(std::max(level.load, level.failover)) / toWatts(level.capacity))),
                              Tone::Warning});
    if (in.report.site.limit.count() > 0 && !in.report.site.fits) points.push_back({i18n("A building is over its limit of power"), Tone::Bad});
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
        points.push_back(
            {i18n("Cooling {}: all of its {} passes {}; shutting one stops it all", loop.name, powerText(loop.heatW), listedNames(headers)),
             Tone::Warning});
}

void addCoolingRisks(const Input& in, std::vector<Points::Point>& points)
{
    const CoolingChain& chain = in.figures.get<CoolingChainNode>();
    for (const CoolingLoop& loop : chain.loops) {
        if (loop.heatW <= 0 || loop.sources.empty()) continue;
        if (!loop.carries())
            points.push_back({i18n("Cooling {}: carries less than its {} of heat", loop.name, powerText(loop.heatW)), Tone::Bad});
        else if (loop.worstW < loop.heatW)
            points.push_back({i18n("Cooling {}: at the worst single loss {} of {} stay without cooling", loop.name,
                                   powerText(loop.heatW - loop.worstW), powerText(loop.heatW)),
                              Tone::Warning});
        addSingleHeaders(in, loop, points);
    }
    if (!chain.unfed.empty())
        points.push_back({i18np(std::int64_t(chain.unfed.size()), "{:L} device is cooled by liquid, and no loop reaches it",
                                "{:L} devices are cooled by liquid, and no loop reaches them"),
                          Tone::Bad});
}

void addCableRisks(const Input& in, std::vector<Points::Point>& points)
{
    const auto& fibre = in.report.fibre;
    if (fibre.noRoute > 0)
        points.push_back({i18np(fibre.noRoute, "{:L} cable finds no way through the trays", "{:L} cables find no way through the trays"), Tone::Bad});
    if (fibre.reachExceeded > 0)
        points.push_back(
            {i18np(fibre.reachExceeded, "{:L} cable is longer than its optics reach", "{:L} cables are longer than their optics reach"), Tone::Bad});
    for (const auto& proof : in.report.proofs)
        if (proof.hasCables() && !proof.holds())
            points.push_back({i18n("Network {}: what the cables should guarantee does not hold", proof.name), Tone::Bad});
}

void addMoneyRisks(const Input& in, std::vector<Points::Point>& points)
{
    const Bom& bom = in.bom;
    if (bom.assumedShare() > 0.2)
        points.push_back({i18n("{} of the cost rests on assumed prices; ask for quotes", percent(bom.assumedShare())), Tone::Warning});
    if (bom.unpriced > 0)
        points.push_back({i18np(bom.unpriced, "{:L} line of the bill has no price and counts as nothing",
                                "{:L} lines of the bill have no price and count as nothing"),
                          Tone::Warning});
    if (Text missing = withoutRateText(bom.withoutRate); !missing.empty()) points.push_back({std::move(missing), Tone::Bad});
    if (const auto left = bom.linksLeftOut(); left > 0)
        points.push_back({i18np(left, "{:L} link is not in the total: nothing can be bought for it",
                                "{:L} links are not in the total: nothing can be bought for them"),
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
    if (list.points.empty()) list.points.push_back({i18n("None found by rules, proofs and budgets."), Tone::Good});
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
        {grouped(r.accelerators.active), i18n("accelerators"), r.accelerators.backup ? i18n("and {:L} backup", r.accelerators.backup) : Text()},
        {powerText(r.power.campusAtBasis()), i18n("IT power"), i18n("{} facility", powerText(r.power.facilityW()))},
        {i18n("{:.2f}", r.power.pue), i18n("PUE"),
         r.power.pueComputed  ? i18n("from its losses")
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
        tiles.tiles.push_back({percent(std::abs(r.site.spareShare)), r.site.spareShare >= 0 ? i18n("of the limit spare") : i18n("over the limit"),
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

} // namespace hw::dossier
