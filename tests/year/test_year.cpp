// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/cooling/facility.h"
#include "core/derived/figures/feeder_losses.h"
#include "core/derived/year/plant_of.h"
#include "core/derived/year/year_of.h"
#include "core/design/template/template.h"
#include "core/foundation/base/resources.h"
#include "core/output/cost/hour_cost.h"
#include "core/output/energy/year_output.h"

#include <QTemporaryDir>
#include <QtTest>

#include <cmath>
#include <fstream>

#include <nlohmann/json.hpp>

using namespace hw;

namespace {

const Catalog& parts()
{
    static const Catalog all = *Catalog::load(resourceFolder() / "catalog");
    return all;
}
SnapshotPtr designOf(const char* name, const ParameterValues& values)
{
    return *instantiate(*Template::load(resourceFolder() / "templates" / (std::string(name) + ".yaml")), values, parts());
}
const SnapshotPtr& hall()
{
    static const SnapshotPtr one = designOf("hpn", {{"segments", 1}});
    return one;
}
FiguresPtr with(const SnapshotPtr& design, std::initializer_list<std::pair<const char*, const char*>> settings)
{
    auto s = std::make_shared<Snapshot>(*design);
    for (const auto& [key, value] : settings) s->putSetting(key, value);
    return figuresOf(s).value();
}
bool close(double a, double b, double share) { return std::abs(a - b) <= share * std::max(std::abs(a), std::abs(b)); }

} // namespace

class YearTest : public QObject {
    Q_OBJECT
private slots:
    /// The counted network loses what the listed one does, to its rounding, and takes the same from the utilities.
    void countedNetworkIsTheNetwork()
    {
        for (const auto& [name, values] :
             {std::pair("hpn", ParameterValues{{"segments", 1}}), std::pair("nvl72", ParameterValues{{"segments", 1}})}) {
            const auto figures = with(designOf(name, values), {});
            const PowerChain& chain = powerChain(*figures, powerBasisOf(*figures->snapshot));
            const auto plant = plantOf(*figures);
            QVERIFY2(plant.has_value(), plant ? name : plant.error().text().c_str());
            std::vector<double> groups(plant->power.groups(), 0);
            for (std::size_t g = 0; g < plant->it.size(); ++g) groups[g] = plant->it[g].designW;
            for (const auto& loop : plant->loops)
                for (const auto* list : {&loop.movers, &loop.sinks})
                    for (const plant::Units& units : *list) groups[std::size_t(units.group)] = units.drawW * units.count;
            for (const auto& [group, watts] : plant->constant) groups[std::size_t(group)] = watts;
            plant::PowerTree::State state;
            plant->power.solve(groups, state, false);
            const FacilityPower facility = facilityPower(*figures, powerBasisOf(*figures->snapshot));
            double in = 0;
            for (power::Index i = 0; i < chain.network.size(); ++i)
                if (chain.network.feeds(i).empty()) in += toWatts(chain.flow.intake[i].total());
            QVERIFY2(close(state.lossW, toWatts(facility.losses), 1e-5), fmt::format("{} {}", state.lossW, toWatts(facility.losses)).c_str());
            QVERIFY2(close(state.inW, in, 1e-6) && close(state.drawW, toWatts(facility.it + facility.cooling), 1e-6), name);
            QVERIFY(close(state.feederW, toWatts(facility.feeders), 1e-4));
            QVERIFY(close(state.inW, state.drawW + state.lossW, 1e-12));
            QVERIFY(plant->power.classes() < 2000);
            plant::PowerTree::State again = state;
            plant->power.solve(groups, again, true); // nothing changed
            QVERIFY(close(again.inW, state.inW, 1e-12) && close(again.lossW, state.lossW, 1e-9));
        }
    }

    /// Every hour: power in is heat out.
    void balanceOfEveryHour()
    {
        for (const char* climate : {"ashburn", "singapore", "zhangbei"}) {
            const auto year = yearOf(*with(hall(), {{"year.profile", "daily"}, {"reuse.heat_kw", "500"}}), {.climate = climate});
            QVERIFY2(year.has_value(), year ? "" : year.error().text().c_str());
            QVERIFY2(year->mostImbalance < 1e-9, fmt::format("{}: {}", climate, year->mostImbalance).c_str());
            double it = 0, site = 0;
            for (const auto& hour : year->hours) it += hour.itW, site += hour.siteW;
            QVERIFY(close(it / 1000, year->all.it, 1e-12) && close(site / 1000, year->all.site, 1e-12));
            double months = 0;
            for (const YearSums& month : year->months) months += month.site;
            QVERIFY(close(months, year->all.site, 1e-12) && year->all.unmet == 0);
            QVERIFY(close(year->all.site, year->all.it + year->all.cooling() + year->all.losses + year->all.feeders + year->all.other, 1e-9));
            QVERIFY(year->all.reused > 0 && year->all.heatPump > 0 && !year->reuseLoop.empty());
        }
    }

    void figuresOfAYear()
    {
        const auto year = *yearOf(*with(hall(), {}), {});
        const double peak = facilityPower(*with(hall(), {}), PowerBasis::Design).pue();
        QVERIFY2(year.all.pue() > 1.05 && year.all.pue() < peak, fmt::format("{} {}", year.all.pue(), peak).c_str());
        QVERIFY(year.hours[year.worst].pue() >= year.all.pue() && year.durationW.front() == year.hours[year.peak].siteW);
        QVERIFY(std::ranges::is_sorted(year.durationW, std::greater()) && year.durationW.size() == 8760);
        QVERIFY(year.all.freeHours > 4000 && year.all.freeHours < 8760);
        QVERIFY(year.cue() && close(*year.cue(), year.all.pue() * 0.418, 1e-9));
        QVERIFY(close(year.bill.total(), year.all.site * 0.08, 1e-9));
        const auto json = yearJson(year, {}, DesignStamp::of(*hall()));
        for (const char* key : {"annual_pue", "wue_l_per_kwh", "cue_kg_per_kwh", "energy_mwh", "worst_hour", "months", "hours_free_cooling"})
            QVERIFY2(json.contains(key), key);
        QCOMPARE(json["months"].size(), std::size_t(12));
        QCOMPARE(json["pue_by_month_and_hour"][11].size(), std::size_t(24));
        QVERIFY(json["energy_mwh"].get<double>() * 1000 / year.all.site > 0.999);
        const std::string text = yearText(year, {}, DesignStamp::of(*hall()));
        QVERIFY(text.find("synthesized") != std::string::npos && text.find("Loudoun") != std::string::npos);
        QCOMPARE(json.dump(), yearJson(*yearOf(*with(hall(), {}), {}), {}, DesignStamp::of(*hall())).dump());
    }

    /// Every setting moves some figure of the year.
    void everySettingCounts()
    {
        const auto ventilated =
            instantiate(*Template::parse("template: ventilated\nextends: hpn\ntitle: t\nsummary: s\nsource: s\nlayout: {electrical_air: none}\n",
                                         "ventilated.yaml", (resourceFolder() / "templates").string()),
                        {{"segments", 1}}, parts());
        QVERIFY(ventilated.has_value());
        const auto sums = [&](std::initializer_list<std::pair<const char*, const char*>> settings) {
            auto s = std::make_shared<Snapshot>(**ventilated);
            s->putSetting("reuse.heat_kw", "100"), s->putSetting("cost.demand_per_kw_month", "1");
            for (const auto& [key, value] : settings) s->putSetting(key, value);
            const auto year = yearOf(*figuresOf(s).value(), {});
            if (!year) return year.error().text();
            return yearJson(*year, {}, DesignStamp::of(*s)).dump();
        };
        const std::string usual = sums({});
        for (const auto& [key, value] : std::vector<std::pair<const char*, const char*>>{{"site.climate", "dublin"},
                                                                                         {"site.carbon_g_per_kwh", "7"},
                                                                                         {"site.tariff", "time-of-use"},
                                                                                         {"year.profile", "daily"},
                                                                                         {"year.power_supplies", "platinum"},
                                                                                         {"year.redundant_units", "standby"},
                                                                                         {"year.free_cooling", "off"},
                                                                                         {"year.chiller_air", "screw-constant-air"},
                                                                                         {"year.growth_start_percent", "50"},
                                                                                         {"year.free_cooling_approach_k", "3"},
                                                                                         {"year.free_cooling_fans_percent", "4"},
                                                                                         {"year.fixed_head_percent", "10"},
                                                                                         {"year.least_flow_percent", "95"},
                                                                                         {"year.other_percent", "2"},
                                                                                         {"year.ventilation_percent", "9"},
                                                                                         {"year.frost_point_k", "1"},
                                                                                         {"year.air_changes", "2"},
                                                                                         {"cost.contract_kw", "90000"},
                                                                                         {"cost.demand_per_kw_month", "3"},
                                                                                         {"cost.load_factor", "0.6"},
                                                                                         {"cost.tariff", "0.2"},
                                                                                         {"reuse.heat_kw", "200"},
                                                                                         {"reuse.supply_c", "80"},
                                                                                         {"reuse.first_month", "11"},
                                                                                         {"reuse.last_month", "3"}})
            QVERIFY2(sums({{key, value}}) != usual, key);
        QVERIFY(sums({{"site.climate", "atlantis"}}).find("site.climate atlantis") != std::string::npos);
        QVERIFY(sums({{"year.chiller_air", "ice"}}).find("year.chiller_air") != std::string::npos);
        for (const auto& [profile, key, value] :
             {std::tuple("daily", "year.daily_swing_percent", "5"), std::tuple("daily", "year.weekend_percent", "50"),
              std::tuple("jobs", "year.job_days", "3"), std::tuple("jobs", "year.idle_hours", "48"), std::tuple("jobs", "year.idle_percent", "80")})
            QVERIFY2(sums({{"year.profile", profile}, {key, value}}) != sums({{"year.profile", profile}}), key);
        QVERIFY(sums({{"cost.contract_kw", "90000"}, {"cost.ratchet_percent", "50"}}) != sums({{"cost.contract_kw", "90000"}}));
    }

    void files()
    {
        QTemporaryDir folder;
        const std::string load = folder.filePath("load.csv").toStdString(), out = folder.filePath("year.csv").toStdString();
        std::ofstream file(load);
        file << "load\n";
        for (int h = 0; h < 8760; ++h) file << (h < 4380 ? "0.4\n" : "0.9\n");
        file.close();
        const auto year = yearOf(*with(hall(), {}), {.load = load});
        QVERIFY2(year.has_value(), year ? "" : year.error().text().c_str());
        QVERIFY(year->hours[8000].itW > 2 * year->hours[10].itW);
        QVERIFY(writeTable(yearTable(*year), out).has_value());
        std::ifstream in(out);
        std::string line;
        int lines = 0;
        while (std::getline(in, line)) ++lines;
        QCOMPARE(lines, 8761);
        QVERIFY(!yearOf(*with(hall(), {}), {.epw = load}));
        QVERIFY(!yearOf(*with(hall(), {}), {.load = "/nowhere.csv"}));
    }

    /// A design without a plant is refused; its cost then takes the constant PUE.
    void needsAPlant()
    {
        const auto loose = *instantiateLoose(*Template::load(resourceFolder() / "templates" / "hpn.yaml"), {{"segments", 1}}, parts());
        const auto figures = with(loose, {});
        const auto year = yearOf(*figures, {});
        QVERIFY(!year && year.error().code == ErrorCode::Refused && year.error().text().find("layout") != std::string::npos);
        QCOMPARE(hourCost(*figures, makeBom(*figures)).energyBasis, std::string("constant"));
    }

    void costTakesTheYear()
    {
        const auto cost = [&](std::initializer_list<std::pair<const char*, const char*>> settings) {
            const auto figures = with(hall(), settings);
            return hourCost(*figures, makeBom(*figures));
        };
        const HourCost year = cost({}), design = cost({{"cost.energy_basis", "design"}}), demand = cost({{"cost.demand_per_kw_month", "10"}});
        QCOMPARE(year.energyBasis, std::string("year"));
        QCOMPARE(design.energyBasis, std::string("design"));
        QVERIFY(year.annualPue > 1 && year.annualPue < year.pue && year.energyKwh < design.energyKwh);
        QVERIFY(close(year.energyKwh, yearOf(*with(hall(), {}), {})->all.site, 1e-12));
        QVERIFY(demand.demandCharge > 0 && close(demand.energy - year.energy, demand.demandCharge, 1e-9));
        QVERIFY(close(design.energyKwh, design.facilityW / 1000 * 0.8 * 8760, 1e-12));
        const HourCost wrong = cost({{"site.climate", "atlantis"}});
        QVERIFY(wrong.energyBasis == "design" && !wrong.energyNote.empty());
        QVERIFY(hourCostText(year, DesignStamp::of(*hall())).find("annual PUE") != std::string::npos);
    }
};

QTEST_GUILESS_MAIN(YearTest)
#include "test_year.moc"
