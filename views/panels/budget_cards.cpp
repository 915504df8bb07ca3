// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/budget_cards.h"

#include "core/derived/figures/rack_kind.h"
#include "core/foundation/model/label.h"
#include "core/output/exchange/bom_total.h"

#include "views/panels/properties.h"
#include "views/style/format.h"
#include "views/style/units.h"

#include <algorithm>
#include <functional>

namespace hw::views {
namespace {

constexpr std::size_t kCoolingLines = 4;

double shareOf(double load, double capacity) { return capacity > 0 ? load / capacity : 0.0; }

BudgetCard powerCard(const Report& report)
{
    BudgetCard card{QObject::tr("Power, %1 basis").arg(text(std::string(powerBasisName(report.power.basis)))), {}, {}};
    const auto& site = report.site;
    const double load = site.limitBasis == "facility" ? report.power.facilityW() : toWatts(report.power.itAtBasis());
    if (site.limit.count() > 0)
        card.bars.push_back({site.limitBasis == "facility" ? QObject::tr("Site limit, facility power") : QObject::tr("Site limit, IT power"),
                             QString("%1 / %2").arg(power(Milliwatts(std::int64_t(load * 1000))), power(site.limit)),
                             shareOf(load, toWatts(site.limit)),
                             false,
                             {}});
    const auto buildings = std::ranges::count(report.power.levels, "building", &PowerLevel::kind);
    const PowerLevel* fullest = nullptr; // of many buildings only the fullest is worth a line
    for (const auto& level : report.power.levels)
        if (level.kind == "building" && level.capacity.count() > 0 &&
            (!fullest || shareOf(double(level.load.count()), double(level.capacity.count())) >
                             shareOf(double(fullest->load.count()), double(fullest->capacity.count()))))
            fullest = &level;
    for (const auto& level : report.power.levels) {
        if (level.capacity.count() == 0 || (level.kind == "building" && buildings > 3 && &level != fullest)) continue;
        const QString name = level.kind == "building" && buildings > 3 ? QObject::tr("Most loaded building (%1)").arg(text(level.name))
                             : level.count > 1 ? QObject::tr("Most loaded %1 of %2: %3").arg(text(level.title), count(level.count), text(level.worst))
                                               : text(level.title);
        const QString which = text(level.worst);
        card.bars.push_back({name, QString("%1 / %2").arg(power(level.load), power(level.capacity)),
                             shareOf(double(level.load.count()), double(level.capacity.count())), false, which, which});
        if (level.failover > level.load)
            card.bars.push_back({QObject::tr("  after single failure"), QString("%1 / %2").arg(power(level.failover), power(level.capacity)),
                                 shareOf(double(level.failover.count()), double(level.capacity.count())), false, which, which});
    }
    card.notes << QObject::tr("Nameplate %1, typical %2")
                      .arg(power(report.power.it[std::size_t(PowerBasis::Nameplate)]), power(report.power.it[std::size_t(PowerBasis::Typical)]));
    card.notes << (report.power.pueComputed  ? QObject::tr("Facility %1 with losses and cooling, PUE %2")
                   : report.power.pueAssumed ? QObject::tr("Facility %1 at constant PUE %2 (assumed)")
                                             : QObject::tr("Facility %1 at constant PUE %2"))
                      .arg(power(Milliwatts(std::int64_t(report.power.facilityW() * 1000))))
                      .arg(report.power.pue);
    return card;
}

BudgetCard coolingCard(const Report& report)
{
    BudgetCard card{QObject::tr("Cooling"), {}, {}};
    auto levels = report.cooling.levels;
    std::ranges::stable_sort(levels, std::greater(), [](const CoolingLevel& level) { return shareOf(double(level.needed), double(level.units)); });
    if (levels.size() > kCoolingLines) {
        card.notes << QObject::tr("and %1 more with larger margins").arg(levels.size() - kCoolingLines);
        levels.resize(kCoolingLines);
    }
    for (const auto& level : levels)
        card.bars.push_back({text(level.name), QObject::tr("%1 of %2 units, %3").arg(level.needed).arg(level.units).arg(text(level.redundancy())),
                             shareOf(double(level.needed), double(level.units)), false,
                             QString("%1 / %2").arg(power(level.load), power(level.capacity))});
    card.notes << QObject::tr("Air %1, %2 m³/s").arg(power(report.cooling.air)).arg(report.cooling.airFlowM3s, 0, 'f', 0);
    if (report.cooling.liquid.count() > 0)
        card.notes << QObject::tr("Liquid %1, %2 L/min").arg(heat(report.cooling.liquid)).arg(report.cooling.flowLpm, 0, 'f', 0);
    return card;
}

BudgetCard networkCard(const FabricFigures::Network& network, const Snapshot& s)
{
    BudgetCard card{QObject::tr("%1: ports used").arg(text(labelText(s.networks, network.id))), {}, {}};
    for (const auto& tier : network.tiers) {
        const QString name = text(labelText(s.tiers, tier.id));
        for (const auto& p : tier.ports) {
            const QString role = p.role == PortRole::Up       ? QObject::tr("up")
                                 : p.role == PortRole::Backup ? QObject::tr("backup")
                                                              : QObject::tr("down");
            card.bars.push_back({QString("%1 %2 %3").arg(name, role, rateText(p.rate)),
                                 QString("%1 / %2").arg(count(p.used), count(p.total)),
                                 shareOf(double(p.used), double(p.total)),
                                 true,
                                 {},
                                 text(s.tiers.name[tier.id])});
        }
        if (tier.upGbps > 0) card.notes << QObject::tr("%1 oversubscription %2 : 1").arg(name, ratio(tier.oversubscription()));
    }
    card.notes << QObject::tr("End to end %1 : 1").arg(ratio(network.oversubscriptionEndToEnd));
    return card;
}

BudgetCard fiberCard(const Report& report)
{
    BudgetCard card{QObject::tr("Fiber and optics"), {}, {}};
    for (const auto& [medium, run] : report.fiber.byMedium)
        card.bars.push_back({mediumName(medium),
                             text(i18np(run.cables, "{:L} link, {}", "{:L} links, {}", length(run.lengthMm).toStdString())),
                             shareOf(double(run.lengthMm), double(report.fiber.all.lengthMm)),
                             true,
                             {}});
    card.notes << QObject::tr("%1 assemblies for %2 links, longest %3")
                      .arg(count(report.fiber.all.physicalCables), count(report.fiber.all.cables), length(report.fiber.longestMm));
    std::int64_t optics = 0;
    for (const auto& [type, n] : report.fiber.transceivers) optics += n;
    card.notes << text(
        i18np(std::uint64_t(report.fiber.transceivers.size()), "{1:L} transceivers of {0:L} type", "{1:L} transceivers of {0:L} types", optics));
    if (report.fiber.reachExceeded)
        card.notes << text(i18np(report.fiber.reachExceeded, "{:L} cable beyond its reach", "{:L} cables beyond their reach"));
    return card;
}

BudgetCard costCard(const Report& report)
{
    BudgetCard card{QObject::tr("Cost"), {}, {}};
    const QString currency = text(report.cost.currency);
    for (const auto& [group, sum] : report.cost.byGroup)
        card.bars.push_back({text(group).left(1).toUpper() + text(group).mid(1),
                             money(sum, currency),
                             shareOf(double(sum.count()), double(report.cost.total.count())),
                             true,
                             {}});
    card.notes << QObject::tr("%1 is based on assumed prices").arg(percent(report.cost.assumedShare, 0));
    if (const Text missing = withoutRateText(report.cost.withoutRate); !missing.empty()) card.notes << text(words(missing));
    for (const auto& out : report.cost.leftOut) card.notes << QObject::tr("Not included: %1").arg(text(leftOutText(out)));
    return card;
}

} // namespace

std::vector<KeyFigure> keyFigures(const Report& report, const Figures& figures)
{
    const NetworkId main = figures.get<RackKindsNode>().main;
    const auto& networks = figures.fabric->networks();
    const auto network = std::ranges::find(networks, main, &FabricFigures::Network::id);
    const double load = report.site.limitBasis == "facility" ? report.power.facilityW() : toWatts(report.power.itAtBasis());
    const double share = report.site.limit.count() > 0 ? load / toWatts(report.site.limit) : -1;
    std::vector<KeyFigure> keys{
        {count(report.accelerators.active), QObject::tr("GPUs, %1 spare").arg(count(report.accelerators.backup)), -1},
        {power(report.power.itAtBasis()), share >= 0 ? QObject::tr("IT, %1 of the limit").arg(percent(share)) : QObject::tr("IT power"), share},
        {count(std::int64_t(report.power.perAcceleratorW + 0.5)) + " W", QObject::tr("per GPU"), -1},
        {count(report.racks.total), QObject::tr("racks"), -1},
        {count(report.fiber.all.cables), QObject::tr("links, %1").arg(length(report.fiber.all.lengthMm)), -1},
        {length(report.fiber.longestMm), QObject::tr("longest cable"), -1},
        {text(words(
             totalText(report.cost.total, report.cost.withoutRate, verbatim(money(report.cost.total, text(report.cost.currency)).toStdString())))),
         QObject::tr("total, %1 assumed").arg(percent(report.cost.assumedShare, 0)), -1}};
    if (network != networks.end())
        keys.insert(keys.begin() + 1, {ratio(network->oversubscriptionEndToEnd) + " : 1", QObject::tr("end-to-end oversubscription"), -1});
    return keys;
}

std::vector<BudgetCard> budgetCards(const Report& report, const Figures& figures)
{
    std::vector<BudgetCard> cards{powerCard(report), coolingCard(report)};
    for (const auto& network : figures.fabric->networks()) cards.push_back(networkCard(network, *figures.snapshot));
    cards.push_back(fiberCard(report));
    cards.push_back(costCard(report));
    if (!report.notes.empty()) {
        BudgetCard notes{QObject::tr("Deviations from the request"), {}, {}};
        for (const auto& note : report.notes) notes.notes << text(note);
        cards.push_back(notes);
    }
    return cards;
}

} // namespace hw::views
