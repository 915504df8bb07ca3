// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "core/design/edit/edits.h"
#include "core/design/edit/edits_phase.h"
#include "core/design/edit/lookup.h"
#include "core/design/edit/script.h"
#include "core/foundation/money/price_rows.h"
#include "core/output/cost/hour_cost.h"
#include "core/output/exchange/bom_delta.h"
#include "core/output/exchange/bom_sections.h"
#include "core/output/exchange/lead_times.h"
#include "core/output/report/report.h"
#include "tests/money/small_design.h"

#include <cmath>

#include <QTemporaryDir>
#include <nlohmann/json.hpp>

using namespace hw;

namespace {

std::shared_ptr<Snapshot> design(std::initializer_list<std::pair<const char*, const char*>> settings = {})
{
    static const SnapshotPtr made = oneSegment();
    auto s = std::make_shared<Snapshot>(*made);
    for (const auto& [key, value] : settings) s->putSetting(key, value);
    return s;
}

/// The Poisson distribution summed term by term.
double poissonAtMost(std::int64_t k, double mean)
{
    double sum = 0;
    for (std::int64_t i = 0; i <= k; ++i) sum += std::exp(double(i) * std::log(mean) - mean - std::lgamma(double(i) + 1));
    return sum;
}

bool same(double a, double b, double tolerance = 1e-9) { return std::abs(a - b) <= tolerance * std::max(1.0, std::abs(b)); }

} // namespace

class MoneyTest : public QObject {
    Q_OBJECT
private slots:
    /// Upper quantiles as printed tables of the distribution have them.
    void poissonTable_data()
    {
        QTest::addColumn<double>("mean");
        QTest::addColumn<double>("share");
        QTest::addColumn<int>("least");
        QTest::newRow("nothing") << 0.0 << 0.95 << 0;
        QTest::newRow("0.05") << 0.05 << 0.95 << 0; // exp(-0.05) = 0.9512
        QTest::newRow("0.1") << 0.1 << 0.95 << 1;   // 0.9048, 0.9953
        QTest::newRow("0.5") << 0.5 << 0.95 << 2;   // 0.9098, 0.9856
        QTest::newRow("1") << 1.0 << 0.95 << 3;     // 0.9197, 0.9810
        QTest::newRow("2") << 2.0 << 0.95 << 5;     // 0.9473, 0.9834
        QTest::newRow("3") << 3.0 << 0.95 << 6;     // 0.9161, 0.9665
        QTest::newRow("5") << 5.0 << 0.95 << 9;     // 0.9319, 0.9682
        QTest::newRow("10") << 10.0 << 0.95 << 15;  // 0.9165, 0.9513
        QTest::newRow("20") << 20.0 << 0.95 << 28;
        QTest::newRow("1, 99 %") << 1.0 << 0.99 << 4; // 0.9810, 0.9963
        QTest::newRow("10, 99 %") << 10.0 << 0.99 << 18;
        QTest::newRow("5, no share") << 5.0 << 0.0 << 0;
    }
    void poissonTable()
    {
        QFETCH(double, mean);
        QFETCH(double, share);
        QFETCH(int, least);
        QCOMPARE(poissonQuantile(mean, share), std::int64_t(least));
    }

    void poissonByDefinition()
    {
        for (double mean : {0.01, 0.3, 0.999, 4.2, 17.0, 99.0, 640.0, 2500.0})
            for (double share : {0.5, 0.8, 0.95, 0.999}) {
                const auto k = poissonQuantile(mean, share);
                QVERIFY(poissonAtMost(k, mean) >= share - 1e-9);
                QVERIFY(k == 0 || poissonAtMost(k - 1, mean) < share + 1e-9);
            }
    }

    void sparesPolicy()
    {
        const SparesPolicy policy{0.95, 73};
        QCOMPARE(policy.spares(0.05, 100, 0), std::int64_t(3));   // 0.05 · 100 · 73 / 365 = 1
        QCOMPARE(policy.spares(0.05, 100, 146), std::int64_t(5)); // 2
        QCOMPARE(policy.spares(0, 100, 146), std::int64_t(0));
        QCOMPARE((SparesPolicy{0, 73}.spares(0.05, 100, 0)), std::int64_t(0));
    }

    /// A part that fails has spares in the bill, marked, and at its price.
    void sparesInTheBill()
    {
        auto s = design();
        const auto parts = *ProjectParts::of(s->partTypes);
        const PartTypeId host = *parts->find("hpn-host-8gpu");
        const Bom before = makeBom(*figuresFor(s));
        for (const auto& line : before.lines) QVERIFY(line.part != "hpn-host-8gpu" || !line.spare());
        const std::string definition = s->partTypes.definition[host];
        s->partTypes.definition.set(host, definition + "\nfailures: {value: 0.5, unit: 1/y, source: test, confidence: C}\n");
        const auto read = ProjectParts::of(s->partTypes);
        if (!read || (**read)[host].failuresPerYear.value == 0) QSKIP("part types state no failure rates yet");
        const Bom bom = makeBom(*figuresFor(s));
        const auto spare = std::ranges::find_if(bom.lines, [](const Bom::Line& l) { return l.part == "hpn-host-8gpu" && l.spare(); });
        QVERIFY(spare != bom.lines.end());
        QCOMPARE(spare->quantity, poissonQuantile(0.5 * 128 * 36 * 7 / 365, 0.95));
        QCOMPARE(bom.total, before.total + spare->sum);
    }

    void chargesAreLines()
    {
        const Bom plain = makeBom(*figuresFor(design()));
        const Bom bom =
            makeBom(*figuresFor(design({{"cost.shipping_percent", "4"}, {"cost.installation_percent", "6"}, {"cost.tax_percent", "10"}})));
        const double goods = toCurrency(plain.total);
        QVERIFY(same(toCurrency(bom.total), goods * 1.1 * 1.1, 1e-9));
        QVERIFY(same(bom.assumedShare(), plain.assumedShare(), 1e-6));
        QCOMPARE(bom.lines.size(), plain.lines.size() + 3);
        Money sum;
        for (const auto& line : bom.lines) sum += line.sum;
        QCOMPARE(sum, bom.total);
        QVERIFY(words(chargesText(plain)).find("cost.shipping_percent") != std::string::npos);
    }

    /// The parts of a bill add up to it, to the last ten-thousandth, also with charges.
    void sectionsAddUp()
    {
        const auto figures = figuresFor(design({{"cost.shipping_percent", "3.7"}, {"cost.tax_percent", "19"}}));
        const Bom bom = makeBom(*figures);
        for (const BomBy by : {BomBy::System, BomBy::Phase, BomBy::Building, BomBy::Room}) {
            const auto sections = bomSections(*figures, bom, by);
            Money total;
            std::map<std::tuple<Bom::Group, std::string, std::int32_t>, std::int64_t> quantities;
            for (const auto& section : sections.sections) {
                total += section.bom.total;
                for (const auto& line : section.bom.lines) quantities[{line.group, line.part, line.lengthMm}] += line.quantity;
            }
            QCOMPARE(total, bom.total);
            for (const auto& line : bom.lines)
                if (line.group != Bom::Group::Charges) QCOMPARE((quantities[{line.group, line.part, line.lengthMm}]), line.quantity);
        }
        QVERIFY(bomSections(*figures, bom, BomBy::System).sections.size() >= 4);
        QVERIFY(bomSections(*figures, bom, BomBy::Building).sections.size() >= 2); // pod and core
    }

    void systemsOfParts()
    {
        const auto s = design();
        const auto figures = figuresFor(s);
        std::map<std::string, CostSystem> systems;
        for (const auto& line : makeBom(*figures).lines) systems[line.part] = line.system;
        QCOMPARE(systems.at("hpn-host-8gpu"), CostSystem::Compute);
        QCOMPARE(systems.at("switch-51t-128x400g"), CostSystem::Network);
        QCOMPARE(systems.at("200g-sr2"), CostSystem::OpticsAndCables);
        QCOMPARE(systems.at("tray-600x100"), CostSystem::Building);
        QCOMPARE(systems.at("tap-off-125a"), CostSystem::Power);
    }

    void deltas()
    {
        auto a = design(), b = design();
        const auto parts = *ProjectParts::of(a->partTypes);
        const auto price = [&](Snapshot& s, const char* part, std::int64_t each) {
            QVERIFY(putPrice(s, *parts, {.part = part, .each = Money(each * 10'000), .currency = "USD", .source = "offer", .trust = Trust::Quoted}));
        };
        price(*a, "hpn-host-8gpu", 100), price(*b, "hpn-host-8gpu", 110);
        // Two servers fewer.
        edit::Lookup lookup(b);
        Document document(b);
        auto t = document.begin("remove");
        std::vector<EntityRef> gone;
        b->devices.forEach([&](DeviceId id) {
            if (gone.size() < 2 && (*parts)[b->devices.type[id]].slug == "hpn-host-8gpu") gone.push_back(ref(id));
        });
        QVERIFY(edit::remove(t, lookup, gone).has_value());
        t.commit();
        const Bom before = makeBom(*figuresFor(a)), after = makeBom(*figuresFor(document.snapshot()));
        const auto delta = bomDelta(before, after, DesignStamp::of(*a), DesignStamp::of(*b));
        QVERIFY(delta.has_value());
        const auto line = std::ranges::find(delta->lines, "hpn-host-8gpu", &BomDelta::Line::part);
        QCOMPARE(line->after - line->before, std::int64_t(-2));
        QCOMPARE(line->forQuantity(), Money(-2 * 110 * 10'000));
        QCOMPARE(line->forPrice(), Money(line->before * 10 * 10'000));
        Money sum;
        for (const auto& one : delta->lines) {
            QCOMPARE(one.forQuantity() + one.forPrice(), one.difference());
            sum += one.difference();
        }
        QCOMPARE(sum, delta->difference());
        QCOMPARE(delta->difference(), after.total - before.total);
        QVERIFY(bomDelta(before, before, {}, {})->lines.empty());
        Bom other = after;
        other.currency = "EUR";
        QCOMPARE(bomDelta(before, other, {}, {}).error().code, ErrorCode::Refused);
        QTemporaryDir folder;
        for (const char* name : {"d.csv", "d.json", "d.xlsx"}) QVERIFY(writeDelta(*delta, folder.filePath(name).toStdString()).has_value());
        QCOMPARE(writeDelta(*delta, folder.filePath("d.pdf").toStdString()).error().code, ErrorCode::Usage);
    }

    void leadTimesAndDates()
    {
        QCOMPARE(daysBefore("2027-03-01", 1), std::string("2027-02-28"));
        QCOMPARE(daysBefore("2027-03-01", 896), std::string("2024-09-16"));
        QCOMPARE(daysBefore("soon", 1), std::string());
        auto s = design({{"lead.install_days", "30"}});
        const auto parts = *ProjectParts::of(s->partTypes);
        const auto price = [&](const char* part, int days) {
            QVERIFY(putPrice(*s, *parts, {.part = part, .each = Money(1), .currency = "USD", .source = "offer", .leadDays = days}));
        };
        price("hpn-host-8gpu", 100), price("200g-sr2", 300);
        const PhaseId phase = s->phases.insert();
        s->phases.name.set(phase, "first"), s->phases.number.set(phase, 1), s->phases.date.set(phase, "2027-12-31");
        const auto figures = figuresFor(s);
        const auto leads = leadTimes(*s, phaseSections(*figures, makeBom(*figures)));
        QVERIFY(leads.size() >= 2);
        const auto optics = std::ranges::find(leads, "200g-sr2", &LeadTime::part), host = std::ranges::find(leads, "hpn-host-8gpu", &LeadTime::part);
        QVERIFY(optics < host);
        QCOMPARE(host->orderBy, daysBefore("2027-12-31", 130));
        QVERIFY(std::ranges::is_sorted(leads, std::greater(), &LeadTime::days));
    }

    void annuities()
    {
        QVERIFY(same(annuity(1000, 5, 0), 200));
        QVERIFY(same(annuity(1000, 1, 0.08), 1080));
        // What is paid back, discounted, is the capital.
        for (double share : {0.01, 0.08, 0.2})
            for (double years : {1.0, 5.0, 25.0}) {
                double worth = 0;
                for (int year = 1; year <= int(years); ++year) worth += annuity(1000, years, share) / std::pow(1 + share, year);
                QVERIFY(same(worth, 1000));
            }
    }

    void hourByHand()
    {
        const auto s = design({{"cost.interest_percent", "0"},
                               {"cost.years_compute", "4"},
                               {"cost.building_per_kw", "1000"},
                               {"cost.years_building", "20"},
                               {"cost.staff_per_mw", "3"},
                               {"cost.staff_year", "100000"},
                               {"cost.tariff", "0.1"},
                               {"cost.load_factor", "0.5"},
                               {"cost.utilization_percent", "80"},
                               {"cost.maintenance_percent", "2"},
                               {"cost.rent_per_kw_month", "10"},
                               {"site.pue_basis", "constant"},
                               {"site.pue", "1.3"}});
        const auto figures = figuresFor(s);
        const Bom bom = makeBom(*figures);
        const HourCost cost = hourCost(*figures, bom);
        double it = 0;
        s->buildings.forEach([&](BuildingId id) { it += toWatts(figures->power->building(id).at(PowerBasis::Design)); });
        QVERIFY(it > 1e6);
        QCOMPARE(cost.accelerators, std::int64_t(1024));
        QVERIFY(same(cost.itW, it) && same(cost.pue, 1.3));
        QVERIFY(same(cost.energy, it / 1000 * 1.3 * 0.5 * 8760 * 0.1));
        QVERIFY(same(cost.staff, it / 1e6 * 3 * 100'000));
        QVERIFY(same(cost.rent, it / 1000 * 120));
        QVERIFY(same(cost.maintenance, toCurrency(bom.total) * 0.02));
        QVERIFY(same(cost.hours, 1024 * 8760 * 0.8));
        double capital = 0, compute = 0, building = 0;
        for (const auto& line : bom.lines) {
            (line.system == CostSystem::Compute ? compute : line.system == CostSystem::Building ? building : capital) += toCurrency(line.sum);
        }
        const auto of = [&](CostSystem system) { return *std::ranges::find(cost.systems, system, &HourCost::System::system); };
        QVERIFY(same(of(CostSystem::Compute).perYear, compute / 4));
        QVERIFY(same(of(CostSystem::Building).perYear, (building + it) / 20));
        QVERIFY(same(cost.capital, capital + compute + building + it));
        QVERIFY(same(cost.anHour(cost.total()), (cost.perYear + cost.energy + cost.staff + cost.rent + cost.maintenance) / cost.hours));
        QVERIFY(cost.assumptions.size() > 15);
        const auto json = hourCostJson(cost, DesignStamp::of(*s));
        QVERIFY(same(json["total"]["per_hour"], cost.anHour(cost.total()), 1e-5));
        QVERIFY(json["assumptions"][0].contains("source"));
    }

    /// Every assumption moves the cost.
    void everySettingCounts()
    {
        const auto hour = [&](const char* key, const char* value) {
            const auto figures = figuresFor(design({{"cost.rent_per_kw_month", "1"}, {"site.pue_basis", "constant"}, {key, value}}));
            const HourCost cost = hourCost(*figures, makeBom(*figures));
            return std::tuple(cost.anHour(cost.total()), cost.onDemand, cost.preemptible.effective());
        };
        const auto usual = hour("site.pue", "1.2");
        for (const auto& [key, value] : std::vector<std::pair<const char*, const char*>>{{"cost.interest_percent", "1"},
                                                                                         {"cost.years_compute", "7"},
                                                                                         {"cost.years_network", "7"},
                                                                                         {"cost.years_optics", "7"},
                                                                                         {"cost.years_power", "7"},
                                                                                         {"cost.years_cooling", "7"},
                                                                                         {"cost.years_racks", "7"},
                                                                                         {"cost.years_building", "7"},
                                                                                         {"cost.building_per_kw", "7"},
                                                                                         {"cost.maintenance_percent", "7"},
                                                                                         {"cost.rent_per_kw_month", "7"},
                                                                                         {"cost.staff_per_mw", "7"},
                                                                                         {"cost.staff_year", "7"},
                                                                                         {"cost.tariff", "7"},
                                                                                         {"cost.load_factor", "0.7"},
                                                                                         {"cost.utilization_percent", "70"},
                                                                                         {"cost.on_demand", "7"},
                                                                                         {"cost.preemptible_share", "0.7"},
                                                                                         {"cost.interruptions_per_day", "7"},
                                                                                         {"cost.resume_minutes", "7"},
                                                                                         {"cost.save_minutes", "7"},
                                                                                         {"cost.tax_percent", "7"},
                                                                                         {"cost.shipping_percent", "7"},
                                                                                         {"cost.installation_percent", "7"},
                                                                                         {"site.pue", "1.7"}})
            QVERIFY2(hour(key, value) != usual, key);
    }

    void preemptibleMachines()
    {
        const Preemptible p{0.25, 4, 0.5, 1}; // 4 a day, each costs half an hour and half of an hour between saves
        QVERIFY(same(p.usefulShare(), 1 - 4.0 / 24));
        QVERIFY(same(p.effective(), 0.25 / (1 - 4.0 / 24)));
        QVERIFY(same((Preemptible{0.25, p.breakEven(1), 0.5, 1}).effective(), 1));
        QCOMPARE((Preemptible{0.25, 24, 0.5, 1}.usefulShare()), 0.0);
        QVERIFY(std::isinf(Preemptible{0.25, 24, 0.5, 1}.effective()));
        QCOMPARE((Preemptible{2, 1, 0.5, 1}.breakEven(1)), 0.0);
    }

    void reportKeys()
    {
        const auto figures = figuresFor(design());
        const Bom bom = makeBom(*figures);
        const auto json = reportJson(makeReport(*figures, bom), *figures);
        const auto& cost = json["cost"];
        QVERIFY(same(cost["priced"].get<double>() + cost["assumed"].get<double>(), cost["total"].get<double>()));
        double sum = 0;
        for (const auto& [name, system] : cost["by_system"].items()) sum += system["total"].get<double>();
        QVERIFY(same(sum, cost["total"].get<double>()));
        QCOMPARE(json["phases"].size(), std::size_t(1));
        QVERIFY(json["phases"][0]["accelerators"] == json["accelerators"]["active"]);
        QVERIFY(same(json["phases"][0]["cost"].get<double>(), cost["total"].get<double>()));
        QVERIFY(json["stages"]["racks"]["planned"] == json["racks"]["total"]);
        QVERIFY(!json["design"]["date"].get<std::string>().empty());
    }

    /// A part of the design without any price is named.
    void unpricedPartsAreNamed()
    {
        auto s = design();
        const auto parts = *ProjectParts::of(s->partTypes);
        const Bom bom = makeBom(*figuresFor(s));
        for (const auto& line : bom.lines) QCOMPARE(line.priced, line.unitPrice.count() > 0 || !line.with.empty());
        const auto unpriced = bom.unpricedParts();
        QCOMPARE(std::size_t(std::ranges::count_if(bom.lines, [](const auto& l) { return !l.priced; })), std::size_t(bom.unpriced));
        for (const auto& slug : unpriced) QVERIFY(parts->find(slug) || isSundry(slug));
    }
};

QTEST_APPLESS_MAIN(MoneyTest)
#include "test_money.moc"
