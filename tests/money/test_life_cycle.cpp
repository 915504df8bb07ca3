// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/template/template.h"
#include "core/foundation/base/resources.h"
#include "core/output/lifecycle/life_cycle.h"
#include "core/output/lifecycle/power_items.h"

#include <QtTest>

#include <cmath>
#include <sstream>

#include <nlohmann/json.hpp>

using namespace hw;

namespace {

/// Power of 1,000 that lasts 4 years, a building of 500 that lasts 20; a year's energy costs 100, maintenance 30, staff 20, rent 10.
HourCost simple()
{
    HourCost cost;
    cost.currency = "USD", cost.itW = 100'000, cost.pue = 1.2, cost.energyBasis = "design", cost.energyKwh = 1000;
    cost.systems = {{CostSystem::Power, 1000, 4, 0}, {CostSystem::Building, 500, 20, 0}};
    cost.energy = 100, cost.maintenance = 30, cost.staff = 20, cost.rent = 10;
    return cost;
}
bool near(double a, double b) { return std::abs(a - b) < 1e-6 * std::max(1.0, std::abs(b)); }

} // namespace

class LifeCycleTest : public QObject {
    Q_OBJECT
private slots:
    /// 10 years without interest: power is bought in years 0, 4 and 8 and has half of its last life left; half of the building is left.
    void withoutInterest()
    {
        const LifeCycle l = lifeCycle(simple(), 10, 0, 0);
        QCOMPARE(l.flow.size(), std::size_t(11));
        QCOMPARE(l.systems[0].replacements, 2);
        QCOMPARE(l.systems[0].replaced, 2000.0);
        QCOMPARE(l.systems[0].residual, 500.0);
        QCOMPARE(l.systems[1].replacements, 0);
        QCOMPARE(l.systems[1].residual, 250.0);
        QCOMPARE(l.capital, 1500.0);
        QCOMPARE(l.replacement, 2000.0);
        QCOMPARE(l.energy, 1000.0);
        QCOMPARE(l.total(), 1500.0 + 2000 + 1000 + 300 + 200 + 100 - 750);
        QVERIFY(near(l.undiscounted(), l.total()));
        QCOMPARE(l.flow[4].total(), 1000.0 + 160);
        QCOMPARE(l.perKwIt(), l.total() / 100);
    }

    /// A life that ends with the years is neither replaced nor left over.
    void endOfTheLast()
    {
        const LifeCycle l = lifeCycle(simple(), 8, 0, 0);
        QCOMPARE(l.systems[0].replacements, 1);
        QCOMPARE(l.systems[0].residual, 0.0);
        const LifeCycle one = lifeCycle(simple(), 1, 0, 0);
        QCOMPARE(one.systems[0].replacements, 0);
        QCOMPARE(one.systems[0].residual, 750.0);
    }

    /// By the annuity factor (1 − 1.08^−10)/0.08 = 6.710081, growth of 3 % by the sum of a geometric series.
    void withInterest()
    {
        const LifeCycle l = lifeCycle(simple(), 10, 0.08, 0);
        QVERIFY(near(l.energy, 100 * 6.71008139894));
        QVERIFY(near(l.maintenance, 30 * 6.71008139894));
        QVERIFY(near(l.replacement, 1000 / std::pow(1.08, 4) + 1000 / std::pow(1.08, 8)));
        QVERIFY(near(l.residual, 750 / std::pow(1.08, 10)));
        double systems = 0;
        for (const auto& s : l.systems) systems += s.present;
        QVERIFY(near(systems, l.capital + l.replacement - l.residual));
        double flow = 0;
        for (std::size_t year = 0; year < l.flow.size(); ++year) flow += l.flow[year].total() / std::pow(1.08, double(year));
        QVERIFY(near(flow, l.total()));
        const double q = 1.03 / 1.08, grown = 100 / 1.08 * (1 - std::pow(q, 10)) / (1 - q);
        QVERIFY(near(lifeCycle(simple(), 10, 0.08, 0.03).energy, grown));
    }

    void rangesByHand()
    {
        const auto& ranges = shippedCostRanges();
        QVERIFY2(ranges.has_value(), ranges ? "" : ranges.error().text().c_str());
        auto cost = simple();
        cost.systems = {{CostSystem::Power, 1'140'000, 15, 0}, {CostSystem::Compute, 5e6, 5, 0}}; // 11,400 USD/kW
        Snapshot s;
        const auto of = costPositions(s, lifeCycle(cost, 10, 0, 0));
        QCOMPARE(of.size(), std::size_t(2)); // power, facility
        QCOMPARE(of[0].range.slug, std::string("power"));
        QVERIFY(near(of[0].perKw, 11'400) && of[0].side() == 1 && near(of[0].range.most, 3700));
        QVERIFY(of[1].range.slug == "facility" && of[1].side() == 0); // compute is no part of it
        cost.currency = "EUR";
        QVERIFY(costPositions(s, lifeCycle(cost, 10, 0, 0)).empty()); // no rate
        s.putSetting("currency.USD.rate", "0.5");
        QVERIFY(near(costPositions(s, lifeCycle(cost, 10, 0, 0))[0].range.most, 1850));
        cost.billKnown = false;
        QVERIFY(costPositions(s, lifeCycle(cost, 10, 0, 0)).empty());
        for (const char* wrong :
             {"per_kw: {}", "per_kw: {power: {range: [1, 2]}}", "x: 1", "per_kw: {nothing: {range: [1, 2], currency: USD, source: s, confidence: B}}",
              "per_kw: {power: {range: [-1, 2], currency: USD, source: s, confidence: B}}", ": ["})
            QVERIFY2(!readCostRanges(wrong, "ranges.yaml"), wrong);
    }

    void alternatives()
    {
        auto dear = simple();
        dear.energy = 200;
        std::vector<LifeCycleOf> designs(2);
        designs[0].life = lifeCycle(dear, 10, 0.08, 0), designs[1].life = lifeCycle(simple(), 10, 0.08, 0);
        const auto json = lifeCycleJson(designs);
        QCOMPARE(json["cheapest"].get<int>(), 1);
        QVERIFY(near(json["designs"][0]["present_value"]["energy"].get<double>(), 1342.02));
        const std::string text = lifeCycleText(designs);
        QVERIFY2(text.find("above lowest cost") != std::string::npos, text.c_str());
        designs[1].life.currency = "EUR";
        QVERIFY(lifeCycleJson(designs)["cheapest"].is_null());
        QVERIFY(lifeCycleJson({designs.data(), 1})["cheapest"].is_null());
    }

    /// Of a design: what the hourly cost says, over the years.
    void ofADesign()
    {
        const auto catalog = Catalog::load(resourceFolder() / "catalog");
        const auto design = Template::load(resourceFolder() / "templates" / "nvl72.yaml");
        QVERIFY(catalog && design);
        const auto snapshot = instantiate(*design, ParameterValues{{"segments", 1}}, *catalog);
        QVERIFY(snapshot.has_value());
        const auto figures = figuresOf(*snapshot).value();
        const HourCost cost = hourCost(*figures, makeBom(*figures));
        std::vector<LifeCycleOf> one(1);
        one[0].life = lifeCycle(*figures, 15);
        one[0].positions = costPositions(**snapshot, one[0].life);
        QVERIFY(near(one[0].life.capital, cost.capital) && near(one[0].life.flow[1].energy, cost.energy));
        QVERIFY(one[0].positions.size() == 4);
        const Bom& bom = makeBom(*figures);
        const auto items = powerItems(*figures, bom);
        Money sum, goods, racks;
        for (const PowerItemCost& item : items) sum += item.sum, racks += item.item == PowerItem::Racks ? item.sum : Money();
        std::int64_t shelves = 0;
        for (const Bom::Line& line : bom.lines) {
            if (line.system == CostSystem::Power && line.group != Bom::Group::Charges) goods += line.sum;
            if (line.part == "power-shelf-33kw" && !line.spare()) shelves += line.sum.count();
        }
        QCOMPARE(sum.count(), goods.count());
        QVERIFY(shelves > 0 && racks.count() > shelves);
        const auto shared = costPositions(**snapshot, one[0].life, publishedShare(items));
        QVERIFY(near(shared[0].perKw, one[0].positions[0].perKw * publishedShare(items)) && publishedShare(items) < 0.95);
        std::istringstream lines(lifeCycleText(one));
        for (std::string line; std::getline(lines, line);) QVERIFY2(QString::fromStdString(line).size() <= 104, line.c_str());
    }
};

QTEST_GUILESS_MAIN(LifeCycleTest)
#include "test_life_cycle.moc"
