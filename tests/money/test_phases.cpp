// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "core/derived/cooling/chain.h"
#include "core/derived/cooling/facility.h"
#include "core/derived/geometry/frame.h"
#include "core/derived/installed/plant_sizes.h"
#include "core/derived/rules/check.h"
#include "core/design/edit/edits.h"
#include "core/design/edit/edits_phase.h"
#include "core/design/edit/script.h"
#include "core/foundation/money/phases.h"
#include "core/output/exchange/bom_sections.h"
#include "core/output/report/report.h"
#include "tests/edit/apply_script.h"
#include "tests/money/small_design.h"

#include <algorithm>
#include <random>
#include <set>

#include <nlohmann/json.hpp>

using namespace hw;

namespace {

Result<Template> phased(const char* number, const char* rest = "")
{
    const std::string yaml = std::string("template: phased\nextends: hpn\ntitle: Phased\nphases:\n  number: ") + number + "\n" + rest;
    return Template::parse(yaml, "phased.yaml", HW_RESOURCES "/templates");
}

SnapshotPtr make(const Template& design, const ParameterValues& values)
{
    static const auto catalog = Catalog::load(HW_RESOURCES "/catalog");
    const auto complete = design.complete(values);
    if (!complete) qFatal("%s", complete.error().text().c_str());
    const auto made = instantiate(design, *complete, *catalog);
    if (!made) qFatal("%s", made.error().text().c_str());
    return *made;
}

std::map<std::tuple<Bom::Group, std::string, std::int32_t>, std::int64_t> quantities(const Bom& bom)
{
    std::map<std::tuple<Bom::Group, std::string, std::int32_t>, std::int64_t> all;
    for (const auto& line : bom.lines) all[{line.group, line.part, line.lengthMm}] += line.quantity;
    return all;
}

/// Spines of data depend on a row, where they are, and the row comes with a phase.
void hangOnRow(Snapshot& s, RowId row, PhaseId phase)
{
    const auto before = figuresFor(std::make_shared<const Snapshot>(s));
    const Frame frame = rowFrame(s, row);
    const auto put = [&](auto& x, auto& y, TrayId tray, const Point& at) {
        std::int32_t ahead = at.x - frame.x, left = at.y - frame.y;
        for (int turn = 0; turn < frame.quarter; ++turn) std::tie(ahead, left) = std::pair(left, -ahead);
        x.set(tray, Millimeters(ahead)), y.set(tray, Millimeters(left));
    };
    for (const TrayId tray : s.trays.ids()) {
        if (s.trays.kind[tray] != TrayKind::Spine || s.trays.carries[tray] != Carries::Data) continue;
        const TrayLine line = before->placement->tray(tray);
        s.trays.row.set(tray, row), s.trays.hall.set(tray, {});
        put(s.trays.x1, s.trays.y1, tray, line.a), put(s.trays.x2, s.trays.y2, tray, line.b);
    }
    s.rows.phase.set(row, phase);
}

/// With ' for ", which are easier to read here.
Result<void> runScript(Document& document, std::string json)
{
    std::ranges::replace(json, '\'', '"');
    const auto edits = edit::parseScript(json, "edits.json");
    if (!edits) return tl::unexpected(edits.error());
    return test::applyScript(document, *edits, {}, "edits.json");
}

} // namespace

class PhasesTest : public QObject {
    Q_OBJECT
    /// Power and cooling of the phases are those of the whole; what the first has beyond its share of the IT is pre-built, after the last nothing.
    static void verifyPrebuilt(const Report& report)
    {
        const auto &one = report.phases[0], &two = report.phases[1];
        const auto of = [&](CostSystem system) { return std::ranges::find(report.cost.systems, system, &Report::Cost::System::system)->total; };
        const Money power = of(CostSystem::Power), cooling = of(CostSystem::Cooling);
        QVERIFY(std::abs((one.power + two.power).count() - power.count()) <= 2 &&
                std::abs((one.cooling + two.cooling).count() - cooling.count()) <= 2);
        QCOMPARE(two.prebuilt.count(), std::int64_t(0));
        const double share = toWatts(one.it) / toWatts(one.it + two.it),
                     plant[] = {toCurrency(one.power) - share * toCurrency(power), toCurrency(one.cooling) - share * toCurrency(cooling)};
        const double ahead = std::max(0.0, plant[0]) + std::max(0.0, plant[1]);
        QVERIFY2(std::abs(toCurrency(one.prebuilt) - ahead) < 0.01, qPrintable(QString("%1 of %2").arg(toCurrency(one.prebuilt)).arg(ahead)));
        QVERIFY(ahead > 0 && ahead < toCurrency(one.cost)); // the core building's plant comes first
        QCOMPARE(report.cost.published.size(), std::size_t(2));
        const double kilowatts = toWatts(report.power.itAtBasis() + report.power.coreAtBasis()) / 1000;
        double all = 0, published = 0; // by item; published costs end at the busway
        for (const auto& item : report.cost.powerItems) all += item.perKw, published += item.cost.published() ? item.perKw : 0;
        QVERIFY(std::abs(all - toCurrency(power) / kilowatts) < 0.01 && published < all);
        QVERIFY(std::abs(report.cost.published[0].perKw - published) < 0.01);
        QVERIFY(report.cost.published[1].range.slug == "cooling" && report.cost.published[1].perKw > 0);
    }

private slots:
    /// Two pods in their own buildings are two phases; the first stands as a design of one pod does.
    void podsAsPhases()
    {
        const auto design = phased("pod + 1", "  names: [first pod, second pod]\n  dates: [2027-01-31, 2027-12-31]\n");
        QVERIFY2(design.has_value(), design ? "" : design.error().text().c_str());
        const ParameterValues two{{"pods", 2}, {"segments", 1}, {"backup_hosts", 0}};
        const SnapshotPtr whole = make(*design, two);
        QCOMPARE(whole->phases.size(), 2u);
        const auto first = edit::designAtPhase(whole, 1), both = edit::designAtPhase(whole, 2);
        QVERIFY(first.has_value() && both.has_value());
        QVERIFY(sameContent(**both, *whole));
        const SnapshotPtr one = designOf("hpn", {{"pods", 1}, {"segments", 1}, {"backup_hosts", 0}});
        QCOMPARE((*first)->racks.size(), one->racks.size());
        QCOMPARE((*first)->buildings.size(), one->buildings.size());
        QCOMPARE((*first)->removals.size(), 0u);
        const auto figures = figuresFor(*first), alone = figuresFor(one), all = figuresFor(whole);
        const Bom bomFirst = makeBom(*figures), bomAlone = makeBom(*alone), bomAll = makeBom(*all);
        // Servers, switches and everything of the pod: what a design of one pod has.
        for (const char* part : {"hpn-host-8gpu", "switch-51t-128x400g"}) {
            const auto count = [&](const Bom& bom) {
                std::int64_t n = 0;
                for (const auto& line : bom.lines)
                    if (line.part == part) n += line.quantity;
                return n;
            };
            QCOMPARE(count(bomFirst), count(bomAlone));
        }
        const auto report = makeReport(*all, bomAll), reportFirst = makeReport(*figures, bomFirst), reportAlone = makeReport(*alone, bomAlone);
        QCOMPARE(reportFirst.accelerators.active, reportAlone.accelerators.active);
        QCOMPARE(reportFirst.power.itAtBasis(), reportAlone.power.itAtBasis());
        QCOMPARE(report.phases.size(), std::size_t(2));
        QCOMPARE(report.phases[0].name, std::string("first pod"));
        QCOMPARE(report.phases[1].date, std::string("2027-12-31"));
        QCOMPARE(report.phases[0].accelerators + report.phases[1].accelerators, report.accelerators.active);
        QCOMPARE(report.phases[0].it + report.phases[1].it, report.power.itAtBasis() + report.power.coreAtBasis());
        QCOMPARE(report.phases[0].cost + report.phases[1].cost, bomAll.total);
        verifyPrebuilt(report);
        QVERIFY(reportFirst.phases[0].prebuilt.count() == 0); // nothing comes later
        // What the sections say of the first phase is what the design at that phase has.
        const auto sections = bomSections(*all, bomAll, BomBy::Phase);
        QCOMPARE(sections.sections.size(), std::size_t(2));
        QVERIFY(quantities(sections.sections[0].bom) == quantities(bomFirst));
        QCOMPARE(sections.sections[0].bom.total, bomFirst.total);
    }

    /// One hall, a group of servers a phase: plant comes with the loads that it supplies, in every phase as redundant as in the end.
    void plantComesWithItsLoads()
    {
        const auto design = Template::parse("template: phased\nextends: rail-optimized-2\nphases: {number: \"segment < 0 ? 1 : segment + 1\"}\n",
                                            "phased.yaml", HW_RESOURCES "/templates");
        QVERIFY2(design.has_value(), design ? "" : design.error().text().c_str());
        const SnapshotPtr whole = make(*design, {{"segments", 4}});
        const auto all = figuresFor(whole);
        const PhaseIndex phases(*whole);
        QCOMPARE(phases.numbers(), (std::vector<int>{1, 2, 3, 4}));
        const std::vector<const char*> rules{"P1", "P2", "P3", "P7", "P8", "P9", "P10", "C1", "C2", "C5", "C8", "C9"};
        const auto problems = [&](const Figures& f) {
            const auto result = hw::check(f, {{rules.begin(), rules.end()}, PowerBasis::Design});
            std::set<std::string> found;
            for (const Finding& finding : result->findings)
                if (finding.severity != Severity::Info) found.insert(finding.rule + ' ' + words(finding.message));
            return found;
        };
        const auto counts = [&](const Figures& f, auto&& isOf) {
            std::int64_t n = 0;
            f.snapshot->devices.forEach([&](DeviceId id) { n += isOf(f.parts->device(f.snapshot->devices.type[id])); });
            return n;
        };
        const auto isSet = [](const DeviceSpec& spec) { return spec.power.element == PowerElement::Generator; };
        const auto isUps = [](const DeviceSpec& spec) { return spec.power.element == PowerElement::Ups; };
        const auto isChiller = [](const DeviceSpec& spec) { return spec.cooling.element == CoolingElement::Chiller; };
        const auto before = problems(*all);
        std::int64_t sets = 0, chillers = 0, ups = 0;
        for (int number = 1; number <= 4; ++number) {
            const auto part = edit::figuresAtPhase(all, number);
            QVERIFY(part.has_value());
            for (const std::string& one : problems(**part)) QVERIFY2(before.contains(one), (std::to_string(number) + ": " + one).c_str());
            // One set, and one chiller, more than the load of the phase requires.
            double rated = 0, largest = 0;
            (*part)->snapshot->devices.forEach([&](DeviceId id) {
                const DeviceSpec& spec = (*part)->parts->device((*part)->snapshot->devices.type[id]);
                if (isSet(spec)) rated += toWatts(spec.capacity.value), largest = std::max(largest, toWatts(spec.capacity.value));
            });
            const double drawn = toWatts(facilityPower(**part, PowerBasis::Design).total());
            QVERIFY2(rated - largest >= drawn, (std::to_string(rated - largest) + " for " + std::to_string(drawn)).c_str());
            for (const CoolingLoop& loop : (*part)->get<CoolingChainNode>().loops)
                QVERIFY2(loop.carries() && loop.spare() >= 1, (std::to_string(number) + ": " + loop.name).c_str());
            const std::int64_t setsNow = counts(**part, isSet), chillersNow = counts(**part, isChiller), upsNow = counts(**part, isUps);
            QVERIFY(setsNow >= sets && chillersNow >= chillers && upsNow >= ups);
            sets = setsNow, chillers = chillersNow, ups = upsNow;
            qInfo("%d: %d sets, %d chillers, %d ups", number, int(sets), int(chillers), int(ups));
        }
        QCOMPARE(sets, counts(*all, isSet));
    }

    /// Air units and rack PDUs that a template has in its pods come with their loads, not with the number of the pod.
    void plantOfTemplatesComesWithItsLoads()
    {
        const auto design = phased("\"segment < 0 ? 1 : div(segment, 2) + 1\"", "");
        QVERIFY2(design.has_value(), design ? "" : design.error().text().c_str());
        const auto all = figuresFor(make(*design, {{"pods", 1}, {"segments", 4}, {"backup_hosts", 0}}));
        const auto first = edit::figuresAtPhase(all, 1);
        QVERIFY(first.has_value());
        const auto count = [](const Figures& f, auto&& isOf) {
            std::int64_t n = 0;
            f.snapshot->devices.forEach([&](DeviceId id) { n += isOf(f.parts->device(f.snapshot->devices.type[id])); });
            return n;
        };
        const auto later = [&](auto&& isOf) { return count(**first, isOf) < count(*all, isOf); };
        QVERIFY(later([](const DeviceSpec& spec) { return spec.cooling.element == CoolingElement::FanWall; }));
        QVERIFY(later([](const DeviceSpec& spec) { return spec.cooling.element == CoolingElement::Chiller; }));
        QVERIFY(later([](const DeviceSpec& spec) { return spec.power.element == PowerElement::Pdu; }));
        for (const CoolingLoop& loop : (*first)->get<CoolingChainNode>().loops) QVERIFY2(loop.carries() && loop.spare() >= 1, loop.name.c_str());
    }

    /// A hall whose air units give their heat to two facility loops: both loops are redundant in the first of two phases without names.
    void twoLoopsOfOneHall()
    {
        const auto design = Template::parse("template: phased\nextends: dcn-plus\nphases: {number: \"div(pod, 16) + 1\"}\n", "phased.yaml",
                                            HW_RESOURCES "/templates");
        QVERIFY2(design.has_value(), design ? "" : design.error().text().c_str());
        const auto all = figuresFor(make(*design, {}));
        const auto first = edit::figuresAtPhase(all, 1);
        QVERIFY(first.has_value());
        const auto& loops = (*first)->get<CoolingChainNode>().loops;
        const auto facility = [](const CoolingLoop& loop) { return loop.kind == LoopKind::Facility; };
        QVERIFY(std::ranges::count_if(loops, facility) == 2);
        for (const CoolingLoop& loop : loops) QVERIFY2(loop.carries() && loop.spare() >= 1, loop.name.c_str());
        QVERIFY((*first)->snapshot->devices.size() < all->snapshot->devices.size());
        const auto boards = [](const Figures& f) { return elementsOf(f, PowerElement::Switchboard).size(); };
        QVERIFY(boards(**first) < boards(*all));
    }

    /// `phase-plant`: refused without phases; then plant of the rows that come later comes later, the first phase is as redundant as the whole, and
    /// running it again changes nothing.
    void plantByScript()
    {
        const char* kScript = "{'edits': [{'do': 'phase-plant'}]}";
        const SnapshotPtr whole = designOf("rail-optimized-2", {{"segments", 4}});
        Document document(whole);
        const auto refused = runScript(document, kScript);
        QVERIFY(!refused && refused.error().code == ErrorCode::Refused);
        std::string edits = "{'edits': [{'do': 'add', 'what': 'phase', 'name': 'one'}, {'do': 'add', 'what': 'phase', 'name': 'two'}";
        const auto rows = whole->rows.ids();
        QVERIFY(rows.size() >= 2);
        for (std::size_t i = rows.size() / 2; i < rows.size(); ++i)
            edits += ", {'do': 'set', 'entity': '" + whole->rows.name[rows[i]] + "', 'column': 'phase', 'value': 'two'}";
        const auto phased = runScript(document, edits + "]}");
        QVERIFY2(phased, phased ? "" : phased.error().text().c_str());
        const auto later = [](const Snapshot& s, TierKind kind) {
            std::int64_t count = 0;
            s.devices.forEach([&](DeviceId id) { count += s.tiers.kind[s.devices.tier[id]] == kind && bool(s.devices.phase[id]); });
            return count;
        };
        QCOMPARE(later(*document.snapshot(), TierKind::Power), std::int64_t(0));
        const auto done = runScript(document, kScript);
        QVERIFY2(done, done ? "" : done.error().text().c_str());
        const SnapshotPtr after = document.snapshot();
        QVERIFY(later(*after, TierKind::Power) > 0 && later(*after, TierKind::Cooling) > 0);
        const auto figures = figuresFor(after);
        const auto first = edit::figuresAtPhase(figures, 1);
        QVERIFY(first.has_value());
        const auto problems = [](const Figures& f) {
            std::set<std::string> found;
            for (const Finding& finding : hw::check(f, {{"P1", "P3", "P7", "P9", "C1", "C4", "C8", "C13"}, PowerBasis::Design})->findings)
                if (finding.severity != Severity::Info) found.insert(finding.rule + ' ' + words(finding.message));
            return found;
        };
        const auto known = problems(*figures);
        for (const std::string& one : problems(**first)) QVERIFY2(known.contains(one), one.c_str());
        for (const CoolingLoop& loop : (*first)->get<CoolingChainNode>().loops) QVERIFY2(loop.carries() && loop.spare() >= 1, loop.name.c_str());
        QVERIFY(runScript(document, kScript).has_value());
        QVERIFY(sameContent(*document.snapshot(), *after));
    }

    /// A phase is the whole with later things left out: its cables and feeders run in the trays, and are as long, as in the end.
    void cablesRunAsInTheWhole()
    {
        std::mt19937 random(5);
        int through = 0; // trays of later rows that earlier cables run through
        for (int round = 0; round < 5; ++round) {
            auto s = std::make_shared<Snapshot>(*oneSegment());
            const PhaseId late = s->phases.insert();
            s->phases.name.set(late, "late"), s->phases.number.set(late, 2);
            s->rows.forEach([&](RowId id) {
                if (random() % 3 == 0) s->rows.phase.set(id, late);
            });
            s->racks.forEach([&](RackId id) {
                if (random() % 9 == 0) s->racks.phase.set(id, late);
            });
            if (round == 4) hangOnRow(*s, s->rows.ids().front(), late); // all meet over a row that comes later
            const auto whole = figuresFor(s);
            const auto part = edit::figuresAtPhase(whole, 1);
            QVERIFY2(part.has_value(), part ? "" : part.error().text().c_str());
            const Snapshot& is = *(*part)->snapshot;
            const Routing &routes = *(*part)->routing, &all = *whole->routing;
            const auto trays = [](const Routing& routing, std::uint32_t pair) {
                std::vector<std::uint32_t> found;
                for (const std::uint32_t section : routing.sectionsOf(pair))
                    if (const auto tray = routing.sections()[section].tray) found.push_back((*tray).value);
                return found;
            };
            is.links.forEach([&](LinkId id) {
                QCOMPARE(routes.pairOfLink(id) == Routing::kNoPair, all.pairOfLink(id) == Routing::kNoPair);
                if (routes.pairOfLink(id) == Routing::kNoPair) return;
                const auto way = trays(routes, routes.pairOfLink(id));
                QVERIFY(way == trays(all, all.pairOfLink(id)));
                for (const std::uint32_t tray : way) {
                    QVERIFY(is.trays.contains(TrayId(tray)));
                    const TrayLine &a = whole->placement->tray(TrayId(tray)), &b = (*part)->placement->tray(TrayId(tray));
                    QVERIFY(a.a == b.a && a.b == b.b);
                    const auto row = s->trays.row[TrayId(tray)];
                    through += row && !is.rows.contains(*row);
                }
            });
            is.cables.forEach([&](CableId id) { QCOMPARE((*(*part)->cabling)[id].lengthMm, (*whole->cabling)[id].lengthMm); });
            const auto& supply = (*part)->get<SupplyNode>();
            for (const SupplyLine& line : supply.lines()) {
                QVERIFY(is.links.contains(line.link));
                const SupplyLine* other = whole->get<SupplyNode>().of(line.link);
                QVERIFY(other && *other == line);
            }
            is.links.forEach([&](LinkId id) { QCOMPARE(supply.of(id) == nullptr, whole->get<SupplyNode>().of(id) == nullptr); });
            // What the whole says of the first phase is what is bought for it, trays too.
            const Bom bomAll = makeBom(*whole), bomFirst = makeBom(**part);
            std::int64_t trayAll = 0, trayFirst = 0;
            for (const auto& section : bomSections(*whole, bomAll, BomBy::Phase).sections)
                if (section.name == "1")
                    for (const auto& line : section.bom.lines) trayAll += line.group == Bom::Group::Trays ? line.quantity : 0;
            for (const auto& line : bomFirst.lines) trayFirst += line.group == Bom::Group::Trays ? line.quantity : 0;
            QCOMPARE(trayAll, trayFirst);
        }
        QVERIFY(through > 0);
    }

    /// Rows that come later take nothing from the ways of the others: no tray is fuller than in the end.
    void noTrayIsFullerThanInTheEnd()
    {
        auto s = std::make_shared<Snapshot>(*designOf("hpn", {}));
        const PhaseId first = s->phases.insert(), rest = s->phases.insert();
        s->phases.number.set(first, 1), s->phases.number.set(rest, 2);
        s->rows.forEach([&](RowId id) {
            const int cell = s->rows.cell[id] + 1;
            if (s->rows.name[id].starts_with("pod1-c") && cell >= 6 && cell != 8) s->rows.phase.set(id, rest);
        });
        CheckOptions options;
        options.rules = {"K1", "K6"};
        const auto whole = figuresFor(s);
        std::set<std::string> known;
        const auto inTheEnd = hw::check(*whole, options);
        for (const Finding& finding : inTheEnd->findings) known.insert(finding.id);
        const auto part = edit::figuresAtPhase(whole, 1);
        QVERIFY(part.has_value());
        QVERIFY((*part)->snapshot->racks.size() < s->racks.size() / 2);
        for (const Finding& finding : hw::check(**part, options)->findings) QVERIFY2(known.contains(finding.id), words(finding.message).c_str());
    }

    /// What is left is exactly what a walk over every row keeps, whatever is late.
    void leavesOutByHand()
    {
        std::mt19937 random(11);
        for (int round = 0; round < 6; ++round) {
            auto s = std::make_shared<Snapshot>(*oneSegment());
            const PhaseId late = s->phases.insert();
            s->phases.name.set(late, "late"), s->phases.number.set(late, 2);
            const auto some = [&](auto& table, unsigned one) {
                table.forEach([&](auto id) {
                    if (random() % one == 0) table.phase.set(id, late);
                });
            };
            some(s->rows, 9), some(s->racks, 40), some(s->devices, 60);
            if (round == 5) some(s->halls, 2);
            std::set<std::uint32_t> rows, racks, devices, ports, links, cables;
            const auto isLate = [&](Maybe<PhaseId> phase) { return bool(phase); };
            s->rows.forEach([&](RowId id) {
                if (!isLate(s->rows.phase[id]) && !isLate(s->halls.phase[s->rows.hall[id]])) rows.insert(id.value);
            });
            s->racks.forEach([&](RackId id) {
                if (!isLate(s->racks.phase[id]) && rows.contains(s->racks.row[id].value)) racks.insert(id.value);
            });
            s->devices.forEach([&](DeviceId id) {
                const auto rack = s->devices.rack[id];
                const auto row = s->devices.row[id];
                const auto hall = s->devices.hall[id];
                const bool held = rack   ? racks.contains((*rack).value)
                                  : row  ? rows.contains((*row).value)
                                  : hall ? !isLate(s->halls.phase[*hall])
                                         : true;
                if (held && !isLate(s->devices.phase[id])) devices.insert(id.value);
            });
            s->ports.forEach([&](PortId id) {
                if (devices.contains(s->ports.device[id].value)) ports.insert(id.value);
            });
            s->links.forEach([&](LinkId id) {
                if (!ports.contains(s->links.from[id].value) || !ports.contains(s->links.to[id].value)) return;
                links.insert(id.value);
                if (const auto cable = s->links.cable[id]) cables.insert((*cable).value);
            });
            const auto made = edit::designAtPhase(s, 1);
            QVERIFY(made.has_value());
            const Snapshot& is = **made;
            const auto check = [&](const auto& table, const std::set<std::uint32_t>& kept) {
                std::set<std::uint32_t> living;
                table.forEach([&](auto id) { living.insert(id.value); });
                return living == kept;
            };
            QVERIFY(check(is.rows, rows) && check(is.racks, racks) && check(is.devices, devices));
            QVERIFY(check(is.ports, ports) && check(is.links, links) && check(is.cables, cables));
            // It can be reported and checked: what hangs loose is reported, nothing falls over.
            const auto figures = figuresFor(*made);
            (void)makeReport(*figures, makeBom(*figures));
            QVERIFY(hw::check(*figures, {}, {}).has_value());
        }
    }

    /// Cables are bought by the pack: the first phase opens whole packs, the second one what is left of the need.
    void packsComeWithTheirPhase()
    {
        auto s = std::make_shared<Snapshot>(*oneSegment());
        s->putSetting("cabling.pack_size", "12"), s->putSetting("cabling.spare_percent", "3");
        const PhaseId second = s->phases.insert();
        s->phases.number.set(second, 2);
        const auto racks = s->racks.ids();
        for (std::size_t i = racks.size() / 2; i < racks.size(); ++i) s->racks.phase.set(racks[i], second);
        const auto figures = figuresFor(s);
        const Bom bom = makeBom(*figures);
        std::set<PartTypeId> data;
        for (const auto& [key, pieces] : figures->cabling->physicalByTypeLength()) data.insert(key.type);
        std::map<std::tuple<std::string, std::int32_t>, std::int64_t> sums;
        int looked = 0;
        for (const auto& section : bomSections(*figures, bom, BomBy::Phase).sections)
            for (const auto& line : section.bom.lines) {
                const auto type = figures->parts->find(line.part);
                if (line.group != Bom::Group::Cables || !type || !data.contains(*type)) continue;
                sums[{line.part, line.lengthMm}] += line.quantity, ++looked;
                QVERIFY2(line.quantity > 0 && line.quantity % 12 == 0, (section.name + " " + line.part).c_str());
            }
        QVERIFY(looked > 4);
        for (const auto& line : bom.lines)
            if (const auto sum = sums.find({line.part, line.lengthMm}); line.group == Bom::Group::Cables && sum != sums.end())
                QCOMPARE(sum->second, line.quantity);
    }

    void phaseOfThings()
    {
        auto s = std::make_shared<Snapshot>(*oneSegment());
        const auto phase = [&](int number) {
            const PhaseId id = s->phases.insert();
            s->phases.number.set(id, number);
            return id;
        };
        const PhaseId second = phase(2), third = phase(3);
        const RackId rack = s->racks.ids().front();
        DeviceId device;
        s->devices.forEach([&](DeviceId id) {
            if (s->devices.rack[id] == rack) device = id;
        });
        QCOMPARE(PhaseIndex(*s).of(device), 1);
        s->rows.phase.set(s->racks.row[rack], second);
        QCOMPARE(PhaseIndex(*s).of(device), 2);
        s->devices.phase.set(device, third);
        QCOMPARE(PhaseIndex(*s).of(device), 3);
        QCOMPARE(PhaseIndex(*s).of(rack), 2);
        s->devices.phase.set(device, {});
        s->halls.phase.set(s->rows.hall[s->racks.row[rack]], third); // its row cannot be there before
        QCOMPARE(PhaseIndex(*s).of(rack), 3);
        QCOMPARE(PhaseIndex(*s).numbers(), (std::vector<int>{1, 2, 3}));
        s->links.forEach([&](LinkId id) {
            const int of = PhaseIndex(*s).of(id);
            if (s->ports.device[s->links.from[id]] == device) QVERIFY(of == 3);
        });
        QCOMPARE(edit::designAtPhase(s, 7).error().code, ErrorCode::Refused);
    }

    /// Phases are made, filled and taken away by edits; stages of many things at once; each undone in one step.
    void edits()
    {
        Document document(oneSegment());
        const auto before = document.snapshot();
        const RowId rowId = before->racks.row[before->racks.ids().front()];
        const std::string hall = before->halls.name[before->rows.hall[rowId]], row = before->rows.name[rowId];
        const auto done = runScript(document, "{'edits': [{'do': 'add', 'what': 'phase', 'name': 'one', 'date': '2027-01-01'}, "
                                              "{'do': 'add', 'what': 'phase', 'name': 'two'}, "
                                              "{'do': 'rename', 'entity': 'two', 'name': 'second'}, "
                                              "{'do': 'set', 'entity': '" +
                                                  row +
                                                  "', 'column': 'phase', 'value': 'second'}, "
                                                  "{'do': 'set-all', 'what': 'rack', 'in': '" +
                                                  row +
                                                  "', 'column': 'stage', 'value': 'installed'}, "
                                                  "{'do': 'set-all', 'what': 'device', 'in': '" +
                                                  hall +
                                                  "', 'type': 'hpn-host-8gpu', 'column': 'stage', 'value': 'ordered'}, "
                                                  "{'do': 'set-all', 'what': 'cable', 'in': '" +
                                                  row + "', 'column': 'stage', 'value': 'received'}]}");
        QVERIFY2(done.has_value(), done ? "" : done.error().text().c_str());
        const Snapshot& s = *document.snapshot();
        QCOMPARE(s.phases.size(), 2u);
        QCOMPARE(PhaseIndex(s).numbers(), (std::vector<int>{1, 2}));
        const Stages stages = Stages::of(s);
        std::int64_t racks = 0;
        s.racks.forEach([&](RackId id) { racks += s.rows.name[s.racks.row[id]] == row; });
        QCOMPARE(stages.racks.reached(Stage::Installed), racks);
        QCOMPARE(stages.devices.at[std::size_t(Stage::Ordered)], std::int64_t(128));
        QVERIFY(stages.cables.at[std::size_t(Stage::Received)] > 0);
        QVERIFY(runScript(document, "{'edits': [{'do': 'remove', 'entity': 'second'}]}").has_value());
        QCOMPARE(PhaseIndex(*document.snapshot()).of(rowId), 1);
        for (int i = 0; i < 8; ++i) QVERIFY(document.undo());
        QVERIFY(sameContent(*document.snapshot(), *before));
    }

    /// Whole rows, the segments of a switch, one system: objects get the phase, what they hold loses its own; one undo step each.
    void assignedInBulk()
    {
        Document document(oneSegment());
        const auto before = document.snapshot();
        const Snapshot& b = *before;
        const RackId rackId = b.racks.ids().front();
        const RowId rowId = b.racks.row[rackId];
        const auto run = [&](const std::string& edit) {
            const auto done = runScript(document, "{'edits': [" + edit + "]}");
            if (!done) qWarning("%s", done.error().text().c_str());
            return done.has_value();
        };
        QVERIFY(run("{'do': 'assign-phase', 'phase': 3, 'entities': ['" + b.racks.name[rackId] + "']}"));
        QCOMPARE(PhaseIndex(*document.snapshot()).of(rackId), 3);
        QCOMPARE(document.snapshot()->phases.size(), 1u); // made by that
        QVERIFY(run("{'do': 'assign-phase', 'phase': 2, 'by': 'row', 'entities': ['" + b.racks.name[rackId] + "']}"));
        const PhaseIndex byRow(*document.snapshot());
        b.racks.forEach([&](RackId id) { QCOMPARE(byRow.of(id), b.racks.row[id] == rowId ? 2 : 1); }); // the rack has none of its own any more
        QVERIFY(document.undo() && document.undo());
        QVERIFY(sameContent(*document.snapshot(), *before));

        DeviceId host{};
        b.devices.forEach([&](DeviceId id) {
            if (b.devices.segment[id] == 0 && b.devices.rack[id]) host = id;
        });
        QVERIFY(run("{'do': 'assign-phase', 'phase': 2, 'by': 'segment', 'entities': ['" + b.devices.name[host] + "']}"));
        const PhaseIndex bySegment(*document.snapshot());
        b.devices.forEach([&](DeviceId id) {
            if (b.devices.segment[id] == 0 && b.devices.pod[id] == b.devices.pod[host]) QCOMPARE(bySegment.of(id), 2);
        });
        QVERIFY(run("{'do': 'assign-phase', 'phase': 4, 'system': 'cooling'}"));
        const PhaseIndex bySystem(*document.snapshot());
        std::size_t cooling = 0;
        b.devices.forEach([&](DeviceId id) {
            if (b.tiers.kind[b.devices.tier[id]] != TierKind::Cooling) return;
            ++cooling;
            QCOMPARE(bySystem.of(id), 4);
        });
        QVERIFY(cooling > 0);
        QCOMPARE(bySystem.of(host), 2);
    }

    void refusedEdits_data()
    {
        QTest::addColumn<QByteArray>("edit");
        QTest::newRow("stage") << QByteArray("{'do': 'set-all', 'what': 'rack', 'column': 'stage', 'value': 'lost'}");
        QTest::newRow("nothing fits") << QByteArray("{'do': 'set-all', 'what': 'rack', 'type': 'none', 'column': 'stage', 'value': 'live'}");
        QTest::newRow("no column") << QByteArray("{'do': 'set-all', 'what': 'rack', 'column': 'color', 'value': 'live'}");
        QTest::newRow("no kind") << QByteArray("{'do': 'set-all', 'what': 'moon', 'column': 'stage', 'value': 'live'}");
        QTest::newRow("nowhere") << QByteArray("{'do': 'set-all', 'what': 'rack', 'in': 'nowhere', 'column': 'stage', 'value': 'live'}");
        QTest::newRow("date") << QByteArray("{'do': 'set-all', 'what': 'rack', 'column': 'stage_date', 'value': 'soon'}");
        QTest::newRow("phase of nothing") << QByteArray("{'do': 'assign-phase', 'phase': 2}");
        QTest::newRow("phase of both") << QByteArray("{'do': 'assign-phase', 'phase': 2, 'system': 'power', 'entities': []}");
        QTest::newRow("phase of no object") << QByteArray("{'do': 'assign-phase', 'phase': 2, 'entities': []}");
        QTest::newRow("phase number") << QByteArray("{'do': 'assign-phase', 'phase': 0, 'system': 'power'}");
        QTest::newRow("phase system") << QByteArray("{'do': 'assign-phase', 'phase': 2, 'system': 'moon'}");
        QTest::newRow("date of a phase") << QByteArray("{'do': 'add', 'what': 'phase', 'name': 'p', 'date': '2027'}");
        QTest::newRow("number taken") << QByteArray("{'do': 'add', 'what': 'phase', 'name': 'p', 'number': 1}");
        QTest::newRow("price of nothing") << QByteArray("{'do': 'price', 'part': 'none', 'each': 5, 'source': 'x'}");
        QTest::newRow("price without a sum") << QByteArray("{'do': 'price', 'part': 'hpn-host-8gpu', 'source': 'x'}");
        QTest::newRow("price without a source") << QByteArray("{'do': 'price', 'part': 'hpn-host-8gpu', 'each': 5}");
        QTest::newRow("price in words") << QByteArray("{'do': 'price', 'part': 'hpn-host-8gpu', 'each': 'five', 'source': 'x'}");
        QTest::newRow("trust") << QByteArray("{'do': 'price', 'part': 'hpn-host-8gpu', 'each': 5, 'source': 'x', 'trust': 'yes'}");
        QTest::newRow("foreign currency") << QByteArray("{'do': 'price', 'part': 'hpn-host-8gpu', 'each': 5, 'source': 'x', 'currency': 'EUR'}");
        QTest::newRow("part of a price") << QByteArray("{'do': 'add', 'what': 'price', 'part': 'none'}");
        QTest::newRow("sum of a price") << QByteArray("{'do': 'add', 'what': 'price', 'part': 'hpn-host-8gpu', 'each': '1 EUR'}");
    }
    void refusedEdits()
    {
        QFETCH(QByteArray, edit);
        Document document(oneSegment());
        QVERIFY(runScript(document, "{'edits': [{'do': 'add', 'what': 'phase', 'name': 'first'}]}").has_value());
        const auto before = document.snapshot();
        const auto done = runScript(document, "{'edits': [" + edit.toStdString() + "]}");
        QVERIFY(!done.has_value());
        QVERIFY(!done.error().what.empty() && !done.error().todo.empty());
        QVERIFY(sameContent(*document.snapshot(), *before));
    }

    void pricesByEdits()
    {
        Document document(oneSegment());
        const auto done = runScript(
            document, "{'edits': [ "
                      "{'do': 'price', 'part': 'hpn-host-8gpu', 'each': 250000.5, 'source': 'offer 7', 'supplier': 'Acme', 'trust': 'quoted', "
                      "'lead_days': 90}, "
                      "{'do': 'price', 'part': 'hpn-host-8gpu', 'each': 240000, 'source': 'offer 8', 'supplier': 'Acme', 'trust': 'quoted'}, "
                      "{'do': 'set', 'entity': 'price-hpn-host-8gpu-acme', 'column': 'each', 'value': 239999.25}]}");
        QVERIFY2(done.has_value(), done ? "" : done.error().text().c_str());
        const Snapshot& s = *document.snapshot();
        QCOMPARE(s.prices.size(), 1u);
        QCOMPARE(s.prices.each[s.prices.ids().front()].count(), std::int64_t(2'399'992'500));
        QVERIFY(runScript(document, "{'edits': [{'do': 'remove', 'entity': 'price-hpn-host-8gpu-acme'}]}").has_value());
        QCOMPARE(document.snapshot()->prices.size(), 0u);
    }

    void currencySettings()
    {
        Document document(oneSegment());
        const auto set = [&](const char* key, const char* value) {
            return runScript(document, std::string("{'edits': [{'do': 'set-setting', 'key': '") + key + "', 'value': '" + value + "'}]}").has_value();
        };
        QVERIFY(set("currency.EUR.rate", "1.1") && set("currency.EUR.date", "2026-11-20") && set("currency.EUR.source", "central bank"));
        QVERIFY(!set("currency.EUR.date", "soon") && !set("currency.EURO.rate", "1") && !set("currency.eur.rate", "1") &&
                !set("currency.EUR.color", "1"));
        QVERIFY(!set("currency.EUR.rate", "-1") && !set("cost.tax_percent", "101"));
        QVERIFY(
            runScript(document, "{'edits': [{'do': 'price', 'part': 'hpn-host-8gpu', 'each': 100, 'currency': 'EUR', 'source': 'x'}]}").has_value());
    }

    /// A regeneration gives new pods their phase and leaves what a person chose.
    void regeneration()
    {
        static const auto catalog = Catalog::load(HW_RESOURCES "/catalog");
        const auto design = phased("pod + 1");
        Document document(make(*design, {{"pods", 1}, {"segments", 1}, {"backup_hosts", 0}}));
        QVERIFY(PhaseIndex(*document.snapshot()).numbers() == std::vector<int>{1});
        auto t = document.begin("more");
        const auto merged = regenerate(t, {{"pods", 2}}, *catalog);
        QVERIFY2(merged.has_value(), merged ? "" : merged.error().text().c_str());
        t.commit();
        const PhaseIndex phases(*document.snapshot());
        const Snapshot& s = *document.snapshot();
        s.devices.forEach([&](DeviceId id) {
            if (s.devices.pod[id] >= 0) QVERIFY(phases.of(id) == s.devices.pod[id] + 1);
        });
        QVERIFY(phased("pod + 0").has_value());
        const auto bad = phased("pod");
        const auto values = bad->complete(ParameterValues{{"pods", 1}, {"segments", 1}});
        QVERIFY(!instantiate(*bad, *values, *catalog).has_value());
        QVERIFY(!phased("pod + 1", "  dates: [tomorrow]\n").has_value());
        QVERIFY(!phased("pod + 1", "  color: red\n").has_value());
    }
};

QTEST_APPLESS_MAIN(PhasesTest)
#include "test_phases.moc"
